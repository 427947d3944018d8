"""Constructions of follow-ups and feedback, in addition to those of first questions.

They express what is unwanted, changes to the current order or number, and that the documents
themselves are wanted. The effect depends on the plan: `requests/edit_acts.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from backend.language.dates import Span
from backend.plans.reading.assembly import Way
from backend.plans.reading.chart import Construction, Grammar
from backend.plans.reading.edit_words import EDIT_PHRASES
from backend.plans.reading.grammar import CONSTRUCTIONS, PHRASES
from backend.plans.reading.grammar_conditions import compared, holding
from backend.plans.reading.grammar_types import (
    COUNT,
    Columns,
    First,
    Limits,
    Part,
    Sorting,
    first_of,
    part_of,
)
from backend.plans.reading.linking_types import Degreed, Value
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter, Function

EDITS: list[Construction] = []
"""The constructions of this module."""


@dataclass(frozen=True)
class Gone:
    """Something unwanted. `firm` if the words ask to remove it (`drop the limit`) and do not just
    mention it as replaced (`rather than the limit`).
    """

    what: Literal[
        "condition",
        "field",
        "step",
        "measure",
        "fields",
        "number",
        "order",
        "form",
        "value",
        "dates",
        "bound",
        "about",
        "missing",
    ]
    value: Any
    firm: bool = True


@dataclass(frozen=True)
class Turned:
    """One end of the current order or numbers: `the smallest?`, `highest first`; `count` is 0 if
    only the order is meant.
    """

    high: bool
    count: int = 1


@dataclass(frozen=True)
class Amount:
    """A number without context: `make it 10`; `standing` if it replaces a limit or bound that the
    plan has: `raise the threshold to 10`.
    """

    value: Quantity
    standing: bool = False


@dataclass(frozen=True)
class Form:
    """The form of the answer: the documents, all of them, the reverse order, what it is, or the
    number of distinct values shown; `there` if the words refer to the previous answer, with `field`
    to the values of a property in it.
    """

    kind: Literal["documents", "whole", "reversed", "others", "same", "distinct", "there"]
    field: str | None = None


@dataclass(frozen=True)
class Shared:
    """The share that the documents of a plan are: `of` everything, of documents with conditions, of
    those at the times or places of the plan, or of what is not said.
    """

    of: Literal["all", "conditions", "times", "there", "unsaid"]
    conditions: tuple[BasicFilter, ...] = ()


def edits(kind: str, *patterns: str, example: str, weight: str = "") -> Callable[..., Any]:
    """Adds a construction for each pattern, as `makes` does for questions."""

    def add(build: Callable[..., Any]) -> Callable[..., Any]:
        EDITS.extend(Construction(kind, p, build, example, weight) for p in patterns)
        return build

    return add


# -- what is not wanted


@edits(
    "Gone",
    "Drop Cond",
    "Drop Them? With Cond",
    "Drop Noun With? Cond",
    "Drop Them Noun? Cond",
    "Drop anything|everything|any|all|every With? Cond",
    "Drop Them Word Cond",
    "all|every|any Prop|Noun bar|but Cond",
    "Cond Noun|Them? Unwanted",
    "Drop one about|for|on Cond",
    "Drop StepName on|about|for|to Cond",
    "leave Cond|Them out|aside|off",
    "StepName to Cond Unwanted",
    "Prop of? Cond Unwanted",
    "Cond StepName Unwanted",
    "Drop Cond StepName",
    "Drop Prop Cond",
    example="drop the ketches",
)
def _condition_dropped(*parts: Any) -> Gone | None:
    condition = first_of(parts, BasicFilter)
    return None if condition is None else Gone("condition", condition)


@edits("Gone", "Drop Them|Noun that|which|who|where? Who? already|just|have|has|had|still? Cond",
       example="drop the ones we already licensed", weight="clause dropped")  # fmt: skip
def _clause_dropped(*parts: Any) -> Gone:
    return Gone("condition", part_of(parts, BasicFilter))


@edits(
    "Gone",
    "Instead Cond",
    "Instead Noun? With? Cond",
    "Instead Them With? Cond",
    example="instead of ketch",
)
def _condition_replaced(*parts: Any) -> Gone | None:
    condition = first_of(parts, BasicFilter)
    return None if condition is None else Gone("condition", condition, firm=False)


@edits(
    "Gone",
    "Drop StepName",
    "StepName Unwanted",
    "no StepName",
    "Not StepName",
    "StepName Be? Unwanted",
    example="drop the limit",
)
def _step_dropped(*parts: Any) -> Gone:
    named = ("limit", "sort", "group", "filter", "filters", "columns")
    return Gone("step", next(part for part in parts if part in named))


@edits(
    "Gone",
    "Drop Prop",
    "Drop Prop StepName",
    "Drop StepName on|about|for|by|of Prop",
    "Prop Unwanted",
    "Prop StepName Unwanted",
    "StepName on|about|for|by|of Prop Unwanted",
    "AnyOf Prop",
    "Prop AnyOf",
    "no Prop StepName",
    "Drop one about|on|for Prop",
    "Drop by Prop",
    example="drop the price filter",
)
def _field_dropped(*parts: Any) -> Gone:
    prop = part_of(parts, Property)
    step = next((part for part in parts if part in ("sort", "group", "columns", "filter")), None)
    step = "filter" if "filters" in parts else step
    return Gone("field", (prop, step))


@edits("Gone", "Drop Missing ones|values|value|group|groups|Noun?", example="drop the unknown ones",
       weight="groups without a value")  # fmt: skip
def _missing_dropped(*_: Any) -> Gone:
    return Gone("missing", None)


@edits("Gone", "whether|if? Who? Be? Cond or not", "all|every|any Noun ,? Cond or not",
       example="licensed or not", weight="clause dropped")  # fmt: skip
def _either_way(*parts: Any) -> Gone | None:
    condition = first_of(parts, BasicFilter)
    return None if condition is None else Gone("about", condition.field)


@edits("Aside", "no|nope|nah|sorry|oops ,", example="no,")
def _refusing(*_: Any) -> str:
    return "aside"


@edits("Gone", "everybody|everyone|anybody|anyone again?", "all of them again",
       "all again", "everything again", example="everybody again")  # fmt: skip
def _everybody(*_: Any) -> Gone:
    return Gone("value", None)


@edits(
    "Gone",
    "Drop|no|AnyOf date|time|period StepName?",
    "Drop|no|AnyOf Time StepName?",
    "AnyOf date|time|period|dates|times",
    "Drop|no StepName on|about|for|of date|time|dates",
    "date|time StepName Unwanted",
    "Time Unwanted",
    "Not only|just Cond",
    "Not only|just Date|Year",
    example="any year",
)
def _dates_dropped(*parts: Any) -> Gone | None:
    condition = next((part for part in parts if not isinstance(part, str)), None)
    if isinstance(condition, BasicFilter):
        return Gone("condition", condition)
    return Gone("dates", None)


@edits("Gone", "Instead Props", "Instead by|per|for Props", example="rather than type")
def _fields_replaced(_: Any, props: tuple[Property, ...]) -> Gone:
    return Gone("fields", props, firm=False)


@edits("Gone", "Instead Measures", "Instead Func", "Instead HowManyAlone",
       example="instead of the average price")  # fmt: skip
def _measure_replaced(_: Any, measures: Any) -> Gone:
    return Gone("measure", measures, firm=False)


@edits("Gone", "Drop Measures", example="drop the average price")
def _measure_dropped(_: Any, measures: tuple[Measure, ...]) -> Gone:
    return Gone("measure", measures)


@edits(
    "Gone",
    "Drop Bound",
    "Drop Bound StepName|Threshold",
    "Drop Num Threshold|StepName",
    "Drop Threshold of|at|to? Num",
    "Bound Unwanted",
    "Num Threshold Unwanted",
    "Drop|no Threshold",
    "Threshold Unwanted",
    example="forget the 50 limit",
    weight="bound of the plan",
)
def _bound_dropped(*parts: Any) -> Gone:
    limits = first_of(parts, Limits)
    number = first_of(parts, Quantity, None if limits is None else limits.value)
    side = next((part for part in parts if part in ("low", "high")), None)
    return Gone("bound", (number, side))


@edits("Gone", "Instead Num", "Instead only|just Num", "Instead Num Noun|Entries|Adjective",
       example="instead of 5")  # fmt: skip
def _number_replaced(_: Any, *rest: Any) -> Gone:
    return Gone("number", part_of(rest, Quantity), firm=False)


@edits("Gone", "Instead Best", "Instead Sort", "Instead Dir", "Instead Superlative",
       "Instead First", example="instead of highest")  # fmt: skip
def _order_replaced(*_: Any) -> Gone:
    return Gone("order", None, firm=False)


@edits(
    "Aside",
    "confine|restrict|limit|narrow|cut|reduce Them|list|above|Noun down? to",
    "confine|restrict|limit|narrow Them|list|above|Noun down? to only|just",
    "confined|restricted|limited|narrowed to",
    "Be confined|restricted|limited|narrowed to",
    "should be confined|restricted|limited|narrowed to",
    "Them|list should be confined|restricted|limited|narrowed to",
    "confine|restrict|limit to",
    example="confine the list to",
)
def _narrowed(*_: Any) -> str:
    return "aside"


@edits(
    "Aside",
    "split|divide|break|differentiate|disaggregate Them up|down|out?",
    "separate|distribute|set|classify Them up|down|out?",
    "split|broken|divided|set|separated|distributed|differentiated up|down|out?",
    "Be shown|given|presented|split|divided|broken|stated|distributed up|down|out?",
    "Be Them shown|given|presented|split|divided|broken|stated|distributed up|down|out?",
    "present|show|state|give Them separately?",
    "present|show|state|give Them figure|number|total separately?",
    "how Be Them distributed|split|divided",
    example="split that up",
)
def _divided(*_: Any) -> str:
    return "aside"


@edits(
    "Aside",
    "arrange|rank|order|sort|list|put Them|Noun|Prop",
    "arrange|rank|order|sort|put Props",
    example="arrange the boats",
)
def _arranged(*_: Any) -> str:
    return "aside"


@edits("Gone", "Instead list|listing|them|documents", "Instead Noun", "Instead Time",
       example="not the boats")  # fmt: skip
def _form_replaced(*_: Any) -> Gone:
    return Gone("form", None, firm=False)


# -- the present order and numbers


@edits("Turn", "Best", "Best one|ones|Noun", "Latest one|ones|Noun", "Best of? Them",
       "Latest of? Them", example="highest")  # fmt: skip
def _end(*parts: Any) -> Turned:
    return Turned(part_of(parts, bool))


@edits("Turn", "Num Best", "Num Latest", "Best Num", "Latest Num", "Num Best|Latest Them|Noun",
       example="five smallest")  # fmt: skip
def _some_of_the_end(*parts: Any) -> Turned | None:
    number = part_of(parts, Quantity)
    high = part_of(parts, bool)
    return Turned(high, number.count) if number.count else None


@edits(
    "Turn",
    "Best AtTop",
    "Best Noun AtTop",
    "Best HowMany AtTop",
    "StartingWith Best",
    "StartingWith Latest",
    "Latest AtTop",
    "With Best HowMany? AtTop",
    "Noun With Best HowMany AtTop",
    "Prop With Best HowMany AtTop",
    "Best Func AtTop",
    "Best Prop AtTop",
    "AtTop Best",
    "from Best to Best",
    "from Best to Best Func|HowMany|Noun|Measures",
    "from Best Func|HowMany|Prop|Noun|Measures to Best",
    "Dir Func|HowMany|Measures",
    "Best Func|HowMany|Noun|Measures AtTop",
    "put Best AtTop",
    "put Best Func|HowMany|Prop|Noun|one|ones AtTop",
    "busiest|commonest AtTop",
    "rank Noun|Prop|Them by that|it|them|this",
    example="highest at the top",
)
def _first_at_top(*parts: Any) -> Turned:
    return Turned(first_of(parts, bool, True), 0)


@edits(
    "Turn",
    "which|who|what Prop|Noun|one|ones? Be? AtTop",
    "which|who|what Prop|Noun|one|ones? Be? leading|top|best",
    "which|who|what Prop|Noun|one|ones? leads|wins|tops",
    "one|ones Be? AtTop",
    "top one|Noun|Prop",
    "winner",
    example="which comes first",
)
def _at_first_place(*_: Any) -> Turned:
    return Turned(True)


@edits("Turn", "which|who|what Prop|Noun Be? Best of? Them?",
       "which|who|what Prop|Noun|one With Best ShareWord|HowMany|Func?",
       "which|who|what With Best ShareWord|HowMany|Func?",
       example="which type has the least")  # fmt: skip
def _which_has_most(*parts: Any) -> Turned:
    return Turned(part_of(parts, bool))


@edits("Turn", "which|who|what Prop|Noun|one|ones? Be? AtBottom", "one|ones Be? AtBottom",
       "bottom one|Noun|Prop", example="which comes last")  # fmt: skip
def _at_last_place(*_: Any) -> Turned:
    return Turned(False)


@edits(
    "Sort",
    "Superlative AtTop|AtBottom",
    "Superlative Noun|Them AtTop|AtBottom",
    "Superlative Prop AtTop|AtBottom",
    "StartingWith Superlative",
    "With Superlative AtTop",
    example="longest at the bottom",
)
def _degree_at_top(*parts: Any) -> Sorting | None:
    degree = part_of(parts, Degreed)
    prop = first_of(parts, Property, degree.prop)
    high = degree.high != (parts[-1] == "bottom")
    return Sorting((degree.prop,), None, high) if prop == degree.prop else None


@edits(
    "Sort",
    "SortBy Props , StartingWith? Best AtTop?",
    "SortBy Props Best AtTop",
    "SortBy Props , StartingWith? Latest AtTop?",
    "SortBy Props , StartingWith? Superlative AtTop?",
    "SortBy Props StartingWith Best|Latest",
    "Props , Best AtTop",
    "Best Props AtTop",
    example="sorted by price, highest",
)
def _sorted_with_end(*parts: Any) -> Sorting | None:
    props = part_of(parts, tuple)
    end = next(part for part in parts if isinstance(part, bool | Degreed))
    return Sorting(props, None, end.high if isinstance(end, Degreed) else end)


@edits(
    "Sort",
    "SortBy Props Instead by? Props , StartingWith? Superlative|Best|Latest AtTop?",
    "SortBy Props Instead by? Props",
    example="sorted by price rather than length",
)
def _sorted_instead(*parts: Any) -> Sorting:
    props = part_of(parts, tuple)
    end = next((part for part in parts if isinstance(part, bool | Degreed)), None)
    return Sorting(props, None, end.high if isinstance(end, Degreed) else end)


@edits(
    "First",
    "Best by|in Prop",
    "Latest by|in Prop",
    "Superlative by|in Prop",
    "Superlative of? Them by|in Prop",
    "Superlative Noun|Them by|in Prop",
    "Best Noun|Them by|in Prop",
    "Latest Noun|Them by|in Prop",
    "Best of? Them by|in Prop",
    "Latest of? Them by|in Prop",
    "Latest Prop Them",
    example="largest of them by price",
)
def _first_named(*parts: Any) -> First | None:
    prop = part_of(parts, Property)
    end = next((part for part in parts if isinstance(part, bool | Degreed)), True)
    high = end.high if isinstance(end, Degreed) else end
    return First(prop, high) if prop.numeric or prop.dated or prop.is_year else None


@edits(
    "First", "Num Them|Noun? that|who|which? Be? Prop Latest", example="two that were built last"
)
def _first_that(*parts: Any) -> First | None:
    prop = first_of(parts, Property)
    number = part_of(parts, Quantity)
    high = part_of(parts, bool)
    if prop is None or not (prop.dated or prop.is_year) or number.count is None:
        return None
    return First(prop, high, number.count)


@edits(
    "Amount",
    "Num",
    "MakeIt Num",
    "MakeIt Num Entries|Noun",
    "Num Entries",
    "only|just Num Entries|Noun",
    "top|first Num Entries",
    "MakeIt first|top Num",
    example="make it 10",
)
def _amount(*parts: Any) -> Amount:
    return Amount(part_of(parts, Quantity))


@edits("Amount", "Move Threshold|Them up|down? to|at Num", "Threshold Be|to|of Num",
       "minimum|maximum|threshold|cutoff|floor|ceiling|cap Num",
       "Move Threshold|Them up|down? to|at Num Noun|Entries",
       example="raise the threshold to 30", weight="bound of the plan")  # fmt: skip
def _other_threshold(*parts: Any) -> Amount:
    return Amount(part_of(parts, Quantity), standing=True)


# -- what the answer should be


@edits(
    "Form",
    "ShowVerb Them",
    "ShowVerb Noun",
    "ShowVerb Them Noun",
    "ShowVerb Noun Itself",
    "Noun Itself",
    "ShowVerb Them Itself",
    "which Noun are they|those|these|that",
    "which ones",
    "which are they|those|these",
    "who are they|those|these",
    example="list the boats",
)
def _the_documents(*_: Any) -> Form:
    return Form("documents")


@edits("Form", "Whole", "ShowVerb Whole", example="all of them")
def _the_whole(*_: Any) -> Form:
    return Form("whole")


@edits("Form", "Reversed", example="the other way round")
def _the_other_way(*_: Any) -> Form:
    return Form("reversed")


@edits(
    "Form",
    "same|corresponding|equivalent|respective|that figure|number|value|amount",
    "same ShareWord",
    "same|corresponding|equivalent|that question|thing|result",
    "figure|value for",
    example="same figure",
)
def _the_same(*_: Any) -> Form:
    return Form("same")


@edits(
    "Form",
    "there",
    "their|its|his|her Prop|Noun",
    "all of their|its|his|her Noun",
    "that|this|those|these Noun",
    "that|this person|one|place|group",
    "with|of|by|for|in|at|from|on that|this|those|these Noun",
    "with|of|by|for|in|at|from|on that|this person|one|place|group",
    "for|of|with|by it|him|her",
    "ShowVerb that|this Noun|one",
    "which|who one|Noun? Be that|this|it",
    "which of them has that|it",
    example="there",
)
def _what_it_gave(*_: Any) -> Form:
    return Form("there")


@edits(
    "Form",
    "that|this|those|these Prop",
    "with|of|by|for|in|at|from|on that|this|those|these Prop",
    example="of that type",
)
def _values_that_it_gave(prop: Property) -> Form:
    return Form("there", None if prop.key or prop.own else prop.field)


@edits("Form", "Others", example="the others")
def _the_others(*_: Any) -> Form:
    return Form("others")


@edits("Form", "HowMany Distinct Them", "HowMany Distinct Be? Them", "HowMany Distinct",
       example="how many different ones")  # fmt: skip
def _counted_once(*_: Any) -> Form:
    return Form("distinct")


@edits(
    "Key",
    "for|in|of|at|to|from|with|on|by? each|every one?",
    "for|in|of|at|to|from|with|on|by? each|every of them|these|those|the",
    "each|every one? have|has|had",
    "do|does|did each|every one?",
    "do|does|did each of them|these|those",
    example="for each of them",
    weight="each of the list",
)
def _each_of_the_list(*_: Any) -> Key:
    return Key(())


@edits("Measures", "HowMany Distinct Them", "HowManyAlone", "NumberOnly", "HowMany Be? Them",
       example="how many is that")  # fmt: skip
def _counted(*_: Any) -> tuple[Measure, ...]:
    return (COUNT,)


@edits("Measures", "AddUp Props", "Props ComeTo", "AddUp Noun Props", example="add up the berths")
def _added(*parts: Any) -> tuple[Measure, ...] | None:
    props = part_of(parts, tuple)
    if not all(prop.numeric for prop in props):
        return None
    return tuple(Measure("sum", prop.field) for prop in props)


@edits("Figure", "Func", "Func value|figure|one|number", "Func Them", "Func instead",
       example="maximum")  # fmt: skip
def _figure(func: Function, *_: Any) -> Measure:
    return Measure(func)


@edits("Shared", "as|in ShareWord", "express|state|give|show Them as|in ShareWord", "ShareWord",
       example="as a share", weight="share of before: unsaid")  # fmt: skip
def _as_share(*_: Any) -> Shared:
    return Shared("unsaid")


@edits(
    "Shared",
    "as|in? ShareWord of Noun|everything|total|whole",
    "as|in? ShareWord of whole|entire|total|overall Noun|Word",
    "express|state|give|show Them as|in ShareWord of Noun|everything|total|whole",
    "express|state|give|show Them as|in ShareWord of whole|entire|total|overall Noun|Word",
    example="as a share of all boats",
    weight="share of before",
)
def _share_of_all(*_: Any) -> Shared:
    return Shared("all")


@edits(
    "Shared",
    "as|in? ShareWord of Cond Noun?",
    "as|in? ShareWord of Cond Cond Noun?",
    "as|in? ShareWord of Noun With? Cond",
    "express|state|give|show Them as|in ShareWord of Cond Noun?",
    "express|state|give|show Them as|in ShareWord of Noun With? Cond",
    example="as a share of all ketches",
    weight="share of before",
)
def _share_of_some(*parts: Any) -> Shared | None:
    conditions = tuple(part for part in parts if isinstance(part, BasicFilter))
    return Shared("conditions", conditions) if conditions else None


@edits("Shared", "as|in? ShareWord of all|everything? Noun? from|in|at? there",
       "what|which ShareWord Be that|this|it|those|they of all|everything? Noun? from|in|at? there",
       example="as a share of all boats there", weight="share of before")  # fmt: skip
def _share_of_the_place(*_: Any) -> Shared:
    return Shared("there")


@edits("Shared", "as|in? ShareWord of year|month|quarter|week|day|period|time|season",
       "as|in? ShareWord of Noun in|of|from? year|month|quarter|period|time|season",
       example="as a share of that year", weight="share of before")  # fmt: skip
def _share_of_the_time(*_: Any) -> Shared:
    return Shared("times")


# -- replaced values


@edits(
    "Change",
    "Vals Instead Vals",
    "Vals Noun? Instead Vals Noun?",
    "Prop Be? Vals Instead Vals",
    "from Vals to Vals",
    "Vals to Vals",
    example="sloop rather than ketch",
)
def _exchanged(*parts: Any) -> tuple[Value, Value] | None:
    values = [part for part in parts if isinstance(part, Value)]
    new, old = values if "instead" in parts else (values[1], values[0])
    return (new, old) if new.prop.field == old.prop.field else None


# -- conditions that only follow-ups phrase this way


@edits(
    "Cond",
    "cap|limit Prop at|to|by Num",
    "Prop capped|limited at|to Num",
    "Prop no|not higher|more than Num",
    example="cap the price at 500",
)
def _capped(*parts: Any) -> BasicFilter | None:
    prop = part_of(parts, Property)
    return compared(prop, Limits("le", parts[-1]))


@edits("Cond", "Year", "only|just Year", "Year only|just", "only|just Date", "Date only|just",
       "Year Noun only?", "only Year Noun", example="just 2019")  # fmt: skip
def _at_that_time(*parts: Any) -> tuple[str, Span]:
    return "in", part_of(parts, Span)


@edits(
    "Cond",
    "Prop With name Contains Text|Word",
    "Prop Contains Word",
    example="home ports whose name begins with a",
)
def _named_with(prop: Property, *rest: Any) -> BasicFilter | None:
    match = next(part for part in rest if part in ("contains", "prefix"))
    if match == "contains" and len(rest) < 3:
        return None
    return holding(prop, str(rest[-1]), match) if prop.worded or prop.kind == "array" else None


@edits("Props", "Props , Prop and Prop", example="name, type and price")
def _three(props: tuple[Property, ...], *rest: Any) -> tuple[Property, ...] | None:
    new = [part for part in rest if isinstance(part, Property)]
    return None if any(prop in props for prop in new) else (*props, *new)


@edits("Part", "Rank", "Rank one|place", example="second one")
def _place(rank: int) -> Part:
    return Part(1, skip=rank - 1)


@edits("Part", "limit Num", example="limit 10", weight="limit of lines")
def _limit(number: Quantity) -> Part | None:
    return Part(number.count) if number.count and number.unit is None else None


@edits("Cols", "Props only", "only|just Props", "only|just the Props", example="just name and type")
def _only_columns(props: tuple[Property, ...]) -> Columns:
    return Columns(props)


@edits("Cols", "Asked Deed? Done? Be|did|does|do? it|Them|that|this? Deed? Done?",
       example="who sold it", weight="asked of it")  # fmt: skip
def _asked_of_it(prop: Property, *_: Any) -> Columns:
    return Columns((prop,))


@edits("Cols", "Props once each|only?", "Props Each? Distinct? once", "Distinct? Props , each once",
       example="types once each")  # fmt: skip
def _once(*parts: Any) -> Columns:
    return Columns(part_of(parts, tuple), distinct=True)


EDIT_KINDS = ("Gone", "Turn", "Amount", "Form", "Figure", "Change", "Bound", "Shared")
"""Kinds of phrases that occur only in follow-ups."""
_GRAMMAR = Grammar([*CONSTRUCTIONS, *PHRASES, *EDITS, *EDIT_PHRASES])
FOLLOW_UPS = Way(_GRAMMAR, EDIT_KINDS, "Aside", likely=0.85)
