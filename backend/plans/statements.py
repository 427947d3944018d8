"""What a clause asks for when it commands nothing special: filters, groups, numbers, orders.

Questions are read this way, and so is feedback that just says what is wanted. The pieces of the
clause are taken up one kind after the other; whatever is left at the end was not understood.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from backend.contract.plan_nodes import Aggregation, BasicFilter
from backend.plans.cascade import Unclear, cover
from backend.plans.clauses import Clause
from backend.plans.linking import Piece, Quantity
from backend.plans.operations import (
    AddFilter,
    Difference,
    InExtremeGroups,
    JudgeText,
    KeepGroups,
    ListValues,
    Operation,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    SetSource,
    ShareOf,
    ShowFields,
    Summarise,
    ToCount,
)
from backend.plans.phrasing import Bound, Cut, Key, Measure, Order, bound_value
from backend.plans.predicates import lacking, negated, one_of, stated
from backend.plans.units import measure_of
from backend.plans.vocabulary import Property

_IGNORABLE = frozenset(",&|yztbEeWRodhi")
_AVERAGED = frozenset({"pct", "kt", "mph", "kmh", "mps", "usd/share"})
_VERBS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "have",
        "has",
        "had",
        "involve",
        "involves",
        "involved",
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


@dataclass
class Bag:
    """The pieces of a clause that are still to be taken up."""

    clause: Clause
    left: list[Piece]

    def take(self, tags: str) -> list[Piece]:
        """All pieces with these tags, which are then gone."""
        found = [piece for piece in self.left if piece.tag in tags]
        self.left = [piece for piece in self.left if piece.tag not in tags]
        return found

    def drop(self, piece: Piece) -> None:
        self.left = [other for other in self.left if other is not piece]

    def has(self, tags: str) -> bool:
        return any(piece.tag in tags for piece in self.left)

    def count(self, tags: str) -> int:
        return sum(piece.tag in tags for piece in self.left)

    def property_of(self, piece: Piece) -> Property:
        return self.clause.reader.any_property(piece)


def statements(
    clause: Clause, *, grouped: bool, question: bool, present: Sequence[Aggregation] = ()
) -> list[Operation]:
    """The operations that a clause asks for, in the order they are to be applied.

    `grouped` says that the plan has groups already, `present` which numbers it computes, `question`
    that there is no plan yet. Raises Unclear with the words that are left over.
    """
    if clause.problem is not None:
        raise clause.problem
    bag = Bag(clause, _exclusions(clause.pieces))
    found: list[Operation] = []
    found += _out_of_scope(bag)
    found += _searches(bag)
    found += _texts(bag, question)
    summaries = bag.take("u!") if bag.has("u") else []
    found += _shares(bag)
    found += _differences(bag)
    found += _filters(bag)
    found += _extremes(bag, grouped, question)
    found += _grouped_numbers(bag, grouped, question, present)
    found += _orders(bag, grouped, question)
    found += _named(bag, found)
    if found:
        bag.take("lf" if question else "l")
    if summaries:
        found.append(Summarise(clause.text))
    refuse_left_over(bag)
    return found


def _exclusions(pieces: Sequence[Piece]) -> list[Piece]:
    """`in Kansas, not Arkansas`: what follows is excluded when there is nothing it could replace."""
    made = list(pieces)
    for i, piece in enumerate(made):
        following = made[i + 1 : i + 2]
        if piece.tag == "I" and piece.load == "not" and following and following[0].tag == "F":
            made[i + 1] = replace(following[0], load=negated(following[0].load))
            made[i] = replace(piece, tag=",")
    return made


def refuse_left_over(bag: Bag) -> None:
    """Unclear when content words were not taken up; the kind says what they look like."""
    left = [piece for piece in bag.left if piece.tag not in _IGNORABLE]
    if not left:
        return
    clause = bag.clause
    words = ", ".join(f"“{clause.words([piece])}”" for piece in left)
    unknown = [piece for piece in left if piece.tag == "?"]
    named = {piece.tag for piece in clause.pieces}
    if unknown and named & set("KgysAXHM#"):
        names = [prop.label for prop in clause.reader.vocabulary.properties]
        raise Unclear("unknown_property", words, f"there is no property {words}", names)
    if unknown and (named & set("ox") or len(left) == len(clause.pieces)):
        raise Unclear("unknown_value", words, f"no property holds {words}, and none is called so")
    known = clause.reader.vocabulary.text_words
    text = " ".join(clause.words([piece]) for piece in unknown)
    spoken = unknown and all(word.lower() in known for word in text.split())
    hints = [f"about {text}, to search the text"] if spoken else []
    raise Unclear("not_understood", words, f"{words} was not understood", hints)


def _out_of_scope(bag: Bag) -> list[Operation]:
    for piece in [] if bag.has("u") else bag.left:
        if piece.tag == "!":
            words = bag.clause.words([piece])
            reason = (
                f"“{words}” is nothing a query plan can do: plans find, count and compare documents"
            )
            raise Unclear("out_of_scope", words, reason)
    return []


# -- text


def _searches(bag: Bag) -> list[Operation]:
    """A way of searching, with the text to search for when it is quoted or follows."""
    modes = bag.take("q")
    if not modes:
        return []
    quoted = bag.take("Q")
    text = str(quoted[0].load) if quoted else None
    if text is None:
        run = _unknown_run(bag)
        if run:
            text = bag.clause.words(run)
            for piece in run:
                bag.drop(piece)
    bag.take("RoikcP" if text is None else "Roikc")
    return [SetSource(modes[0].load, text)]


def _texts(bag: Bag, question: bool) -> list[Operation]:
    """What the text should be about: quoted words, or words behind `about` or `caused by`."""
    quoted = bag.take("Q")
    if quoted:
        bag.take("R")
        return [JudgeText(f"Does the text say “{piece.load}”?") for piece in quoted]
    starts = [i for i, piece in enumerate(bag.left) if piece.tag == "R"]
    if not bag.has("?"):
        return []
    if starts:
        run = _run_from(bag, starts[0])
    elif question and bag.has("E") and not bag.has("AMKHLZX%=B#s"):
        run = _unknown_run(bag)
        known = bag.clause.reader.vocabulary.text_words
        tokens = bag.clause.reader.tokens
        words = [tokens[p.start].lower for p in run if p.tag == "?"]
        if not words or not all(word in known for word in words):
            return []
    else:
        return []
    if not any(piece.tag == "?" for piece in run):
        return []
    for piece in run:
        bag.drop(piece)
    return [JudgeText(bag.clause.words(run))]


def _unknown_run(bag: Bag) -> list[Piece]:
    """From the first unknown word to the last."""
    places = [i for i, piece in enumerate(bag.left) if piece.tag == "?"]
    if not places:
        return []
    run = bag.left[places[0] : places[-1] + 1]
    return run if all(piece.tag in "?P,&|REnjeyhzt" for piece in run) else []


def _run_from(bag: Bag, start: int) -> list[Piece]:
    """The words behind `about`, as far as they may belong to it."""
    run = [bag.left[start]]
    for piece in bag.left[start + 1 :]:
        if piece.tag in "FKHLMZ,orxwcgsCTud%":
            break
        run.append(piece)
    while run and run[-1].tag not in "?P":
        run.pop()
    return run


# -- shares and differences


def _conditions(bag: Bag, pieces: Sequence[Piece]) -> list[BasicFilter]:
    """The conditions of filters and of bare properties such as `fatal`."""
    found: list[BasicFilter] = []
    for piece in pieces:
        if piece.tag == "F":
            found.append(piece.load)
        elif piece.tag == "P":
            condition = stated(bag.clause.reader, piece, bag.property_of(piece))
            if condition is not None:
                found.append(condition)
                bag.drop(piece)
                continue
            refuse_left_over(Bag(bag.clause, [piece]))
        bag.drop(piece)
    return found


def _shares(bag: Bag) -> list[Operation]:
    marks = [piece for piece in bag.left if piece.tag == "%"]
    if not marks:
        return []
    mark = marks[0]
    parts = [piece for piece in bag.left if piece.tag in "FP"]
    if "ratio" in bag.clause.words([mark]).lower() and len(parts) == 2:
        left, right = (_conditions(bag, [piece]) for piece in parts)
        bag.take("%M#")
        return [Difference(tuple(left), tuple(right), Measure("count"), "divide")]
    if bag.has("K"):
        reason = "a share for each group is not possible yet: ask for one group at a time"
        raise Unclear("out_of_scope", bag.clause.words([mark]), reason)
    verb = _verb_after(bag, mark)
    if verb is not None:
        base = [piece for piece in parts if piece.end <= verb]
        part = [piece for piece in parts if piece.start >= verb]
    else:
        base, part = parts[1:], parts[:1]
    if not part:
        base, part = [], base
    bag.take("%M#")
    operation = ShareOf(tuple(_conditions(bag, part)), tuple(_conditions(bag, base)))
    return [operation]


def _verb_after(bag: Bag, mark: Piece) -> int | None:
    tokens = bag.clause.reader.tokens
    for i in range(mark.end, len(tokens)):
        if tokens[i].lower in _VERBS:
            return i
    return None


def _differences(bag: Bag) -> list[Operation]:
    """How many more in one than in the other; the difference or comparison of two values."""
    if bag.has("G") and not bag.has("="):
        return _comparison(bag)
    if not bag.has("="):
        return []
    marks = bag.take("=")
    measures = bag.take("M#")
    loads = [piece.load for piece in measures if isinstance(piece.load, Measure)]
    measure: Measure = loads[0] if loads else Measure("count")
    filters = [piece for piece in bag.left if piece.tag == "F"]
    named = [piece for piece in bag.left if piece.tag == "P" and piece.load[0].prop.numeric]
    if named and not loads and "much" in bag.clause.words(marks).lower():
        measure = Measure("avg", bag.property_of(named[0]).field)
        bag.drop(named[0])
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
        one, two = _conditions(bag, left), _conditions(bag, pair)
    else:
        one, two = _two_values(bag, filters)
    if not one or not two:
        reason = "a difference needs two things to compare, for instance two values of a property"
        raise Unclear("not_understood", bag.clause.words(marks), reason)
    shared = [AddFilter(c) for c in _conditions(bag, [p for p in bag.left if p.tag == "F"])]
    return [*shared, Difference(tuple(one), tuple(two), measure)]


def _two_values(bag: Bag, filters: Sequence[Piece]) -> tuple[list[BasicFilter], list[BasicFilter]]:
    """`between A and B`: one condition with two values, or two conditions of one property."""
    for piece in filters:
        condition: BasicFilter = piece.load
        if condition.values is not None and len(condition.values) == 2:
            bag.drop(piece)
            first, second = condition.values
            return [one_of(condition.field, [first])], [one_of(condition.field, [second])]
    for i, piece in enumerate(filters):
        for other in filters[i + 1 :]:
            if other.load.field == piece.load.field:
                return _conditions(bag, [piece]), _conditions(bag, [other])
    return [], []


def _comparison(bag: Bag) -> list[Operation]:
    """`compare X in A and B`: a table with one row for each value."""
    bag.take("G")
    for piece in bag.left:
        condition = piece.load
        if piece.tag == "F" and condition.values is not None:
            bag.drop(piece)
            return [AddFilter(condition), *_grouped(bag, Key((condition.field,)))]
    filters = [piece for piece in bag.left if piece.tag == "F"]
    for i, piece in enumerate(filters):
        for other in filters[i + 1 :]:
            if other.load.field == piece.load.field and other.load.query is not None:
                values = [piece.load.query, other.load.query]
                bag.drop(piece)
                bag.drop(other)
                key = Key((piece.load.field,))
                return [AddFilter(one_of(piece.load.field, values)), *_grouped(bag, key)]
    return []


def _grouped(bag: Bag, key: Key) -> list[Operation]:
    measures = [p.load for p in bag.take("M")] or _bare_measures(bag) or [Measure("count")]
    bag.take("#")
    return [SetGroup(key), SetMeasures(tuple(measures))]


def _bare_measures(bag: Bag) -> list[Measure]:
    """Numeric properties named without a function: their total, or their average for rates."""
    found: list[Measure] = []
    for piece in [p for p in bag.left if p.tag == "P" and p.load[0].prop.numeric]:
        prop = bag.property_of(piece)
        func = "avg" if prop.unit is not None and prop.unit.name in _AVERAGED else "sum"
        word = "average" if func == "avg" else "total"
        bag.clause.reader.assume(f"took “{bag.clause.words([piece])}” to mean its {word}")
        found.append(Measure("avg" if func == "avg" else "sum", prop.field))
        bag.drop(piece)
    return found


# -- filters, groups, orders


def _filters(bag: Bag) -> list[Operation]:
    found = bag.take("F")
    for piece in [p for p in bag.left if p.tag == "P"]:
        beside = [
            f for f in found if abs(f.end - piece.start) <= 1 or abs(piece.end - f.start) <= 1
        ]
        if any(f.load.field in {m.prop.field for m in piece.load} for f in beside):
            bag.drop(piece)
    if any(piece.load.is_date or _is_year(bag, piece) for piece in found) and not bag.has("MA#K"):
        bag.take("Y")
    return [AddFilter(piece.load) for piece in found]


def _is_year(bag: Bag, piece: Piece) -> bool:
    prop = bag.clause.reader.vocabulary.get(piece.load.field)
    return prop is not None and prop.is_year


def group_measure(bag: Bag, piece: Piece, order: Order) -> Measure:
    """What the groups are compared by when a superlative names a plain property."""
    if order.measure is not None:
        return order.measure
    if order.field is None:
        return Measure("count")
    word = bag.clause.words([piece]).lower().split()[0]
    if word in ("most", "fewest", "least", "more", "top"):
        return Measure("sum", order.field)
    return Measure("max" if order.descending else "min", order.field)


def _extremes(bag: Bag, grouped: bool, question: bool) -> list[Operation]:
    """`the company with the highest total revenue`: a group that comes first by a measure."""
    for i, piece in enumerate(bag.left):
        order = piece.load
        if piece.tag != "H" or not isinstance(order, Order) or not order.extreme:
            continue
        near = [p for p in bag.left[:i] if p.tag not in ",W"]
        if not near or near[-1].tag != "P" or bag.property_of(near[-1]).numeric:
            continue
        prop = bag.property_of(near[-1])
        measure = group_measure(bag, piece, order)
        count = _count_before(bag, near[-1])
        documents = any(p.tag in "EM" for p in near[:-1]) and not bag.has("W")
        documents = documents or any(p.tag in "M" for p in near[:-1])
        plural = _is_plural(bag, near[-1])
        bag.drop(piece)
        bag.drop(near[-1])
        descending = order.descending is not False
        if documents:
            limit = count or 1
            return [InExtremeGroups(prop.field, measure, limit, descending)]
        found: list[Operation] = [] if grouped else [SetGroup(Key((prop.field,)))]
        if not grouped or order.measure is not None or order.field is not None:
            found.append(SetMeasures((measure,), add=grouped))
        found.append(SetSort(None, measure, descending))
        if count or not plural:
            found.append(SetLimit(count or 1))
        return found
    return []


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


def _is_plural(bag: Bag, piece: Piece) -> bool:
    word = bag.clause.reader.tokens[piece.end - 1].lower
    return word.endswith("s") and not word.endswith("ss")


def _grouped_numbers(
    bag: Bag, grouped: bool, question: bool, present: Sequence[Aggregation]
) -> list[Operation]:
    found: list[Operation] = []
    keys = [piece.load for piece in bag.take("K")]
    if keys:
        bag.take("gG")
    spans = bag.take("Y") if bag.has("MA#") and not keys else []
    bounds = bag.take("Z") or (_elided_bound(bag, present) if grouped else [])
    limits = [piece for piece in bag.left if piece.tag == "L"]
    if (not keys and (bounds or limits) and not bag.has("E" if not bounds else "")) or (
        bounds and not keys
    ):
        keys = _key_of_names(bag, grouped)
    elif spans:
        keys = [_span_key(bag, spans[0])]
    for key in keys:
        found.append(SetGroup(key))
    measures = [piece.load for piece in bag.take("M")]
    functions = [Measure(piece.load) for piece in bag.take("A")]
    counts = bag.take("#")
    measures += functions
    if not measures and keys and not grouped:
        measures = _bare_measures(bag)
    if measures:
        found += _numbers(measures, bool(keys) or grouped, question)
    elif counts:
        amount = "much" in bag.clause.words(counts).lower()
        found.append(_amount(bag, counts) if amount else ToCount())
    for piece in bounds:
        found.append(_keep_groups(bag, piece.load, present))
    if bounds and question and not keys:
        names = ", ".join(bag.clause.words([piece]) for piece in bounds)
        raise Unclear("not_understood", names, f"“{names}” compares groups: of what?")
    return found


def _elided_bound(bag: Bag, present: Sequence[Aggregation]) -> list[Piece]:
    """`the authors with at least 15`: the number that the groups already have."""
    for word, number in pairwise(list(bag.left)):
        if word.tag == "C" and number.tag == "N" and present:
            measure = Measure(present[0].func, present[0].field)
            bag.drop(word)
            bag.drop(number)
            return [cover("Z", [word, number], Bound(measure, str(word.load), number.load))]
    return []


def _amount(bag: Bag, pieces: Sequence[Piece]) -> Operation:
    """`how much did we pay`: the total of the one property that holds money."""
    reader = bag.clause.reader
    money = [
        prop
        for prop in reader.vocabulary.properties
        if prop.unit is not None and measure_of(prop.unit.name) == "money"
    ]
    words = bag.clause.words(pieces)
    if len(money) != 1:
        names = [prop.label for prop in money]
        raise Unclear("ambiguous", words, f"“{words}” of what? Name the property to add up", names)
    reader.assume(f"took “{words}” to mean the total {money[0].label}")
    return SetMeasures((Measure("sum", money[0].field),))


def _key_of_names(bag: Bag, grouped: bool) -> list[Key]:
    """`states with more than 5 accidents`: the property is what to group by."""
    for piece in [p for p in bag.left if p.tag == "P"]:
        prop = bag.property_of(piece)
        if not prop.numeric or prop.is_year:
            bag.drop(piece)
            return [] if grouped else [Key((prop.field,))]
    return []


def _span_key(bag: Bag, piece: Piece) -> Key:
    """`monthly totals`."""
    reader = bag.clause.reader
    if piece.load == "year":
        years = [prop for prop in reader.vocabulary.properties if prop.is_year]
        if years:
            return Key((years[0].field,))
    dated = [prop for prop in reader.vocabulary.properties if prop.dated]
    if not dated:
        words = bag.clause.words([piece])
        raise Unclear(
            "unknown_property", words, f"no property holds dates: there is no {piece.load}"
        )
    return Key((dated[0].field,), piece.load)


def _numbers(measures: list[Measure], grouped: bool, question: bool) -> list[Operation]:
    only = measures[0] if len(measures) == 1 else None
    if only is not None and not grouped:
        if only.func == "count":
            return [ToCount()]
        if only.func == "distinct":
            return [ToCount(only.field)]
    if question and any(measure.needs_field for measure in measures):
        func = measures[0].func
        raise Unclear("unknown_property", func, f"the {func} of what? Name a property with numbers")
    return [SetMeasures(tuple(measures))]


def _keep_groups(bag: Bag, bound: Bound, present: Sequence[Aggregation]) -> KeepGroups:
    """A bound without a property is about the one number of that sort that the plan computes."""
    reader = bag.clause.reader
    same = [item for item in present if item.func == bound.measure.func and item.field is not None]
    if bound.measure.needs_field and same:
        bound = replace(bound, measure=Measure(same[0].func, same[0].field))
    prop = reader.vocabulary.get(bound.measure.field) if bound.measure.field else None
    low, high = bound_value(reader, bound, prop)
    return KeepGroups(bound, low, high)


def _orders(bag: Bag, grouped: bool, question: bool) -> list[Operation]:
    limits = [piece.load for piece in bag.take("L")]
    orders = bag.take("H")
    if orders:
        bag.take("sc")
    found: list[Operation] = []
    merged = _merged([piece.load for piece in orders])
    for piece in bag.take("B"):
        prop = bag.property_of(piece)
        if merged is None:
            descending = True if limits and limits[0].end != "bottom" else None
            merged = Order(
                prop.field, None, False if limits and limits[0].end == "bottom" else descending
            )
    if merged is None and limits:
        merged = _order_of_names(bag, limits[0])
    if merged is not None:
        if question and not limits and _asks_extreme(bag, merged):
            measure = Measure("min" if merged.descending is False else "max", merged.field)
            return [SetMeasures((measure,))]
        if merged.descending is None and limits and limits[0].end in ("top", "bottom"):
            merged = Order(merged.field, merged.measure, limits[0].end == "top")
        if merged.measure == Measure("count") and merged.extreme and not grouped:
            merged = replace(merged, field=_size(bag, orders), measure=None)
        found.append(SetSort(merged.field, merged.measure, merged.descending))
        if question and merged.extreme and not limits and not _names_several(bag):
            limits = [Cut(1)]
    found += [SetLimit(cut.count, cut.end) for cut in limits[:1]]
    return found


def _size(bag: Bag, orders: Sequence[Piece]) -> str:
    """`the largest invoices`: by the one property that holds money or, without any, the one number."""
    reader = bag.clause.reader
    numbers = [prop for prop in reader.vocabulary.properties if prop.numeric and not prop.is_year]
    money = [p for p in numbers if p.unit is not None and measure_of(p.unit.name) == "money"]
    words = bag.clause.words(orders)
    found = money or numbers
    if len(found) != 1:
        names = [prop.label for prop in numbers]
        raise Unclear("ambiguous", words, f"“{words}” by what? Name a property", names)
    reader.assume(f"took “{words}” to be by {found[0].label}")
    return found[0].field


def _asks_extreme(bag: Bag, order: Order) -> bool:
    """`what is the highest revenue`, `lowest price in May`: the number is wanted, not its document."""
    if not (order.extreme and order.named) or order.field is None or order.measure is not None:
        return False
    content = [piece for piece in bag.clause.pieces if piece.tag not in ",&"]
    first = content[0]
    if first.tag == "W" and bag.clause.words([first]).lower() != "what":
        return False
    if first.tag == "H":
        follows = content[1].tag if len(content) > 1 else ""
        beside = follows == "E" and content[1].start == first.end
        return first.end - first.start > 1 and not beside
    return not bag.has("E")


def _names_several(bag: Bag) -> bool:
    nouns = [piece for piece in bag.left if piece.tag == "E"]
    return any(_is_plural(bag, piece) for piece in nouns)


def _merged(orders: Sequence[Order]) -> Order | None:
    """Several words about order as one: `sort by date, newest first`."""
    if not orders:
        return None
    field = next((o.field for o in orders if o.field is not None), None)
    measure = next((o.measure for o in orders if o.measure is not None), None)
    descending = next((o.descending for o in orders if o.descending is not None), None)
    extreme = any(order.extreme for order in orders)
    return Order(field, measure, descending, extreme, any(order.named for order in orders))


def _order_of_names(bag: Bag, cut: Cut) -> Order | None:
    """`top 3 fatalities`."""
    for piece in [p for p in bag.left if p.tag == "P" and p.load[0].prop.numeric]:
        bag.drop(piece)
        return Order(bag.property_of(piece).field, None, cut.end != "bottom")
    return None


# -- what is left: properties by themselves


def _named(bag: Bag, found: list[Operation]) -> list[Operation]:
    values = bag.take("U")
    if values:
        return [ListValues(piece.load) for piece in values[:1]]
    named = [piece for piece in bag.left if piece.tag == "P"]
    if not named:
        return []
    props = [bag.property_of(piece) for piece in named]
    reader = bag.clause.reader
    conditions = [stated(reader, p, prop) for p, prop in zip(named, props, strict=True)]
    for piece in named:
        bag.drop(piece)
    if all(condition is not None for condition in conditions) and not _asks_values(bag, named):
        negative = bool(bag.take("n"))
        told = [lacking(p) for p in props] if negative else [c for c in conditions if c is not None]
        return [AddFilter(condition) for condition in told]
    if len(props) == 1 and not (props[0].numeric or props[0].dated) and not bag.has("e"):
        if found and not _asks_list(bag):
            words = bag.clause.words(named)
            bag.clause.reader.assume(f"took “{words}” to be the documents about them")
            return []
        return [ListValues(props[0].field)]
    return [ShowFields(tuple(dict.fromkeys(prop.field for prop in props)))]


def _asks_list(bag: Bag) -> bool:
    """`which cities …`, `list the cities …`: the values are wanted, not documents."""
    first = bag.clause.reader.tokens[bag.clause.pieces[0].start]
    start = bag.clause.pieces[0].start
    before = [token.lower for token in bag.clause.reader.tokens[:start]]
    return bag.clause.pieces[0].tag == "W" or first.lower in _LISTS or bool(_LISTS & set(before))


_LISTS = frozenset({"list", "name", "enumerate", "all", "which", "what", "who"})


def _asks_values(bag: Bag, named: Sequence[Piece]) -> bool:
    """`what is the pilot experience of …`: the value is wanted, not that there is one."""
    first = bag.clause.pieces[0] if bag.clause.pieces else None
    asked = first is not None and first.tag == "W" and bag.clause.words([first]).lower() == "what"
    return asked and not bag.has("E")
