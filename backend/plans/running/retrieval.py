"""What plans ask of a search engine: ranked passages, and the documents that pass a filter."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from workbench.contract.search import QueryType


class Candidate(Protocol):
    """A passage that was found: element `ordinal` of a document. Higher scores are better."""

    @property
    def doc_id(self) -> str: ...
    @property
    def ordinal(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def parts(self) -> Mapping[str, tuple[int, float]]: ...


class Retrieval(Protocol):
    """The port to the search engine."""

    def candidates(
        self,
        docset_id: str,
        text: str,
        kind: QueryType,
        *,
        doc_ids: Collection[str] | None = None,
        depth: int = 1000,
    ) -> Sequence[Candidate]:
        """Passages that fit `text`, best first, only of `doc_ids` when given, at most `depth`."""
        ...

    def fulfilling(self, docset_id: str, properties_filter: str) -> Collection[str]:
        """The documents that pass a filter. Invalid, with the column, when it cannot be read."""
        ...
