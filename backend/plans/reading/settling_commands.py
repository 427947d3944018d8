"""Resolves words of a command by their neighbours: what is removed, replaced or added.

`forget the organic part` names one thing, `the second one` a filter, `by state, not city` replaces
one by the other. Builders for the rules in `settling`.
"""

from dataclasses import replace

from backend.plans.reading.cascade import Reader, cover
from backend.plans.reading.pieces import Piece, Quantity
from workbench.contract.plan_nodes import BasicFilter

NEW = ";"
"""Between the old and the new."""


def exchanged(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`not city but state`, like `state instead of city`."""
    _, before, mark, after = pieces
    if before.tag != after.tag or mark.load != "but":
        return None
    return [after, replace(mark, tag="I", load=None), before]


def not_the_other(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`by state, not city`, like `by state instead of city`."""
    before, _, no, after = pieces
    if reader.words([no]).lower().split()[-1] != "not":
        return None  # "in York, with no delay"
    return [before, replace(no, tag="I", load="not"), after] if before.tag == after.tag else None


def those_in_which(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`without those in which …`: the condition follows."""
    before = reader.tokens[pieces[0].start - 1].lower if pieces[0].start else ""
    return [] if before in ("those", "ones", "any", "all") else None


def joined(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`Texas as well as Ohio`, `Texas and also Ohio`."""
    if pieces[0].tag != pieces[-1].tag or reader.words(pieces[-2:-1]).lower() == "include":
        return None
    return [pieces[0], replace(pieces[-2], tag="&", load=None), pieces[-1]]


def threshold(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the threshold should be 60`: that of a filter in the plan."""
    bounded = reader.present is not None and any(c.range_filter for c in reader.present.filters)
    return [replace(pieces[0], tag="c", load=None)] if bounded else None


def bounded_limit(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the customer limit`, `the enrolment minimum`: the bound of a filter in the plan."""
    if reader.present is None:
        return None
    named, noun = pieces
    ends = {"min": ("start",), "max": ("end",)}.get(str(noun.load), ("start", "end"))
    bounds = [c for m in named.load[:1] for c in reader.present.on(m.prop.field) if c.range_filter]
    if any(_one_sided(c) and getattr(c, end) is not None for c in bounds for end in ends):
        verb = Piece("c", named.start, named.start)
        return [verb, named]  # a number moves the existing bound
    if not named.load[0].prop.numeric or noun.tag != "A" or noun.load not in ("min", "max"):
        return None
    return [named, replace(noun, tag="C", load="ge" if noun.load == "min" else "le")]


def numbered_values(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`phases 1, 2 and 3`, `change the phase to 4`: numbers at the end of values, as in Phase 3."""
    named = pieces[0]
    if named.tag == "V":
        pairs = {(field, str(value)) for field, value in named.load}
    else:
        prop = named.load[0].prop
        values = reader.vocabulary.values_of(prop.field) if prop.worded else []
        pairs = {(prop.field, value) for value in values}
    ended = {(field, text.rpartition(" ")[0]) for field, text in pairs if text[-1:].isdigit()}
    made = [named]
    for piece in pieces[1:]:
        if piece.tag != "N":
            made.append(piece)
            continue
        meant = [
            (field, value)
            for field, start in ended
            for value in reader.vocabulary.values_of(field)
            if value == f"{start} {piece.load.value:g}"
        ]
        if len(meant) != 1 or piece.load.unit is not None:
            return None
        made.append(replace(piece, tag="V", load=meant))
    return made


def bound_itself(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the minimum should be 20`: that of the only filter with one."""
    end = {"min": "start", "max": "end"}.get(str(pieces[0].load))
    filters = () if reader.present is None else reader.present.filters
    ranges = [c for c in filters if c.range_filter and not c.is_date]
    if end is None or len(ranges) != 1:
        return None
    if _one_sided(ranges[0]) and getattr(ranges[0], end) is not None:
        return replace(pieces[0], tag="f", load=None)
    return replace(pieces[0], tag="C", load="ge" if end == "start" else "le")


def _one_sided(condition: BasicFilter) -> bool:
    return (condition.start is None) != (condition.end is None)


def number_of_no_year(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`lower it to 2000`, `cap it at 2000`: an amount, if the plan bounds one number and no
    date.
    """
    last = pieces[-1]
    filters = () if reader.present is None else reader.present.filters
    ranges = [c for c in filters if c.range_filter]
    year = last.load.year if last.end - last.start == 1 else None
    if year is None or len(ranges) != 1 or ranges[0].is_date:
        return None
    prop = reader.vocabulary.get(ranges[0].field)
    if prop is None or not prop.numeric or prop.is_year:
        return None
    words = [reader.words([piece]).lower() for piece in pieces if piece.tag in "oz"]
    timed = any(piece.load in _OF_TIME for piece in pieces if piece.tag == "C")
    bounded = any(piece.tag in "fACl" for piece in pieces)
    if timed or any(words.startswith(_NARROWING) for words in words):
        return None
    if not bounded and not (prop.low is not None and prop.low <= year <= prop.high):
        return None
    return [*pieces[:-1], replace(last, tag="N", load=Quantity(float(year)))]


def others_than(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`other towns than Leeds`."""
    asks_other = reader.words(pieces[:1]).lower() in ("other", "others", "another", "different")
    return cover("x", pieces, None) if asks_other else None


def one_about(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`drop the one about visits`: the filter."""
    following = reader.tokens[pieces[0].end : pieces[0].end + 1]
    points = following and following[0].lower in _CONCERNING
    plain_one = reader.words(pieces).lower() in ("one", "ones")
    return replace(pieces[0], tag="f", load=None) if plain_one and points else None


def ordinal_one(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the second one`."""
    return [] if reader.words(pieces).lower() in ("one", "ones") else None


def whatever_it_is(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`no matter how many visits`, `I do not care what the fee is`: only the name matters."""
    phrase = reader.words(pieces).lower()
    return [] if phrase.startswith(("how", "what", "which", "who", "where")) else None


def widened_to(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`expand the town to Leeds`: the name only says what kind of value Leeds is."""
    mark, named = pieces[0], pieces[1]
    fields = {m.prop.field for m in named.load}
    values = pieces[-1].load
    return [mark, pieces[-1]] if any(field in fields for field, _ in values) else None


def further(reader: Reader, pieces: list[Piece]) -> list[Piece]:
    """`split further by city` adds a key."""
    return [pieces[1], pieces[0], *pieces[2:]]


def stated_to_be(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`those that are also fragile`: about the documents, not an addition to the request."""
    before = reader.tokens[pieces[0].start - 1].lower if pieces[0].start else ""
    also = reader.words(pieces[:1]).lower() in ("also", "too", "as well")
    return [] if also and before in _BEING else None


def counts_too(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`dance should count too`: include it."""
    word = reader.words(pieces).lower()
    before = reader.tokens[pieces[0].start - 1].lower if pieces[0].start else ""
    object_behind = reader.tokens[pieces[0].end : pieces[0].end + 1]
    if object_behind and object_behind[0].lower in ("them", "those", "these", "the", "how"):
        return None
    return [] if word in ("count", "counts") and before in _ADMITTING else None


def without_key(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`without the phase` removes a group key or filter of that name."""
    if reader.present is None:
        return None
    named = pieces[1].load[0].prop.field
    definite = reader.tokens[pieces[1].start - 1].lower in ("the", "that", "this")
    fields = {c.field for c in reader.present.filters if c.exists is None} if definite else set()
    measured = definite and pieces[1].load[0].prop.numeric and named in reader.in_use
    gone = named in reader.present.keys or named in fields or measured
    return [replace(pieces[0], tag="r"), pieces[1]] if gone else None


def described_nouns(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`clear nights, those not clouded out`: the condition explains the adjective."""
    adjective = reader.words(pieces[:1]).lower() == "clear" and pieces[0].end == pieces[1].start
    return pieces[1:] if adjective else None


def by_way_of_exchange(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`replace the price by the score`."""
    exchanging = reader.words(pieces[:1]).lower() in ("replace", "swap", "substitute", "exchange")
    return [*pieces[:-1], replace(pieces[-1], tag=NEW)] if exchanging else None


def lowered(reader: Reader, pieces: list[Piece]) -> Piece:
    """`drop that to 20` changes a number and removes nothing."""
    return replace(pieces[0], tag="c", load=None)


def counts_as_one(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`exactly 10 counts too`; `count them too` is a request."""
    if pieces[0].start == 0:
        return None
    return [] if reader.words(pieces).lower() in ("count", "counts") else None


def called_so(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`remove the condition`, if a property in the plan has that name."""
    meanings = reader.vocabulary.meanings([reader.tokens[pieces[0].start].stem])
    named = [m for m in meanings if m.prop.field in reader.in_use]
    stem = reader.tokens[pieces[0].start].stem
    named = [m for m in named if stem in {*m.prop.parts, *m.prop.weak, *m.prop.described}]
    single = pieces[0].end - pieces[0].start == 1
    return replace(pieces[0], tag="P", load=named) if named and single else None


_OF_TIME = frozenset({"after", "before", "since", "until"})
_NARROWING = ("only", "just", "keep", "restrict", "limit", "narrow", "filter", "until", "till",
              "through", "focus")  # fmt: skip
_CONCERNING = frozenset({"about", "on", "for", "with", "regarding", "concerning", "by"})
_BEING = frozenset(["that", "which", "who", "are", "is", "were", "was", "have", "has", "must"])
_ADMITTING = frozenset(["should", "also", "may", "can", "does", "do", "will", "not", "to"])
