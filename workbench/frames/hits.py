"""Hits of a search as a frame.

The service's own account of a hit (rank, score, the lists it stood in, the best passage) is an
extension under `_search`; hits of a server without it have nulls there.

A projected search (`include_fields`) answers with whatever was asked for, so its columns are the
keys of the answer. Any other answer has fixed columns in front and a column for each property
behind them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from backend.contract.schema import Schema
from backend.contract.search import SearchRequest
from workbench.frames.columns import boxes, inferred, of_type, property_columns, table_of
from workbench.frames.frame import Frame

if TYPE_CHECKING:
    import pyarrow as pa

Item = Mapping[str, Any]


class Hits(Frame):
    """Best first. Columns: doc_id, name, element_id, page, snippet, text, score.

    Elements also have kind and bbox (`[x1, y1, x2, y2]` in fractions of the page); of documents,
    element and page are those of the best passage. Each ranked list that took part adds the
    hit's rank (from 1) and score in it, for instance `lexical_rank` and `lexical_score`.
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
        self.items = list(items)
        self.request = request
        self.complete = complete
        """Whether these are all hits; otherwise a larger limit finds more."""
        self.query_embedding = query_embedding
        self._schema = schema

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __getitem__(self, row: int) -> Item:
        return self.items[row]

    def __repr__(self) -> str:
        request = self.request
        asked = f" for {request.query!r}" if request.query else ""
        where = f" where {request.properties_filter}" if request.properties_filter else ""
        more = "" if self.complete else " first"
        what = f"{request.query_type}, {request.return_type}"
        return f"Hits({len(self):,}{more}{asked}{where}, {what})"

    def why(self, row: int) -> dict[str, tuple[int | None, float | None]]:
        """The hit's rank and score in each list that took part in the ranking."""
        return {
            name: (part.get("rank"), part.get("score"))
            for name, part in _lists(self.items[row]).items()
        }

    def _table(self) -> "pa.Table":
        if self.request.include_fields is not None:
            names = dict.fromkeys(key for item in self.items for key in item)
            return table_of({n: inferred([item.get(n) for item in self.items]) for n in names})
        columns = self._fixed() | self._scores()
        entities = [_properties(item).get("entity") or {} for item in self.items]
        return table_of(columns | property_columns(entities, self._schema, columns))

    def _fixed(self) -> dict[str, "pa.Array"]:
        items = self.items
        columns = {
            "doc_id": of_type([_doc_id(item) for item in items], "string"),
            "name": of_type([_name(item) for item in items], "string"),
            "element_id": of_type([_element_id(item) for item in items], "string"),
            "page": of_type([_page(item) for item in items], "int32"),
        }
        if self.request.return_type == "element":
            columns["kind"] = of_type([item.get("type") for item in items], "string")
            columns["bbox"] = boxes([item.get("bbox") for item in items])
        snippets = [_account(item).get("snippet") for item in items]
        columns["snippet"] = of_type(snippets, "string")
        columns["text"] = of_type([item.get("text_representation") for item in items], "string")
        embeddings = [item.get("embedding") for item in items]
        if any(embeddings):
            columns["embedding"] = inferred(embeddings)
        return columns

    def _scores(self) -> dict[str, "pa.Array"]:
        scores = [_account(item).get("score") for item in self.items]
        columns = {"score": of_type(scores, "float64")}
        lists = [_lists(item) for item in self.items]
        for name in dict.fromkeys(name for found in lists for name in found):
            ranks = [found.get(name, {}).get("rank") for found in lists]
            parts = [found.get(name, {}).get("score") for found in lists]
            columns[f"{name}_rank"] = of_type(ranks, "int32")
            columns[f"{name}_score"] = of_type(parts, "float64")
        return columns


def _properties(item: Item) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = item.get("properties") or {}
    return properties


def _account(item: Item) -> Mapping[str, Any]:
    account: Mapping[str, Any] = item.get("_search") or {}
    return account


def _lists(item: Item) -> Mapping[str, Mapping[str, Any]]:
    lists: Mapping[str, Mapping[str, Any]] = _account(item).get("lists") or {}
    return lists


def _doc_id(item: Item) -> str | None:
    """Elements name their document; other servers call it the parent."""
    return item.get("doc_id") or item.get("parent_id")


def _element_id(item: Item) -> str | None:
    """An element's own id; of a document that of its best passage."""
    own = item.get("id") if item.get("type") else None
    return own or _account(item).get("element_id")


def _page(item: Item) -> int | None:
    return _properties(item).get("page_number") or _account(item).get("page_number")


def _name(item: Item) -> str | None:
    return item.get("name") or _properties(item).get("path")
