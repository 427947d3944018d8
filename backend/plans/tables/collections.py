"""The open collections of this process, brought up to date on access and in the background.

Whoever opens a collection sees everything that was committed before. In the meantime a thread
follows the database, so that little is left to do on access, and saves large tables for the next
start.
"""

import json
import logging
import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

import polars as pl
from sqlalchemy import Connection, select

from backend.language.words import single_spaced
from backend.plans.tables.collection import Collection, State
from backend.plans.tables.following import Followed, follow, read, state_of, value_counts
from backend.plans.tables.saved_tables import SavedTables, Since
from backend.plans.tables.value_index import ValueIndex, glosses_of, index_for
from backend.plans.tables.value_rules import ValueRules
from backend.store.database import Database
from backend.store.shared_files import SharedFiles
from backend.store.tables import docsets
from backend.tasks.headroom import has_headroom, require_headroom
from workbench.contract.coverage import CONFIDENCE_LIMIT
from workbench.contract.errors import NotFound, Unavailable
from workbench.contract.plan import MAX_REQUEST
from workbench.contract.schema import Schema

_log = logging.getLogger(__name__)
_KEPT = 8
_MOST_BYTES = 2**30
_SECONDS = 2.0
_WORTH_SAVING = 5_000
"""Documents of a table that is saved: a smaller one is read in less than a second."""
_CHANGED_MUCH = 0.05
"""The share of documents that must have changed before a table is saved again."""


class Collections:
    """Opens collections and caches the latest few. `folder` is for the tables of large ones, which
    other servers get from `shared`.

    `start` begins to follow the database every `seconds`, from the saved tables on; `close` ends
    it.
    """

    def __init__(
        self,
        database: Database,
        folder: Path,
        seconds: float = _SECONDS,
        confidence_limit: float = CONFIDENCE_LIMIT,
        shared: SharedFiles | None = None,
    ) -> None:
        self._database = database
        self._limit = confidence_limit
        self._saved = SavedTables(folder, shared)
        self._seconds = seconds
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep_up, name="plan-collections", daemon=True)

    def start(self) -> None:
        _start_polars()
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def open(
        self, docset_id: str, account_id: str, confidence_limit: float | None = None
    ) -> Collection:
        """The collection as it is now; NotFound when the account has no such DocSet.

        `confidence_limit` overrides that of the DocSet.
        """
        entry = self._latest(docset_id)
        with entry.lock, self._database.reading() as connection:
            collection = entry.opened(connection, account_id, confidence_limit)
        self._tidy()
        return collection

    def open_with_values(self, docset_id: str, account_id: str) -> tuple[Collection, ValueIndex]:
        """The collection and the index of its values."""
        entry = self._latest(docset_id)
        with entry.lock, self._database.reading() as connection:
            opened = entry.opened(connection, account_id), entry.index()
        self._tidy()
        return opened

    def drop(self, docset_id: str) -> None:
        """Drops a deleted DocSet."""
        with self._lock:
            self._entries.pop(docset_id, None)
        self._saved.drop(docset_id)

    def _latest(self, docset_id: str) -> "_Entry":
        with self._lock:
            entry = self._entries.get(docset_id)
            if entry is None:
                entry = self._entries[docset_id] = _Entry(docset_id, self._saved, self._limit)
            self._entries.move_to_end(docset_id)
        return entry

    def _tidy(self) -> bool:
        """Evicts the least recently used collections, never the last; whether any was evicted."""
        with self._lock:
            before = len(self._entries)
            size = sum(entry.size for entry in self._entries.values())
            while len(self._entries) > 1 and (len(self._entries) > _KEPT or size > _MOST_BYTES):
                size -= self._entries.popitem(last=False)[1].size
            return len(self._entries) < before

    def _keep_up(self) -> None:
        """The thread: opens what was saved, then follows all open collections."""
        self._saved.sweep()
        for docset_id in self._saved.docset_ids():
            if self._stopping.is_set() or self._tidy():
                break
            self._refresh(docset_id, self._latest(docset_id), index=True)
        while not self._stopping.wait(self._seconds):
            if not has_headroom():
                continue
            with self._lock:
                listed = list(self._entries.items())
            for docset_id, entry in listed:
                self._refresh(docset_id, entry)

    def _refresh(self, docset_id: str, entry: "_Entry", *, index: bool = False) -> None:
        try:
            with entry.lock, self._database.reading() as connection:
                entry.opened(connection, None)
                if index:
                    entry.index()
            entry.save()
        except NotFound:
            self.drop(docset_id)
        except Unavailable:
            _log.info("memory is short: the collection %s is followed later", docset_id)
        except Exception:
            # An error in one collection must not stop the others.
            _log.exception("the collection %s could not be followed; will retry", docset_id)


class _Entry:
    """One open collection with the index of its values, used by the owner of `lock` alone."""

    def __init__(self, docset_id: str, saved: SavedTables, limit: float) -> None:
        self.lock = threading.Lock()
        self._docset_id = docset_id
        self._saved = saved
        self._limit = limit
        self._rules = ValueRules(limit)
        self._followed: Followed | None = None
        self._ruled: Collection | None = None
        self._index: ValueIndex | None = None
        self._since: Since | None = None

    @property
    def size(self) -> int:
        """Bytes of memory of the table."""
        followed = self._followed
        return 0 if followed is None else int(followed.collection.table.estimated_size())

    @property
    def state(self) -> State | None:
        """The state of the collection, None before it was opened."""
        return None if self._followed is None else self._followed.collection.state

    def opened(
        self, connection: Connection, account_id: str | None, limit: float | None = None
    ) -> Collection:
        """The collection as the connection sees it, with the values that count.

        `account_id` None means any account; `limit` overrides the confidence limit of the DocSet.
        """
        described = select(docsets.c.name, docsets.c.schema, docsets.c.properties).where(
            docsets.c.docset_id == self._docset_id,
            *([] if account_id is None else [docsets.c.account_id == account_id]),
        )
        docset = connection.execute(described).one_or_none()
        if docset is None:
            raise NotFound(f"There is no DocSet {self._docset_id}.")
        rules = ValueRules.of(docset.properties, self._limit)
        described_by = json.dumps([docset.name, docset.schema, rules.limit, rules.merged])
        state = state_of(connection, self._docset_id, described_by)
        if rules != self._rules:
            self._rules, self._index = rules, None
        followed = self._followed
        if followed is None and (followed := self._saved.load(self._docset_id)) is not None:
            self._since = Since(followed.collection.state)
        if followed is None or followed.collection.state != state:
            declared = Schema.model_validate(docset.schema or {"properties": []})
            schema = _with_short_descriptions(declared)
            followed = self._moved_on(followed, connection, docset.name, schema, state)
        self._followed = followed
        if self._ruled is None or self._ruled.state != state:
            self._ruled = ruled(followed.collection, rules)
        return self._ruled if limit is None else ruled(followed.collection, rules.with_limit(limit))

    def _moved_on(
        self,
        followed: Followed | None,
        connection: Connection,
        name: str,
        schema: Schema,
        state: State,
    ) -> Followed:
        """Moves the collection, and the index with it, to another state."""
        if followed is None:
            folder = self._saved.folder
            return read(connection, self._docset_id, name, schema, state, folder).followed
        step = follow(connection, followed, name, schema, state, self._rules, self._saved.folder)
        glosses, before = glosses_of(schema), followed.collection
        described = (before.name, before.schema) != (name, schema)
        if step.gone is None or step.come is None or described:
            self._index = None
        elif self._index is not None:
            self._index = self._index.changed(step.gone, step.come, glosses)
        if step.touched is None:
            self._since = None
        elif self._since is not None:
            self._since = Since(self._since.state, self._since.sequences | step.touched)
        return step.followed

    def index(self) -> ValueIndex:
        """The index of the values of the collection as last opened."""
        if self._index is None and (collection := self._ruled) is not None:
            values = value_counts(collection.table, collection.fields)
            empty = index_for(collection.name, collection.schema)
            self._index = empty.changed({}, values, glosses_of(collection.schema))
        return self._index or ValueIndex()

    def save(self) -> None:
        """Saves a large table that has changed much, and uses its files in place of memory."""
        with self.lock:
            followed, since = self._followed, self._since
            height = 0 if followed is None else followed.collection.table.height
            much = since is None or len(since.sequences) > _CHANGED_MUCH * height
            if followed is None or height < _WORTH_SAVING or not much:
                return
            self._since = Since(followed.collection.state)
        if not self._saved.save(followed, since):
            return
        mapped = self._saved.load(self._docset_id)
        with self.lock:
            if mapped is not None and self._followed is followed:
                self._followed, self._ruled = mapped, None


def _start_polars() -> None:
    """Has Polars start its threads, which would end the process if memory is short later."""
    table = pl.LazyFrame({"a": [1, 2], "b": ["x", "y"]})
    for engine in ("in-memory", "streaming"):
        table.group_by("b").agg(pl.col("a").sum()).sort("a").collect(engine=engine)


def ruled(collection: Collection, rules: ValueRules) -> Collection:
    """A collection with only the values that count under the rules."""
    require_headroom(int(collection.table.estimated_size()))
    table = rules.applied(collection.table, collection.fields)
    return replace(collection, table=table, rules=rules, memo={})


def _with_short_descriptions(schema: Schema) -> Schema:
    """The schema with long descriptions cut: reading takes time quadratic in their length."""
    properties = [
        prop.model_copy(update={"description": single_spaced(prop.description)[:MAX_REQUEST]})
        if prop.description
        else prop
        for prop in schema.properties
    ]
    return schema.model_copy(update={"properties": properties})
