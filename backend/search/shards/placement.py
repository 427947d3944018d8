"""Which DocSets are searched in shards: large ones, once the shards have them.

A DocSet that grows beyond the limit is searched on this machine until its shards are up to date.
Then its files here are removed.
"""

import logging
import time
from contextlib import suppress
from typing import Any

from sqlalchemy import func, select

from backend.search.docset import DocSet, read_docset
from backend.search.docset_indexes import IndexName
from backend.search.index_pool import IndexPool
from backend.search.port import Passed, Reader
from backend.search.shards.fan_out import Shards
from backend.search.shards.readers import reader_of
from backend.store.database import Database
from backend.store.tables import documents
from workbench.contract.errors import NotFound, Unavailable
from workbench.contract.search import IndexState

_log = logging.getLogger(__name__)
_LOOK_AGAIN = 0.5


class Placement:
    """Decides for one server; `pool` has its own indexes."""

    def __init__(self, database: Database, pool: IndexPool, shards: Shards) -> None:
        self._database = database
        self._pool = pool
        self._shards = shards
        self._in_shards: dict[str, bool] = {}

    def in_shards(self, docset_id: str) -> bool:
        """Whether a DocSet is searched in shards now."""
        known = self._in_shards.get(docset_id)
        if known is None:
            known = self._is_large(docset_id) and not self._pool.folder(docset_id).exists()
            self._in_shards[docset_id] = known
        return known

    def reader(self, name: IndexName, docset: DocSet) -> Reader[Any]:
        """A reader of a DocSet in shards at its newest operation."""
        return reader_of(self._shards, name, docset)

    def follow(self, docset_id: str, name: IndexName) -> None:
        """Brings the index in all shards up to date, however long it takes."""
        while True:
            with suppress(Unavailable, Passed):
                self._shards.at(self._read(docset_id)).follow(name)
                return
            time.sleep(_LOOK_AGAIN)

    def state(self, docset_id: str) -> IndexState:
        """The state of the word index in the shards."""
        return self._shards.state(docset_id)

    def forget(self, docset_id: str) -> None:
        """Deletes the indexes in all shards; they are built again when needed."""
        self._shards.forget(docset_id)

    def drop(self, docset_id: str) -> None:
        """Removes everything kept for a deleted DocSet; silent shards do so when they start."""
        if self._in_shards.pop(docset_id, None) is not False:
            with suppress(Unavailable):
                self._shards.drop(docset_id)

    def move(self) -> None:
        """Moves DocSets that have become large, as far as their shards are ready."""
        for docset_id, there in list(self._in_shards.items()):
            if not there and self._is_large(docset_id):
                with suppress(NotFound, Unavailable, Passed):  # the next turn tries again
                    self._move(docset_id)

    def _move(self, docset_id: str) -> None:
        docset = self._read(docset_id)
        moment = self._shards.at(docset)
        moment.follow("lexical")
        if docset.identity.dimension:
            moment.follow("vector")
        with self._pool.use(docset_id) as indexes, indexes.locked():
            self._in_shards[docset_id] = True
            indexes.remove()
        _log.info("%s is searched in shards from now on", docset_id)

    def _read(self, docset_id: str) -> DocSet:
        with self._database.reading() as connection:
            return read_docset(connection, docset_id)

    def _is_large(self, docset_id: str) -> bool:
        least = self._shards.least
        some = select(documents.c.doc_id).where(documents.c.docset_id == docset_id).limit(least)
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).select_from(some.subquery())) == least
