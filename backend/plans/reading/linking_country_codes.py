"""Links countries to identifiers that begin with a country code: a German VAT id is `DE…`."""

import re
from collections.abc import Sequence
from itertools import islice

from backend.language.country_codes import codes_of
from backend.language.tokens import Token
from backend.plans.reading.chart import Chart
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.plan_nodes import BasicFilter

_LONGEST = 3
_SAMPLE = 200
_CODED = re.compile(r"([A-Z]{2})[ -]?[A-Z]{0,3}\d[\dA-Z]")
"""The form of such an identifier: a country code, then more characters with digits."""


def country_code_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds a condition to a chart for each named country and each property with values that begin
    with country codes, including that one.
    """
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + _LONGEST) + 1):
            codes = codes_of(" ".join(token.text for token in tokens[start:end]))
            for field, code in _present(codes, vocabulary) if codes else ():
                condition = BasicFilter(field=field, query=code, match="prefix")
                chart.add(start, end, "Coded", condition, (("country code", 1.0),))


def _present(codes: Sequence[str], vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """The fields with coded values, each with a code that some of its values begin with."""
    found: list[tuple[str, str]] = []
    for prop in vocabulary.properties:
        values = vocabulary.values.counts.get(prop.field, {}) if prop.worded else {}
        sample = list(islice(values, _SAMPLE))
        if sample and 2 * sum(_code(value) is not None for value in sample) > len(sample):
            present = [code for code in codes if any(_code(value) == code for value in values)]
            found += [(prop.field, code) for code in present]
    return found


def _code(value: str) -> str | None:
    match = _CODED.match(value)
    return match[1] if match is not None and codes_of(match[1]) else None
