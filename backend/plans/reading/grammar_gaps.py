"""Constructions about missing values: `without a home port`, `nobody recorded when`, `not yet`."""

from typing import Any

from backend.plans.reading.comparing import lacking
from backend.plans.reading.grammar_conditions import denied
from backend.plans.reading.grammar_types import first_of, makes, part_of
from backend.plans.reading.linking_types import Degreed
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter


@makes(
    "Cond",
    "Prop Missing",
    "Prop Be Missing",
    "Missing Prop",
    "Not Prop Missing?",
    "Missing as Prop",
    example="home port is missing",
)
def _missing(*parts: Any) -> BasicFilter | None:
    # "No injuries" means 0 injuries if every document has a number; text has no such value.
    prop = part_of(parts, Property)
    may_lack = prop.gaps or not (prop.numeric or prop.kind == "bool")
    return BasicFilter(field=prop.field, exists=False) if may_lack else None


@makes("Cond", "Not any? Prop", example="no berths", weight="none of a number")
def _none_of(_: Any, prop: Property) -> BasicFilter | None:
    counted = prop.kind == "int" and not prop.key and not prop.is_year
    return lacking(prop) if counted and (prop.low == 0 or not prop.gaps) else None


@makes(
    "Missing",
    "Nobody Ever? recorded|noted|measured|entered|wrote|written|logged|timed|registered|stated|set",
    "Nobody Ever? known|knew|given|gave|filled|documented|specified|mentioned|captured down|in|up?",
    "Nobody Ever? recorded|noted|wrote|written|put down",
    "we|they|I do|did not know|record|note",
    "do|does|did we|they|I|one|anybody not know|have",
    example="nobody has recorded",
    weight="nobody recorded it",
)
def _unrecorded(*_: Any) -> str:
    return "missing"


@makes("Nobody", "nobody|never|not", "no one", "has|have|had|was|were|is|are never|not",
       example="nobody", weight="nobody recorded it")  # fmt: skip
def _nobody(*_: Any) -> str:
    return "nobody"


@makes("Ever", "has|have|had|ever|was|were|been", "has|have ever|been", example="has ever",
       weight="nobody recorded it")  # fmt: skip
def _ever(*_: Any) -> str:
    return "ever"


@makes("Cond", "Missing how old|long|much|many|far|high|big Prop", "Missing how Adjective",
       "without any? note|record|entry|mention of how Adjective",
       "Missing what|when|where|who|whose|which Who? Prop Be?", "Missing whether|if Who? Prop",
       example="not known what home port", weight="nobody recorded it")  # fmt: skip
def _unknown_how(*parts: Any) -> BasicFilter | None:
    degree = first_of(parts, Degreed)
    prop = part_of(parts, Property) if degree is None else degree.prop
    return BasicFilter(field=prop.field, exists=False) if prop.gaps else None


@makes("Cond", "Missing whether|if Who? Be? Flag", "Missing whether|if Who? Took? Flag Be? Done?",
       example="not known whether they are licensed", weight="nobody recorded whether")  # fmt: skip
def _unknown_whether(*parts: Any) -> BasicFilter:
    return BasicFilter(field=part_of(parts, BasicFilter).field, exists=False)


@makes("Cond", "free|empty|clear of|from any? Prop", "without a? single|any Prop",
       "Prop Be? not any", "lack|lacks|lacked|lacking any? recorded|known|stated? Prop",
       "without any? note|record|entry|mention|sign of Prop", "without recorded|known|stated Prop",
       "Not given|assigned|allotted|allocated|attached|tied to any Prop",
       example="free of home port", weight="free of it")  # fmt: skip
def _free_of(*parts: Any) -> BasicFilter | None:
    prop = part_of(parts, Property)
    if prop.kind == "bool":
        return BasicFilter(field=prop.field, query=False, match="exact")
    may_lack = prop.gaps or not prop.numeric
    return BasicFilter(field=prop.field, exists=False) if may_lack else None


@makes(
    "Cond",
    "Prop Be? not yet Done?",
    "Prop Be? not yet been Done?",
    "Prop has|have|had not yet? been Done yet?",
    "Prop Be not Done yet",
    "no Prop has|have|had yet? been Done yet?",
    "no Prop Be Done yet?",
    "Not Prop yet",
    "Prop Be? yet to be Done",
    example="home port has not been painted yet",
    weight="not yet",
)
def _not_yet(*parts: Any) -> BasicFilter | None:
    prop = part_of(parts, Property)
    return BasicFilter(field=prop.field, exists=False) if prop.gaps else None


@makes(
    "Cond",
    "got|get|gets|received|has|have|had Prop",
    "with Prop",
    example="with home port",
    weight="value known",
)
def _known(prop: Property, *_: Any) -> BasicFilter | None:
    return BasicFilter(field=prop.field, exists=True) if prop.gaps else None


@makes("Cond", "yet|still|left|remaining to be|get? Flag", "yet to have been? Flag",
       "Prop Be? yet to be|get? Flag", example="yet to be licensed", weight="not yet")  # fmt: skip
def _yet_to_be(*parts: Any) -> BasicFilter | None:
    return denied(part_of(parts, BasicFilter))


_ENTERED = "set|made|fixed|agreed|recorded|entered|given|known"
_NOTED = (
    "wrote|noted|recorded|entered|gave|filled|put|set|stated|specified|logged|registered|took|"
    "note|record|enter|give|fill|state|specify|log|write|knows|knew"
)


@makes(
    "Cond",
    f"Prop Be {_ENTERED}",
    f"Prop has|have|had been {_ENTERED}",
    "With? Word|Noun? has|have|had been Prop",
    "With? Word|Noun has|have been Prop",
    example="home port is recorded",
)
def _recorded(*parts: Any) -> BasicFilter | None:
    prop = first_of(parts, Property)
    return BasicFilter(field=prop.field, exists=True) if prop is not None and prop.gaps else None


@makes("Cond", f"Prop Be? Not Be? {_ENTERED}", example="home port is not recorded")
@makes(
    "Cond",
    f"no Prop Be? {_ENTERED}",
    f"no number|value|figure|amount|record of|for Prop Be? {_ENTERED}",
    "no|without|lacking|lack|lacks Prop information|data|details|record|entry|value|figure|reading",
    "no|without any? information|data|details about|on Prop",
    example="no home port information",
    weight="not recorded",
)
@makes(
    "Cond",
    f"nobody|noone {_NOTED} Prop",
    f"no one {_NOTED} Prop",
    f"nobody|noone {_NOTED} down|in Prop",
    f"no one {_NOTED} down|in Prop",
    f"we|they|somebody|someone|people forgot|failed|neglected to {_NOTED} down|in? Prop",
    example="nobody wrote down the home port",
    weight="not recorded",
)
def _not_recorded(*parts: Any) -> BasicFilter | None:
    prop = first_of(parts, Property)
    return BasicFilter(field=prop.field, exists=False) if prop is not None and prop.gaps else None
