"""What a clause of feedback commands: take away, put in the place of something, add, or simply
state.

Steering words decide; what they act upon is looked up in the plan. A clause without a steering word
is read as a statement.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.contract.plan_nodes import BasicFilter, GroupBy, Sort, canonical_field, typed
from backend.plans.cascade import Unclear
from backend.plans.clauses import Clause
from backend.plans.draft import Draft
from backend.plans.edit_filters import condition_of, document_filters
from backend.plans.edit_groups import measures_of
from backend.plans.linking import Piece, Quantity
from backend.plans.operations import (
    AddFilter,
    ChangeFilter,
    ExtractField,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    RemoveMeasure,
    RemoveSort,
    RemoveStep,
    ReverseSort,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ShareOf,
    Summarise,
    ToDocuments,
    WidenFilter,
)
from backend.plans.phrasing import Cut, Key, Measure, Order
from backend.plans.predicates import compare, negated, number_of, positive
from backend.plans.statements import Bag, refuse_left_over, statements

_STEP_TYPES: dict[str, tuple[tuple[str, ...], str]] = {
    "LlmFilter": (("LlmFilter",), "text filter"),
    "LlmExtractEntity": (("LlmExtractEntity",), "extraction"),
    "cluster": (("KMeanClustering", "LLMClustering"), "clustering"),
    "Project": (("Project",), "column selection"),
    "Math": (("Math",), "calculation"),
}
_ALL_WORDS = frozenset({"all", "every", "any", "filters", "conditions", "restrictions", "criteria"})
_WHOLE_LIST = re.compile(r"^[E,]*no?[LN]E?$")
_FILLING = ",&|yztbEeWRodhi"


def commands(clause: Clause, draft: Draft) -> list[Operation]:
    """The operations that a clause of feedback asks for; Unclear with the words that are left over."""
    shape = clause.shape
    grouped = bool(draft.of_type("GroupBy", "TopK"))
    if _WHOLE_LIST.search(shape):
        return [RemoveLimit()]
    if clause.problem is not None:
        raise clause.problem
    if "J" in shape:
        refuse_left_over(Bag(clause, [p for p in clause.pieces if p.tag not in "JHcsMP#K"]))
        return [ReverseSort()]
    if "I" in shape:
        return _instead_of(clause, draft, grouped)
    if "r" in shape or ("x" in shape and "F" not in shape) or _negates_a_step(clause):
        return _removal(clause, draft, grouped)
    named = [p for p in clause.pieces if p.tag == "P"]
    if len(named) == 1 and shape.strip(_FILLING) == "P" and _says_any(clause, named[0]):
        field = clause.reader.any_property(named[0]).field
        if any(condition_of(node).field == field for node in document_filters(draft)):
            return [RemoveFilter(field=field, words=clause.text)]
    if shape.strip(_FILLING) == "X":
        return [SetSort(descending=next(p for p in clause.pieces if p.tag == "X").load[0])]
    if "c" in shape:
        return _change(clause, draft, grouped)
    if "w" in shape:
        return _addition(clause, draft, grouped)
    if "i" in shape:
        return _now(clause, draft, grouped)
    if "u" in shape:
        return _summary(clause, draft)
    if "k" in shape:
        return _extraction(clause, draft)
    if clause.text.lower().startswith("and ") and "K" in shape and grouped:
        return _addition(clause, draft, grouped)
    if "%" in shape and not any(p.tag in "FP" for p in clause.pieces):
        refuse_left_over(Bag(clause, [p for p in clause.pieces if p.tag not in "%M#w"]))
        return [ShareOf(())]
    return _statement(clause, draft, grouped)


_NO_STEP = re.compile(r"nc?(?:[fksgluKHL]|P.*f)")


def _negates_a_step(clause: Clause) -> bool:
    """`no sorting`, `without the filter`, `don't group`, `don't filter on weather`."""
    pairs = pairwise(clause.pieces)
    filters = any(a.tag == "n" and b.tag == "o" and "filter" in clause.words([b]) for a, b in pairs)
    return filters or _NO_STEP.search(clause.shape) is not None


def _part(clause: Clause, pieces: Sequence[Piece]) -> Clause:
    return replace(clause, pieces=tuple(pieces), text=clause.words(pieces))


def _stated(clause: Clause, draft: Draft) -> list[Operation]:
    """A clause read as a statement about this plan."""
    aggregates = draft.of_type("Aggregate")
    return statements(
        clause,
        grouped=bool(draft.of_type("GroupBy", "TopK")),
        question=False,
        present=measures_of(aggregates[-1]) if aggregates else (),
    )


def _says_any(clause: Clause, piece: Piece) -> bool:
    """`any cuisine`, `all cuisines`."""
    before = clause.reader.tokens[max(0, piece.start - 2) : piece.start]
    return any(token.lower in ("any", "all", "every", "whatever") for token in before)


def _statement(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """What is said without a steering word."""
    content = [p for p in clause.pieces if p.tag not in _FILLING]
    if not content and any(p.tag == "E" for p in clause.pieces):
        return [_everything(clause, draft)]
    if len(content) == 1 and content[0].tag == "N" and len(clause.pieces) <= 2:
        return _bare_number(clause, content[0], draft)
    return _stated(clause, draft)


def _everything(clause: Clause, draft: Draft) -> Operation:
    """`show all of them`: the whole list when there is a limit, else the documents themselves."""
    whole = any(
        token.lower in ("all", "every", "everything", "full") for token in clause.reader.tokens
    )
    return RemoveLimit() if whole and draft.of_type("Limit") else ToDocuments()


def _bare_number(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """A number alone: the limit if there is one or `only` was said, else the number of a filter."""
    number: Quantity = piece.load
    limited = draft.of_type("Limit", "TopK")
    changed = None if limited else _other_number(clause, piece, draft)
    if changed is not None:
        return [changed]
    if number.unit is None and number.whole and number.value >= 1:
        return [SetLimit(int(number.value))]
    refuse_left_over(Bag(clause, [replace(piece, tag="?")]))
    return []


def _other_number(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """The one filter with a number, with this number in its place."""
    found = []
    for node in document_filters(draft):
        condition = condition_of(node)
        prop = clause.reader.vocabulary.get(condition.field)
        if prop is not None and prop.numeric and not condition.any_of and condition.values is None:
            found.append((condition, prop))
    if len(found) != 1:
        return None
    condition, prop = found[0]
    value = compare(prop, "eq", number_of(clause.reader, piece, prop)).query
    bounds = [name for name in ("query", "start", "end") if getattr(condition, name) is not None]
    if len(bounds) != 1:
        return None
    return ChangeFilter(condition.model_copy(update={bounds[0]: value}), None)


# -- instead


def _instead_of(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """`X instead of Y`, `instead of Y, X`."""
    place = clause.shape.index("I")
    before, after = list(clause.pieces[:place]), list(clause.pieces[place + 1 :])
    if not [p for p in before if p.tag not in _FILLING + "cw"]:
        cut = next((i for i, p in enumerate(after) if p.tag == ","), None)
        if cut is None:
            return _removal(
                _part(clause, [replace(clause.pieces[place], tag="r"), *after]), draft, grouped
            )
        before, after = after[cut + 1 :], after[:cut]
    new = [p for p in before if p.tag not in "cwi" + _FILLING or p.tag in "E"]
    old = [p for p in after if p.tag not in "i" + _FILLING]
    tags = "".join(p.tag for p in new), "".join(p.tag for p in old)
    if tags[0] == "F" and tags[1] == "F":
        if clause.pieces[place].load == "not" and not _filtered_by(old[0].load, draft):
            return [AddFilter(new[0].load), AddFilter(negated(old[0].load))]
        return [ChangeFilter(new[0].load, old[0].load)]
    if tags[0] == "P" and tags[1] in ("P", "M"):
        measured = _remeasured(clause, new[0], draft)
        if measured is not None:
            return [measured]
    if "K" in tags[0] or ("P" in tags[0] and grouped and tags[1] in ("P", "K", "B", "Y")):
        return _regroup(clause, new, draft)
    if tags[0] == "X":
        return [SetSort(descending=new[0].load[0])]
    if "H" in tags[0] or (tags[0] in ("B", "P") and tags[1] in ("B", "P", "H")):
        return _resort(clause, new, draft)
    if set(tags[0]) <= {"E"} and (not tags[1] or set(tags[1]) <= set("M#uAKHLU%k")):
        return [ToDocuments()]
    if tags[0] in ("L", "N"):
        return [SetLimit(_count_of(new[0]))]
    if set(tags[0]) <= set("AM#") and tags[0]:
        found = _stated(_part(clause, new), draft)
        if tags[0] == "A":
            found = [SetMeasures((Measure(new[0].load),))]
        return found
    return _stated(_part(clause, before), draft)


def _filtered_by(condition: BasicFilter, draft: Draft) -> bool:
    named = {str(v) for v in [*(condition.values or []), condition.query] if v is not None}
    for node in document_filters(draft):
        present = condition_of(node)
        held = {str(v) for v in [*(present.values or []), present.query] if v is not None}
        if present.field == condition.field and (held & named or present.range_filter):
            return True
    return False


def _remeasured(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """The one number of the plan, of another property."""
    aggregates = draft.of_type("Aggregate")
    items = [i for i in measures_of(aggregates[-1]) if i.field] if aggregates else []
    prop = clause.reader.choose(piece, lambda p: p.numeric)
    if len(items) != 1 or prop is None:
        return None
    return SetMeasures((Measure(items[0].func, prop.field),))


def _count_of(piece: Piece) -> int:
    load = piece.load
    return load.count if isinstance(load, Cut) else max(1, int(load.value))


def _regroup(clause: Clause, pieces: Sequence[Piece], draft: Draft) -> list[Operation]:
    found: list[Operation] = []
    for piece in pieces:
        if piece.tag == "K":
            found.append(SetGroup(piece.load))
        elif piece.tag in "PB":
            found.append(SetGroup(Key((clause.reader.any_property(piece).field,))))
    others = [p for p in pieces if p.tag not in "KPB"]
    if others:
        found += _stated(_part(clause, others), draft)
    return found


def _resort(clause: Clause, pieces: Sequence[Piece], draft: Draft) -> list[Operation]:
    field, measure, descending = None, None, None
    for piece in pieces:
        if piece.tag == "H":
            order: Order = piece.load
            field, measure, descending = order.field, order.measure, order.descending
        elif piece.tag in "PB":
            field = clause.reader.any_property(piece).field
    if descending is None:
        # What takes the place of an order keeps its direction.
        descending = next((s.extras.get("descending") for s in draft.of_type("Sort")), None)
    return [SetSort(field, measure, descending)]


# -- removal


def _removal(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """Everything behind the word for taking away, one thing after the other."""
    start = next(i for i, p in enumerate(clause.pieces) if p.tag in "rxn")
    front = [p for p in clause.pieces[:start] if p.tag not in _FILLING + "c"]
    objects = list(clause.pieces[start + 1 :])
    if front and all(p.tag in "AM#KHL" for p in front) and not objects:
        objects, front = front, []
    found: list[Operation] = []
    if front:
        found += _stated(_part(clause, front), draft)
    kept_noun = any(
        p.tag == "f" or (p.tag == "o" and "filter" in clause.words([p])) for p in objects
    )
    steps = [p for p in objects if p.tag == "k"]
    if steps and not kept_noun and not any(p.tag in "FKHL" for p in objects):
        # What the step was about is only there to tell which one is meant.
        objects = [p for p in objects if p.tag == "k"]
    rest = [p for p in objects if p.tag not in _FILLING + "rxnic" or p.tag == "E"]
    if kept_noun:
        return found + _filter_removals(clause, rest)
    for piece in rest:
        found += _remove_one(clause, piece, rest, draft)
    if not found:
        words = clause.text
        raise Unclear("not_understood", words, f"“{words}”: it is not clear what to remove")
    return found


def _filter_removals(clause: Clause, rest: Sequence[Piece]) -> list[Operation]:
    """Things called filters."""
    tokens = clause.reader.tokens[clause.pieces[0].start : clause.pieces[-1].end]
    every = any(token.lower in _ALL_WORDS for token in tokens)
    found: list[Operation] = []
    for piece in rest:
        words = clause.words([piece])
        if piece.tag in "OT":
            ordinal = (
                piece.load if piece.tag == "O" else 1 if piece.load in ("first", "top") else -1
            )
            found.append(RemoveFilter(ordinal=int(ordinal), words=words))
        elif piece.tag in "PB":
            found.append(RemoveFilter(field=clause.reader.any_property(piece).field, words=words))
        elif piece.tag == "F":
            found.append(_filter_of(piece, words))
        elif piece.tag == "k":
            types, name = _STEP_TYPES[piece.load]
            found.append(RemoveStep(types, name))
        elif piece.tag == "Y":
            dated = [p for p in clause.reader.vocabulary.properties if p.dated or p.is_year]
            if dated:
                found.append(RemoveFilter(field=dated[0].field, words=words))
        elif piece.tag in "N":
            found.append(RemoveFilter(ordinal=max(1, int(piece.load.value)), words=words))
        elif piece.tag not in "fE":
            refuse_left_over(Bag(clause, [piece]))
    if found:
        return found
    return [RemoveFilter(every=every, words=clause.text)]


def _filter_of(piece: Piece, words: str) -> RemoveFilter:
    """The filter that a condition names: of its values, or of its property when it is a range."""
    condition: BasicFilter = piece.load
    if condition.range_filter or condition.any_of or condition.exists is not None:
        return RemoveFilter(field=condition.field, words=words)
    return RemoveFilter(condition=condition.model_copy(update={"negate": False}), words=words)


def _remove_one(
    clause: Clause, piece: Piece, rest: Sequence[Piece], draft: Draft
) -> list[Operation]:
    """One thing to take away, as far as the plan has it; values that it has not are excluded."""
    tag = piece.tag
    if tag == "k":
        types, name = _STEP_TYPES[piece.load]
        return [RemoveStep(types, name)]
    if tag == "u":
        return [RemoveStep(("SummarizeData",), "summary")]
    if tag in "sdX":
        return [RemoveSort()]
    if tag == "H":
        return [RemoveSort()]
    if tag in "LlT":
        return [RemoveLimit()]
    if tag in "KgY":
        return [RemoveGroup()]
    if tag == "%":
        return [ToDocuments()]
    if tag in "M#A":
        return _remove_number(piece, draft)
    if tag == "q":
        return []
    if tag == "F":
        return _remove_values(clause, piece, draft)
    if tag in "PB":
        return _remove_property(clause, piece, rest, draft)
    if tag != "E":
        refuse_left_over(Bag(clause, [piece]))
    return []


def _remove_number(piece: Piece, draft: Draft) -> list[Operation]:
    measure = piece.load if isinstance(piece.load, Measure) else Measure(piece.load or "count")
    if not draft.of_type("Aggregate"):
        return [ToDocuments()] if not draft.of_type("GroupBy", "TopK") else [RemoveGroup()]
    return [RemoveMeasure(measure)]


def _remove_values(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """`remove Texas`: the filter for it when there is one, else those documents."""
    condition: BasicFilter = piece.load
    for node in document_filters(draft):
        present = condition_of(node)
        if present.field != condition.field or present.negate != condition.negate:
            continue
        held = {str(v).lower() for v in [*(present.values or []), present.query] if v is not None}
        named = [v for v in [*(condition.values or []), condition.query] if v is not None]
        if any(str(value).lower() in held for value in named):
            return [RemoveFilter(condition=condition, words=clause.words([piece]))]
        if present.range_filter and condition.range_filter and present.start == condition.start:
            return [RemoveFilter(field=condition.field, words=clause.words([piece]))]
    return [AddFilter(negated(condition))]


def _remove_property(
    clause: Clause, piece: Piece, rest: Sequence[Piece], draft: Draft
) -> list[Operation]:
    """`remove the weather`: whatever the plan does with that property."""
    prop = clause.reader.any_property(piece)
    words = clause.words([piece])
    if any(condition_of(node).field == prop.field for node in document_filters(draft)):
        return [RemoveFilter(field=prop.field, words=words)]
    for node in draft.of_type("GroupBy"):
        read = typed(node)
        if isinstance(read, GroupBy) and prop.field in map(canonical_field, read.keys):
            return [RemoveGroup()]
    for node in draft.of_type("Sort"):
        order = typed(node)
        if isinstance(order, Sort) and canonical_field(order.field) == prop.field:
            return [RemoveSort()]
    for node in draft.of_type("Aggregate"):
        for item in measures_of(node):
            if item.field == prop.field:
                return [RemoveMeasure(Measure(item.func, item.field))]
    condition = positive(prop)
    if condition is not None:
        return [AddFilter(negated(condition))]
    return [RemoveFilter(field=prop.field, words=words)]


# -- change, add, now


def _change(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """`change X to Y`, `use Y`, `make it Y`."""
    pieces = [p for p in clause.pieces if p.tag not in "c"]
    marks = [i for i, p in enumerate(pieces) if p.tag == "z"]
    filters = [p for p in pieces if p.tag == "F"]
    word = clause.words(clause.pieces[:1]).lower()
    others = [p for p in pieces if p.tag not in _FILLING + "FPYf"]
    if (
        len(filters) == 2
        and not others
        and (marks or word.startswith(("replac", "swap", "subst", "exch")))
    ):
        old, new = filters[0].load, filters[1].load
        return [ChangeFilter(new, old)]
    if filters and not others:
        return [ChangeFilter(piece.load) for piece in filters]
    if marks:
        target = [p for p in pieces[marks[-1] + 1 :] if p.tag not in _FILLING or p.tag == "E"]
        source = [p for p in pieces[: marks[-1]] if p.tag not in _FILLING]
        found = _changed_to(clause, source, target, draft, grouped)
        if found:
            return found
    numbers = [p for p in pieces if p.tag == "N"]
    if numbers and not [p for p in pieces if p.tag not in _FILLING + "NlLfP"]:
        return _bare_number(clause, numbers[-1], draft)
    named = [p for p in pieces if p.tag == "P"]
    others = [p for p in pieces if p.tag not in _FILLING + "P"]
    if named and all(p.tag == "g" for p in others) and (grouped or others):
        return _regroup(clause, named, draft)
    if named and others and all(p.tag == "s" for p in others):
        return _resort(clause, named, draft)
    return commands(_part(clause, pieces), draft) if pieces else []


def _changed_to(
    clause: Clause, source: Sequence[Piece], target: Sequence[Piece], draft: Draft, grouped: bool
) -> list[Operation]:
    """What becomes of the thing in front of `to`."""
    tags = "".join(p.tag for p in target)
    before = "".join(p.tag for p in source)
    if tags in ("P", "K", "Y") and (set(before) & set("KgP") or not before) and grouped:
        return _regroup(clause, target, draft) if tags != "Y" else []
    if tags in ("P", "B", "H") and set(before) & set("sHPB"):
        return _resort(clause, target, draft)
    if tags == "A" and target:
        return [SetMeasures((Measure(target[0].load),))]
    if tags == "N":
        return _bare_number(clause, target[0], draft)
    if tags == "E":
        return [ToDocuments()]
    return []


def _addition(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """`also …`: more values, more numbers, a further key; anything else as it is said."""
    pieces = [p for p in clause.pieces if p.tag != "w"]
    only = "o" in clause.shape and not _says_not_only(clause)
    if not [p for p in pieces if p.tag not in _FILLING]:
        return [ToDocuments()] if any(p.tag == "E" for p in pieces) else []
    found: list[Operation] = []
    rest: list[Piece] = []
    for piece in pieces:
        if piece.tag == "F" and not only and not piece.load.negate:
            found.append(WidenFilter(piece.load))
        elif piece.tag == "K":
            found.append(SetGroup(piece.load, add=grouped))
        elif piece.tag == "M":
            found.append(SetMeasures((piece.load,), add=True))
        elif piece.tag == "A":
            found.append(SetMeasures((Measure(piece.load),), add=True))
        elif piece.tag == "#":
            found.append(SetMeasures((Measure("count"),), add=True))
        elif piece.tag == "P" and grouped and not piece.load[0].prop.numeric:
            field = clause.reader.any_property(piece).field
            found.append(SetGroup(Key((field,)), add=True))
        else:
            rest.append(piece)
    if [p for p in rest if p.tag not in _FILLING]:
        found += commands(_part(clause, rest), draft)
    return found


def _says_not_only(clause: Clause) -> bool:
    return any("not only" in clause.words([p]).lower() for p in clause.pieces if p.tag == "w")


def _now(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """`Florida instead`, `now by city`: in the place of what is of the same sort."""
    pieces = [p for p in clause.pieces if p.tag != "i"]
    content = [p for p in pieces if p.tag not in _FILLING]
    if content and all(p.tag in "BH" for p in content) and draft.of_type("Sort"):
        return _resort(clause, content, draft)
    if content and all(p.tag in "FP" for p in content) and any(p.tag == "F" for p in content):
        return [ChangeFilter(piece.load) for piece in content if piece.tag == "F"]
    if grouped and content and all(p.tag in "PBK" for p in content):
        return _regroup(clause, content, draft)
    if content and content[0].tag == "P" and draft.of_type("Sort") and len(content) == 1:
        return _resort(clause, content, draft)
    if not content and not any(p.tag == "E" for p in pieces):
        raise Unclear("not_understood", clause.text, f"“{clause.text}”: say what instead")
    return commands(_part(clause, pieces), draft)


def _summary(clause: Clause, draft: Draft) -> list[Operation]:
    rest = [p for p in clause.pieces if p.tag not in _FILLING + "uR"]
    if rest:
        return _stated(clause, draft)
    return [Summarise(clause.text)]


def _extraction(clause: Clause, draft: Draft) -> list[Operation]:
    """`extract the name of the pilot`: a new property read from the text."""
    first = next(p for p in clause.pieces if p.tag == "k")
    behind = [p for p in clause.pieces if p.start >= first.end and p.tag not in ",&"]
    if first.load != "LlmExtractEntity" or not behind:
        return _stated(clause, draft)
    words = clause.words(behind)
    name = "_".join(part for part in words.lower().split() if part.isalnum())[:60] or "value"
    return [ExtractField(f"What is the {words}?", name)]
