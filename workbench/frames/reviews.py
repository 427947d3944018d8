"""Values to review, and the changes proposed by rereading the documents, as frames."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.contract.rereading import Change
from workbench.contract.review import ReviewValue
from workbench.formats import counted, value_words
from workbench.frames.columns import boxes, inferred, of_type, table_of
from workbench.frames.frame import Rows

if TYPE_CHECKING:
    import polars as pl


class ToReview(Rows[ReviewValue]):
    """Unchecked values, the least certain first. Columns: doc_id, name, property, value, certainty,
    confidence, page, bbox, element_id, text, alternatives (as text).

    `total` is the number of all such values.
    """

    def __init__(self, items: Sequence[ReviewValue], total: int) -> None:
        self._items = list(items)
        self.total = total

    def title(self) -> str:
        """A one-line summary."""
        return f"ToReview({len(self):,} of {counted(self.total, 'value')})"

    def _table(self) -> "pl.DataFrame":
        rows = self._items
        guesses = [[value_words(g.value, row.field) for g in row.alternatives] for row in rows]
        return table_of(
            {
                "doc_id": of_type([row.doc_id for row in rows], "string"),
                "name": of_type([row.name for row in rows], "string"),
                "property": of_type([row.field for row in rows], "string"),
                "value": inferred([row.value for row in rows]),
                "certainty": of_type([row.certainty for row in rows], "float64"),
                "confidence": of_type([row.confidence for row in rows], "float64"),
                "page": of_type([row.page for row in rows], "int32"),
                "bbox": boxes([row.bbox for row in rows]),
                "element_id": of_type([row.element_id for row in rows], "string"),
                "text": of_type([row.quote for row in rows], "string"),
                "alternatives": of_type(["; ".join(words) for words in guesses], "string"),
            }
        )


class Changes(Rows[Change]):
    """The changes that rereading proposes. Columns: change_id, doc_id, name, property, before,
    after, confidence, page, bbox, element_id, text. `total` is the number of all such changes.
    """

    def __init__(self, items: Sequence[Change], total: int) -> None:
        self._items = list(items)
        self.total = total

    def title(self) -> str:
        """A one-line summary."""
        return f"Changes({len(self):,} of {self.total:,} open)"

    def _table(self) -> "pl.DataFrame":
        rows = self._items
        return table_of(
            {
                "change_id": of_type([row.change_id for row in rows], "int64"),
                "doc_id": of_type([row.doc_id for row in rows], "string"),
                "name": of_type([row.name for row in rows], "string"),
                "property": of_type([row.field for row in rows], "string"),
                "before": inferred([row.before.value for row in rows]),
                "after": inferred([row.after.value for row in rows]),
                "confidence": of_type([row.after.confidence for row in rows], "float64"),
                "page": of_type([row.after.page for row in rows], "int32"),
                "bbox": boxes([row.after.bbox for row in rows]),
                "element_id": of_type([row.after.element_id for row in rows], "string"),
                "text": of_type([row.after.quote for row in rows], "string"),
            }
        )
