"""Constructions for what is asked: columns, numbers, groups, orders, rankings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from backend.plans.reading.chart import Noted
from backend.plans.reading.grammar_types import (
    COUNT,
    Columns,
    First,
    FirstGroups,
    Limits,
    Newest,
    Part,
    Sorting,
    first_of,
    makes,
    part_of,
)
from backend.plans.reading.linking_types import Degreed, MoneyOf
from backend.plans.reading.phrasing import Bound, Key, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import Bucket, Function

# -- lists of properties


@makes("Props", "Prop", example="name")
@makes("Props", "kind|kinds|type|types|value|values of Prop", example="kinds of type")
def _one_property(prop: Property) -> tuple[Property, ...]:
    return (prop,)


@makes(
    "Props",
    "Props ,|and|& Prop",
    "Props , and|or Prop",
    "Props as well as Prop",
    "Props together|along with Prop",
    "Props of Noun and Prop",
    "Props , Distinct? Prop",
    "Props and Distinct? Prop",
    "Props of Noun , Prop",
    example="name, type and price",
)
def _more_properties(props: tuple[Property, ...], *rest: Any) -> tuple[Property, ...] | None:
    return (*props, rest[-1]) if rest[-1] not in props else None


@makes("Cols", "Props", "Noun Props", example="name and type")
def _columns(*parts: Any) -> Columns:
    return Columns(parts[-1])


@makes(
    "Cols",
    "Distinct Props",
    "Distinct Noun Props",
    "Distinct value|values of|for? Props",
    "Distinct kinds|types of Props",
    "what|which kind|kinds|sort|sorts|type|types of Props",
    example="different types",
)
def _distinct_columns(*parts: Any) -> Columns:
    return Columns(parts[-1], distinct=True)


@makes(
    "Cols",
    "which|what Props do|did we|they|you have|keep|hold|stock|own|use|offer|get",
    "which|what Props Be present|represented|recorded",
    example="which types do we have",
    weight="different ones",
)
@makes("Cols", "all? Props ,? each only|just once", "all? Props ,? each only|just? one time",
       "all? Props ,? without repeats|repeating|repetition|repetitions|duplicates|doubles",
       example="all types, each only once", weight="each only once")  # fmt: skip
def _which_there_are(*parts: Any) -> Columns | None:
    props = part_of(parts, tuple)
    return (
        Columns(props, distinct=True) if not any(prop.own or prop.key for prop in props) else None
    )


@makes("Cols", "how Adjective", example="how long", weight="how much of it")
def _how_much_of_it(degree: Degreed) -> Columns | None:
    return Columns((degree.prop,)) if degree.prop.numeric else None


# -- measures


@makes("Funcs", "Func", example="average")
def _function(func: Function) -> tuple[Function, ...]:
    return (func,)


@makes("Funcs", "Funcs ,|and|& Func", "Funcs , and Func", example="minimum and maximum")
def _functions(funcs: tuple[Function, ...], func: Function) -> tuple[Function, ...] | None:
    return (*funcs, func) if func not in funcs else None


def measured(func: Function, prop: Property) -> Measure | None:
    """A function of a property; None if it does not apply to its type."""
    added_up = func == "sum" and prop.names_things
    if prop.numeric and not added_up and (not prop.key or func in ("min", "max")):
        return Measure(func, prop.field)
    if prop.dated and func in ("min", "max"):
        return Measure(func, prop.field)
    return None


def _all_measured(
    funcs: Sequence[Function], props: Sequence[Property]
) -> tuple[Measure, ...] | None:
    made = [measured(func, prop) for prop in props for func in funcs]
    return None if None in made else tuple(m for m in made if m is not None)


@makes(
    "Measures",
    "Funcs Props",
    "Funcs Noun Props",
    "Funcs number|amount|value of Props",
    "Funcs of? Noun? number of Props",
    "Funcs value|values of|for Props",
    "Funcs and? Props",
    example="average price and length",
)
def _measures(funcs: tuple[Function, ...], *rest: Any) -> tuple[Measure, ...] | None:
    return _all_measured(funcs, rest[-1])


@makes("Funcs", "Func value|one|figure|number? and what Be Func value|one|figure|number?",
       "Func value|one|figure|number? and Func value|one|figure|number",
       example="smallest and what is the greatest", weight="several numbers")  # fmt: skip
def _both_ends(*parts: Any) -> tuple[Function, ...] | None:
    ends = tuple(part for part in parts if part in _ENDS)
    return ends if len(set(ends)) > 1 else None


_ENDS: tuple[Function, ...] = ("min", "max", "avg", "median")


@makes("Measures", "of Props ,? what? Be Funcs", "HowMany Aux? Props Funcs",
       example="of the price, what is the smallest and what is the greatest",
       weight="several numbers")  # fmt: skip
def _of_it(*parts: Any) -> tuple[Measure, ...] | None:
    props, funcs = [part for part in parts if isinstance(part, tuple)][-2:]
    return _all_measured(funcs, props) if len(funcs) > 1 else None


@makes(
    "Measures",
    "Best Prop in|on|for|at|of|per any? single|one",
    "Best number|amount of Prop in|on|for|at|of|per any? single|one",
    example="most berths in a single",
    weight="extreme of one document",
)
def _extreme_of_one(*parts: Any) -> tuple[Measure, ...] | None:
    prop = next(part for part in parts if isinstance(part, Property))
    high = next(part for part in parts if isinstance(part, bool))
    return _all_measured(("max" if high else "min",), (prop,))


@makes(
    "Measures", "Prop on average", "Prop in total", "Prop altogether", example="price on average"
)
def _on_average(prop: Property) -> tuple[Measure, ...] | None:
    return _all_measured(("avg",), (prop,))


@makes(
    "Measures",
    "HowMany Noun",
    "HowMany Noun Noun",
    "HowMany Noun Be? there?",
    "HowMany of? them",
    "HowMany Distinct Noun",
    example="how many boats",
)
def _count(*_: Any) -> tuple[Measure, ...]:
    return (COUNT,)


@makes("Measures", "headcount|tally", example="headcount", weight="head count")
def _head_count(*_: Any) -> tuple[Measure, ...]:
    return (COUNT,)


@makes("Measures", "how often", "how frequently", "how many times", example="how often",
       weight="how often: of whatever is meant")  # fmt: skip
@makes("Measures", "how many", "how many of|from|were|are|did|have|has", "how many of|from which",
       example="how many", weight="how many: of whatever is meant")  # fmt: skip
def _count_of_what_is_meant() -> tuple[Measure, ...]:
    return (COUNT,)


@makes(
    "Measures",
    "HowMany Distinct Props",
    "HowMany Distinct Noun Props",
    "HowMany Distinct type|kind|types|kinds of Props",
    "Distinct HowMany Props",
    example="how many different types",
)
def _count_distinct(*parts: Any) -> tuple[Measure, ...]:
    return tuple(Measure("distinct", prop.field) for prop in parts[-1])


@makes("Measures", "HowMany Prop", example="how many berths")
def _sum_of(_: Any, prop: Property) -> tuple[Measure, ...] | None:
    return _all_measured(("sum",), (prop,)) if not prop.key else None


@makes(
    "Measures",
    "Prop income|revenue|takings|earnings|turnover|spend|spending|expenditure",
    "income|revenue|takings|earnings|turnover from|in|of Prop",
    example="price income",
    weight="money taken or spent",
)
def _money_added_up(prop: Property) -> tuple[Measure, ...] | None:
    return _all_measured(("sum",), (prop,)) if prop.numeric else None


@makes("Measures", "Money", "HowMany Aux? Who? Money", "HowMany Money Aux? Who? Took?",
       "what Aux Who? Money", "Funcs of? Money", example="how much did they spend",
       weight="money")  # fmt: skip
def _money(*parts: Any) -> tuple[Measure, ...] | None:
    prop, funcs = part_of(parts, MoneyOf).prop, first_of(parts, tuple, ("sum",))
    return _all_measured(funcs, (prop,))


@makes("Measures", "HowMany Props", example="how many types")
def _values_counted(_: Any, props: tuple[Property, ...]) -> tuple[Measure, ...] | None:
    named = [p for p in props if p.worded or p.kind == "array" or p.key or p.names_things]
    if len(named) != len(props):
        return None
    return tuple(Measure("distinct", prop.field) for prop in named)


@makes("Measures", "HowMany Prop", example="how many berths", weight="how many: different numbers")
def _numbers_counted(_: Any, prop: Property) -> tuple[Measure, ...] | None:
    plain = prop.kind == "int" and prop.unit is None and not (prop.key or prop.names_things)
    return (Measure("distinct", prop.field),) if plain else None


@makes("Measures", "HowMany Prop Noun?", example="how many names")
def _documents_counted(_: Any, prop: Property, *__: Any) -> tuple[Measure, ...] | None:
    return (COUNT,) if prop.own or prop.key or prop.dated else None


@makes(
    "Measures",
    "Measures ,|and|& Measures",
    "Measures , and Measures",
    "Measures as well as Measures",
    "Measures of Noun and Measures",
    "Measures and Be? HowMany Noun",
    example="number of boats and average price",
)
def _more_measures(one: tuple[Measure, ...], *rest: Any) -> tuple[Measure, ...] | None:
    other = rest[-1] if rest and isinstance(rest[-1], tuple) else (COUNT,)
    return None if set(one) & set(other) else (*one, *other)


@makes("Measures", "Measures , Func", "Measures and Func", example="average price and maximum")
def _same_measured(one: tuple[Measure, ...], func: Function) -> tuple[Measure, ...] | None:
    field = one[-1].field
    return (*one, Measure(func, field)) if field else None


# -- orders


@makes(
    "Sort",
    "SortBy Props",
    "SortBy Props Dir",
    "SortBy Props in|from Dir Order?",
    "SortBy Dir Props",
    "SortBy Props , Dir?",
    "SortBy Dir Order Props",
    "SortBy Props Order",
    "SortBy Noun Props in Dir Order",
    "SortBy Props in Dir",
    "SortBy Noun? Props",
    "SortBy Props of Noun in Dir Order?",
    "SortBy Props from Dir",
    "SortBy Dir Order in Props",
    example="sorted by price in descending order",
)
@makes(
    "Sort",
    "SortIn Dir Order of? Props",
    "SortIn Dir Order by|on Props",
    "Dir by Props",
    "SortIn Dir Order according to Props",
    "SortIn an? Order of Dir Props",
    "Dir by their? Props",
    "SortIn Dir Order of Noun Props",
    "SortIn Dir Props",
    "SortIn Dir Alpha Order of Props",
    "from Dir Props",
    "Dir in Props",
    "SortIn Dir Order based on Props",
    example="in descending order of price",
)
@makes(
    "Sort",
    "SortIn Alpha Order of Props",
    "SortIn Alpha Order by Props",
    "SortBy Props Alpha",
    "Alpha by Props",
    "SortBy Props in Alpha Order",
    "SortBy Props in Dir Alpha Order",
    "SortIn Dir Alpha Order by Props",
    "SortIn Alpha? Alpha by Props",
    "SortBy Props SortIn Dir? Alpha Order",
    example="in alphabetical order of type",
)
def _sorted(*parts: Any) -> Sorting:
    props = next(part for part in parts if isinstance(part, tuple))
    way = first_of(parts, bool)
    return Sorting(props, None, way)


@makes(
    "Sort",
    "SortIn Alpha Order",
    "Alpha",
    "SortIn Dir Alpha Order",
    "SortIn Alpha Dir Order",
    "SortIn Dir Order",
    "Dir Order",
    "SortIn Dir",
    "Dir",
    "SortIn an? Order",
    "SortIn Alpha",
    example="in alphabetical order",
)
def _sorted_by_shown(*parts: Any) -> Sorting:
    return Sorting((), None, first_of(parts, bool, False))


@makes(
    "Sort",
    "SortBy Measures",
    "SortBy Measures Dir",
    "SortBy Measures in|from Dir Order?",
    "SortBy Dir Measures",
    "SortIn Dir Order of? Measures",
    "SortIn Dir Order by Measures",
    "SortIn an? Order of Dir Measures",
    "from Dir Measures",
    "Dir by Measures",
    example="sorted by the number of boats",
)
def _sorted_by_measure(*parts: Any) -> Sorting:
    measures = next(part for part in parts if isinstance(part, tuple))
    way = first_of(parts, bool)
    return Sorting((), measures[0], way)


@makes(
    "Sort",
    "SortBy count|frequency|number|size|popularity Dir?",
    "SortBy Dir count|frequency|number",
    "SortIn Dir Order of count|frequency|number|size",
    "SortBy this count|number",
    "Dir by count|number|frequency",
    "SortBy count|number|frequency in Dir Order?",
    "SortBy count|frequency Dir",
    example="sorted by count",
)
def _sorted_by_count(*parts: Any) -> Sorting:
    return Sorting((), COUNT, first_of(parts, bool))


@makes("Sort", "SortBy Props from Adjective to Adjective", "SortBy Props , Adjective to Adjective",
       example="sorted by price from expensive to cheap")  # fmt: skip
def _sorted_between(*parts: Any) -> Sorting | None:
    props = next(part for part in parts if isinstance(part, tuple))
    one, other = parts[-2:]
    if one.prop != other.prop or one.high == other.high or props != (one.prop,):
        return None
    return Sorting(props, None, one.high)


@makes("Sort", "Superlative first", "SortBy Superlative first", "Superlative Noun|Word|Prop first",
       "Superlative Noun|Word|Prop? at|on|up|to top|head|front",
       "beginning|starting with|from Superlative Noun|Word?", example="longest first")  # fmt: skip
def _sorted_by_degree(*parts: Any) -> Sorting:
    degree = part_of(parts, Degreed)
    return Sorting((degree.prop,), None, degree.high)


@makes(
    "Sort",
    "from Superlative to Superlative",
    "Superlative to Superlative",
    "from Adjective to Adjective",
    example="from longest to shortest",
)
def _sorted_from(one: Degreed, other: Degreed) -> Sorting | None:
    if one.prop != other.prop or one.high == other.high:
        return None
    return Sorting((one.prop,), None, one.high)


# -- keys


@makes(
    "Key",
    "Each Props",
    "Each Noun Props",
    "Each Distinct? Props",
    "Each one of Props",
    "by their Props",
    "Each of Props",
    "Each Distinct Noun Props",
    "Each type|kind of Props",
    example="for each type",
)
def _key(*rest: Any) -> Key | None:
    return Key(tuple(prop.field for prop in rest[-1]))


@makes(
    "Key",
    "Each Time of|in Prop",
    "Each Time",
    "Prop Each Time",
    "Each Prop Time",
    "in|during which|what Time",
    "Time -? wise",
    example="for each year",
)
def _key_in_time(*parts: Any) -> Key | None:
    bucket: Bucket = next(part for part in parts if part in ("year", "quarter", "month", "week"))
    props = [part for part in parts if isinstance(part, Property)]
    if props and not props[0].dated:
        return None
    return Key(tuple(prop.field for prop in props), bucket)


@makes(
    "Key",
    "from Time to Time",
    "Time after|on|over Time",
    "Time for Time",
    example="from year to year",
    weight="for each time",
)
def _key_from_time_to_time(one: Bucket, other: Bucket) -> Key | None:
    return Key((), one) if one == other else None


# -- firsts


@makes(
    "First",
    "Best Prop",
    "With Best Prop",
    "Best value|values|amount|level of|for Prop",
    "With Prop Be Best",
    "Best Noun Prop",
    "With Best Noun Prop",
    "Best number of Prop",
    example="with the highest price",
)
def _first_by(*parts: Any) -> First | None:
    prop = next(part for part in parts if isinstance(part, Property))
    high = next(part for part in parts if isinstance(part, bool))
    return First(prop, high) if prop.numeric or prop.dated else None


@makes("FirstGroups", "With? Most Prop per|a Noun", "With? Best Prop per Noun",
       "Took? Most|Best Money per|a Noun", example="most berths per boat",
       weight="average of each")  # fmt: skip
def _most_for_each(*parts: Any) -> FirstGroups | None:
    money = first_of(parts, MoneyOf)
    measure = measured("avg", part_of(parts, Property) if money is None else money.prop)
    return None if measure is None else FirstGroups(measure, part_of(parts, bool))


@makes("First", "Money Best", example="pays the most", weight="money")
def _paid_most(money: MoneyOf, high: bool) -> First:
    return First(money.prop, high)


@makes("First", "Money Best Prop", example="pays the highest price", weight="money")
def _paid_highest(money: MoneyOf, high: bool, prop: Property) -> First | None:
    return First(prop, high) if prop is money.prop else None


@makes("First", "Prop Be? Best", example="price is highest")
def _first_behind(prop: Property, *rest: Any) -> First | None:
    """Of numbers only: `who was lent the most` asks for no date."""
    return First(prop, part_of(rest, bool)) if prop.numeric else None


@makes(
    "First",
    "With? Num Best Prop",
    "top Num Prop",
    "top Num number of Prop",
    "With? Best Num Prop",
    "with top Num Best Prop",
    example="with the 3 highest price",
)
def _first_several(*parts: Any) -> First | None:
    prop = next(part for part in parts if isinstance(part, Property))
    number = next(part for part in parts if isinstance(part, Quantity))
    high = first_of(parts, bool, True)
    if number.count is None:
        return None
    return First(prop, high, number.count) if prop.numeric or prop.dated else None


@makes(
    "First",
    "Superlative",
    "Num Superlative",
    "top Num Superlative",
    "Superlative Num",
    "With Superlative",
    "Superlative Prop",
    example="3 longest",
)
def _first_degree(*parts: Any) -> First | None:
    degree = next(part for part in parts if isinstance(part, Degreed))
    number = next((part.value for part in parts if isinstance(part, Quantity)), 1)
    prop = first_of(parts, Property, degree.prop)
    if prop != degree.prop or number < 1:
        return None
    return First(degree.prop, degree.high, int(number))


@makes(
    "First",
    "Num Noun With? First",
    "Num Noun that|which|who First",
    example="5 boats had the highest price",
    weight="first: number apart",
)
def _number_apart(number: Quantity, *rest: Any) -> First | None:
    first = first_of(rest, First)
    if first is None or first.count > 1 or not number.count or number.unit is not None:
        return None
    return replace(first, count=number.count)


@makes("First", "With? Rank -? First", example="second longest", weight="rank")
@makes("FirstGroups", "With? Rank -? FirstGroups", example="second most boats", weight="rank")
@makes("Newest", "Rank -? Newest", example="second latest boat", weight="rank")
def _further_down(*parts: Any) -> First | FirstGroups | Newest | None:
    """`the second longest`: the first one is passed over."""
    first: First | FirstGroups | Newest = parts[-1]
    rank = first_of(parts, int)
    if rank is None or first.count > 1 or first.skip:
        return None
    return replace(first, skip=rank - 1)


@makes("Rank", "Num nd|rd|th", example="2nd", weight="rank")
def _rank(number: Quantity) -> int | None:
    return number.count if number.unit is None and number.count and number.count > 1 else None


@makes("Several", "Num", example="5", weight="number apart")
def _several(number: Quantity) -> int | None:
    """The number of ranked documents: `the five ketches with the highest price`, but not `the
    largest of 2023`.
    """
    many = number.count if number.unit is None else None
    return None if many is None or many == 1 or many in _YEARS else many


_YEARS = range(1900, 2100)


@makes("First", "most Adjective", "Num most Adjective", "least Adjective", example="most expensive")
def _most_degree(*parts: Any) -> First:
    degree = parts[-1]
    number = parts[0].value if isinstance(parts[0], Quantity) else 1
    return First(degree.prop, degree.high, int(number))


@makes(
    "First",
    "Latest Prop",
    "Prop Latest",
    "Prop Be? Latest",
    "Latest Noun? Prop",
    "most recently Prop",
    "Latest Noun With Prop",
    "Num most recently Prop",
    "Num Latest Prop",
    "Latest Num Prop",
    example="built most recently",
)
def _latest(*parts: Any) -> First | None:
    prop = first_of(parts, Property)
    high = first_of(parts, bool, True)
    count = first_of(parts, Quantity, Quantity(1)).count
    if prop is None or not count or not (prop.dated or prop.is_year):
        return None
    return First(prop, high, count)


@makes(
    "FirstGroups",
    "With? Most Noun",
    "Most Noun",
    "Be? Most Noun",
    "used|shared|held by Most Noun",
    "Most HowMany? Noun",
    "With? Best HowMany Noun",
    "by|in|from|to Most Noun",
    "Noun Most",
    "With? Most records|entries|items|rows|documents|times",
    example="with the most boats",
)
@makes(
    "FirstGroups",
    "Common",
    "Common among|of Noun",
    "Be? Common",
    "appears|appear|used|occurs Common",
    example="most common",
)
def _most_documents(*parts: Any) -> FirstGroups | None:
    high = first_of(parts, bool)
    return None if high is None else FirstGroups(COUNT, high)


@makes("FirstGroups", "Deed FirstGroups", "Deed a|an Prop FirstGroups",
       "FirstGroups Deed", example="sails most often",
       weight="what they did most often")  # fmt: skip
def _did_most_often(*parts: Any) -> FirstGroups | None:
    """A verb that adds nothing to the documents: `which ship needed a pilot most often`."""
    prop, first = first_of(parts, Property), part_of(parts, FirstGroups)
    return first if first.measure == COUNT and (prop is None or not prop.gaps) else None


@makes("FirstGroups", "Deed Most", "Deed Most of things|them|ones", example="sails the most",
       weight="what they did most")  # fmt: skip
def _did_most(voice: str, high: bool) -> FirstGroups | None:
    """Not of `who was lent the most`, which asks for an amount."""
    return FirstGroups(COUNT, high) if voice == "active" else None


@makes("FirstGroups", "Busy", "Num Busy", "top Num Busy", example="busiest", weight="busiest")
def _busiest(*parts: Any) -> Noted | None:
    """The groups with the most documents, if no property says how busy something was."""
    high, number = part_of(parts, bool), first_of(parts, Quantity, Quantity(1))
    if not number.count or number.unit is not None:
        return None
    most = "most" if high else "fewest"
    first = FirstGroups(COUNT, high, number.count)
    return Noted(first, f"took “{'busiest' if high else 'quietest'}” as with the {most} documents")


@makes("FirstGroups", "FirstGroups Time", "Time With? Be? FirstGroups",
       "Time that|which Be? FirstGroups",
       example="busiest month", weight="best time")  # fmt: skip
def _best_time(*parts: Any) -> FirstGroups | None:
    first = part_of(parts, FirstGroups)
    bucket: Bucket = next(part for part in parts if part in ("year", "quarter", "month", "week"))
    return replace(first, key=Key((), bucket)) if first.key is None else None


@makes(
    "FirstGroups",
    "more Noun than any other",
    "more Noun than any other Prop",
    "more Noun than any other Word",
    "more Noun than anyone|anybody|everyone|anything else",
    "more Noun than all others",
    example="more boats than any other",
    weight="more than any other",
)
def _more_than_others(*_: Any) -> FirstGroups:
    return FirstGroups(COUNT, high=True)


@makes("FirstGroups", "With? Most Prop", "got|gets|get Most Prop",
       example="with the most berths", weight="most altogether")  # fmt: skip
def _most_altogether(*parts: Any) -> FirstGroups | None:
    prop, high = part_of(parts, Property), first_of(parts, bool)
    measure = measured("sum", prop)
    if prop.is_year or measure is None or high is None:
        return None
    return FirstGroups(measure, high)


@makes(
    "FirstGroups",
    "With? Best Measures",
    "With? Measures Be? Best",
    "Measures that Be Best",
    "Most Measures",
    example="with the highest average price",
)
def _best_measure(*parts: Any) -> FirstGroups | None:
    measures = next(part for part in parts if isinstance(part, tuple))
    high = next(part for part in parts if isinstance(part, bool))
    func = measures[0].func
    if len(measures) > 1 or func in ("min", "max"):
        return None
    return FirstGroups(measures[0], high)


@makes("Part", "top Num", "first Num", "Num first|top", "last Num", "best Num", example="top 5")
def _part(number: Quantity) -> Part | None:
    return Part(number.count, True) if number.count and number.unit is None else None


# -- conditions on groups


@makes(
    "Having",
    "With? Bound of? Noun",
    "With? Bound HowMany? Noun Be?",
    "With? Bound times",
    "With? Bound records|entries|items|rows|documents|times|occurrences",
    "by|in|to|of Bound Noun",
    "With? HowMany Noun Be? Bound",
    "count Be? Bound",
    "appear|appears|used Bound times",
    "shared|used|held|offered by Bound Noun",
    example="with more than 3 boats",
)
def _having(*parts: Any) -> Bound | None:
    limits = next(part for part in parts if isinstance(part, Limits))
    if limits.value.unit == "pct":
        return None  # "over 35 % of the boats" is no number of boats
    return Bound(COUNT, limits.op, limits.value, limits.upper)


@makes("Having", "Deed Having", example="sails more than 3 times", weight="what they did")
def _did_so_often(_: Any, bound: Bound) -> Bound | None:
    return bound if bound.measure == COUNT else None


@makes("Having", "With? Num Noun", "Num OrMore Noun", "Num Noun OrMore", example="with 3 boats")
def _having_exactly(*parts: Any) -> Bound | None:
    numbers = [part for part in parts if isinstance(part, Quantity)]
    if not numbers[0].value:
        return None  # no group is without documents
    return Bound(COUNT, first_of(parts, str, "eq"), numbers[0])


@makes(
    "Having",
    "more than once",
    "multiple times",
    "With? multiple Noun",
    "With? several Noun",
    example="more than once",
)
def _having_several(*_: Any) -> Bound:
    return Bound(COUNT, "gt", Quantity(1))


@makes("Having", "averaging|average|averages|averaged Bound in|on|of|for? Prop",
       example="averaging more than 20 berths", weight="average of a group")  # fmt: skip
def _having_average(*parts: Any) -> Bound | None:
    limits, measure = part_of(parts, Limits), measured("avg", part_of(parts, Property))
    return None if measure is None else Bound(measure, limits.op, limits.value, limits.upper)


@makes("Having", "With? together|altogether|combined Bound Prop", "With? Bound Prop Overall",
       "With? Bound Prop together|between them", "With? Prop Be? Bound Overall",
       "With? Bound Prop Overall in|for|during Prop", example="together more than 20 berths",
       weight="total of a group")  # fmt: skip
def _having_total(*parts: Any) -> Bound | None:
    limits, props = part_of(parts, Limits), [p for p in parts if isinstance(p, Property)]
    prop = props[-1]  # "80 faults in total in 2024"
    if not set.intersection(*(set(named.parts) for named in props)):
        return None
    measure = measured("sum" if first_of(parts, str, "sum") != "avg" else "avg", prop)
    return None if measure is None else Bound(measure, limits.op, limits.value, limits.upper)


@makes(
    "Having",
    "With? Measures Be? Bound",
    "With? Bound Measures",
    example="with an average price above 500",
)
def _having_measure(*parts: Any) -> Bound | None:
    measures = next(part for part in parts if isinstance(part, tuple))
    limits = next(part for part in parts if isinstance(part, Limits))
    return Bound(measures[0], limits.op, limits.value, limits.upper) if len(measures) == 1 else None
