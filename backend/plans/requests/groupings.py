"""Groups and numbers that a clause asks for, with conditions and superlatives among them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.language.common_words import is_past
from backend.language.nouns import singular
from backend.language.units import measure_of
from backend.language.words import stem
from backend.plans.edits.operations import (
    InExtremeGroups,
    KeepGroups,
    Operation,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ToCount,
)
from backend.plans.edits.wording import say_measure
from backend.plans.reading.amounts import SIZES, extent, names_money
from backend.plans.reading.amounts import money as amount_of_money
from backend.plans.reading.cascade import Unclear, cover
from backend.plans.reading.clauses import Clause
from backend.plans.reading.phrasing import Bound, Cut, Key, Measure, Order, bound_value, time_key
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.subjects import number_of_plan
from backend.plans.requests.bag import Bag, conditions_of, is_plural, refuse_left_over, take_list
from workbench.contract.plan_nodes import Aggregation, Function

_AVERAGED = frozenset({"pct", "kt", "mph", "kmh", "mps", "usd/share"})


_NO_AMOUNTS = frozenset(
    map(stem, ("mean", "average", "avg", "rate", "rating", "ratio", "score", "grade", "index",
               "temperature", "temp", "age"))
)  # fmt: skip
"""Names of numbers that cannot be added up."""


def usual_function(prop: Property) -> Function:
    """The default function for a number: the average of rates, otherwise the total."""
    rated = prop.unit is not None and prop.unit.name in _AVERAGED
    return "avg" if rated or not _NO_AMOUNTS.isdisjoint(prop.parts) else "sum"


def bare_measures(bag: Bag) -> list[Measure]:
    """Numeric properties named without a function: their total, or their average for rates."""
    measures: list[Measure] = []
    for piece in [p for p in bag.left if p.tag == "P" and p.load[0].prop.numeric]:
        prop = bag.property_of(piece)
        func = usual_function(prop)
        word = "average" if func == "avg" else "total"
        bag.clause.reader.assume(f"took “{bag.clause.words([piece])}” to mean its {word}")
        measures.append(Measure(func, prop.field))
        bag.drop(piece)
    return measures


def group_measure(clause: Clause, piece: Piece, order: Order) -> Measure:
    """What groups are compared by if a superlative names a plain property."""
    if order.field is None and (order.measure or Measure("count")) == Measure("count"):
        return _size_of_one(clause, piece, order) or Measure("count")
    if order.measure is not None:
        return order.measure
    word = clause.words([piece]).lower().split()[0]
    if word in ("most", "fewest", "least", "more", "top"):
        return Measure("sum", order.field)
    return Measure("max" if order.descending else "min", order.field)


def _size_of_one(clause: Clause, piece: Piece, order: Order) -> Measure | None:
    """`who got the highest quote`, `the largest planting`: the size of one document, no count."""
    tokens = clause.reader.tokens[piece.start : piece.start + 2]
    if len(tokens) < 2 or tokens[0].lower not in SIZES:
        return None
    one = tokens[1]
    valued = any(p.tag in "VF" and p.start == piece.start + 1 for p in clause.pieces)
    named = one.stem in clause.reader.vocabulary.nouns or valued
    if not named or singular(one.lower) != one.lower:
        return None
    size = extent(clause.reader.vocabulary, tokens[0].lower)
    return None if size is None else Measure("max" if order.descending else "min", size.field)


def extremes(bag: Bag, grouped: bool) -> list[Operation]:
    """`the company with the highest total revenue`: a group that ranks first by a measure."""
    for i, piece in enumerate(bag.left):
        order = piece.load
        if piece.tag != "H" or not isinstance(order, Order):
            continue
        if not order.extreme and (order.measure is None or grouped):
            continue
        near = [p for p in bag.left[:i] if p.tag not in ",Wzy" and not _is_verb(bag, p)]
        if len(near) > 1 and near[-1].tag == near[-2].tag == "P" and _only_says(bag, near[-1]):
            # "which applicant filed the most": the verb only says what is counted
            bag.drop(near.pop())
        while bag.has("W") and len(near) > 1 and _only_leads(bag, near[-1], piece):
            near.pop()
        if not near or near[-1].tag not in "PY":
            continue
        if near[-1].tag == "P" and bag.property_of(near[-1]).numeric:
            continue
        return _extreme_groups(bag, piece, near, grouped)
    return []


def _only_leads(bag: Bag, between: Piece, mark: Piece) -> bool:
    """Whether a piece before a superlative is no group: `which lab reports the lowest average`."""
    order: Order = mark.load
    if order.measure is not None and order.measure.func == "count":
        return between.tag in "EF"
    leading = {t.lower for t in bag.clause.reader.tokens[between.end : mark.start]}
    return between.tag == "E" and leading <= {"the", "a", "our"}


def _is_verb(bag: Bag, piece: Piece) -> bool:
    """`which inspector visited the most`, where `visit` is also a noun for the documents."""
    word = bag.clause.reader.tokens[piece.end - 1].lower
    return piece.tag == "E" and word.endswith(("ed", "ing"))


def _only_says(bag: Bag, piece: Piece) -> bool:
    """`the country that received the most`: the verb is in no name, or refers to a date."""
    word = bag.clause.reader.tokens[piece.end - 1]
    past = piece.end - piece.start == 1 and is_past(word.lower) and not piece.load[0].whole
    return _says_when(bag, piece) or (past and word.stem not in bag.property_of(piece).parts)


def _says_when(bag: Bag, piece: Piece) -> bool:
    word = bag.clause.reader.tokens[piece.end - 1].lower
    verb = word.endswith(("ed", "t", "n")) or (bag.has("W") and word.endswith("s"))
    return bag.property_of(piece).dated and verb


def _extreme_groups(bag: Bag, piece: Piece, near: list[Piece], grouped: bool) -> list[Operation]:
    """The groups of the property or time span that the last of `near` names."""
    order: Order = piece.load
    named = near[-1]
    for other in near[:-1]:
        # "which trade do we call most often": said twice
        if named.tag == other.tag == "P" and bag.property_of(other) is bag.property_of(named):
            bag.drop(other)
    key = (
        time_key(bag.clause.reader, named.load, [named])
        if named.tag == "Y"
        else Key((_asked_for(bag, named).field,))
    )
    if named.tag == "Y":
        # "in which year were most trials started": the verb says which date is meant.
        for other in [p for p in bag.left if p.tag == "P" and bag.property_of(p).dated]:
            key = replace(key, fields=(bag.property_of(other).field,))
            bag.drop(other)
    measure = group_measure(bag.clause, piece, order)
    if measure.func in ("sum", "count"):
        # "the most patients overall": the total that is meant anyway
        for other in [p for p in bag.left if p.tag == "A" and p.load == "sum"]:
            bag.drop(other)
    count = _count_before(bag, named)
    documents = any(p.tag in "EM" for p in near[:-1]) and not bag.has("W")
    documents = documents or any(p.tag in "M" for p in near[:-1])
    nearby = bag.clause.reader.tokens[max(0, named.start - 1) : named.start + 1]
    asked = any(token.lower == "who" for token in nearby)
    plural = is_plural(bag, named, with_verb=_meets(bag, named, piece)) and not asked
    bag.drop(piece)
    bag.drop(named)
    descending = order.descending is not False
    if documents:
        return [InExtremeGroups(key.fields[0], measure, count or 1, descending)]
    if key == Key((measure.field or "",)) and not (grouped or count or plural):
        # "date of the latest lease": the extreme of the property itself
        return [SetMeasures((measure,))]
    operations: list[Operation] = [] if grouped else [SetGroup(key)]
    compared = order.measure is not None or order.field is not None
    if not grouped or compared:
        operations.append(SetMeasures((measure,), add=grouped))
    operations.append(SetSort(None, measure if compared or not grouped else None, descending))
    if count or (order.extreme and not plural):
        operations.append(SetLimit(count or 1))
    return operations


def _meets(bag: Bag, named: Piece, mark: Piece) -> bool:
    """Whether nothing separates the question word from the superlative: in `which state governs the
    most`, the verb is part of the name.
    """
    between = bag.clause.reader.tokens[named.end : mark.start]
    return bag.has("W") and all(token.lower == "the" for token in between)


def _asked_for(bag: Bag, named: Piece) -> Property:
    """The property that a piece names, or after `who` the people described by the verb: for `who
    reported the most`, the tenant described as having reported.
    """
    reader = bag.clause.reader
    prop = bag.property_of(named)
    if reader.tokens[0].lower != "who" or not prop.dated:
        return prop
    done = reader.tokens[named.end - 1].stem
    people = [
        p for p in reader.vocabulary.properties if p.of_people and done in {*p.described, *p.parts}
    ]
    return people[0] if len(people) == 1 else prop


def firsts_of_groups(bag: Bag) -> list[Operation]:
    """`the longest trial in each country`, `top 3 trials per country by budget`."""
    keys = [piece for piece in bag.left if piece.tag == "K" and piece.load.bucket is None]
    orders = [p for p in bag.left if p.tag == "H" and p.load.field and p.load.measure is None]
    # An adjective such as `heaviest` has taken the noun for the documents with it.
    documents = bag.has("E") or any(not piece.load.named for piece in orders)
    if len(keys) != 1 or not documents or bag.has("MA#%Z"):
        return []
    named = [p for p in bag.left if p.tag == "B"]
    limits = [p for p in bag.left if p.tag == "L"]
    if len(orders) + len(named) != 1 or not (limits or (orders and orders[0].load.extreme)):
        return []
    cut: Cut = limits[0].load if limits else Cut(1)
    field = orders[0].load.field if orders else bag.property_of(named[0]).field
    descending = orders[0].load.descending if orders else None
    if descending is None:
        descending = cut.end not in ("bottom", "last")
    for piece in [*keys, *orders, *named, *limits]:
        bag.drop(piece)
    return [SetSort(field, None, descending), SetLimit(cut.count, per=keys[0].load.fields)]


def _count_before(bag: Bag, piece: Piece) -> int | None:
    """A number directly in front of a property, or a limit anywhere: how many groups."""
    place = bag.left.index(piece)
    if place and bag.left[place - 1].tag == "N":
        number: Quantity = bag.left[place - 1].load
        bag.drop(bag.left[place - 1])
        return max(1, int(number.value))
    limits = bag.take("L")
    if not limits:
        return None
    cut: Cut = limits[0].load
    return cut.count


def grouped_numbers(
    bag: Bag, grouped: bool, question: bool, present: Sequence[Aggregation]
) -> list[Operation]:
    operations: list[Operation] = []
    keys = [piece.load for piece in bag.take("K")]
    if keys or bag.has("Z"):
        bag.take("gG")
    spans = bag.take("Y") if (bag.has("MA#") or not question) and not keys else []
    measured = [_column(p.load) for p in bag.left if p.tag == "M" and keys]
    bounds = bag.take("Z") or (_elided_bound(bag, measured or present) if grouped or keys else [])
    limits = [piece for piece in bag.left if piece.tag == "L"]
    by_name = not keys and bool(bounds or (limits and not bag.has("E")))
    if by_name:
        keys = _key_of_names(bag, grouped)
    if bounds and question and not keys:
        spans = spans or bag.take("Y")  # "which months had over four callouts"
    if spans and not keys and (bounds or not by_name):
        keys = [time_key(bag.clause.reader, spans[0].load, [spans[0]])]
    for key in keys:
        operations.append(SetGroup(key))
    measures = [piece.load for piece in bag.take("M")]
    functions = [Measure(piece.load) for piece in bag.take("A")]
    counts = bag.take("#")
    measures += functions
    if measures and counts and not bag.clause.words(counts).lower().startswith("how"):
        measures.insert(0, Measure("count"))
    if not measures and keys and not grouped:
        measures = bare_measures(bag)
    if measures:
        named = question or not any(item.field for item in present)
        operations += _numbers(bag, measures, bool(keys) or grouped, question, named)
    elif counts:
        amount = "much" in bag.clause.words(counts).lower()
        operations.append(_amount(bag, counts) if amount else ToCount())
    for piece in bounds:
        operations.append(keep_groups(bag, piece.load, present))
    if bounds and question and not keys:
        names = ", ".join(bag.clause.words([piece]) for piece in bounds)
        raise Unclear("not_understood", names, f"“{names}” compares groups: of what?")
    return operations


def _elided_bound(bag: Bag, present: Sequence[Aggregation]) -> list[Piece]:
    """`the authors with at least 15`: for the number that the groups already have."""
    for one, other in pairwise(list(bag.left)):
        if one.tag + other.tag in ("CN", "Np") and present:
            word, number = (one, other) if one.tag == "C" else (other, one)
            measure = Measure(present[0].func, present[0].field)
            bag.drop(word)
            bag.drop(number)
            return [cover("Z", [one, other], Bound(measure, str(word.load), number.load))]
    return []


def _column(measure: Measure) -> Aggregation:
    return Aggregation(func=measure.func, field=measure.field)


def without_any(bag: Bag) -> list[Operation]:
    """`which flags had no fires`: the groups in which no document matches."""
    reader = bag.clause.reader
    content = [piece for piece in bag.left if piece.tag not in ",&WEoR"]
    if reader.present is not None or len(content) < 3 or [p.tag for p in content[:2]] != ["P", "0"]:
        return []
    key, fits = bag.property_of(content[0]), [p for p in content[2:] if p.tag == "F"]
    named = [p for p in content[2:] if p.tag == "P" and bag.property_of(p).kind == "bool"]
    if not (fits or named) or len(fits) + len(named) < len(content) - 2:
        refuse_left_over(Bag(bag.clause, [replace(content[1], tag="?")]))
    share = Measure("share", where=tuple(conditions_of(bag, [*fits, *named])))
    for piece in content[:2]:
        bag.drop(piece)
    bag.take("WEoR")
    every = content[1].load == "all"
    wording = "every document fits" if every else "no document fits"
    reader.assume(f"took “{bag.clause.words(content[:1])}” to be those of which {wording}")
    share_kept = 1.0 if every else 0.0
    return [
        SetGroup(Key((key.field,))),
        SetMeasures((share,)),
        KeepGroups(Bound(share, "eq", Quantity(share_kept)), share_kept),
    ]


def _amount(bag: Bag, pieces: Sequence[Piece]) -> Operation:
    """`how much did we pay`: the total of the only money property."""
    reader = bag.clause.reader
    named = _numbers_named(bag)
    if len(named) == 1:
        bag.drop(named[0])
        return SetMeasures((Measure("sum", bag.property_of(named[0]).field),))
    money = [
        prop
        for prop in reader.vocabulary.properties
        if prop.unit is not None and measure_of(prop.unit.name) == "money"
    ]
    words = bag.clause.words(pieces)
    if len(money) != 1:
        verb = next((t.lower for t in reader.tokens if names_money(t.lower)), None)
        likely = amount_of_money(reader.vocabulary, verb)
        money = [likely] if likely is not None else money
    if len(money) != 1 and (number := number_of_plan(reader)) is not None:
        money = [number]
    if len(money) != 1:
        names = [prop.label for prop in money]
        raise Unclear("ambiguous", words, f"“{words}” of what? Name the property to add up", names)
    total = Measure("sum", money[0].field)
    reader.assume(f"took “{words}” to mean the {say_measure(total)}")
    return SetMeasures((total,))


def _key_of_names(bag: Bag, grouped: bool) -> list[Key]:
    """`states with more than 5 accidents`: the property is the group key."""
    for piece in [p for p in bag.left if p.tag == "P"]:
        prop = bag.property_of(piece)
        if not prop.numeric or prop.is_year:
            bag.drop(piece)
            return [] if grouped else [Key((prop.field,))]
    return []


def _numbers(
    bag: Bag, measures: list[Measure], grouped: bool, question: bool, named: bool
) -> list[Operation]:
    """The measures as operations; `named` means that they do not belong to a number of the plan."""
    only = measures[0] if len(measures) == 1 else None
    if only is not None and not grouped:
        if only.func == "count":
            return [ToCount()]
        if only.func == "distinct":
            return [ToCount(only.field)]
    if named and any(measure.needs_field for measure in measures):
        of_what = _measured(bag)
        if of_what is None and not question:
            of_what = number_of_plan(bag.clause.reader)
        if of_what is not None:
            return [SetMeasures(tuple(_of(measure, of_what) for measure in measures))]
    if question and any(measure.needs_field for measure in measures):
        size = take_list(bag)
        if size is not None:  # "how many attended on average" does not count the documents
            asked = [_of(measure, size) for measure in measures if measure.needs_field]
            return [SetMeasures(tuple(asked))]
        phrase = say_measure(Measure(measures[0].func))
        unknown = [bag.clause.words([piece]) for piece in bag.left if piece.tag == "?"]
        names = [prop.label for prop in bag.clause.reader.vocabulary.properties if prop.numeric]
        words = ", ".join(f"“{word}”" for word in unknown)
        reason = f"the {phrase} of what? Name a property with numbers"
        if unknown:
            reason = f"there is no property {words} to take the {phrase} of"
        raise Unclear("unknown_property", words or phrase, reason, names)
    return [SetMeasures(tuple(measures))]


def _numbers_named(bag: Bag) -> list[Piece]:
    return [p for p in bag.left if p.tag == "P" and bag.property_of(p).numeric]


def _of(measure: Measure, prop: Property) -> Measure:
    return replace(measure, field=prop.field) if measure.needs_field else measure


def _measured(bag: Bag) -> Property | None:
    """The property of a separate measure: `fees of that town in total`, `total spent on food`."""
    reader = bag.clause.reader
    named = _numbers_named(bag)
    if named:
        bag.drop(named[0])
        return bag.property_of(named[0]) if len(named) == 1 else None
    verb = next((token.lower for token in reader.tokens if names_money(token.lower)), None)
    likely = None if verb is None else amount_of_money(reader.vocabulary, verb)
    if likely is not None:
        reader.assume(f"took “{verb}” to be about {likely.label}")
    return likely


def keep_groups(bag: Bag, bound: Bound, present: Sequence[Aggregation]) -> KeepGroups:
    """A bound without a property applies to the only number of that kind that the plan computes."""
    reader = bag.clause.reader
    same = [item for item in present if item.func == bound.measure.func and item.field is not None]
    if bound.measure.needs_field and same:
        bound = replace(bound, measure=Measure(same[0].func, same[0].field))
    prop = reader.vocabulary.get(bound.measure.field) if bound.measure.field else None
    low, high = bound_value(reader, bound, prop)
    return KeepGroups(bound, low, high)
