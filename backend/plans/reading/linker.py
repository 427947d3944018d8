"""Links all spans of a request to their possible meanings.

Meanings are properties, values, numbers, dates and comparisons. This module decides nothing: a span
may be a value of three properties and part of a name as well. Each link has features for how well
it fits, and the chart finds the combinations.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from backend.language.adjectives import (
    ALSO_CALLED,
    COMPARATIVES,
    PLAIN,
    SUPERLATIVES,
    Degree,
    is_compared,
)
from backend.language.common_words import CARRIERS, PARTICIPLES, is_past
from backend.language.frequent_words import is_english
from backend.language.lexicon import phrases
from backend.language.nouns import singular
from backend.language.shorthand import is_short_for
from backend.language.synonyms import root, synonyms
from backend.language.tokens import LETTER, Token
from backend.language.units import measure_of, unit_word
from backend.language.words import FUNCTION_WORDS, stem
from backend.language.words import words as words_of
from backend.plans.reading.askers import asker_links
from backend.plans.reading.chart import Chart, Features, word_kind
from backend.plans.reading.letters import letter_values, signed_values
from backend.plans.reading.linking_ages import AGES, age_links
from backend.plans.reading.linking_amounts import amount_links
from backend.plans.reading.linking_calendar import calendar_links, period_links, time_between
from backend.plans.reading.linking_country_codes import country_code_links
from backend.plans.reading.linking_deadlines import (
    ahead_links,
    deadline_links,
    lead_links,
    stay_links,
)
from backend.plans.reading.linking_documents import document_links
from backend.plans.reading.linking_nouns import link_other_nouns
from backend.plans.reading.linking_numbers import number_links
from backend.plans.reading.linking_parts import other_forms, parts_of_values
from backend.plans.reading.linking_short_names import short_name_links
from backend.plans.reading.linking_targets import target_links
from backend.plans.reading.linking_types import Degreed, Value
from backend.plans.reading.properties import KEY_WORDS, WEAK, Property
from backend.plans.reading.vocabulary import KINDS, Vocabulary
from workbench.contract.plan_nodes import BasicFilter

_INSIDE = frozenset({"of", "the", "a", "an", "-", "/", "in", "for", "'s", "and", "to", "per"})
_LONGEST_NAME = 6
_LONG = 5
_NOTHING: frozenset[str] = frozenset()
_OF_DATES = frozenset(
    map(stem, ("date", "day", "time", "happened", "occurred", "falling", "fell", "committed"))
)
_OF_NUMBERS = frozenset(
    map(
        stem, ("amount", "value", "figure", "level", "concentration", "content", "reading", "count")
    )
)
_OF_TEXTS = frozenset(map(stem, ("name", "number")))
_OF_TIMES = frozenset(map(stem, ("time", "duration")))
_GENERIC: dict[str, frozenset[str]] = {
    "date": _OF_DATES, "datetime": _OF_DATES, "int": _OF_NUMBERS, "float": _OF_NUMBERS,
    "string": _OF_TEXTS,
}  # fmt: skip
"""Words that may accompany the name of a property of some type: `due date` for `due_on`, `phone
number` for `phone`.
"""
_PEOPLE = frozenset(map(stem, ("person", "people", "somebody", "someone", "individual")))
"""Words in descriptions of properties whose values are people."""
_HARD_WORDS = frozenset({"not", "no", "or", "than", "least", "most", "between", "above", "below"})
_CODES = {
    "male": ("m", "male", "man"), "men": ("m", "male", "man"), "man": ("m", "male"),
    "boy": ("m", "male"), "boys": ("m", "male"), "female": ("f", "female", "woman"),
    "women": ("f", "female", "woman"), "woman": ("f", "female"), "girl": ("f", "female"),
    "girls": ("f", "female"), "males": ("m", "male"), "females": ("f", "female"),
    "yes": ("y", "1", "true", "t"), "no": ("n", "0", "false"), "left": ("l", "left"),
    "right": ("r", "right"),
}  # fmt: skip
"""How collections abbreviate common words as single letters or numbers."""
_BY_STATE: Features = (("property", 1.0), ("property: described", 1.0))
_NAMING = frozenset({"Prop", "Val", "Flag"})
"""What words inside the name of the documents do not mean."""
_YES = frozenset({"y", "yes", "true", "t", "1"})
_NO = frozenset({"n", "no", "false", "f", "0"})


def link(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary, today: date) -> None:
    """Adds all links of a request to a chart, except semantic ones, which build on the others."""
    for i, token in enumerate(tokens):
        if length := vocabulary.name_at(tokens, i):
            chart.add(i, i + length, "Noun", None, (("noun: named", 1.0),))
            chart.claim(i, i + length, _NAMING)
        if token.kind in ("word", "sign"):
            chart.add(i, i + 1, word_kind(token.lower), None)
            if token.lower in vocabulary.noun_words or token.stem in vocabulary.nouns:
                named = token.stem in vocabulary.called
                chart.add(i, i + 1, "Noun", None, (("noun: named" if named else "noun", 1.0),))
            elif _is_what_happened(tokens, i, vocabulary):
                chart.add(i, i + 1, "Noun", None, (("noun", 1.0), ("noun: what happened", 1.0)))
            elif token.stem in vocabulary.mentioned_stems:
                chart.add(i, i + 1, "Noun", None, (("noun", 1.0), ("noun: of descriptions", 1.0)))
            done = token.lower in PARTICIPLES or is_past(token.lower)
            if done:
                chart.add(i, i + 1, "Done", None)
            elif token.stem in vocabulary.described_stems:
                chart.add(i, i + 1, "Who", None, (("who did it: described", 1.0),))
            letter = len(token.text) == 1
            if token.kind == "word" and (letter or token.lower not in FUNCTION_WORDS):
                chart.add(i, i + 1, "Word", token.text, (("bare word", 1.0),))
            _link_states(chart, tokens, i, vocabulary)
            if token.lower == "still" and (end := vocabulary.end) is not None:
                going_on = BasicFilter(field=end.field, exists=False)
                chart.add(i, i + 1, "Flag", going_on, (("state: still", 1.0),))
        elif token.kind == "quoted":
            chart.add(i, i + 1, "Quote", token.text)
    _link_properties(chart, tokens, vocabulary)
    _link_values(chart, tokens, vocabulary)
    number_links(chart, tokens, vocabulary, today)
    _link_degrees(chart, tokens, vocabulary)
    age_links(chart, tokens, vocabulary)
    calendar_links(chart, tokens, vocabulary, Value)
    period_links(chart, tokens, vocabulary)
    deadline_links(chart, tokens, vocabulary)
    ahead_links(chart, tokens, vocabulary)
    lead_links(chart, vocabulary)
    stay_links(chart, tokens, vocabulary)
    target_links(chart, tokens, vocabulary)
    amount_links(chart, tokens, vocabulary)
    for part in parts_of_values(tokens, vocabulary):
        chart.add(part.start, part.end, "Val", Value(part.prop, part.values), part.features)
    _link_other_forms(chart, tokens, vocabulary)
    country_code_links(chart, tokens, vocabulary)
    short_name_links(chart, tokens, vocabulary)
    link_other_nouns(chart, tokens, vocabulary)
    asker_links(chart, tokens, vocabulary)
    document_links(chart, tokens, vocabulary)


def _link_states(chart: Chart, tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> None:
    """Links words such as `finished`, and the date by which documents are: `finished in May`."""
    state, features = vocabulary.states.get(tokens[i].lower), (("state word", 1.0),)
    found = [(state, features)] if state is not None else [
        (vocabulary.state_stems[other], (*features, ("state word: another form", 1.0)))
        for other in synonyms(tokens[i].stem) & vocabulary.state_stems.keys()
    ]  # fmt: skip
    for condition, signs in found:
        chart.add(i, i + 1, "Flag", condition, signs)
        date_of = vocabulary.get(condition.field) if condition.exists else None
        spoken = state is not None or is_past(tokens[i].lower)  # "ended", but not "repairs"
        if date_of is not None and date_of.dated and spoken:
            chart.add(i, i + 1, "Prop", date_of, _BY_STATE)


# -- properties


def _link_properties(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    names = [(prop, _name_words(prop)) for prop in vocabulary.properties]
    for start, token in enumerate(tokens):
        if token.kind not in ("word", "number") or token.lower in ("of", "the", "and", "a", "in"):
            continue
        for end in range(start + 1, min(len(tokens), start + _LONGEST_NAME) + 1):
            last = tokens[end - 1]
            if last.kind == LETTER or (last.kind == "sign" and last.text not in "-/_"):
                break
            if last.lower in _INSIDE or last.kind == "sign":
                continue
            phrase = [t for t in tokens[start:end] if t.lower not in _INSIDE]
            counts = [t.lower for t in tokens[start : min(end, start + 2)]] == ["number", "of"]
            for prop, words in names:
                if counts and prop.worded and "number" not in prop.parts:
                    continue  # "number of clerks" counts them
                features = _by_other_name(phrase, prop, vocabulary)
                features = features or _alignment(phrase, prop, words, vocabulary)
                if features is None:
                    continue
                plural = singular(phrase[0].lower) != phrase[0].lower
                mentioned_stems = plural and phrase[0].stem in vocabulary.mentioned_stems
                counted = len(phrase) == 1 and start and tokens[start - 1].lower == "many"
                if counted and _is_their_number(token, prop, vocabulary):
                    continue
                alike = not _ONLY_LIKE_IT.isdisjoint(name for name, _ in features)
                if alike and start and is_compared(tokens[start - 1].lower, token.lower):
                    continue  # "most expensive" is not most of the price
                documents = phrase[0].stem in vocabulary.called or mentioned_stems
                documents = documents or _is_what_happened(tokens, start, vocabulary)
                if len(phrase) == 1 and documents:
                    features = (*features, ("property: called like the documents", 1.0))
                if len(phrase) == 1 and (rival := _names_another(phrase[0].stem, prop, names)):
                    features = (*features, (rival, 1.0))
                chart.add(start, end, "Prop", prop, features)
                if len(phrase) == 1 and _tells_what_happened(token, prop, features):
                    happened = BasicFilter(field=prop.field, exists=True)
                    chart.add(start, end, "Flag", happened, (*features, (_HAPPENED, 1.0)))
                truth = truth_values(prop, vocabulary)
                if truth is not None:
                    condition = BasicFilter.model_validate(
                        {"field": prop.field, "query": truth[0], "match": "exact"}
                    )
                    chart.add(start, end, "Flag", condition, features)


_HAPPENED = "state: what happened"
_COUNTED_BEHIND = ("how many", "number of")


def _is_what_happened(tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> bool:
    """Whether a date is described as that of what is counted: `how many faults were reported` with
    the `day the fault was reported` counts documents, and no kinds of faults.
    """
    if " ".join(token.lower for token in tokens[max(0, i - 2) : i]) not in _COUNTED_BEHIND:
        return False
    word = tokens[i].stem
    if any(p.kind == "string" and word in p.parts for p in vocabulary.properties):
        return False
    done = {token.lower for token in tokens[i + 1 :]}
    for prop in vocabulary.properties:
        own = words_of(prop.description.lower()) if prop.dated else []
        if any(stem(what) == word and was in ("was", "were") and verb in done
               for what, was, verb in zip(own, own[1:], own[2:], strict=False)):  # fmt: skip
            return True
    return False


def _is_their_number(word: Token, prop: Property, vocabulary: Vocabulary) -> bool:
    """Whether a property is the number or code of the documents that a word names: `how many
    invoices` counts documents and not values of `invoice_number`, whether or not they are unique.
    """
    named = word.stem in vocabulary.nouns and vocabulary.nouns.issuperset(prop.parts)
    return named and word.stem in prop.parts and prop.last_part in KEY_WORDS


_ONLY_LIKE_IT = frozenset({"property: described in other words", "property: synonyms"})


def _tells_what_happened(token: Token, prop: Property, features: Features) -> bool:
    """Whether a word states an event whose date some documents lack: `the returned books`. Synonyms
    do not count: everything approved was decided, but not the other way round.
    """
    done = token.lower in PARTICIPLES or is_past(token.lower)
    return done and prop.dated and prop.gaps and not any(n in _ONLY_LIKE_IT for n, _ in features)


def _names_another(
    word: str, prop: Property, names: Sequence[tuple[Property, tuple[str, ...]]]
) -> str:
    """The feature of a word that is the full name of another property."""
    own = next(words for other, words in names if other is prop)
    if own == (word,) or all(words != (word,) for _, words in names):
        return ""
    return (
        "property: part of a name, the name of another"
        if word in own
        else ("property: the name of another")
    )


def _name_words(prop: Property) -> tuple[str, ...]:
    """The stems of a name, in order."""
    return _label_stems(prop.label) or prop.parts


@lru_cache(maxsize=4096)
def _label_stems(label: str) -> tuple[str, ...]:
    words = label.lower().replace("-", " ").split()
    return tuple(stem(word) for word in words if word not in _INSIDE)


def _alignment(
    phrase: Sequence[Token], prop: Property, words: Sequence[str], vocabulary: Vocabulary
) -> Features | None:
    """How well words name a property; None if one of them is unrelated."""
    left = list(words)
    exact = alike = described = described_alike = shared = nouns = generic = 0
    generics = _GENERIC.get(prop.kind, _NOTHING)
    if prop.unit is not None and measure_of(prop.unit.name) == "time":
        generics |= _OF_TIMES
    for token in phrase:
        name = token.stem
        if name in left:
            left.remove(name)
            exact += 1
        elif (same := _like(token, left)) is not None:
            left.remove(same)
            alike += 1
        elif len(phrase) > 1 and unit_word(token.lower) in prop.suffix:
            shared += 1  # "price per kilo" for `price_eur_kg`
        elif len(phrase) > 1 and (name in generics or (name in KINDS and _is_a_kind(prop))):
            generic += 1
        elif name in vocabulary.nouns and len(phrase) > 1:
            nouns += 1
        elif (name in prop.described and vocabulary.rarity[name] <= 2 and name not in _PEOPLE) or (
            len(phrase) == 1 and token.lower == prop.first_word and _asks_nothing(token)
        ):
            described += 1
        elif len(phrase) == 1 and _is_described_alike(token, prop, vocabulary):
            described_alike += 1  # "receipt" for the day on which something was received
        elif name in prop.described and len(phrase) > 1:
            shared += 1  # "actual arrival", if several properties concern the arrival
        elif len(phrase) > 1 and (
            name in prop.description_stems or _is_described_alike(token, prop, vocabulary)
        ):
            shared += 1
        else:
            return None
    named = exact + alike
    if not named and (nouns or not described + described_alike):
        return None
    strong = [word for word in left if word not in prop.weak and word not in prop.suffix]
    if not strong and not named and not described + described_alike:
        return None
    results: list[tuple[str, float]] = [("property", 1.0)]
    if exact == len(words):
        results.append(("property: whole name", 1.0))
    elif named and not strong:
        results.append(("property: all but weak words", 1.0))
    if named:
        results.append(("property: part missing", len(strong) / len(words)))
        if strong and words[-1] in strong:
            results.append(("property: head missing", 1.0))
        if strong and vocabulary.nouns.issuperset(strong):
            results.append(("property: missing part is the documents", 1.0))
    results += [
        ("property: words", float(named)),
        ("property: synonyms", float(alike)),
        ("property: described", float(described)),
        ("property: described in other words", float(described_alike)),
        ("property: shared words", float(shared)),
        ("property: only described", float(not named)),
        ("property: only weak", float(bool(named) and len(strong) == len(prop.parts) and not any(
            token.stem in prop.parts for token in phrase))),
        ("property: nouns", float(nouns)),
        ("property: generic word", float(generic)),
    ]  # fmt: skip
    return tuple((name, amount) for name, amount in results if amount)


def _is_a_kind(prop: Property) -> bool:
    """Whether a property is described as a type, kind or class of something."""
    return prop.worded and bool(prop.stated_kind or prop.kind_of)


def _by_other_name(
    phrase: Sequence[Token], prop: Property, vocabulary: Vocabulary
) -> Features | None:
    """Features of words that form the noun phrase at the start of a description, apart from words
    for the kind of thing; None if they do not, or if more of them are in the name of a property.
    """
    stems = {token.stem for token in phrase}
    head = prop.other_head - vocabulary.nouns
    if any(vocabulary.rarity[word] > 1 for word in head):
        head = frozenset(prop.other_name) - WEAK - vocabulary.nouns
    if not head or not head <= stems or not stems.issubset(prop.other_name):
        return None
    general = _PEOPLE | _GENERIC.get(prop.kind, _NOTHING)
    if stems <= set(_name_words(prop)) or head <= general:
        return None
    return (("property", 1.0), ("property: words", float(len(stems))), (_BY_OTHER_NAME, 1.0))


_BY_OTHER_NAME = "property: by what its description begins with"


def _asks_nothing(token: Token) -> bool:
    """Whether a word does not steer a request, even if its stem does: `rating`."""
    word = token.lower
    return len(word) >= _LONG and (word,) not in phrases() and token.stem not in _PEOPLE


def _is_described_alike(token: Token, prop: Property, vocabulary: Vocabulary) -> bool:
    """Whether a word is a synonym of one in a description: `real` beside `actual`."""
    if token.stem in _GENERIC.get(prop.kind, _NOTHING) or token.stem in _PEOPLE:
        return False
    others = synonyms(token.stem) - {token.stem}
    return any(word in prop.described and vocabulary.rarity[word] <= 2 for word in others)


def _like(token: Token, left: Sequence[str]) -> str | None:
    """The part of a name that a word stands for: a synonym, another form, or an abbreviation."""
    name, word = token.stem, token.lower
    for part in left:
        if part in synonyms(name) or (len(name) > 3 and root(part) == root(name)):
            return part
        if len(part) >= 3 and len(name) > len(part) and is_short_for(part, word):
            return part
        if len(word) >= 3 and len(part) > len(word) + 1 and part.startswith(word):
            return part
    return None


# -- values


def _link_values(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    for i, token in enumerate(tokens):
        if token.kind == "quoted":
            signed = signed_values(token.text, vocabulary)
            for name, value in signed or vocabulary.values.equal_to(token.text):
                _add_value(chart, i, i + 1, vocabulary, name, value, (("value: quoted", 1.0),))
            continue
        if token.kind == "sign":
            continue
        if token.kind == LETTER:
            _add_stored(chart, tokens, i, 1, vocabulary, letter_values(token.text, vocabulary))
            continue
        length, values = vocabulary.values_at(tokens, i)
        code = len(token.text) == 1 and token.text.isupper() and token.text not in "AI"
        if length and (length > 1 or code or token.lower not in FUNCTION_WORDS):
            _add_stored(chart, tokens, i, length, vocabulary, values)
        for name, value in _coded(token, vocabulary):
            _add_value(chart, i, i + 1, vocabulary, name, value, (("value: code", 1.0),))


def _add_stored(
    chart: Chart, tokens: Sequence[Token], i: int, length: int, vocabulary: Vocabulary,
    values: Sequence[tuple[str, object]],
) -> None:  # fmt: skip
    phrase = tokens[i : i + length]
    written = " ".join(token.text for token in phrase)
    for name, value in values:
        same = _letters(written) == _letters(str(value))
        features = [
            ("value", 1.0),
            ("value: words", float(length)),
            ("value: as held", float(same)),
        ]
        if written[:1].isupper() and i:
            features.append(("value: capital", 1.0))
        elif length == 1 and phrase[0].lower in CARRIERS | _HARD_WORDS:
            features.append(("value: common word", 1.0))
        if length == 1 and phrase[0].stem in vocabulary.nouns:
            features.append(("value: noun", 1.0))
        if length == 1 and any(phrase[0].stem in _name_words(p) for p in vocabulary.properties):
            features.append(("value: names a property", 1.0))
        _add_value(chart, i, i + length, vocabulary, name, value, tuple(features))


def _link_other_forms(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    for i, how, name, value in other_forms(tokens, vocabulary):
        features = [("value", 1.0), ("value: words", 1.0), (how, 1.0)]
        if any(tokens[i].stem in _name_words(p) for p in vocabulary.properties):
            features.append(("value: names a property", 1.0))
        _add_value(chart, i, i + 1, vocabulary, name, value, tuple(features))


def _letters(text: str) -> str:
    """A text without punctuation and case, so that `Kestrel Co` matches `Kestrel Co.`."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _add_value(
    chart: Chart, start: int, end: int, vocabulary: Vocabulary, name: str, value: object,
    features: Features,
) -> None:  # fmt: skip
    prop = vocabulary.get(name)
    if prop is None or not isinstance(value, str | int | float | bool):
        return
    if prop.own:
        features = (*features, ("value: of a title", 1.0))
    chart.add(start, end, "Val", Value(prop, (value,)), features)


def _coded(token: Token, vocabulary: Vocabulary) -> Iterator[tuple[str, object]]:
    """The code for words such as `female` among values such as M and F."""
    codes = _CODES.get(token.lower, ())
    for prop in vocabulary.properties if codes else ():
        counts = vocabulary.values.counts.get(prop.field, {})
        if len(counts) > 4 or not prop.worded:
            continue
        for value in counts:
            if value.lower() in codes and value.lower() != token.lower:
                yield prop.field, value


def truth_values(prop: Property, vocabulary: Vocabulary) -> tuple[object, object] | None:
    """The values for yes and no in a property: true and false, Y and N, 1 and 0."""
    if prop.kind == "bool":
        return True, False
    if prop.kind == "int" and (prop.low, prop.high) == (0, 1):
        return 1, 0
    values = list(vocabulary.values.counts.get(prop.field, ()))
    if not prop.worded or not 1 <= len(values) <= 2:
        return None
    yes = next((value for value in values if value.lower() in _YES), None)
    no = next((value for value in values if value.lower() in _NO), None)
    return None if yes is None or (no is None and len(values) > 1) else (yes, no)


# -- adjectives of measure


def _link_degrees(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    tables = (("Comparative", COMPARATIVES), ("Superlative", SUPERLATIVES), ("Adjective", PLAIN))
    for i, token in enumerate(tokens):
        for kind, table in tables:
            degree = table.get(token.lower)
            if degree is None:
                continue
            if kind == "Comparative":
                chart.add(i, i + 1, "Comparing", degree.high)
            for prop, features in _measured(degree, vocabulary) or _lasting(degree, vocabulary):
                chart.add(i, i + 1, kind, Degreed(prop, degree.high), features)
        if (
            token.lower.endswith("est")
            and (high := _unmeasured(token.lower, vocabulary)) is not None
        ):
            chart.add(i, i + 1, "Best", high, (("best: other adjective", 1.0),))


def _unmeasured(word: str, vocabulary: Vocabulary) -> bool | None:
    """Whether a superlative without a property means the upper end of the current order; None for
    other words. Long durations are slow.
    """
    degree = SUPERLATIVES.get(word)
    if word in AGES or word in _NO_DEGREES:
        return None
    if degree is None:
        bases = {word[:-3], word[:-2], word[:-4], word[:-4] + "y"}
        return word not in _LOW if any(map(is_english, bases)) else None
    if _measured(degree, vocabulary):
        return None
    return degree.high != (degree.dimension == "speed")


_LOW = frozenset(
    """
    weakest poorest smallest lowest fewest gentlest tiniest shortest emptiest
    """.split()  # noqa: SIM905
)
_NO_DEGREES = frozenset(
    """
    interest honest modest harvest forest request earnest invest guest rest
    busiest quietest slackest
    """.split()  # noqa: SIM905
)


def _lasting(degree: Degree, vocabulary: Vocabulary) -> list[tuple[Property, Features]]:
    """The time between two dates, for `longest` where nothing has a length."""
    span = time_between(vocabulary) if degree.dimension == "duration" else None
    return [] if span is None else [(span, (("derived: period", 1.0),))]


def _measured(degree: Degree, vocabulary: Vocabulary) -> list[tuple[Property, Features]]:
    return list(_each_measured(degree, vocabulary))


def _each_measured(degree: Degree, vocabulary: Vocabulary) -> Iterator[tuple[Property, Features]]:
    """The properties that an adjective may measure; age can be measured by a date."""
    names = {stem(degree.dimension), *map(stem, ALSO_CALLED.get(degree.dimension, ()))}
    others = {other for name in names for other in synonyms(name)}
    for prop in vocabulary.properties:
        if not (prop.numeric or prop.dated):
            continue
        words = set(_name_words(prop))
        if names & words:
            yield prop, (("degree: named", 1.0),)
        elif others & words or names & prop.described:
            yield prop, (("degree: alike", 1.0),)
        elif degree.dimension == "date" and (prop.dated or prop.is_year):
            yield prop, (("degree: date", 1.0),)
