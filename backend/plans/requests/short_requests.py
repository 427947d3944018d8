"""Short requests that have a meaning only beside the plan: `the opposite`, `those that did not`,
`median?`, `sort by that`, `in total`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backend.language.words import content_stems
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import measures_of
from backend.plans.edits.merging import among, values_in
from backend.plans.edits.operations import (
    ChangeFilter,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    ReverseSort,
    SetLimit,
    SetMeasures,
    SetSort,
    ToCount,
    ToDocuments,
    WidenFilter,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import negated, one_of
from backend.plans.reading.phrasing import KEY, Measure
from backend.plans.reading.pieces import Piece
from backend.plans.reading.vocabulary import KINDS
from backend.plans.requests.exchanges import exchange
from backend.plans.requests.parts import other_bound
from backend.plans.requests.sides import other_side
from workbench.contract.plan_nodes import BasicFilter, Function

_TOTALS = frozenset({"overall", "total", "altogether", "combined", "together"})
_AUXILIARY = r"(?:do|does|did|are|were|is|was|have|has|had|can|will|would)"
_ELLIPSIS = re.compile(
    rf"\b(?:(?:that|which|who|where it|where they|ones|those|them) {_AUXILIARY}"
    r"|many (?:do|did|have|had|(?:are|were|is|was)(?= not)))"
    r"(?P<no> not| none)?(?: have| be)?(?P<none> none)?(?: one| any| it| so| that)?\W*$",
    re.IGNORECASE,
)
_WITH = re.compile(r"\bwith(?:(?P<no>out)|(?P<none> none))?(?: one| any| it)?\W*$", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:the|all the|all) (?:others?|other ones|rest|remaining|remaining ones|opposite)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Short:
    """A clause with its content besides nouns and fillers, and the plan that it is about."""

    clause: Clause
    content: Sequence[Piece]
    draft: Draft
    grouped: bool


def short_request(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """The meaning of a clause that is too short to have one by itself; nothing if it is not."""
    content = [p for p in clause.pieces if p.tag not in ",&oWEi"]
    tags = "".join(p.tag for p in content)
    for pattern, read in _READINGS:
        if pattern.fullmatch(tags):
            operations = read(Short(clause, content, draft, grouped))
            if operations:
                return operations
    return []


def _listed(short: Short) -> list[Operation]:
    """`which are they?`, `just list them`"""
    if _SHOWN.fullmatch(short.clause.text) and short.draft.gives != "docs":
        return [ToDocuments()]
    asked = any(p.tag == "W" for p in short.clause.pieces)
    return (
        [ToDocuments()]
        if asked and not short.content and not _ELLIPSIS.search(short.clause.text)
        else []
    )


_SHOWN = re.compile(
    r"(?:and |now |please |just |only |simply )*(?:list|show|display|name|print) (?:me )?"
    r"(?:them|those|these|it)(?: all| please| instead)*\W*",
    re.IGNORECASE,
)


def _elided(short: Short) -> list[Operation]:
    """`those that did not`, `the ones that do have one`, `and how many do?`, `the others`."""
    match = _ELLIPSIS.search(short.clause.text) or _WITH.search(short.clause.text)
    others = _OTHERS.search(short.clause.text)
    if match is None and others is None:
        return []
    if match is None and any(p.tag in "rxn" for p in short.clause.pieces):
        reason = "the plan leaves all others out already"
        raise Unclear("no_change", short.clause.text, reason)
    condition = _one_condition(short.clause, short.draft)
    if "with or with" in short.clause.text.lower():
        return [RemoveFilter(field=condition.field, words=short.clause.text)]
    wanted = not (match["no"] or match["none"]) if match is not None else not _affirms(condition)
    made: list[Operation] = []
    if wanted != _affirms(condition):
        made.append(ChangeFilter(negated(condition), condition))
    counted = any(p.tag == "#" for p in short.content)
    return [*made, ToCount()] if counted and short.draft.gives != "number" else made


def _of_all(short: Short) -> list[Operation]:
    """`for all schools` beside a number of some of them."""
    filters = document_filters(short.draft)
    match = _OF_ALL.search(short.clause.text)
    if match is None or not filters or short.draft.gives == "docs":
        return []
    named = {m.prop.field for p in short.content for m in p.load if m.whole}
    if named & {condition_of(node).field for node in filters}:
        return []
    return [RemoveFilter(every=True, words=short.clause.text)]


_OF_ALL = re.compile(r"\b(?:for|of|over|across|among) all\b", re.IGNORECASE)


def _outside(short: Short) -> list[Operation]:
    """`outside that range`."""
    ranges = [c for n in document_filters(short.draft) if (c := condition_of(n)).range_filter]
    if _OUTSIDE.search(short.clause.text) is None or len(ranges) != 1:
        return []
    return [ChangeFilter(negated(ranges[0]), ranges[0])]


_OUTSIDE = re.compile(
    r"\boutside(?: of)? (?:that|this|the|it|those)(?: range| interval| bounds| span)?\W*$",
    re.IGNORECASE,
)


def _one_condition(clause: Clause, draft: Draft) -> BasicFilter:
    """The condition that a few words refer to: the only one of the plan."""
    conditions = [condition_of(node) for node in document_filters(draft)]
    if len(conditions) == 1:
        return conditions[0]
    facts = [c for c in conditions if isinstance(c.query, bool) or c.exists is not None]
    if len(facts) == 1:
        return facts[0]
    words = clause.text
    reason = f"“{words}”: of which condition? Name its property"
    raise Unclear("ambiguous" if conditions else "no_such_node", words, reason)


def _affirms(condition: BasicFilter) -> bool:
    """Whether a condition is affirmative."""
    if condition.exists is not None:
        return condition.exists
    if isinstance(condition.query, bool):
        return condition.query != condition.negate
    return not condition.negate and not (condition.range_filter and condition.start is None)


def _turned(short: Short) -> list[Operation]:
    """`the opposite`, `the other way round`: reverses the order, or else the condition."""
    if short.draft.on_spine("Sort", "TopK") or _SAYS_ORDER.search(short.clause.text):
        return [ReverseSort()]
    if not document_filters(short.draft):
        return [ReverseSort()]
    condition = _one_condition(short.clause, short.draft)
    return [ChangeFilter(negated(condition), condition)]


_SAYS_ORDER = re.compile(r"\b(?:order|sort\w*|backwards|upside)\b", re.IGNORECASE)


def _total(short: Short) -> list[Operation]:
    """`in total`, `how many altogether?` beside groups."""
    totals = {token.lower for token in short.clause.reader.tokens} & _TOTALS
    if not short.grouped or not totals:
        return []
    if short.content[0].tag == "#":
        return _whole_number(short)
    items = [item for node in short.draft.on_spine("Aggregate") for item in measures_of(node)]
    counts = "total" not in totals or all(item.func in ("count", "sum") for item in items)
    return [RemoveGroup()] if short.content[0].load == "sum" and counts else []


def _whole_number(short: Short) -> list[Operation]:
    """`how many in total?` counts all; `the total number` sums what was averaged."""
    aggregates = short.draft.on_spine("Aggregate")
    items = [item for item in measures_of(aggregates[-1]) if item.field] if aggregates else []
    if "total n" in short.clause.text.lower() and len(items) == 1 and items[0].func != "sum":
        return [SetMeasures((Measure("sum", items[0].field),))]
    return [RemoveGroup(), ToCount()]


def _single(short: Short) -> list[Operation]:
    """`one number for everything` beside groups."""
    match = _ONE_NUMBER.search(short.clause.text)
    return [RemoveGroup()] if short.grouped and match is not None else []


_ONE_NUMBER = re.compile(
    r"\b(?:one|single|overall) (?:number|figure|value|total|result)\b", re.IGNORECASE
)


def _extreme_of_each(short: Short) -> list[Operation]:
    """`rather the longest of each` beside numbers per group: the extreme of each group."""
    order = short.content[0].load
    if not short.draft.on_spine("Aggregate") or not (short.grouped and order.extreme):
        return []
    func: Function = "min" if order.descending is False else "max"
    return [SetMeasures((Measure(func, order.field),))] if order.field is not None else []


def _small(short: Short) -> list[Operation]:
    """`at most 5` if there is no other comparison with numbers."""
    named = "limit" in short.clause.text.lower() or "bound" in short.clause.text.lower()
    if named or (short.clause.problem is None and _filters_numbers(short.draft)):
        return []
    word, number = short.content
    if word.load in ("le", "eq") and number.load.unit is None and number.load.whole:
        return [SetLimit(max(1, int(number.load.value)))] if short.draft.gives == "docs" else []
    return []


def _by_that(short: Short) -> list[Operation]:
    """`sort by that`: by the latest measure. `by kind` names something else."""
    aggregates = short.draft.on_spine("Aggregate")
    if not aggregates or KINDS & set(content_stems(short.clause.text)):
        return []
    last = measures_of(aggregates[-1])[-1]
    return [SetSort(measure=Measure(last.func, last.field))]


def _not_only(short: Short) -> list[Operation]:
    """`not just 5`."""
    return (
        [RemoveLimit()]
        if says_not_only(short.clause) and short.draft.on_spine("Limit", "TopK")
        else []
    )


def says_not_only(clause: Clause) -> bool:
    phrase = [clause.words([p]).lower() for p in clause.pieces if p.tag == "w"]
    return any(words in ("not only", "not just", "not limited to") for words in phrase)


def _included_again(short: Short) -> list[Operation]:
    """`include them again`: removes the latest exclusion."""
    if _THEM.search(short.clause.text) is None:
        return []
    excluded = [n for n in document_filters(short.draft) if condition_of(n).negate]
    if not excluded:
        return []
    last = condition_of(max(excluded, key=lambda node: node.node_id))
    return [WidenFilter(last.model_copy(update={"negate": False}))]


_THEM = re.compile(r"\b(?:them|those|these|that|it|her|him)\b", re.IGNORECASE)


def _moved_limit(short: Short) -> list[Operation]:
    """`the limit should be 500` if a filter has the bound."""
    if not _filters_numbers(short.draft) or short.draft.on_spine("Limit"):
        return []
    if short.content[-1].tag == "L" and not _THE_LIMIT.search(short.clause.text):
        return []
    moved = other_bound(short.clause, short.draft)
    return [moved] if moved is not None else []


_THE_LIMIT = re.compile(r"\b(?:the|that|this|our|stricter|raise|lower) limit\b", re.IGNORECASE)


def _filters_numbers(draft: Draft) -> bool:
    conditions = [condition_of(node) for node in document_filters(draft)]
    return any(c.range_filter and not c.is_date for c in conditions)


def _side(short: Short) -> list[Operation]:
    """`no wait, before`."""
    turned = other_side(short.clause, short.content[0], short.draft)
    return [] if turned is None else [turned]


def _extreme(short: Short) -> list[Operation]:
    """`biggest first`, `now the smallest ones`: the current order, in that direction."""
    load = short.content[0].load
    if any(piece.tag == "W" for piece in short.clause.pieces):
        return _which_most(short)
    computed = short.draft.on_spine("Aggregate") and not short.draft.on_spine("Sort")
    aggregates = short.draft.on_spine("Aggregate")
    items = measures_of(aggregates[-1]) if aggregates else []
    extremes = [item for item in items if item.func in ("min", "max")]
    if short.content[0].tag == "X" and load[1] is None and len(items) == len(extremes) == 1:
        # `lowest` beside the highest of each group
        turned = exchange(short.clause, short.content, (), short.draft)
        if computed and turned:
            return turned
    if short.content[0].tag == "X" and computed and not short.grouped:
        return exchange(short.clause, short.content, (), short.draft)
    if short.content[0].tag == "X":
        sorts = short.draft.on_spine("Sort", "TopK") or "i" not in short.clause.shape
        single = "o" in short.clause.shape and "E" not in short.clause.shape
        only = [SetLimit(1)] if single and "ones" not in short.clause.text.lower() else []
        return [SetSort(descending=load[0]), *only] if sorts else []
    if load.field is not None or (load.measure is not None and load.measure != Measure("count")):
        return []
    orders = short.draft.on_spine("Sort")
    stated_count = load.measure is not None and "most" in short.clause.text.lower()
    if short.grouped or not orders or load.descending is None or stated_count:
        return []
    return [SetSort(descending=load.descending)]


def _extreme_by(short: Short) -> list[Operation]:
    """`largest by weight` beside an order: another order with the same limit."""
    mark, named = short.content
    if short.grouped or not short.draft.on_spine("Sort"):
        return []
    prop = short.clause.reader.any_property(named)
    return [SetSort(prop.field, None, mark.load[0])] if prop.numeric or prop.dated else []


def _which_most(short: Short) -> list[Operation]:
    """`who has the most?` beside groups: the first of them."""
    piece = short.content[0]
    plain = piece.tag == "X" or (piece.load.field is None and piece.load.measure is None)
    if not short.grouped or not plain:
        return []
    descending = piece.load[0] if piece.tag == "X" else piece.load.descending
    return [SetSort(descending=descending), SetLimit(1)]


def _first_alone(short: Short) -> list[Operation]:
    """`only the first` of a list."""
    if short.draft.gives not in ("docs", "rows"):
        return []
    top = [SetSort(descending=True)] if short.grouped and not short.draft.on_spine("Sort") else []
    return [*top, SetLimit(1, short.content[0].load if not top else "first")]


def _rest_too(short: Short) -> list[Operation]:
    """`the rest too` for a limited list."""
    match = _THE_REST.search(short.clause.text)
    return [RemoveLimit()] if match and short.draft.on_spine("Limit", "TopK") else []


_THE_REST = re.compile(r"^(?:and |also |show )*(?:the |all the )?(?:rest|others|remaining)\b", re.I)


def _boundless(short: Short) -> list[Operation]:
    """`no maximum` for a limited list."""
    cut = short.draft.on_spine("Limit", "TopK") and not _filters_numbers(short.draft)
    return [RemoveLimit()] if cut and short.content[-1].load in ("max", "le", "lt") else []


def _counted_too(short: Short) -> list[Operation]:
    """`with the number of lots` beside the averages of groups."""
    fields = [item.field for n in short.draft.on_spine("Aggregate") for item in measures_of(n)]
    counts = all(p.tag != "M" or p.load == Measure("count") for p in short.content)
    if not (short.grouped and counts and any(fields)) or not _BESIDE.search(short.clause.text):
        return []
    return [SetMeasures((Measure("count"),), add=True)]


_BESIDE = re.compile(
    r"^(?:and |but )?with\b|\b(?:too|as well|also|next to|beside|besides|alongside|plus)\b"
    r"|\beach (?:has|have|had|of them has)\b",
    re.IGNORECASE,
)


def _of_time(short: Short) -> list[Operation]:
    """`oldest year first` beside groups by time."""
    mark = next(piece for piece in short.content if piece.tag in "XH")
    descending = mark.load[0] if mark.tag == "X" else mark.load.descending
    if not short.grouped:
        return []
    if _MOST.intersection(short.clause.words([mark]).lower().split()):
        return [SetSort(descending=descending), SetLimit(1)]  # "which month had the most?"
    return [SetSort(KEY, None, bool(descending))]


_MOST = frozenset(
    {"most", "fewest", "least", "highest", "lowest", "biggest", "largest", "smallest"}
)


def _corrected(short: Short) -> list[Operation]:
    """`not Texas, Ohio` on a plan that asks for Texas."""
    condition = short.content[0].load
    values = list(condition.values or [])
    listed = "," not in short.clause.text or " and " in short.clause.text.lower()
    if listed or not condition.negate or len(values) != 2:
        return []
    for node in document_filters(short.draft):
        present = condition_of(node)
        stored = values_in(present)
        swapped = among(values[0], stored) and not among(values[1], stored)
        if present.field == condition.field and swapped and not present.negate:
            old, new = (one_of(condition.field, [value]) for value in values)
            return [ChangeFilter(new, old)]
    return []


_Reading = Callable[[Short], list[Operation]]
_READINGS: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        ("", _listed),
        ("[?w]*", _rest_too),
        ("n[AC]", _boundless),
        ("T", _first_alone),
        ("wT", _not_only),
        ("[wze]*[M#][we]*", _counted_too),
        ("[#hNnwLP?]*", _elided),
        ("n[?P]*", _outside),
        ("P?", _of_all),
        ("[N#A?]*", _single),
        ("J", _turned),
        ("A|#", _total),
        ("He", _extreme_of_each),
        ("CN", _small),
        ("y?s|s?y", _by_that),
        ("w+", _included_again),
        ("w[LN]", _not_only),
        ("c*lN|Nl|c*L", _moved_limit),
        ("C", _side),
        ("[XH]", _extreme),
        ("XB", _extreme_by),
        ("[XH]YT?|Y[XH]", _of_time),
        ("F", _corrected),
    )
)
