"""What an index over the elements of one DocSet must do, so that another engine can take the
place of ours.

An index follows the operation log and hands out readers. A reader never changes: a search keeps
the one it was given, whatever is written meanwhile.
"""

from typing import Protocol, TypeVar

from sqlalchemy import Connection

from backend.search.operations import Changes, Mark
from backend.search.ranking import Numbers, Ranking

Query = TypeVar("Query", contravariant=True)


class IndexDamaged(Exception):
    """The files of an index cannot be read, or name what the record does not have; it must be
    built anew. The text says which.
    """


class Matches(Protocol):
    """The elements that one query found."""

    def best(self, limit: int) -> Ranking:
        """The best `limit` of them; fewer only when there are no more."""
        ...


class Reader(Protocol[Query]):
    """One state of an index. May be used by several threads."""

    def search(self, query: Query, allowed: Numbers | None) -> Matches:
        """Elements for a query; `allowed` are the documents that may be found, ascending, None
        for all.
        """
        ...


class ElementIndex(Protocol[Query]):
    """An index over the elements of one DocSet. Changed by one thread at a time."""

    @property
    def mark(self) -> Mark:
        """The last operation it holds."""
        ...

    @property
    def size(self) -> int:
        """Bytes of memory it holds."""
        ...

    def apply(self, connection: Connection, changes: Changes) -> None:
        """Take up changes that follow `mark`; `connection` reads their elements.

        Part of what follows comes with the old mark: should the rest never come, it will be
        repeated.
        """
        ...

    def reader(self) -> Reader[Query]:
        """The present state."""
        ...

    def close(self) -> None:
        """Let go of memory and files; the index stays where it is."""
        ...
