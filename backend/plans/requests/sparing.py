"""Exceptions: `everything but Leeds`, `all filters but the price`, `only the first`."""

import re

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.merging import among, values_in
from backend.plans.edits.operations import ChangeFilter, Operation, RemoveFilter, WidenFilter
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.requests.letting_in import says_any
from backend.plans.requests.parts import FILLING
from backend.plans.requests.removals import filtered_field


def any_but(clause: Clause, draft: Draft) -> list[Operation]:
    """`any condition except unchanged`: the rest replaces the current value."""
    named = [p for p in clause.pieces if p.tag == "P"]
    gone = [p for p in clause.pieces if p.tag == "F" and p.load.negate]
    if len(named) != 1 or len(gone) != 1 or not says_any(clause, named[0]):
        return []
    if gone[0].load.field not in {m.prop.field for m in named[0].load}:
        return []
    return [ChangeFilter(gone[0].load)]


_ALL_BUT = re.compile(r"r[oe]*f+(?:[x&|tI,no]+)(?=[FP])")


def all_but(clause: Clause, draft: Draft) -> list[Operation]:
    """`remove all filters but the supplier`: removes every filter on another property."""
    if not _ALL_BUT.search(clause.shape):
        return []
    mark = next(i for i, p in enumerate(clause.pieces) if p.tag == "f")
    spared: set[str] = set()
    for piece in clause.pieces[mark:]:
        if piece.tag in "PB":
            spared.add(clause.reader.any_property(piece).field)
        elif piece.tag == "F":
            spared.add(piece.load.field)
    fields = dict.fromkeys(condition_of(node).field for node in document_filters(draft))
    gone = [field for field in fields if field not in spared]
    if not gone:
        raise Unclear("no_such_node", clause.text, "the plan has no other filter to remove")
    return [RemoveFilter(field=field, words=clause.text) for field in gone]


_ALL_OTHERS = re.compile(
    r"\b(?:every\w*|all|any\w*) (?:but|except|that is not|other than)\b"
    r"|^(?:just |only |those |the ones )*(?:that are |which are )?not\b",
    re.IGNORECASE,
)


def all_but_value(clause: Clause, draft: Draft) -> list[Operation]:
    """`everything but Leeds` in a plan that asks for York: asks for more than York."""
    content = [p for p in clause.pieces if p.tag not in FILLING]
    if [p.tag for p in content] != ["F"] or not _ALL_OTHERS.search(clause.text):
        return []
    new = content[0].load
    for node in document_filters(draft):
        present = condition_of(node)
        kept = values_in(present) if present.field == new.field and not present.negate else []
        if new.negate and kept and not any(among(value, kept) for value in values_in(new)):
            return [ChangeFilter(new, present)]
    return []


def kept_after_all(clause: Clause, draft: Draft) -> list[Operation]:
    """`keep Leeds` in a plan that excludes Leeds."""
    content = [p for p in clause.pieces if p.tag not in FILLING]
    verb = clause.words(clause.pieces[:1]).lower()
    if [p.tag for p in content] != ["F"] or verb not in ("keep", "retain", "but keep"):
        return []
    new = content[0].load
    for node in document_filters(draft):
        present = condition_of(node)
        gone = values_in(present) if present.negate and present.field == new.field else []
        if not new.negate and gone and all(among(value, gone) for value in values_in(new)):
            return [WidenFilter(new)]
    return []


_KEPT = re.compile(r"^[oc]+(?P<named>[OTPFB&,]+)f+[oE,]*$|^f+x[PFB]+x$")


def only_kept(clause: Clause, draft: Draft) -> list[Operation]:
    """`keep only the first filter`, `just the parts filter`: removes every other filter."""
    keeps = clause.shape.strip(FILLING) == "P" and "keep" in clause.text.lower().split()
    if not (keeps or _KEPT.search(clause.shape)):
        return []
    filters = [condition_of(node) for node in document_filters(draft)]
    spared: set[str] = set()
    for piece in clause.pieces:
        if piece.tag in "PB":
            spared.add(filtered_field(clause, piece, draft))
        elif piece.tag == "F":
            spared.add(piece.load.field)
        elif piece.tag in "OT" and filters:
            ordinal = piece.load if piece.tag == "O" else 1 if piece.load != "last" else 0
            place = int(ordinal) - 1
            spared |= {filters[place].field} if place < len(filters) else set()
    fields = dict.fromkeys(condition.field for condition in filters)
    gone = [field for field in fields if field not in spared]
    if not spared & fields.keys():
        return []
    if not gone:
        raise Unclear("no_change", clause.text, "the plan has no other filter")
    return [RemoveFilter(field=field, words=clause.text) for field in gone]
