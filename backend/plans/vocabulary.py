"""The words of one collection: its properties, their values, and what its documents are called.

Made once for each state of a collection. It knows words and fields, nothing of grammar.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import polars as pl

from backend.contract.plan_columns import DATED, NUMERIC
from backend.contract.plan_nodes import ENTITY
from backend.contract.schema import PropertyKind
from backend.plans.collection import Collection
from backend.plans.english import is_english
from backend.plans.lexicon import steering_stems
from backend.plans.nouns import document_nouns, singular
from backend.plans.synonyms import root, synonyms
from backend.plans.tokens import Token
from backend.plans.units import Unit, property_unit, unit_word
from backend.plans.value_index import Held, ValueIndex
from backend.plans.words import FUNCTION_WORDS, stem, words

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Parts of names and words of descriptions that say what sort of thing a property is, not which one.
_WEAK = frozenset(
    stem(word)
    for word in [
        "count",
        "number",
        "num",
        "no",
        "total",
        "id",
        "code",
        "name",
        "value",
        "amount",
        "identifier",
        "unique",
        "kind",
        "type",
        "whether",
        "given",
        "per",
        "such",
        "as",
        "key",
        "of",
        "the",
        "a",
        "in",
        "and",
        "or",
        "figures",
        "us",
    ]
)
_NOT_RARE = 2
_FIRST_YEAR, _LAST_YEAR = 1000, 3000
_KEY_WORDS = frozenset(
    """
    id no nr num number code key identifier ref reference uid uuid
    """.split()  # noqa: SIM905
)
# Whole numbers that differ may as well be measured: only these names make keys of them.
_IDS = frozenset({"id", "key", "identifier", "uid", "uuid"})
_KEY_STEMS = frozenset(stem(word) for word in _KEY_WORDS) | {"ids"}
_DATE = stem("date")
_NUMBER = stem("number")


@dataclass(frozen=True)
class Property:
    """A property and the stems it can be named by. `weak` parts of its name help only beside
    others.

    `key` marks the number or code of a document: one for each, and meant only where it is called
    so. `nothing` is the value that stands for none, such as `none` among treatments.
    """

    field: str
    kind: PropertyKind
    parts: tuple[str, ...]
    weak: frozenset[str]
    suffix: frozenset[str]
    described: frozenset[str]
    unit: Unit | None
    low: Any = None
    high: Any = None
    key: bool = False
    nothing: str | None = None

    @property
    def label(self) -> str:
        """The name as people say it."""
        return self.field.removeprefix(ENTITY).replace("_", " ")

    @property
    def numeric(self) -> bool:
        return self.kind in NUMERIC

    @property
    def dated(self) -> bool:
        return self.kind in DATED

    @property
    def is_year(self) -> bool:
        """Whether a number like 2022 is one of its values."""
        named = self.numeric and stem("year") in (*self.parts, *self.weak)
        return named and (self.low is None or _FIRST_YEAR <= self.low <= self.high <= _LAST_YEAR)


@dataclass(frozen=True)
class Meaning:
    """A property that some words may mean; `whole` when they cover its name."""

    prop: Property
    score: float
    whole: bool


@dataclass(frozen=True)
class Vocabulary:
    """Everything that words of a request can be linked to.

    `nouns` are stems that name the documents, `noun_words` whole words that do so; `common` are
    stems that most texts hold, which say little unless a property is named so.
    """

    collection: Collection
    properties: tuple[Property, ...]
    nouns: frozenset[str]
    noun_words: frozenset[str]
    common: frozenset[str]
    text_words: frozenset[str]
    values: ValueIndex = field(repr=False)

    def get(self, name: str) -> Property | None:
        """The property with that canonical field name."""
        return self._by_field.get(name)

    @cached_property
    def _by_field(self) -> dict[str, Property]:
        return {prop.field: prop for prop in self.properties}

    def meanings(self, stems: Sequence[str]) -> list[Meaning]:
        """The properties that all of `stems` together can name, best first."""
        found = [m for prop in self.properties if (m := self._meaning(prop, stems)) is not None]
        return sorted(found, key=lambda m: -m.score)

    def _meaning(self, prop: Property, stems: Sequence[str]) -> Meaning | None:
        score, covered = 0.0, set[str]()
        if prop.key:
            return _key_meaning(prop, stems)
        for word in stems:
            weight = self._weight(prop, word, covered)
            if weight == 0:
                return None
            score += weight
        if not covered and score < 0.5:
            return None
        whole = bool(prop.parts) and covered.issuperset(prop.parts)
        exact = whole and not prop.weak and not prop.suffix
        return Meaning(prop, score + (0.7 if exact else 0.5 if whole else 0.0), whole)

    def _weight(self, prop: Property, word: str, covered: set[str]) -> float:
        if word in prop.parts:
            covered.add(word)
            return float(2 / len(prop.parts) ** 0.5)
        if word in prop.weak or word in prop.suffix:
            return 0.2
        others = synonyms(word) if word != _DATE or prop.dated else frozenset({word})
        alike = others & set(prop.parts) or root(word) in map(root, prop.parts)
        named = float(1.4 / len(prop.parts) ** 0.5) if alike else 0.0
        if word in prop.described and self.rarity[word] <= _NOT_RARE:
            return max(0.9, named)
        if named:
            return named
        if any(_is_head(word, part) for part in prop.parts):
            return 1.0
        if any(other in prop.described and self.rarity[other] <= _NOT_RARE for other in others):
            return 0.6
        return 0.0

    def values_of(self, name: str) -> list[str]:
        """The different values that documents hold in a field of words."""
        return self.values.of_field(name)

    def by_weak_name(self, word: str) -> Meaning | None:
        """The only property with a word such as `value` in its name."""
        found = [prop for prop in self.properties if word in prop.weak]
        return Meaning(found[0], 0.6, False) if len(found) == 1 else None

    def names_part(self, word: str) -> bool:
        """Whether a word is part of the name of a property."""
        return any(word in prop.parts for prop in self.properties)

    @cached_property
    def rarity(self) -> Counter[str]:
        """In how many descriptions a stem occurs."""
        return Counter(word for prop in self.properties for word in prop.described)

    def values_at(self, tokens: Sequence[Token], i: int) -> tuple[int, list[Held]]:
        """The longest value that begins at token `i`: its tokens, and all fields that hold it."""
        best, held = 0, list[Held]()
        for phrase, item in self.values.phrases.get(singular(tokens[i].lower), ()):
            length = _match(phrase, tokens, i)
            if length > best:
                best, held = length, [item]
            elif length == best and length:
                held.append(item)
        return best, held

    def holding(self, word: str) -> list[Held]:
        """The values that hold a word, or else those with a word that begins so."""
        parts = self.values.parts
        if exact := parts.get(word):
            return list(dict.fromkeys(exact))
        if is_english(word):
            # A whole word is no beginning of another, but `recruit` means Recruiting.
            begun = [key for key in self.values.beginning(word[:4]) if stem(key) == stem(word)]
        else:
            begun = self.values.beginning(word)
        return list(dict.fromkeys(item for key in begun for item in parts[key]))

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Words of the collection in lower case, for mending typing errors."""
        found = [word for prop in self.properties for word in words(prop.label)]
        found += [w for p in self.collection.schema.properties for w in words(p.description or "")]
        spoken = {word.lower(): word for word in found if len(word) >= 4 and word.isalpha()}
        return spoken | self.values.spellings


def _is_head(word: str, part: str) -> bool:
    """Whether a word is the last part of a compound: `keeper` of `beekeeper`."""
    tail, whole = root(word), root(part)
    return len(tail) >= 4 and len(whole) > len(tail) + 1 and whole.endswith(tail)


def _key_meaning(prop: Property, stems: Sequence[str]) -> Meaning | None:
    """Keys are named by a word for keys, alone or beside the noun: `loan number`, `ids`."""
    named = [word for word in stems if word in prop.parts]
    called = [word for word in stems if word in _KEY_STEMS]
    if called == [_NUMBER] and not named:
        # "the number" alone is how many there are.
        return None
    if not called or len(named) + len(called) < len(stems):
        return None
    whole = bool(named) and set(prop.parts) <= set(named)
    return Meaning(prop, 2.5 if whole else 0.6, whole)


def _match(phrase: tuple[str, ...], tokens: Sequence[Token], i: int) -> int:
    """How many tokens from `i` on spell `phrase`, 0 when they do not. Signs inside are skipped."""
    j = i
    for k, word in enumerate(phrase):
        while k and j < len(tokens) and tokens[j].text in ("-", ".", "/", "&", "–"):
            j += 1
        if j >= len(tokens) or singular(tokens[j].lower) != word:
            return 0
        j += 1
    return j - i


@dataclass(frozen=True)
class TextWords:
    """Words of the texts of some documents: stems that most of them hold, and all words."""

    frequent: frozenset[str]
    seen: frozenset[str]


def read_vocabulary(collection: Collection, values: ValueIndex, texts: TextWords) -> Vocabulary:
    """The vocabulary of a collection with the index of its values."""
    described = {prop.name: prop for prop in collection.schema.properties}
    properties = []
    for name, kind in collection.fields.items():
        bare = name.removeprefix(ENTITY)
        text = (described[bare].description or "") if bare in described else ""
        properties.append(_property(name, kind, text, collection.table.get_column(name), values))
    keys = [prop for prop in properties if prop.key][:1]
    nouns = document_nouns(collection.name, (part for prop in keys for part in prop.parts))
    return Vocabulary(
        collection,
        tuple(
            _described_otherwise(prop, values.singles.get(prop.field, {}).keys(), nouns)
            for prop in properties
        ),
        nouns,
        frozenset(
            singular(word)
            for name in [collection.name, *(prop.label for prop in keys)]
            for word in words(name.replace("_", " ").replace("-", " "))
            if stem(word) in nouns
        ),
        frozenset(word for word in texts.frequent if word not in values.phrases),
        texts.seen,
        values,
    )


def _described_otherwise(prop: Property, own: Set[str], nouns: frozenset[str]) -> Property:
    """The property without words of its description that mean something else: its values, which
    name themselves, the documents, and words that steer a request.
    """
    return replace(prop, described=prop.described - own - nouns - steering_stems())


def _property(
    name: str, kind: PropertyKind, description: str, column: pl.Series, values: ValueIndex
) -> Property:
    parts = [part.lower() for part in _PARTS.findall(name.removeprefix(ENTITY))]
    described = words(description)
    unit = property_unit(parts, described) if kind in NUMERIC else None
    is_unit = len(parts) > 1 and unit is not None and kind in NUMERIC
    tail = {stem(parts[-1])} if is_unit and _is_suffix(parts[-1]) else set()
    stems = [stem(part) for part in parts if part not in FUNCTION_WORDS]
    strong = tuple(dict.fromkeys(s for s in stems if s not in _WEAK and s not in tail))
    low = high = None
    if kind in NUMERIC or kind in DATED:
        low, high = column.min(), column.max()
    return Property(
        field=name,
        kind=kind,
        parts=strong or tuple(s for s in dict.fromkeys(stems) if s not in tail),
        weak=frozenset(s for s in stems if strong and s not in strong and s not in tail),
        suffix=frozenset(tail),
        described=frozenset(
            stem(w) for w in described if w.lower() not in FUNCTION_WORDS and stem(w) not in _WEAK
        ),
        unit=unit,
        low=low,
        high=high,
        key=_is_key(parts[-1], kind, column),
        nothing=_nothing(values, name) if column.dtype == pl.String else None,
    )


def _nothing(values: ValueIndex, name: str) -> str | None:
    return min(values.nothings.get(name, ()), default=None)


def _is_key(last_part: str, kind: PropertyKind, column: pl.Series) -> bool:
    """Whether a name like that, and values that occur once each, make a property a key."""
    named = {"string": _KEY_WORDS, "int": _IDS}.get(kind, frozenset())
    filled = len(column) - column.null_count()
    return last_part in named and filled > 1 and column.drop_nulls().n_unique() == filled


def _is_suffix(part: str) -> bool:
    """Whether the last part of a name is an abbreviated unit, not a word like `hours`."""
    return part not in ("hours", "days", "years", "months", "minutes", "miles") and (
        unit_word(part) is not None or len(part) <= 4
    )


def words_of_texts(sample: Iterable[str]) -> TextWords:
    """The words of the texts of some documents."""
    counts: Counter[str] = Counter()
    total, seen = 0, set[str]()
    for text in sample:
        total += 1
        found = {word.lower() for word in words(text)}
        seen |= found
        counts.update({stem(word) for word in found})
    most = (
        word
        for word, count in counts.items()
        if total >= 3 and count > 0.6 * total and len(word) > 3 and word not in FUNCTION_WORDS
    )
    return TextWords(frozenset(most), frozenset(seen))
