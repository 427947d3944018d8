"""From pieces to the other parts of a request: measures, groups, orders, limits, conditions on
groups.

New tags: `M` measure, `K` group key, `H` order, `L` limit, `Z` condition on a measure, `B` a
property after `by` that may be a key or an order, `U` distinct values.
"""

from dataclasses import dataclass
from typing import Literal

from backend.plans.reading.cascade import Reader, Rule, Unclear, cover, rule, tagged
from backend.plans.reading.comparing import compare, known
from backend.plans.reading.moments import counted_time
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.subjects import by_unit, hinted, number_of
from backend.plans.reading.vocabulary import Meaning
from workbench.contract.plan_nodes import BasicFilter, Bucket, Function

End = Literal["first", "last", "top", "bottom"]


KEY = "properties.key"
"""The stand-in for group names in an order: `alphabetically`."""


@dataclass(frozen=True)
class Measure:
    """A number over documents. `func` count without a field counts them; without any field it is
    the plan's current measure. `where` are the conditions of a share.
    """

    func: Function
    field: str | None = None
    where: tuple[BasicFilter, ...] = ()

    @property
    def needs_field(self) -> bool:
        return self.func not in ("count", "share") and self.field is None


@dataclass(frozen=True)
class Key:
    """The group key. `bucket` applies to the first field; without fields it applies to the
    dates.
    """

    fields: tuple[str, ...]
    bucket: Bucket | None = None


@dataclass(frozen=True)
class Order:
    """How to sort: by a field or measure, or in the plan's current order; `descending` None means
    unspecified.

    `extreme` marks superlatives: "the highest" asks for the first one, not only for an order;
    `named` says whether the property was named or only implied, as by "the cheapest".
    """

    field: str | None = None
    measure: Measure | None = None
    descending: bool | None = None
    extreme: bool = False
    named: bool = True


@dataclass(frozen=True)
class Cut:
    """The number to keep, and from which end."""

    count: int
    end: End = "first"
    stated: bool = True


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
        kind, function = _KINDS.get(other.kind, "text"), _FUNCTIONS.get(funcs[0], funcs[0])
        reason = f"{other.label} is {kind}, so it has no {function}"
        raise Unclear("wrong_type", words, reason, [])
    return [cover("M", pieces, Measure(func, prop.field)) for func in funcs]


_KINDS = {"array": "a list", "bool": "yes or no", "date": "a date", "datetime": "a date"}
_FUNCTIONS = {"avg": "average", "sum": "total", "min": "lowest value", "max": "highest value"}


def _how_much_of_it(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`how heavy`: the property that the adjective refers to."""
    old = reader.words(pieces).lower().endswith("old")
    prop = hinted(reader, "age" if old else str(pieces[0].load))
    return None if prop is None else cover("P", pieces, [Meaning(prop, 1.0, False)])


def _count(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`how many lots`; "how much" is no number of documents."""
    if reader.words(tagged(pieces, "#")).lower() == "how much":
        return None
    return cover("M", pieces, Measure("count"))


_HAPPENED = frozenset({"been", "was", "were", "are", "is", "got"})


def _how_many(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """# P: the number of a thing. Numbers are summed, other values counted once each."""
    named = tagged(pieces, "P")[0]
    word = reader.words(tagged(pieces, "#")).lower()
    prop = named.load[0].prop
    if tagged(pieces, "v"):
        return cover("M", pieces, Measure("distinct", reader.any_property(named).field))
    if prop.numeric and not prop.is_year:
        asked = word.startswith(("how", "total", "count", "tally", "sum"))
        if asked or (reader.present is None and _heads(reader, pieces[0])):
            return cover("M", pieces, Measure("sum", prop.field))
        return cover("P", pieces, named.load)
    if prop.kind == "bool":
        return None
    if prop.dated:
        between = reader.tokens[pieces[0].end : named.start]
        if prop.gaps and any(token.lower in _HAPPENED for token in between):
            # "how many have been granted": those with the date
            return [cover("M", pieces[:1], Measure("count")), cover("F", [named], known(prop))]
        # "number of inspections": each has its day
        return cover("M", pieces, Measure("count"))
    field = reader.any_property(named).field
    conditions = [] if reader.present is None else reader.present.on(field)
    if any(c.query is not None and not c.negate for c in conditions):
        # "how many did she lead": hers, not the number of leaders
        return cover("M", pieces, Measure("count"))
    return cover("M", pieces, Measure("distinct", field))


def _how_many_different(reader: Reader, pieces: list[Piece]) -> Piece:
    """`how many different titles`: documents, unless a title also names the documents."""
    names = [meaning.prop for meaning in pieces[-1].load or () if meaning.prop.own]
    return cover("M", pieces, Measure("distinct", names[0].field) if names else Measure("count"))


def _heads(reader: Reader, piece: Piece) -> bool:
    """Whether the number heads its phrase: `number of teachers in Westfield`, not `show the number
    of teachers`.
    """
    before = {token.lower for token in reader.tokens[: piece.start]}
    return before <= {"what", "is", "the", "was", "are", "tell", "give", "me", "please"}


def _how_many_of_others(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """`how many suppliers in Poland`: Poland is not a supplier."""
    prop = pieces[1].load[0].prop
    if prop.numeric or prop.kind == "bool" or not pieces[1].load[0].whole:
        return None
    return _how_many(reader, pieces)


def _bound(reader: Reader, pieces: list[Piece]) -> Piece | None:
    measured = tagged(pieces, "MA")[0]
    measure = measured.load if measured.tag == "M" else Measure(measured.load)
    numbers = [piece for piece in pieces if piece.tag in "ND"]
    values = [quantity_of(piece) for piece in numbers]
    if any(value is None for value in values) or not values or values[0] is None:
        return None
    words = tagged(pieces, "Cp")
    if words and numbers[0].tag == "D" and words[0].load in _OF_TIME:
        return None
    counted = measure.field is None and measure.func == "count"
    if counted and values[0].unit is not None and by_unit(reader, numbers[0]) is not None:
        return None  # "how many cases took less than 200 days"
    if measured.tag == "A" and measure.func != "count" and values[0].unit is not None:
        about = by_unit(reader, numbers[0])  # "lines whose delays average over 130 minutes"
        measure = Measure(measure.func, None if about is None else about.field)
    upper = values[1] if len(values) > 1 else None
    op = "between" if upper is not None else str(words[0].load) if words else "eq"
    op = {"after": "gt", "before": "lt", "since": "ge", "until": "le"}.get(op, op)
    return cover("Z", pieces, Bound(measure, op, values[0], upper))


_OF_TIME = frozenset({"after", "before", "since", "until"})


def quantity_of(piece: Piece) -> Quantity | None:
    if piece.tag == "N":
        load: Quantity = piece.load
        return load
    year = piece.load.year
    return None if year is None else Quantity(float(year))


def _bound_of_times(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`cited fewer than 50 times`, if a number records how often."""
    prop = reader.choose(pieces[0], lambda p: p.numeric)
    phrase = reader.words(pieces[-1:]).lower()
    quantity = quantity_of(tagged(pieces, "ND")[0])
    if (
        prop is None
        or prop.kind != "int"
        or phrase not in ("times", "occasions")
        or quantity is None
    ):
        return None
    return cover("F", pieces, compare(prop, str(tagged(pieces, "Cp")[0].load), quantity.value))


def _counted_bound(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """C N E: `with more than 5 accidents`."""
    value = quantity_of(tagged(pieces, "ND")[0])
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


def key(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """g y P, per P, by month: one or more properties, or a time span."""
    named, spans = tagged(pieces, "P"), tagged(pieces, "Y")
    if not named and not spans:
        return None
    if named and named[0].load[0].prop.kind == "bool" and pieces[0].tag == "e":
        between = reader.tokens[pieces[0].end : named[0].start]
        if any(token.lower in ("is", "are", "was", "were") for token in between):
            return None
    props = [reader.any_property(piece) for piece in named]
    if len(props) == 1 and len(pieces) == 2 and is_rate(reader, pieces[0], props[0]):
        return None
    _refuse_measured(reader, named, props)
    bucket: Bucket | None = spans[0].load if spans else None
    if bucket is None:
        return cover("K", pieces, Key(tuple(prop.field for prop in props)))
    dated = [prop.field for prop in props if prop.dated]
    others = [prop.field for prop in props if not prop.dated]
    if dated:
        return cover("K", pieces, Key((dated[0], *others), bucket))
    timed = time_key(reader, bucket, pieces)
    return cover("K", pieces, Key((*timed.fields, *others), timed.bucket))


def is_rate(reader: Reader, word: Piece, prop: Property) -> bool:
    """`revenue per employee`: a number with nearly as many values as documents is no group key."""
    if word.tag != "e" or reader.words([word]).lower() != "per" or prop.kind != "int":
        return False
    table = reader.vocabulary.collection.table
    return not prop.is_year and prop.unit is None and 2 * table[prop.field].n_unique() > len(table)


def _refuse_measured(reader: Reader, named: list[Piece], props: list[Property]) -> None:
    """`per square metre`: a measurement has nearly as many values as there are documents."""
    for piece, prop in zip(named, props, strict=True):
        if prop.kind == "float" and prop.unit is not None:
            words = reader.words([piece])
            reason = f"“{words}” is measured, so nearly every document would be a group by itself"
            raise Unclear("wrong_type", words, reason)


def dated_key(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`published each year`: the property determines the date."""
    prop = reader.choose((tagged(pieces, "P") or tagged(pieces, "E"))[0], lambda p: p.dated)
    if prop is None:
        return None
    return cover("K", pieces, Key((prop.field,), tagged(pieces, "Y")[0].load))


def time_key(reader: Reader, bucket: Bucket, pieces: list[Piece]) -> Key:
    """`per year`, `monthly`: by a property of years, or by parts of a date."""
    prop = counted_time(reader, bucket)
    if prop is None:
        words = reader.words(pieces)
        raise Unclear(
            "unknown_property", words, f"no property contains dates, so there is no {bucket}"
        )
    if prop.is_year:
        return Key((prop.field,))
    others = [p for p in reader.vocabulary.properties if p.dated and p is not prop]
    if others and prop.field not in reader.in_use:
        reader.assume(f"took the {bucket} to be that of {prop.label}, not of {others[0].label}")
    return Key((prop.field,), bucket)


def longer_key(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """K & P, K K: a key of several fields."""
    first: Key = pieces[0].load
    last = pieces[-1]
    if len(pieces) == 2 and last.tag == "P" and last.load[0].prop.kind == "bool":
        # "in each country are randomised" is a statement about the group
        return None
    between = {token.lower for token in reader.tokens[pieces[0].end : last.start]}
    if last.tag == "P" and "with" in between and _is_amount(reader.any_property(last)):
        # "per company with the total": a measure of each group
        return None
    if last.tag == "K":
        second: Key = last.load
    else:
        made = key(reader, [last])
        if made is None:
            return None
        second = made.load
    if second.bucket is not None and first.bucket is None:
        first, second = second, first
    fields = tuple(dict.fromkeys((*first.fields, *second.fields)))
    return cover("K", pieces, Key(fields, first.bucket))


def _is_amount(prop: Property) -> bool:
    """Whether a property is for calculation and not for grouping."""
    return prop.numeric and not (prop.is_year or prop.key)


def by(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """y P: a key if the property has few distinct values, undecided for a number or date."""
    if tagged(pieces, "Y"):
        return key(reader, pieces)
    props = [piece.load[0].prop for piece in tagged(pieces, "P")]
    if any((prop.numeric and not prop.is_year) or prop.dated for prop in props):
        return cover("B", pieces, tagged(pieces, "P")[0].load)
    return key(reader, pieces)


MEASURE_RULES: tuple[Rule, ...] = (
    rule(r"\^", _how_much_of_it),
    rule(r"A(?:(?:,?&|,)?A)*v?#?P", _measure),
    rule(r"A,?#E?P", _measure),
    rule(r"#vE?P", _how_many),
    rule(r"#vE", _how_many_different),
    rule(r"#P(?=V)", _how_many_of_others),
    rule(r"A?#E", _count),
)

BOUND_RULES: tuple[Rule, ...] = (
    rule(r"[MA]E?,?C[ND](?!P)|[MA][ND]p(?!P)", _bound),
    rule(r"P(?:C[ND]|[ND]p)E", _bound_of_times),
    rule(r"C[ND]E|[ND]pE|[ND]Ep", _counted_bound),
)

COUNT_RULES: tuple[Rule, ...] = (rule(r"#P(?![Cp])", _how_many),)
