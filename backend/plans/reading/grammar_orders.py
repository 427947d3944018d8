"""Constructions for several orders, and for ties at the end of a list."""

from dataclasses import replace
from typing import Any

from backend.plans.reading.grammar_types import First, Newest, Sorting, first_of, makes, part_of
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property


@makes(
    "Sort",
    "Sort ,? then Sort",
    "Sort ,? and then? Sort",
    "Sort , Sort",
    "Sort ,? afterwards|secondly Sort",
    "Sort ,? and afterwards|within it? Sort",
    "Sort ,? within that|those|each Sort",
    example="sorted by type, then longest first",
    weight="several orders",
)
def _then(first: Sorting, *rest: Any) -> Sorting | None:
    later = rest[-1]
    named = {prop.field for s in (first, *first.then) for prop in s.props}
    again = named & {prop.field for prop in later.props}
    if not first.props or not later.props or again or later.then:
        return None
    if first.props[0].dated and later.props[0].dated:
        return None  # dates hardly tie: "by the date of sale, latest first" is one order
    return replace(first, then=(*first.then, later))


@makes(
    "Sort",
    "SortBy Props first ,? and? then by? Props",
    "SortBy Props ,? then by? Props",
    "SortBy Props and then by? Props",
    example="sorted by type and then by price",
    weight="several orders",
)
def _then_by(*parts: Any) -> Sorting | None:
    first, later = (part for part in parts if isinstance(part, tuple))
    if set(p.field for p in first) & set(p.field for p in later):
        return None
    return Sorting(first, None, None, (Sorting(later),))


@makes(
    "First",
    "Num Best Noun? by|in Prop",
    "Best Num Noun? by|in Prop",
    "Best Noun? by|in Prop",
    example="3 largest boats by price",
)
def _largest_by(*parts: Any) -> First | None:
    prop = parts[-1]
    high = next(part for part in parts if isinstance(part, bool))
    number = next((part.value for part in parts if isinstance(part, Quantity)), 1)
    if number < 1 or number != int(number) or not (prop.numeric or prop.dated):
        return None
    return First(prop, high, int(number))


@makes("Front", "as? first", "in front", "at top|front|start|beginning|head", "on top",
       "to start|begin with", "leading", "at|in first place", example="in front",
       weight="words: Dir")  # fmt: skip
def _front() -> str:
    return "front"


@makes(
    "Dir",
    "beginning|starting|commencing|begin|start with|from Best one?",
    "beginning|starting|commencing|begin|start with|from Best Noun",
    "beginning|starting|commencing|begin|start with|from Latest one?",
    "Best|Latest Front",
    example="beginning with the earliest",
    weight="words: Dir",
)
def _beginning_with(high: bool, *_: Any) -> bool:
    return high


@makes("Dir", "Best to|through Best", "Best down|up to Best", "Latest to Latest",
       example="biggest to smallest", weight="words: Dir")  # fmt: skip
def _from_to(first: bool, last: bool) -> bool | None:
    return first if first != last else None


@makes("Sort", "SortBy Event", "SortBy Event ,? Dir", "Dir by Event",
       example="by the day on which they were built", weight="sorted by an event")  # fmt: skip
def _by_event(*parts: Any) -> Sorting:
    return Sorting((part_of(parts, Property),), None, first_of(parts, bool))


@makes("Sort", "Best Prop to Best", example="lowest price to highest", weight="best first")
def _from_best_to(first: bool, prop: Property, last: bool) -> Sorting | None:
    ordered = prop.numeric or prop.dated
    return Sorting((prop,), None, first) if first != last and ordered else None


@makes("Sort", "Props Dir", "Props ,? Superlative first", example="price descending")
def _props_down(props: Any, *rest: Any) -> Sorting | None:
    way = rest[-1] if isinstance(rest[-1], bool) else rest[-1].high
    if not isinstance(rest[-1], bool) and (rest[-1].prop,) != props:
        return None
    return Sorting(props, None, way)


@makes("Sort", "Busy Noun|Word? first", "Busy Noun|Word? Front", example="busiest first",
       weight="busiest first")  # fmt: skip
@makes(
    "Sort",
    "Best first",
    "with? the? Best Noun|Word first",
    "beginning|starting with|from the? Best Noun|Word?",
    "beginning|starting with|from the? Best Prop",
    "with? Best Prop one|ones? Front",
    "Best Prop Noun|Prop Front",
    "Best Noun Prop Front",
    example="most berths first",
    weight="best first",
)
def _best_at_the_top(*parts: Any) -> Sorting:
    measured = [p for p in parts if isinstance(p, Property) and (p.numeric or p.dated)]
    high = next(part for part in parts if isinstance(part, bool))
    return Sorting(tuple(measured[:1]), None, high, by_value=True)


@makes(
    "Newest",
    "Latest",
    "for? Latest time",
    example="for the first time",
    weight="newest: apart from the noun",
)
def _newest_apart(high: bool) -> Newest:
    return Newest(high)


@makes(
    "AskWhen", "when Be", "when do|does|did|has|had", "on? what|which date|day Be?",
    example="when did", weight="ask when",
)  # fmt: skip
def _ask_when(*_: Any) -> bool:
    return True


@makes(
    "Newest",
    "Latest Noun",
    "Latest Num Noun",
    "Num Latest Noun",
    example="last boat",
    weight="newest",
)
def _newest(*parts: Any) -> Newest | None:
    high = next(part for part in parts if isinstance(part, bool))
    number = next((part.value for part in parts if isinstance(part, Quantity)), 1)
    return Newest(high, int(number)) if number >= 1 and number == int(number) else None


@makes(
    "Newest",
    "when Be? Latest",
    "when Be? Latest Noun Be?",
    "on? what|which date|day Be? Latest Noun Be?",
    "date|day of Latest Noun",
    example="when was the last boat",
    weight="newest",
)
def _when_newest(*parts: Any) -> Newest:
    return Newest(next(part for part in parts if isinstance(part, bool)), 1, when=True)


@makes(
    "Ties",
    "with|including|include|and|keep ties",
    "ties included",
    "including all ties",
    "with all ties",
    "even if several tie",
    "all of them if several",
    example="with ties",
    weight="several orders",
)
def _ties() -> bool:
    return True
