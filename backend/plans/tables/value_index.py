"""Finds the distinct values of the properties of a collection by their words.

An index is immutable. A successor is derived from it in time proportional to the number of added
and removed values.
"""

import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from backend.language.abbreviations import other_spellings
from backend.language.demonyms import other_names
from backend.language.nouns import own_nouns, singular
from backend.language.tokens import composed, tokenise
from backend.language.words import FUNCTION_WORDS, stem, words
from workbench.contract.plan_nodes import ENTITY
from workbench.contract.schema import Schema

FieldValue = tuple[str, Any]
"""A field, and one of its values."""
Phrase = tuple[str, ...]
"""The words of a value, each in the singular."""
Counts = Mapping[str, Mapping[str, int]]
"""How many documents have which value, by field."""
Glosses = Mapping[str, Mapping[str, Sequence[Phrase]]]
"""Other words for values, by field and value."""

_MOST_VALUES = 20_000
_FEW_VALUES = 200
"""Fields with more values are names, and an abbreviation of one name fits others."""
_LONGEST_VALUE = 8
_LONGEST_LINE = 20
"""The number of words in a value such as a postal address; longer values are text."""
_PLAIN = re.compile(r"[A-Za-z]+(?: (?:[A-Za-z]+|\d{1,9}))*")
_GLOSS = re.compile(r"(?<!\w)(?<!\w-)(\w[\w-]*+(?: ++[\w-]++)*+)\s*+\(([^)]+)\)")
_NOTHING = frozenset({"none", "no", "nothing", "nil", "n/a", "not applicable", "-"})
_LONGEST_NOTHING = 16


@dataclass(frozen=True)
class ValueIndex:
    """Values by their first word (`phrases`), and by each of their longer words (`parts`).

    At most `_MOST_VALUES` values of a field are indexed by word, counted in `indexed`; `counts` has
    all values. `singles` has the stems of one-word values and glosses by field, `nothings` the
    values that mean no value, such as `none` among treatments. `never` has the stems of words that
    are not values by themselves, such as the noun for the documents, except in `chosen` fields,
    whose values the schema lists; `common` has the values of one word that most documents contain,
    by its stem: they are not meant by the word alone either.

    `lines` counts, by word and field, values such as addresses, of which a question names only a
    part.
    """

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    phrases: dict[str, list[tuple[Phrase, FieldValue]]] = field(default_factory=dict)
    parts: dict[str, list[FieldValue]] = field(default_factory=dict)
    singles: dict[str, Counter[str]] = field(default_factory=dict)
    nothings: dict[str, frozenset[str]] = field(default_factory=dict)
    indexed: Counter[str] = field(default_factory=Counter)
    never: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    common: Mapping[str, Sequence[FieldValue]] = field(default_factory=dict)
    lines: dict[str, Counter[str]] = field(default_factory=dict)

    @cached_property
    def holding(self) -> dict[str, frozenset[tuple[str, str]]]:
        """Cache of the values that contain a word."""
        return {}

    def of_field(self, name: str) -> list[str]:
        """The distinct values of a field, sorted."""
        return sorted(map(str, self.counts.get(name, ())))

    def meant_of_field(self, name: str) -> list[str]:
        """Those of them that words can mean without naming the field."""
        return [value for value in self.of_field(name) if not self.is_never(name, phrase_of(value))]

    def equal_to(self, text: str) -> list[FieldValue]:
        """The values equal to a text, ignoring case."""
        first = phrase_of(text)[:1]
        among = self.phrases.get(first[0], ()) if first else ()
        equal = (item for _, item in among if str(item[1]).lower() == text.lower())
        return list(dict.fromkeys(equal))

    def is_never(self, name: str, phrase: Phrase) -> bool:
        """Whether a value, as `phrase_of` gives it, is never meant without its property."""
        if len(phrase) != 1 or name in self.chosen:
            return False
        word = stem(phrase[0])
        return word in self.never or any(name == other for other, _ in self.common.get(word, ()))

    def without_common(self, frequent: Set[str], most: float, glosses: Glosses) -> "ValueIndex":
        """The index in which words of most documents, given as stems, are no values by themselves.
        Values that more than `most` documents have remain: their texts just state them.
        """
        singles = {
            (name, word)
            for name, stems in self.singles.items()
            if name not in self.chosen
            for word in frequent & stems.keys()
        }
        rare = [
            (stem(phrase[0]), (name, value))
            for entries in (self.phrases.values() if singles else ())
            for phrase, (name, value) in entries
            if len(phrase) == 1
            and (name, stem(phrase[0])) in singles
            and self.counts[name][value] <= most
            and phrase == phrase_of(value)
        ]
        if not rare:
            return self
        changing = _Changing(self, glosses)
        common = dict(self.common)
        for word, item in rare:
            common[word] = [*common.get(word, ()), item]
            changing.hide(*item)
        return replace(changing.done(), common=common)

    def beginning(self, letters: str) -> list[str]:
        """The words of values with that prefix."""
        known = self.part_words
        return known[bisect_left(known, letters) : bisect_left(known, letters + "\uffff")]

    @cached_property
    def part_words(self) -> list[str]:
        """All words in `parts`, sorted."""
        return sorted(self.parts)

    @cached_property
    def spellings(self) -> dict[str, str]:
        """The longer words of the values in lower case, each with one of its spellings."""
        spelled: dict[str, str] = {}
        for phrases in self.phrases.values():
            for _, (_, value) in phrases:
                spelled.update(_spelled(str(value)))
        return spelled

    @cached_property
    def other_forms(self) -> dict[str, list[tuple[str, str]]]:
        """Fields with values by their initials, in capitals, or by the stem of their only word.
        Fields with more than `_FEW_VALUES` values have none.
        """
        forms: dict[str, list[tuple[str, str]]] = {}
        for name, counts in self.counts.items():
            for value in counts if len(counts) <= _FEW_VALUES else ():
                parts = [part for part in str(value).split() if part.isalpha()]
                if len(parts) == len(str(value).split()) and parts:
                    initials = "".join(part[0] for part in parts)
                    form = stem(parts[0].lower()) if len(parts) == 1 else initials.upper()
                    forms.setdefault(form, []).append((name, str(value)))
        return forms

    def changed(self, gone: Counts, come: Counts, glosses: Glosses) -> "ValueIndex":
        """The index after documents with the values of `gone` were replaced by others."""
        changing = _Changing(self, glosses)
        for name in dict.fromkeys([*come, *gone]):
            less, more = gone.get(name, {}), come.get(name, {})
            if less != more:
                changing.field(name, less, more)
        return changing.done()


class _Changing:
    """An index under construction: changed parts are copied first, everything else is shared."""

    def __init__(self, before: ValueIndex, glosses: Glosses) -> None:
        self._before = before
        self._glosses = glosses
        self._index = ValueIndex(
            dict(before.counts), dict(before.phrases), dict(before.parts),
            dict(before.singles), dict(before.nothings), Counter(before.indexed),
            before.never, before.chosen, before.common, dict(before.lines),
        )  # fmt: skip
        self._own: set[tuple[str, str]] = set()
        self._added: list[str] = []
        self._removed: list[str] = []

    def field(self, name: str, gone: Mapping[str, int], come: Mapping[str, int]) -> None:
        index = self._index
        counts = index.counts[name] = dict(index.counts.get(name, {}))
        for value, number in come.items():
            before = counts.get(value, 0)
            counts[value] = before + number
            if not before:
                self._add(name, value)
        for value, number in gone.items():
            counts[value] -= number
            if counts[value] <= 0:
                del counts[value]
                self.hide(name, value)
        if not counts:
            for table in (index.counts, index.singles, index.nothings, index.indexed):
                table.pop(name, None)

    def done(self) -> ValueIndex:
        """The finished index, with the sorted words of its predecessor updated."""
        index, before = self._index, self._before
        words_met = {word for which, word in self._own if which == "parts"}
        if "part_words" in before.__dict__ and len(words_met) < _FEW:
            listed = list(before.part_words)
            for word in words_met:
                if word in index.parts and word not in before.parts:
                    insort(listed, word)
                elif word in before.parts and word not in index.parts:
                    listed.remove(word)
            index.__dict__["part_words"] = listed
        if "spellings" in before.__dict__:
            spelled = dict(before.spellings)
            for value in self._removed:
                for word in _spelled(value):
                    if word not in FUNCTION_WORDS and singular(word) not in index.parts:
                        spelled.pop(word, None)
            for value in self._added:
                spelled.update(_spelled(value))
            index.__dict__["spellings"] = spelled
        return index

    def _add(self, name: str, value: str) -> None:
        index = self._index
        if _is_nothing(value):
            index.nothings[name] = index.nothings.get(name, frozenset()) | {value}
        phrase = phrase_of(value) if index.indexed[name] < _MOST_VALUES else ()
        if len(phrase) > _LONGEST_VALUE:
            self._count_line(name, phrase, 1)
            return
        if not phrase or index.is_never(name, phrase):
            return
        index.indexed[name] += 1
        self._added.append(value)
        item = (name, value)
        for words_of in self._called(name, value, phrase):
            self._listed(index.phrases, "phrases", words_of[0]).append((words_of, item))
            if len(words_of) == 1:
                self._singles(name)[stem(words_of[0])] += 1
        for word in _part_words(phrase):
            self._listed(index.parts, "parts", word).append(item)

    def hide(self, name: str, value: str) -> None:
        """Words no longer lead to the value; the documents that have it are still counted."""
        index = self._index
        if _is_nothing(value):
            index.nothings[name] = index.nothings.get(name, frozenset()) - {value}
        phrase, item = phrase_of(value), (name, value)
        if len(phrase) > _LONGEST_VALUE:
            self._count_line(name, phrase, -1)
            return
        if not phrase or all(other != item for _, other in index.phrases.get(phrase[0], ())):
            return
        index.indexed[name] -= 1
        self._removed.append(value)
        for words_of in self._called(name, value, phrase):
            listed = self._listed(index.phrases, "phrases", words_of[0])
            listed[:] = [entry for entry in listed if entry[1] != item]
            if not listed:
                del index.phrases[words_of[0]]
            if len(words_of) == 1:
                singles, single = self._singles(name), stem(words_of[0])
                singles[single] -= 1
                if not singles[single]:
                    del singles[single]
        for word in _part_words(phrase):
            holders = self._listed(index.parts, "parts", word)
            holders[:] = [other for other in holders if other != item]
            if not holders:
                del index.parts[word]

    def _count_line(self, name: str, phrase: Phrase, number: int) -> None:
        """Counts the words of a long value, or uncounts them with a negative `number`."""
        lines = self._index.lines
        for word in _part_words(phrase) if len(phrase) <= _LONGEST_LINE else ():
            if ("lines", word) not in self._own:
                self._own.add(("lines", word))
                lines[word] = Counter(lines.get(word, ()))
            lines[word][name] += number
            if not lines[word][name]:
                del lines[word][name]

    def _called(self, name: str, value: str, phrase: Phrase) -> Iterator[Phrase]:
        yield phrase
        yield from self._glosses.get(name, {}).get(value, ())
        yield from other_names(value)
        called = {tuple(map(singular, name)) for name in other_spellings(phrase)}
        yield from sorted(called - {phrase})
        if any(word in _NUMERALS for word in phrase[1:]):
            yield tuple(_NUMERALS.get(word, word) for word in phrase)

    def _singles(self, name: str) -> Counter[str]:
        """The stems of a field's one-word values, not shared with another index."""
        if ("singles", name) not in self._own:
            self._own.add(("singles", name))
            self._index.singles[name] = +self._index.singles.get(name, Counter())
        return self._index.singles[name]

    def _listed(self, table: dict[str, list[Any]], which: str, word: str) -> list[Any]:
        """A copy of the list under a word that this index may change."""
        if (which, word) not in self._own or word not in table:
            self._own.add((which, word))
            table[word] = list(table.get(word, ()))
        return table[word]


_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_NUMERALS = {str(number): roman for number, roman in enumerate(_ROMAN, 1)}
_NUMERALS |= {roman: number for number, roman in _NUMERALS.items()}
"""`Phase 3` is also called `phase III`, and vice versa."""
_FEW = 1_000
"""Words that are inserted one by one; more are sorted with all others on demand."""


def _is_nothing(value: str) -> bool:
    return len(value) <= _LONGEST_NOTHING and value.strip().lower() in _NOTHING


def _part_words(phrase: Phrase) -> Iterable[str]:
    return (word for word in set(phrase) if len(word) >= 3 and word not in FUNCTION_WORDS)


def _spelled(value: str) -> dict[str, str]:
    written = value.split(" ") if _PLAIN.fullmatch(value) else words(value)
    return {word.lower(): word for word in written if len(word) >= 4 and word.isalpha()}


def index_for(name: str, schema: Schema) -> ValueIndex:
    """An empty index for the values of a DocSet."""
    labels = [p.name for p in schema.properties if p.kind != "bool"]
    property_words = {stem(word) for label in labels for word in words(label.replace("_", " "))}
    chosen = frozenset(ENTITY + p.name for p in schema.properties if p.choices)
    return ValueIndex(never=own_nouns(name) | property_words, chosen=chosen)


def glosses_of(schema: Schema) -> Glosses:
    """Synonyms for values that descriptions give in parentheses: `IMC (instrument)`."""
    glosses = {ENTITY + prop.name: _glosses(prop.description or "") for prop in schema.properties}
    return {name: of for name, of in glosses.items() if of}


def _glosses(description: str) -> dict[str, list[Phrase]]:
    glosses: dict[str, list[Phrase]] = {}
    for before, inside in _GLOSS.findall(description):
        phrase = tuple(singular(word) for word in words(inside))
        for value in {before, before.rsplit(" ", 1)[-1]} if 0 < len(phrase) <= 3 else ():
            glosses.setdefault(value, []).append(phrase)
    return glosses


_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_UNDERSCORE = re.compile(r"(?<=[a-z])_(?=[a-z\d])|(?<=\d)_(?=[a-z])", re.IGNORECASE)


def phrase_of(value: str) -> Phrase:
    """The words of a value. Plain ones skip the tokeniser, because there are many."""
    if _PLAIN.fullmatch(value):
        return tuple(map(singular, value.split(" ")))
    # requests are also read without possessive endings
    text = _UNDERSCORE.sub(" ", _POSSESSIVE.sub("", composed(value[:200])))
    tokens = (t for t in tokenise(text) if t.kind in ("word", "number", "day"))
    return tuple(singular(t.lower) for t in tokens)
