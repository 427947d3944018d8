"""Shares, differences and comparisons of two groups of documents."""

from collections.abc import Sequence

from backend.language.common_words import PAST_FORMS, is_past
from backend.plans.edits.operations import (
    AddFilter,
    Difference,
    Operation,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ShareOf,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.comparing import one_of
from backend.plans.reading.phrasing import Key, Measure, is_rate
from backend.plans.reading.pieces import Piece
from backend.plans.requests.bag import Bag, conditions_of, is_plural, refuse_left_over
from backend.plans.requests.compared_periods import compared_periods
from backend.plans.requests.contrasting import figure_for, figure_words
from backend.plans.requests.groupings import bare_measures
from workbench.contract.plan_nodes import BasicFilter, Function

_VERBS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "got",
        "get",
        "gets",
        "been",
        "have",
        "has",
        "had",
        "involve",
        "involves",
        "involved",
        "went",
        "goes",
        "go",
        "happened",
        "happen",
        "occurred",
        "occur",
        "took",
        "take",
        "did",
        "do",
        "does",
        "resulted",
        "come",
        "came",
        "end",
        "ended",
        "fall",
        "fell",
        "belong",
        "that",
        "who",
        "which",
        "where",
    ]
)


def shares(bag: Bag, grouped: bool) -> list[Operation]:
    marks = [piece for piece in bag.left if piece.tag == "%"]
    if not marks:
        return []
    mark = marks[0]
    if (ranked := _group_of_highest_share(bag, mark)) is not None:
        return ranked
    parts = [piece for piece in bag.left if piece.tag in "FP"]
    if "ratio" in bag.clause.words([mark]).lower() and len(parts) == 2:
        left, right = (conditions_of(bag, [piece]) for piece in parts)
        bag.take("%M#")
        return [Difference(tuple(left), tuple(right), Measure("count"), "divide")]
    verb = _verb_after(bag, mark)
    opening = [piece for piece in parts if piece.end <= mark.start]
    if len(opening) < len(parts) and opening and _opens_among(bag):
        base, part = opening, [piece for piece in parts if piece not in opening]
    elif verb is not None:
        base = [piece for piece in parts if piece.end <= verb]
        part = [piece for piece in parts if piece.start >= verb]
    elif (noun := _noun_between(bag, mark, parts)) is not None:
        base = [piece for piece in parts if piece.end <= noun.start]
        part = [piece for piece in parts if piece.start >= noun.end]
    elif (len(parts) > 1 and _with_in_front(bag, parts[1])) or (
        len(parts) == 2 and _placed(bag, parts[0]) and _is_truth(parts[1])
    ):
        base, part = parts[:1], parts[1:]
    else:
        base, part = parts[1:], parts[:1]
    if not part:
        base, part = [], base
    totals = [p.load.field for p in bag.take("%M#") if p.tag == "M" and p.load.func == "sum"]
    if bag.has("K") or grouped:
        return _share_of_each(bag, part, base, totals)
    summed = [piece for piece in (*part, *base) if _is_added_up(piece) and _behind_of(bag, piece)]
    of = next(iter([*totals, *(bag.property_of(piece).field for piece in summed)]), None)
    if of is not None:
        part, base = ([p for p in pieces if p not in summed] for pieces in (part, base))
        for piece in summed:
            bag.drop(piece)
        kept = [AddFilter(condition) for condition in conditions_of(bag, base if part else [])]
        whole = Measure("sum", of)
        return [*kept, Difference(tuple(conditions_of(bag, part or base)), (), whole, "divide")]
    for piece in [p for p in (*part, *base) if p.tag == "P" and _is_noun(bag, p)]:
        bag.drop(piece)
        bag.clause.reader.assume(f"took “{bag.clause.words([piece])}” to mean the documents")
        part, base = ([p for p in pieces if p is not piece] for pieces in (part, base))
    if not part:
        part, base = base, []
    operation = ShareOf(tuple(conditions_of(bag, part)), tuple(conditions_of(bag, base)))
    return [operation]


def _group_of_highest_share(bag: Bag, mark: Piece) -> list[Operation] | None:
    """`which town has the highest share of closed cases`."""
    place = bag.left.index(mark)
    before = [p for p in bag.left[:place] if p.tag not in "W,o"]
    if [p.tag for p in before] != ["P", "H"] or not before[0].load[0].prop.worded:
        return None
    named, order = before
    part = [p for p in bag.left[place:] if p.tag in "FP"]
    if not order.load.extreme or order.load.field is not None or not part:
        return None
    key = Key((bag.property_of(named).field,))
    for piece in (named, order):
        bag.drop(piece)
    bag.take("%M#")
    share = Measure("share", where=tuple(conditions_of(bag, part)))
    first = order.load.descending is not False
    operations: list[Operation] = [
        SetGroup(key),
        SetMeasures((share,)),
        SetSort(None, share, first),
    ]
    return operations if is_plural(bag, named) else [*operations, SetLimit(1)]


_RELATIVE = frozenset({"that", "which", "who", "with", "without", "having"})


def _noun_between(bag: Bag, mark: Piece, parts: Sequence[Piece]) -> Piece | None:
    """`percentage of German invoices paid late`: the noun separates the whole from the part."""
    tokens = bag.clause.reader.tokens
    around = [token.lower for token in tokens[mark.end - 1 : mark.end + 1]]
    if "of" not in around or len(parts) < 2 or parts[0].start < mark.end:
        return None
    nouns = [piece for piece in bag.left if piece.tag == "E" and piece.start == parts[0].end]
    phrase = tokens[nouns[0].end].lower if nouns and nouns[0].end < len(tokens) else ""
    if not phrase.endswith("ed") and phrase not in PAST_FORMS | _RELATIVE:
        return None  # "share of paid invoices in York"
    return nouns[0] if nouns and all(p.start >= nouns[0].end for p in parts[1:]) else None


def _is_noun(bag: Bag, piece: Piece) -> bool:
    """`percent of schools without a canteen`, where the school is a property of a visit."""
    return is_plural(bag, piece) and piece.load[0].prop.worded


def _share_of_each(
    bag: Bag, part: Sequence[Piece], base: Sequence[Piece], totals: Sequence[str | None]
) -> list[Operation]:
    """The share of matching documents in each group; without a part, of the group among all."""
    keys = [piece.load for piece in bag.take("K")]
    bag.take("gA")
    filters = [AddFilter(condition) for condition in conditions_of(bag, base)]
    added = [piece for piece in part if _is_added_up(piece)]
    part = [piece for piece in part if piece not in added]
    of = next(iter([*totals, *(bag.property_of(piece).field for piece in added)]), None)
    for piece in added:
        bag.drop(piece)
    measure = Measure("share", of, tuple(conditions_of(bag, part)))
    return [*filters, *map(SetGroup, keys), SetMeasures((measure,))]


_WHOLES = frozenset({"the", "all", "our", "total", "whole", "entire", "overall"})


def _behind_of(bag: Bag, piece: Piece) -> bool:
    """Whether a property is what a share is of: `of all the kilometres`."""
    tokens = bag.clause.reader.tokens
    before = next((t.lower for t in tokens[: piece.start][::-1] if t.lower not in _WHOLES), "")
    first = tokens[piece.start].lower
    return "of" in (before, first)


def _is_added_up(piece: Piece) -> bool:
    """`share of the total rent by section`: a property whose numbers are added up."""
    return piece.tag == "P" and piece.load[0].prop.numeric and not piece.load[0].prop.key


_PLACING = frozenset({"at", "in", "from", "on", "by", "during", "since", "near"})


def _placed(bag: Bag, piece: Piece) -> bool:
    """`what share of visits in York needed a ladder`: York only filters the visits."""
    before = bag.clause.reader.tokens[piece.start - 1].lower if piece.start else ""
    first = bag.clause.reader.tokens[piece.start].lower
    return before in _PLACING or first in _PLACING


def _is_truth(piece: Piece) -> bool:
    if piece.tag == "P":
        return bool(piece.load[0].prop.kind == "bool")
    return isinstance(piece.load.query, bool)


def _with_in_front(bag: Bag, piece: Piece) -> bool:
    """`percent of German invoices without approver`: the phrase after `without` is the part."""
    tokens = bag.clause.reader.tokens
    words = {token.lower for token in tokens[max(0, piece.start - 1) : piece.start + 1]}
    leading = tokens[piece.start - 1].lower if piece.start else ""
    containing = len(leading) > 4 and leading.endswith("ing")  # "desserts containing milk"
    return containing or bool(words & {"with", "without", "having", "lacking"})


_AMONG = frozenset({"of", "out", "among", "amongst", "in", "within", "for", "from", "during"})


def _opens_among(bag: Bag) -> bool:
    """`of the German invoices, what percent is paid`: the first phrase is the whole."""
    return bag.clause.text.lower().split()[0] in _AMONG


def _verb_after(bag: Bag, mark: Piece) -> int | None:
    tokens = bag.clause.reader.tokens
    claimed = {i for piece in bag.left for i in range(piece.start, piece.end)}
    parts = [piece for piece in bag.left if piece.tag in "FP" and piece.start >= mark.end]
    for i in range(mark.end, len(tokens)):
        word = tokens[i].lower
        if word in _VERBS:
            return i
        inside = len(parts) > 1 and parts[0].end <= i < parts[1].start and i not in claimed
        if inside and is_past(word):
            return i  # "of the flats, what percentage lost …"
    return None


def rates(bag: Bag) -> list[Operation]:
    """`revenue per employee`: the ratio of two totals."""
    for i, word in enumerate(bag.left[:-1]):
        named = bag.left[i + 1]
        if named.tag != "P" or not is_rate(bag.clause.reader, word, named.load[0].prop):
            continue
        before = [p for p in bag.left[:i] if p.tag in "MPA#" and _is_number(p)]
        if len(before) != 1 or bag.has("KHXZ"):
            words = bag.clause.words([word, named])
            reason = f"“{words}”: nearly every document would be a group by itself"
            raise Unclear("wrong_type", words, reason)
        field = before[0].load.field if before[0].tag == "M" else before[0].load[0].prop.field
        other = bag.property_of(named)
        for piece in (word, named, before[0]):
            bag.drop(piece)
        phrase = bag.clause.words([before[0], named])
        bag.clause.reader.assume(f"took “{phrase}” to be one total divided by the other")
        measures = Measure("sum", field), Measure("sum", other.field)
        return [Difference((), (), measures[0], "divide", second=measures[1])]
    return []


def _is_number(piece: Piece) -> bool:
    if piece.tag == "M":
        return piece.load.field is not None
    return piece.tag == "P" and bool(piece.load[0].prop.numeric)


def differences(bag: Bag) -> list[Operation]:
    """How many more in one than in the other; the difference or comparison of two values."""
    if bag.has("G") and not bag.has("="):
        return _comparison(bag)
    if _weighs(bag):
        return _weighed(bag)
    if not bag.has("="):
        return []
    marks = bag.take("=")
    measures = bag.take("M#")
    loads = [piece.load for piece in measures if isinstance(piece.load, Measure)]
    measure: Measure = loads[0] if loads else Measure("count")
    filters = [piece for piece in bag.left if piece.tag == "F"]
    if len(loads) == 2 and loads[0].field is not None and not filters:
        return [Difference((), (), loads[0], second=loads[1])]
    named = [piece for piece in bag.left if piece.tag == "P" and piece.load[0].prop.numeric]
    functions = [piece for piece in bag.left if piece.tag == "A"]
    phrase = bag.clause.words(marks).lower()
    several = bool(named) and "many" in phrase and bag.property_of(named[0]).kind == "int"
    unnamed = None
    if named and not loads and (functions or several or "much" in phrase):
        function: Function = functions[0].load if functions else "sum" if several else "avg"
        measure = Measure(function, bag.property_of(named[0]).field)
        unnamed = None if functions or several else bag.property_of(named[0])
        bag.take("A")
        bag.drop(named[0])
    for piece in named:
        # "how many more days does a claim take": said twice
        if loads and measure.field in {m.prop.field for m in piece.load}:
            bag.drop(piece)
    than = [piece.start for piece in bag.left if piece.tag == "t"]
    if than:
        left = [piece for piece in filters if piece.start < than[0]]
        right = [piece for piece in filters if piece.start > than[0]]
        fields = {piece.load.field for piece in left}
        pair = [piece for piece in right if piece.load.field in fields] or right
        left = [
            piece for piece in left if any(piece.load.field == p.load.field for p in pair)
        ] or left
        bag.take("t")
        one, two = conditions_of(bag, left), conditions_of(bag, pair)
    else:
        one, two = _two_values(bag, filters)
    if not one or not two:
        reason = "a difference needs two things to compare, for instance two values of a property"
        _refuse_unknown(bag)
        raise Unclear("not_understood", bag.clause.words(marks), reason)
    if "fewer" in phrase or "less" in phrase:
        one, two = two, one
    if unnamed is not None:
        measure = figure_for(unnamed, one[0])
        bag.clause.reader.assume(figure_words(measure))
    shared = [AddFilter(c) for c in conditions_of(bag, [p for p in bag.left if p.tag == "F"])]
    return [*shared, Difference(tuple(one), tuple(two), measure)]


def _weighs(bag: Bag) -> bool:
    """`are there more in Italy or in Austria?`, `do more have a canteen than not?`"""
    if not bag.clause.pieces:
        return False
    start, end = bag.clause.pieces[0].start, bag.clause.pieces[-1].end
    tokens = [token.lower for token in bag.clause.reader.tokens]
    begin = max((i + 1 for i in range(start) if tokens[i] in ".!?;"), default=0)
    phrase = tokens[begin:end]
    asked = phrase[:1] and (
        phrase[0] in _ASKING or phrase[:2] in (["which", "is"], ["which", "are"])
    )
    more = bool(_MORE & set(phrase))
    bounds = [p for p in bag.left if p.tag in "CZ" and bag.clause.words([p]).lower() not in _MORE]
    return bool(asked) and more and ("or" in phrase or "than" in phrase) and not bounds


_MORE = frozenset({"more", "fewer", "less"})
_ASKING = frozenset({"is", "are", "was", "were", "do", "does", "did", "have", "has"})


def _weighed(bag: Bag) -> list[Operation]:
    """The number of each of two things."""
    filters = [piece for piece in bag.left if piece.tag == "F"]
    truths = [p for p in bag.left if p.tag == "P" and p.load[0].prop.kind == "bool"]
    field, values, parts = "", list[object](), list[Piece]()
    if truths:
        field, parts = truths[0].load[0].prop.field, truths[:1]
    for piece in filters:
        values_of_one = piece.load.values or [piece.load.query]
        same = [p for p in filters if p.load.field == piece.load.field]
        if (periods := compared_periods([p.load for p in same])) is not None:
            both, key = periods
            return _most_first(bag, same, key, [AddFilter(both)])
        if _is_range(piece):
            continue
        if isinstance(piece.load.query, bool) and not field:
            field, parts = piece.load.field, same
        elif len(values_of_one) == 2 or len(same) == 2:
            field, parts = piece.load.field, same
            values = [v for p in same for v in (p.load.values or [p.load.query])]
            break
    if not field:
        reason = "“more … or …” needs two values of one property to compare"
        _refuse_unknown(bag)
        raise Unclear("not_understood", bag.clause.text, reason)
    kept: list[Operation] = [AddFilter(one_of(field, values))] if values else []
    return _most_first(bag, parts, Key((field,)), kept)


def _is_range(piece: Piece) -> bool:
    return piece.load.range_filter or piece.load.any_of is not None


def _most_first(
    bag: Bag, parts: Sequence[Piece], key: Key, kept: Sequence[Operation]
) -> list[Operation]:
    """The number of documents on each side, the larger one first."""
    for piece in parts:
        bag.drop(piece)
    bag.take("Cct|#" if kept else "Cctn|#")
    count = Measure("count")
    return [*kept, SetGroup(key), SetMeasures((count,)), SetSort(None, count, True)]


def _two_values(bag: Bag, filters: Sequence[Piece]) -> tuple[list[BasicFilter], list[BasicFilter]]:
    """`between A and B`: a condition with two values, two conditions, or a boolean's sides."""
    for truth in [p for p in bag.left if p.tag == "P" and p.load[0].prop.kind == "bool"]:
        field = truth.load[0].prop.field
        opposite = [piece for piece in filters if piece.load.field == field]
        if opposite and opposite[0].load.query is False:
            sides = [truth, opposite[0]]
            one, two = (conditions_of(bag, [piece]) for piece in sides)
            return (one, two) if truth.start < opposite[0].start else (two, one)
    for piece in filters:
        condition: BasicFilter = piece.load
        if condition.values is not None and len(condition.values) == 2:
            bag.drop(piece)
            first, second = condition.values
            return [one_of(condition.field, [first])], [one_of(condition.field, [second])]
    for i, piece in enumerate(filters):
        for other in filters[i + 1 :]:
            if other.load.field == piece.load.field:
                return conditions_of(bag, [piece]), conditions_of(bag, [other])
    return [], []


def _comparison(bag: Bag) -> list[Operation]:
    """`compare X in A and B`, `paid vs unpaid`: a table with one row for each value."""
    marks = bag.take("G")
    truths = [p for p in bag.left if p.tag == "P" and p.load[0].prop.kind == "bool"]
    for piece in truths:
        field = piece.load[0].prop.field
        others = [p for p in bag.left if p.tag == "F" and p.load.field == field]
        if others:
            bag.drop(piece)
            bag.drop(others[0])
            return _grouped(bag, Key((field,)))
    for piece in bag.left:
        condition = piece.load
        if piece.tag == "F" and condition.values is not None:
            bag.drop(piece)
            return [AddFilter(condition), *_grouped(bag, Key((condition.field,)))]
    filters = [piece for piece in bag.left if piece.tag == "F"]
    for piece in filters:
        same = [p for p in filters if p.load.field == piece.load.field]
        if (periods := compared_periods([p.load for p in same])) is not None:
            for one in same:
                bag.drop(one)
            return [AddFilter(periods[0]), *_grouped(bag, periods[1])]
    for i, piece in enumerate(filters):
        for other in filters[i + 1 :]:
            sides = (piece.load, other.load)
            if sides[0].field == sides[1].field and all(side.query is not None for side in sides):
                values = [piece.load.query, other.load.query]
                bag.drop(piece)
                bag.drop(other)
                key = Key((piece.load.field,))
                return [AddFilter(one_of(piece.load.field, values)), *_grouped(bag, key)]
    present = bag.clause.reader.present
    for piece in filters:
        if present is None or present.keys:
            break
        # "compare with York" in a plan that asks for Leeds
        conditions = [
            c for c in present.on(piece.load.field) if c.query is not None and not c.negate
        ]
        if (
            len(conditions) == 1
            and piece.load.query is not None
            and piece.load.query != conditions[0].query
        ):
            bag.drop(piece)
            both = one_of(piece.load.field, [conditions[0].query, piece.load.query])
            # Groups by the field of a filter remove that filter.
            return [AddFilter(both), *_grouped(bag, Key((piece.load.field,)))]
    if bag.has("K"):
        return []
    words = bag.clause.words(marks)
    _refuse_unknown(bag)
    raise Unclear("not_understood", words, "a comparison needs two values of one property")


def _grouped(bag: Bag, key: Key) -> list[Operation]:
    measures = [p.load for p in bag.take("M")] or bare_measures(bag) or [Measure("count")]
    bag.take("#")
    return [SetGroup(key), SetMeasures(tuple(measures))]


def _refuse_unknown(bag: Bag) -> None:
    """Names the unknown words, which are why there is nothing to compare."""
    refuse_left_over(Bag(bag.clause, [piece for piece in bag.left if piece.tag == "?"]))
