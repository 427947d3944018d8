"""Removes conditions because anything will do: any time, anywhere, whoever it was.

Such words name no property; the conditions of the plan determine which one is meant.
"""

import re

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.operations import Operation, RemoveFilter
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.pieces import Piece


def any_time(clause: Clause, draft: Draft) -> Operation:
    """`any year is fine`: removes every filter by time."""
    operations = _timed(clause, draft)
    if not operations:
        raise Unclear("no_such_node", clause.text, "nothing filters by time")
    return RemoveFilter(field=operations[0], words=clause.text)


def _timed(clause: Clause, draft: Draft) -> list[str]:
    """The fields of times that the plan filters by."""
    dates = {p.field for p in clause.reader.vocabulary.properties if p.dated or p.is_year}
    fields = [condition_of(node).field for node in document_filters(draft)]
    return [field for field in fields if field in dates]


_OF_ALL = re.compile(
    r"\b(?:for|of|over|across|in|among|on) (?:all|everything|the (?:whole|entire|full|complete)"
    r" (?:collection|set|data|dataset|database|list|corpus))\b",
    re.IGNORECASE,
)


def of_all_of_it(clause: Clause, draft: Draft) -> list[Operation]:
    """`same but for the whole collection`: removes all conditions."""
    if _OF_ALL.search(clause.text) and document_filters(draft):
        return [RemoveFilter(every=True, words=clause.text)]
    return []


def says_any(clause: Clause, piece: Piece) -> bool:
    """`any cuisine`, `all cuisines`."""
    before = clause.reader.tokens[max(0, piece.start - 2) : piece.start]
    return any(token.lower in ("any", "all", "every", "whatever") for token in before)
