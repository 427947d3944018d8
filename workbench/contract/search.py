"""Bodies of search."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from workbench.contract.wire import Correct, Plain

QueryType = Literal["keyword", "lexical", "vector", "hybrid"]
ReturnType = Literal["doc", "element"]
LONGEST_FILTER = 4_096
"""Characters of a filter of properties."""
Path = Annotated[str, Field(max_length=500)]
"""A path to a field of a result."""


class SearchRequest(Correct):
    """Body of search. No extra properties; a query, a filter or both.

    `keyword` finds the literal text, `lexical` ranks words by BM25, `vector` by meaning, `hybrid`
    by both.
    """

    model_config = ConfigDict(extra="forbid")

    query: str | None = Field(default=None, max_length=10_000)
    query_type: QueryType = "lexical"
    properties_filter: str | None = Field(default=None, max_length=LONGEST_FILTER)
    return_type: ReturnType = "doc"
    include_fields: Plain[Path] | None = Field(default=None, max_length=100)
    debug_info: bool | None = False
    include_element_embedding: bool | None = False
    doc_inclusion_list: Plain[str] | None = Field(default=None, max_length=100_000)
    doc_exclusion_list: Plain[str] | None = Field(default=None, max_length=100_000)

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
    """The results, best first. `query_embedding` is set for vectors with debug_info."""

    results: list[dict[str, Any]]
    query_embedding: list[float] | None = None
    next_page_token: str | None = None


class FacetRequest(Correct):
    """Extension: counts the values of properties in the results of a search.

    Without `search` all documents count, without `fields` all properties. Paging and projection of
    the search are ignored; vector and hybrid queries, which match everything, count the documents
    of the best 1,000 elements in each list.
    """

    model_config = ConfigDict(extra="forbid")

    search: SearchRequest | None = None
    fields: Plain[str] | None = Field(default=None, max_length=200)
    top: int = Field(
        default=20, ge=0, le=1000, description="Number of values listed for each property."
    )
    bins: int = Field(
        default=10, ge=1, le=200, description="Approximate number of bins of a histogram."
    )


class FacetValue(BaseModel):
    value: Any
    count: int


class HistogramBin(BaseModel):
    """Values from `start` up to, but not including, `end`; days as ISO dates. A bin that ends with
    the calendar, on 9999-12-31, includes that day.
    """

    start: Any
    end: Any
    count: int


class Facet(BaseModel):
    """Extension: the most frequent values of a property and how many documents have each.

    `other` counts values that are not listed, `distinct` the different ones, and `missing` the
    documents without any. A document counts once for each different item of a list. Numbers and
    dates have a histogram; its `unit` is number, year, month or day.
    """

    field: str
    kind: str
    values: list[FacetValue]
    missing: int
    other: int = 0
    distinct: int = 0
    minimum: Any = None
    maximum: Any = None
    unit: str | None = None
    histogram: list[HistogramBin] = []


class CompletionRequest(Correct):
    """Extension: asks for completions at the cursor of a filter.

    `cursor` counts characters (code points) from the start; the default is the end.
    """

    model_config = ConfigDict(extra="forbid")

    filter: str = Field(max_length=LONGEST_FILTER)
    cursor: int | None = Field(default=None, ge=0)
    limit: int = Field(default=20, ge=1, le=200)


class Completion(BaseModel):
    """A completion: `text` as it would be in the filter, and its kind.

    For properties, `detail` is the kind of their values. `count` is the number of documents with
    the property or the value.
    """

    text: str
    kind: Literal["property", "operator", "value", "word"]
    detail: str | None = None
    count: int | None = None


class Completions(BaseModel):
    """Extension: the best completions, to replace the characters from `start` up to `end`.

    `problem` says why there are none, if the text before the cursor is wrong.
    """

    start: int
    end: int
    items: list[Completion]
    problem: str | None = None


class IndexState(BaseModel):
    """Extension: the state of the word index of a DocSet.

    While `building`, `done` of `total` documents are indexed; the next search ends `behind`.
    """

    state: Literal["ready", "behind", "building"]
    done: int
    total: int
