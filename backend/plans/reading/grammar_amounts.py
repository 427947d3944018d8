"""Constructions of follow-ups about the numbers of the plan: other bounds, other sides, so much
more or less, and filters by their position.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from backend.plans.reading.edit_types import Alternative, Amount, Gone, Shift, Sided
from backend.plans.reading.edit_types import edits as _edits
from backend.plans.reading.grammar_conditions import compared
from backend.plans.reading.grammar_types import Limits, first_of, part_of
from backend.plans.reading.linking_types import Value
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter

edits = partial(_edits, weight="edit: a whole phrase")
_WAYS = ("up", "down", "tighter", "looser")
_MARKS = ("threshold", "most", "fewest")


# -- another number


@edits(
    "Amount",
    "Push Them? Prop? Mark? Way? to Num",
    "Push Prop Mark Them? Way? to Num",
    "Mark MakeIt|Be Num",
    "Mark MakeIt|Be Num Prop|Noun",
    "Mark to Num",
    "Mark of Num",
    "Prop Mark MakeIt|Be Num",
    "Prop Mark to Num",
    "make|set|let|put Prop? Mark Be|at|to? Num",
    "make|set|let|put Mark Be|at|to? Num Prop|Noun",
    example="raise the price limit to 500",
)
def _another_number(*parts: Any) -> Any:
    number, prop = part_of(parts, Quantity), first_of(parts, Property)
    if prop is not None and compared(prop, Limits("eq", number)) is None:
        return None
    return Amount(number, prop, bound=prop is not None)


@edits(
    "Bound",
    "cap|limit Them|Mark at|to Num",
    "with? cap|ceiling of|at Num",
    "Mark MakeIt|Be Num",
    "make|set|let Mark Be|at|to? Num",
    "Num Be|MakeIt Mark",
    "Num Most",
    "Mark of Num",
    "add Mark of|at Num",
    example="cap it at 500",
)
def _capped(*parts: Any) -> Limits | None:
    mark = next((part for part in parts if part in ("most", "fewest")), None)
    pushed = "threshold" in parts
    if mark is None and pushed:
        return None
    return Limits("ge" if mark == "fewest" else "le", part_of(parts, Quantity))


@edits(
    "Cond",
    "Prop Mark MakeIt|Be Num",
    "make|set|let Prop Mark Be|at|to? Num",
    "Mark of|for|on Prop MakeIt|Be Num",
    "Mark MakeIt|Be Num Prop",
    "Mark of Num Prop",
    "Mark Prop MakeIt|Be Num",
    example="maximum price should be 500",
)
def _bounded(*parts: Any) -> BasicFilter | None:
    mark = next((part for part in parts if part in ("most", "fewest")), None)
    if mark is None:
        return None
    op = "ge" if mark == "fewest" else "le"
    return compared(part_of(parts, Property), Limits(op, part_of(parts, Quantity)))


@edits("Amount", "only|just Nth one?", "Nth one? only", example="only the first")
@_edits("Amount", "Nth", "Nth one", example="first")
def _only_the_first(*parts: Any) -> Amount | None:
    return Amount(Quantity(1.0), lines=True) if part_of(parts, int) == 1 else None


@edits("Gone", "Drop|no Mark", "Drop|no Mark on|of|for Prop", "no Mark any more", "no Prop Mark",
       example="no maximum")  # fmt: skip
def _no_bound(*parts: Any) -> Gone:
    prop = first_of(parts, Property)
    return Gone("bound", None) if prop is None else Gone("field", (prop, "filter"))


@edits("Alternative", "or also? Cond", "or With Cond", "or Num", "or Num as well",
       example="or a ketch")  # fmt: skip
def _alternative(*parts: Any) -> Alternative | None:
    value = next((part for part in parts if isinstance(part, BasicFilter | Quantity)), None)
    return None if value is None else Alternative(value)


@edits("Gone", "leave|show|list Them? unsorted|unordered", "unsorted|unordered",
       "in no order", "in no particular order", example="leave them unsorted")  # fmt: skip
def _in_no_order(*_: Any) -> Gone:
    return Gone("step", "sort")


@edits("Aside", "Num Be? too low|high|few|many|much|little|small|large|strict|short|long",
       example="5 is too few")  # fmt: skip
def _unfitting(*_: Any) -> str:
    return "aside"


# -- so much more or less


@edits(
    "Shift",
    "Scale",
    "Scale Them|Mark",
    "Scale Prop Mark",
    "Scale of? Them|Mark",
    "MakeIt Scale",
    "Push Them? Mark? by Scale",
    "Push Prop Mark? by Scale",
    "Scale Entries",
    example="double the limit",
)
def _scaled(*parts: Any) -> Shift:
    factor = part_of(parts, float)
    way = next((part for part in parts if part in _WAYS), "up")
    if len([part for part in parts if part in _WAYS]) and factor < 1:
        factor = 1 - factor if way == "down" else 1 + factor
    return Shift("up", factor=factor, prop=first_of(parts, Property))


@edits(
    "Shift",
    "Num Way",
    "Num Way Them|Entries|Noun",
    "MakeIt Num Way",
    "Push Them? Mark? Way? by another? Num",
    "Push Prop Mark? Way? by another? Num",
    "Plus Num Way?",
    "Plus Num Entries|Noun|Prop",
    "Plus Num to|from|off Them|Mark",
    "Plus Num to|from|off Prop Mark?",
    "take|shave|knock Num off",
    "take|shave|knock Num off Them|Mark",
    example="raise it by 40",
)
def _moved(*parts: Any) -> Shift | None:
    ways = [part for part in parts if part in _WAYS]
    way: Any = "down" if "down" in ways else next(iter(ways), "down")
    step = part_of(parts, Quantity)
    return Shift(way, step, prop=first_of(parts, Property)) if step.value > 0 else None


# -- the other side


@edits(
    "Side",
    "SideOf",
    "SideOf Instead SideOf",
    "SideOf instead",
    "Be? SideOf Instead SideOf",
    "SideOf that|then",
    "only|just SideOf",
    example="below, not above",
)
def _other_side(*parts: Any) -> Sided:
    return Sided(next(part for part in parts if isinstance(part, str) and part in _SIDES))


_SIDES = ("gt", "ge", "lt", "le", "after", "since", "before", "until")


@edits("Side", "and SideOf", "and SideOf that|then", "SideOf as well", example="and after")
def _this_side_too(op: str, *_: Any) -> Sided:
    return Sided(op, beside=True)


# -- filters by their position


@edits(
    "Gone",
    "Drop Nth|Rank StepName|one",
    "Drop Nth|Rank of Num? StepName",
    "Nth|Rank StepName|one Unwanted",
    "Nth|Rank of Num? StepName Unwanted",
    "take|throw|leave Nth|Rank StepName|one out|away|off",
    example="drop the second filter",
)
def _nth_dropped(*parts: Any) -> Gone:
    return Gone("nth", part_of(parts, int))


@edits("Gone", "only|just Nth|Rank StepName", "keep only? Nth|Rank StepName only?",
       "Nth|Rank StepName only",
       example="keep only the first filter")  # fmt: skip
def _only_nth(*parts: Any) -> Gone:
    return Gone("all but", part_of(parts, int))


@edits("Gone", "take|throw|leave Prop StepName out|away|off again?",
       "take|throw|leave StepName on|about|for|by Prop out|away|off again?",
       example="take the price filter out")  # fmt: skip
def _step_taken_out(*parts: Any) -> Gone:
    step = next((part for part in parts if part in ("sort", "group", "columns")), "filter")
    return Gone("field", (part_of(parts, Property), step))


@edits("Gone", "Drop StepName but|except|besides Prop",
       "Drop everything|all but|except Prop StepName?",
       "Drop StepName apart from Prop", example="drop the filters except price")  # fmt: skip
def _all_but_one(*parts: Any) -> Gone:
    return Gone("all but", part_of(parts, Property).field)


@edits("Gone", "only|just Prop StepName", "keep only? Prop StepName only?", "Prop StepName only",
       example="only the price filter")  # fmt: skip
def _only_about(*parts: Any) -> Gone | None:
    named = next((part for part in parts if part in ("filter", "filters")), None)
    return None if named is None else Gone("all but", part_of(parts, Property).field)


@edits(
    "Gone",
    "Drop it|that|this",
    "Drop it|that|this again",
    "Drop that|this StepName",
    "take|throw|leave it|that|this out|away|off",
    "take|throw|leave that|this StepName out|away|off",
    "that|this StepName Unwanted",
    example="drop that condition",
)
def _it_dropped(*parts: Any) -> Gone:
    step = next((part for part in parts if part in ("limit", "sort", "group", "columns")), None)
    return Gone("it", None) if step is None else Gone("step", step)


# -- what no longer matters


@edits(
    "Gone",
    "AnyOf how many|much Prop|Noun|Props",
    "AnyOf what|which Prop",
    "AnyOf whether|if Prop",
    "Prop or not",
    "Prop or not AnyOf",
    example="no matter how many berths",
)
def _any_amount(*parts: Any) -> Gone | None:
    props = first_of(parts, tuple) or (first_of(parts, Property),)
    return Gone("field", (props[0], "filter")) if len(props) == 1 and props[0] else None


@edits("Gone", "AnyOf when", example="no matter when")
def _any_time(*_: Any) -> Gone:
    return Gone("dates", None)


@edits("Gone", "NeedNot Cond", "Cond or not", "AnyOf whether|if? Be? Them? Cond or? not?",
       example="they need not be licensed")  # fmt: skip
def _needless(*parts: Any) -> Gone | None:
    condition = first_of(parts, BasicFilter)
    return None if condition is None else Gone("condition", condition)


# -- values in other words


@edits(
    "Gone",
    "take|throw|cut|kick|rule|cross|filter|weed|screen Cond out|off|away",
    "only|just? other Prop|Noun than Cond",
    "everywhere|everyone|anyone|anywhere|everything|anything but|except Cond",
    example="kick the ketches out",
)
def _value_dropped(*parts: Any) -> Gone | None:
    condition = first_of(parts, BasicFilter)
    return None if condition is None else Gone("condition", condition)


@edits(
    "Gone",
    "all Props together|combined",
    "across|over all|every Props",
    "merge|combine|join|lump Props together?",
    example="all the types together",
)
def _groups_merged(*parts: Any) -> Gone | None:
    props = part_of(parts, tuple)
    return Gone("field", (props[0], "group")) if len(props) == 1 else None


@edits(
    "Gone",
    "one|single Func|figure|number|value for everything|all|everyone",
    "only|just overall Func|figure|number|value",
    "one|single Func|figure|number|value",
    "one|single overall Func|figure|number|value",
    "Func|figure|number|value over|across|of everything|all",
    example="one average for everything",
)
def _one_figure(*_: Any) -> Gone:
    return Gone("step", "group")


@edits(
    "Change",
    "replace|swap|swop|exchange|substitute Vals with|by|for Vals",
    "change|switch Prop? from Vals to Vals",
    "change|switch|turn Vals to|into Vals",
    "Stated Vals but? MakeIt Vals",
    "Stated Vals , but? MakeIt Vals",
    example="replace ketch with sloop",
)
def _put_for_another(*parts: Any) -> tuple[Value, Value] | None:
    old, new = (part for part in parts if isinstance(part, Value))
    return (new, old) if new.prop.field == old.prop.field else None


def number_in(prop: Property, number: Quantity) -> float | None:
    """A number in the unit of a property; None if they do not fit."""
    condition = compared(prop, Limits("eq", replace(number)))
    value = None if condition is None else condition.query
    return float(value) if isinstance(value, int | float) else None
