"""Ranked proposals for a position: properties, operators, values and keywords."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from rapidfuzz import fuzz, process

from backend.language.words import IN_NAMES
from backend.search.completion.position import Position, position_at
from backend.search.facets import counts_of, property_kinds
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
# Grammar terminals other than names, operators and values.
_WORDS: Final = {
    "_AND": "and", "_OR": "or", "_NOT": "not", "_LIKE": "like", "_IN": "in (", "_IS": "is",
    "_NULL": "null", "LPAR": "(", "RPAR": ")", "COMMA": ",",
}  # fmt: skip
_BEHIND_A_NAME: Final = frozenset(("_NOT", "_LIKE", "_IN", "_IS"))
_WITHIN_A_CONDITION: Final = frozenset(("_LIKE", "_IN", "_NULL"))
_VALUES: Final = frozenset(("STRING", "NUMBER", "TRUE", "FALSE", "WORD"))

_LIKENESS = 70.0
_LEAST_TYPED = 3  # shorter input gets no fuzzy matches
_MOST_COMPARED = 20_000
_LONGEST_VALUE = 200
_WILD = re.compile(r"([%_\\])")
_WORDY = re.compile(rf"[{IN_NAMES}`]").match


def completions(table: TableView, schema: Schema | None, request: CompletionRequest) -> Completions:
    """Proposals for the cursor position of the request."""
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
    """Adds a leading blank where the text would run into the word before it."""
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
            self._subject()  # raises for an unknown property, so nothing is proposed for it
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
        """The shortest form that means this property and no other."""
        inner = [Path(path.parts[1:])] if path.parts[0] == ENTITY and len(path.parts) > 1 else []
        for form in (*inner, path):
            if resolved(form, self._is_known) == path:
                return form.bare
        return path.spelt

    def _is_known(self, path: Path) -> bool:
        return path in self._kinds or path.parts in self._table.columns

    def _holders(self, path: Path) -> int:
        column = self._table.columns.get(path.parts)
        if column is None:
            return 0
        key = ("holders", path)
        if key not in self._table.cache:
            self._table.cache[key] = column.counts(self._table.alive)[1]
        holders: int = self._table.cache[key]
        return holders

    # -- operators and values -------------------------------------------------------------------

    def _subject(self) -> Path:
        """The property of the condition; Invalid when it is unknown."""
        path = self._position.path
        assert path is not None, "the grammar allows no operator or value before a name"
        known = resolved(path, self._kinds.__contains__)
        if known is None:
            near = hint(path, self._kinds)
            raise fault(f"no property is called {path.text!r}{near}", path.column)
        return known

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
        known = _known(self._table, path, self._kinds[path])
        matches = _matching(known, wanted, self._limit) if known else []
        pattern = "WORD" in self._position.terminals
        for value, count in matches:
            if not quote or isinstance(value, str):
                yield Completion(text=_literal(value, pattern), kind="value", count=count)
        proposed = {value for value, _ in matches}
        for value in _promised(self._schema, path)[: self._limit]:
            if value not in proposed and str(value).lower().startswith(wanted):
                yield Completion(text=_literal(value, pattern), kind="value", count=0)


@dataclass(frozen=True)
class _Known:
    """The values of a column, most frequent first: in lower case, with their places and counts."""

    column: ColumnView
    folded: pl.Series
    places: Counts
    counts: Counts

    def entry(self, rank: int) -> tuple[Scalar, int]:
        """The value at a rank in its original form, and how many documents have it."""
        place = int(self.places[rank])
        return self.column.value(place), int(self.counts[place])


def _known(table: TableView, path: Path, kind: str) -> _Known | None:
    """None where no document has the property."""
    column = table.columns.get(path.parts)
    key = ("values", path, kind)
    if column is None or key in table.cache:
        return table.cache.get(key)
    counts, _ = counts_of(column, kind, table.alive)
    places = np.flatnonzero(counts)
    places = places[np.argsort(-counts[places], kind="stable")]
    folded = column.values.folded(column.count).gather(places)
    fitting = (folded.str.len_bytes() <= _LONGEST_VALUE).to_numpy()
    known = table.cache[key] = _Known(column, folded.filter(fitting), places[fitting], counts)
    return known


def _matching(known: _Known, wanted: str, limit: int) -> list[tuple[Scalar, int]]:
    """Values that start with the typed text, then those that contain it, then similar ones."""
    beginning = known.folded.str.starts_with(wanted).arg_true().head(limit).to_list()
    places = dict.fromkeys(beginning)
    if len(places) < limit and wanted:
        containing = known.folded.str.contains(wanted, literal=True)
        places |= dict.fromkeys(containing.arg_true().head(limit + len(places)).to_list())
    if len(places) < limit and len(wanted) >= _LEAST_TYPED:
        similar = process.extract(
            wanted,
            known.folded.head(_MOST_COMPARED).to_list(),
            scorer=fuzz.ratio,
            score_cutoff=_LIKENESS,
            limit=limit,
        )
        places |= dict.fromkeys(place for _, _, place in similar)
    return [known.entry(rank) for rank in list(places)[:limit]]


def _best(wanted: str, names: Mapping[Path, str], limit: int) -> list[Path]:
    """Names ordered like values: prefix, word prefix, substring, similar. Ties in schema order."""

    def distance(name: str) -> int | None:
        if name.startswith(wanted):
            return 0
        if any(word.startswith(wanted) for word in re.split(r"[\W_]+", name)):
            return 1
        return 2 if wanted in name else None

    ranked = [(far, path) for path, name in names.items() if (far := distance(name)) is not None]
    best = [path for _, path in sorted(ranked, key=lambda item: item[0])]
    if not best and len(wanted) >= _LEAST_TYPED:
        similar = process.extract(
            wanted, dict(names), scorer=fuzz.WRatio, score_cutoff=_LIKENESS, limit=limit
        )
        best = [path for _, _, path in similar]
    return best[:limit]


def _plain(name: str) -> str:
    """A name as typed: lower case, without quotes and without optional prefixes."""
    bare = re.sub(r"[\"'`\\]", "", name).lower()
    for part in ("properties", ENTITY):
        bare = bare.removeprefix(f"{part}.")
    return "" if bare and "properties".startswith(bare) and len(bare) > 4 else bare


def _promised(schema: Schema | None, path: Path) -> list[Any]:
    """The choices that the schema defines for a property."""
    for promised, shape in schema_paths(schema):
        if promised == path:
            return list((shape.item_type or shape).choices or ())
    return []


def _literal(value: Any, pattern: bool) -> str:
    """A value as a filter literal; with `pattern`, wildcards in it are escaped for `like`."""
    if not isinstance(value, str):
        return shown(value)
    return quoted(_WILD.sub(r"\\\1", value) if pattern else value)
