"""Constructions of follow-ups about whole steps: summaries, searches, what is read from texts, and
groups by their numbers.
"""

from functools import partial
from typing import Any

from backend.plans.reading.edit_types import Against, Gone, TextStep
from backend.plans.reading.edit_types import edits as _edits
from backend.plans.reading.grammar_types import part_of
from backend.plans.reading.linking_types import Value
from backend.plans.reading.phrasing import Bound

edits = partial(_edits, weight="edit: a whole phrase")
_KINDS = ("keyword", "lexical", "vector", "hybrid")


@edits(
    "TextStep",
    "SumUp Them|Noun?",
    "SumUp Them|Noun for me",
    "Summary of Them|Noun",
    "write|give|make|want|need|add me? Summary",
    "write|give|make|want|need|add me? Summary of Them|Noun",
    "Summary",
    example="summarise them",
)
def _summary(*_: Any) -> TextStep:
    return TextStep("summary")


@edits(
    "TextStep",
    "MakeIt|with|by|using? SearchKind search",
    "search by|with|using SearchKind",
    "SearchKind search instead",
    "search SearchKind",
    "search for Quote using|with|by|in SearchKind search",
    "search for Quote by SearchKind",
    "SearchKind search for Quote",
    example="use vector search",
)
def _search(*parts: Any) -> TextStep:
    kind: Any = next(part for part in parts if part in _KINDS)
    others = ("make", *_KINDS)
    text = next((part for part in parts if isinstance(part, str) and part not in others), None)
    return TextStep("search", kind, text)


@edits(
    "Gone",
    "Drop TextPart",
    "Drop TextPart step",
    "no TextPart",
    "Instead TextPart",
    "TextPart step? Unwanted",
    "take|throw|leave TextPart out|away|off",
    "do not use TextPart",
    example="drop the summary",
)
def _text_part_dropped(*parts: Any) -> Gone:
    return Gone("text", next(part for part in parts if part in _PARTS))


_PARTS = ("filter", "extraction", "clusters", "summary", "search", "calculation")


@edits("Gone", "Drop Having", "Drop Noun|Prop|Them|Props Having", "Not Having",
       "Noun|Prop|Props Having Unwanted", example="drop types with fewer than 3 boats")  # fmt: skip
def _groups_dropped(*parts: Any) -> Gone:
    return Gone("groups", part_of(parts, Bound))


@edits(
    "Against",
    "compare Them? with|to|against Vals",
    "how Be|does|do Them compare to|with Vals",
    "Them? compared|compare to|with Vals",
    "versus|vs Vals",
    "set Them against Vals",
    example="compare with sloop",
)
def _against(*parts: Any) -> Against:
    return Against(part_of(parts, Value))
