"""Replacements by a clause: `X instead of Y`, `change X to Y`, `now X`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.operations import ChangeFilter, Operation, ToDocuments
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.pieces import Piece
from backend.plans.reading.settling_commands import NEW
from backend.plans.requests.exchanges import Swap, exchange, exchanged
from backend.plans.requests.parts import FILLING, bare_number, part, stated_in
from backend.plans.requests.removals import removal
from workbench.contract.plan_nodes import BasicFilter


def instead_of(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """`X instead of Y`, `instead of Y, X`."""
    place = clause.shape.index("I")
    mark = clause.pieces[place]
    before, after = list(clause.pieces[:place]), list(clause.pieces[place + 1 :])
    if not [p for p in before if p.tag == "E" or p.tag not in FILLING + "cw"]:
        cut = _behind_unwanted(after)
        if cut is None:
            return removal(part(clause, [replace(mark, tag="r"), *after]), draft, grouped)
        before, after = after[cut:], after[:cut]
    new = [p for p in before if p.tag not in "cwi" + FILLING or p.tag in "EYd"]
    after, more = _further(after, draft)
    added = stated_in(part(clause, more), draft) if more else []
    return [*exchange(clause, new, after, draft, denied=mark.load == "not"), *added]


def _further(after: list[Piece], draft: Draft) -> tuple[list[Piece], list[Piece]]:
    """`Japan instead of Italy, at least 3 floors`: a condition after a comma that the plan does not
    have is an addition, not a replacement.
    """
    fields = {condition_of(node).field for node in document_filters(draft)}
    for i, piece in enumerate(after[:-1]):
        following = after[i + 1]
        if i and piece.tag == "," and following.tag == "F" and following.load.field not in fields:
            return after[:i], after[i + 1 :]
    return after, []


_POINTING = re.compile(
    r"(?:(?:and|so|then|please|just|therefore|you can|we can|let us) )*"
    r"(?:remove|drop|delete|take|leave|throw|cut|lose|scrap|ditch|get rid of|forget|kick|clear"
    r"|discard|strip|lift|cancel)(?: away| off| out)?"
    r" (?:it|that|this|them|that one|this one|(?:that|this|the) (?:filter|condition|restriction"
    r"|constraint|criterion|requirement|limit|part|bit|one))"
    r"(?: (?:away|off|out|again|please|altogether|entirely|completely|then))*[.!]*",
    re.IGNORECASE,
)


def pointed_at(first: Clause, second: Clause, draft: Draft) -> Clause | None:
    """`I no longer care about the fee, remove that condition`: the second clause refers to the
    first. Merges both; None if there is no reference.
    """
    if not _POINTING.fullmatch(second.text.strip(" ,")):
        return None
    if "r" in first.shape:
        return first
    fields = {condition_of(node).field for node in document_filters(draft)}
    pieces = [p for p in first.pieces if p.tag in "PBF"]
    named = [p for p in pieces if p.tag == "F" and p.load.field in fields]
    named += [p for p in pieces if p.tag != "F" and fields & {m.prop.field for m in p.load[:1]}]
    if len(named) != 1 or any(p.tag in "xcwsglI#AMKHL" for p in first.pieces):
        return None
    verb = replace(named[0], tag="r", load=None)
    return part(first, [verb, *named, replace(verb, tag="f")])


def _behind_unwanted(pieces: Sequence[Piece]) -> int | None:
    """The start of the wanted part in `instead of the count, the average`."""
    marked = next((i + 1 for i, p in enumerate(pieces) if p.tag in ",c"), None)
    if marked is not None:
        return marked
    content = [i for i, p in enumerate(pieces) if p.tag not in FILLING]
    return content[1] if len(content) > 1 else None


def change(clause: Clause, draft: Draft) -> list[Operation] | Clause:
    """`change X to Y`, `use Y`. If a clause is returned, read it as a command itself."""
    pieces = [p for p in clause.pieces if p.tag not in "c"]
    marks = [i for i, p in enumerate(pieces) if p.tag in "z" + NEW]
    filters = [p for p in pieces if p.tag == "F"]
    word = clause.words(clause.pieces[:1]).lower()
    if word in _CUTTING and not marks and filters and not any(p.tag in "NLH" for p in pieces):
        mark = replace(clause.pieces[0], tag="r")
        return removal(part(clause, [mark, *pieces]), draft, bool(draft.on_spine("GroupBy")))
    others = [p for p in pieces if p.tag not in FILLING + "FPYf" + NEW]
    rest = [p for p in pieces if p.tag not in "FPYfzE" + NEW]
    if len(filters) == 2 and (marks or word.startswith(_EXCHANGING)):
        old, new = filters[0].load, filters[1].load
        shown = stated_in(part(clause, rest), draft) if others else []
        return [ChangeFilter(new, old), *shown]
    fields = {m.prop.field for p in pieces if p.tag == "P" for m in p.load}
    if len(filters) == 1 and not others and filters[0].load.field not in fields:
        source = [p for p in pieces if p.tag == "P" and p.end <= filters[0].start]
        if source and (marks or word.startswith(_EXCHANGING)):
            return exchange(clause, filters, source, draft)
    if filters and not others:
        return [ChangeFilter(_kept_side(piece.load, draft)) for piece in filters]
    if marks:
        target = [p for p in pieces[marks[-1] + 1 :] if p.tag not in FILLING or p.tag == "E"]
        source = [p for p in pieces[: marks[-1]] if p.tag not in FILLING]
        if target:
            return exchange(clause, target, source, draft)
    numbers = [p for p in pieces if p.tag == "N"]
    if any(a.tag == "N" and b.tag == "f" for a, b in pairwise(pieces)) and len(pieces) == 2:
        reason = "the order of filters does not change what is found: say what a filter should be"
        raise Unclear("not_understood", clause.text, reason)
    if numbers and not [p for p in pieces if p.tag not in FILLING + "NlLfP"]:
        return bare_number(clause, numbers[-1], draft)
    return _all_exchanged(clause, pieces, draft) or (part(clause, pieces) if pieces else [])


_CUTTING = ("cut", "trim")
_EXCHANGING = ("replac", "swap", "subst", "exch")


def _all_exchanged(clause: Clause, pieces: Sequence[Piece], draft: Draft) -> list[Operation]:
    """The replacements by all pieces; nothing if one of them has no counterpart."""
    content = [p for p in pieces if p.tag not in FILLING + "gs"]
    swap = Swap(clause, draft)
    results = [exchanged(swap, piece) for piece in content]
    return [item for made in results for item in made] if all(results) else []


def _kept_side(new: BasicFilter, draft: Draft) -> BasicFilter:
    """`make it 250 passengers`: a bare number moves the plan's bound."""
    if new.range_filter or isinstance(new.query, bool) or not isinstance(new.query, int | float):
        return new
    for node in document_filters(draft):
        present = condition_of(node)
        bounds = [name for name in ("start", "end") if getattr(present, name) is not None]
        if present.field == new.field and present.range_filter and len(bounds) == 1:
            return present.model_copy(update={bounds[0]: new.query})
    return new


_SHOWN = re.compile(r"\b(?:list|show|display|see) (?:them|those|these|all|it)\b", re.IGNORECASE)


def now(clause: Clause, draft: Draft) -> list[Operation] | Clause:
    """`Florida instead`, `now by city`: replaces something of its kind; returns as `change`."""
    pieces = [p for p in clause.pieces if p.tag != "i"]
    content = [p for p in pieces if p.tag not in FILLING]
    if not content and _SHOWN.search(clause.text):
        return [ToDocuments()]
    if not content and not any(p.tag == "E" for p in pieces):
        raise Unclear("not_understood", clause.text, f"“{clause.text}”: say what instead")
    return _all_exchanged(clause, pieces, draft) or part(clause, pieces)
