"""The grammar of requests: how words and links form conditions, measures, orders and keys.

Constructions are independent: each states its kind and its parts and gives an example that the
tests read. Their order does not matter. To add one, put a function under `makes` in the module it
belongs to. It gets the values of the kinds in its pattern (None for a missing one marked `?`) and
returns the meaning of the phrase, or None if the parts do not fit together.
"""

from backend.plans.reading import (
    grammar_answers,
    grammar_conditions,
    grammar_contrasts,
    grammar_derived,
    grammar_documents,
    grammar_gaps,
    grammar_groups,
    grammar_orders,
    grammar_ratios,
    grammar_scales,
    grammar_shares,
    grammar_spans,
    grammar_themes,
)
from backend.plans.reading.chart import Grammar
from backend.plans.reading.grammar_types import CONSTRUCTIONS
from backend.plans.reading.grammar_words import PHRASES

__all__ = [
    "CONSTRUCTIONS", "GRAMMAR", "PHRASES", "grammar_answers", "grammar_conditions",
    "grammar_contrasts", "grammar_derived", "grammar_documents", "grammar_gaps", "grammar_groups",
    "grammar_orders", "grammar_ratios", "grammar_scales", "grammar_shares", "grammar_spans",
    "grammar_themes",
]  # fmt: skip

GRAMMAR = Grammar([*CONSTRUCTIONS, *PHRASES])
