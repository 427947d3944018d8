"""A frame as a chart: a Vega-Lite description, which JupyterLab and VS Code render themselves.

Nothing is loaded from the internet. Groups become bars, dates bars over time, two number columns
points.
"""

from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from workbench.client.errors import Mistake, UnknownName
from workbench.nearest import suggestion

if TYPE_CHECKING:
    import polars as pl

ChartKind = Literal["bar", "line", "point"]
_MIME = "application/vnd.vegalite.v5+json"
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # a name; nothing is fetched
_MOST = 5000
_BESIDE = ("doc_id", "doc_ids", "citations", "element_id")
_COUNT = "number"
_MARKS: dict[str, dict[str, Any]] = {
    "point": {"filled": True, "size": 60},
    "line": {"point": True},
    "bar": {},
}
_TIMES = {
    "year": {"format": "%Y", "tickCount": "year"},
    "yearmonth": {"format": "%b %Y", "tickCount": "month"},
    "yearmonthdate": {"format": "%d %b %Y", "tickCount": "day"},
}
_YEARS, _MONTHS = 3 * 366, 93
"""Spans, in days, above which dates are grouped by year or by month."""


class Plot:
    """A chart. `spec` is its Vega-Lite description; `altair()` returns it for further work."""

    def __init__(self, spec: dict[str, Any], words: str) -> None:
        self.spec = spec
        self._words = words

    def altair(self) -> Any:
        """The chart as an `altair.Chart`. Raises Mistake if altair is not installed."""
        try:
            import altair
        except ImportError:
            raise Mistake("altair is not installed: pip install altair.") from None
        return altair.Chart.from_dict(self.spec)

    def __repr__(self) -> str:
        return f"Plot({self._words})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {_MIME: self.spec, "text/plain": repr(self)}


def plot_of(
    table: "pl.DataFrame",
    x: str | None = None,
    y: str | None = None,
    *,
    color: str | None = None,
    kind: ChartKind | None = None,
    log: bool = False,
) -> Plot:
    """The chart of a table; unnamed columns are chosen automatically.

    Raises UnknownName for a wrong column, Mistake if there is nothing to draw.
    """
    for name in (x, y, color):
        if name is not None and name not in table.columns:
            near = suggestion(name, table.columns)
            raise UnknownName(f"There is no column {name!r}.{near}")
    if kind is not None and kind not in _MARKS:
        raise Mistake(f"There is no kind={kind!r}.{suggestion(kind, _MARKS)}")
    if not table.height:
        raise Mistake("There is nothing to draw: there are no rows.")
    x = x or _first_key(table)
    if y is None and (y := _first_number(table, x)) is None:
        table, y = _counted(table, x, color), _COUNT
    if color is None:
        color = _second_key(table, x)
    used = [name for name in dict.fromkeys((x, y, color, _label(table))) if name]
    rows = table.select(used).head(_MOST).to_dicts()
    drawn = kind or _kind(table, x, y)
    spec = {
        "$schema": SCHEMA,
        "width": 520,
        "data": {"values": [{k: _plain(v) for k, v in row.items()} for row in rows]},
        "mark": {"type": drawn, "tooltip": {"content": "data"}} | _MARKS[drawn],
        "encoding": _encoding(table, x, y, color, drawn, log),
    }
    if drawn != "bar" or _is_date(table, x):
        spec["height"] = 280
    if table.height > _MOST:
        spec["title"] = f"the first {_MOST:,} of {table.height:,} rows"
    return Plot(spec, f"{drawn}, {words_of(y)} by {words_of(x)}, {len(rows):,} rows")


def _encoding(
    table: "pl.DataFrame", x: str, y: str, color: str | None, kind: ChartKind, log: bool
) -> dict[str, Any]:
    """Bars are horizontal unless they are over time, so that their names are readable."""
    over: dict[str, Any] = {"field": _field(x), "title": words_of(x), "type": _type(table, x)}
    up: dict[str, Any] = {"field": _field(y), "title": words_of(y), "type": "quantitative"}
    if _is_whole(table, y):
        up["axis"] = {"tickMinStep": 1}
    if log:
        up["scale"] = {"type": "log"}
    if kind == "point":
        over["scale"] = {"zero": False}
    if over["type"] == "temporal" and kind == "bar":
        unit = _unit(table, x)
        over |= {"timeUnit": unit, "bandPosition": 0.5, "axis": _TIMES[unit] | {"grid": False}}
    if over["type"] == "nominal":
        over["sort"] = None  # in the order of the rows
    horizontal = kind == "bar" and over["type"] == "nominal"
    encoding = {"y": over, "x": up} if horizontal else {"x": over, "y": up}
    if color is not None:
        of = _type(table, color)
        encoding["color"] = {"field": _field(color), "title": words_of(color), "type": of}
    return encoding


def _kind(table: "pl.DataFrame", x: str, y: str) -> ChartKind:
    if _is_date(table, x):
        return "bar" if y == _COUNT or table.height < 2 else "line"
    return "point" if _is_number(table, x) and y != _COUNT else "bar"


def _first_key(table: "pl.DataFrame") -> str:
    names = [name for name in table.columns if name not in _BESIDE]
    for wanted in (_is_date, _is_text):
        for name in names:
            if wanted(table, name):
                return name
    numbers = [name for name in names if _is_number(table, name)]
    if len(numbers) > 1:
        return numbers[0]
    raise Mistake(
        "There is nothing to draw: the answer is one value. Ask for groups, for example for each"
        " year, or name columns with x= and y=."
    )


def _first_number(table: "pl.DataFrame", x: str) -> str | None:
    """The measure of groups; documents have none and are counted."""
    if "doc_id" in table.columns:
        return None
    rest = (name for name in table.columns if name != x and name not in _BESIDE)
    return next((name for name in rest if _is_number(table, name)), None)


def _second_key(table: "pl.DataFrame", x: str) -> str | None:
    """The second key of groups by two properties."""
    if "doc_id" in table.columns or table[x].n_unique() == table.height:
        return None
    rest = (name for name in table.columns if name != x and name not in _BESIDE)
    return next((name for name in rest if _is_text(table, name)), None)


def _counted(table: "pl.DataFrame", x: str, color: str | None) -> "pl.DataFrame":
    keys = [x] if color is None or color == x else [x, color]
    valued = table.select(keys).filter(table[x].is_not_null())
    return valued.group_by(keys, maintain_order=True).len(name=_COUNT)


def _label(table: "pl.DataFrame") -> str | None:
    return "name" if "name" in table.columns else None


def _unit(table: "pl.DataFrame", name: str) -> str:
    """Years, months or days, depending on the time span."""
    days = [value for value in table[name].to_list() if value is not None]
    span = (max(days) - min(days)).days if days else 0
    return "year" if span > _YEARS else "yearmonth" if span > _MONTHS else "yearmonthdate"


def _type(table: "pl.DataFrame", name: str) -> str:
    if _is_date(table, name):
        return "temporal"
    return "quantitative" if _is_number(table, name) else "nominal"


def _is_date(table: "pl.DataFrame", name: str) -> bool:
    import polars as pl

    return isinstance(table.schema[name], pl.Date | pl.Datetime)


def _is_number(table: "pl.DataFrame", name: str) -> bool:
    return table.schema[name].is_numeric()


def _is_whole(table: "pl.DataFrame", name: str) -> bool:
    return table.schema[name].is_integer()


def _is_text(table: "pl.DataFrame", name: str) -> bool:
    import polars as pl

    return isinstance(table.schema[name], pl.String | pl.Boolean)


def _plain(value: Any) -> Any:
    """A value in JSON form."""
    return value.isoformat() if isinstance(value, date) else value


def _field(name: str) -> str:
    """Escapes dots and brackets, which Vega reads as paths."""
    return name.translate({ord(sign): f"\\{sign}" for sign in "\\.[]'\""})


def words_of(name: str) -> str:
    """The name of a property as a title."""
    return name.replace("_", " ")
