"""What a clause puts in the place of something: `X instead of Y`, `change X to Y`, `now X`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.contract.plan_nodes import BasicFilter
from backend.plans.cascade import Unclear
from backend.plans.clauses import Clause
from backend.plans.comparing import negated, one_of, positive
from backend.plans.draft import Draft
from backend.plans.edit_filters import condition_of, document_filters
from backend.plans.edit_groups import measures_of
from backend.plans.groupings import span_key
from backend.plans.linking import Piece
from backend.plans.operations import (
    AddFilter,
    ChangeFilter,
    Operation,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ToDocuments,
)
from backend.plans.parts import FILLING, bare_number, other_number, part, stated_in
from backend.plans.phrasing import Cut, Key, Measure, Order
from backend.plans.removals import removal
from backend.plans.settling import NEW


def instead_of(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """`X instead of Y`, `instead of Y, X`."""
    place = clause.shape.index("I")
    before, after = list(clause.pieces[:place]), list(clause.pieces[place + 1 :])
    if not [p for p in before if p.tag not in FILLING + "cw"]:
        cut = next((i for i, p in enumerate(after) if p.tag in ",c"), None)
        swapped = _swapped(clause, after)
        if swapped is not None:
            return [swapped]
        if cut is None:
            return removal(
                part(clause, [replace(clause.pieces[place], tag="r"), *after]), draft, grouped
            )
        before, after = after[cut + 1 :], after[:cut]
    new = [p for p in before if p.tag not in "cwi" + FILLING or p.tag in "EY"]
    old = [p for p in after if p.tag not in "i" + FILLING]
    tags = "".join(p.tag for p in new), "".join(p.tag for p in old)
    if tags == ("C", "C"):
        return [_other_side(clause, str(new[0].load), draft)]
    if tags[0] == "F" and tags[1] == "F":
        if clause.pieces[place].load == "not" and not _filtered_by(old[0].load, draft):
            return [AddFilter(new[0].load), AddFilter(negated(old[0].load))]
        return [ChangeFilter(new[0].load, old[0].load)]
    if tags[0] == "P" and tags[1] in ("P", "M"):
        measured = _remeasured(clause, new[0], draft)
        if measured is not None:
            return [measured]
    if grouped and tags[0] == "Y":
        return regroup(clause, new, draft)
    if "K" in tags[0] or ("P" in tags[0] and grouped and tags[1] in ("P", "K", "B", "Y")):
        return regroup(clause, new, draft)
    if tags[0] == "X":
        return [SetSort(descending=new[0].load[0])]
    if "H" in tags[0] or (tags[0] in ("B", "P") and tags[1] in ("B", "P", "H")):
        return resort(clause, new, draft)
    if set(tags[0]) <= {"E"} and (not tags[1] or set(tags[1]) <= set("M#uAKHLU%k")):
        return [ToDocuments()]
    if tags == ("N", "N"):
        return [other_number(clause, new[0], old[0], draft)]
    if tags[0] in ("L", "N"):
        return [SetLimit(_count_of(new[0]))]
    if set(tags[0]) <= set("AM#") and tags[0]:
        found = stated_in(part(clause, new), draft)
        if tags[0] == "A":
            found = [SetMeasures((Measure(new[0].load),))]
        return found
    return stated_in(part(clause, before), draft)


def _other_side(clause: Clause, op: str, draft: Draft) -> Operation:
    """`below instead of above`: the same bound, from the other side."""
    bounded = [condition_of(n) for n in document_filters(draft) if condition_of(n).range_filter]
    bounded = [c for c in bounded if (c.start is None) != (c.end is None) and not c.negate]
    if len(bounded) != 1 or op not in ("gt", "ge", "lt", "le"):
        words = clause.text
        raise Unclear("no_such_node", words, f"“{words}”: no single bound of the plan can turn")
    present = bounded[0]
    bound = present.end if present.start is None else present.start
    upper = op in ("lt", "le")
    exclusive = op in ("gt", "lt")
    turned = {
        "start": None if upper else bound,
        "end": bound if upper else None,
        "start_exclusive": exclusive and not upper,
        "end_exclusive": exclusive and upper,
    }
    return ChangeFilter(present.model_copy(update=turned))


def _swapped(clause: Clause, pieces: Sequence[Piece]) -> Operation | None:
    """`instead of cats, dogs`: two values that a comma joined."""
    named = [p for p in pieces if p.tag == "F"]
    if len(named) != 1 or len(named[0].load.values or []) != 2:
        return None
    if "," not in clause.words(named):
        return None
    old, new = named[0].load.values
    return ChangeFilter(one_of(named[0].load.field, [new]), one_of(named[0].load.field, [old]))


def _filtered_by(condition: BasicFilter, draft: Draft) -> bool:
    named = {str(v) for v in [*(condition.values or []), condition.query] if v is not None}
    for node in document_filters(draft):
        present = condition_of(node)
        held = {str(v) for v in [*(present.values or []), present.query] if v is not None}
        if present.field == condition.field and (held & named or present.range_filter):
            return True
    return False


def _filtered_by_field(field: str, draft: Draft) -> bool:
    return any(condition_of(node).field == field for node in document_filters(draft))


def _remeasured(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """The one number of the plan, of another property."""
    aggregates = draft.on_spine("Aggregate")
    items = [i for i in measures_of(aggregates[-1]) if i.field] if aggregates else []
    prop = clause.reader.choose(piece, lambda p: p.numeric)
    if len(items) != 1 or prop is None:
        return None
    return SetMeasures((Measure(items[0].func, prop.field),))


def _count_of(piece: Piece) -> int:
    load = piece.load
    return load.count if isinstance(load, Cut) else max(1, int(load.value))


def regroup(clause: Clause, pieces: Sequence[Piece], draft: Draft) -> list[Operation]:
    found: list[Operation] = []
    for piece in pieces:
        if piece.tag == "P" and clause.reader.any_property(piece).numeric:
            measured = _remeasured(clause, piece, draft)
            if measured is not None:
                found.append(measured)
                continue
        if piece.tag == "K":
            found.append(SetGroup(piece.load))
        elif piece.tag in "PB":
            found.append(SetGroup(Key((clause.reader.any_property(piece).field,))))
        elif piece.tag == "Y":
            found.append(SetGroup(span_key(clause, piece)))
    others = [p for p in pieces if p.tag not in "KPBY"]
    if others:
        found += stated_in(part(clause, others), draft)
    return found


def resort(clause: Clause, pieces: Sequence[Piece], draft: Draft) -> list[Operation]:
    field, measure, descending = None, None, None
    for piece in pieces:
        if piece.tag == "H":
            order: Order = piece.load
            field, measure, descending = order.field, order.measure, order.descending
        elif piece.tag in "PB":
            field = clause.reader.any_property(piece).field
    if descending is None:
        # What takes the place of an order keeps its direction.
        descending = next((s.extras.get("descending") for s in draft.on_spine("Sort")), None)
    return [SetSort(field, measure, descending)]


def change(clause: Clause, draft: Draft, grouped: bool) -> list[Operation] | Clause:
    """`change X to Y`, `use Y`. A clause in return is to be read as a command itself."""
    pieces = [p for p in clause.pieces if p.tag not in "c"]
    marks = [i for i, p in enumerate(pieces) if p.tag in "z" + NEW]
    filters = [p for p in pieces if p.tag == "F"]
    word = clause.words(clause.pieces[:1]).lower()
    others = [p for p in pieces if p.tag not in FILLING + "FPYf" + NEW]
    rest = [p for p in pieces if p.tag not in "FPYfzE" + NEW]
    if len(filters) == 2 and (marks or word.startswith(("replac", "swap", "subst", "exch"))):
        old, new = filters[0].load, filters[1].load
        shown = stated_in(part(clause, rest), draft) if others else []
        return [ChangeFilter(new, old), *shown]
    if filters and not others:
        return [ChangeFilter(_kept_side(piece.load, draft)) for piece in filters]
    if marks:
        target = [p for p in pieces[marks[-1] + 1 :] if p.tag not in FILLING or p.tag == "E"]
        source = [p for p in pieces[: marks[-1]] if p.tag not in FILLING]
        found = _changed_to(clause, source, target, draft, grouped)
        if found:
            return found
    numbers = [p for p in pieces if p.tag == "N"]
    if any(a.tag == "N" and b.tag == "f" for a, b in pairwise(pieces)) and len(pieces) == 2:
        reason = "the order of filters does not change what is found: say what a filter should be"
        raise Unclear("not_understood", clause.text, reason)
    if numbers and not [p for p in pieces if p.tag not in FILLING + "NlLfP"]:
        return bare_number(clause, numbers[-1], draft)
    named = [p for p in pieces if p.tag == "P"]
    others = [p for p in pieces if p.tag not in FILLING + "P"]
    if named and all(p.tag == "g" for p in others) and (grouped or others):
        return regroup(clause, named, draft)
    if named and others and all(p.tag == "s" for p in others):
        return resort(clause, named, draft)
    return part(clause, pieces) if pieces else []


def _kept_side(new: BasicFilter, draft: Draft) -> BasicFilter:
    """`make it 250 passengers`: a number alone moves the bound that the plan has."""
    if new.range_filter or isinstance(new.query, bool) or not isinstance(new.query, int | float):
        return new
    for node in document_filters(draft):
        present = condition_of(node)
        bounds = [name for name in ("start", "end") if getattr(present, name) is not None]
        if present.field == new.field and present.range_filter and len(bounds) == 1:
            return present.model_copy(update={bounds[0]: new.query})
    return new


def _changed_to(
    clause: Clause, source: Sequence[Piece], target: Sequence[Piece], draft: Draft, grouped: bool
) -> list[Operation]:
    """What becomes of the thing in front of `to`."""
    tags = "".join(p.tag for p in target)
    before = "".join(p.tag for p in source)
    if tags in ("P", "K", "Y") and (set(before) & set("KgP") or not before) and grouped:
        return regroup(clause, target, draft) if tags != "Y" else []
    if tags in ("P", "B", "H") and set(before) & set("sHPB"):
        return resort(clause, target, draft)
    if tags == "A" and target:
        return [SetMeasures((Measure(target[0].load),))]
    if tags == "N":
        return bare_number(clause, target[0], draft)
    if tags == "E":
        return [ToDocuments()]
    return []


def now(clause: Clause, draft: Draft, grouped: bool) -> list[Operation] | Clause:
    """`Florida instead`, `now by city`: in the place of what is of the same sort. As `change`."""
    pieces = [p for p in clause.pieces if p.tag != "i"]
    content = [p for p in pieces if p.tag not in FILLING]
    if content and all(p.tag in "BH" for p in content) and draft.on_spine("Sort"):
        return resort(clause, content, draft)
    if content and all(p.tag in "FP" for p in content) and any(p.tag == "F" for p in content):
        return [ChangeFilter(piece.load) for piece in content if piece.tag == "F"]
    if len(content) == 1 and content[0].tag == "P":
        prop = clause.reader.any_property(content[0])
        condition = positive(prop) if prop.kind == "bool" else None
        if condition is not None and _filtered_by_field(prop.field, draft):
            return [ChangeFilter(condition)]
    if grouped and content and all(p.tag in "PBK" for p in content):
        return regroup(clause, content, draft)
    if content and content[0].tag == "P" and draft.on_spine("Sort") and len(content) == 1:
        return resort(clause, content, draft)
    if not content and not any(p.tag == "E" for p in pieces):
        raise Unclear("not_understood", clause.text, f"“{clause.text}”: say what instead")
    return part(clause, pieces)
