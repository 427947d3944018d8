"""The order and the number of results that a clause asks for."""

from collections.abc import Sequence
from dataclasses import replace

from backend.plans.edits.operations import Operation, SetLimit, SetMeasures, SetSort, ShowFields
from backend.plans.reading.amounts import extent
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.good_and_bad import judged
from backend.plans.reading.moments import moment
from backend.plans.reading.phrasing import Cut, Measure, Order
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.reading.subjects import number_of_plan
from backend.plans.requests.bag import Bag, is_plural, take_list


def orders_and_limits(bag: Bag, grouped: bool, question: bool) -> list[Operation]:
    limits = [piece.load for piece in bag.take("L") if not _within_one(bag, piece)]
    orders = bag.take("H")
    if orders:
        bag.take("sc")
    operations: list[Operation] = []
    directions = {piece.load.descending for piece in orders} - {None}
    if len(directions) > 1:
        words = bag.clause.words(orders)
        raise Unclear("contradictory", words, f"“{words}” asks for both directions at once")
    merged = _merged([piece.load for piece in orders])
    if merged is not None and merged.field is None and merged.descending is not None:
        merged = replace(merged, descending=_judged(bag, orders, merged.descending))
    # "the tallest building, by storeys": a document is asked for
    ordered = bag.has("B") and merged is not None and not merged.named
    for piece in bag.take("B"):
        prop = bag.property_of(piece)
        if merged is not None and not merged.named:
            merged = replace(merged, field=prop.field, measure=None, named=True)
            if orders and merged.descending is not None:
                turned = judged(bag.clause.reader, orders[0], prop, merged.descending)
                merged = replace(merged, descending=turned)
        elif merged is None:
            merged = Order(prop.field, None, _from_end(limits, prop))
    if merged is None and limits:
        merged = _order_of_names(bag, limits[0])
    if merged is None and limits and question and not grouped:
        merged, limits = _in_time(bag, limits)
    if merged is not None and not grouped and bag.clause.reader.present is not None:
        merged = _of_the_plan(bag, orders, merged)
    if merged is not None and not grouped:
        merged = _by_number_of_items(bag, _by_size(bag, merged))
    if merged is not None:
        asks = question or (bag.clause.pieces[0].tag == "W" and not grouped)
        if asks and not limits and not ordered and _asks_extreme(bag, merged):
            measure = Measure("min" if merged.descending is False else "max", merged.field)
            return [SetMeasures((measure,))]
        if merged.descending is None and limits and limits[0].end in ("top", "bottom"):
            merged = Order(merged.field, merged.measure, limits[0].end == "top")
        if merged.measure == Measure("count") and merged.extreme and not grouped:
            merged = replace(merged, field=_size(bag, orders), measure=None)
        operations.append(SetSort(merged.field, merged.measure, merged.descending))
        single = question or _says_one(bag)
        several = (
            _names_several(bag)
            and not _one_of_them(bag)
            and not (not question and "has" in _words(bag))
        )
        if single and merged.extreme and not limits and not several:
            limits = [Cut(1)]
    turned = merged is not None and merged.descending is not None
    operations += [SetLimit(cut.count, "first" if turned else cut.end) for cut in limits[:1]]
    if question and merged is not None and limits:
        operations += _moment_asked(bag, merged)
    return operations


def _of_the_plan(bag: Bag, orders: Sequence[Piece], order: Order) -> Order:
    """`worst first` for an unordered list: by the number that its conditions compare."""
    present = bag.clause.reader.present
    if order.field or order.measure or present is None or present.order:
        return order
    number = number_of_plan(bag.clause.reader)
    if number is None or not orders or order.descending is None:
        return order
    descending = judged(bag.clause.reader, orders[0], number, order.descending)
    return replace(order, field=number.field, descending=descending)


def _moment_asked(bag: Bag, order: Order) -> list[Operation]:
    """`when was the first meeting`: its date is shown, beside its title if it has one."""
    vocabulary = bag.clause.reader.vocabulary
    prop = vocabulary.get(order.field or "")
    if prop is None or not prop.dated or _words(bag)[:1] != ["when"]:
        return []
    titles = [other.field for other in vocabulary.properties if other.own][:1]
    return [ShowFields((*titles, prop.field))]


def _by_number_of_items(bag: Bag, order: Order) -> Order:
    """`the largest number of people present`: counts the list named beside it."""
    if order.measure != Measure("count") or not order.extreme or order.field is not None:
        return order
    size = take_list(bag)
    if size is None:
        return order
    return replace(order, field=size.field, measure=None, named=True)


def _within_one(bag: Bag, piece: Piece) -> bool:
    """`the most people at one meeting`: the maximum over meetings."""
    before = bag.clause.reader.tokens[: piece.start][-1:]
    one = piece.load.count == 1 and bag.clause.words([piece]).lower().split()[:1] == ["one"]
    return one and bool(before) and before[0].lower in ("at", "in", "during", "on", "within")


def _by_size(bag: Bag, order: Order) -> Order:
    """`the document with the most authors`: lists are ordered by their number of values."""
    distinct = order.measure is not None and order.measure.func == "distinct"
    field = order.measure.field if order.measure is not None and distinct else order.field
    size = bag.clause.reader.vocabulary.size_of(field or "")
    if size is None or any(piece.tag == "K" for piece in bag.clause.pieces):
        return order
    return replace(order, field=size.field, measure=None)


def _from_end(limits: Sequence[Cut], prop: Property) -> bool | None:
    """`top 5 by price` begins with the highest, `the first five by date` with the earliest."""
    if not limits:
        return None
    if prop.dated and limits[0].stated and limits[0].end in ("first", "last"):
        return limits[0].end == "last"
    return limits[0].end != "bottom"


def _in_time(bag: Bag, limits: list[Cut]) -> tuple[Order | None, list[Cut]]:
    """`the last 4 incidents`: first and last refer to the date of the documents."""
    cut = limits[0]
    ends = [p.load for p in bag.clause.pieces if p.tag == "L" and p.load.stated]
    when = moment(bag.clause.reader) if ends and cut.end in ("first", "last") else None
    words = {token.lower for token in bag.clause.reader.tokens}
    about = bag.has("E") or any(_covers_noun(bag, p) for p in bag.clause.pieces if p.tag == "F")
    if when is None or not words & {"first", "last", "final"} or not about:
        return None, limits
    bag.clause.reader.assume(f"took “{cut.end}” to be by {when.label}")
    return Order(when.field, None, cut.end == "last"), [replace(cut, end="first")]


def _covers_noun(bag: Bag, piece: Piece) -> bool:
    """`the last fatal accident`: the adjective has absorbed the noun for the documents."""
    tokens = bag.clause.reader.tokens[piece.start : piece.end]
    return any(token.stem in bag.clause.reader.vocabulary.nouns for token in tokens)


def _judged(bag: Bag, orders: Sequence[Piece], descending: bool) -> bool:
    """`average delay per route, worst first`: the worst delay is the longest."""
    reader = bag.clause.reader
    measured = [p.load.field for p in bag.clause.pieces if p.tag == "M" and p.load.field]
    ordered = None if reader.present is None else reader.present.order
    prop = reader.vocabulary.get(measured[0] if measured else ordered or "")
    if prop is None:
        return descending
    for piece in orders:
        descending = judged(reader, piece, prop, descending)
    return descending


def _size(bag: Bag, orders: Sequence[Piece]) -> str:
    """`the largest invoices`: by the most probable measure."""
    reader, words = bag.clause.reader, bag.clause.words(orders)
    measure = extent(reader.vocabulary, words.lower().split()[0])
    judging = words.lower().startswith(("best", "worst"))
    if measure is None or judging:
        names = [p.label for p in reader.vocabulary.properties if p.numeric and not p.is_year]
        raise Unclear("ambiguous", words, f"“{words}” by what? Name a property", names)
    reader.assume(f"took “{words}” to be by {measure.label}")
    return measure.field


def _asks_extreme(bag: Bag, order: Order) -> bool:
    """`what is the highest revenue`: asks for the number, not its document."""
    named = order.named or bag.clause.reader.tokens[0].lower == "how"
    if not (order.extreme and named) or order.field is None or order.measure is not None:
        return False
    content = [piece for piece in bag.clause.pieces if piece.tag not in ",&"]
    first = content[0]
    if first.tag == "W" and bag.clause.words([first]).lower() != "what":
        return False
    if bag.clause.reader.tokens[0].lower == "how" and first.tag == "P":
        for piece in [p for p in bag.left if p.tag == "P" and p.load[0].prop.field == order.field]:
            bag.drop(piece)
        return True
    if first.tag == "W" and len(content) > 1 and content[1].tag == "H":
        return True
    if first.tag == "H":
        follows = content[1].tag if len(content) > 1 else ""
        beside = follows == "E" and content[1].start == first.end
        return first.end - first.start > 1 and not beside
    return not bag.has("E")


def _says_one(bag: Bag) -> bool:
    """`which took longest`, `which of them has …`, `only the latest`, `the oldest of them`."""
    pieces = bag.clause.pieces
    words = _words(bag)
    one = words[pieces[0].start] in ("which", "who") and _OF_SEVERAL.isdisjoint(words)
    asked = pieces[0].tag == "W" and (one or "has" in words or "is" in words)
    definite = pieces[0].tag == "o" or "the" in (words[0], words[max(pieces[0].start - 1, 0)])
    counted = any(piece.tag == "N" for piece in pieces)
    return asked or (definite and not counted and _OF_ORDER.isdisjoint(words))


_OF_SEVERAL = frozenset({"are", "were", "have", "do", "did"})
_OF_ORDER = frozenset("ones first top bottom order sort sorted rank begin start end".split())  # noqa: SIM905
"""Words beside a superlative that describe the order of a list."""


def _one_of_them(bag: Bag) -> bool:
    """`which of the tickets … is the oldest`."""
    words = _words(bag)
    return words[:2] == ["which", "of"] and "is" in words


def _words(bag: Bag) -> list[str]:
    return [token.lower for token in bag.clause.reader.tokens]


def _names_several(bag: Bag) -> bool:
    nouns = [piece for piece in bag.left if piece.tag == "E"]
    return any(is_plural(bag, piece) for piece in nouns)


def _merged(orders: Sequence[Order]) -> Order | None:
    """Merges several words about order: `sort by date, newest first`."""
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
