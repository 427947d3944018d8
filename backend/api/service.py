"""Builds the parts of a backend from the settings, and starts and closes them in order."""

import asyncio
import logging
import math
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import insert, select
from sqlalchemy.exc import SQLAlchemyError

from backend.api.audit import Audit
from backend.api.lanes import Lanes
from backend.api.metrics import Metrics
from backend.api.task_events import TaskEvents
from backend.api.throttle import Throttle
from backend.api.tokens import Tokens
from backend.docsets import adding, partitioning, property_jobs, reembedding, rereading
from backend.docsets.adding import Adding
from backend.docsets.changes import Changes
from backend.docsets.contents import sweep_contents
from backend.docsets.decisions import DecisionMaker
from backend.docsets.docsets import DocSets, drop_blobs, sweep_blobs
from backend.docsets.documents import Documents
from backend.docsets.embedding import Embedding
from backend.docsets.fetching import Fetcher, Guard
from backend.docsets.merged_values import MergedValues
from backend.docsets.model_help import ModelHelp
from backend.docsets.paging import Pager
from backend.docsets.partitioning import Partitioning
from backend.docsets.property_jobs import PropertyJobs
from backend.docsets.reembedding import Reembedding
from backend.docsets.rereading import Rereadings
from backend.docsets.review_queue import ReviewQueue
from backend.docsets.vector_cache import VectorCache
from backend.docsets.webhooks import Webhooks
from backend.inference.embeddings import ProviderMissing
from backend.inference.language_line import language_model
from backend.inference.providers import Embedders
from backend.inference.static import StaticEmbedder
from backend.plans.running.allowance import RunLimits
from backend.plans.service import PlanService
from backend.search.engine import SearchEngine
from backend.search.shards.fan_out import Shards
from backend.settings import Settings
from backend.store import failpoints
from backend.store.backup import sweep_copies
from backend.store.blob_stores import open_blobs
from backend.store.blobs import SHARED_GRACE, BlobStore
from backend.store.database import Database, UnusableDatabase
from backend.store.disk_faults import log_failure
from backend.store.migrating import layout_of, migrate
from backend.store.notices import CANCELLED, WORK, Notices
from backend.store.shared_files import SharedFiles, open_shared_files
from backend.store.tables import secrets as secrets_table
from backend.store.tables import tasks, tokens
from backend.tasks import heap
from backend.tasks.pool import Limits, WorkerPool
from backend.tasks.pool_port import Pool
from backend.tasks.queue import TaskQueue
from backend.tasks.ray_pool import RayPool
from backend.tasks.ray_worker import NoCluster, needs_ray
from backend.tasks.runner import Body, TaskRunner
from workbench.contract.errors import ServiceError, Unavailable

_log = logging.getLogger(__name__)
SHARD = "backend.search.shards.actor:ShardActor"
"""The class that the cluster keeps a shard in; only its machines import it."""


class Signal:
    """Wakes coroutines when tasks change; `fire` may be called from any thread.

    A reader takes a `mark`, checks the tasks, and waits for changes since that mark, so a change
    between checking and waiting is not missed.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Event] = set()
        self._fired = 0

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def fire(self) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake)

    def mark(self) -> int:
        """The number of changes so far."""
        return self._fired

    async def wait(self, mark: int, seconds: float) -> bool:
        """Returns at the first change since `mark` (True), or on timeout (False).

        Changes made by other processes are not signalled, so callers check again after a timeout.
        """
        if mark != self._fired:
            return True
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            return await asyncio.wait_for(event.wait(), seconds)
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(event)

    def _wake(self) -> None:
        self._fired += 1
        for event in self._waiting:
            event.set()


@dataclass
class Service:
    """The parts that the routes use."""

    settings: Settings
    database: Database
    tokens: Tokens
    audit: Audit
    metrics: Metrics
    blobs: BlobStore
    search: SearchEngine
    docsets: DocSets
    documents: Documents
    adding: Adding
    jobs: PropertyJobs
    embedders: Embedders
    reembedding: Reembedding
    help: ModelHelp
    merged_values: MergedValues
    review: ReviewQueue
    decisions: DecisionMaker
    rereadings: Rereadings
    proposals: Changes
    plans: PlanService
    queue: TaskQueue
    notices: Notices
    runner: TaskRunner
    pool: Pool
    webhooks: Webhooks
    throttle: Throttle
    lanes: Lanes
    changes: Signal
    task_events: TaskEvents
    started: float = field(default_factory=time.time)
    stopping: threading.Event = field(default_factory=threading.Event)
    stop: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Recovers the tasks that a crash interrupted, removes its leftovers, and starts work."""
        alone = self.database.is_sqlite
        recovered = self.queue.recover(alone=alone)
        swept = self.blobs.sweep_incoming()
        sweep_blobs(self.database, self.blobs)
        self._sweep_contents()
        if not alone:
            threading.Thread(target=self._sweep_again, name="sweeping", daemon=True).start()
        sweep_copies(self.settings.data_dir)
        self.search.sweep()
        self.plans.recover(alone=alone)
        _warn_without_vectors()
        _log.info("ready: %d tasks recovered, %d unfinished uploads removed", recovered, swept)
        self.plans.start()
        self.runner.start()
        self.notices.start(partial(_on_notice, self.runner))
        self.pool.warm("backend.docsets.preparing")

    def _sweep_again(self) -> None:
        """Removes, every hour, leftovers that were too young to be removed before."""
        while not self.stopping.wait(SHARED_GRACE):
            try:
                self.blobs.sweep_incoming()
                sweep_blobs(self.database, self.blobs)
                self._sweep_contents()
            except Exception as error:
                log_failure(_log, error, "unused files could not be removed")

    def _sweep_contents(self) -> None:
        """Removes unused contents; young ones may be in use by other servers, if there are any."""
        now = math.inf if self.database.is_sqlite else time.time()
        sweep_contents(self.database, before=now - SHARED_GRACE)

    def tidy(self) -> None:
        """Returns free memory and disk space to the system, but for the space of deletions."""
        self.database.reserve.prepare()
        self.plans.tidy()
        heap.give_back()
        try:
            self.search.publish()
            self.database.release_pages(self.stopping.is_set)
        except (SQLAlchemyError, ServiceError) as error:
            log_failure(_log, error, "unused memory could not be returned to the system")

    def check_ready(self) -> None:
        """Raises Unavailable while the database is unreachable or the backend is stopping."""
        if self.stopping.is_set():
            raise Unavailable("The backend is stopping.")
        try:
            with self.database.reading() as connection:
                connection.execute(select(1))
        except SQLAlchemyError as error:
            raise Unavailable("The database does not answer.") from error

    def cancel(self, account_id: str, task_id: str) -> None:
        """Cancels an open task, frees its core and its file; NotFound for any other."""
        task = self.queue.cancel(account_id, task_id)
        if not self.runner.interrupt(task_id):
            self.notices.send(CANCELLED, task_id)
        if task["blob"] is not None:
            drop_blobs(self.database, self.blobs, {task["blob"]})
        if task["webhook"]:
            self.webhooks.notify(task["webhook"], task_id, account_id)

    def close(self) -> None:
        """Returns running work to the queue and closes everything, also on a full disk."""
        for part in (
            self.lanes, self.notices, self.runner, self.help, self.webhooks, self.plans,
            self.search, self.embedders, self.audit, self.database,
        ):  # fmt: skip
            try:
                part.close()
            except OSError as error:
                _log.warning("%s: not closed properly: %s", type(part).__name__, error.strerror)


def _warn_without_vectors() -> None:
    try:
        StaticEmbedder.files()
    except ProviderMissing as error:
        _log.warning("documents of DocSets with properties cannot be read: %s", error)


def open_service(settings: Settings) -> Service:
    """Opens the data folder and builds the parts; nothing runs yet."""
    failpoints.arm(settings.failpoints)
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    database, blobs = _open_store(settings)
    embedders = Embedders(settings.models_dir, settings.models.embedding)
    embedding = Embedding(embedders, VectorCache(database, settings.embedding_cache))
    shared = open_shared_files(settings, alone=database.is_sqlite)
    pager = Pager(_page_key(database))
    guard = Guard(settings.allow_private_fetch)
    webhooks = Webhooks(guard, settings.webhook_secret)
    changes = Signal()
    executor = f"{socket.gethostname()}:{os.getpid()}"
    queue = TaskQueue(database, executor, changes.fire, max_open=settings.max_open_tasks)
    pool = _pool(settings, blobs, queue.has_queued, lambda: runner.wake())
    shards = _shards(settings, pool)
    search = SearchEngine(database, settings.index_dir, embedders, shared, shards)
    fetcher = Fetcher(blobs, guard, settings.max_upload, settings.fetch_seconds)
    help = ModelHelp(language_model(settings.models.chat), language_model(settings.models.vision))
    adder = Adding(database, blobs, search, fetcher, embedding, help, most_pages=settings.max_pages)
    jobs = PropertyJobs(database, help)
    partitioner = Partitioning(database, adder, help)
    reading_again = Rereadings(database, jobs)
    embedding_anew = Reembedding(database, embedding)
    bodies = {
        adding.KIND: Body(adder.run),
        partitioning.KIND: Body(partitioner.run, partitioning.failed),
        property_jobs.EXTRACT_KIND: Body(jobs.extract),
        property_jobs.DELETE_KIND: Body(jobs.delete),
        property_jobs.SUGGEST_KIND: Body(jobs.suggest),
        reembedding.KIND: Body(embedding_anew.run),
        rereading.KIND: Body(reading_again.run),
    }

    notices = Notices(database)
    runner = TaskRunner(
        database,
        queue,
        pool,
        bodies,
        result_seconds=settings.result_hours * 3600,
        alone=database.is_sqlite,
        ended=partial(_notify, database, webhooks),
        several=partial(_several_accounts, database),
        queued=partial(notices.send, WORK),
    )
    return Service(
        settings=settings,
        notices=notices,
        database=database,
        tokens=Tokens(database),
        audit=Audit(settings.data_dir / "audit.log"),
        metrics=Metrics(database, pool.state),
        blobs=blobs,
        search=search,
        docsets=DocSets(database, blobs, search, pager, embedders, embedding=settings.embedding),
        documents=Documents(database, blobs, search, pager),
        adding=adder,
        jobs=jobs,
        embedders=embedders,
        reembedding=embedding_anew,
        help=help,
        merged_values=MergedValues(database),
        review=ReviewQueue(database, pager),
        decisions=DecisionMaker(database),
        rereadings=reading_again,
        proposals=Changes(database, pager),
        plans=_plans(settings, database, search, help, embedders, shared),
        queue=queue,
        runner=runner,
        pool=pool,
        webhooks=webhooks,
        throttle=Throttle(settings.submit_rate),
        lanes=Lanes(settings.request_seconds, settings.run_seconds, _model_seconds(settings)),
        changes=changes,
        task_events=TaskEvents(queue.changes, changes.mark),
    )


def _pool(
    settings: Settings, blobs: BlobStore, waits: Callable[[], bool], changed: Callable[[], None]
) -> Pool:
    """Processes of this machine, or places on the cluster."""
    limits = Limits(
        settings.worker_memory, settings.worker_cpu_seconds, settings.worker_wall_seconds
    )
    if settings.cluster_head is None:
        return WorkerPool(settings.workers, limits, blobs.path)
    needs_ray()
    return RayPool(
        settings.cluster_head,
        settings.place_range,
        limits,
        key=settings.api_key,
        shards=settings.shards,
        shard=SHARD,
        waits=waits,
        changed=changed,
    )


def _shards(settings: Settings, pool: Pool) -> Shards | None:
    """The shards on the cluster, if there are any."""
    if not settings.shards:
        return None
    if not isinstance(pool, RayPool):
        raise NoCluster("Shards are kept by a cluster. Set WORKBENCH_CLUSTER to ray:HEAD:6379.")
    return Shards(pool, settings.shards, settings.shards_from)


def _open_store(settings: Settings) -> tuple[Database, BlobStore]:
    """The database with its newest layout, and the files. Refuses files without a database."""
    database = Database(settings.resolved_database_url)
    database.reserve.release()  # the start writes; the first `tidy` restores it
    is_empty = layout_of(database) is None
    blobs = open_blobs(settings, grace=0.0 if database.is_sqlite else SHARED_GRACE)
    if is_empty and next(blobs.digests(), None) is not None:
        # Sweeping files without rows would remove every original. The new, empty database must not
        # leave a write-ahead log, which would be replayed into the one that is put back.
        database.close()
        place = settings.object_store or settings.blob_dir
        raise UnusableDatabase(
            f"{place} has files of documents, but the database is missing or empty:"
            " put it back, restore a backup into an empty folder (workbench restore), or move the"
            " files away."
        )
    migrate(database)
    return database, blobs


def _plans(
    settings: Settings,
    database: Database,
    search: SearchEngine,
    help: ModelHelp,
    embedders: Embedders,
    shared: SharedFiles,
) -> PlanService:
    return PlanService(
        database,
        search,
        settings.runs_dir,
        settings.tables_dir,
        confidence_limit=settings.confidence_limit,
        model=help.chat,
        embedders=embedders,
        shared=shared,
        limits=RunLimits(settings.run_rows, settings.run_memory, settings.run_seconds),
    )


def _model_seconds(settings: Settings) -> float:
    """The time that a language model may add to a request: a few answers, each retried once."""
    return 0.0 if settings.models.chat is None else 6 * settings.models.chat.seconds


def _page_key(database: Database) -> bytes:
    with database.writing() as connection:
        key: bytes | None = connection.execute(
            select(secrets_table.c.value).where(secrets_table.c.name == "page_key")
        ).scalar_one_or_none()
        if key is None:
            key = secrets.token_bytes(32)
            connection.execute(insert(secrets_table).values(name="page_key", value=key))
    return key


def _several_accounts(database: Database) -> bool:
    with database.reading() as connection:
        accounts = select(tokens.c.account_id).distinct().limit(2)
        return len(connection.execute(accounts).all()) > 1


def _on_notice(runner: TaskRunner, kind: str, subject: str) -> None:
    """Handles a notice of another server."""
    if kind == CANCELLED:
        runner.interrupt(subject)
    elif kind == WORK:
        runner.wake()


def _notify(database: Database, webhooks: Webhooks, task_id: str) -> None:
    with database.reading() as connection:
        row = connection.execute(
            select(tasks.c.webhook, tasks.c.status, tasks.c.account_id).where(
                tasks.c.task_id == task_id
            )
        ).first()
    if row is not None and row.webhook and row.status == "done":
        webhooks.notify(row.webhook, task_id, row.account_id)
