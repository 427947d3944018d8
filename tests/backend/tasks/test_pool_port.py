"""What every pool keeps, whether its places are processes of this machine or on a cluster."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from backend.store.blobs import BlobStore, BlobsUnreachable
from backend.tasks import ray_pool as ray_pool_module
from backend.tasks.outcomes import PlaceLost, message_of, result_of
from backend.tasks.pool import (
    LimitReached,
    WorkerDied,
    WorkerFault,
    WorkerPool,
    WorkerStopped,
)
from backend.tasks.pool_port import Pool, Running
from backend.tasks.ray_pool import RayPool
from backend.tasks.spooling import IN_MEMORY, Spooled
from tests.ray_cluster import LIMITS, Cluster, cluster, pool_on, wait_for_places
from workbench.contract.errors import ServiceError

JOBS = "tests.backend.tasks.jobs"
FILE = b"the bytes of a file"
DIGEST = hashlib.sha256(FILE).hexdigest()


def run(pool: Pool, job: str, data: object = None, **more: Any) -> Any:
    options: dict[str, Any] = {"progress": lambda *_: None, "started": lambda _: None}
    return pool.run(f"{JOBS}:{job}", data, **options | more)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> BlobStore:
    """The files that all places can read."""
    blobs = BlobStore(tmp_path_factory.mktemp("blobs"))
    with blobs.keeping([FILE]):
        return blobs


@pytest.fixture(scope="module")
def ray_cluster(files: BlobStore) -> Iterator[Cluster]:
    """A cluster of one node, the head, with room for two places."""
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    with cluster() as made:
        made.node(2, blob_url=f"file://{files.path(DIGEST).parents[1]}")
        yield made


CLUSTERS = ["stand_in", pytest.param("ray", marks=pytest.mark.soak)]
"""Ray itself in the long form; in the short form its substitute in the bridge."""


@pytest.fixture(scope="module")
def ray_head(ray_cluster: Cluster) -> str:
    return ray_cluster.head


@pytest.fixture(scope="module")
def stand_in_head(files: BlobStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ray_pool_module, "BRIDGE", "tests.stand_in_bridge")
        patch.setenv("WORKBENCH_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        patch.setenv("WORKBENCH_BLOB_URL", f"file://{files.path(DIGEST).parents[1]}")
        yield "127.0.0.1:6379"


@pytest.fixture(scope="module")
def local_pool(files: BlobStore) -> Iterator[WorkerPool]:
    opened = WorkerPool(1, LIMITS, files.path)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def stand_in_pool(stand_in_head: str) -> Iterator[RayPool]:
    with pool_on(stand_in_head) as opened:
        yield opened


@pytest.fixture(scope="module")
def ray_pool(ray_head: str) -> Iterator[RayPool]:
    with pool_on(ray_head) as opened:
        yield opened


@pytest.fixture(params=CLUSTERS)
def head(request: pytest.FixtureRequest) -> str:
    """The address of a cluster's head."""
    return str(request.getfixturevalue(f"{request.param}_head"))


@pytest.fixture(params=CLUSTERS)
def cluster_pool(request: pytest.FixtureRequest) -> RayPool:
    """A pool with one place on a cluster."""
    opened: RayPool = request.getfixturevalue(f"{request.param}_pool")
    return opened


@pytest.fixture(params=["local", *CLUSTERS])
def pool(request: pytest.FixtureRequest) -> Pool:
    """A pool with one place."""
    opened: Pool = request.getfixturevalue(f"{request.param}_pool")
    return opened


def test_a_job_returns_data_and_bytes_and_reports_progress(pool) -> None:
    seen: list[tuple[object, ...]] = []
    message = run(
        pool, "echo", {"a": [1, "é"]}, blobs=[b"\x00\xff", b""], progress=lambda *p: seen.append(p)
    )
    assert message.data == {"a": [1, "é"]}
    assert list(message.blobs) == [b"\x00\xff", b""]
    assert seen == [(1, 2, "pages")]


def test_a_large_result_waits_in_a_file_until_it_is_read(pool) -> None:
    blobs = [bytes([number]) * (IN_MEMORY // 3) for number in range(5)] + [b"", b"end"]
    message = run(pool, "echo", blobs=blobs)
    assert isinstance(message.blobs, Spooled)
    assert list(message.blobs) == blobs
    assert list(message.blobs[1:][-3:]) == blobs[-3:]
    assert run(pool, "echo", 1).data == 1


def test_a_job_finds_the_file_that_it_names_by_digest(pool) -> None:
    result = run(pool, "read_file", {"digest": DIGEST})
    assert list(result.blobs) == [FILE]


def test_a_job_asks_the_server_for_help(pool) -> None:
    def answer(kind: str, data: int, blobs: list[bytes]) -> dict[str, object]:
        return {kind: data + 1, "blob": blobs[0].decode()}

    answered = run(pool, "inquire", [1, 2], answer=answer)
    assert answered.data == [{"sum": 2, "blob": "!"}, {"sum": 3, "blob": "!"}]
    assert run(pool, "inquire", [1]).data == [None]


def test_a_failing_answer_ends_only_its_job(pool) -> None:
    def answer(_kind: str, _data: int, _blobs: list[bytes]) -> None:
        raise WorkerStopped

    with pytest.raises(WorkerStopped):
        run(pool, "inquire", [1], answer=answer)
    assert run(pool, "echo", 6).data == 6


def test_a_refusal_keeps_its_status_and_sentence_and_the_worker_lives_on(pool) -> None:
    with pytest.raises(ServiceError, match="HEIC") as refused:
        run(pool, "refuse")
    assert refused.value.status == 415
    assert run(pool, "echo", 1).data == 1


def test_files_that_a_node_cannot_reach_are_not_a_refusal_of_the_document() -> None:
    with pytest.raises(BlobsUnreachable, match="no answer"):
        result_of(message_of(BlobsUnreachable("no answer")))


def test_a_fault_of_ours_comes_with_its_traceback(pool) -> None:
    with pytest.raises(WorkerFault, match="KeyError: 'ours'"):
        run(pool, "fail")


@pytest.mark.parametrize("job", ["swell", "swell_elsewhere", "swell_and_stumble"])
def test_too_much_memory_is_reported_and_ends_only_its_job(pool, job: str) -> None:
    with pytest.raises(LimitReached, match=r"512 MiB of memory .*worker_memory"):
        run(pool, job)
    assert run(pool, "echo", 2).data == 2


@pytest.mark.parametrize("job", ["crash", "lie"])
def test_a_worker_that_dies_or_lies_is_replaced(pool, job) -> None:
    with pytest.raises(WorkerDied):
        run(pool, job)
    assert run(pool, "echo", 4).data == 4


class Background:
    """A job in a thread, as the runner has it."""

    def __init__(self, pool: Pool, job: str, data: object = None) -> None:
        self.running: Running | None = None
        self.raised: BaseException | None = None
        self.began = threading.Event()
        self._work = pool, job, data
        self._thread = threading.Thread(target=self._do)
        self._thread.start()

    def ended(self, seconds: float = 30) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _started(self, running: Running) -> None:
        self.running = running

    def _do(self) -> None:
        pool, job, data = self._work
        try:
            run(pool, job, data, started=self._started, progress=lambda *_: self.began.set())
        except Exception as error:
            self.raised = error


def test_a_job_can_be_stopped_from_outside_and_its_place_is_free(pool) -> None:
    job = Background(pool, "report_and_spin")
    assert job.began.wait(30) and job.running is not None
    job.running.kill()
    assert job.ended() and isinstance(job.raised, WorkerStopped)
    assert run(pool, "echo", 7).data == 7


def test_a_job_that_waits_for_a_place_of_the_cluster_can_be_stopped(cluster_pool) -> None:
    first = Background(cluster_pool, "report_and_spin")
    assert first.began.wait(30) and first.running is not None
    second = Background(cluster_pool, "echo")
    while second.running is None:
        time.sleep(0.01)
    second.running.kill()
    assert second.ended() and isinstance(second.raised, WorkerStopped)
    first.running.kill()
    assert first.ended()


def test_closing_a_local_pool_stops_running_jobs() -> None:
    assert_closing_stops(WorkerPool(1, LIMITS))


def test_closing_a_pool_of_the_cluster_stops_running_jobs(head) -> None:
    with pool_on(head) as pool:
        assert_closing_stops(pool)


def assert_closing_stops(pool: Pool) -> None:
    job = Background(pool, "report_and_spin")
    assert job.began.wait(30)
    pool.close()
    assert job.ended() and isinstance(job.raised, WorkerStopped)
    with pytest.raises(WorkerStopped):
        run(pool, "echo")


def test_a_pool_reports_its_places(pool) -> None:
    state = pool.state()
    assert (state.places, state.busy, state.connected) == (pool.size, 0, True)


def test_a_lost_place_hands_its_job_back_and_another_does_the_next(cluster_pool) -> None:
    place = run(cluster_pool, "parent").data
    job = Background(cluster_pool, "report_and_spin")
    assert job.began.wait(30)
    os.kill(place, signal.SIGKILL)
    assert job.ended() and isinstance(job.raised, PlaceLost)
    other = run(cluster_pool, "parent").data
    assert other != place


def test_one_machine_never_loads_ray_and_neither_does_a_server_of_a_cluster() -> None:
    code = "import sys, backend.main, backend.tasks.ray_pool; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.soak
def test_a_pool_has_no_places_while_the_head_is_lost_and_new_ones_with_the_next(
    files: BlobStore,
) -> None:
    with cluster() as made:
        head = made.node(1)
        with pool_on(made.head) as pool:
            job = Background(pool, "report_and_spin")
            assert job.began.wait(30)
            head.end()
            assert job.ended(60) and isinstance(job.raised, PlaceLost)
            wait_for_places(pool, 0)
            made.nodes.clear()
            made.node(1)
            wait_for_places(pool, 1)
            assert run(pool, "echo", 9).data == 9


@pytest.mark.soak
def test_places_are_added_with_the_work_and_removed_without_it(head) -> None:
    with pool_on(head, (0, 2)) as pool:
        jobs = [Background(pool, "sleep", 10) for _ in range(2)]
        wait_for_places(pool, 2)
        assert all(job.ended(60) and job.raised is None for job in jobs)
        wait_for_places(pool, 0)
