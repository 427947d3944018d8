"""Constructions that filter documents: conditions on numbers, values, texts, dates and missing
values.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal

from backend.language.dates import Span, from_to, in_year
from backend.language.words import stem
from backend.plans.reading.chart import Beside
from backend.plans.reading.comparing import (
    beside_middle,
    between,
    compare,
    in_span,
    negated,
    one_of,
    recurring,
)
from backend.plans.reading.grammar_types import Limits, first_of, makes, part_of
from backend.plans.reading.linking_types import Degreed, MoneyOf, Value
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.stated_units import in_unit
from workbench.contract.derived_fields import derived_field
from workbench.contract.plan_nodes import BasicFilter, Condition, bare_field

# -- numbers


def compared(prop: Property, limits: Limits) -> BasicFilter | None:
    """A condition on a number; None if the property is not numeric or has another unit."""
    if not prop.numeric:
        return None
    low = in_unit(prop, limits.value)
    if low is None:
        return None
    if limits.upper is not None:
        high = in_unit(prop, limits.upper)
        return None if high is None else between(prop, low, high, limits.op)
    return compare(prop, limits.op, low)


@makes("Cond", "Money Bound", example="pay more than 1000", weight="money")
def _paid(money: MoneyOf, limits: Limits) -> BasicFilter | None:
    return compared(money.prop, limits)


@makes("Num", "Num ( in? Unit )", example="500 (in feet)", weight="number: unit apart")
def _unit_apart(number: Quantity, unit: str) -> Quantity | None:
    return replace(number, unit=unit) if number.unit is None else None


@makes("Num", "Num per cent", example="60 per cent", weight="number: unit apart")
def _per_cent(number: Quantity) -> Quantity | None:
    return replace(number, unit="pct") if number.unit is None else None


@makes("Prop", "Prop ( in? Unit )", example="price (in dollars)", weight="property: with a unit")
def _in_its_unit(prop: Property, unit: str) -> Property | None:
    fits = prop.unit is None or prop.unit.name == unit
    return prop if prop.numeric and fits else None


@makes("Bound", "More Num", example="more than 5")
def _more(op: str, number: Quantity) -> Limits:
    return Limits(op, number)


@makes("Bound", "Num OrMore", "Num times|people|persons OrMore", example="5 or more")
def _or_more(number: Quantity, op: str) -> Limits:
    return Limits(op, number)


@makes(
    "Bound",
    "between Num and Num",
    "from Num to Num",
    "ranging from Num to Num",
    "in range of Num to|and Num",
    "within Num and Num",
    "in range Num to|- Num",
    "in range from Num to Num",
    "Num to Num",
    "Num - Num",
    "within range of Num and Num",
    example="between 5 and 10",
)
def _range(low: Quantity, high: Quantity) -> Limits | None:
    if low.unit is None and high.unit is not None:
        low = replace(low, unit=high.unit)
    return Limits("between", low, high)


@makes(
    "Bound",
    "More Num but|and More Num",
    "More Num and|but also More Num",
    example="more than 5 and less than 10",
)
def _both_ends(first: str, low: Quantity, second: str, high: Quantity) -> Limits | None:
    sides = {first[0], second[0]}
    return Limits(f"{first} {second}", low, high) if sides == {"g", "l"} else None


@makes(
    "Bound",
    "Num give or take Num",
    "Num plus or minus Num",
    "Num plus / minus Num",
    example="500 give or take 50",
    weight="within a margin",
)
def _give_or_take(middle: Quantity, margin: Quantity) -> Limits | None:
    return _around(middle, margin)


@makes("Bound", "only|just Bound", "only|just where|if it? Be? Bound", "only|just Noun With? Bound",
       "only|just Prop With? Bound", example="only those above 5", weight="only")  # fmt: skip
def _only_above(*parts: Any) -> Limits | None:
    """What groups are called may stand there, but no other number: `only towns above 5`."""
    named = first_of(parts, Property)
    return parts[-1] if named is None or named.worded else None


@makes("Bound", "within Num of Num", example="within 50 of 500", weight="within a margin")
def _within_margin(margin: Quantity, middle: Quantity) -> Limits | None:
    return _around(middle, margin)


def _around(middle: Quantity, margin: Quantity) -> Limits | None:
    """From `middle - margin` to `middle + margin`; None for a margin in another unit."""
    margin = margin if margin.unit else replace(margin, unit=middle.unit)
    middle = middle if middle.unit else replace(middle, unit=margin.unit)
    if middle.unit != margin.unit or middle.scaled != margin.scaled:
        return None
    low, high = middle.value - margin.value, middle.value + margin.value
    return Limits("between", replace(middle, value=low), replace(middle, value=high))


# -- conditions on numbers


@makes(
    "Cond",
    "Prop Be? Bound",
    "Prop us|me|them|him|her|it Bound",
    "Prop Be Be? Bound",
    "Prop value Be? Bound",
    example="price is more than 500",
)
def _property_bound(prop: Property, *rest: Any) -> BasicFilter | None:
    return compared(prop, rest[-1])


@makes("Cond", "Prop More Times times?", "Prop Times OrMore", example="berths at least twice",
       weight="number of times")  # fmt: skip
def _so_often(prop: Property, *rest: Any) -> BasicFilter | None:
    often = part_of(rest, float)
    limits = Limits(part_of(rest, str), Quantity(often))
    return compared(prop, limits) if often.is_integer() else None


@makes("Cond", "Bound Prop", "Bound for|in|on|of Prop", example="more than 3 berths")
def _bound_property(limits: Limits, prop: Property) -> BasicFilter | None:
    return None if _lost_unit(prop, limits.value) else compared(prop, limits)


def _lost_unit(prop: Property, number: Quantity) -> bool:
    """Whether the unit of a number went into a name: `more than two [months to close]`."""
    derived = derived_field(prop.field)
    return number.unit is None and derived is not None and derived.operation == "days_since"


@makes(
    "Cond", "Bound", "of|for Bound", example="over 40 feet", weight="number of the only property"
)
@makes("Cond", "Be Bound", example="are over 40 feet", weight="is a number of the only property")
def _bound_alone(*parts: Any) -> BasicFilter | None:
    """A number that only one property can refer to."""
    limits = part_of(parts, Limits)
    return None if limits.value.about is None else compared(limits.value.about, limits)


@makes("Cond", "Num Prop", example="4 berths")
def _number_property(number: Quantity, prop: Property) -> BasicFilter | None:
    fits = prop.numeric and not _lost_unit(prop, number)
    return compared(prop, Limits("eq", number)) if fits else None


@makes("Cond", "Prop Be? Num", "Prop Be Be Num", "Prop Num", example="berths is 4")
def _property_number(prop: Property, *rest: Any) -> BasicFilter | None:
    return compared(prop, Limits("eq", rest[-1]))


@makes("Cond", "Prop Be? Digits", "Digits Prop", example="home port is 4711")
def _property_digits(*parts: Any) -> BasicFilter | None:
    prop = part_of(parts, Property)
    text = part_of(parts, str)
    return one_of(prop.field, [text]) if prop.worded else None


@makes("Cond", "Prop Be? Num or|and Num", example="berths is 4 or 6")
def _either_number(prop: Property, _: None, one: Quantity, other: Quantity) -> BasicFilter | None:
    values = [in_unit(prop, one), in_unit(prop, other)]
    return one_of(prop.field, values) if prop.numeric and None not in values else None


@makes("Nums", "Num ,|or|and Num", "Num , or Num", example="4 or 6", weight="several numbers")
def _two_numbers(one: Quantity, other: Quantity) -> tuple[Quantity, ...] | None:
    return None if one == other else (one, other)


@makes("Nums", "Nums ,|or|and Num", "Nums , or Num", example="4, 6 or 8", weight="several numbers")
def _more_numbers(some: tuple[Quantity, ...], other: Quantity) -> tuple[Quantity, ...] | None:
    return None if other in some else (*some, other)


@makes("Cond", "Nums Prop", "Prop Be? Nums", "only|either|exactly Nums Prop",
       "Prop Be? either Nums", "Prop either Be? Nums",
       example="4, 6 or 8 berths", weight="several numbers")  # fmt: skip
def _one_of_numbers(*parts: Any) -> BasicFilter | None:
    prop = part_of(parts, Property)
    numbers = part_of(parts, tuple)
    values = [in_unit(prop, number) for number in numbers]
    return one_of(prop.field, values) if prop.numeric and None not in values else None


@makes("Cond", "Comparative than Num", "Comparative than Digits", example="longer than 12")
def _comparative(degree: Degreed, number: Quantity | str) -> BasicFilter | None:
    if isinstance(number, str):
        return None
    return compared(degree.prop, Limits("gt" if degree.high else "lt", number))


@makes("Cond", "at|no least|more Num Adjective", "Num OrMore Adjective", example="12 or more long")
def _long(*parts: Any) -> BasicFilter | None:
    degree = parts[-1]
    op = parts[1] if len(parts) == 3 else "ge"
    return compared(degree.prop, Limits(op, parts[0]))


@makes(
    "Cond",
    "Prop Be? More Avg",
    "Prop Be? More Avg Prop",
    "More Avg Prop",
    "Prop Be? More Avg for|of Noun",
    "More - Avg Prop",
    example="price above the average",
)
def _beside_average(*parts: Any) -> BasicFilter | None:
    prop = part_of(parts, Property)
    words = [part for part in parts if isinstance(part, str)]
    if not prop.numeric or len(words) != 2 or words[0] not in ("gt", "lt", "ge", "le"):
        return None
    return beside_middle(prop, words[0], "median" if words[1] == "median" else "avg")


def _than_average(front: str) -> tuple[str, ...]:
    """The patterns for above or below an average: `more price than the average boat`."""
    behind = ("", " Noun", " of|for|over|across|among Noun", " Prop")
    return tuple(f"{front} than Avg{what}" for what in behind)


@makes(
    "Cond",
    *_than_average("more|higher|greater|larger|bigger Prop"),
    example="more price than the average",
    weight="beside the average",
)
def _more_than_average(prop: Property, middle: str, *other: Any) -> BasicFilter | None:
    return _besides_average(prop, "gt", middle, other)


@makes(
    "Cond",
    *_than_average("less|fewer|lower|smaller Prop"),
    example="fewer berths than the average",
    weight="beside the average",
)
def _less_than_average(prop: Property, middle: str, *other: Any) -> BasicFilter | None:
    return _besides_average(prop, "lt", middle, other)


@makes(
    "Cond",
    *_than_average("Comparative"),
    example="longer than the average",
    weight="beside the average",
)
def _comparative_average(degree: Degreed, middle: str, *other: Any) -> BasicFilter | None:
    return _besides_average(degree.prop, "gt" if degree.high else "lt", middle, other)


def _besides_average(
    prop: Property, op: str, middle: str, other: tuple[Any, ...]
) -> BasicFilter | None:
    if not prop.numeric or any(part is not None and part != prop for part in other):
        return None
    return beside_middle(prop, op, "median" if middle == "median" else "avg")


# -- conditions on values


@makes("Vals", "Val", example="ketch")
def _values(value: Value) -> Value:
    return value


@makes("Vals", "Vals ,|or|and|nor|/|+ Val", "Vals , or|and Val",
       "Vals or|nor to|from|in|at|for|with|by|of Val", "Vals Noun or|nor|and Val",
       example="ketch or sloop")  # fmt: skip
def _more_values(one: Value, *rest: Any) -> Value | None:
    other: Value = rest[-1]
    if one.prop.field != other.prop.field or set(other.values) & set(one.values):
        return None
    return Value(one.prop, (*one.values, *other.values))


@makes(
    "Versus",
    "Val versus|vs|against Val",
    "compare|comparing|compared Val and|with|to Val",
    "comparison of|between Val and|with Val",
    example="ketch versus sloop",
    weight="compared values",
)
def _compared_values(one: Value, other: Value) -> Value | None:
    joined: Value | None = _more_values(one, other)
    return joined


@makes("Cond", "Vals", example="ketch")
def _value_alone(value: Value) -> BasicFilter:
    return one_of(value.prop.field, value.values)


@makes(
    "Cond", "either Vals", "in|from|at|by|for|to|on|of Vals", "either of Vals", example="in Ashby"
)
def _in_value(value: Value) -> BasicFilter:
    return one_of(value.prop.field, value.values)


@makes(
    "Cond",
    "Prop Be? Vals",
    "Prop Be Be Vals",
    "Prop Be? either Vals",
    "Prop in|at|from|by|with Vals",
    "Prop either Be? Vals",
    example="home port is Ashby",
)
def _property_value(prop: Property, *rest: Any) -> BasicFilter | None:
    value: Value = rest[-1]
    return one_of(prop.field, value.values) if value.prop.field == prop.field else None


@makes("Cond", "Vals Prop", "Vals for|as|in|of Prop", example="sloop type")
def _value_property(value: Value, prop: Property) -> BasicFilter | None:
    return one_of(prop.field, value.values) if value.prop.field == prop.field else None


@makes(
    "Cond",
    "Coded Prop",
    "Coded Prop ( Coded )",
    "Coded Prop ( Coded . )",
    "Prop ( Coded )",
    "Prop ( Coded . )",
    "Prop Be Coded",
    "Prop from|of|in Coded",
    example="Norwegian maker id",
    weight="country code",
)
def _coded_property(*parts: Any) -> BasicFilter | None:
    """`a German VAT id`, where the ids begin with a country code."""
    conditions = [part for part in parts if isinstance(part, BasicFilter)]
    fields = {part_of(parts, Property).field, *(condition.field for condition in conditions)}
    same = len(fields) == 1 and len({condition.query for condition in conditions}) == 1
    return conditions[0] if same else None


@makes(
    "Cond",
    "from|by|of|to|for Prop With Cond",
    "come|comes|came|coming from Prop With Cond",
    example="from makers with a Norwegian maker id",
    weight="what somebody has",
)
def _of_those_with(*parts: Any) -> BasicFilter | None:
    """`from sellers with a German VAT id`, where the documents have the seller's VAT id."""
    condition, holder = parts[-1], part_of(parts, Property)
    if not isinstance(condition, BasicFilter) or condition.field == holder.field:
        return None
    name_stems = set(map(stem, bare_field(condition.field).split("_")))
    return condition if name_stems.issuperset(holder.parts) else None


@makes("Cond", "Prop Be? Quote", "Prop Be Be Quote", example="name is “Blue Whale”")
def _property_quote(prop: Property, *rest: Any) -> BasicFilter | None:
    return one_of(prop.field, [rest[-1]]) if prop.worded else None


# -- conditions on texts


@makes("Text", "Quote", example="“heron”")
@makes("Text", "Letters Quote", "Letters Word", "Letters in? it? Quote", example="the word heron")
def _text(*parts: Any) -> str:
    return str(parts[-1])


@makes(
    "Cond",
    "Prop Contains Text",
    "Prop Contains Quote",
    "Prop With? Contains Letters a",
    "Prop that|which|who Contains Text",
    "Prop Contains Word in it",
    "Prop Contains Text in it",
    example="name containing the word heron",
)
def _contains(prop: Property, *rest: Any) -> BasicFilter | None:
    match = next(part for part in rest if part in ("contains", "prefix"))
    texts = [part for part in rest if isinstance(part, str) and part != match]
    text = texts[-1] if texts else "a"
    if not (prop.worded or prop.kind == "array"):
        return None
    return holding(prop, text, match)


@makes("Cond", "Prop Contains Word", example="type starts with Slo", weight="begins with a word")
def _begins(prop: Property, match: str, word: str) -> BasicFilter | None:
    # Substring conditions may be about meaning; prefixes are about letters.
    return _contains(prop, match, word) if match == "prefix" else None


def holding(prop: Property, text: str, match: str) -> BasicFilter:
    """A condition on a part of a text, `match` prefix or contains."""
    way: Literal["prefix", "contains"] = "prefix" if match == "prefix" else "contains"
    return BasicFilter(field=prop.field, query=text, match=way)


@makes("Cond", "Text in|as Prop", "Contains? Text in|as Prop", example="the word heron in name")
def _text_in(*parts: Any) -> BasicFilter | None:
    prop = parts[-1]
    if not (prop.worded or prop.kind == "array"):
        return None
    return holding(prop, parts[-2], "prefix" if parts[0] == "prefix" else "contains")


# -- conditions on truth and dates


@makes("Cond", "Prop Be? Flag", "Flag Prop", example="licensed is licensed",
       weight="flag: beside its property")  # fmt: skip
def _flag_of(*parts: Any) -> BasicFilter | None:
    condition, prop = part_of(parts, BasicFilter), part_of(parts, Property)
    return condition if prop.field == condition.field else None


@makes("Cond", "across|among|amongst|over Flag", example="across licensed", weight="flag: across")
@makes("Cond", "Flag", example="licensed")
def _flag(condition: BasicFilter) -> BasicFilter:
    return condition


@makes(
    "Cond",
    "Prop When Date",
    "Prop Be When Date",
    "Prop When Year",
    "Prop Be? Date",
    "Prop Be? Year",
    "Prop Be When Year",
    example="built after May 2020",
)
def _dated(prop: Property, *rest: Any) -> BasicFilter | None:
    when = first_of(rest, str, "in")
    return in_time(prop, when, rest[-1])


@makes(
    "Cond",
    "Prop between Year and Year",
    "Prop from Year to Year",
    "Prop between Date and Date",
    "Prop from Date to Date",
    "Prop Be? between Year and Year",
    "Prop between Date and Year",
    "Prop from Year - Year",
    "Prop Be between Date and Date",
    example="built between 2018 and 2020",
)
def _dated_between(prop: Property, *rest: Any) -> BasicFilter | None:
    start, end = rest[-2], rest[-1]
    if prop.is_year and start.year and end.year:
        return between(prop, start.year, end.year)
    span = from_to(start, end) if prop.dated else None
    return None if span is None else in_time(prop, "in", replace(span, year=None))


def in_time(prop: Property, op: str, span: Span) -> BasicFilter | None:
    """A condition on a date or a year; None for other properties."""
    if prop.is_year and span.year is not None:
        ops = {"in": "eq", "after": "gt", "before": "lt", "since": "ge", "until": "le", "ne": "ne"}
        return compare(prop, ops[op], span.year)
    if span.yearless:
        return recurring(prop, span, op) if prop.dated else None
    return in_span(prop, span, op) if prop.dated else None


@makes("Year", "calendar? year Year", example="year 2018", weight="date")
def _named_year(span: Span) -> Span:
    return span


@makes("Cond", "between years? Year and Year", "years? from Year to Year", "between Date and Date",
       "in? years Year to|until|till|- Year",
       example="between 2018 and 2020")  # fmt: skip
def _between_alone(start: Span, end: Span) -> tuple[str, Span] | None:
    span = from_to(start, end)
    return None if span is None else ("in", replace(span, year=None))


@makes(
    "Date",
    "Year and|or|to Year",
    "Date and|or|to Date",
    "Date and|or|to Year",
    example="2018 and 2019",
    weight="several dates in a row",
)
def _in_a_row(first: Span, last: Span) -> Span | None:
    """Merges consecutive time spans without a gap."""
    if first.hours or last.hours:
        return None
    if first.yearless and not last.yearless:
        first = in_year(first, last.start.year)
    if first.yearless or first.ago or last.ago or first.end + timedelta(1) != last.start:
        return None
    return Span(first.start, last.end)


@makes("Cond", "over|across|during|through|throughout Date", "over|during|throughout Year",
       example="over 2018 and 2019", weight="throughout a time")  # fmt: skip
def _throughout(span: Span) -> tuple[str, Span]:
    return "in", span


@makes("Cond", "Prop over|across|during|through|throughout Date", "Prop during|throughout Year",
       example="built over 2018 and 2019", weight="throughout a time")  # fmt: skip
def _dated_throughout(prop: Property, span: Span) -> BasicFilter | None:
    return in_time(prop, "in", span)


@makes("Cond", "When Date", "When Year", example="in 2019")
def _when_alone(op: str, span: Span) -> tuple[str, Span]:
    return op, span


@makes("Cond", "Comparative than Year", "Comparative than Date", example="newer than 2019")
def _newer(degree: Degreed, span: Span) -> BasicFilter | None:
    return in_time(degree.prop, "after" if degree.high else "before", span)


# -- conditions joined


def _part_of_date(condition: BasicFilter) -> str:
    """The part of a date that is compared, or nothing for other conditions."""
    derived = derived_field(condition.field)
    return "" if derived is None or derived.other is not None else derived.operation


def denied(condition: Any) -> BasicFilter | None:
    """The opposite of a condition."""
    if not isinstance(condition, BasicFilter) or condition.start_at or condition.end_at:
        return None
    one_sided = (condition.start_field is None) != (condition.end_field is None)
    if one_sided or condition.exists is not None or isinstance(condition.query, bool):
        return negated(condition)
    return condition.model_copy(update={"negate": not condition.negate})


@makes("Cond", "Not Cond", "Not With Cond", example="not in Ashby")
def _not(*parts: Any) -> BasicFilter | None:
    condition = parts[-1]
    return denied(condition) if _is_plain(condition) else None


@makes("Cond", "Not Be? Prop by Vals", "Be Not Prop by Vals",
       example="not inspected by Ashby", weight="not by it")  # fmt: skip
def _not_by(*parts: Any) -> BasicFilter | None:
    """It happened, but by something else: `not sunk by a storm`."""
    prop, value = part_of(parts, Property), part_of(parts, Value)
    other = prop.dated and value.prop.field != prop.field
    return denied(one_of(value.prop.field, value.values)) if other else None


@makes(
    "Cond",
    "Prop Not Vals",
    "Prop Be Not Vals",
    "Prop Be? Not Be? Vals",
    "Prop Not in|from Vals",
    "Prop Not Be? either? Vals",
    example="type is not ketch",
)
def _property_not(prop: Property, *rest: Any) -> BasicFilter | None:
    value: Value = rest[-1]
    return denied(one_of(prop.field, value.values)) if value.prop.field == prop.field else None


@makes(
    "Cond", "Prop Not Contains Text", "Prop Be? Not Quote", example="name not containing “heron”"
)
def _property_without(prop: Property, *rest: Any) -> BasicFilter | None:
    if not (prop.worded or prop.kind == "array"):
        return None
    match = "contains" if "contains" in rest[:-1] else "exact"
    return BasicFilter.model_validate(
        {"field": prop.field, "query": rest[-1], "match": match, "negate": True}
    )


@makes("Cond", "Not concern|involve|affect|cover|include|mention|need|require|use Vals",
       "Not concerning|involving|affecting|covering|including|mentioning|needing|using Vals",
       example="did not include Ashby", weight="not concerned")  # fmt: skip
def _not_concerned(_: Any, value: Value) -> BasicFilter | None:
    return denied(one_of(value.prop.field, value.values))


@makes("Cond", "another|other|different Prop than|from Vals",
       "Prop of another|other|different Prop than|from Vals",
       example="another type than ketch", weight="excluded")  # fmt: skip
def _another_than(*parts: Any) -> BasicFilter | None:
    value = part_of(parts, Value)
    named = all(part.field == value.prop.field for part in parts if isinstance(part, Property))
    return denied(one_of(value.prop.field, value.values)) if named else None


@makes("Cond", "only|solely|exclusively Cond", "Cond Noun? only|alone", example="only in Ashby",
       weight="only")  # fmt: skip
def _only(condition: Any, *_: Any) -> Any:
    return condition


@makes("Prop", "Val Prop", example="Ashby price", weight="value before a property")
def _property_of(value: Value, prop: Property) -> Beside | None:
    """`the average euro amount`, `the highest French score`: only of what the value names."""
    plain = prop.numeric and not prop.key and prop.field != value.prop.field
    return Beside(prop, one_of(value.prop.field, value.values)) if plain else None


@makes("Idle", "whatever|regardless|irrespective|independent of? Prop Be?",
       "no matter what|which Prop Be?", "over|across Noun", example="whatever the type",
       weight="whatever it is")  # fmt: skip
def _whatever(*_: Any) -> bool:
    return True


@makes("Cond", "Cond Excluded", "Noun With? Cond Excluded", example="in Ashby should be ignored",
       weight="excluded")  # fmt: skip
def _excluded(*parts: Any) -> BasicFilter | None:
    condition = next(part for part in parts if isinstance(part, BasicFilter | tuple))
    return denied(condition) if _is_plain(condition) else None


def _is_plain(condition: Any) -> bool:
    return isinstance(condition, BasicFilter) and not condition.negate and not condition.any_of


@makes(
    "Cond",
    "Cond or With? Cond",
    "either Cond or Cond",
    "Cond or Noun? With Cond",
    example="longer than 12 or home port is Ashby",
)
def _either(one: Any, *rest: Any) -> BasicFilter | None:
    other = rest[-1]
    if not (isinstance(one, BasicFilter) and isinstance(other, BasicFilter)):
        return None
    if one.field != other.field and {*map(_part_of_date, (one, other))} != {""}:
        return None  # "on a Friday or Saturday" is about one date
    parts: list[Condition] = []
    for condition in (one, other):
        if condition.start_at or condition.end_at or (condition.any_of and condition.negate):
            return None
        parts += condition.any_of or [
            Condition.model_validate(condition.model_dump(exclude={"any_of"}))
        ]
    return BasicFilter(field=one.field, any_of=parts)
