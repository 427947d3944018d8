"""A cache of vectors for texts that may recur: repeated uploads and pages, changes of model.

Clones need no cache, because they share content and vectors. Rows are numbered in order of arrival;
each insertion drops rows beyond the size of the cache, and a hit in the older half moves to the
front.
"""

import hashlib
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, delete, func, insert, select

from backend.inference.embeddings import Identity
from backend.store.chunks import chunks
from backend.store.database import Database
from backend.store.tables import vector_cache


class VectorCache:
    """At most `size` vectors of all identities together."""

    def __init__(self, database: Database, size: int) -> None:
        self._database = database
        self._size = size

    def get(self, identity: Identity, texts: Sequence[str]) -> dict[str, bytes]:
        """The cached vectors by text: little-endian float32."""
        keys = {_key(identity, text): text for text in texts}
        with self._database.reading() as connection:
            newest = _newest(connection)
            rows = [
                row
                for some in chunks(list(keys))
                for row in connection.execute(
                    select(vector_cache).where(vector_cache.c.key.in_(some))
                )
            ]
        aging = {row.key: row.vector for row in rows if row.sequence < newest - self._size // 2}
        if aging:
            self._put(aging)
        return {keys[row.key]: row.vector for row in rows}

    def put(self, identity: Identity, vectors: Mapping[str, bytes]) -> None:
        """Caches vectors by their texts."""
        if self._size:
            self._put({_key(identity, text): vector for text, vector in vectors.items()})

    def _put(self, rows: Mapping[bytes, bytes]) -> None:
        with self._database.writing_on("vectors") as connection:
            for some in chunks(list(rows)):
                connection.execute(delete(vector_cache).where(vector_cache.c.key.in_(some)))
                connection.execute(
                    insert(vector_cache), [{"key": key, "vector": rows[key]} for key in some]
                )
            oldest = _newest(connection) - self._size
            connection.execute(delete(vector_cache).where(vector_cache.c.sequence <= oldest))


def _key(identity: Identity, text: str) -> bytes:
    return hashlib.sha256(f"{identity.text}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _newest(connection: Connection) -> int:
    return connection.execute(select(func.max(vector_cache.c.sequence))).scalar_one() or 0
