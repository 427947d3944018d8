"""From pieces to conditions: comparisons, values, spans of time, truth values, gaps.

The result is a piece `F` that carries a `BasicFilter`. Numbers are turned into the unit of their
property.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from backend.contract.plan_nodes import BasicFilter, Condition
from backend.plans.cascade import Reader, Rule, Unclear, cover, rule, tagged
from backend.plans.dates import Span, whole_month
from backend.plans.linking import Piece, Quantity
from backend.plans.units import convert, measure_of
from backend.plans.vocabulary import Held, Property
from backend.plans.words import stem

_DATE_WORDS = {"gt": "after", "lt": "before", "ge": "since", "le": "until", "eq": "in", "ne": "ne"}
_HINTED_MEASURES = {"speed": "speed", "duration": "time", "weight": "mass", "price": "money"}
_AROUND = 0.1
_LOSS = frozenset({stem("loss"), stem("losses"), stem("deficit"), stem("lost"), stem("losing")})


# -- conditions about one property


def compare(prop: Property, op: str, value: float) -> BasicFilter:
    """A comparison with a number in the unit of the property."""
    number = int(value) if value == int(value) and prop.kind == "int" else value
    match op:
        case "gt":
            return BasicFilter(
                field=prop.field, range_filter=True, start=number, start_exclusive=True
            )
        case "ge":
            return BasicFilter(field=prop.field, range_filter=True, start=number)
        case "lt":
            return BasicFilter(field=prop.field, range_filter=True, end=number, end_exclusive=True)
        case "le":
            return BasicFilter(field=prop.field, range_filter=True, end=number)
        case "ne":
            return BasicFilter(field=prop.field, query=number, match="exact", negate=True)
        case "around":
            width = abs(value) * _AROUND
            return between(prop, value - width, value + width)
    return BasicFilter(field=prop.field, query=number, match="exact")


def between(prop: Property, low: float, high: float) -> BasicFilter:
    low, high = min(low, high), max(low, high)
    whole = prop.kind == "int" and low == int(low) and high == int(high)
    return BasicFilter(
        field=prop.field,
        range_filter=True,
        start=int(low) if whole else low,
        end=int(high) if whole else high,
    )


def in_span(prop: Property, span: Span, op: str = "in") -> BasicFilter:
    """A date within a span, or before, after, since or until it."""
    start: str | None = span.start.isoformat()
    end: str | None = span.end.isoformat()
    exclusive = op in ("after", "before")
    match op:
        case "after":
            start, end = end, None
        case "since":
            end = None
        case "before":
            start, end = None, start
        case "until":
            start = None
    return BasicFilter(
        field=prop.field,
        range_filter=True,
        is_date=True,
        start=start,
        end=end,
        start_exclusive=exclusive and start is not None,
        end_exclusive=exclusive and end is not None,
        negate=op == "ne",
    )


def one_of(field: str, values: Sequence[object]) -> BasicFilter:
    unique = list(dict.fromkeys(values))
    if len(unique) == 1:
        return BasicFilter.model_validate({"field": field, "query": unique[0], "match": "exact"})
    return BasicFilter.model_validate({"field": field, "values": unique, "match": "exact"})


def positive(prop: Property) -> BasicFilter | None:
    """The condition that the bare name of a property states: true, or more than none of it."""
    if prop.kind == "bool":
        return BasicFilter(field=prop.field, query=True, match="exact")
    if prop.numeric and prop.low is not None and prop.low <= 0:
        return compare(prop, "gt", 0)
    return None


def stated(reader: Reader, piece: Piece, prop: Property) -> BasicFilter | None:
    """As `positive`, but words for a loss ask for less than nothing."""
    loss = {stem(token.text) for token in reader.tokens[piece.start : piece.end]} & _LOSS
    if loss and prop.numeric and prop.low is not None and prop.low < 0:
        return compare(prop, "lt", 0)
    return positive(prop)


def lacking(prop: Property) -> BasicFilter:
    """The condition that `no …` or `without …` states."""
    if prop.kind == "bool":
        return BasicFilter(field=prop.field, query=False, match="exact")
    if prop.numeric and prop.low == 0:
        return compare(prop, "eq", 0)
    return BasicFilter(field=prop.field, exists=False)


def negated(condition: BasicFilter) -> BasicFilter:
    """The opposite. Truth values and gaps turn around; everything else is negated as it is."""
    if condition.exists is not None:
        return condition.model_copy(update={"exists": not condition.exists})
    if isinstance(condition.query, bool):
        return condition.model_copy(update={"query": not condition.query})
    if condition.range_filter and (condition.start is None) != (condition.end is None):
        # The opposite of "more than 0" is "at most 0", which unknown values do not pass either.
        return condition.model_copy(
            update={
                "start": condition.end,
                "end": condition.start,
                "start_exclusive": condition.end is not None and not condition.end_exclusive,
                "end_exclusive": condition.start is not None and not condition.start_exclusive,
            }
        )
    return condition.model_copy(update={"negate": not condition.negate})


# -- choosing properties


def number_of(reader: Reader, piece: Piece, prop: Property) -> float:
    """The number of a piece in the unit of the property; Unclear when the units do not go together."""
    quantity = piece.load
    if isinstance(quantity, Span):
        return float(quantity.year or 0)
    assert isinstance(quantity, Quantity)
    value = convert(quantity.value, quantity.unit, quantity.scaled, prop.unit)
    if value is None:
        words = reader.words([piece])
        raise Unclear("wrong_type", words, f"{prop.label} is not measured in “{words}”")
    if quantity.unit == "pct" and prop.unit is None and prop.high is not None and prop.high <= 1:
        return value / 100
    return round(value, 9)


def is_number(piece: Piece) -> bool:
    return piece.tag == "N" or (piece.tag == "D" and piece.load.year is not None)


def by_unit(reader: Reader, piece: Piece) -> Property | None:
    """The one numeric property that is measured in what a number is measured in."""
    quantity = piece.load
    if not isinstance(quantity, Quantity) or quantity.unit is None:
        return None
    wanted = measure_of(quantity.unit)
    found = [
        prop
        for prop in reader.vocabulary.properties
        if prop.unit is not None and prop.unit.name and measure_of(prop.unit.name) == wanted
    ]
    used = [prop for prop in found if prop.field in reader.in_use]
    if len(found) > 1 and len(used) != 1:
        words = reader.words([piece])
        names = [prop.label for prop in found]
        raise Unclear(
            "ambiguous", words, f"“{words}” may be about {', '.join(names)}: say which", names
        )
    return next(iter(used or found), None)


def dated_property(
    reader: Reader, near: Piece | None, spans: Sequence[Span], words: str
) -> Property:
    """The property that a date is about: one named beside it, the year, or the date of the
    documents.
    """
    if near is not None:
        named = reader.choose(near, lambda p: p.dated or p.is_year)
        if named is not None:
            return named
    years = all(span.year is not None for span in spans)
    dated = [prop for prop in reader.vocabulary.properties if prop.dated]
    used = [prop for prop in dated if prop.field in reader.in_use]
    if used:
        return used[0]
    year = [prop for prop in reader.vocabulary.properties if prop.is_year]
    if years and year:
        return year[0]
    if not dated:
        raise Unclear(
            "unknown_property", words, f"no property holds dates, so “{words}” cannot be used"
        )
    if len(dated) > 1:
        reader.assume(f"took “{words}” to be about {dated[0].label}, not {dated[1].label}")
    return dated[0]


def common_fields(lists: Sequence[Sequence[Held]]) -> list[str]:
    """Fields that hold one value of each list."""
    shared = [dict.fromkeys(field for field, _ in held) for held in lists]
    return [field for field in shared[0] if all(field in other for other in shared[1:])]


def values_filter(
    reader: Reader, pieces: Sequence[Piece], near: Piece | None
) -> BasicFilter | None:
    """The condition that a field holds one of some values; None when no field holds them all."""
    fields = common_fields([piece.load for piece in pieces])
    if not fields:
        return None
    if near is not None:
        named = [m.prop.field for m in near.load if m.prop.field in fields]
        if not named:
            return None
        fields = named[:1]
    if len(fields) > 1:
        fields = [field for field in fields if field in reader.in_use] or fields
    if len(fields) > 1:
        words = reader.words(pieces)
        labels = [prop.label for f in fields if (prop := reader.vocabulary.get(f))]
        reason = f"“{words}” is a value of {' and of '.join(labels)}: say which is meant"
        raise Unclear("ambiguous", words, reason, labels)
    values = [value for piece in pieces for field, value in piece.load if field == fields[0]]
    return one_of(fields[0], values)


# -- builders


def _number_condition(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """P C N, C N P, P N p, N p P: a comparison of a property with a number."""
    named, numbers = tagged(pieces, "P"), [p for p in pieces if is_number(p)]
    words = tagged(pieces, "Cp")
    prop = reader.choose(named[0], lambda p: p.numeric)
    if prop is None or not numbers:
        return None
    op = str(words[0].load) if words else "eq"
    op = {"after": "gt", "before": "lt", "since": "ge", "until": "le"}.get(op, op)
    condition = compare(prop, op, number_of(reader, numbers[0], prop))
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _number_range(reader: Reader, pieces: list[Piece]) -> Piece | None:
    named, numbers = tagged(pieces, "P"), [p for p in pieces if is_number(p)]
    prop = reader.choose(named[0], lambda p: p.numeric)
    if prop is None or len(numbers) != 2:
        return None
    low, high = numbers
    if isinstance(low.load, Quantity) and isinstance(high.load, Quantity) and low.load.unit is None:
        # "between 1 and 2 billion": the unit said last is that of both.
        factor = high.load.scaled and not low.load.scaled
        scale = 10.0 ** (3 * _thousands(high.load.value)) if factor else 1.0
        low = cover("N", [low], Quantity(low.load.value * scale, high.load.unit, high.load.scaled))
    condition = between(prop, number_of(reader, low, prop), number_of(reader, high, prop))
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _thousands(value: float) -> int:
    power = 0
    while abs(value) >= 1000 and power < 4:
        value, power = value / 1000, power + 1
    return power


def _by_unit_condition(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """C N without a property, where the unit says which one is meant, or only one is filtered by."""
    numbers = [p for p in pieces if p.tag == "N"]
    prop = by_unit(reader, numbers[0])
    used = [p for p in reader.vocabulary.properties if p.numeric and p.field in reader.in_use]
    if prop is None and len(used) == 1 and numbers[0].load.unit is None:
        prop = used[0]
    if prop is None:
        return None
    words = tagged(pieces, "Cp")
    values = [number_of(reader, piece, prop) for piece in numbers]
    if len(values) == 2:
        return cover("F", pieces, between(prop, values[0], values[1]))
    return cover("F", pieces, compare(prop, str(words[0].load), values[0]))


def _exact_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """N P: `2 engines`. Only for whole numbers of things that are counted."""
    number, named = tagged(pieces, "N")[0], tagged(pieces, "P")[0]
    prop = reader.choose(named, lambda p: p.numeric)
    best = named.load[0].prop
    if prop is None or not best.numeric or number.load.scaled:
        return None
    return cover("F", pieces, compare(prop, "eq", number_of(reader, number, prop)))


def _name_and_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    named = tagged(pieces, "P")[0]
    prop = reader.choose(named, lambda p: p.numeric)
    number = pieces[-1]
    if prop is None or (number.tag == "D" and not prop.is_year):
        return None
    return cover("F", pieces, compare(prop, "eq", number_of(reader, number, prop)))


def _dates(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """One or several spans of time, with a word for before or after and a property beside them."""
    near = next(iter(tagged(pieces, "P")), None)
    if near is not None and not any(m.prop.dated or m.prop.is_year for m in near.load):
        return None
    spans: list[Span] = [piece.load for piece in tagged(pieces, "D")]
    words = tagged(pieces, "Cp")
    prop = dated_property(reader, near, spans, reader.words(tagged(pieces, "D")))
    op = str(words[0].load) if words else "in"
    op = "in" if op == "around" else _DATE_WORDS.get(op, op)
    made = _in_spans(prop, pieces, spans, op)
    return replace(made, load=negated(made.load)) if tagged(pieces, "n") else made


def _in_spans(prop: Property, pieces: list[Piece], spans: Sequence[Span], op: str) -> Piece:
    if prop.numeric:
        return _years(prop, pieces, spans, op)
    if any(span.month is not None for span in spans):
        return cover("F", pieces, _months(prop, [s.month for s in spans if s.month is not None]))
    if len(spans) == 1:
        return cover("F", pieces, in_span(prop, spans[0], op))
    ordered = sorted(spans, key=lambda s: s.start)
    joined = all((b.start - a.end).days == 1 for a, b in pairwise(ordered))
    if joined:
        return cover("F", pieces, in_span(prop, Span(ordered[0].start, ordered[-1].end)))
    return cover("F", pieces, _any_span(prop, ordered))


def _any_span(prop: Property, spans: Sequence[Span]) -> BasicFilter:
    parts = [in_span(prop, span).model_dump(exclude={"any_of"}) for span in spans]
    return BasicFilter(
        field=prop.field, is_date=True, any_of=[Condition.model_validate(part) for part in parts]
    )


def _months(prop: Property, months: Sequence[int]) -> BasicFilter:
    """Months of every year that the collection knows."""
    first, last = (
        value.year if isinstance(value, date) else date.today().year
        for value in (prop.low, prop.high)
    )
    spans = [whole_month(year, month) for year in range(first, last + 1) for month in months]
    return _any_span(prop, spans)


def _years(prop: Property, pieces: list[Piece], spans: Sequence[Span], op: str) -> Piece:
    years = [span.start.year for span in spans]
    ops = {"after": "gt", "before": "lt", "since": "ge", "until": "le", "ne": "ne"}
    if op in ops:
        return cover("F", pieces, compare(prop, ops[op], years[0]))
    whole = [year for span in spans for year in range(span.start.year, span.end.year + 1)]
    return cover("F", pieces, one_of(prop.field, whole))


def _date_range(reader: Reader, pieces: list[Piece]) -> Piece | None:
    first, second = tagged(pieces, "D")
    if first.load.start > second.load.end:
        return None
    year = None
    if first.load.year is not None and second.load.year is not None:
        year = first.load.year
    span = Span(first.load.start, second.load.end, year=year)
    return cover("D", pieces, span)


def _values(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """Values in a row, perhaps with their property in front or behind."""
    values, near = tagged(pieces, "V"), next(iter(tagged(pieces, "P")), None)
    condition = values_filter(reader, values, near)
    if condition is None:
        return None
    comparison = tagged(pieces, "C")
    if any(piece.load not in ("eq", "ne") for piece in comparison):
        return None
    turned = bool(tagged(pieces, "n")) != any(piece.load == "ne" for piece in comparison)
    return cover("F", pieces, negated(condition) if turned else condition)


def _yes_or_no(reader: Reader, pieces: list[Piece]) -> Piece | None:
    prop = reader.choose(tagged(pieces, "P")[0], lambda p: p.kind == "bool")
    if prop is None:
        return None
    wanted = all(bool(piece.load) for piece in tagged(pieces, "j")) != bool(tagged(pieces, "n"))
    return cover("F", pieces, BasicFilter(field=prop.field, query=wanted, match="exact"))


def _sign(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`net income was negative`."""
    prop = reader.choose(tagged(pieces, "P")[0], lambda p: p.numeric)
    if prop is None:
        return None
    condition = compare(prop, str(tagged(pieces, "a")[0].load), 0)
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _gap(reader: Reader, pieces: list[Piece]) -> Piece | None:
    prop = reader.any_property(tagged(pieces, "P")[0])
    exists = bool(tagged(pieces, "h")) != bool(tagged(pieces, "n"))
    return cover("F", pieces, BasicFilter(field=prop.field, exists=exists))


def _without(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`no fatalities`, `without a rating`, `not audited`."""
    return cover("F", pieces, lacking(reader.any_property(tagged(pieces, "P")[0])))


def _adjective(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """`fatal accidents`: the name of a property in front of the noun."""
    named = tagged(pieces, "P")[0]
    prop = named.load[0].prop
    if not (prop.kind == "bool" or (prop.numeric and _is_adjective(reader, named, prop))):
        return None
    condition = stated(reader, named, prop)
    return None if condition is None else cover("F", pieces, condition)


def _truth(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`active satellites`, where the property is true or false."""
    best: Property = pieces[0].load[0].prop
    condition = positive(best) if best.kind == "bool" else None
    return None if condition is None else cover("F", pieces, condition)


def _is_adjective(reader: Reader, piece: Piece, prop: Property) -> bool:
    token = reader.tokens[piece.end - 1]
    if token.lower.endswith("s") and not token.lower.endswith("ous"):
        return False
    if stem(token.text) in _LOSS:
        return True
    return prop.low == 0 or token.lower.endswith(("able", "ful", "ous"))


def _quoted(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """P "text": the property holds the quoted text."""
    named = next(iter(tagged(pieces, "P")), None)
    prop = reader.choose(named, lambda p: not p.numeric and not p.dated) if named else None
    text = str(tagged(pieces, "Q")[0].load)
    if prop is None:
        held = [
            item
            for items in reader.vocabulary.values.values()
            for _, item in items
            if str(item[1]).lower() == text.lower()
        ]
        if not held:
            return None
        return cover("F", pieces, values_filter(reader, [Piece("V", 0, 1, held)], None))
    condition = BasicFilter(field=prop.field, query=text, match="contains")
    return cover("F", pieces, negated(condition) if tagged(pieces, "n") else condition)


def _negation(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece]:
    """`not F`, `exclude F and F`: each is negated; `exclude F F` is the negation of both together."""
    found: list[BasicFilter] = [piece.load for piece in tagged(pieces, "F")]
    if len(found) > 1 and not tagged(pieces, ",&|"):
        parts = [negated(condition).model_dump(exclude={"any_of"}) for condition in found]
        conditions = [Condition.model_validate(part) for part in parts]
        return cover("F", pieces, BasicFilter(field=found[0].field, any_of=conditions))
    return [cover("F", [pieces[0], p], negated(p.load)) for p in tagged(pieces, "F")]


def _either(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """F or F: values of one field together, anything else as alternatives."""
    found: list[BasicFilter] = [piece.load for piece in tagged(pieces, "F")]
    simple = all(f.match == "exact" and not f.negate and not f.range_filter for f in found)
    if simple and len({f.field for f in found}) == 1:
        values: list[object] = []
        for each in found:
            values += each.values or [each.query]
        return cover("F", pieces, one_of(found[0].field, values))
    parts: list[Condition] = []
    for each in found:
        body = each.model_dump(exclude={"any_of"})
        inner = each.any_of or []
        parts += inner if inner else [Condition.model_validate(body)]
    return cover("F", pieces, BasicFilter(field=found[0].field, any_of=parts))


_NUM = "[ND]"

RULES: tuple[Rule, ...] = (
    rule(r"P(?=E)", lambda r, p: _truth(r, p)),
    rule(r"P?b?DzD|P?bD&D", lambda r, p: _ranged(r, p)),
    rule(rf"P[,]?n?b?{_NUM}[z&]{_NUM}", _number_range),
    rule(rf"b?{_NUM}[z&]{_NUM}P", _number_range),
    rule(rf"Pn?C{_NUM}p?", _number_condition),
    rule(rf"P(?:f?z)?{_NUM}p", _number_condition),
    rule(rf"PfzC?{_NUM}", _number_condition),
    rule(rf"C{_NUM}P", _number_condition),
    rule(rf"{_NUM}pP", _number_condition),
    rule(r"bN[z&]N|CN(?!E)", _by_unit_condition),
    rule(r"Np", _by_unit_condition),
    rule(r"P[nC]?V(?:(?:,?[&|]|,)[nC]?V)*", _values),
    rule(r"V(?:(?:,?[&|]|,)V)*P", _values),
    rule(r"V(?:(?:,?[&|]|,)V)+", _values),
    rule(r"V", _values),
    rule(r"PnP?m|Pm|mP|Pnh|hP|nhP|Ph", _gap),
    rule(r"P[nC]?a|aP", _sign),
    rule(r"PC?n?j", _yes_or_no),
    rule(r"PD(?:(?:,?[&|]|,)D)*", _dates),
    rule(r"P?n?CD", _dates),
    rule(r"P?D(?:(?:,?[&|]|,)D)+", _dates),
    rule(r"P?Dp", _dates),
    rule(r"CDP", _dates),
    rule(r"D", _dates),
)


def _ranged(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    near = next(iter(tagged(pieces, "P")), None)
    if near is not None and reader.choose(near, lambda p: p.numeric and not p.is_year):
        return None
    joined = _date_range(reader, [p for p in pieces if p.tag != "P"])
    return joined if near is None or joined is None else [near, joined]


def hinted(reader: Reader, hint: str) -> Property | None:
    """The property that an adjective hints at: `fastest` at a speed."""
    if hint == "date":
        dated = [prop for prop in reader.vocabulary.properties if prop.dated]
        used = [prop for prop in dated if prop.field in reader.in_use]
        years = [prop for prop in reader.vocabulary.properties if prop.is_year]
        return next(iter(used or dated or years), None)
    found = [m.prop for m in reader.vocabulary.meanings([stem(hint)]) if m.prop.numeric]
    measured = _HINTED_MEASURES.get(hint)
    found += [
        prop
        for prop in reader.vocabulary.properties
        if prop.unit is not None and measure_of(prop.unit.name) == measured is not None
    ]
    return found[0] if found else None


LATER_RULES: tuple[Rule, ...] = (
    rule(r"Pn?Q|Q", _quoted),
    rule(r"nP(?!C)E?", _without),
    rule(r"PN|PC?D", _name_and_number),
    rule(r"NP", _exact_number),
    rule(r"PE", _adjective),
)

JOINING_RULES: tuple[Rule, ...] = (
    rule(r"x[nE]*F(?:(?:,?[&|]|,)?E?F)*", _negation),
    rule(r"n[nEe]*F", _negation),
    rule(r"F(?:,?\|F)+", _either),
)
