"""Constructions with two properties at once, and with recurring parts of dates."""

from typing import Any

from backend.language.dates import Span
from backend.language.units import measure_of
from backend.plans.reading.comparing import beside, one_of
from backend.plans.reading.derived_properties import of_two, part_of_date, source_field
from backend.plans.reading.grammar_conditions import compared, denied
from backend.plans.reading.grammar_types import First, Limits, makes, part_of
from backend.plans.reading.linking_types import Degreed, Owed, Value
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property, size_of
from workbench.contract.plan_nodes import BasicFilter

# -- one property beside another


@makes(
    "Cond",
    "Prop Be? More Prop",
    "Prop Be? More Noun Prop",
    "Prop Be Be More Prop",
    "Prop More amount|value of Prop",
    example="price is below berths",
    weight="two properties",
)
def _beside(prop: Property, *rest: Any) -> BasicFilter | None:
    op = part_of(rest, str)
    # "not" and "equal" alone are too vague: see _same and _different.
    return beside(prop, op, rest[-1]) if op in ("gt", "ge", "lt", "le") else None


@makes(
    "Cond",
    "more|greater|higher|larger Prop than Prop",
    example="more price than berths",
    weight="two properties",
)
def _more_than_other(prop: Property, other: Property) -> BasicFilter | None:
    return beside(prop, "gt", other)


@makes(
    "Cond",
    "less|fewer|lower|smaller Prop than Prop",
    example="fewer berths than price",
    weight="two properties",
)
def _less_than_other(prop: Property, other: Property) -> BasicFilter | None:
    return beside(prop, "lt", other)


@makes(
    "Cond",
    "more|greater|higher|larger|longer Prop than in|for|at|on|by|of|during Prop",
    "Prop Be? more|greater|higher|larger|longer than in|for|at|on|by|of|during Prop",
    "better|more|higher in|on|during|for Prop than in|on|during|for Prop",
    "Prop rose|rise|increased|increase|grew|grow|climbed|climb|improved|improve from Prop to Prop",
    example="more trips in spring than in autumn",
    weight="two properties",
)
def _more_than_its_like(*parts: Any) -> BasicFilter | None:
    return _of_two_alike("gt", *parts)


@makes(
    "Cond",
    "less|fewer|lower|smaller|shorter Prop than in|for|at|on|by|of|during Prop",
    "Prop Be? less|fewer|lower|smaller|shorter than in|for|at|on|by|of|during Prop",
    "worse|less|lower in|on|during|for Prop than in|on|during|for Prop",
    "Prop fell|fall|dropped|drop|decreased|decrease|declined|decline|sank|sink from Prop to Prop",
    example="trips fell from spring to autumn",
    weight="two properties",
)
def _less_than_its_like(*parts: Any) -> BasicFilter | None:
    return _of_two_alike("lt", *parts)


@makes(
    "Cond",
    "exactly|just? as many|much|few|high|low|long Prop as in|for|at|on|during Prop",
    "exactly|just? as many|much|well|good|high|low in|on|during Prop as Who? did? in|on Prop",
    "Prop Be? same in|for|on|during Prop as in|for|on|during Prop",
    example="as many trips in spring as in autumn",
    weight="two properties",
)
def _as_much_as_its_like(*parts: Any) -> BasicFilter | None:
    return _of_two_alike("eq", *parts)


def _of_two_alike(op: str, *parts: Any) -> BasicFilter | None:
    """`more honey in spring than in summer`, `honey rose from spring to summer`: the properties
    must share a word of their names, since these are only begun.
    """
    props = [part for part in parts if isinstance(part, Property)]
    one, two = (props[-1], props[1]) if len(props) > 2 and op != "eq" else props[-2:]
    alike = set.intersection(*(set(prop.parts) for prop in props))
    return beside(one, op, two) if alike else None


@makes("Cond", "Prop InFull", "InFull Prop", "Not Prop InFull", "Prop Not InFull",
       "Not InFull Prop", example="berths in full", weight="two properties")  # fmt: skip
def _in_full(*parts: Any) -> BasicFilter | None:
    part = next(item for item in parts if isinstance(item, Property))
    owed = next(item for item in parts if isinstance(item, Owed)).prop
    denied = any(not isinstance(item, Property | Owed) for item in parts)
    return beside(part, "lt" if denied else "ge", owed) if part != owed else None


@makes(
    "Cond",
    "Prop Be? Comparing than Prop",
    "Prop Be? Comparing than Noun Prop",
    example="price is bigger than berths",
    weight="two properties",
)
def _compared_by_adjective(prop: Property, *rest: Any) -> BasicFilter | None:
    high = part_of(rest, bool)
    return beside(prop, "gt" if high else "lt", rest[-1])


@makes(
    "Cond",
    "Prop Be? Comparative than Prop",
    example="price is higher than berths",
    weight="two properties",
)
def _higher_than(prop: Property, *rest: Any) -> BasicFilter | None:
    degree = part_of(rest, Degreed)
    return beside(prop, "gt" if degree.high else "lt", rest[-1])


@makes(
    "Cond",
    "Prop Be? the? same as Prop",
    "Prop Be? identical|equal to Prop",
    "Prop equals|matches|equal|match Prop",
    "Prop Be? on very|same|exact|actual Prop",
    "same Prop and|as Prop",
    "Prop and Prop Be? the? same|equal|identical",
    "Prop and Prop match|agree|coincide",
    example="type is the same as home port",
    weight="two properties",
)
def _same(prop: Property, *rest: Any) -> BasicFilter | None:
    return beside(prop, "eq", rest[-1] if isinstance(rest[-1], Property) else rest[-2])


@makes(
    "Cond",
    "Prop Be? Not the? same as Prop",
    "Prop Be? different from|to|than Prop",
    "Prop differs|differ|differing|deviates|deviate from Prop",
    "Prop Not match|equal|matching Prop",
    "Prop and Prop Be? different",
    "Prop and Prop differ|disagree",
    "Prop and Prop Be? Not the? same|equal|identical",
    "Prop and Prop Not match|agree",
    example="type differs from home port",
    weight="two properties",
)
def _different(*parts: Any) -> BasicFilter | None:
    one, other = (part for part in parts if isinstance(part, Property))
    return beside(one, "ne", other)


@makes(
    "Cond",
    "Prop More Num of Prop",
    "Prop Be More Num of Prop",
    "Prop Be? Num of Prop OrMore",
    example="price is more than 50 % of berths",
    weight="two properties",
)
def _part_beside(prop: Property, *rest: Any) -> BasicFilter | None:
    number = part_of(rest, Quantity)
    op = next((part for part in rest if isinstance(part, str)), "eq")
    other = part_of(rest, Property)
    if number.unit != "pct":
        return None
    return _times_beside(prop, op, number.value / 100, other)


@makes(
    "Cond",
    "Prop Be? More Times Prop",
    "Prop Be? More Times Prop one|ones",
    example="price is more than twice berths",
    weight="two properties",
)
def _multiple_beside(prop: Property, *rest: Any) -> BasicFilter | None:
    op = part_of(rest, str)
    times = part_of(rest, float)
    return _times_beside(prop, op, times, rest[-1])


@makes("Times", "Times as much|many|great|big|high|large|long|far|old|heavy|expensive as",
       example="twice as high as")  # fmt: skip
def _times_as_much(times: float) -> float:
    return times


@makes("Cond", "With? More Times Prop Be? Prop", "Times Prop OrMore Be? Prop",
       example="more than half of berths are price", weight="two properties")  # fmt: skip
def _multiple_is(*parts: Any) -> BasicFilter | None:
    whole, part = (item for item in parts if isinstance(item, Property))
    return _times_beside(part, part_of(parts, str), part_of(parts, float), whole)


def _times_beside(prop: Property, op: str, times: float, other: Property) -> BasicFilter | None:
    if op in ("gt", "ge") and times >= 1:
        # The larger one is the divisor: a ratio to zero is undefined.
        prop, other, op, times = other, prop, {"gt": "lt", "ge": "le"}[op], 1 / times
    share = of_two("share_of", prop, other)
    if share is None:
        return None
    return compared(share, Limits(op, Quantity(times, whole=False)))


# -- the length of a list


@makes("Prop", "Prop", example="extras", weight="size of a list")
@makes("Prop", "HowMany people|persons? Prop", example="number of extras",
       weight="size of a list: named")  # fmt: skip
def _length(*parts: Any) -> Property | None:
    array = part_of(parts, Property)
    return size_of(array) if array.kind == "array" else None


# -- what two properties yield together


@makes(
    "Relative",
    "relative|relatively to Prop",
    "in relation|proportion to Prop",
    "compared with|to Prop",
    "measured against|by Prop",
    "as share|percentage|proportion|fraction of Prop",
    example="in relation to price",
    weight="relative to another",
)
def _relative(prop: Property) -> Property | None:
    return prop if prop.numeric and not prop.key and not prop.is_year else None


@makes("First", "Superlative Num? Noun|Prop? to Prop", "Superlative Num? Noun? to get|have Prop",
       example="dearest boat to berths", weight="to do something")  # fmt: skip
def _most_to_do(degree: Degreed, *parts: Any) -> First | None:
    """`the dearest one to fix`: by what the repair costs."""
    named, other = parts[-1], degree.prop
    alike = named.numeric and other.numeric and named.unit == other.unit
    return First(named, degree.high) if alike and named.field != other.field else None


@makes("First", "With? Best Prop per|for Prop", "With? Most Prop per|for Prop",
       "With? Best Prop for|per each|every Prop", "Prop Be? Best|Most per|for Prop",
       example="highest price per berth",
       weight="first by a ratio")  # fmt: skip
def _first_by_a_ratio(*parts: Any) -> First | None:
    one, other = (part for part in parts if isinstance(part, Property))
    share = of_two("share_of", one, other)
    return None if share is None else First(share, part_of(parts, bool))


@makes("Prop", "how long do|does|did|is|was|are Prop take|takes|took|last|lasts|lasted?",
       "time that? Prop takes|took|lasted|lasts", "time spent|needed on|for? Prop",
       example="time that price takes", weight="how long it takes")  # fmt: skip
def _how_long_it_takes(prop: Property) -> Property | None:
    unit = None if prop.unit is None else measure_of(prop.unit.name)
    return prop if prop.numeric and unit in (None, "time") else None


@makes(
    "Prop",
    "difference between Prop and Prop",
    "difference of Prop and Prop",
    "Prop minus|less Prop",
    "Prop - Prop",
    "gap between Prop and Prop",
    "difference in amount|value between Prop and Prop",
    "amount|amounts by which Prop exceeds|exceed Prop",
    example="difference between price and berths",
    weight="two properties",
)
def _difference(*parts: Any) -> Property | None:
    one, other = parts
    return of_two("minus", one, other) if one.numeric else None


@makes(
    "Prop", "Prop plus Prop", "Prop + Prop", example="price plus berths", weight="two properties"
)
def _together(one: Property, other: Property) -> Property | None:
    return of_two("plus", one, other)


@makes(
    "Prop", "Prop times|x Prop", "Prop multiplied by Prop", "product of Prop and Prop",
    example="price times berths", weight="two properties"
)  # fmt: skip
def _product(one: Property, other: Property) -> Property | None:
    return of_two("times", one, other)


@makes("Prop", "Prop Be there in|for|during Prop", "Prop did Who have|get|make in|for|during Prop",
       "Prop Overall in|for|during Prop", example="trips were there in spring",
       weight="property: named in two parts")  # fmt: skip
def _named_in_two_parts(*parts: Any) -> Property | None:
    """`visitors were there in 2024` for `visitors_2024`."""
    one, other = (part for part in parts if isinstance(part, Property))
    return other if other.numeric and set(one.parts) & set(other.parts) else None


@makes("Prop", "Prop or|and Prop", example="price or price", weight="property: two names")
def _two_names(one: Property, other: Property) -> Property | None:
    """`profit or loss`, if that is one number."""
    return one if one is other and one.numeric else None


@makes(
    "Prop", "Prop amount|figure|sum|level", example="price amount", weight="property: generic word"
)
def _amount_of(prop: Property) -> Property | None:
    return prop if prop.numeric else None


@makes(
    "Prop",
    "ratio of Prop to|and|over Prop",
    "ratio between Prop and Prop",
    "Prop to Prop ratio",
    "Prop divided by Prop",
    "Prop / Prop",
    "Prop as share|percentage|fraction|proportion|part|percent of Prop",
    "quotient of Prop and Prop",
    example="ratio of price to berths",
    weight="two properties",
)
def _ratio(one: Property, other: Property) -> Property | None:
    return of_two("share_of", one, other)


# -- how far one property is from another


@makes(
    "Cond",
    "Prop exceeds|exceed|exceeding Prop by Bound",
    "Prop Be? More Prop by Bound",
    example="price exceeds berths by more than 20",
    weight="two properties",
)
def _exceeds_by(prop: Property, *rest: Any) -> BasicFilter | None:
    op = rest[1] if isinstance(rest[1], str) else "gt"
    other = part_of(rest, Property)
    one, two = (prop, other) if op in ("gt", "ge") else (other, prop)
    left = of_two("minus", one, two)
    return None if left is None else compared(left, rest[-1])


# -- weekdays, months and quarters of every year


@makes(
    "Prop",
    "weekday|weekdays of Prop",
    "day of the? week of Prop",
    "Prop weekday|weekdays",
    "Prop day of the? week",
    "day of the? week on which Noun Be? Prop",
    "weekday on which Noun Be? Prop",
    "weekday|weekdays Prop",
    "day of the? week Prop",
    example="weekday of built",
    weight="part of a date",
)
def _weekday_of(prop: Property) -> Property | None:
    return part_of_date(prop, "weekday")


@makes(
    "Prop",
    "month of the? year of Prop",
    "calendar month of Prop",
    "Prop month of the? year",
    "calendar month Prop",
    "month of the? year Prop",
    example="calendar month of built",
    weight="part of a date",
)
def _month_of(prop: Property) -> Property | None:
    return part_of_date(prop, "month_of_year")


@makes("Prop", "calendar quarter of Prop", "quarter of the? year of Prop",
       example="calendar quarter of built", weight="part of a date")  # fmt: skip
def _quarter_of(prop: Property) -> Property | None:
    return part_of_date(prop, "quarter_of_year")


@makes(
    "Prop",
    "hour|hours of the? day of Prop",
    "hour of Prop",
    "Prop hour",
    example="hour of moored",
    weight="part of a date",
)
def _hour_of(prop: Property) -> Property | None:
    return part_of_date(prop, "hour")


@makes(
    "Cond",
    "Prop Be? on|in|at|during Vals",
    "Prop Be? Vals",
    "Prop Be? only? on|in|at Vals",
    "Vals on|by|of Event",
    example="built on a Saturday",
    weight="part of the named date",
)
def _on_weekday(*parts: Any) -> BasicFilter | None:
    prop, value = part_of(parts, Property), part_of(parts, Value)
    if source_field(value.prop) != prop.field:
        return None
    return one_of(value.prop.field, value.values)


@makes("Cond", "Prop Be? Not on|in|at|during Vals", "Not Prop on|in|at|during Vals",
       example="built not on a Saturday", weight="part of a date")  # fmt: skip
def _not_on_weekday(*parts: Any) -> BasicFilter | None:
    prop = part_of(parts, Property)
    value: Value = parts[-1]
    if source_field(value.prop) != prop.field:
        return None
    return denied(one_of(value.prop.field, value.values))


@makes(
    "Date",
    "Date ,? in|of any|every|each year",
    "Date ,? any|every|whatever year",
    "Date of all|any years",
    "month|months of Date",
    "any|every Date",
    example="June in any year",
    weight="part of a date",
)
def _of_any_year(span: Span) -> Span | None:
    return span if span.yearless else None
