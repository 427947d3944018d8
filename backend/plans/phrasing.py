"""From pieces to the other parts of a request: measures, groups, orders, limits, conditions on
groups.

New tags: `M` measure, `K` group key, `H` order, `L` limit, `Z` condition on a measure, `B` a
property after `by` that may be a key or an order, `U` distinct values.
"""

from dataclasses import dataclass
from typing import Literal

from backend.contract.plan_nodes import Bucket, Function
from backend.plans.cascade import Reader, Rule, Unclear, cover, rule, tagged
from backend.plans.linking import Piece, Quantity
from backend.plans.subjects import hinted, number_of
from backend.plans.vocabulary import Property

End = Literal["first", "last", "top", "bottom"]


@dataclass(frozen=True)
class Measure:
    """A number over documents. `func` count without a field counts them; no field at all means the
    one that the plan already has.
    """

    func: Function
    field: str | None = None

    @property
    def needs_field(self) -> bool:
        return self.func != "count" and self.field is None


@dataclass(frozen=True)
class Key:
    """What to group by. `bucket` applies to the first field; without fields it is that of the
    dates.
    """

    fields: tuple[str, ...]
    bucket: Bucket | None = None


@dataclass(frozen=True)
class Order:
    """How to sort: by a field or measure, or as the plan does; `descending` None means unsaid.

    `extreme` marks superlatives: "the highest" wants the first one, not only an order; `named` says
    whether the property was named or only hinted at, as by "the cheapest".
    """

    field: str | None = None
    measure: Measure | None = None
    descending: bool | None = None
    extreme: bool = False
    named: bool = True


@dataclass(frozen=True)
class Cut:
    """How many to keep, and from which end."""

    count: int
    end: End = "first"
    said: bool = True


@dataclass(frozen=True)
class Bound:
    """A condition on a measure: `with a total above 5`."""

    measure: Measure
    op: str
    value: Quantity
    upper: Quantity | None = None


# -- measures


def _measure(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """A P: `average revenue`. Several functions in a row share the property."""
    named = tagged(pieces, "P")[0]
    funcs: list[Function] = [piece.load for piece in tagged(pieces, "A")]
    prop = reader.choose(named, lambda p: p.numeric)
    if prop is None and all(func in ("min", "max") for func in funcs):
        prop = reader.choose(named, lambda p: p.dated)
    if prop is None:
        other = reader.any_property(named)
        words = reader.words(pieces)
        reason = f"{other.label} holds {other.kind} values, which have no {funcs[0]}"
        raise Unclear("wrong_type", words, reason, [])
    return [cover("M", pieces, Measure(func, prop.field)) for func in funcs]


def _trailing_measure(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`cost on average`."""
    prop = reader.choose(pieces[0], lambda p: p.numeric)
    if prop is None or not reader.words(pieces[-1:]).lower().startswith(("on ", "in total")):
        return None
    return cover("M", pieces, Measure(pieces[-1].load, prop.field))


def _same_function(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """M & P: `average revenue and net income`."""
    measure: Measure = pieces[0].load
    if measure.field is None:
        return None
    prop = reader.choose(pieces[-1], lambda p: p.numeric)
    if prop is None:
        return None
    return [pieces[0], cover("M", pieces[1:], Measure(measure.func, prop.field))]


def _count(reader: Reader, pieces: list[Piece]) -> Piece:
    return cover("M", pieces, Measure("count"))


def _how_many(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """# P: how many of a thing there are. Numbers are added up, other values counted once each."""
    named = tagged(pieces, "P")[0]
    word = reader.words(tagged(pieces, "#")).lower()
    prop = named.load[0].prop
    if tagged(pieces, "v"):
        return cover("M", pieces, Measure("distinct", reader.any_property(named).field))
    if prop.numeric and not prop.is_year:
        if word.startswith(("how", "total", "count", "tally", "sum")):
            return cover("M", pieces, Measure("sum", prop.field))
        return cover("P", pieces, named.load)
    if prop.kind == "bool":
        return None
    return cover("M", pieces, Measure("distinct", reader.any_property(named).field))


def _how_many_of_others(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`how many suppliers in Poland`, where Poland is no supplier."""
    prop = pieces[1].load[0].prop
    if prop.numeric or prop.kind == "bool" or not pieces[1].load[0].whole:
        return None
    return _how_many(reader, pieces)


def _bound(reader: Reader, pieces: list[Piece]) -> Piece | None:
    measured = tagged(pieces, "MA")[0]
    measure = measured.load if measured.tag == "M" else Measure(measured.load)
    numbers = [piece for piece in pieces if piece.tag in "ND"]
    values = [_quantity(piece) for piece in numbers]
    if any(value is None for value in values) or not values or values[0] is None:
        return None
    words = tagged(pieces, "Cp")
    upper = values[1] if len(values) > 1 else None
    op = "between" if upper is not None else str(words[0].load) if words else "eq"
    op = {"after": "gt", "before": "lt", "since": "ge", "until": "le"}.get(op, op)
    return cover("Z", pieces, Bound(measure, op, values[0], upper))


def _quantity(piece: Piece) -> Quantity | None:
    if piece.tag == "N":
        load: Quantity = piece.load
        return load
    year = piece.load.year
    return None if year is None else Quantity(float(year))


def _counted_bound(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """C N E: `with more than 5 accidents`."""
    value = _quantity(tagged(pieces, "ND")[0])
    word = tagged(pieces, "Cp")[0]
    if value is None or value.unit is not None:
        return None
    return cover("Z", pieces, Bound(Measure("count"), str(word.load), value))


def bound_value(reader: Reader, bound: Bound, prop: Property | None) -> tuple[float, float | None]:
    """The numbers of a bound in the unit of the measured property."""
    if prop is None:
        return bound.value.value, None if bound.upper is None else bound.upper.value
    low = number_of(reader, Piece("N", 0, 1, bound.value), prop)
    high = None if bound.upper is None else number_of(reader, Piece("N", 0, 1, bound.upper), prop)
    return low, high


# -- groups


def _key(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """g y P, per P, by month: one or more properties, or a span of time."""
    named, spans = tagged(pieces, "P"), tagged(pieces, "Y")
    if not named and not spans:
        return None
    props = [reader.any_property(piece) for piece in named]
    bucket: Bucket | None = spans[0].load if spans else None
    if bucket is None:
        return cover("K", pieces, Key(tuple(prop.field for prop in props)))
    dated = [prop.field for prop in props if prop.dated]
    others = [prop.field for prop in props if not prop.dated]
    first = dated[:1] or [_date_field(reader, bucket, pieces)]
    if bucket == "year" and not dated:
        year = [prop for prop in reader.vocabulary.properties if prop.is_year]
        if year:
            return cover("K", pieces, Key((year[0].field, *others)))
    return cover("K", pieces, Key((*first, *others), bucket))


def _dated_key(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`published each year`: the property says which date is meant."""
    prop = reader.choose((tagged(pieces, "P") or tagged(pieces, "E"))[0], lambda p: p.dated)
    if prop is None:
        return None
    return cover("K", pieces, Key((prop.field,), tagged(pieces, "Y")[0].load))


def _date_field(reader: Reader, bucket: str, pieces: list[Piece]) -> str:
    prop = hinted(reader, "date")
    if prop is None:
        words = reader.words(pieces)
        raise Unclear(
            "unknown_property", words, f"no property holds dates, so there is no {bucket}"
        )
    dated = [p for p in reader.vocabulary.properties if p.dated]
    if len(dated) > 1 and prop.field not in reader.in_use:
        reader.assume(f"took the {bucket} to be that of {prop.label}, not of {dated[1].label}")
    return prop.field


def _longer_key(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """K & P, K K: a key of several fields."""
    first: Key = pieces[0].load
    last = pieces[-1]
    if last.tag == "K":
        second: Key = last.load
    else:
        made = _key(reader, [last])
        if made is None:
            return None
        second = made.load
    if second.bucket is not None and first.bucket is None:
        first, second = second, first
    fields = tuple(dict.fromkeys((*first.fields, *second.fields)))
    return cover("K", pieces, Key(fields, first.bucket))


def _by(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """y P: a key when the property holds few kinds of things, undecided when it is a number or
    date.
    """
    if tagged(pieces, "Y"):
        return _key(reader, pieces)
    props = [piece.load[0].prop for piece in tagged(pieces, "P")]
    if any((prop.numeric and not prop.is_year) or prop.dated for prop in props):
        return cover("B", pieces, tagged(pieces, "P")[0].load)
    return _key(reader, pieces)


# -- orders and limits


def _sorted(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """s y P d, P d: an order by a property or a measure."""
    directions, extremes = tagged(pieces, "d"), tagged(pieces, "X")
    descending: bool | None = None
    field, measure = None, None
    for piece in tagged(pieces, "H"):
        field, measure, descending = piece.load.field, piece.load.measure, piece.load.descending
    if reader.words(pieces).lower().startswith("rank"):
        descending = True
    for piece in directions:
        descending = piece.load if isinstance(piece.load, bool) else piece.load == "newest"
        if not isinstance(piece.load, bool):
            field, _ = _required(reader, "date", pieces)
    for piece in extremes:
        descending, hint = piece.load
        if hint == "count":
            measure = Measure("count")
        elif hint is not None and not tagged(pieces, "PBMA"):
            field, turned = _required(reader, hint, pieces)
            descending = descending != turned
    for piece in tagged(pieces, "PB"):
        prop = reader.choose(piece, lambda p: p.numeric or p.dated) if extremes else None
        field = (prop or reader.any_property(piece)).field
    for piece in tagged(pieces, "M"):
        measure = piece.load
    for piece in tagged(pieces, "A"):
        measure = Measure(piece.load)
    if tagged(pieces, "#") or (extremes and tagged(pieces, "E") and not (field or measure)):
        measure = Measure("count")
    said = tagged(pieces, "sdT")
    named = bool(tagged(pieces, "PBMA#"))
    return cover("H", pieces, Order(field, measure, descending, bool(extremes) and not said, named))


def _required(reader: Reader, hint: str, pieces: list[Piece]) -> tuple[str, bool]:
    """The field of what an adjective hints at, and whether its order is turned: the quickest takes
    the least time.
    """
    prop = hinted(reader, hint)
    if prop is not None:
        return prop.field, False
    slow = hinted(reader, "duration") if hint == "speed" else None
    if slow is not None:
        return slow.field, True
    words = reader.words(pieces)
    names = [p.label for p in reader.vocabulary.properties if p.numeric]
    reason = f"“{words}”: no property holds a {hint}"
    raise Unclear("unknown_property", words, reason, names)


def _hinted_measure(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`most expensive on average`."""
    descending, hint = pieces[0].load
    if hint in (None, "count", "date"):
        return None
    field, turned = _required(reader, hint, pieces)
    order = Order(None, Measure(pieces[1].load, field), descending != turned, extreme=True)
    return cover("H", pieces, order)


def _just_one(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the most expensive one`."""
    if reader.words(pieces[-1:]).lower() != "one":
        return None
    return [pieces[0], cover("L", pieces[-1:], Cut(1))]


def _among_filters(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """X F E: `oldest active satellite`."""
    order = _superlative(reader, [piece for piece in pieces if piece.tag in "XE"])
    if not isinstance(order, Piece):
        return None
    return [order, *tagged(pieces, "F")]


def _superlative(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """X P, X M, X E: the most or least of something."""
    named = tagged(pieces, "P")
    if named and tagged(pieces, "X")[0].load[1] == "count":
        descending = tagged(pieces, "X")[0].load[0]
        order = Order(None, Measure("count"), descending, extreme=True)
        return [named[0], cover("H", tagged(pieces, "X"), order)]
    if named and not any(m.prop.numeric or m.prop.dated for m in named[0].load):
        return None
    alone = not tagged(pieces, "PMAE#")
    if alone and tagged(pieces, "X")[0].load[1] is None:
        return None
    return _sorted(reader, pieces)


def _limit(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """T N, l N, N E: how many to keep."""
    number = _quantity((tagged(pieces, "ND") or [Piece("N", 0, 1, Quantity(1))])[0])
    ends = tagged(pieces, "T")
    comparison = tagged(pieces, "C")
    if comparison and comparison[0].load not in ("le", "eq"):
        return None
    if number is None or number.unit is not None or number.scaled or number.value < 1:
        return None
    if not number.whole:
        return None
    end: End = ends[0].load if ends else "first"
    return cover("L", pieces, Cut(int(number.value), end, bool(tagged(pieces, "TlC"))))


def _distinct(reader: Reader, pieces: list[Piece]) -> Piece:
    return cover("U", pieces, reader.any_property(tagged(pieces, "P")[0]).field)


MEASURE_RULES: tuple[Rule, ...] = (
    rule(r"A(?:(?:,?&|,)?A)*v?#?P", _measure),
    rule(r"M(?:,?&|,)P(?![CpmhnjVD])", _same_function),
    rule(r"A,?#E?P", _measure),
    rule(r"PE?A(?![,&A]*v?#?P)", _trailing_measure),
    rule(r"#vP", _how_many),
    rule(r"#P(?=V)", _how_many_of_others),
    rule(r"A?#E", _count),
)

BOUND_RULES: tuple[Rule, ...] = (
    rule(r"[MA]E?,?b[ND][&z][ND]", _bound),
    rule(r"[MA]E?,?C[ND](?!P)|[MA][ND]p(?!P)", _bound),
    rule(r"C[ND]E|[ND]pE", _counted_bound),
)

COUNT_RULES: tuple[Rule, ...] = (rule(r"#P(?![Cp])", _how_many),)

PHRASE_RULES: tuple[Rule, ...] = (
    rule(r"[ls]?C?T[zy]?N|lz?C?N|TlN", _limit),
    rule(r"C?N(?=E|X)", _limit),
    rule(r"dy[PM]", _sorted),
    rule(r"XA(?!P)", _hinted_measure),
    rule(r"dT?|XT", _sorted),
    rule(r"s[yz]?(?:[PM#]E?|A)(?:,?y?[dH]T?)?|s[dH][yz]?[PM#]|s[yz]?X[PM#E]?T?", _sorted),
    rule(r"XF+E?", _among_filters),
    rule(r"X(?=N)", _superlative),
    rule(r"X[vE]?(?:[PM]|#E?|A#E?)T?|XE?", _superlative),
    rule(r"PE?(?:gy?|y|e)Y|(?:gy?|y|e)[PE]Y", _dated_key),
    rule(r"gf?[yez]+(?:[PY](?:,?[&y]+|,)?)+|gf?(?:[PY](?:,?[&y]+|,)?)+(?!.*y[PY])|ez?[PY]", _key),
    rule(r"y(?:[PY](?:,?&|,)y?)*[PY]", _by),
    rule(r"K(?:,?&|,)?w?(?:[PYK])(?![CpmhnjVDF])", _longer_key),
    rule(r"y#E?|yM|yA", _sorted),
    rule(r"[PMB],?H", lambda r, p: _merge(r, p)),
    rule(r"HN", _just_one),
    rule(r"vP", _distinct),
)


def _merge(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """A property followed by a direction alone: `by revenue descending`."""
    order: Order = pieces[-1].load
    if order.field is not None or order.measure is not None or order.extreme:
        return None
    first = pieces[0]
    if first.tag == "M":
        return cover("H", pieces, Order(None, first.load, order.descending))
    return cover("H", pieces, Order(reader.any_property(first).field, None, order.descending))
