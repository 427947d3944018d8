"""Links parts of values: `Kestrel` for Kestrel Shipping, `Delta Marine` for Delta Marine Ltd.

Every property with such values is linked, with all of its values that contain the words.
"""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from backend.language.common_words import CARRIERS, LIGHT_VERBS, PARTICLES
from backend.language.frequent_words import is_english
from backend.language.nouns import singular
from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.chart import Features
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.tables.value_index import phrase_of

_LONGEST = 5
_JOINING = frozenset({"&", "and", "of", "the", "."})
"""What may stand between the words of a name: `Fern & Daughters`."""
_SHORTEST = 3
_MOST = 4
"""A word in more values of a property is not a short name for one of them."""
_MOST_KEPT = 500
_FEW = 40
"""In a property with at most this many values, a common lower-case word may be part of one."""


@dataclass(frozen=True)
class PartOfValues:
    """Tokens `start` to `end` as part of some values of a property."""

    start: int
    end: int
    prop: Property
    values: tuple[str, ...]
    features: Features


def parts_of_values(tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[PartOfValues]:
    """All values that are longer than the words that name them."""
    for start in range(len(tokens)):
        shared: Set[tuple[str, str]] | None = None
        for end in range(start + 1, min(len(tokens), start + _LONGEST) + 1):
            if shared and tokens[end - 1].lower in _JOINING:
                continue
            if not _may_name(tokens, end - 1):
                break
            holding = _holding(tokens[end - 1], vocabulary)
            shared = holding if shared is None else shared & holding
            if not shared:
                break
            yield from _of_fields(tokens, start, end, shared, vocabulary)


def other_forms(
    tokens: Sequence[Token], vocabulary: Vocabulary
) -> Iterator[tuple[int, str, str, str]]:
    """The position of each word that abbreviates or inflects a value, with the feature for which,
    the field and the value: `LA` for Los Angeles, `refund` for Refunded.
    """
    for i in range(len(tokens)):
        for how, field, value in _forms_at(tokens, i, vocabulary):
            yield i, how, field, value


def _forms_at(
    tokens: Sequence[Token], i: int, vocabulary: Vocabulary
) -> Iterator[tuple[str, str, str]]:
    token = tokens[i]
    if token.kind != "word" or vocabulary.values_at(tokens, i)[0]:
        return
    short = token.text.isupper() and len(token.text) > 1
    if not short and (len(token.stem) <= _SHORTEST or _is_idle(token.lower)):
        return
    listed = vocabulary.values.other_forms.get(token.text if short else token.stem, ())
    for field in sorted({field for field, _ in listed}):
        values = [value for other, value in listed if other == field]
        if len(values) == 1 and not vocabulary.values.is_never(field, phrase_of(values[0])):
            yield "value: initials" if short else "value: another form", field, values[0]


def _is_idle(word: str) -> bool:
    return word in FUNCTION_WORDS | PARTICLES or word in LIGHT_VERBS


def _may_name(tokens: Sequence[Token], i: int) -> bool:
    token = tokens[i]
    word = token.lower
    plain = _is_idle(word) or word in CARRIERS
    noun = token.text[:1].isupper() or (tokens[i - 1 : i] and tokens[i - 1].lower == "the")
    short = len(word) < _SHORTEST + (not noun)
    return token.kind == "word" and not short and not plain


def _holding(token: Token, vocabulary: Vocabulary) -> Set[tuple[str, str]]:
    """The values that contain a word, by field; cached, because a common word occurs in
    thousands.
    """
    kept = vocabulary.values.holding
    if token.lower not in kept:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        known = vocabulary.values.parts
        listed = known.get(token.lower) or known.get(singular(token.lower)) or ()
        kept[token.lower] = frozenset((field, v) for field, v in listed if isinstance(v, str))
    return kept[token.lower]


def _of_fields(
    tokens: Sequence[Token], start: int, end: int, shared: Set[tuple[str, str]],
    vocabulary: Vocabulary,
) -> Iterator[PartOfValues]:  # fmt: skip
    words = tokens[start:end]
    length, whole = vocabulary.values_at(tokens, start)
    whole = whole if length >= end - start else []
    if end == start + 1:  # "failed" is a result, rather than part of "gate hinge failed"
        forms = _forms_at(tokens, start, vocabulary)
        whole = [*whole, *((field, value) for _, field, value in forms)]
    named = {field for field, _ in whole}
    counts = Counter(field for field, _ in shared)
    few = {field for field, count in counts.items() if count <= _MOST and field not in named}
    among: dict[str, list[str]] = {field: [] for field in few}
    for field, value in shared if few else ():
        if field in few:
            among[field].append(value)
    for field in sorted(few):
        prop, values = vocabulary.get(field), tuple(sorted(among[field]))
        if prop is None or prop.own or prop.key:
            continue
        lines = vocabulary.values.lines
        if all(field in lines.get(singular(token.lower), ()) for token in words):
            continue  # the long values with these words are meant as well
        common = all(is_english(t.lower) and not t.text[:1].isupper() for t in words)
        if common and (whole or len(vocabulary.values.counts.get(field, ())) > _FEW):
            continue
        features = [("value", 1.0), ("value: part", 1.0), ("value: words", float(len(words)))]
        if len(values) > 1:
            features.append(("value: part of several", 1.0))
        if common:
            features.append(("value: part by common words", 1.0))
        elif not any(is_english(token.lower) for token in words):
            features.append(("value: part by a name", 1.0))
        if any(token.stem in other.parts for token in words for other in vocabulary.properties):
            features.append(("value: names a property", 1.0))
        if any(token.stem in vocabulary.nouns for token in words):
            features.append(("value: noun", 1.0))
        yield PartOfValues(start, end, prop, values, tuple(features))
