"""From tokens to pieces: values, properties, numbers, dates, steering words, unknown words.

The longest reading wins. Among equally long ones a value of the collection precedes a date, a full
property name, a steering word, a noun, and part of a property name, in this order. Each token is
read once.
"""

from collections.abc import Iterator, Sequence, Set
from datetime import date
from functools import lru_cache
from itertools import pairwise

from backend.language.adjectives import COMPARATIVES, PLAIN, SUPERLATIVES
from backend.language.common_words import FREE, FREE_PHRASES, NUMBER_WORDS
from backend.language.dates import Span, date_at
from backend.language.durations import with_smaller
from backend.language.lexicon import LONGEST_PHRASE, phrases
from backend.language.nouns import singular
from backend.language.numerals import OCCUR, TIMES, Numeral, numeral_at
from backend.language.tokens import LETTER, Token
from backend.language.units import (
    SYMBOLS,
    is_base,
    measure_of,
    scaled_currency,
    square_unit,
    unit_word,
)
from backend.language.words import FUNCTION_WORDS, stem
from backend.plans.reading.dates_beside import date_beside
from backend.plans.reading.letters import is_capital_word, letter_values, signed_values
from backend.plans.reading.naming import must_name, names, names_weakly
from backend.plans.reading.pieces import Piece, Quantity, Reading
from backend.plans.reading.vocabulary import KINDS, Meaning, Vocabulary
from backend.plans.tables.value_index import FieldValue

_LONGEST_FILLER = max(map(len, FREE_PHRASES))
_SIGN_TAGS = {",": ",", "(": ",", ")": ",", "-": "z", "–": "z", "—": "z", "&": "&"}


def link(
    tokens: Sequence[Token], vocabulary: Vocabulary, today: date, period: Span | None = None
) -> list[Piece]:
    """The pieces of a request, without words that carry no meaning. Unknown ones have tag `?`.

    `period` is the time span that the plan already asks for.
    """
    return list(_linked(tuple(tokens), vocabulary, today, period))


@lru_cache(maxsize=8)
def _linked(
    tokens: tuple[Token, ...], vocabulary: Vocabulary, today: date, period: Span | None
) -> tuple[Piece, ...]:
    """Like `link`, cached: all clauses of a long request need the same pieces."""
    pieces: list[Piece] = []
    listed = list(tokens)
    i = 0
    while i < len(listed):
        readings = list(_readings(listed, i, pieces, vocabulary, today, period))
        if not readings:
            i += 1
            continue
        best = max(readings, key=lambda r: (r.length, r.rank))
        if best.piece.tag != " ":
            pieces.append(best.piece)
        i += best.length
    return tuple(pieces)


def _readings(
    tokens: Sequence[Token],
    i: int,
    before: Sequence[Piece],
    vocabulary: Vocabulary,
    today: date,
    period: Span | None,
) -> Iterator[Reading]:
    token = tokens[i]
    if token.kind == LETTER:
        yield Reading(1, 9, Piece("V", i, i + 1, letter_values(token.text, vocabulary)))
        return
    if token.kind == "quoted":
        stored = signed_values(token.text, vocabulary)
        yield Reading(1, 9, Piece("V" if stored else "Q", i, i + 1, stored or token.text))
        return
    if token.kind == "sign" and token.text not in (
        "<",
        ">",
        "=",
        "<=",
        ">=",
        "!=",
        "<>",
        "==",
        "≥",
        "≤",
    ):
        if token.text in _SIGN_TAGS:
            tag = _SIGN_TAGS[token.text]
            joined = token.text == "-" and token.joined and not _between_numbers(tokens, i)
            yield Reading(1, 9, Piece(" " if joined else tag, i, i + 1, _sign(tokens, i)))
        elif token.text == "%":
            yield Reading(1, 1, Piece("%", i, i + 1))
        elif token.text == "+" and token.joined and before and before[-1].tag == "N":
            yield Reading(1, 9, Piece("p", i, i + 1, "ge"))
        return
    if called := vocabulary.name_at(tokens, i):
        yield Reading(called, 9, Piece("E", i, i + called, []))
    length, values = vocabulary.values_at(tokens, i)
    if length and _is_value(tokens, i, length, values, before, vocabulary.nouns):
        yield Reading(length, 6, Piece("V", i, i + length, values))
    beside = None if period is None else date_beside(tokens, i, period)
    dated = beside or date_at(tokens, i, today)
    if dated is not None and dated[1] > 1 and _names_part_of_year(tokens, i, vocabulary):
        dated = None
    if dated is not None:
        yield Reading(dated[1], 5, Piece("D", i, i + dated[1], dated[0]))
    yield from _numbers(tokens, i, before, vocabulary)
    yield from _times(tokens, i, before)
    yield from names(tokens, i, vocabulary)
    yield from _states(tokens, i, vocabulary, today)
    yield from _lasting(tokens, i, vocabulary, today)
    yield from _steering(tokens, i, before, vocabulary)
    yield from _fillers(tokens, i, vocabulary)
    if before and names_weakly(before, tokens, i):
        only = vocabulary.by_weak_name(token.stem)
        if only is not None:
            yield Reading(1, 2, Piece("P", i, i + 1, [only]))
    kind = _kind_of(tokens, i, vocabulary)
    if kind is not None:
        length = 2 if tokens[i + 1].stem in KINDS else 3
        yield Reading(length, 3.5, Piece("P", i, i + length, [kind]))
    if (
        token.lower in ("a", "an")
        and before
        and before[-1].tag in "EPM"
        and _ends_in_span(tokens, i)
    ):
        yield Reading(1, 5, Piece("e", i, i + 1))
    if token.lower == "one" and before and before[-1].tag == "V" and before[-1].end == i:
        yield Reading(1, 4.5, Piece("E", i, i + 1, []))
    if token.lower in ("times", "occasions") and before and before[-1].tag in "Np#":
        yield Reading(1, 5, Piece("E", i, i + 1, []))
    if token.lower == "same":
        yield Reading(1, 4.4, Piece("@", i, i + 1))
    if token.kind == "word":
        if token.stem in vocabulary.nouns or token.stem in vocabulary.common:
            rank = 3 if token.stem in vocabulary.nouns else 1.5
            yield Reading(1, rank, Piece("E", i, i + 1, vocabulary.meanings([token.stem])))
        if token.stem in vocabulary.mentioned_stems and _heads_documents(tokens, i):
            yield Reading(1, 4.6, Piece("E", i, i + 1, []))
        if token.lower in FREE - FUNCTION_WORDS and i and tokens[i - 1].lower == "by":
            named = vocabulary.meanings([token.stem])  # "by place", where a site is the place
            if named:
                yield Reading(1, 2, Piece("P", i, i + 1, named))
        free = token.lower in FREE and not must_name(before, tokens, i)
        tag = " " if free else "?"
        yield Reading(1, 1 if tag == " " else 0, Piece(tag, i, i + 1))
    elif token.lower in FREE:
        yield Reading(1, 1, Piece(" ", i, i + 1))


def _heads_documents(tokens: Sequence[Token], i: int) -> bool:
    """Whether a plural that is also the name of a property means the documents: `bikes with bills
    over 100`, but not `by bikes`, `different bikes`, `kinds of bikes`.
    """
    before = tokens[i - 1].lower if i else ""
    return singular(tokens[i].lower) != tokens[i].lower and before not in _OF_VALUES


_OF_VALUES = frozenset({"by", "per", "of", "different", "distinct", "unique"})


def _kind_of(tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> Meaning | None:
    """`type of facility`, if one property is a type and all documents are facilities; `facility
    type`, if one is described like that.
    """
    following = tokens[i + 1].stem if i + 1 < len(tokens) else ""
    if following in KINDS and tokens[i].kind == "word":
        properties = [prop for prop in vocabulary.properties if tokens[i].stem in prop.kind_of]
        return Meaning(properties[0], 2.0, False) if len(properties) == 1 else None
    if tokens[i].stem not in KINDS or i + 2 >= len(tokens) or tokens[i + 1].lower != "of":
        return None
    of = tokens[i + 2].stem
    return vocabulary.by_kind(tokens[i].stem, of)


def _ends_in_span(tokens: Sequence[Token], i: int) -> bool:
    """`samples a year`, at the end of a phrase."""
    spans = ("year", "month", "week", "day", "quarter")
    named = i + 1 < len(tokens) and tokens[i + 1].lower in spans
    return named and (i + 2 == len(tokens) or tokens[i + 2].lower in FUNCTION_WORDS)


def _sign(tokens: Sequence[Token], i: int) -> str | None:
    """`-` for a dash between two numbers, which forms a range."""
    return "-" if tokens[i].text in ("-", "–", "—") and _between_numbers(tokens, i) else None


def _between_numbers(tokens: Sequence[Token], i: int) -> bool:
    return 0 < i < len(tokens) - 1 and tokens[i - 1].kind == tokens[i + 1].kind == "number"


def _is_value(
    tokens: Sequence[Token],
    i: int,
    length: int,
    values: list[FieldValue],
    before: Sequence[Piece],
    nouns: Set[str],
) -> bool:
    """Values that look like a steering word or a number need additional evidence."""
    if length > 1:
        return True
    token = tokens[i]
    if token.kind == "number":
        near = before[-1] if before else None
        if near is None or near.tag not in "PV":
            return False
        return near.tag == "V" or any(
            m.prop.field == field for m in near.load for field, _ in values
        )
    listed = len(before) > 1 and before[-1].tag in "&|," and before[-2].tag == "V"
    if listed and {field for field, _ in values} & {field for field, _ in before[-2].load}:
        # "a bow and a case": the other values of the same property
        return True
    if is_capital_word(token):
        return False  # the article, or "OR" between two values
    noun = i + 1 < len(tokens) and tokens[i + 1].stem in nouns
    if noun and any(str(value) == token.text for _, value in values):
        return True  # "well samples"
    common = token.lower in FREE or (token.lower,) in phrases() or token.lower in NUMBER_WORDS
    if not common:
        return True
    written = any(str(value) == token.text for _, value in values)
    return written and token.text[0].isupper() and (i > 0 or len(tokens) == 1)


def _numbers(
    tokens: Sequence[Token], i: int, before: Sequence[Piece], vocabulary: Vocabulary
) -> Iterator[Reading]:
    currency = _currency_in_front(tokens, i)
    start = i if currency is None else i + 1
    metres = currency is None and vocabulary.has_lengths
    number = numeral_at(tokens, start, metres=metres)
    if number is None:
        return
    j, value = number.end, number.value
    headed = scaled_currency(tokens[j].text) if j < len(tokens) else None
    if headed is not None:
        amount = value * headed[1]
        yield Reading(j + 1 - i, 4, Piece("N", i, j + 1, Quantity(amount, headed[0], True, False)))
        return
    if j < len(tokens) and tokens[j].lower in ("st", "nd", "rd", "th") and tokens[j].joined:
        yield Reading(j + 1 - i, 5, Piece("O", i, j + 1, int(value)))
        return
    in_front = number.unit or currency or SYMBOLS.get(tokens[i].text[0])
    unit, j = _unit_behind(tokens, j, in_front)
    if unit is not None and j > number.end and measure_of(unit) == "time":
        ranged = bool(before) and before[-1].tag == "b"
        value, j = with_smaller(tokens, value, unit, j, ranged=ranged)
    rate = [token.lower for token in tokens[j : j + 2]]
    timed = unit is not None and measure_of(unit) in ("money", "time")
    timed = timed or _stated_per_time(number, before, vocabulary)
    each = None
    if timed and rate[:1] in (["per"], ["a"], ["each"], ["every"]) and rate[-1] in _TIMES:
        each = rate[-1]  # "30 hours a week", "15k a month"
        j += 2
    # An amount with a currency is given in full, never in thousands.
    scaled = number.scaled or (unit is not None and measure_of(unit) == "money")
    value = -value if _is_negative(tokens, i) else value
    quantity = Quantity(value, unit, scaled, value % 1 == 0, each)
    yield Reading(j - i, 4, Piece("N", i, j, quantity))


def _names_part_of_year(tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> bool:
    """`Q3 2023`, if documents have separate properties for quarter and year."""
    length, values = vocabulary.values_at(tokens, i)
    own_year = any(prop.is_year for prop in vocabulary.properties)
    return own_year and length == 1 and any(str(value) == tokens[i].text for _, value in values)


def _times(tokens: Sequence[Token], i: int, before: Sequence[Piece]) -> Iterator[Reading]:
    """`more than once`, `only twice`, `appear twice`; elsewhere `once` is no number."""
    times = TIMES.get(tokens[i].lower)
    verb = i > 0 and tokens[i - 1].lower in OCCUR
    sign = bool(before) and before[-1].tag in "Co" and before[-1].end == i
    if times is not None and (verb or sign):
        yield Reading(1, 4, Piece("N", i, i + 1, Quantity(float(times), None, False, True)))


def _stated_per_time(number: Numeral, before: Sequence[Piece], vocabulary: Vocabulary) -> bool:
    """Whether a bare number may be a monthly amount: a large one, or one behind the name of a
    property with such amounts.
    """
    if number.scaled:
        return any(prop.each is not None for prop in vocabulary.properties)
    compared = bool(before) and before[-1].tag in "Cb"
    named = [m.prop for piece in before if piece.tag == "P" for m in piece.load[:1]]
    return compared and any(prop.each is not None for prop in named)


def _currency_in_front(tokens: Sequence[Token], i: int) -> str | None:
    """The currency in `EUR 7,500`, where its code comes first."""
    unit = unit_word(tokens[i].text) if tokens[i].text.isupper() else None
    following = i + 1 < len(tokens) and tokens[i + 1].kind == "number"
    return unit if unit is not None and following and measure_of(unit) == "money" else None


def _is_negative(tokens: Sequence[Token], i: int) -> bool:
    """Whether a sign negates the number; `300-900` is a range."""
    if i == 0 or tokens[i - 1].text not in ("-", "minus") or not tokens[i].joined:
        return False
    return not (i > 1 and tokens[i - 1].joined and tokens[i - 2].kind == "number")


def _unit_behind(tokens: Sequence[Token], j: int, symbol: str | None) -> tuple[str | None, int]:
    """The unit behind a number, or else the symbol before it, and the next token."""
    if j >= len(tokens):
        return symbol, j
    if tokens[j].text == "%":
        return "pct", j + 1
    square = square_unit([token.lower for token in tokens[j : j + 2]])
    if square is not None:
        return square, j + 2
    word = unit_word(tokens[j].text)
    short = len(tokens[j].text) <= 2 and not tokens[j].joined
    if word is None or (short and tokens[j].lower in _ALSO_WORDS):
        return symbol, j
    speed = _speed(tokens, j + 1, word)
    if speed is not None:
        return speed, j + 3
    each = tuple(token.lower for token in tokens[j + 1 : j + 3])
    rated = len(each) == 2 and each[0] in ("a", "per", "/") and measure_of(word) != "time"
    counted = rated and each[0] != "a" and is_base(each[1])
    return word, j + 3 if (rated and each[1] in _TIMES) or counted else j + 1


_ALSO_WORDS = frozenset({"in", "s"})
"""Short units that can also be words if separated by a space."""
_TIMES = frozenset({"day", "hour", "night", "week", "month", "year"})
_SPEEDS = {("km", "h"): "kmh", ("mi", "h"): "mph", ("m", "s"): "mps", ("ft", "s"): "fps"}


def _speed(tokens: Sequence[Token], j: int, unit: str) -> str | None:
    """The unit in `km/h`, `miles per hour`, if that comes next."""
    if j + 1 >= len(tokens) or tokens[j].lower not in ("/", "per"):
        return None
    return _SPEEDS.get((unit, unit_word(tokens[j + 1].text) or ""))


def _fillers(tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> Iterator[Reading]:
    """`so far`, `right now`; `out of` before a set to choose from, but not in `out of use`."""
    if [token.lower for token in tokens[i : i + 2]] == ["out", "of"] and i + 2 < len(tokens):
        noun = tokens[i + 2]
        named = vocabulary.meanings([noun.stem])[:1] if i > 0 else []
        denied = any(meaning.prop.kind == "bool" for meaning in named)
        yield Reading(2, 4.7, Piece("n" if denied else " ", i, i + 2))
        return
    for length in range(min(_LONGEST_FILLER, len(tokens) - i), 1, -1):
        if tuple(token.lower for token in tokens[i : i + length]) in FREE_PHRASES:
            yield Reading(length, 4.3, Piece(" ", i, i + length))
            return


def _states(
    tokens: Sequence[Token], i: int, vocabulary: Vocabulary, today: date
) -> Iterator[Reading]:
    """`open` if the collection records what is closed, `unsold` if a price is then missing;
    `finished in May`, if there is a date of finishing.
    """
    conditions = vocabulary.states.get(tokens[i].lower)
    if conditions is None or tokens[i].kind != "word":
        return
    prop = vocabulary.get(conditions.field) if conditions.exists else None
    if prop is not None and prop.dated and is_dated(tokens, i + 1, today):
        yield Reading(1, 4.52, Piece("P", i, i + 1, [Meaning(prop, 1.0, False)]))
    else:
        # "open" concerns what is missing; a date of opening is called "opened".
        named = any(tokens[i].lower in p.label.split() for p in vocabulary.properties)
        yield Reading(1, 4.4 if named else 4.52, Piece("F", i, i + 1, conditions))


_OF_TIME = frozenset(
    """
    in on during since before after by between from until till within around the of last this
    """.split()  # noqa: SIM905
)
_NEAR = 3


def is_dated(tokens: Sequence[Token], i: int, today: date) -> bool:
    """Whether a date begins at token `i`, possibly after words of time."""
    for place in range(i, min(len(tokens), i + _NEAR)):
        if date_at(tokens, place, today) is not None:
            return True
        if tokens[place].lower not in _OF_TIME:
            return False
    return False


def _lasting(
    tokens: Sequence[Token], i: int, vocabulary: Vocabulary, today: date
) -> Iterator[Reading]:
    """`running on 1 May`, `ongoing`, if documents have a start and an end."""
    if vocabulary.period is None:
        return
    words = tuple(token.lower for token in tokens[i : i + 2])
    length = next((n for n in (2, 1) if words[:n] in _LASTING | _ONGOING), 0)
    if not length:
        return
    j = i + length
    while j < len(tokens) and tokens[j].lower in _WHEN:
        j += 1
    at_date = j > i + length and j < len(tokens) and date_at(tokens, j, today) is not None
    if at_date or words[:length] in _ONGOING:
        yield Reading(length, 4.55, Piece("~", i, i + length))


_LASTING = frozenset(
    {("running",), ("active",), ("open",), ("valid",), ("live",), ("current",), ("effective",),
     ("operating",), ("out",)}
)  # fmt: skip
_ONGOING = frozenset(
    {("ongoing",), ("underway",), ("under", "way"), ("in", "progress"), ("in", "force"),
     ("in", "effect"), ("currently", "running"), ("still", "running")}
)  # fmt: skip
_WHEN = frozenset({"on", "in", "during", "throughout", "at", "as", "of", "all", "the", "whole"})


def _steering(
    tokens: Sequence[Token], i: int, before: Sequence[Piece], vocabulary: Vocabulary
) -> Iterator[Reading]:
    known = phrases()
    token = tokens[i]
    following = tokens[i + 1].lower if i + 1 < len(tokens) else ""
    yield from _degrees(tokens, i)
    if token.kind == "word" and following == "than" and token.lower.endswith("er"):
        degree = COMPARATIVES.get(token.lower)
        less = token.lower in _LESSER if degree is None else not degree.high
        yield Reading(2, 3.5, Piece("C", i, i + 2, "lt" if less else "gt"))
    if token.kind == "word" and _only_sides(tokens) and (compared := _comparative(token.lower)):
        yield Reading(1, 3.6, Piece("C", i, i + 1, compared))
    if _than_average(tokens[i + 1 : i + 7]) and (compared := _comparative(token.lower)):
        yield Reading(1, 3.5, Piece("C", i, i + 1, compared))
    if token.lower == "but" and any(t.lower in _WHOLE for t in tokens[max(0, i - 4) : i]):
        yield Reading(1, 4.2, Piece("x", i, i + 1))
    for length in range(min(LONGEST_PHRASE, len(tokens) - i), 0, -1):
        words = tuple(token.lower for token in tokens[i : i + length])
        steering = known.get(words)
        if words == ("groups",) and following in _OF_GROUPS:
            yield Reading(1, 4, Piece("E", i, i + 1, []))
            return
        timed = words[0] in _VERBS_OF_TIME and words[1:2] not in (("with",), ("from",))
        if steering is not None and timed and _dates_named(token, vocabulary):
            continue
        if steering is not None and _fits(steering[0], words, tokens, i, i + length, before):
            if steering[0] == "m" and words[0] == "not" and vocabulary.names_part(stem(words[-1])):
                return  # "not reported", where a property says when a sample was
            if steering[0] == "o" and _part_of_value(tokens, i, length, vocabulary):
                return
            if steering[0] == "f" and vocabulary.names_part(token.stem):
                steered = bool(before) and before[-1].tag in "PVOTr"
                if steered:
                    yield Reading(length, 4.6, Piece("f", i, i + length))
                return
            verb = steering[0] == "c" and _takes_object(tokens, i, before, vocabulary)
            yield Reading(
                length, 4.6 if verb else 4, Piece(steering[0], i, i + length, steering[1])
            )
            return


def _part_of_value(tokens: Sequence[Token], i: int, length: int, vocabulary: Vocabulary) -> bool:
    """Whether `restricted` in `the restricted ones` is part of a value and not a command."""
    ahead = tokens[i + 1].lower if i + 1 < len(tokens) else ""
    noun = ahead in ("ones", "one") or stem(ahead) in vocabulary.nouns
    return length == 1 and noun and bool(vocabulary.holding(tokens[i].lower))


_VERBS_OF_TIME = frozenset({"starting", "beginning", "ending"})


def _dates_named(token: Token, vocabulary: Vocabulary) -> bool:
    """Whether `starting in 2022` refers to a date with that name and not to the time since then."""
    return any(meaning.prop.dated for meaning in vocabulary.meanings([token.stem]))


def _takes_object(
    tokens: Sequence[Token], i: int, before: Sequence[Piece], vocabulary: Vocabulary
) -> bool:
    """Whether a word such as `use` is a verb here, even if a property has that name."""
    if i + 1 >= len(tokens) or not (not before or any(piece.tag == "I" for piece in before)):
        return False
    following = tokens[i + 1]
    if following.lower in _OBJECTS or following.kind in ("number", "day"):
        return True
    return bool(before) and vocabulary.values_at(tokens, i + 1)[0] > 0


def _degrees(tokens: Sequence[Token], i: int) -> Iterator[Reading]:
    """`coldest`, `most valuable`: an adjective of measure as a superlative."""
    word = tokens[i].lower
    following = tokens[i + 1].lower if i + 1 < len(tokens) else ""
    if word == "how" and following in PLAIN and following not in ("often", "late"):
        yield Reading(2, 4.2, Piece("^", i, i + 2, PLAIN[following].dimension))
    if word in SUPERLATIVES and (word,) not in phrases():
        degree = SUPERLATIVES[word]
        yield Reading(1, 4, Piece("X", i, i + 1, (degree.high, degree.dimension)))
    if word in ("most", "least") and i + 1 < len(tokens) and tokens[i + 1].lower in PLAIN:
        degree = PLAIN[tokens[i + 1].lower]
        load = (degree.high == (word == "most"), degree.dimension)
        yield Reading(2, 3.9, Piece("X", i, i + 2, load))


def _than_average(tokens: Sequence[Token]) -> bool:
    """`than average`, `than the median`, a few words after a comparison."""
    words = [token.lower for token in tokens if token.lower != "the"]
    return any(a == "than" and b in _MIDDLES for a, b in pairwise(words))


def _only_sides(tokens: Sequence[Token]) -> bool:
    """`fewer, not more`: nothing but contrasted comparisons."""
    words = {token.lower for token in tokens if token.kind == "word"}
    compared = {word for word in words if _comparative(word) is not None}
    sides = (words & _LOOSE_COMPARISONS - {"about", "as"}) | compared
    return bool(sides) and words - compared <= _SIDE_WORDS


def _comparative(word: str) -> str | None:
    """The comparison that `larger` or `taller` expresses."""
    degree = COMPARATIVES.get(word)
    if degree is not None:
        return "gt" if degree.high else "lt"
    return {"larger": "gt", "bigger": "gt", "smaller": "lt"}.get(word)


_PERCENTAGES = frozenset({"percentage", "percentages", "proportion", "proportions", "shares"})
_MIDDLES = frozenset({"average", "mean", "median"})
_OF_GROUPS = frozenset(
    """
    with that having where whose under over first above below exceeding between beyond
    """.split()  # noqa: SIM905
)
"""Words behind `groups` that show that it means rows and not grouping."""
_OBJECTS = frozenset({"the", "a", "an", "it", "that"})
"""Words after the first word of a request that show that it is a verb, even if a property has that
name.
"""
_LESSER = frozenset({"weaker", "poorer", "rarer", "younger"})
_WHOLE = frozenset(
    """
    all every everything any anything each everyone everywhere anyone anybody everybody anywhere
    """.split()  # noqa: SIM905
)
_LOOSE_COMPARISONS = frozenset(
    """
    over past following about around more less higher lower greater fewer under as nearly
    """.split()  # noqa: SIM905
)


_SIDE_WORDS = _LOOSE_COMPARISONS | frozenset(
    """
    above below before after not but instead of rather than i mean meant wanted no wait sorry
    it should be make that the other ones rather prefer now only
    """.split()  # noqa: SIM905
)


def _fits(
    tag: str, words: tuple[str, ...], tokens: Sequence[Token], i: int, j: int,
    before: Sequence[Piece],
) -> bool:  # fmt: skip
    """Whether a steering word has its steering meaning here."""
    following = [token.lower for token in tokens[j : j + 3]]
    first = not any(piece.tag not in " ,&" for piece in before)
    if tag == "r" and words[:2] in (("do", "not"), ("dont", "need"), ("dont", "want")):
        return first or before[-1].tag in ",&"
    if tag == "c" and i and tokens[i - 1].lower == "how":
        return False
    if tag in ("c", "!"):
        instead = any(piece.tag == "I" for piece in before)
        if words[0].startswith("decimal"):
            return True  # "two decimals please"
        return first or (tag == "c" and (instead or before[-1].tag in ",&wni"))
    if tag == "C" and len(words) == 1 and words[0] in _LOOSE_COMPARISONS:
        behind = 6 if following[:1] in (["a"], ["an"], ["the"]) else 3  # "over a rating of 4"
        return (
            any(
                token.kind == "day" or numeral_at(tokens, k) is not None or token.lower == "than"
                for k, token in enumerate(tokens[j : j + behind], j)
            )
            or _than_average(tokens[j : j + 6])
            or _only_sides(tokens)
            or (words[0] in ("over", "past", "about") and bool(_date_at(tokens, j)))
        )
    if tag == "p" and words[0] in ("or", "and") and not _behind_number(before):
        return False
    if tag == "p" and words == ("or", "more") and before[-1].tag == "V":
        return False
    if tag == "p" and words[0] == "or" and (following[:1] == ["than"] or _is_number(tokens, j)):
        return False  # "under 30 or over 80"
    if tag == "p" and words[0] == "and":
        number = any(t.kind == "number" or t.lower in NUMBER_WORDS for t in tokens[j : j + 1])
        return following[:1] != ["than"] and not number
    if tag == "p" and words == ("on",):
        return len(before) > 1 and before[-1].tag == "D" and before[-2].tag == "b"
    if tag == "R" and words == ("about",):
        return not (tokens[j : j + 1] and tokens[j].kind == "number")
    if tag == "%":
        if words[0] in _PERCENTAGES:
            return True
        return bool(
            following[:1] == ["of"] or (i and tokens[i - 1].lower in ("a", "as", "what", "in"))
        )
    if tag == "s" and words in (("order",), ("rank",), ("ordered",)):
        return first or following[:1] == ["by"] or before[-1].tag in "rxJc,&n"
    if words == ("number",):
        return tokens[j : j + 1] == [] or tokens[j].kind != "number"
    if tag == "e" and words[0] in ("each", "every"):
        return bool(before)
    return True


def _is_number(tokens: Sequence[Token], j: int) -> bool:
    """Whether token `j` is a number in digits."""
    return j < len(tokens) and tokens[j].kind == "number"


def _behind_number(before: Sequence[Piece]) -> bool:
    """Whether `or more` can belong to a number: `5 or more`, `300 or more sqm`."""
    counted = len(before) > 1 and before[-1].tag == "E" and before[-2].tag == "N"
    return bool(before) and (before[-1].tag in "NDP?V" or counted)


def _date_at(tokens: Sequence[Token], j: int) -> bool:
    """Whether a date begins at token `j`."""
    return j < len(tokens) and date_at(tokens, j, date(2000, 1, 1)) is not None
