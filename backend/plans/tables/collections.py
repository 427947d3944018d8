"""The collections that this process holds: brought up when they are asked for, and in between.

Whoever opens a collection sees everything that was committed before. A thread follows the record
meanwhile, so that little is left to do then, and saves large tables for the next start.
"""

import json
import logging
import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, select

from backend.language.words import single_spaced
from backend.plans.tables.collection import Collection, State
from backend.plans.tables.following import Followed, follow, held_values, read, state_of
from backend.plans.tables.saved_tables import SavedTables
from backend.plans.tables.value_index import ValueIndex, glosses_of, index_for
from backend.plans.tables.value_rules import ValueRules
from backend.store.database import Database
from backend.store.tables import docsets
from backend.tasks.headroom import has_headroom
from workbench.contract.coverage import CONFIDENCE_LIMIT
from workbench.contract.errors import NotFound
from workbench.contract.plan import MOST_SAID
from workbench.contract.schema import Schema

_log = logging.getLogger(__name__)
_KEPT = 8
_MOST_BYTES = 2**30
_SECONDS = 2.0
_WORTH_SAVING = 5_000
"""Documents of a table that is saved: fewer are read in less than a second."""
_CHANGED_MUCH = 0.05
"""The part of the documents that must have changed for a table to be saved again."""


class Collections:
    """Opens collections and keeps the latest few. `folder` is for tables of large ones.

    `start` begins to follow the record every `seconds`, with what was saved before; `close` ends
    it.
    """

    def __init__(
        self,
        database: Database,
        folder: Path,
        seconds: float = _SECONDS,
        confidence_limit: float = CONFIDENCE_LIMIT,
    ) -> None:
        self._database = database
        self._limit = confidence_limit
        self._saved = SavedTables(folder)
        self._seconds = seconds
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep_up, name="plan-collections", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def open(
        self, docset_id: str, account_id: str, confidence_limit: float | None = None
    ) -> Collection:
        """The collection as it is now; NotFound when the account has no such DocSet.

        `confidence_limit` is asked for by a request and takes the place of the DocSet's.
        """
        held = self._latest(docset_id)
        with held.lock, self._database.reading() as connection:
            collection = held.opened(connection, account_id, confidence_limit)
        self._tidy()
        return collection

    def open_with_values(self, docset_id: str, account_id: str) -> tuple[Collection, ValueIndex]:
        """The same with the index of its values."""
        held = self._latest(docset_id)
        with held.lock, self._database.reading() as connection:
            found = held.opened(connection, account_id), held.index()
        self._tidy()
        return found

    def drop(self, docset_id: str) -> None:
        """Forgets a DocSet that was deleted."""
        with self._lock:
            self._held.pop(docset_id, None)
        self._saved.drop(docset_id)

    def _latest(self, docset_id: str) -> "_Held":
        with self._lock:
            held = self._held.get(docset_id)
            if held is None:
                held = self._held[docset_id] = _Held(docset_id, self._saved, self._limit)
            self._held.move_to_end(docset_id)
        return held

    def _tidy(self) -> bool:
        """Forgets the longest unused; the last used one stays, whatever its size. Whether any was
        forgotten.
        """
        with self._lock:
            before = len(self._held)
            size = sum(held.size for held in self._held.values())
            while len(self._held) > 1 and (len(self._held) > _KEPT or size > _MOST_BYTES):
                size -= self._held.popitem(last=False)[1].size
            return len(self._held) < before

    def _keep_up(self) -> None:
        """The thread: takes up what was saved, then follows whatever is held."""
        self._saved.sweep()
        for docset_id in self._saved.docset_ids():
            if self._stopping.is_set() or self._tidy():
                break
            self._refresh(docset_id, self._latest(docset_id), index=True)
        while not self._stopping.wait(self._seconds):
            if not has_headroom():
                continue
            with self._lock:
                listed = list(self._held.items())
            for docset_id, held in listed:
                self._refresh(docset_id, held)

    def _refresh(self, docset_id: str, held: "_Held", *, index: bool = False) -> None:
        try:
            with held.lock, self._database.reading() as connection:
                held.opened(connection, None)
                if index:
                    held.index()
            held.save()
        except NotFound:
            self.drop(docset_id)
        except Exception:
            # Whatever is wrong with one collection, the others are to be followed.
            _log.exception("the collection %s could not be followed; it is tried again", docset_id)


class _Held:
    """One collection while it follows the record, with the index of its values once it is needed.

    Used by one thread at a time, the one with the `lock`.
    """

    def __init__(self, docset_id: str, saved: SavedTables, limit: float) -> None:
        self.lock = threading.Lock()
        self._docset_id = docset_id
        self._saved = saved
        self._limit = limit
        self._rules = ValueRules(limit)
        self._followed: Followed | None = None
        self._ruled: Collection | None = None
        self._index: ValueIndex | None = None
        self._unsaved: int | None = None

    @property
    def size(self) -> int:
        """Bytes of memory of the table."""
        followed = self._followed
        return 0 if followed is None else int(followed.collection.table.estimated_size())

    @property
    def state(self) -> State | None:
        """How far the collection has come, None before it was opened."""
        return None if self._followed is None else self._followed.collection.state

    def opened(
        self, connection: Connection, account_id: str | None, limit: float | None = None
    ) -> Collection:
        """The collection in the state at the connection, with the values that count.

        No account stands for any; `limit` takes the place of the DocSet's confidence limit.
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
        held = self._followed
        if held is None and (held := self._saved.load(self._docset_id)) is not None:
            self._unsaved = 0
        if held is None or held.collection.state != state:
            schema = _told(Schema.model_validate(docset.schema or {"properties": []}))
            held = self._moved_on(held, connection, docset.name, schema, state)
        self._followed = held
        if self._ruled is None or self._ruled.state != state:
            self._ruled = ruled(held.collection, rules)
        return self._ruled if limit is None else ruled(held.collection, rules.with_limit(limit))

    def _moved_on(
        self,
        held: Followed | None,
        connection: Connection,
        name: str,
        schema: Schema,
        state: State,
    ) -> Followed:
        """The collection in another state, and the index with it."""
        if held is None:
            return read(connection, self._docset_id, name, schema, state).followed
        step = follow(connection, held, name, schema, state, self._rules)
        glosses, before = glosses_of(schema), held.collection
        described = (before.name, before.schema) != (name, schema)
        if step.gone is None or step.come is None or described:
            self._index = None
        elif self._index is not None:
            self._index = self._index.changed(step.gone, step.come, glosses)
        if self._unsaved is not None:
            self._unsaved += step.touched
        return step.followed

    def index(self) -> ValueIndex:
        """The index of the values of the collection that was opened last."""
        if self._index is None and (collection := self._ruled) is not None:
            values = held_values(collection.table, collection.fields)
            empty = index_for(collection.name, collection.schema)
            self._index = empty.changed({}, values, glosses_of(collection.schema))
        return self._index or ValueIndex()

    def save(self) -> None:
        """Saves the table if it is large and has changed much since it was saved."""
        with self.lock:
            followed, unsaved = self._followed, self._unsaved
            height = 0 if followed is None else followed.collection.table.height
            much = unsaved is None or unsaved > _CHANGED_MUCH * height
            if followed is None or height < _WORTH_SAVING or not much:
                return
            self._unsaved = 0
        self._saved.save(followed)


def ruled(collection: Collection, rules: ValueRules) -> Collection:
    """A collection with only the values that the rules let count."""
    table = rules.applied(collection.table, collection.fields)
    return replace(collection, table=table, rules=rules, memo={})


def _told(schema: Schema) -> Schema:
    """The schema with as much of each description as is read: reading takes time with the square
    of it.
    """
    properties = [
        prop.model_copy(update={"description": single_spaced(prop.description)[:MOST_SAID]})
        if prop.description
        else prop
        for prop in schema.properties
    ]
    return schema.model_copy(update={"properties": properties})
