"""From pieces to orders and limits, with the rules that also make keys of groups."""

from dataclasses import replace

from backend.language.nouns import singular
from backend.language.units import measure_of
from backend.plans.reading.cascade import Reader, Rule, Unclear, cover, rule, tagged
from backend.plans.reading.comparing import stated
from backend.plans.reading.good_and_bad import judged
from backend.plans.reading.moments import counted_time, moment
from backend.plans.reading.phrasing import (
    KEY,
    Cut,
    End,
    Measure,
    Order,
    by,
    dated_key,
    key,
    longer_key,
    quantity_of,
)
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.subjects import duration_property, hinted
from workbench.contract.plan_nodes import BasicFilter


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
        descending = piece.load if isinstance(piece.load, bool) else piece.load in _DOWNWARD
        if piece.load in ("newest", "oldest"):
            field, _ = _required(reader, "date", pieces)
        elif not isinstance(piece.load, bool):
            field = KEY
    for piece in extremes:
        descending, hint = piece.load
        judging = reader.words([piece]).lower() in ("best", "worst")
        if judging and reader.present is None and not tagged(pieces, "PB"):
            way = "highest" if descending else "lowest"
            reader.assume(f"took “{reader.words([piece])}” to mean the {way}")
        if hint == "count":
            measure = Measure("count")
        elif hint is not None and not tagged(pieces, "PBMA"):
            field, turned = _required(reader, hint, pieces)
            descending = descending != turned
    for piece in tagged(pieces, "PB"):
        prop = reader.choose(piece, lambda p: p.numeric or p.dated) if extremes else None
        field = (prop or reader.any_property(piece)).field
        if extremes and prop is not None:
            descending = judged(reader, extremes[0], prop, bool(descending))
            timed = prop.unit is not None and measure_of(prop.unit.name) == "time"
            if timed and extremes[0].load[1] == "speed":
                descending = not descending  # the quickest takes the least time
    for piece in tagged(pieces, "M"):
        measure = piece.load
        prop = reader.vocabulary.get(piece.load.field or "")
        if extremes and prop is not None:
            descending = judged(reader, extremes[0], prop, bool(descending))
    for piece in tagged(pieces, "A"):
        measure = Measure(piece.load)
    if tagged(pieces, "#") or (extremes and tagged(pieces, "E") and not (field or measure)):
        measure = Measure("count")
    marks = tagged(pieces, "sdT")
    named = bool(tagged(pieces, "PBMA#")) and not _dated_noun(reader, pieces)
    named = named or field == KEY
    return cover(
        "H", pieces, Order(field, measure, descending, bool(extremes) and not marks, named)
    )


_DOWNWARD = frozenset({"newest", "name down"})


def _dated_noun(reader: Reader, pieces: list[Piece]) -> bool:
    """`most recent application`: a document, even if its date is described with that noun."""
    hints = {piece.load[1] for piece in tagged(pieces, "X")}
    words = [reader.words([piece]).lower() for piece in tagged(pieces, "P")]
    return bool(hints & {"date", "age"}) and not any("date" in w or "day" in w for w in words)


_INSTEAD = {"speed": "duration", "duration": "length"}
"""The fallback if no property has what an adjective hints at."""


def _required(reader: Reader, hint: str, pieces: list[Piece]) -> tuple[str, bool]:
    """The field that an adjective hints at, and whether its order is reversed: the quickest takes
    the least time, the oldest has the highest age.
    """
    newest = hint == "age" and "newest" in reader.words(pieces).lower().split()
    prop = moment(reader, of_making=True) if newest else hinted(reader, hint)
    if prop is not None:
        return prop.field, hint == "age" and prop.is_age
    other = duration_property(reader) if hint == "speed" else None
    if other is None and hint in _INSTEAD:
        other = hinted(reader, _INSTEAD[hint])
    if other is not None and hint == "speed":
        reader.assume(f"took “{reader.words(pieces)}” to be by {other.label}")
    if other is not None:
        return other.field, hint == "speed"
    words = reader.words(pieces)
    names = [p.label for p in reader.vocabulary.properties if p.numeric]
    reason = f"“{words}”: no property has a {hint}"
    raise Unclear("unknown_property", words, reason, names)


def _sized(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """Reorders `the 3 smallest works` to `smallest 3 works`."""
    limit = pieces[1] if pieces[1].tag == "L" else _limit(reader, [pieces[1]])
    order = _superlative(reader, [pieces[0], pieces[2]])
    if limit is None or not isinstance(order, Piece):
        return None
    return [limit, order]


def _both_ends(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`difference between the longest and the shortest span`."""
    marks, named = tagged(pieces, "X"), tagged(pieces, "P")
    hint = marks[0].load[1]
    if named:
        prop = reader.choose(named[0], lambda p: p.numeric)
    else:
        prop = None if hint is None else reader.vocabulary.get(_required(reader, hint, pieces)[0])
    if prop is None or {mark.load[0] for mark in marks} != {True, False}:
        return None
    ends = [Measure("max", prop.field), Measure("min", prop.field)]
    return [cover("M", [mark], end) for mark, end in zip(marks, ends, strict=True)]


def _participle_behind(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`cheapest lot sold`: the date of sale is not the criterion."""
    mark, _, named = pieces
    if mark.load[1] in (None, "count", "date", "age") or not named.load[0].prop.dated:
        return None
    order = _superlative(reader, pieces[:2])
    return [order, named] if isinstance(order, Piece) else None


def _function_of_extreme(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`on average the highest dose`."""
    function, mark, named = pieces
    prop = reader.choose(named, lambda p: p.numeric)
    if prop is None or mark.load[1] is not None or not reader.words([function]).startswith("on "):
        return None
    order = Order(None, Measure(function.load, prop.field), mark.load[0], extreme=True)
    return [cover("H", pieces, order)]


def _extreme_of_groups(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`cheapest cuisine on average`: the group with the lowest average."""
    mark, noun, function = pieces
    prop = noun.load[0].prop
    if mark.load[1] in (None, "count") or not prop.worded or prop.own:
        return None
    field, turned = _required(reader, mark.load[1], [mark])
    measure = Measure(function.load, field)
    order = Order(None, measure, mark.load[0] != turned, extreme=True)
    return [noun, cover("H", [mark, function], order)]


def _extreme_time(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the deadliest year`, `the busiest month`: the time span with the highest total."""
    mark, span = pieces
    hint = mark.load[1]
    if hint in (None, "date", "age", "speed"):
        return None
    if hint == "count":
        order = Order(None, Measure("count"), mark.load[0], extreme=True)
    else:
        field, turned = _required(reader, hint, [mark])
        order = Order(None, Measure("sum", field), mark.load[0] != turned, extreme=True)
    return [span, cover("H", [mark], order)]


def _of_its_own(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the cheapest per portion`, if its cost is per portion."""
    mark, _, noun = pieces
    if mark.load[1] in (None, "count"):
        return None
    field, turned = _required(reader, mark.load[1], [mark])
    prop = reader.vocabulary.get(field)
    word = singular(reader.words([noun]).lower())
    if prop is None or f"per {word}" not in prop.label:
        return None
    return cover("H", pieces, Order(field, None, mark.load[0] != turned, extreme=True, named=False))


def _ranked_groups(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`rank the buildings by average rent`: groups, and the number that orders them."""
    prop = pieces[1].load[0].prop
    single = prop.kind in ("string", "array") and not (prop.own or prop.key)
    return pieces[1:] if single and reader.present is None else None


def _order_of_groups(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`cases per year, earliest year first`, `average days per judge, slowest judge at the top`,
    `the lab with most on top`.
    """
    noun, mark = sorted(pieces[-3:-1], key=lambda p: p.tag == "X")
    descending, hint = mark.load
    named = noun.tag == "P" and noun.load[0].prop.dated
    if len(pieces) == 3 and not (reader.present and reader.present.keys):
        if not named or hint not in ("date", "age"):
            return None
        order = Order(reader.any_property(noun).field, None, descending)
        return [cover("H", pieces, order)]  # "closed in 2025, newest closing first"
    dated = noun.tag == "Y" or named
    order = Order(None, None, descending != (hint == "speed"))
    if hint == "count":
        order = Order(None, Measure("count"), descending)
    elif dated or hint in ("date", "age"):
        order = Order(KEY, None, descending)
    return [*pieces[:-3], cover("H", pieces[-3:], order)]


def _by_time(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`sorted by year, newest first`, where documents are listed."""
    if reader.present is not None:
        return None
    timed = counted_time(reader, tagged(pieces, "Y")[0].load)
    if timed is None:
        return None
    marks = tagged(pieces, "dX")
    descending = bool(marks) and marks[0].load in (True, "newest", (True, "age"), (True, "date"))
    return cover("H", pieces, Order(timed.field, None, descending))


def _hinted_measure(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`most expensive on average`: the measure follows from the adjective."""
    descending, hint = pieces[0].load
    if hint in (None, "count", "date", "age"):
        return None
    field, turned = _required(reader, hint, pieces)
    function = pieces[-1].load
    order = Order(None, Measure(function, field), descending != turned, extreme=True)
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


def _beside_fact(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`most recent fatal accident`: the most recent among the fatal ones."""
    mark, named = pieces
    prop, hint = named.load[0].prop, mark.load[1]
    of_time = hint in ("date", "age") and prop.numeric
    condition = stated(reader, named, prop)
    if condition is None or not (of_time or (prop.kind == "bool" and hint is not None)):
        return None
    return [mark, cover("F", [named], condition)]


def _superlative(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """X P, X M, X E: the highest or lowest of something."""
    hint = pieces[0].load[1]
    if (groups := _extreme_place(reader, pieces)) is not None:
        return groups
    if len(pieces) == 2 and hint != "count" and _is_noun(reader, pieces[1], hint):
        # "biggest school", "oldest instruments": the documents themselves
        pieces = [pieces[0], replace(pieces[1], tag="E", load=[])]
    named = tagged(pieces, "P")
    first = tagged(pieces, "X")[0]
    kept = _distinct_things(reader, first, named, pieces)
    if kept is not None:
        return kept
    timed = bool(named) and named[0].load[0].prop.dated and pieces[-1].tag == "P"
    if timed and tagged(pieces, "E") and first.load[1] is None:
        # "most trials were started": a count, with its time elsewhere
        order = Order(None, Measure("count"), first.load[0], extreme=True)
        return [cover("H", pieces[:2], order), named[0]]
    if named and tagged(pieces, "X")[0].load[1] == "count":
        descending = tagged(pieces, "X")[0].load[0]
        order = Order(None, Measure("count"), descending, extreme=True)
        return [named[0], cover("H", tagged(pieces, "X"), order)]
    fact = named[0].load[0].prop if named else None
    if fact is not None and fact.kind == "bool" and tagged(pieces, "X")[0].load[1] is None:
        # "the fewest cancellations": the number of documents with that fact
        condition = BasicFilter(field=fact.field, query=True, match="exact")
        order = Order(None, Measure("count"), tagged(pieces, "X")[0].load[0], extreme=True)
        return [cover("H", tagged(pieces, "X"), order), cover("F", named, condition)]
    if named and not any(m.prop.numeric or m.prop.dated for m in named[0].load):
        return None
    alone = not tagged(pieces, "PMAE#")
    if alone and tagged(pieces, "X")[0].load[1] is None:
        return None
    return _sorted(reader, pieces)


def _extreme_place(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the deadliest city`: groups compared by their total."""
    mark, named = pieces[0], pieces[-1]
    if len(pieces) != 2 or named.tag != "P" or mark.load[1] in (None, "count", "date", "age"):
        return None
    prop, counted = named.load[0].prop, hinted(reader, mark.load[1])
    counts = reader.vocabulary.values.counts.get(prop.field, {})
    shared = prop.worded and 0 < 2 * len(counts) <= sum(counts.values())
    plain = counted is not None and counted.kind == "int" and counted.unit is None
    if not shared or prop.own or prop.key or counted is None or not plain or counted.is_year:
        return None
    order = Order(None, Measure("sum", counted.field), mark.load[0], extreme=True)
    return [named, cover("H", [mark], order)]


def _is_noun(reader: Reader, piece: Piece, hint: str | None) -> bool:
    words = piece.tag == "P" and piece.load[0].prop.worded
    if words and hint is not None:
        reader.assume(f"took “{reader.words([piece])}” to mean the documents")
        return True
    return words and reader.tokens[piece.end - 1].stem in reader.vocabulary.nouns


def _distinct_things(
    reader: Reader, mark: Piece, named: list[Piece], pieces: list[Piece]
) -> Piece | None:
    """`visited the most schools`: the number of distinct ones."""
    if not _of_number(reader, mark) or len(named) != 1:
        return None
    if named[0].load[0].prop.kind not in ("string", "array"):
        return None
    prop = named[0].load[0].prop
    order = Order(None, Measure("distinct", prop.field), mark.load[0], extreme=True)
    return cover("H", pieces, order) if pieces[-1] is named[0] else None


def _of_number(reader: Reader, mark: Piece) -> bool:
    return reader.words([mark]).lower().removeprefix("the ") in ("most", "fewest", "least")


def _limit(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """T N, l N, N E: the number to keep."""
    number = quantity_of((tagged(pieces, "ND") or [Piece("N", 0, 1, Quantity(1))])[0])
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


def _trailing_superlative(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """`where the average rent is highest`, `which city has the most`."""
    first, last = pieces
    descending, hint = last.load
    if first.tag == "M":
        return cover("H", pieces, Order(None, first.load, descending, extreme=True))
    numeric = reader.choose(first, lambda p: p.numeric or p.dated)
    if numeric is not None and numeric.dated and _of_number(reader, last):
        # "which member returned the most": the number of documents, whatever their date
        return cover("H", pieces, Order(None, Measure("count"), descending, extreme=True))
    if numeric is not None and hint is None and first.load[0].prop in (numeric,):
        return cover("H", pieces, Order(numeric.field, None, descending, extreme=True))
    if hint not in (None, "count"):
        return None
    measure = Measure("count") if hint == "count" else None
    return [first, cover("H", [last], Order(None, measure, descending, extreme=True))]


def _grew_fastest(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`which company grew the fastest on average`: the highest growth."""
    prop = reader.choose(pieces[0], lambda p: p.numeric)
    mark, functions = pieces[1], pieces[2:]
    if prop is None or mark.load[1] != "speed" or _lasts(prop):
        return None
    measure = Measure(functions[0].load, prop.field) if functions else None
    field = None if functions else prop.field
    return cover("H", pieces, Order(field, measure, mark.load[0], extreme=True))


def _lasts(prop: Property) -> bool:
    return prop.unit is not None and measure_of(prop.unit.name) == "time"


def _dated_last(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the trial started last`, `signed most recently`."""
    prop = reader.choose(pieces[0], lambda p: p.dated)
    mark = pieces[1]
    if (
        prop is None
        or not pieces[0].load[0].prop.dated
        or (mark.tag == "X" and mark.load[1] not in ("date", "age"))
    ):
        return None
    descending = mark.load[0] if mark.tag == "X" else mark.load in ("last", "top")
    return cover("H", pieces, Order(prop.field, None, descending, extreme=True))


def _few_extremes(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the 5 lowest`: by the plan's current order."""
    mark = tagged(pieces, "X")[0]
    made = tagged(pieces, "L")
    limit = made[0] if made else _limit(reader, tagged(pieces, "N"))
    if limit is None or mark.load[1] not in (None, "count"):
        return None
    return [limit, cover("H", [mark], Order(None, None, mark.load[0], extreme=True, named=False))]


def _counted_superlative(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`lowest five temperatures`: the number is a limit, not a value to compare with."""
    limit = _limit(reader, [pieces[1]])
    order = _superlative(reader, [pieces[0], *pieces[2:]])
    if limit is None or order is None:
        return None
    return [limit, *(order if isinstance(order, list) else [order])]


def _merge(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """A property followed by a direction alone: `by revenue descending`."""
    order: Order = pieces[-1].load
    if order.field is not None or order.measure is not None or order.extreme:
        return None
    first = pieces[0]
    if first.tag == "M":
        return cover("H", pieces, Order(None, first.load, order.descending))
    prop = reader.any_property(first)
    descending = order.descending
    if descending is not None:
        descending = judged(reader, pieces[-1], prop, descending)
    return cover("H", pieces, Order(prop.field, None, descending))


def _top(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`top country by …`: a single one; a plural means only the order."""
    phrase = reader.words(pieces[:1]).lower()
    timed = phrase in ("first", "last") and reader.present is None
    if not timed and (pieces[0].load not in ("top", "bottom") or phrase not in _TOPS):
        return None
    noun = reader.tokens[pieces[0].end] if pieces[0].end < len(reader.tokens) else None
    if noun is None or singular(noun.text) != noun.lower:
        return None
    return cover("L", pieces, Cut(1, pieces[0].load))


_TOPS = frozenset({"top", "bottom"})


PHRASE_RULES: tuple[Rule, ...] = (
    rule(r"T(?=[PE])", _top),
    rule(r"[ls]?C?T[zy]?N|lE?z?C?N|TlN", _limit),
    rule(r"C?N(?=E|X)", _limit),
    rule(r"s?E?d[yz]?(?:[PM]E?|#E)", _sorted),
    rule(r"^[so]P[yz](?=M|A#?P)", _ranked_groups),
    rule(r"(?:[ey][PY]|[ey]YP|K),?X[PYE][fT]|(?:^|(?<=,))(?:X[PYE]|PX)[fT]$", _order_of_groups),
    rule(r"PXA?(?![PMNEv#])", _grew_fastest),
    rule(r"[PM]X(?![PMNEvA#])", _trailing_superlative),
    rule(r"(?<!X)P[XT](?![PMNEvA#])", _dated_last),
    rule(r"XN(?![PMEC])|[NL]X(?![PMEvA#])", _few_extremes),
    rule(r"XE?A(?!P)", _hinted_measure),
    rule(r"X[NL]E", _sized),
    rule(r"(?<==)XE?(?:,?&|t)X[PE]?", _both_ends),
    rule(r"XEP(?!X)", _participle_behind),
    rule(r"AXP", _function_of_extreme),
    rule(r"(?<![yesg])XY", _extreme_time),
    rule(r"XPA$", _extreme_of_groups),
    rule(r"XeP", _of_its_own),
    rule(r"s[yz]*Y(?:,?[dX]T?)?(?!.*K)", _by_time),
    rule(r"dT?|X[Eg]?T", _sorted),
    rule(r"sE?[yz]?(?:[PM#]E?|A)(?:,?y?[dH]T?)?|s[dH][yz]?[PM#]|s[yz]?X[PM#E]?T?", _sorted),
    rule(r"XP(?=[EF])", _beside_fact),
    rule(r"XF+E?", _among_filters),
    rule(r"XN[PM]", _counted_superlative),
    rule(r"X(?=N)", _superlative),
    rule(r"XEP", _superlative),
    rule(r"X[vE]?(?:[PM]|#E?|A#E?)T?|XE?", _superlative),
    rule(r"PE?(?:gy?|y|e)Y|E(?:gy?|y|e)Y|(?:gy?|y|e)[PE]Y", dated_key),
    rule(r"gf?[yez]+(?:[PY](?:,?[&y]+|,)?)+|gf?(?:[PY](?:,?[&y]+|,)?)+(?!.*y[PY])|ez?[PY]", key),
    rule(r"y(?:[PY](?:,?&|,)y?)*[PY]", by),
    rule(r"K(?:,?&|,)?w?(?:[PYK])(?![CpmhnjVDF])", longer_key),
    rule(r"y#E?|yM|yA", _sorted),
    rule(r"[PMB],?H", _merge),
    rule(r"HN", _just_one),
    rule(r"vP", _distinct),
)
