"""The proposals for a position: properties, operators, values and joining words, best first."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from rapidfuzz import fuzz, process

from backend.search.completion.position import Position, position_at
from backend.search.facets import property_kinds
from backend.search.filters import Path
from backend.search.filters.names import ENTITY, hint, resolved, schema_paths
from backend.search.filters.parser import fault
from backend.search.filters.tree import quoted
from backend.search.properties.columns import ColumnView, Counts
from backend.search.properties.table import TableView
from backend.search.properties.values import Scalar, shown
from workbench.contract.errors import Invalid
from workbench.contract.schema import Schema
from workbench.contract.search import Completion, CompletionRequest, Completions

_EQUAL: Final = ("=", "!=")
_ORDER: Final = ("<", "<=", ">", ">=")
_MEMBER: Final = ("in (", "not in (")
_PRESENT: Final = ("is not null", "is null")
_ALIKE: Final = ("like", "not like")
_OPERATORS: Final[Mapping[str, Sequence[str]]] = {
    "bool": (*_EQUAL, *_PRESENT),
    "int": (*_EQUAL, *_ORDER, *_MEMBER, *_PRESENT),
    "float": (*_EQUAL, *_ORDER, *_MEMBER, *_PRESENT),
    "date": (*_EQUAL, *_ORDER, *_MEMBER, *_PRESENT, *_ALIKE),
    "datetime": (*_EQUAL, *_ORDER, *_MEMBER, *_PRESENT, *_ALIKE),
}
_TEXT_OPERATORS: Final = (*_EQUAL, *_ALIKE, *_MEMBER, *_PRESENT)
# What the grammar lets follow beside names, operators and values.
_WORDS: Final = {
    "_AND": "and", "_OR": "or", "_NOT": "not", "_LIKE": "like", "_IN": "in (", "_IS": "is",
    "_NULL": "null", "LPAR": "(", "RPAR": ")", "COMMA": ",",
}  # fmt: skip
_BEHIND_A_NAME: Final = frozenset(("_NOT", "_LIKE", "_IN", "_IS"))
_WITHIN_A_CONDITION: Final = frozenset(("_LIKE", "_IN", "_NULL"))
_VALUES: Final = frozenset(("STRING", "NUMBER", "TRUE", "FALSE", "WORD"))

_LIKENESS = 70.0
_LEAST_TYPED = 3  # characters from which slips of the keyboard are forgiven
_MOST_COMPARED = 20_000
_LONGEST_VALUE = 200
_WILD = re.compile(r"([%_\\])")
_WORDY = re.compile(r"[\w`-]").match


def completions(table: TableView, schema: Schema | None, request: CompletionRequest) -> Completions:
    """What may stand at the cursor of the request."""
    length = len(request.filter)
    cursor = length if request.cursor is None else min(request.cursor, length)
    try:
        position = position_at(request.filter, cursor)
        items = list(_Proposals(table, schema, position, request.limit).all())
    except Invalid as error:
        problem = "; ".join(fault.msg for fault in error.faults)
        return Completions(start=cursor, end=cursor, items=[], problem=problem)
    before = request.filter[: position.start][-1:]
    if before and not before.isspace() and before != "(":
        items = [_set_off(item, before, position.typed) for item in items]
    return Completions(start=position.start, end=position.end, items=items)


def _set_off(item: Completion, before: str, typed: str) -> Completion:
    """With a blank in front where nothing was typed yet, or where it would become one word with
    what stands before. Signs stay close.
    """
    if item.text in (")", ",") or (typed and not (_WORDY(before) and _WORDY(item.text[0]))):
        return item
    return item.model_copy(update={"text": f" {item.text}"})


class _Proposals:
    def __init__(
        self, table: TableView, schema: Schema | None, position: Position, limit: int
    ) -> None:
        self._table = table
        self._schema = schema
        self._position = position
        self._limit = limit
        self._kinds = property_kinds(table, schema)

    def all(self) -> Iterable[Completion]:
        terminals = self._position.terminals
        if "PATH" in terminals:
            yield from self._properties()
        if "OPERATOR" in terminals:
            yield from self._operators()
            terminals -= _BEHIND_A_NAME
        elif terminals & _WITHIN_A_CONDITION:
            self._subject()  # nothing is proposed about what is unknown
        if terminals & _VALUES:
            yield from self._values()
        typed = self._position.typed.lower()
        for terminal, word in _WORDS.items():
            if terminal in terminals and word.startswith(typed):
                yield Completion(text=word, kind="word")

    # -- properties -----------------------------------------------------------------------------

    def _properties(self) -> Iterable[Completion]:
        typed = self._position.typed
        full = typed.startswith("properties")
        wanted = _plain(typed)
        paths = sorted(self._kinds, key=lambda path: path.parts[0] != ENTITY)
        names = {path: _plain(path.text) for path in paths}
        for path in _best(wanted, names, self._limit):
            yield Completion(
                text=path.spelt if full else self._short(path),
                kind="property",
                detail=self._kinds[path],
                count=self._holders(path),
            )

    def _short(self, path: Path) -> str:
        """Without `entity.`, unless that would mean another property."""
        inner = Path(path.parts[1:])
        hidden = not inner.parts or inner in self._kinds or inner.parts in self._table.columns
        return path.bare if path.parts[0] != ENTITY or hidden else inner.bare

    def _holders(self, path: Path) -> int:
        column = self._table.columns.get(path.parts)
        if column is None:
            return 0
        key = ("holders", path)
        if key not in self._table.kept:
            self._table.kept[key] = column.counts(self._table.alive)[1]
        holders: int = self._table.kept[key]
        return holders

    # -- operators and values -------------------------------------------------------------------

    def _subject(self) -> Path:
        """The property of the condition; Invalid when it is unknown."""
        path = self._position.path
        assert path is not None, "the grammar lets no operator or value come before a name"
        found = resolved(path, self._kinds.__contains__)
        if found is None:
            near = hint(path, self._kinds)
            raise fault(f"no property is called {path.text!r}{near}", path.column)
        return found

    def _operators(self) -> Iterable[Completion]:
        kind = self._kinds[self._subject()]
        typed = " ".join(self._position.typed.lower().split())
        for operator in _OPERATORS.get(kind, _TEXT_OPERATORS):
            if operator.startswith(typed):
                yield Completion(text=operator, kind="operator")

    def _values(self) -> Iterable[Completion]:
        path = self._subject()
        typed = self._position.typed
        quote = typed[:1] if typed[:1] in ("'", '"') else ""
        wanted = typed.removeprefix(quote).lower()
        known = _known(self._table, path)
        found = _matching(known, wanted, self._limit) if known else []
        pattern = "WORD" in self._position.terminals
        for value, count in found:
            if not quote or isinstance(value, str):
                yield Completion(text=_literal(value, pattern), kind="value", count=count)
        told = {value for value, _ in found}
        for value in _promised(self._schema, path)[: self._limit]:
            if value not in told and str(value).lower().startswith(wanted):
                yield Completion(text=_literal(value, pattern), kind="value", count=0)


@dataclass(frozen=True)
class _Known:
    """The values of a property, commonest first: folded, and their places in the column."""

    column: ColumnView
    folded: pl.Series
    places: Counts
    counts: Counts

    def told(self, rank: int) -> tuple[Scalar, int]:
        """A value as it is, and how many documents hold it."""
        place = int(self.places[rank])
        return self.column.value(place), int(self.counts[place])


def _known(table: TableView, path: Path) -> _Known | None:
    """None where no document has the property."""
    column = table.columns.get(path.parts)
    key = ("values", path)
    if column is None or key in table.kept:
        return table.kept.get(key)
    counts, _ = column.counts(table.alive)
    places = np.flatnonzero(counts)
    places = places[np.argsort(-counts[places], kind="stable")]
    folded = column.values.folded(column.count).gather(places)
    fitting = (folded.str.len_bytes() <= _LONGEST_VALUE).to_numpy()
    known = table.kept[key] = _Known(column, folded.filter(fitting), places[fitting], counts)
    return known


def _matching(known: _Known, wanted: str, limit: int) -> list[tuple[Scalar, int]]:
    """Values that begin with what was typed, then those that hold it, then those that resemble
    it.
    """
    beginning = known.folded.str.starts_with(wanted).arg_true().head(limit).to_list()
    found = dict.fromkeys(beginning)
    if len(found) < limit and wanted:
        holding = known.folded.str.contains(wanted, literal=True)
        found |= dict.fromkeys(holding.arg_true().head(limit + len(found)).to_list())
    if len(found) < limit and len(wanted) >= _LEAST_TYPED:
        resembling = process.extract(
            wanted,
            known.folded.head(_MOST_COMPARED).to_list(),
            scorer=fuzz.ratio,
            score_cutoff=_LIKENESS,
            limit=limit,
        )
        found |= dict.fromkeys(place for _, _, place in resembling)
    return [known.told(rank) for rank in list(found)[:limit]]


def _best(wanted: str, names: Mapping[Path, str], limit: int) -> list[Path]:
    """Names in the order that values have; equal ones in the order of the schema."""

    def distance(name: str) -> int | None:
        if name.startswith(wanted):
            return 0
        if any(word.startswith(wanted) for word in re.split(r"[\W_]+", name)):
            return 1
        return 2 if wanted in name else None

    ranked = [(far, path) for path, name in names.items() if (far := distance(name)) is not None]
    found = [path for _, path in sorted(ranked, key=lambda item: item[0])]
    if not found and len(wanted) >= _LEAST_TYPED:
        resembling = process.extract(
            wanted, dict(names), scorer=fuzz.WRatio, score_cutoff=_LIKENESS, limit=limit
        )
        found = [path for _, _, path in resembling]
    return found[:limit]


def _plain(name: str) -> str:
    """A name as people type it: without quotes and the parts that may be left out."""
    bare = re.sub(r"[\"'`\\]", "", name).lower()
    for part in ("properties", ENTITY):
        bare = bare.removeprefix(f"{part}.")
    return "" if bare and "properties".startswith(bare) and len(bare) > 4 else bare


def _promised(schema: Schema | None, path: Path) -> list[Any]:
    """The choices that the schema gives for a property."""
    for promised, shape in schema_paths(schema):
        if promised == path:
            return list((shape.item_type or shape).choices or ())
    return []


def _literal(value: Any, pattern: bool) -> str:
    """A value as a filter writes it; behind `like` its own wildcards are escaped."""
    if not isinstance(value, str):
        return shown(value)
    return quoted(_WILD.sub(r"\\\1", value) if pattern else value)
