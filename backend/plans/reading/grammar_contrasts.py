"""Constructions that compare two groups of documents, or two numbers: `how many more ketches than
sloops`, `ratio of licensed to unlicensed boats`, `compare ketches and sloops`.

The two sides are conditions on one property, wherever in the question they stand.
"""

from typing import Any

from backend.plans.reading.grammar_answers import measured
from backend.plans.reading.grammar_types import COUNT, Contrast, makes, part_of
from backend.plans.reading.linking_types import Degreed
from backend.plans.reading.properties import Property


@makes("Contrast", "difference|gap between|in|of|on", "difference|gap between in",
       "by how much|many do|does|did|is|are|was|were",
       "by how much|many Word|Noun do|does|did|is|are|was|were", "by how much|many Word|Noun?",
       example="difference between", weight="contrast")  # fmt: skip
def _difference(*_: Any) -> Contrast:
    return Contrast("subtract", in_time=True)


@makes(
    "Contrast",
    "exceed|exceeds|exceeded|surpass|surpasses|surpassed|outnumber|outnumbers|outweigh|outweighs",
    "beat|beats|top|tops|differ|differs from?",
    "more|higher|greater|larger|bigger than",
    "above|over|ahead of? that|those of?",
    example="exceeds", weight="contrast: verb",
)  # fmt: skip
def _exceeds() -> Contrast:
    return Contrast("subtract", joined=True)


@makes("Contrast", "less|fewer|lower|smaller than", "below|under|behind that|those of?",
       example="lower than", weight="contrast: verb")  # fmt: skip
def _falls_short() -> Contrast:
    return Contrast("subtract", turned=True, joined=True)


@makes("Contrast", "difference|gap between|in|of HowMany Noun?",
       example="difference in number of", weight="contrast")  # fmt: skip
def _difference_of_counts(*_: Any) -> Contrast:
    return Contrast("subtract", COUNT, in_time=True)


@makes("Contrast", "how many more Noun?", example="how many more boats", weight="contrast")
def _more(*_: Any) -> Contrast:
    return Contrast("subtract", COUNT)


@makes("Contrast", "change|growth|increase|rise in|of|from|between",
       "change|growth|increase|rise in|of HowMany Noun?", example="change in",
       weight="contrast")  # fmt: skip
def _change(*parts: Any) -> Contrast:
    return Contrast("subtract", COUNT if parts else None, in_time=True)


@makes("Contrast", "decrease|decline|drop|fall in|of|from|between",
       "decrease|decline|drop|fall in|of HowMany Noun?", example="decrease in",
       weight="contrast")  # fmt: skip
def _decrease(*parts: Any) -> Contrast:
    return Contrast("subtract", COUNT if parts else None, turned=True, in_time=True)


@makes("Contrast", "how many fewer|less Noun?", example="how many fewer boats", weight="contrast")
def _fewer(*_: Any) -> Contrast:
    return Contrast("subtract", COUNT, turned=True)


@makes(
    "Contrast", "how many more Prop", example="how many more berths", weight="contrast: of a number"
)
def _more_of_it(prop: Property) -> Contrast | None:
    measure = measured("sum", prop)
    return None if measure is None else Contrast("subtract", measure)


@makes("Contrast", "how much Comparative", "how much more Adjective", example="how much longer",
       weight="contrast: of a number")  # fmt: skip
def _how_much_longer(*parts: Any) -> Contrast | None:
    degree = part_of(parts, Degreed)
    measure = measured("avg", degree.prop)
    return None if measure is None else Contrast("subtract", measure, turned=not degree.high)


@makes("Contrast", "ratio of|between|from", "ratio of HowMany Noun?", example="ratio of",
       weight="contrast")  # fmt: skip
@makes("Contrast", "how many times as|more many|much? Noun?",
       example="how many times as many boats", weight="contrast")  # fmt: skip
def _ratio(*parts: Any) -> Contrast:
    return Contrast("divide", COUNT if parts else None)


@makes("Contrast", "compare|comparing|contrast", "comparison of|between", "compare HowMany Noun?",
       "comparison of|between HowMany Noun?", example="compare",
       weight="contrast: side by side")  # fmt: skip
def _side_by_side(*_: Any) -> Contrast:
    return Contrast("beside")


@makes("Contrast", "is|are|were|was|have|had there more|fewer Noun?", "did|do we|they have more",
       "make|made|do|does|did|have|has|had|get|got|take|took|see|saw more|fewer Noun",
       example="are there more", weight="contrast: side by side")  # fmt: skip
def _which_are_more(*_: Any) -> Contrast:
    return Contrast("more", COUNT)
