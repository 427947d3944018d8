"""The grammar of requests: how words and links make conditions, measures, orders and keys.

Each construction stands alone: it says what it makes, of what, and gives an example that the tests
read. Their order means nothing. To add one, put a function that takes the values of the kinds in
its pattern (None for one marked `?` that is missing) under `makes` in the module it belongs to; it
returns what the phrase means, or None when the parts do not go together.
"""

from backend.plans.reading import (
    grammar_answers,
    grammar_conditions,
    grammar_derived,
    grammar_orders,
    grammar_ratios,
    grammar_shares,
    grammar_spans,
)
from backend.plans.reading.chart import Grammar
from backend.plans.reading.grammar_types import CONSTRUCTIONS
from backend.plans.reading.grammar_words import PHRASES

__all__ = [
    "CONSTRUCTIONS", "GRAMMAR", "PHRASES", "grammar_answers", "grammar_conditions",
    "grammar_derived", "grammar_orders", "grammar_ratios", "grammar_shares", "grammar_spans",
]  # fmt: skip

GRAMMAR = Grammar([*CONSTRUCTIONS, *PHRASES])
