"""All extractors together."""

from collections.abc import Callable

from backend.extraction.extractors import candidates
from backend.extraction.labels import Rivals
from backend.extraction.reading import read
from backend.extraction.targets import targets
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_each_extractor_says_where_it_looked(document: Build, schema: MakeSchema) -> None:
    compiled = targets(
        schema(("report", {"type": "string", "examples": ["IR-2020-118"]})).properties
    )
    reading = read(document("Report: IR-2021-007", "The report IR-2021-007 is final."))
    result = candidates(compiled[0], reading, Rivals(compiled), lambda inner, part: {})
    assert {candidate.source for candidate in result} == {"line", "shape"}
    assert {candidate.value for candidate in result} == {"IR-2021-007"}
