"""Removes conditions because anything will do: any time, anywhere, whoever it was.

Such words name no property; the conditions of the plan determine which one is meant.
"""

import re

from backend.language.words import stem
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.operations import Operation, RemoveFilter
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.pieces import Piece
from backend.plans.requests.parts import FILLING


def let_in(clause: Clause, draft: Draft) -> list[Operation]:
    """The condition that `any time`, `everywhere` or `everyone` removes; nothing otherwise."""
    if _WHENEVER.search(clause.text) and all(p.tag in FILLING + "PYWrncE?" for p in clause.pieces):
        return [any_time(clause, draft)] if _timed(clause, draft) else []
    if _WHOEVER.search(clause.text) and all(p.tag in FILLING + "PrnE?" for p in clause.pieces):
        return _any_person(clause, draft)
    if _WHEREVER.search(clause.text) and all(p.tag in FILLING + "rnE?P" for p in clause.pieces):
        return _any_place(clause, draft)
    return []


_WHENEVER = re.compile(
    r"^(?:at |of |for |over |from )?(?:any|all)(?: the)? times?$|\bno matter when\b|^whenever\b"
    r"|\b(?:regardless|irrespective|independent) of when\b|^whenever (?:it|they|that) (?:was|were)$"
    r"|\bcare when\b|\bat any time\b|^ever$|\b(?:over|across|for|of|in) all(?: the)? years\b",
    re.IGNORECASE,
)


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


_WHEREVER = re.compile(
    r"^(?:from |in )?(?:everywhere|anywhere|wherever)$|\bno matter where\b|\bregardless of where\b"
    r"|^all over(?: the place)?$",
    re.IGNORECASE,
)


_PLACES = frozenset(
    map(
        stem,
        """
        place where town village city country region state district location site county province
        area land borough township continent venue
        """.split(),  # noqa: SIM905
    )
)


def _any_place(clause: Clause, draft: Draft) -> list[Operation]:
    """`everywhere`, `no matter where`: removes the only filter by a place."""
    vocabulary = clause.reader.vocabulary
    fields = [condition_of(node).field for node in document_filters(draft)]
    results = [
        field
        for field in fields
        if (prop := vocabulary.get(field)) is not None and prop.worded
        if _PLACES & {*prop.parts, *prop.described}
    ]
    return [RemoveFilter(field=results[0], words=clause.text)] if len(results) == 1 else []


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


_WHOEVER = re.compile(
    r"\b(?:everyone|everybody|anyone|anybody|whoever|whomever|no matter who)\b", re.IGNORECASE
)


def _any_person(clause: Clause, draft: Draft) -> list[Operation]:
    """`of everyone`, `no matter who`: removes the only filter by people."""
    reader = clause.reader
    people = {p.field for p in reader.vocabulary.properties if p.of_people}
    named = {m.prop.field for p in clause.pieces if p.tag == "P" for m in p.load} & people
    fields = [c.field for n in document_filters(draft) if (c := condition_of(n)).field in people]
    chosen = [field for field in fields if field in named] or fields
    return [RemoveFilter(field=chosen[0], words=clause.text)] if len(chosen) == 1 else []


def says_any(clause: Clause, piece: Piece) -> bool:
    """`any cuisine`, `all cuisines`."""
    before = clause.reader.tokens[max(0, piece.start - 2) : piece.start]
    return any(token.lower in ("any", "all", "every", "whatever") for token in before)
