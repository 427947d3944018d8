"""Hits of a search as a frame.

The service's explanation of a hit (rank, score, lists, best passage) is an extension under
`_search`; hits of a server without it have nulls there.

A projected search (`include_fields`) returns arbitrary fields, so its columns are the keys of the
result. Any other result has fixed columns, followed by one column per property.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.contract.schema import Schema
from workbench.contract.search import SearchRequest
from workbench.frames.answers import answer_columns, fields_of, flat
from workbench.frames.columns import (
    boxes,
    inferred,
    of_type,
    property_titles,
    table_of,
    typed,
)
from workbench.frames.frame import SHOWN, Rows
from workbench.frames.hit_values import Values, read_values
from workbench.frames.hit_words import Hit, excerpt, lit, read_hit
from workbench.frames.html import MARKED, Markup, joined, preview, tag, whole_words

if TYPE_CHECKING:
    import polars as pl

Item = Mapping[str, Any]
_EXCERPT = 200  # characters of a displayed hit
_COLUMNS = ("rank", "name", "page", "snippet")


class Hits(Rows[Item]):
    """Best first. Columns: doc_id, name, element_id, page, snippet, text, score.

    Elements also have kind and bbox (`[x1, y1, x2, y2]` in fractions of the page); for documents,
    element and page are those of the best passage. Each ranked list involved adds the hit's rank
    (from 1) and score in it, such as `lexical_rank` and `lexical_score`.
    """

    def __init__(
        self,
        items: Sequence[Item],
        request: SearchRequest,
        *,
        schema: Schema | None = None,
        complete: bool = True,
        query_embedding: list[float] | None = None,
    ) -> None:
        self._items = list(items)
        self.request = request
        self.complete = complete
        """Whether these are all hits; otherwise a larger limit returns more."""
        self.query_embedding = query_embedding
        self._schema = schema

    @property
    def items(self) -> Sequence[Item]:
        """The hits as returned by the server."""
        return self._items

    def _repr_html_(self) -> str:
        """Rank, name, page and the words around the matches, which are highlighted."""
        if not self._is_ranked:
            return super()._repr_html_()
        rows = [(rank, hit.name, hit.page, _marked(hit)) for rank, hit in self._ranked(SHOWN)]
        return preview(self.title(), _COLUMNS, rows, len(self))

    def _plain(self) -> str:
        if not self._is_ranked:
            return super()._plain()
        from workbench.frames.plain import ROWS, plain_table, terminal_width

        length = terminal_width()
        lines = [
            (rank, hit.name, hit.page, excerpt(hit.text, hit.spans, length)[0])
            for rank, hit in self._ranked(ROWS)
        ]
        columns = dict(zip(_COLUMNS, map(inferred, zip(*lines, strict=True)), strict=True))
        others = [name for name in self.columns if name not in columns]
        return plain_table(table_of(columns), len(self), others=others)

    @property
    def _is_ranked(self) -> bool:
        """Whether these are the results of a query with all their fields."""
        return self.request.query is not None and self.request.include_fields is None

    def _ranked(self, rows: int) -> Iterator[tuple[int, Hit]]:
        """The first hits, each with its rank from 1."""
        first = (read_hit(item, self.request.return_type) for item in self._items[:rows])
        return ((place + 1, hit) for place, hit in zip(self._places(), first, strict=False))

    def title(self) -> str:
        request = self.request
        asked = f" for {request.query!r}" if request.query else ""
        where = f" where {request.properties_filter}" if request.properties_filter else ""
        more = "" if self.complete else " first"
        what = f"{request.query_type}, {request.return_type}"
        return f"Hits({len(self):,}{more}{asked}{where}, {what})"

    def why(self, row: int) -> dict[str, tuple[int | None, float | None]]:
        """The rank and score of the hit in `row` in each list involved in the ranking.

        Example: hits.why(0)
        """
        return {
            name: (part.get("rank"), part.get("score"))
            for name, part in ((self.items[row].get("_search") or {}).get("lists") or {}).items()
        }

    def _table(self) -> "pl.DataFrame":
        if self.request.include_fields is not None:
            rows = [flat(item) for item in self.items]
            return table_of(answer_columns(rows, fields_of(rows), schema=self._schema))
        read = read_values(self._items)
        columns = self._fixed(read) | _scores(read)
        entities = {path[1]: values for path, values in read.items() if path[0] == "entity"}
        for title, name, shape in property_titles(self._schema, entities, columns):
            values = entities.get(name) or [None] * len(self)
            columns[title] = inferred(values) if shape is None else typed(values, shape)
        return table_of(columns)

    def _fixed(self, read: Values) -> dict[str, "pl.Series"]:
        names = {"doc_id": "string", "name": "string", "element_id": "string", "page": "int32"}
        columns = {name: of_type(read[name,], kind) for name, kind in names.items()}
        if self.request.return_type == "element":
            columns["kind"] = of_type(read["kind",], "string")
            columns["bbox"] = boxes(read["bbox",])
        columns["snippet"] = of_type(read["snippet",], "string")
        columns["text"] = of_type(read["text",], "string")
        if any(embeddings := read["embedding",]):
            columns["embedding"] = inferred(embeddings)
        return columns


def _marked(hit: Hit) -> Markup:
    text, spans = excerpt(hit.text, hit.spans, _EXCERPT)
    pieces = (
        tag("mark", t, style=MARKED) if matched else whole_words(t)
        for t, matched in lit(text, spans)
    )
    return joined(pieces)


def _scores(read: Values) -> dict[str, "pl.Series"]:
    """The score of each hit, then its rank and score in each list involved."""
    columns = {"score": of_type(read["score",], "float64")}
    for path, values in read.items():
        if path[0] == "lists":
            kind = "int32" if path[2] == "rank" else "float64"
            columns[f"{path[1]}_{path[2]}"] = of_type(values, kind)
    return columns
