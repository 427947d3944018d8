"""The port through which plans use the search engine."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from workbench.contract.search import QueryType


class Candidate(Protocol):
    """A ranked passage: element `ordinal` of a document. Higher scores are better."""

    @property
    def doc_id(self) -> str: ...
    @property
    def ordinal(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def parts(self) -> Mapping[str, tuple[int, float]]: ...


class Retrieval(Protocol):
    """The search engine."""

    def candidates(
        self,
        docset_id: str,
        text: str,
        kind: QueryType,
        *,
        doc_ids: Collection[str] | None = None,
        depth: int = 1000,
    ) -> Sequence[Candidate]:
        """The best passages for `text`, best first, at most `depth`, only of `doc_ids` if set."""
        ...

    def fulfilling(
        self, docset_id: str, properties_filter: str, *, unknown_passes: bool = False
    ) -> Collection[str]:
        """The documents that pass a filter, with `unknown_passes` also those that could if all
        their values were known. Invalid, with the column, for a malformed filter.
        """
        ...
