"""What flows between the steps of a plan, with the documents behind it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from backend.plans.tables.collection import ROW, Collection
from workbench.contract.coverage import Bounds
from workbench.contract.derived_fields import derived_field
from workbench.contract.plan_columns import Columns, field_in, sized_field
from workbench.contract.plan_nodes import ENTITY, TEXT
from workbench.contract.query import Evidence

LINEAGE = "documents"
"""Column of a small table with the place of each row's documents in `Rows.behind`."""
SCORE = "score"
UNSURE = "unsure"
"""Column that marks documents which a filter let in although their value is unknown."""


class OnDemand:
    """Row numbers of documents that are computed when they are first needed: an answer over
    millions of documents is given without them.
    """

    def __init__(self, make: Callable[[], pl.Series]) -> None:
        self._make = make

    @cached_property
    def value(self) -> pl.Series:
        """The row numbers, or a list of them for each row of a small table."""
        return self._make()


@dataclass(frozen=True)
class Undecided:
    """Lines of a table that a step left out because a value is unknown, and that satisfy the
    `rules` of later filters; `lines` None means all. They are only ever counted, and only when a
    number needs them.

    With `unasked`, a filter asked only whether that field is known. Whether it is needs no value,
    so these lines do not count until a later filter asks for the value.
    """

    table: pl.DataFrame
    lines: pl.Series | None = None
    rules: tuple[pl.Expr, ...] = ()
    unasked: str | None = None

    def also(self, rule: pl.Expr) -> "Undecided":
        """Those that a further filter does not rule out."""
        return replace(self, rules=(*self.rules, rule))

    def without(self, name: str) -> "Undecided":
        """The same lines without a column that now means something else."""
        left = self.left(self.table.columns).drop(name, strict=False)
        return Undecided(left, unasked=self.unasked)

    def count(self) -> int:
        if not self.rules:
            return self.table.height if self.lines is None else int(self.lines.sum())
        return self.left([]).height

    def left(self, names: Sequence[str]) -> pl.DataFrame:
        """The lines, with those of the columns that they have."""
        # Few lines of few columns: a tenth of the time of a lazy query over the whole table.
        named = {name for rule in self.rules for name in rule.meta.root_names()}
        columns = [c for c in self.table.columns if c in named or c in names or c == ROW]
        table = self.table.select(columns)
        table = table if self.lines is None else table.filter(self.lines)
        return table.filter(*self.rules) if self.rules else table


@dataclass(frozen=True)
class Cut:
    """How many lines a step has kept for certain, although `changeable` documents could change
    which ones: a limit behind an order in which some have no place. `most` None is no limit.
    """

    changeable: int
    least: int = 0
    most: int | None = None


@dataclass(frozen=True)
class Docs:
    """Documents. `table` has `row`, the fields in use, and `score` after an approximate step.

    `identity` has `doc_id`, `content_id` and `properties.path` of all documents of the collection
    by `row`; most steps do not need them. `evidence` maps the row of a document to what an
    approximate step read there. `only` are the fields to show, None for all. Each line shows one
    item of the fields in `unrolled` instead of the whole array.

    `outside` are documents that filters left out because a value is unknown: they may belong here.
    Behind a `cut` any documents may be here, of those that were there before. With `endless`, the
    lists that are unknown could add any number of lines.
    `pool` is the number of documents before a limit, None without one, and `unplaced` how many of
    them had no place in the order. `passed` are the filters since `start`: of two tables with the
    same start, the one that passed more filters is a part of the other.
    """

    table: pl.DataFrame
    columns: Columns
    identity: pl.DataFrame
    evidence: Mapping[int, list[Evidence]] = field(default_factory=dict)
    only: tuple[str, ...] | None = None
    unrolled: frozenset[str] = frozenset()
    outside: tuple[Undecided, ...] = ()
    cut: Cut | None = None
    endless: bool = False
    pool: int | None = None
    unplaced: int = 0
    passed: frozenset[str] = frozenset()
    start: object = field(default_factory=object)

    @property
    def height(self) -> int:
        return self.table.height

    def lineage(self) -> pl.Series:
        places = self.table.get_column(ROW)
        # Only an expanded array gives a document several lines.
        return places.unique(maintain_order=True) if self.unrolled else places

    def identified(self) -> pl.DataFrame:
        """The table with the `identity` of each document."""
        known = self.identity[self.table.get_column(ROW)]
        return self.table.with_columns(known.get_columns())


@dataclass(frozen=True)
class Groups:
    """Documents to be grouped by `keys`; rows without a key are already removed.

    A document with an array as key has several rows; `documents` counts each document once.
    """

    docs: Docs
    keys: list[str]
    documents: int

    @cached_property
    def height(self) -> int:
        return self.docs.table.select(self.keys).n_unique() if self.docs.height else 0

    def formed(self, count: int) -> None:
        """Notes how many groups there are, for who has formed them."""
        self.__dict__["height"] = count

    def lineage(self) -> pl.Series:
        return self.docs.table.get_column(ROW).unique(maintain_order=True)


@dataclass(frozen=True)
class Rows:
    """A small table: columns `properties.<name>` and the place of the lineage of each row.

    `behind` has the lists of row numbers at these places. `bounds` is how many documents could
    change the table, with the range of its number of rows.
    """

    table: pl.DataFrame
    columns: Columns
    behind: OnDemand
    bounds: Bounds | None = None

    @property
    def height(self) -> int:
        return self.table.height

    def lists(self) -> pl.Series:
        """The row numbers of the documents behind each row."""
        return self.behind.value.gather(self.table.get_column(LINEAGE))

    def lineage(self) -> pl.Series:
        return self.lists().explode(empty_as_null=False).unique(maintain_order=True)


@dataclass(frozen=True)
class Number:
    """A number, or None if it cannot be computed. If it counts documents, `counted` are those."""

    value: float | int | None
    documents: OnDemand
    height: int = 1
    bounds: Bounds | None = None
    counted: Docs | None = None

    def lineage(self) -> pl.Series:
        return self.documents.value


@dataclass(frozen=True)
class Prose:
    """A text with its sources."""

    text: str
    citations: list[Evidence]
    documents: OnDemand
    height: int = 1
    bounds: Bounds | None = None

    def lineage(self) -> pl.Series:
        return self.documents.value


@dataclass(frozen=True)
class Ordered:
    """Documents or rows in an order. Usually only the first are needed, so the rest is sorted on
    demand. `arrange` sorts a table by the expressions `by`, each with the name of its field.
    """

    source: Docs | Rows
    arrange: Callable[[pl.LazyFrame], pl.LazyFrame]
    by: tuple[tuple[str, pl.Expr], ...] = ()

    @property
    def height(self) -> int:
        return self.source.height

    def lineage(self) -> pl.Series:
        return self.whole.lineage()

    def first(self, count: int) -> Docs | Rows:
        """The first lines; selecting a few costs much less than sorting all."""
        table = self.arrange(self.source.table.lazy()).head(count).collect()
        return replace(self.source, table=table)

    @cached_property
    def whole(self) -> Docs | Rows:
        return self.first(self.height)


Relation = Docs | Groups | Rows | Number | Prose | Ordered


def settled(relation: Relation) -> Relation:
    """The relation in its order, fully sorted."""
    return relation.whole if isinstance(relation, Ordered) else relation


def name_in(name: str, table: Docs | Rows) -> str:
    """The column of a table that a field of a plan refers to."""
    return field_in(name, table.columns, on_rows=isinstance(table, Rows))


def with_lines(old: Docs | Rows, table: pl.DataFrame) -> Docs | Rows:
    """The same relation with another table of its lines."""
    return replace(old, table=table)


def behind_both(one: Relation, other: Relation) -> OnDemand:
    """The distinct row numbers of the documents behind one or the other, in order."""
    return OnDemand(lambda: _union(one.lineage(), other.lineage()))


def _union(one: pl.Series, other: pl.Series) -> pl.Series:
    places = [one.to_numpy(), other.to_numpy()]
    seen = np.zeros(1 + max((int(p.max()) for p in places if len(p)), default=0), dtype=bool)
    for part in places:
        seen[part] = True
    return pl.Series(one.name, np.flatnonzero(seen), dtype=pl.UInt32)


def by_keys(
    table: pl.DataFrame, keys: Sequence[str | pl.Expr], made: Sequence[pl.Expr]
) -> pl.DataFrame:
    """One row for each combination of keys, in their order."""
    # The other engine first lists the lines of each group, which takes three times as long.
    rows = table.lazy().group_by(*keys).agg(*made).collect(engine="streaming")
    return _by_key(rows, keys)


def _by_key(rows: pl.DataFrame, keys: Sequence[str | pl.Expr]) -> pl.DataFrame:
    return rows.sort(rows.columns[: len(keys)], nulls_last=True)


def lines_behind(
    table: pl.DataFrame, keys: Sequence[str | pl.Expr], entering: pl.Expr | None = None
) -> pl.Series:
    """The row numbers of the documents in `entering` (None: all) behind each row of `by_keys`."""
    behind = pl.col(ROW) if entering is None else pl.col(ROW).filter(entering)
    return lists_by_key(table, keys, behind)


def lists_by_key(table: pl.DataFrame, keys: Sequence[str | pl.Expr], listed: pl.Expr) -> pl.Series:
    """A list for each row of `by_keys`, in the order of the lines."""
    return _by_key(table.group_by(*keys).agg(listed.alias(LINEAGE)), keys).get_column(LINEAGE)


def ids_behind(places: pl.Series, ids: pl.Series) -> pl.Series:
    """The ids at each list of row numbers, in one pass because there may be a million lists."""
    numbered = pl.DataFrame({"list": places}).with_row_index("line")
    apart = numbered.explode("list").drop_nulls("list")
    named = apart.with_columns(ids.gather(apart.get_column("list")).alias("id"))
    gathered = named.group_by("line", maintain_order=True).agg("id")
    joined = numbered.join(gathered, on="line", how="left", maintain_order="left")
    return joined.get_column("id").fill_null([]).cast(pl.List(pl.String))


def wire_documents(docs: Docs, collection: Collection) -> Iterator[dict[str, Any]]:
    """The documents of the table in their wire form."""
    return (_wire(record, docs, collection) for record in docs.table.iter_rows(named=True))


def _wire(record: dict[str, Any], docs: Docs, collection: Collection) -> dict[str, Any]:
    row = record[ROW]
    known = collection.fields
    out: dict[str, Any] = {
        "doc_id": docs.identity.get_column("doc_id")[row],
        "properties": collection.properties(row),
    }
    for name, value in record.items():
        if name in docs.unrolled and name.startswith(ENTITY):
            out["properties"]["entity"][name.removeprefix(ENTITY)] = plain(value)
        if not name.startswith("properties.") or name in known or name == "properties.path":
            continue
        if (derived := derived_field(name)) is not None and known.keys() >= {*derived.sources}:
            if docs.only is not None and name in docs.only:
                out["properties"].setdefault("entity", {})[name.removeprefix(ENTITY)] = plain(value)
        elif sized_field(name, known) is None and name.rpartition(".")[0] not in known:
            out["properties"][name.removeprefix("properties.")] = plain(value)
    if docs.only is not None and TEXT in docs.only:
        out[TEXT] = record[TEXT]
    if SCORE in record:
        out["score"] = record[SCORE]
        out["approximate"] = True
    if row in docs.evidence:
        out["evidence"] = [item.model_dump() for item in docs.evidence[row]]
    return out if docs.only is None else _projected(out, docs.only)


def _projected(document: dict[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    """A document reduced to some of its properties, which keep their places."""
    kept: dict[str, Any] = {}
    for name in fields:
        if name == TEXT:
            continue
        source: Any = document["properties"]
        target = kept
        *path, last = name.removeprefix("properties.").split(".", 1)
        for step in path:
            source = source.get(step, {}) if isinstance(source, dict) else {}
            target = target.setdefault(step, {})
        if isinstance(source, dict) and last in source:
            target[last] = source[last]
        elif isinstance(source, dict) and "." in last:
            _keep_inner(source, last, target)
    return {**document, "properties": kept}


def _keep_inner(source: dict[str, Any], name: str, target: dict[str, Any]) -> None:
    """Keeps a part of an object, or of each object in a list, at its place."""
    outer, part = name.split(".", 1)
    match source.get(outer):
        case dict() as value if part in value:
            kept = target.setdefault(outer, {})
            kept[part] = value[part]
        case list() as items:
            before = target.get(outer) or [{} for _ in items]
            target[outer] = [
                {**kept, part: item[part]} if isinstance(item, dict) and part in item else kept
                for kept, item in zip(before, items, strict=True)
            ]


def wire_rows(rows: Rows) -> Iterator[dict[str, Any]]:
    """The rows of a small table in their wire form."""
    for record in rows.table.drop(LINEAGE).iter_rows(named=True):
        shown = {name.removeprefix("properties."): plain(v) for name, v in record.items()}
        yield {"properties": shown}


def plain(value: Any) -> Any:
    """A value as JSON; dates as ISO text."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def used_fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a line for samples, without text and row number; long texts are cut."""
    return {
        name.removeprefix(ENTITY).removeprefix("properties."): _beginning(plain(value))
        for name, value in record.items()
        if name.startswith("properties.")
    }


def _beginning(value: Any) -> Any:
    if isinstance(value, list):
        return [_beginning(item) for item in value[:_MOST_SAMPLED]]
    if not isinstance(value, str) or len(value) <= _LONGEST_SAMPLE:
        return value
    return f"{value[:_LONGEST_SAMPLE]}…"


_LONGEST_SAMPLE, _MOST_SAMPLED = 2_000, 200
"""Characters of a text, and items of a list, in a sample."""


def spoken(value: Any) -> str:
    """A property value as readable text; empty for an unknown one."""
    if isinstance(value, list):
        return "\n".join(map(spoken, value))
    return "" if value is None else str(plain(value))


def as_texts(column: pl.Series) -> pl.Series:
    """The values as texts; the items of a list are joined."""
    if column.dtype == pl.String:
        return column
    read = [None if value is None else spoken(value) for value in column.to_list()]
    return pl.Series(column.name, read, dtype=pl.String)
