"""The interface of an index over the elements of one DocSet, so that engines are replaceable.

An index follows the operation log and hands out readers. A reader never changes: a search keeps its
reader while others write.
"""

from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from backend.inference.embeddings import Matrix
from backend.search.operations import Changes, Mark
from backend.search.ranking import Keys, Numbers, Ranking

Query = TypeVar("Query", contravariant=True)


class IndexDamaged(Exception):
    """Index files that are unreadable or name things the record lacks: it must be rebuilt."""


class Passed(Exception):
    """The index is past the operation at which it was to be searched, so the search begins anew."""


class Matches(Protocol):
    """The elements that match one query."""

    def best(self, limit: int) -> Ranking:
        """The best `limit` matches; fewer only when there are no more."""
        ...


class WordMatches(Matches, Protocol):
    """The elements that match words."""

    @property
    def is_specific(self) -> bool:
        """False for a search of stop words, which say nothing about an element's subject."""
        ...

    def openings(self, keys: Keys) -> list[str]:
        """The starts of the texts of elements from the last call of `best`."""
        ...


class Reader(Protocol[Query]):
    """One state of an index. Thread-safe."""

    def search(self, query: Query, allowed: Numbers | None) -> Matches:
        """Searches the elements of the `allowed` documents (ascending), None for all."""
        ...

    def keys(self) -> Keys:
        """The keys of all elements."""
        ...


class Vectors(Reader[npt.NDArray[np.float32]], Protocol):
    """A reader of vectors: ranks those that have one by cosine similarity to a unit vector."""

    def vectors_of(self, keys: Keys) -> tuple[Keys, Matrix]:
        """The vectors of those of these elements that have one, and their keys."""
        ...


class ElementIndex(Protocol[Query]):
    """An index over the elements of one DocSet. One thread changes it at a time."""

    @property
    def mark(self) -> Mark:
        """The last operation it has applied."""
        ...

    @property
    def size(self) -> int:
        """Bytes of memory in use."""
        ...

    def apply(self, connection: Connection, changes: Changes) -> None:
        """Applies changes that follow `mark`, reading elements through `connection`.

        A partial batch carries the old mark; if the rest never comes, it is applied again.
        """
        ...

    def reader(self) -> Reader[Query]:
        """A reader of the present state."""
        ...

    def close(self) -> None:
        """Frees memory and files; the index on disk stays."""
        ...
