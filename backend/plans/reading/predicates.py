"""From pieces to conditions: comparisons, values, time spans, booleans, missing values.

The result is a piece `F` with a `BasicFilter`. Numbers are converted to the unit of their property.
"""

from collections.abc import Sequence

from backend.language.units import SCALES, measure_of
from backend.language.words import stem
from backend.plans.reading.alternatives import either, either_stated, fact, neither
from backend.plans.reading.amounts import money, only_measured
from backend.plans.reading.cascade import Reader, Rule, Unclear, cover, rule, tagged
from backend.plans.reading.comparing import (
    LOSS,
    beside_middle,
    between,
    compare,
    is_participle,
    known,
    lacking,
    negated,
    one_is_had,
    one_of,
)
from backend.plans.reading.date_predicates import date_range, dates, days_of_month, mixed_range
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.stated_units import in_that_unit, measured_so, stated_in
from backend.plans.reading.subjects import (
    by_adjective,
    by_unit,
    is_number,
    number_of,
    values_filter,
)
from workbench.contract.plan_nodes import BasicFilter, Condition


def _number_condition(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """P C N, C N P, P N p, N p P: a comparison of a property with a number."""
    named, numbers = tagged(pieces, "P"), [p for p in pieces if is_number(p)]
    words = tagged(pieces, "Cp")
    prop = reader.choose(named[0], lambda p: p.numeric)
    if prop is None or not numbers or _of_other_money(reader, prop, numbers[0]):
        return None
    prop = stated_in(reader, prop, numbers[0])
    op = str(words[0].load) if words else "eq"
    phrase = reader.words(words).lower()
    op = _AGED.get(phrase, _TIMED.get(op, op))
    if prop.is_year and phrase.endswith(" older"):
        op = "le"
    if prop.down_is_good and phrase in _JUDGING:
        op = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}.get(op, op)
        reader.assume(f"took “{phrase}” to mean the other way round: low {prop.label} is good")
    condition = compare(prop, op, number_of(reader, numbers[0], prop))
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _of_other_money(reader: Reader, prop: Property, number: Piece) -> bool:
    """`under 2 euros a portion` is not about the number of portions, if a cost is known."""
    unit = getattr(number.load, "unit", None)
    if unit is None or measure_of(unit) != "money" or prop.unit is not None:
        return False
    return any(
        p.unit is not None and measure_of(p.unit.name) == "money"
        for p in reader.vocabulary.properties
    )


def _measured(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`honey harvests of more than 25 kg`: the unit shows that the number belongs to the
    property.
    """
    prop = reader.choose(pieces[0], lambda p: p.numeric)
    unit = pieces[-1].load.unit
    if prop is None or unit is None or prop.unit is None or pieces[1].start != pieces[0].end:
        return None
    same = measure_of(unit) == measure_of(prop.unit.name)
    return _number_condition(reader, pieces) if same else None


def _number_range(reader: Reader, pieces: list[Piece]) -> Piece | None:
    named, numbers = tagged(pieces, "P"), [p for p in pieces if is_number(p)]
    prop = reader.choose(named[0], lambda p: p.numeric)
    if prop is None or len(numbers) != 2:
        return None
    low, high = numbers
    if isinstance(low.load, Quantity) and isinstance(high.load, Quantity) and low.load.unit is None:
        # "between 1 and 2 billion": the last unit applies to both
        words = [token.lower for token in reader.tokens[high.start : high.end]]
        factor = high.load.scaled and not low.load.scaled and any(word in SCALES for word in words)
        scale = 10.0 ** (3 * _thousands(high.load.value)) if factor else 1.0
        low = cover("N", [low], Quantity(low.load.value * scale, high.load.unit, high.load.scaled))
    condition = between(prop, number_of(reader, low, prop), number_of(reader, high, prop))
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _two_bounds(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`at least 8 and at most 20 passengers`: both bounds apply to the property."""
    split = next(i for i, piece in enumerate(pieces) if piece.tag == "&")
    first = _number_condition(
        reader, [pieces[-1], *pieces[: split - (pieces[split - 1].tag == ",")]]
    )
    second = _number_condition(reader, pieces[split + 1 :])
    return _met([first, second], pieces)


def _second_bound(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`a rent of at least 300 and at most 900`."""
    first: BasicFilter = pieces[0].load
    prop = reader.vocabulary.get(first.field)
    if prop is None or not prop.numeric or not first.range_filter:
        return None
    second = compare(prop, str(pieces[-2].load), number_of(reader, pieces[-1], prop))
    return _met([pieces[0], cover("F", pieces[-2:], second)], pieces)


def _other_bound(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`shorter than 30 or longer than 80 minutes`: both apply to the same property."""
    first: BasicFilter = pieces[0].load
    prop = reader.vocabulary.get(first.field)
    if prop is None or not prop.numeric or not first.range_filter or first.negate:
        return None
    op = _TIMED.get(str(pieces[-2].load), str(pieces[-2].load))
    second = compare(prop, op, number_of(reader, pieces[-1], prop))
    return [*pieces[:-2], cover("F", pieces[-2:], second)]


def _met(readings: Sequence[Piece | None], pieces: list[Piece]) -> list[Piece] | None:
    """A range from two bounds, if it is not empty."""
    if any(piece is None or not piece.load.range_filter for piece in readings):
        return None
    one, other = (piece.load for piece in readings if piece is not None)
    low, high = (one, other) if one.start is not None else (other, one)
    if low.start is None or high.end is None or low.start > high.end:
        return None
    merged = low.model_copy(update={"end": high.end, "end_exclusive": high.end_exclusive})
    return [cover("F", pieces, merged)]


def _thousands(value: float) -> int:
    power = 0
    while abs(value) >= 1000 and power < 4:
        value, power = value / 1000, power + 1
    return power


def _by_unit_condition(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """C N without a property: determined by the unit, or by the only number filtered by."""
    numbers = [p for p in pieces if p.tag == "N"]
    words = tagged(pieces, "Cp")
    measured = any(number.load.unit is not None for number in numbers)
    prop = in_that_unit(reader, numbers[0])
    if prop is None and words:
        prop = by_adjective(reader, words[0])
    if prop is not None and measured:
        prop = measured_so(reader, prop, numbers[0])
    prop = None if prop is not None and prop.dated else prop
    prop = prop or next(filter(None, (by_unit(reader, number) for number in numbers)), None)
    if prop is None and not measured and words and words[0].load in _BOUNDING:
        prop = _only_number(reader, numbers)
    bounded = () if reader.present is None else reader.present.filters
    fields = {condition.field for condition in bounded}
    used = [p for p in reader.vocabulary.properties if p.numeric and p.field in fields]
    if prop is None and len(used) == 1 and numbers[0].load.unit is None:
        prop = used[0]
        _refuse_out_of_range(reader, pieces, prop)
    if prop is None:
        return None
    values = [number_of(reader, piece, prop) for piece in numbers]
    if len(values) == 2:
        return cover("F", pieces, between(prop, values[0], values[1]))
    op = _AGED.get(reader.words(words).lower(), _TIMED.get(words[0].load, words[0].load))
    return cover("F", pieces, compare(prop, str(op), values[0]))


_BOUNDING = frozenset({"gt", "ge", "lt", "le", "around"})


def _only_number(reader: Reader, numbers: Sequence[Piece]) -> Property | None:
    """`over 750k`: a large number is money; any other needs a collection with only one number."""
    quantities = [piece.load for piece in numbers]
    amount = money(reader.vocabulary) if any(q.scaled for q in quantities) else None
    prop = amount or only_measured(reader.vocabulary, None)
    if prop is None or reader.in_use:
        return None
    reader.assume(f"took “{reader.words(numbers)}” to be about {prop.label}")
    return prop


_TIMED = {"after": "gt", "before": "lt", "since": "ge", "until": "le"}
_JUDGING = frozenset({"better than", "worse than", "or better", "or worse", "superior to"})
_AGED = {"older than": "gt", "newer than": "lt"}
"""Words of time beside a number: older than 20 years is a higher age."""


def _refuse_out_of_range(reader: Reader, pieces: list[Piece], prop: Property) -> None:
    """Rejects a bare number that lies outside all values of the property."""
    phrase = reader.words(pieces)
    value = number_of(reader, tagged(pieces, "N")[0], prop)
    if phrase.lower().startswith(("upper ", "lower ")):
        return
    if prop.low is not None and not prop.low <= value <= prop.high:
        reason = f"“{phrase}” of what? {prop.label} goes from {prop.low:g} to {prop.high:g}"
        raise Unclear("ambiguous", phrase, reason, [prop.label])
    reader.assume(f"took “{phrase}” to be about {prop.label}")


def _exact_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """N P: `2 engines`. Only for whole numbers of countable things."""
    number, named = tagged(pieces, "N")[0], tagged(pieces, "P")[0]
    prop = reader.choose(named, lambda p: p.numeric)
    best = named.load[0].prop
    counted = best.numeric or best.kind == "array"
    if prop is None or not counted or number.load.scaled:
        return None
    if prop.kind == "float" and not named.load[0].whole and _only_described(reader, named, prop):
        return None
    return cover("F", pieces, compare(prop, "eq", number_of(reader, number, prop)))


def _only_described(reader: Reader, piece: Piece, prop: Property) -> bool:
    """`one bottle`, if a price is described as that of a bottle: no comparison."""
    stems = {token.stem for token in reader.tokens[piece.start : piece.end]}
    return not stems & {*prop.parts, *prop.weak, *prop.suffix}


def _name_and_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    named = tagged(pieces, "P")[0]
    prop = reader.choose(named, lambda p: p.numeric)
    number = pieces[-1]
    if prop is None or (number.tag == "D" and not prop.is_year):
        return None
    return cover("F", pieces, compare(prop, "eq", number_of(reader, number, prop)))


def _both_dated(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`started and ended in 2021`: one time for two dates."""
    one, other = tagged(pieces, "P")
    first, second = one.load[0].prop, other.load[0].prop
    if not (first.dated and second.dated) or first is second:
        return None
    made = [dates(reader, [named, *tagged(pieces, "CD")]) for named in (one, other)]
    results = [piece for item in made for piece in (item if isinstance(item, list) else [item])]
    return [piece for piece in results if piece is not None] if all(results) else None


def _values(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """Consecutive values, optionally with their property before or behind them."""
    values, near = tagged(pieces, "V"), next(iter(tagged(pieces, "P")), None)
    condition = values_filter(reader, values, near)
    if condition is None:
        return None
    comparison = tagged(pieces, "C")
    if any(piece.load not in ("eq", "ne") for piece in comparison):
        return None
    turned = bool(tagged(pieces, "n")) != any(piece.load == "ne" for piece in comparison)
    if _all_of_them(reader, pieces, condition) and not turned:
        return [
            cover("F", [p], one_of(condition.field, _values_in(p, condition.field))) for p in values
        ]
    return cover("F", pieces, negated(condition) if turned else condition)


def _all_of_them(reader: Reader, pieces: list[Piece], condition: BasicFilter) -> bool:
    """`cracking and scour`: an array contains several values at once, so all are required."""
    prop = reader.vocabulary.get(condition.field)
    several = condition.values is not None and len(tagged(pieces, "V")) > 1
    alternative = bool(tagged(pieces, "|")) or not tagged(pieces, "&")
    return prop is not None and prop.kind == "array" and several and not alternative


def _values_in(piece: Piece, field: str) -> list[object]:
    return [value for name, value in piece.load if name == field]


def _yes_or_no(reader: Reader, pieces: list[Piece]) -> Piece | None:
    prop = reader.choose(tagged(pieces, "P")[0], lambda p: p.kind == "bool")
    if prop is None:
        return None
    wanted = all(bool(piece.load) for piece in tagged(pieces, "j")) != bool(tagged(pieces, "n"))
    return cover("F", pieces, BasicFilter(field=prop.field, query=wanted, match="exact"))


def _sign(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`net income was negative`."""
    prop = reader.choose(tagged(pieces, "P")[0], lambda p: p.numeric)
    phrase = reader.words(tagged(pieces, "a")).lower()
    if prop is None or (_says_profit(phrase) and not _PROFIT & {*prop.parts, *prop.described}):
        return None
    condition = compare(prop, str(tagged(pieces, "a")[0].load), 0)
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _profit_or_loss(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`unprofitable quarters`, `which branches lost money`: the only profit that can be a loss."""
    signed = [
        prop
        for prop in reader.vocabulary.properties
        if prop.numeric and prop.low is not None and prop.low < 0
        and _PROFIT & {*prop.parts, *prop.described}
        and (prop.unit is None or measure_of(prop.unit.name) == "money")
    ]  # fmt: skip
    named = [prop for prop in signed if _PROFIT & set(prop.parts)] or signed
    if len(named) != 1 or reader.words(pieces).lower() in ("negative", "positive"):
        return None
    return cover("F", pieces, compare(named[0], str(pieces[0].load), 0))


def _says_profit(words: str) -> bool:
    return any(part in words for part in ("profit", "loss", "money", "lost", "losing"))


_PROFIT = frozenset(map(stem, ("profit", "loss", "income", "earnings", "surplus", "deficit")))


def _gap(reader: Reader, pieces: list[Piece]) -> Piece | None:
    prop = reader.any_property(tagged(pieces, "P")[0])
    exists = bool(tagged(pieces, "h")) != bool(tagged(pieces, "n"))
    return cover("F", pieces, BasicFilter(field=prop.field, exists=exists))


def _having(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`how many have a sponsor`, `with a guest and a sponsor`, if some have none."""
    named = tagged(pieces, "P")
    if not (one_is_had(reader, named[0]) and all(piece.load[0].prop.gaps for piece in named)):
        return None
    return [cover("F", [piece], known(piece.load[0].prop)) for piece in named]


def _without(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`no fatalities`, `without a rating`, `not audited`."""
    return cover("F", pieces, lacking(reader.any_property(tagged(pieces, "P")[0])))


def _none(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`treatment is none`."""
    prop = reader.any_property(pieces[0])
    word = reader.words(pieces[-1:]).lower()
    nobody = word in ("nobody", "no one", "noone") and prop.gaps
    negative = nobody or word in ("none", "nothing") or (word == "no" and prop.kind == "bool")
    return cover("F", pieces, lacking(prop)) if negative else None


_DOERS = frozenset({"who", "whom", "that", "which", "he", "she", "they", "we", "i", "have", "has"})


def _says_it_has(reader: Reader, named: Piece) -> bool:
    """`sponsored`, if some documents lack the property `sponsor`."""
    prop, word = named.load[0].prop, reader.words([named]).lower()
    before = reader.tokens[named.start - 1].lower if named.start else ""
    if before in _DOERS:
        return False  # "who approved it" asks for a person
    of_its_own = not prop.numeric and prop.kind != "bool" and prop.gaps
    return of_its_own and is_participle(word) and word not in prop.label.lower().split()


def _truth(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`active satellites`, `unpaid invoices`, for a boolean property."""
    best: Property = pieces[-1].load[0].prop
    if best.kind != "bool":
        return None
    condition = BasicFilter(field=best.field, query=len(pieces) == 1, match="exact")
    return cover("F", pieces, condition)


def is_adjective(reader: Reader, piece: Piece, prop: Property) -> bool:
    """Whether the name of a number says that there is some of it: `fatal`, `faulty`."""
    token = reader.tokens[piece.end - 1]
    if token.lower.endswith("s") and not token.lower.endswith("ous"):
        return False
    if stem(token.text) in LOSS:
        return True
    return prop.low == 0 or token.lower.endswith(("able", "ful", "ous"))


def _negation(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece]:
    """`not F`, `exclude F and F`: each is negated; `exclude F F`: negated together, but of `other
    than F F` the first only.
    """
    results: list[BasicFilter] = [piece.load for piece in tagged(pieces, "F")]
    if len(results) > 1 and not tagged(pieces, ",&|"):
        if reader.words(pieces[:1]).lower() == "other than":
            first, *others = tagged(pieces, "F")
            return [cover("F", [pieces[0], first], negated(first.load)), *others]
        parts = [negated(condition).model_dump(exclude={"any_of"}) for condition in results]
        conditions = [Condition.model_validate(part) for part in parts]
        return cover("F", pieces, BasicFilter(field=results[0].field, any_of=conditions))
    return [cover("F", [pieces[0], p], negated(p.load)) for p in tagged(pieces, "F")]


def _trailing_negation(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece]:
    """`Texas and Ohio can go`, `and Ohio neither`."""
    return _negation(reader, [pieces[-1], *pieces[:-1]])


_NUM = "[ND]"


def _one_name(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`profit or loss`: two names of one property."""
    one, other = (piece.load[0].prop for piece in tagged(pieces, "P"))
    return cover("P", pieces, pieces[0].load) if one is other and one.numeric else None


RULES: tuple[Rule, ...] = (
    rule(r"P[&|]P", _one_name),
    rule(r"n?P(?=E)", _truth),
    rule(r"b?N[z&]D", days_of_month),
    rule(r"b(?:D[z&]N|N[z&]D)", mixed_range),
    rule(r"P?b?DzD|P?bD&D", lambda r, p: date_range(r, p)),
    rule(rf"P[,]?n?b?{_NUM}[z&]{_NUM}", _number_range),
    rule(r"D(?:,D)+,?[&|]DP|(?<!b)D[&|]DP", dates),
    rule(rf"b?{_NUM}[z&]{_NUM}P", _number_range),
    rule(rf"Pn?C{_NUM}p?", _number_condition),
    rule(rf"CP{_NUM}(?![EPp])", _number_condition),
    rule(rf"P(?:f?z)?{_NUM}p", _number_condition),
    rule(rf"PfzC?{_NUM}", _number_condition),
    rule(rf"C{_NUM},?&C{_NUM}P", _two_bounds),
    rule(rf"C{_NUM}P", _number_condition),
    rule(rf"{_NUM}pP|{_NUM}Pp", _number_condition),
    rule(rf"F,?&C{_NUM}(?![PE])", _second_bound),
    rule(r"bN[z&]N|CN(?!E)", _by_unit_condition),
    rule(r"Np", _by_unit_condition),
    rule(rf"F,?\|C{_NUM}(?![PE])", _other_bound),
    rule(r"Py?[nC]?V(?:(?:,?[&|]|,)[nC]?V)*", _values),
    rule(r"V(?:(?:,?[&|]|,)V)*P", _values),
    rule(r"V(?:(?:,?[&|]|,)V)+", _values),
    rule(r"V", _values),
    rule(r"PnP?m|Pm|mP|Pnh|hP|nhP|Ph", _gap),
    rule(r"P(?:,?&P)*(?=,?$|,?#)", _having),
    rule(r"P[nC]?a|aP", _sign),
    rule(r"a", _profit_or_loss),
    rule(r"PC?n?j", _yes_or_no),
    rule(r"P,?&PC?D", _both_dated),
    rule(r"PDp", dates),
    rule(r"PD(?:(?:,?[&|]|,)D)*", dates),
    rule(r"P?n?CD|nPCD", dates),
    rule(r"P?D(?:(?:,?[&|]|,)D)+", dates),
    rule(r"P?Dp", dates),
    rule(r"D", dates),
)


def _done(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`what share of them got terminated`, if the date is missing unless that happened."""
    named = pieces[-1]
    prop = reader.choose(named, lambda p: p.gaps)
    words = [token.lower for token in reader.tokens[named.start : named.end]]
    before = reader.tokens[named.start - 1].lower if named.start else ""
    if prop is None or prop is not named.load[0].prop or before not in _BECOMING:
        return None
    happened = prop.dated and any(map(is_participle, words))
    return cover("F", pieces, known(prop)) if happened or _says_it_has(reader, named) else None


_BECOMING = frozenset({"got", "gets", "get", "were", "was", "been", "are", "is"})


LATER_RULES: tuple[Rule, ...] = (
    rule(r"nP,?\|P(?![Clf])", neither),
    rule(r"(?<![AXMseygvr#%])P(?:,?\|P)+(?![CbND])", either_stated),
    rule(r"nP(?![Clf])E?", _without),
    rule(r"P[Cy]?n", _none),
    rule(r"PN|PC?D", _name_and_number),
    rule(r"NP", _exact_number),
    rule(r"(?<=[E%FM])P$", _done),
)


def _beside_middle(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`above average rent`, `rent above the average`, `more rent than average`."""
    word, function = tagged(pieces, "C")[0], tagged(pieces, "A")[0]
    prop = reader.choose(tagged(pieces, "P")[0], lambda p: p.numeric)
    if prop is None or function.load not in ("avg", "median"):
        return None
    op = _TIMED.get(word.load, word.load)
    if op not in ("gt", "ge", "lt", "le"):
        return None
    condition = beside_middle(prop, op, function.load)
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _adjective_beside_middle(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`dearer than the average`: the adjective names the property."""
    word, function = pieces[:2]
    named = reader.choose(pieces[2], lambda p: p.numeric) if len(pieces) > 2 else None
    prop = named or by_adjective(reader, word)
    op = _TIMED.get(word.load, word.load)
    if prop is None or not prop.numeric or function.load not in ("avg", "median"):
        return None
    return cover("F", pieces, beside_middle(prop, op, function.load))


RELATIVE_RULES: tuple[Rule, ...] = (
    rule(r"CA#?P(?!n?C)", _beside_middle),
    rule(r"Pn?CA(?!#?P)", _beside_middle),
    rule(r"CA(?![#EPM])|CAE(?!E?P)", _adjective_beside_middle),
)


JOINING_RULES: tuple[Rule, ...] = (
    rule(r"F(?:(?:,?[&|]|,)F)*o?x(?!.*[FPVDN])", lambda r, p: _trailing_negation(r, p)),
    rule(r"x[nEWyeb]*F(?:(?:,?[&|]|,)?E?F)*", _negation),
    rule(r"n[nEey]*F", _negation),
    rule(r"F,?\|P(?!.?F)|P(?=,?\|F)", fact),
    rule(r"F(?:,?\|[EyP]*F)+", either),
)
