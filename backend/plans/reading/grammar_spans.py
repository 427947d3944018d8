"""Constructions with two dates: which event came before, after or on the day of another, and the
time between them.
"""

from collections.abc import Sequence
from typing import Any

from backend.language.units import measure_of
from backend.plans.reading.comparing import beside
from backend.plans.reading.derived_properties import counted_in, of_two, span_between
from backend.plans.reading.grammar_conditions import compared
from backend.plans.reading.grammar_types import First, Limits, makes, part_of
from backend.plans.reading.linking_types import Degreed, Lead
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from workbench.contract.derived_fields import OfTwo, sources_of
from workbench.contract.plan_nodes import BasicFilter, Function

_OPS = {"after": "gt", "before": "lt", "until": "le"}

# -- what happened


@makes("Who", "they|it|we|he|she|you|I|people|somebody|someone|everybody|everyone", "Noun",
       example="they", weight="who did it")  # fmt: skip
def _who(*_: Any) -> str:
    return "somebody"


@makes("Us", "with|to? us|me|them|him|her|it|you", example="with us", weight="who did it")
def _us() -> str:
    return "us"


@makes("Aux", "Be", "has|have|had|get|gets|got|do|does|did|to|even|actually|finally|ever|original",
       "originally", "should|could|would|must|might have? be|been?", "to|should|must be|have been?",
       "meant|supposed|expected|intended|set|put|done", example="should have been",
       weight="auxiliary")  # fmt: skip
def _auxiliary(*_: Any) -> str:
    return "been"


@makes("Event", "Prop", "Aux|Who|Us Event", "Event up|in|out|off|down|back|over|Us|Came",
       example="they were built", weight="event")  # fmt: skip
@makes("Event", "day|date|time|moment on|by|at|when|that|which? which? Event",
       example="day on which they were built", weight="event: its day")  # fmt: skip
def _event(*parts: Any) -> Property | None:
    prop = part_of(parts, Property)
    return prop if prop.dated else None


@makes("Came", "came|come|comes|coming|went|go|goes|going|happened|fell|landed|landing",
       example="came", weight="event")  # fmt: skip
def _came() -> str:
    return "came"


@makes("Way", "When", "only|even|just|still|shortly|right When", example="even before",
       weight="way of two dates")  # fmt: skip
@makes("Way", "behind|past|beyond", example="behind", weight="way of two dates")
def _way(*parts: Any) -> str:
    return str(parts[0]) if parts else "after"


@makes("Way", "ahead|advance of", "in advance of", example="ahead of", weight="way of two dates")
def _ahead_of() -> str:
    return "before"


@makes("Cond", "Event Way Event", example="built after inspected", weight="two properties")
def _beside(one: Property, way: str, other: Property) -> BasicFilter | None:
    return beside(one, _OPS[way], other) if way in _OPS and one != other else None


@makes("SameDay", "on? very|same|exact|actual same? day|date as|of|that|when|on? which?",
       "on day|date of|that|when?", example="on the very day", weight="same day")  # fmt: skip
def _same_day() -> str:
    return "day"


@makes("Cond", "Event SameDay Event", example="built on the day they were inspected",
       weight="two properties")  # fmt: skip
def _on_same_day(one: Property, _: str, other: Property) -> BasicFilter | None:
    return beside(one, "eq", other) if one != other else None


# -- the time between events


@makes("Span", "between Event and Event", "from Event to|until|till|and Event",
       "to|until|till Event ,? measured|counted|reckoned|calculated? from|since|after Event",
       "after|from|since Event for|to|until|till|before Event", "measured|counted Span",
       example="between built and inspected", weight="span of two dates")  # fmt: skip
def _span(*parts: Any) -> Property | None:
    props = [part for part in parts if isinstance(part, Property)]
    return props[0] if len(props) == 1 else span_between(*props)


_TIME = "time|days|weeks|months|years|period|interval|gap|duration|span|difference|wait"


@makes("Elapsed", _TIME, "number|amount of Elapsed", "Elapsed ,? in days|weeks|months|years ,?",
       "Elapsed that Who? Took", "Elapsed Took", example="number of days",
       weight="time elapsed")  # fmt: skip
@makes("Elapsed", "how many days|weeks|months|years", "how much time", "how long",
       "Elapsed Aux there? Who? Took?", "Elapsed Who Aux? Took",
       example="how many days did they take", weight="time elapsed")  # fmt: skip
def _elapsed(*parts: Any) -> str:
    return next((part for part in parts if part in _FINE), "time")


_FINE: dict[str, OfTwo] = {"hours": "hours_since", "minutes": "minutes_since"}


@makes("Elapsed", "how? many? Fine", "Elapsed ,? in Fine ,?", example="how many hours",
       weight="time elapsed")  # fmt: skip
def _in_hours(*parts: Any) -> str:
    return str(parts[-1])


@makes("Prop", "Elapsed Prop", "Prop ,? in Fine", example="days from built to moored in hours",
       weight="time in hours")  # fmt: skip
def _counted_in_hours(*parts: Any) -> Property | None:
    unit = _FINE.get(next(part for part in parts if isinstance(part, str)))
    return None if unit is None else counted_in(part_of(parts, Property), unit)


_STAY = (
    "take|takes|took|taking|last|lasts|lasted|need|needs|needed|wait|waits|waited|waiting|run|ran|"
    "sit|sat|stay|stayed|spend|spent|pass|passed|elapse|elapsed|go|went|lie|lay"
)


@makes("Took", _STAY, f"usually|normally|typically {_STAY}", "that|which|who Took",
       "did|do|does Who Took", "Took by|Us", "with|having",
       example="took us", weight="took a time")  # fmt: skip
def _took(*_: Any) -> str:
    return "took"


@makes("Prop", "Span", "Elapsed it? of? Span", "by? Elapsed Late",
       "Elapsed Aux? Who|Prop|Word? Aux? Stay", "Stay of Noun ,? in? days|Fine?",
       example="days between built and inspected", weight="two properties")  # fmt: skip
def _lapse(*parts: Any) -> Property | None:
    return _lasting(parts)


@makes("Prop", "delay|lag between|from Event and|to Event",
       example="delay between built and inspected", weight="two properties")  # fmt: skip
def _delay(one: Property, other: Property) -> Property | None:
    return of_two("days_since", other, one)


@makes("MeanElapsed", "Elapsed ,? on? Overall ,? Took?", "Overall ,? Elapsed",
       "MeanElapsed ,? in days|weeks|months|years ,?", example="how many days on average",
       weight="time elapsed")  # fmt: skip
def _mean_elapsed(*parts: Any) -> tuple[str, ...]:
    """The function, and the time that it is of."""
    return _apart(parts)


def _apart(parts: Sequence[Any]) -> tuple[Any, ...]:
    """The parts, with those of phrases that say several things apart."""
    return tuple(word for p in parts for word in (p if isinstance(p, tuple) else (p,)))


@makes("Measures", "MeanElapsed Span", "Elapsed Span ,? Overall",
       example="how many days on average between built and inspected",
       weight="two properties")  # fmt: skip
@makes("Measures", "MeanElapsed to|until|till|before? Lead",
       example="how many days on average to inspected",
       weight="time to an event")  # fmt: skip
def _mean_lapse(*parts: Any) -> tuple[Measure, ...] | None:
    words = _apart(parts)
    func: Function = "avg" if "avg" in words else "sum"
    lapse = _lasting(words)
    return None if lapse is None else (Measure(func, lapse.field),)


def _days(parts: Sequence[Any]) -> Property:
    """The property of a time span, or of the time before an event."""
    lead = next((part for part in parts if isinstance(part, Lead)), None)
    return part_of(parts, Property) if lead is None else lead.days


def _lasting(parts: Sequence[Any]) -> Property | None:
    """The same in the hours or minutes that words ask for; None if the dates have no times."""
    unit = next((part for part in parts if isinstance(part, str) and part in _FINE), None)
    return _days(parts) if unit is None else counted_in(_days(parts), _FINE[unit])


@makes("Prop", "Elapsed to|until|till|before? Lead", example="how long did they take to inspected",
       weight="time to an event")  # fmt: skip
def _time_to(*parts: Any) -> Property | None:
    return _lasting(parts)


@makes("Lead", "Aux|Who|Came Lead", example="being inspected", weight="event")
def _event_with_lead(*parts: Any) -> Lead:
    return part_of(parts, Lead)


@makes("First", "Event Be? longest|furthest ago|back", example="built longest ago",
       weight="longest ago")  # fmt: skip
def _longest_ago(prop: Property, *_: Any) -> First:
    return First(prop, high=False)


# -- how far one is from the other


def _is_time(number: Quantity) -> bool:
    return number.unit is not None and measure_of(number.unit) == "time"


def _within(span: Property, limits: Limits) -> BasicFilter | None:
    """A condition on the time between two dates, in hours or minutes if the words say so."""
    unit = {"h": _FINE["hours"], "min": _FINE["minutes"]}.get(limits.value.unit or "")
    fine = None if unit is None else counted_in(span, unit)
    return compared(fine or span, limits) if _is_time(limits.value) else None


@makes("Cond", "Event Bound Way Event", "Event set|put|Done Bound Way Event",
       example="built more than 30 days after they were inspected",
       weight="two properties")  # fmt: skip
def _far_from(prop: Property, *rest: Any) -> BasicFilter | None:
    limits, way, other = part_of(rest, Limits), rest[-2], rest[-1]
    if way not in ("after", "before") or not _is_time(limits.value):
        return None
    span = of_two("days_since", *((prop, other) if way == "after" else (other, prop)))
    return None if span is None else _within(span, limits)


@makes("Cond", "Lead within|inside Num", example="inspected within 30 days",
       weight="time to an event")  # fmt: skip
def _soon(lead: Lead, number: Quantity) -> BasicFilter | None:
    return _within(lead.days, Limits("le", number))


@makes("Cond", "Event within Num of|after|from|following Event",
       "Event at most Num of|after Event", example="built within 30 days of being inspected",
       weight="two properties")  # fmt: skip
def _soon_after(prop: Property, number: Quantity, other: Property) -> BasicFilter | None:
    span = of_two("days_since", prop, other)
    return None if span is None else _within(span, Limits("le", number))


@makes("Cond", "Took|Done? Us? for? Bound Span", "Took Comparative than Num Span",
       "Took? for? Bound to get|go|come|move|pass|travel Span",
       "Late by? Bound", "Bound Late", "Stay for? Bound", "Stay Comparative than Num",
       example="took over 30 days between built and inspected",
       weight="two properties")  # fmt: skip
@makes("Cond", "Took for? Bound to|before|for|until Lead", "Lead Took for? Bound",
       "Done Us? for Bound before Lead", "Took Comparative than Num to|before Lead",
       "Lead in Bound",
       example="took more than 30 days to be inspected", weight="time to an event")  # fmt: skip
def _long(*parts: Any) -> BasicFilter | None:
    limits = next((part for part in parts if isinstance(part, Limits)), None)
    if limits is None:
        degree, number = part_of(parts, Degreed), part_of(parts, Quantity)
        limits = Limits("gt" if degree.high else "lt", number)
    return _within(_days(parts), limits)


@makes("First", "Took? Best Span", "Took? Superlative Span",
       "Took? Best ,? measured|counted|judged|reckoned Span", "Stay Superlative",
       example="took longest from built to inspected", weight="two properties")  # fmt: skip
@makes("First", "Took Best to Lead", "Took Superlative to Lead",
       example="took longest to be inspected", weight="time to an event")  # fmt: skip
def _longest(*parts: Any) -> First:
    high = next((part for part in parts if isinstance(part, bool)), None)
    return First(_days(parts), part_of(parts, Degreed).high if high is None else high)


# -- how far ahead


@makes("Prop", "how far Ahead Aux? Who? Prop?", "Elapsed Ahead Aux? Who? Prop?",
       "days|weeks|months Ahead", example="how far ahead", weight="two properties")  # fmt: skip
def _how_far_ahead(*parts: Any) -> Property | None:
    span, *others = (part for part in parts if isinstance(part, Property))
    return span if all(prop.field in sources_of(span.field) for prop in others) else None


@makes("Cond", "Prop Be? Bound Ahead", "Bound Ahead", example="built more than 30 days ahead",
       weight="two properties")  # fmt: skip
def _bound_ahead(*parts: Any) -> BasicFilter | None:
    limits, span = part_of(parts, Limits), parts[-1]
    named = parts[0] if isinstance(parts[0], Property) else None
    between = named is None or named.field in sources_of(span.field)
    return compared(span, limits) if between and _is_time(limits.value) else None


@makes("Num", "Num ( Num )", "Num , say|ie|meaning Num ,?", example="2 months (60 days)",
       weight="number in other words")  # fmt: skip
def _restated(one: Quantity, other: Quantity) -> Quantity | None:
    return other if _is_time(one) and _is_time(other) else None
