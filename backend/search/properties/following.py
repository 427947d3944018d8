"""Keeps property tables up to date with the record, and caches them."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic_core import from_json
from sqlalchemy import ColumnElement, Connection, Text, cast, func, select

from backend.search.docset import DocSet
from backend.search.operations import START, Mark, changes_between, is_ours
from backend.search.properties.table import Table, TableView
from backend.store.chunks import chunks
from backend.store.property_log import changed_after
from backend.store.tables import documents

_BATCH = 500  # few enough documents to stay in the CPU cache
_BATCH_BYTES = 2**23
_FETCHED = 50
"""Documents that the driver fetches at once; each may have megabytes."""
_AT_ONCE = 2_000
"""Documents read while a request waits: 0.2 s with sixty properties each."""

_MOST_OPEN = 64
_MOST_BYTES = 2**30


class Follower:
    """Keeps the table of one DocSet up to date. Not thread-safe."""

    last: TableView
    """The view after the last update."""
    _mark: Mark
    _change: int
    _table: Table

    def __init__(self, docset_id: str, check: Callable[[], None] = lambda: None) -> None:
        """`check` is called regularly while reading and may abort it by raising."""
        self.docset_id = docset_id
        self._check = check
        self._start_empty()

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return self._table.size

    def is_up_to(self, docset: DocSet) -> bool:
        """Whether `last` is current."""
        return (docset.newest, docset.changed) == (self._mark, self._change)

    def follow(self, connection: Connection, docset: DocSet, most: int | None = None) -> bool:
        """Updates the table to the state of the connection, which is that of `docset` and not older
        than at the last call.

        False, without reading anything, when more than `most` documents would have to be read.
        """
        ours = documents.c.docset_id == self.docset_id
        if not is_ours(connection, self.docset_id, self._mark):
            self._start_empty()
        if self._mark == START:
            if most is not None and _has_more(connection, ours, most):
                return False
            self._read(connection, ours)
        else:
            changes = changes_between(connection, self.docset_id, self._mark, docset.newest)
            changed = changed_after(connection, self.docset_id, self._change)
            if most is not None and len(changes.present) + len(changed) > most:
                return False
            for number in changes.gone:
                self._table.strike_out(number)
            for chunk in chunks([document.number for document in changes.present]):
                self._read(connection, ours & documents.c.number.in_(chunk))
            for doc_ids in chunks(changed):
                self._read(connection, ours & documents.c.doc_id.in_(doc_ids))
        if self._table.is_sparse:
            self._start_empty()
            self._read(connection, ours)
        self._mark, self._change = docset.newest, docset.changed
        self.last = self._table.view()
        return True

    def _start_empty(self) -> None:
        self._mark, self._change = START, 0
        self._table = Table()
        self.last = self._table.view()

    def _read(self, connection: Connection, where: ColumnElement[bool]) -> None:
        read = select(documents.c.number, cast(documents.c.properties, Text)).where(where)
        streamed = read.order_by(documents.c.number).execution_options(yield_per=_FETCHED)
        for batch in _batches(connection.execute(streamed)):
            self._check()
            self._table.put(
                [number for number, _ in batch],
                [from_json(text, cache_strings="keys") for _, text in batch],
            )


def _batches(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """Rows of a number and a text, as many as are parsed at once."""
    batch: list[Any] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row[1])
        if len(batch) == _BATCH or size > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class PropertyTables:
    """A cache of tables: the most recently used, bounded in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Follower] = OrderedDict()

    def view(self, connection: Connection, docset: DocSet) -> TableView | None:
        """The table of a DocSet at the connection, whose state is `docset`.

        None when there is more to read than a request should wait for. One thread per DocSet at a
        time.
        """
        with self._lock:
            follower = self._open.get(docset.docset_id)
            if follower is None:
                follower = self._open[docset.docset_id] = Follower(docset.docset_id)
            self._open.move_to_end(docset.docset_id)
        if not follower.is_up_to(docset):
            if not follower.follow(connection, docset, _AT_ONCE):
                return None
            self._tidy()
        return follower.last

    def keep(self, follower: Follower) -> None:
        """Caches a freshly built table. Nobody may request a view of the DocSet meanwhile: its
        connection could be older than the table.
        """
        with self._lock:
            self._open[follower.docset_id] = follower
        self._tidy()

    def drop(self, docset_id: str) -> None:
        """Forgets a DocSet; existing views stay valid."""
        with self._lock:
            self._open.pop(docset_id, None)

    def _tidy(self) -> None:
        """Drops the least recently used tables; the last used one stays, whatever its size."""
        with self._lock:
            size = sum(follower.size for follower in self._open.values())
            while len(self._open) > 1 and (len(self._open) > _MOST_OPEN or size > _MOST_BYTES):
                _, left = self._open.popitem(last=False)
                size -= left.size


def _has_more(connection: Connection, ours: ColumnElement[bool], limit: int) -> bool:
    """Whether there are more than `limit` documents; counts no further."""
    some = select(documents.c.number).where(ours).limit(limit + 1).subquery()
    return (connection.scalar(select(func.count()).select_from(some)) or 0) > limit
