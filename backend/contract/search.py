"""Bodies of search."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

QueryType = Literal["keyword", "lexical", "vector", "hybrid"]
ReturnType = Literal["doc", "element"]


class SearchRequest(BaseModel):
    """Body of search. No extra properties; a query, a filter or both.

    `keyword` finds the literal text, `lexical` ranks words by BM25, `vector` by meaning, `hybrid`
    by both.
    """

    model_config = ConfigDict(extra="forbid")

    query: str | None = Field(default=None, max_length=10_000)
    query_type: QueryType = "lexical"
    properties_filter: str | None = Field(default=None, max_length=4096)
    return_type: ReturnType = "doc"
    include_fields: list[str] | None = Field(default=None, max_length=100)
    debug_info: bool | None = False
    include_element_embedding: bool | None = False
    doc_inclusion_list: list[str] | None = Field(default=None, max_length=100_000)
    doc_exclusion_list: list[str] | None = Field(default=None, max_length=100_000)

    @model_validator(mode="after")
    def _something_to_find(self) -> "SearchRequest":
        if self.query is not None and not self.query.strip():
            raise ValueError("query may be left out, but not be empty")
        if self.query is None and self.query_type in ("vector", "hybrid"):
            raise ValueError(f"a {self.query_type} search needs a query")
        if self.query is None and not self.properties_filter:
            raise ValueError("give a query, a properties_filter or both")
        return self


class SearchResponse(BaseModel):
    """Best first. `query_embedding` only for vector and hybrid with debug_info."""

    results: list[dict[str, Any]]
    query_embedding: list[float] | None = None
    next_page_token: str | None = None


class FacetValue(BaseModel):
    value: Any
    count: int


class Facet(BaseModel):
    """Extension: the commonest values of one property and how many documents hold each."""

    field: str
    kind: str
    values: list[FacetValue]
    missing: int
    minimum: Any = None
    maximum: Any = None
