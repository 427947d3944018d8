"""How the table of a DocSet follows the record, and which tables the process holds."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from pydantic_core import from_json
from sqlalchemy import ColumnElement, Connection, Text, cast, func, select

from backend.search.operations import START, Mark, changes_between, chunks, is_ours, last_mark
from backend.search.properties.table import Table, TableView
from backend.store.property_log import changed_after, last_change
from backend.store.tables import documents

_BATCH = 500  # documents that are still in the processor's cache when they are taken apart
_MOST_OPEN = 64
_MOST_BYTES = 2**30
_SMALL: Final = 50_000
"""Documents of a DocSet whose properties a mere filter takes into memory: a matter of seconds once,
where asking the database costs a third of a second each time. Larger ones are held when someone
counts or completes, who cannot do without.
"""


class Follower:
    """The table of one DocSet. Used by one thread at a time."""

    _mark: Mark
    _change: int
    _table: Table
    _view: TableView | None

    def __init__(self, docset_id: str) -> None:
        self._docset_id = docset_id
        self._start_empty()

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return self._table.size

    def view(self, connection: Connection) -> TableView:
        """The state at the connection, which must not be older than that of the last call."""
        newest = last_mark(connection, self._docset_id)
        change = last_change(connection, self._docset_id)
        if not is_ours(connection, self._docset_id, self._mark):
            self._start_empty()
        if self._view is None or (newest, change) != (self._mark, self._change):
            self._follow(connection, newest, change)
            self._view = self._table.view()
        return self._view

    def _start_empty(self) -> None:
        self._mark, self._change = START, 0
        self._table = Table()
        self._view = None

    def _follow(self, connection: Connection, newest: Mark, change: int) -> None:
        ours = documents.c.docset_id == self._docset_id
        if self._mark == START:
            self._read(connection, ours)
        else:
            changes = changes_between(connection, self._docset_id, self._mark, newest)
            for number in changes.gone:
                self._table.strike_out(number)
            for chunk in chunks([document.number for document in changes.present]):
                self._read(connection, ours & documents.c.number.in_(chunk))
            for called in chunks(changed_after(connection, self._docset_id, self._change)):
                self._read(connection, ours & documents.c.doc_id.in_(called))
        if self._table.is_sparse:
            self._start_empty()
            self._read(connection, ours)
        self._mark, self._change = newest, change

    def _read(self, connection: Connection, where: ColumnElement[bool]) -> None:
        read = select(documents.c.number, cast(documents.c.properties, Text)).where(where)
        streamed = read.order_by(documents.c.number).execution_options(yield_per=_BATCH)
        rows: Iterator[Any] = iter(connection.execute(streamed))
        while batch := list(islice(rows, _BATCH)):
            self._table.put(
                [number for number, _ in batch],
                [from_json(text, cache_strings="keys") for _, text in batch],
            )


class PropertyTables:
    """Opens, keeps and lets go of tables: the most recently used, within a bound of memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Follower] = OrderedDict()

    def view(self, docset_id: str, connection: Connection) -> TableView:
        """The properties of a DocSet at the connection. One thread per DocSet at a time."""
        with self._lock:
            follower = self._open.setdefault(docset_id, Follower(docset_id))
            self._open.move_to_end(docset_id)
        view = follower.view(connection)
        self._tidy()
        return view

    def view_if_small(self, docset_id: str, connection: Connection) -> TableView | None:
        """The same where it is held already or costs little; None for a very large DocSet."""
        with self._lock:
            is_open = docset_id in self._open
        if not is_open:
            ours = select(documents.c.number).where(documents.c.docset_id == docset_id)
            some = ours.limit(_SMALL + 1).subquery()
            if (connection.scalar(select(func.count()).select_from(some)) or 0) > _SMALL:
                return None
        return self.view(docset_id, connection)

    def drop(self, docset_id: str) -> None:
        """Forget a DocSet; views of it stay as they are."""
        with self._lock:
            self._open.pop(docset_id, None)

    def _tidy(self) -> None:
        """Forget the longest unused; the last used one stays, whatever its size."""
        with self._lock:
            size = sum(follower.size for follower in self._open.values())
            while len(self._open) > 1 and (len(self._open) > _MOST_OPEN or size > _MOST_BYTES):
                _, left = self._open.popitem(last=False)
                size -= left.size
