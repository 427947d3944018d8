"""Links words that compare ages: `oldest`, `younger`."""

from collections.abc import Sequence

from backend.language.tokens import Token
from backend.plans.reading.chart import Chart
from backend.plans.reading.linking_types import Degreed
from backend.plans.reading.vocabulary import Vocabulary

AGES = {
    "oldest": ("Superlative", True), "eldest": ("Superlative", True),
    "youngest": ("Superlative", False), "older": ("Comparative", True),
    "younger": ("Comparative", False), "old": ("Adjective", True), "young": ("Adjective", False),
}  # fmt: skip
"""Words that compare ages; high means a greater age."""


def compares_ages(tokens: Sequence[Token], vocabulary: Vocabulary) -> bool:
    """Whether ages of people are compared: `the oldest patient`, but not, of letters, `the oldest
    letter`.
    """
    pairs = zip(tokens, [*tokens[1:], None], strict=True)
    return any(a.lower in AGES and (b is None or b.stem not in vocabulary.called) for a, b in pairs)


def age_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Links `oldest` to an age, where it means more years, or to a date of birth, where it means an
    earlier day.
    """
    for i, token in enumerate(tokens):
        kind, high = AGES.get(token.lower, ("", False))
        if not kind:
            continue
        for prop in vocabulary.properties:
            if prop.is_age or prop.is_birth:
                more = high if prop.is_age else not high
                chart.add(i, i + 1, kind, Degreed(prop, more), (("degree: age", 1.0),))
