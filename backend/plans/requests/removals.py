"""Removals by a clause: filters, steps, groups, numbers, values, as the plan determines."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.language.words import content_stems, stem
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import bound_condition, column_of, keys_of, measures_of
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    KeepGroups,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    RemoveMeasure,
    RemoveSort,
    RemoveStep,
    SetSource,
    ShowFields,
    ToDocuments,
)
from backend.plans.edits.wording import say_condition
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import negated, one_of, positive
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.pieces import Piece
from backend.plans.requests.bag import Bag, refuse_left_over
from backend.plans.requests.parts import FILLING, part, stated_in
from backend.plans.requests.plan_state import state_of
from workbench.contract.plan_nodes import BasicFilter, Sort, canonical_field, typed

_STEP_TYPES: dict[str, tuple[tuple[str, ...], str]] = {
    "LlmFilter": (("LlmFilter",), "text filter"),
    "LlmExtractEntity": (("LlmExtractEntity",), "extraction"),
    "cluster": (("KMeanClustering", "LLMClustering"), "clustering"),
    "Project": (("Project",), "column selection"),
    "Math": (("Math",), "calculation"),
}


_ALL_WORDS = frozenset({"all", "every", "any", "filters", "conditions", "restrictions", "criteria"})


def removal(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """Everything after the verb of removing, one thing after the other."""
    for kind in ("LlmFilter", "LlmExtractEntity"):
        if _names_reading(clause, draft, kind):
            return [RemoveStep(*_STEP_TYPES[kind])]
    start = next(i for i, p in enumerate(clause.pieces) if p.tag in "rxn")
    front = [p for p in clause.pieces[:start] if p.tag not in FILLING + "c"]
    objects = list(clause.pieces[start + 1 :])
    if front and all(p.tag in "AM#KHLPFBYslfOTk" for p in front) and not _content(objects):
        objects, front = front, []
    wanted, unwanted = ([p for p in side if p.tag == "H"] for side in (front, objects))
    if wanted and unwanted and len(_content(objects)) == len(unwanted):
        # "the oldest one, not the cheapest" replaces one order by another
        if wanted[-1].load.field is None and wanted[-1].load.measure is None:
            words = f"“{clause.words(wanted[-1:])}”"
            raise Unclear("ambiguous", words, f"{words} by what? Name a property")
        return stated_in(part(clause, front), draft)
    operations: list[Operation] = []
    if front:
        operations += stated_in(part(clause, front), draft)
    mark = _new_behind(clause, clause.pieces[start], objects, draft)
    if mark is not None:
        gone = removal(part(clause, [clause.pieces[start], *objects[:mark]]), draft, grouped)
        return [*operations, *gone, *stated_in(part(clause, objects[mark + 1 :]), draft)]
    compared = any(mark in clause.shape for mark in ("Z", "CN", "Np"))
    if grouped and compared and not any(p.tag in "fk" for p in objects):
        stated = stated_in(part(clause, objects), draft)
        return [*operations, *(_gone_bound(item, draft) or _opposite(item) for item in stated)]
    timed = [b for a, b in pairwise(objects) if a.tag == "P" and a.load[0].prop.dated]
    # "the decision year" is one thing, not a date and a year
    objects = [p for p in objects if p.tag != "Y" or p not in timed]
    limited = any(a.tag in "PY" and b.tag == "l" for a, b in pairwise(objects))
    fields = {condition_of(node).field for node in document_filters(draft)}
    of_filter = any(
        a.tag == "l" and b.tag == "P" and filtered_field(clause, b, draft) in fields
        for a, b in pairwise(objects)
    )
    if of_filter or (limited and not draft.on_spine("Limit", "TopK")):
        # "no date limit" is about a filter if there is no limit
        objects = [replace(p, tag="f") if p.tag == "l" else p for p in objects]
    kept_noun = any(
        p.tag == "f" or (p.tag == "o" and "filter" in clause.words([p])) for p in objects
    )
    search = _FORGET_SEARCH.match("".join(p.tag for p in objects))
    if search is not None:
        more = objects[search.end() :]
        return [
            *operations,
            SetSource(None),
            *(stated_in(part(clause, more), draft) if more else []),
        ]
    steps = [p for p in objects if p.tag == "k"]
    if steps and not kept_noun and not any(p.tag in "FKHL" for p in objects):
        # the subject of the step only identifies it
        objects = [p for p in objects if p.tag == "k"]
    rest = [p for p in objects if p.tag not in FILLING + "rxnicw" or p.tag == "E"]
    if kept_noun:
        return operations + _filter_removals(clause, rest, draft)
    for piece in rest:
        operations += _remove_one(clause, piece, draft)
    if (
        operations
        and objects[-1:]
        and objects[-1].tag == "E"
        and any(p.tag == "," for p in objects)
    ):
        # "no grouping, list the courses"
        operations.append(ToDocuments())
    if not operations and clause.pieces[start].tag == "r" and _ITSELF.search(clause.text):
        return [_newest(clause, draft)]
    if not operations and _POINTS.search(clause.text) and not _DOING.search(clause.text):
        return [_excluded(clause, draft)]
    if not operations:
        words = clause.text
        raise Unclear("not_understood", words, f"“{words}”: it is not clear what to remove")
    return operations


def _names_reading(clause: Clause, draft: Draft, kind: str) -> bool:
    """`the question about the dog`, `look up the vessel name`: the question of the only step of
    that kind, unless a filter has the same subject.
    """
    steps = draft.of_type(kind)
    questions = [
        str(node.extras.get(key) or "") for node in steps for key in ("question", "new_field")
    ]
    asked = [set(content_stems(text.replace("_", " "))) for text in questions if text]
    tokens = clause.reader.tokens
    words = {t.stem for p in clause.pieces if p.tag in "?P" for t in tokens[p.start : p.end]}
    if len(steps) != 1 or not words - _ASKING or not words <= _ASKING.union(*asked):
        return False
    spoken = {token.stem for token in tokens[clause.pieces[0].start :]}
    fields = {condition_of(node).field for node in document_filters(draft)}
    named = {m.prop.field for p in clause.pieces if p.tag == "P" for m in p.load[:1]}
    return any(words <= spoken for words in asked) or not named & fields


_FORGET_SEARCH = re.compile(r"[^,q]*q[^,]*,")
"""`forget the search by meaning, every report from Leeds will do`."""
_ASKING = frozenset(map(stem, ("question", "check", "part", "test", "thing", "bit", "filter")))


def _new_behind(clause: Clause, verb: Piece, objects: Sequence[Piece], draft: Draft) -> int | None:
    """The start of the new wish in `forget the price, longer than 3 hours`: after a comma, with a
    property that nothing filters by, if the part before is filtered by.
    """
    fields = {condition_of(node).field for node in document_filters(draft)}
    words = [token.lower for token in clause.reader.tokens]
    for i, piece in enumerate(objects):
        before, after = _content(objects[:i]), _content(objects[i + 1 :])
        if piece.tag != "," or verb.tag != "r" or [p.tag for p in after] != ["F"]:
            continue
        whole = words[after[0].start - 1] in ("everyone", "all", "any", "every")
        named = {m.prop.field for p in before if p.tag in "PB" for m in p.load}
        named |= {p.load.field for p in before if p.tag == "F"}
        if named & fields and (whole or after[0].load.field not in fields | named):
            return i
    return None


_TIMES = frozenset(["time", "date", "dates", "period"])
_DOING = re.compile(
    r"\b(?:no need to|need not|do not) \w+ (?:them|those|these|it)\b", re.IGNORECASE
)
"""`no need to list them`: cancels the listing; the documents stay."""
_POINTS = re.compile(
    r"\b(?:her|him|them|those|these|that|it|this|such)"
    r"(?: (?:out|off|away|aside|too|again))*\W*$",
    re.IGNORECASE,
)


_ITSELF = re.compile(
    r"\b(?:remove|drop|delete|scrap|ditch|discard|clear|cancel|lose|get rid of) (?:it|that|this)"
    r"(?: (?:again|please|altogether|entirely|now))*\W*$",
    re.IGNORECASE,
)
"""`remove it`: the request of the plan; `remove them` would exclude documents."""


def _newest(clause: Clause, draft: Draft) -> Operation:
    filters = [condition_of(node) for node in document_filters(draft)]
    if len(filters) == 1:
        return RemoveFilter(condition=filters[0], words=clause.text)
    stated = [say_condition(condition) for condition in filters]
    words = clause.text
    reason = f"“{words}”: say which condition" if stated else f"“{words}”: there is no condition"
    each = [[RemoveFilter(condition=condition, words=words)] for condition in filters]
    raise Unclear("ambiguous" if stated else "no_such_node", words, reason, stated, each)


def _excluded(clause: Clause, draft: Draft) -> Operation:
    """`except her`, `skip those`: excludes what the newest condition selects."""
    filters = document_filters(draft)
    if not filters:
        words = clause.text
        raise Unclear("no_such_node", words, f"“{words}”: the plan has no condition to turn")
    present = condition_of(max(filters, key=lambda node: node.node_id))
    if len(filters) > 1:
        clause.reader.assume(f"took “{clause.text}” to be about: {say_condition(present)}")
    return ChangeFilter(negated(present), present)


def _content(pieces: Sequence[Piece]) -> list[Piece]:
    return [p for p in pieces if p.tag not in FILLING + "rxn"]


_OPPOSITES = {"gt": "le", "le": "gt", "ge": "lt", "lt": "ge", "eq": "ne", "ne": "eq"}


def _gone_bound(operation: Operation, draft: Draft) -> RemoveFilter | None:
    """`drop the 3 or more`, where the plan keeps groups of 3 or more: that condition goes."""
    if not isinstance(operation, KeepGroups):
        return None
    named, column = column_of(draft, operation.bound.measure)
    bound = operation.bound.op, operation.low, operation.high
    condition = bound_condition(canonical_field(column), *bound)
    kept = condition in state_of(named).bounds
    return RemoveFilter(condition=condition) if kept else None


def _opposite(operation: Operation) -> Operation:
    """`drop suppliers with less than 5`: the groups to keep."""
    if isinstance(operation, KeepGroups) and operation.bound.op in _OPPOSITES:
        return replace(operation, bound=replace(operation.bound, op=_OPPOSITES[operation.bound.op]))
    if isinstance(operation, AddFilter):
        return AddFilter(negated(operation.condition))
    return operation


def _filter_removals(clause: Clause, rest: Sequence[Piece], draft: Draft) -> list[Operation]:
    """Things called filters."""
    if not document_filters(draft) and draft.on_spine("Limit", "TopK") and not _content(rest):
        # "no cutoff" of a list
        return [RemoveLimit()]
    tokens = clause.reader.tokens[clause.pieces[0].start : clause.pieces[-1].end]
    every = any(token.lower in _ALL_WORDS for token in tokens)
    operations: list[Operation] = []
    fields = {condition_of(node).field for node in document_filters(draft)}
    if any(piece.tag == "F" for piece in rest):
        # "the restriction to special schools": the noun only says what is special.
        rest = [p for p in rest if p.tag != "P" or fields & {m.prop.field for m in p.load}]
    for piece in rest:
        words = clause.words([piece])
        if piece.tag in "OT":
            ordinal = (
                piece.load if piece.tag == "O" else 1 if piece.load in ("first", "top") else -1
            )
            operations.append(RemoveFilter(ordinal=_place(int(ordinal), draft), words=words))
        elif piece.tag in "PB":
            field = filtered_field(clause, piece, draft)
            timed = words.lower() in _TIMES and field not in fields
            by_name = RemoveFilter(field=field, words=words)
            operations.append(_remove_time(clause, draft) if timed else by_name)
        elif piece.tag == "F":
            operations.append(_filter_of(piece, words))
        elif piece.tag == "k":
            types, name = _STEP_TYPES[piece.load]
            operations.append(RemoveStep(types, name))
        elif piece.tag == "Y":
            operations.append(_remove_time(clause, draft))
        elif piece.tag in "N":
            operations.append(RemoveFilter(ordinal=max(1, int(piece.load.value)), words=words))
        elif piece.tag not in "fE":
            refuse_left_over(Bag(clause, [piece]))
    if operations:
        return operations
    return [RemoveFilter(every=every, words=clause.text)]


def _place(ordinal: int, draft: Draft) -> int:
    """The index that an ordinal means; 0 is the middle one of an odd number of filters."""
    there = len(document_filters(draft))
    return ordinal or ((there + 1) // 2 if there % 2 else there + 1)


def filtered_field(clause: Clause, piece: Piece, draft: Draft) -> str:
    """The field of a name: the one among its meanings that the plan filters by, if any."""
    fields = {condition_of(node).field for node in document_filters(draft)}
    best = max(piece.load, key=lambda m: m.score)
    present = clause.reader.present
    used = present is not None and best.prop.field in present.fields
    alike = [m for m in piece.load if m.whole == best.whole and m.score > best.score / 2]
    named = [m.prop.field for m in (alike if used else piece.load) if m.prop.field in fields]
    return named[0] if len(named) == 1 else clause.reader.any_property(piece).field


def _filter_of(piece: Piece, words: str) -> RemoveFilter:
    """The filter that a condition names: for its values, or for its property if it is a range."""
    condition: BasicFilter = piece.load
    if condition.range_filter or condition.any_of or condition.exists is not None:
        return RemoveFilter(field=condition.field, words=words)
    return RemoveFilter(condition=condition.model_copy(update={"negate": False}), words=words)


def _remove_one(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """Removes one thing, as far as the plan has it; values that it does not have are excluded."""
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
    if tag == "O" and len(document_filters(draft)) > 1:
        place = _place(int(piece.load), draft)
        return [RemoveFilter(ordinal=place, words=clause.words([piece]))]
    if tag in "LlT":
        return [_unbounded(draft) or RemoveLimit()]
    if tag == "Y":
        return [_remove_time(clause, draft)]
    if tag == "K":
        return [RemoveGroup(piece.load.fields[0] if len(piece.load.fields) == 1 else None)]
    if tag == "g":
        return [RemoveGroup()]
    if tag == "C":
        return _remove_bound(clause, piece, draft)
    if tag == "%":
        return [ToDocuments()]
    if tag in "M#A":
        return _remove_number(piece, draft)
    if tag == "q":
        return [SetSource(None)]
    if tag == "F":
        return _remove_values(clause, piece, draft)
    if tag in "PB":
        return _remove_property(clause, piece, draft)
    if tag != "E":
        refuse_left_over(Bag(clause, [piece]))
    return []


def _unbounded(draft: Draft) -> Operation | None:
    """`no limit` if there is no limit but one range of values."""
    ranges = [c for n in document_filters(draft) if (c := condition_of(n)).range_filter]
    if draft.on_spine("Limit", "TopK") or len(ranges) != 1:
        return None
    return RemoveFilter(field=ranges[0].field, words="limit")


def _remove_time(clause: Clause, draft: Draft) -> Operation:
    """`drop the year`: groups by time, or else every filter by time."""
    times = {p.field for p in clause.reader.vocabulary.properties if p.dated or p.is_year}
    timed = [field for field in keys_of(draft) if field in times]
    if timed:
        return RemoveGroup(timed[0])
    fields = [condition_of(node).field for node in document_filters(draft)]
    results = [field for field in fields if field in times]
    if not results:
        return RemoveGroup()
    return RemoveFilter(field=results[0], words=clause.text)


def _remove_bound(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """`no upper limit`: removes one end of the range in the plan."""
    end = {"ge": "start", "gt": "start", "le": "end", "lt": "end"}.get(str(piece.load))
    for node in document_filters(draft):
        present = condition_of(node)
        if end is None or not present.range_filter or getattr(present, end) is None:
            continue
        left = present.model_copy(update={end: None, f"{end}_exclusive": False})
        if left.start is None and left.end is None:
            return [RemoveFilter(field=present.field, words=clause.text)]
        return [ChangeFilter(left, present)]
    words = clause.words([piece])
    raise Unclear("no_such_node", words, f"no range of the plan has the {words}")


def _remove_number(piece: Piece, draft: Draft) -> list[Operation]:
    measure = piece.load if isinstance(piece.load, Measure) else Measure(piece.load or "count")
    if not draft.on_spine("Aggregate"):
        return [ToDocuments()] if not draft.on_spine("GroupBy", "TopK") else [RemoveGroup()]
    return [RemoveMeasure(measure)]


def _remove_values(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """`remove Texas`: the filter for it if there is one, else those documents."""
    condition: BasicFilter = piece.load
    for node in document_filters(draft):
        present = condition_of(node)
        if present.field != condition.field or present.negate != condition.negate:
            continue
        values = {str(v).lower() for v in [*(present.values or []), present.query] if v is not None}
        named = [v for v in [*(condition.values or []), condition.query] if v is not None]
        kept = [value for value in named if str(value).lower() not in values]
        if len(named) == 2 and kept == named[1:] and _LISTED.search(clause.words([piece])):
            # "forget cats, dogs": the second replaces the first
            old, new = (one_of(condition.field, [value]) for value in named)
            return [ChangeFilter(new, old)]
        if len(kept) < len(named):
            return [RemoveFilter(condition=condition, words=clause.words([piece]))]
        bounds = {present.start, present.end} - {None}
        if condition.range_filter and bounds & {condition.start, condition.end}:
            return [RemoveFilter(field=condition.field, words=clause.words([piece]))]
    return [AddFilter(negated(condition))]


_LISTED = re.compile(r"^(?!.*\b(?:and|or)\b).*,", re.IGNORECASE)


def _remove_property(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """`remove the weather`: every use of that property."""
    words = clause.words([piece])
    field = filtered_field(clause, piece, draft)
    if any(condition_of(node).field == field for node in document_filters(draft)):
        return [RemoveFilter(field=field, words=words)]
    prop = clause.reader.any_property(piece)
    for node in draft.on_spine("Project"):
        shown = [canonical_field(name) for name in node.extras["fields"]]
        if prop.field in shown and len(shown) > 1:
            return [ShowFields(tuple(name for name in shown if name != prop.field))]
    if prop.field in keys_of(draft):
        return [RemoveGroup(prop.field)]
    for node in draft.on_spine("Sort"):
        order = typed(node)
        if isinstance(order, Sort) and canonical_field(order.field) == prop.field:
            return [RemoveSort()]
    for node in draft.on_spine("Aggregate"):
        for item in measures_of(node):
            if item.field == prop.field:
                return [RemoveMeasure(Measure(item.func, item.field))]
    condition = positive(prop)
    if condition is not None:
        return [AddFilter(negated(condition))]
    return [RemoveFilter(field=prop.field, words=words)]
