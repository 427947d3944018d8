"""Property values and how many documents have each, as frames and charts."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from workbench.client.errors import Mistake, UnknownName
from workbench.contract.plan_nodes import bare_field
from workbench.contract.search import Facet, FacetValue
from workbench.formats import counted, value_words
from workbench.frames.columns import inferred, of_type, table_of
from workbench.frames.frame import Rows
from workbench.nearest import suggestion

if TYPE_CHECKING:
    import polars as pl

    from workbench.frames.charts import ChartKind, Plot

_SHOWN = 5
"""Values named in the overview."""


class Facets(Rows[Facet]):
    """One row per property.

    Columns: property, type, values (the most frequent with their counts, as text), different,
    missing (documents without a value), minimum, maximum.
    """

    def __init__(self, facets: Sequence[Facet]) -> None:
        self._items = list(facets)

    def rows(self) -> "FacetRows":
        """Every value in its own row, with the number of documents that have it.

        Example: docset.facets("state", "year").rows().to_polars()
        """
        return FacetRows(self._items)

    def title(self) -> str:
        """A one-line summary."""
        return f"Facets({counted(len(self), 'property')})"

    def plot(
        self,
        x: str | None = None,
        y: str | None = None,
        *,
        color: str | None = None,
        kind: "ChartKind | None" = None,
        log: bool = False,
    ) -> "Plot":
        """Bars of how many documents have each value; numbers and dates as a histogram. `x` names a
        property; without it all are drawn, one below the other. `y`, `color`, `log` and values of
        `kind` other than `bar` are not supported.

        Raises UnknownName for a wrong property, Mistake if there is nothing to draw.

        Example: docset.facets("state", "year").plot()
        """
        from workbench.frames.facet_charts import plot_of_facets

        if y is not None or color is not None or log or kind not in (None, "bar"):
            raise Mistake("Facets are drawn as bars of documents: only x= can be chosen.")
        chosen = [facet for facet in self if x in (None, facet.field, bare_field(facet.field))]
        if not chosen and x is not None:
            near = suggestion(x, [bare_field(facet.field) for facet in self])
            raise UnknownName(f"There is no property {x!r} among these facets.{near}")
        return plot_of_facets(chosen)

    def _table(self) -> "pl.DataFrame":
        rows = self._items
        return table_of(
            {
                "property": of_type([bare_field(row.field) for row in rows], "string"),
                "type": of_type([row.kind for row in rows], "string"),
                "values": of_type([_commonest(row) for row in rows], "string"),
                "different": of_type([row.distinct for row in rows], "int64"),
                "missing": of_type([row.missing for row in rows], "int64"),
                "minimum": of_type([_words(row.minimum, row) for row in rows], "string"),
                "maximum": of_type([_words(row.maximum, row) for row in rows], "string"),
            }
        )


class FacetRows(Rows[FacetValue]):
    """The values of some properties, most frequent first. Columns: property, value, count."""

    def __init__(self, facets: Sequence[Facet]) -> None:
        self._values = [(facet, value) for facet in facets for value in facet.values]
        self._items = [value for _, value in self._values]

    def title(self) -> str:
        """A one-line summary."""
        return f"FacetRows({counted(len(self), 'value')})"

    def _table(self) -> "pl.DataFrame":
        return table_of(
            {
                "property": of_type([bare_field(f.field) for f, _ in self._values], "string"),
                "value": self._column_of_values(),
                "count": of_type([value.count for value in self._items], "int64"),
            }
        )

    def _column_of_values(self) -> "pl.Series":
        """With the type of the property if there is only one, else as text."""
        kinds = {facet.field: facet.kind for facet, _ in self._values}
        if len(kinds) != 1:
            words = [value_words(one.value, facet.field, typed=True) for facet, one in self._values]
            return of_type(words, "string")
        values = [value.value for value in self._items]
        if list(kinds.values()) == ["date"]:
            values = [date.fromisoformat(value) for value in values]
        return inferred(values)


def _commonest(facet: Facet) -> str:
    return ", ".join(_counts(facet))


def _counts(facet: Facet) -> Iterator[str]:
    for value in facet.values[:_SHOWN]:
        yield f"{_words(value.value, facet)} ({value.count:,})"
    if (more := facet.distinct - min(_SHOWN, len(facet.values))) > 0:
        yield f"{more:,} more"


def _words(value: Any, facet: Facet) -> str | None:
    return None if value is None else value_words(value, facet.field)
