"""The properties of a collection: names, measures and contents.

Read from the schema and the columns; how words are matched to them is decided elsewhere.
"""

import re
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any

import polars as pl

from backend.language.common_words import is_past
from backend.language.frequent_words import is_english
from backend.language.opposites import opposites
from backend.language.scales import Scale, scale_of
from backend.language.units import Unit, property_unit, rated_unit, unit_word
from backend.language.words import FUNCTION_WORDS, stem, words
from backend.plans.reading.descriptions import (
    KIND_WORDS,
    contrasted,
    down_is_good,
    gap_words,
    goes_on,
    kind_of,
    other_name,
    stated_per,
    truth_of,
    without_contrast,
    without_gaps,
    without_judgement,
)
from backend.plans.tables.value_index import ValueIndex
from workbench.contract.coverage import field_words
from workbench.contract.plan_columns import DATED, NUMERIC, size_field
from workbench.contract.plan_nodes import ENTITY
from workbench.contract.schema import PropertyKind

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Words in names and descriptions that say what kind of thing a property is, not which one.
WEAK = frozenset(
    stem(word)
    for word in """
    count number num no total id code name value amount identifier unique kind type whether
    given per such as key of the a in and or figures us
    """.split()  # noqa: SIM905
)
_BIRTH_WORDS = frozenset(map(stem, ("birth", "born", "birthday", "birthdate", "dob")))
_AGE_WORDS = _BIRTH_WORDS | {stem("age")}
_FIRST_YEAR, _LAST_YEAR = 1000, 3000
_FIRST_DATED, _LAST_DATED = 1400, 2200
KEY_WORDS = frozenset(
    """
    id no nr num number code key identifier ref reference uid uuid
    """.split()  # noqa: SIM905
)
# Unique whole numbers may be measurements: only these names make them keys.
_IDS = frozenset({"id", "key", "identifier", "uid", "uuid"})
_PEOPLE = frozenset({"who", "whose", "person", "people"})
_MEMBERS = frozenset(
    stem(word)
    for word in """
    attendees employees guests households inhabitants members participants passengers patients
    pupils residents seats spectators staff students subjects visitors workers
    """.split()  # noqa: SIM905
)
_FEW, _OWN = 10, 0.85
_FEW_STEPS = 12
_KINDS = frozenset(map(stem, KIND_WORDS)) & WEAK
_PER = stem("per")
_BEGINNING = 3
"""The first words of a description say what the property is."""


@dataclass(frozen=True)
class Property:
    """A property and the stems that can name it. `weak` parts of its name help only beside others.

    `key` marks the number or code of a document: unique, and meant only if named as such. `aside`
    are stems of the name and the description for what it belongs to rather than what it is:
    `ruling` in `days_to_ruling`. `stated_kind` are weak words that its description begins with:
    `Treatment type: …`. `head` is the stem of the head noun: `rent` in `monthly_rent`, `bid` in
    `bids_received`. `nothing` is the value that means none, such as `none` among treatments. `own`
    marks the name or title of a document, which is nearly unique. `of_people` means that its values
    are people, `gaps` that some documents lack it; `gap_words` are words for such documents, and
    `unended` means that they are still ongoing. `denied_by` are adjectives that negate it,
    `down_is_good` means that low values are good, `scale` is the order of its values, `each` the
    time that an amount refers to, as the month of a monthly rent, `kind_of` the thing that it
    classifies. `description_stems` are all stems of its description, including those that steer
    requests, as `final` in `final bill`; `first_word` is its first meaningful word, such as
    `rating`, and `other_name` the stems of the noun phrase at its start, of which those
    in `other_head` suffice. `last_part` is the last word of its name; `description` is the original
    text.
    """

    field: str
    kind: PropertyKind
    parts: tuple[str, ...]
    weak: frozenset[str]
    suffix: frozenset[str]
    described: frozenset[str]
    unit: Unit | None
    stated_kind: frozenset[str] = frozenset()
    head: str = ""
    aside: frozenset[str] = frozenset()
    low: Any = None
    high: Any = None
    key: bool = False
    nothing: str | None = None
    own: bool = False
    of_people: bool = False
    gaps: bool = False
    gap_words: frozenset[str] = frozenset()
    unended: bool = False
    denied_by: frozenset[str] = frozenset()
    down_is_good: bool = False
    scale: Scale | None = None
    each: str | None = None
    kind_of: frozenset[str] = frozenset()
    description_stems: frozenset[str] = frozenset()
    first_word: str = ""
    other_name: tuple[str, ...] = ()
    other_head: frozenset[str] = frozenset()
    last_part: str = ""
    description: str = ""

    @property
    def label(self) -> str:
        """The name as people say it."""
        return field_words(self.field)

    @property
    def numeric(self) -> bool:
        return self.kind in NUMERIC

    @property
    def worded(self) -> bool:
        """Whether its values are words, free or from a list."""
        return self.kind in ("string", "choice")

    @property
    def dated(self) -> bool:
        return self.kind in DATED

    @property
    def names_things(self) -> bool:
        """Whether whole numbers are identifiers, as `room_number` and `zip_code`: they can be
        compared and counted, but not added.
        """
        return self.kind == "int" and self.last_part in KEY_WORDS

    @property
    def counts_people(self) -> bool:
        """Whether it is a number of people in a document: `participants`."""
        return self.kind == "int" and bool(_MEMBERS & {*self.parts, *self.described})

    @property
    def is_rate(self) -> bool:
        """Whether it is an amount per something other than a time: `price per litre`."""
        return _PER in self.other_name and self.each is None

    @property
    def is_year(self) -> bool:
        """Whether its values are numbers like 2022."""
        named = self.numeric and stem("year") in (*self.parts, *self.weak)
        if self.kind == "int" and stem("year") in self.described and self.low is not None:
            return bool(_FIRST_DATED <= self.low <= self.high <= _LAST_DATED)
        return named and (self.low is None or _FIRST_YEAR <= self.low <= self.high <= _LAST_YEAR)

    @property
    def is_age(self) -> bool:
        """Whether the oldest have its highest value."""
        return self.numeric and not self.is_year and not _AGE_WORDS.isdisjoint(self.parts)

    @property
    def is_birth(self) -> bool:
        """Whether it is a date of birth: the oldest have its lowest value."""
        return self.dated and not _BIRTH_WORDS.isdisjoint(self.parts)


def read_property(
    name: str, kind: PropertyKind, description: str, column: pl.Series, values: ValueIndex
) -> Property:
    """Builds a property from its name, its description and the values of its column."""
    parts = [part.lower() for part in _PARTS.findall(name.removeprefix(ENTITY))]
    described = words(without_judgement(without_gaps(description)))
    denied = frozenset[str]()
    if kind == "bool":
        described = words(without_contrast(without_judgement(without_gaps(description))))
        described = [word for word in described if word.lower() not in truth_of(description)]
        denied = opposites(_antonym_stems(parts, described)) | contrasted(description)
    unit = property_unit(parts, described) if kind in NUMERIC else None
    is_unit = len(parts) > 1 and unit is not None and kind in NUMERIC
    tail = {stem(parts[-1])} if is_unit and _is_suffix(parts[-1]) else set()
    if is_unit and rated_unit(parts) is not None:
        tail = {stem(part) for part in parts[-2:]}
    stems = [stem(part) for part in parts if part not in FUNCTION_WORDS]
    if not stems:  # "done_on"
        stems = [stem(part) for part in parts if part not in _PREPOSITIONS]
    strong = tuple(dict.fromkeys(s for s in stems if s not in WEAK and s not in tail))
    low = high = None
    if kind in NUMERIC or kind in DATED:
        low, high = column.min(), column.max()
    filled = len(column) - column.null_count()
    worded = kind in ("string", "choice")
    called, enough = ((), 0) if kind == "bool" else other_name(description)
    return Property(
        field=name,
        kind=kind,
        parts=strong or tuple(s for s in dict.fromkeys(stems) if s not in tail),
        weak=frozenset(s for s in stems if strong and s not in strong and s not in tail),
        suffix=frozenset(tail),
        described=frozenset(
            stem(w)
            for w in described
            if w.lower() not in FUNCTION_WORDS and stem(w) not in WEAK and not w.isdecimal()
        ),
        unit=unit,
        stated_kind=frozenset(map(stem, described[:_BEGINNING])) & _KINDS,
        head=_head([part for part in parts if stem(part) in strong], _aside(parts, described)),
        aside=_aside(parts, described),
        low=low,
        high=high,
        key=bool(parts) and _is_key(parts[-1], kind, column, values.counts.get(name)),
        own=kind == "string"
        and filled > max(_FEW, _OWN * len(column))
        and len(values.counts.get(name, ())) > _OWN * filled,
        nothing=_nothing(values, name) if column.dtype == pl.String else None,
        of_people=worded and bool(_PEOPLE & {w.lower() for w in (*parts, *described)}),
        gaps=filled < len(column) or (kind == "array" and column.list.len().min() == 0),
        gap_words=gap_words(description),
        unended=goes_on(description),
        denied_by=denied,
        down_is_good=kind in NUMERIC and down_is_good(description),
        scale=_scale(values, name, [*parts, description]) if worded else None,
        kind_of=kind_of(description) if worded else frozenset(),
        each=stated_per(" ".join([*parts, description])) if kind in NUMERIC else None,
        description_stems=frozenset(stem(w) for w in described if w.lower() not in FUNCTION_WORDS),
        first_word=next(
            (w.lower() for w in described if w.lower() not in FUNCTION_WORDS | _THE), ""
        ),
        other_name=called,
        other_head=frozenset(called[:enough]) - WEAK,
        last_part=parts[-1] if parts else "",
        description=description,
    )


def _aside(parts: Sequence[str], described: Sequence[str]) -> frozenset[str]:
    """The stems behind a preposition, other than that of `number of …`, in a name and in a
    description, unless they also appear before it.
    """
    lowered = [word.lower() for word in described]
    named = parts[2:] if len(parts) > 2 and parts[1] == "of" and parts[0] in _COUNTS else parts
    while lowered and stem(lowered[0]) in WEAK | _THE:
        lowered = lowered[1:]
    heads = {stem(word) for word in [*_until_preposition(named), *_until_preposition(lowered)]}
    return frozenset(stem(word) for word in (*parts, *lowered)) - heads


def _head(parts: Sequence[str], aside: frozenset[str]) -> str:
    about = [part for part in parts if stem(part) not in aside and not is_past(part)]
    return stem(about[-1]) if about else ""


def _until_preposition(parts: Sequence[str]) -> Sequence[str]:
    ends = [i for i, word in enumerate(parts) if word in _PREPOSITIONS and i]
    return parts[: ends[0]] if ends else parts


_THE = frozenset({"the", "of", "how", "many", "much", "whether", "if", "who", "which", "what"})
_COUNTS = frozenset({"number", "no", "nr", "num", "count", "total", "amount", "quantity"})
_PREPOSITIONS = frozenset(
    """
    of to from in on at by with for per until since before after during that which who whose when
    where as into through than
    """.split()  # noqa: SIM905
)


def size_of(array: Property) -> Property:
    """The length of an array as a property of its own."""
    return Property(
        field=size_field(array.field), kind="int", parts=array.parts, weak=array.weak | {"count"},
        suffix=frozenset(), described=array.described, unit=None, low=0,
    )  # fmt: skip


def _antonym_stems(parts: Sequence[str], described: Sequence[str]) -> frozenset[str]:
    return frozenset((*parts, *(word.lower() for word in described)))


def _scale(values: ValueIndex, name: str, described: Sequence[str]) -> Scale | None:
    counts = values.counts.get(name, {})
    return scale_of(list(counts), " ".join(described)) if len(counts) <= _FEW_STEPS else None


def _nothing(values: ValueIndex, name: str) -> str | None:
    return min(values.nothings.get(name, ()), default=None)


def _is_key(last_part: str, kind: PropertyKind, column: pl.Series, counts: Sized | None) -> bool:
    """Whether its name and its unique values make a property a key."""
    named = {"string": KEY_WORDS, "int": _IDS}.get(kind, frozenset())
    filled = len(column) - column.null_count()
    if last_part not in named or filled < 2:
        return False
    return filled == (column.drop_nulls().n_unique() if counts is None else len(counts))


def _is_suffix(part: str) -> bool:
    """Whether the last part of a name is a unit abbreviation, not a word like `hours`."""
    return part not in ("hours", "days", "years", "months", "minutes", "miles") and (
        unit_word(part) is not None or (len(part) <= 4 and not is_english(part))
    )
