"""Names and values that only their neighbours settle: `a light limit of 50 lux`, `Q3 2023`, `road
should be air`, words that say a second time what another says.
"""

from dataclasses import replace

from backend.language.common_words import is_past
from backend.language.nouns import singular
from backend.language.units import measure_of
from backend.plans.reading.amounts import names_money
from backend.plans.reading.cascade import Reader, Rule, cover, rule
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.told_verbs import TOLD_VERB_RULES
from backend.plans.reading.vocabulary import Meaning


def _done_by(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`leases arranged by Dana Whitfield`: values do not sort; the verb says what somebody did."""
    verb, _, value = pieces
    past = is_past(reader.tokens[verb.start].lower) and verb.start > 0
    named = [reader.vocabulary.get(field) for field, _ in value.load]
    string = any(prop is not None and prop.kind == "string" for prop in named)
    return [value] if past and string else None


def _part_of_year(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`Q3 2023`, where a quarter and a year are told apart: the year that goes with the quarter."""
    part, year = pieces
    own = [prop for prop in reader.vocabulary.properties if prop.is_year]
    named = reader.words([part])
    spelt = named[:1].upper() in ("Q", "H") and named[1:].isdigit()
    if not spelt or len(own) != 1 or year.load.year is None or part.end != year.start:
        return None
    return [part, Piece("P", year.start, year.start, [Meaning(own[0], 1.0, True)]), year]


def _in_each_group(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`how many there are in each group`: of the groups that the plan has anyway."""
    grouped = reader.present is not None and reader.present.keys
    return [] if grouped and reader.words(pieces[-1:]).lower() in ("group", "groups") else None


def _by_count(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`top 3 counties by well count`: how many wells there are."""
    mark, noun, count = pieces
    said = reader.words([count]).lower() in ("count", "counts")
    called = noun.tag == "P" and noun.load[0].prop.label == singular(reader.words([noun]).lower())
    return [mark, count] if said and not called else None


def _limit_of_a_thing(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`a light limit of 50 lux`: a number of what is told in lux."""
    number, told = pieces[-2:]
    prop, word = told.load[0].prop, reader.tokens[told.end - 1]
    joined = pieces[0].end == pieces[1].start and told.end - told.start == 1
    unit = joined and prop.numeric and word.stem in {*prop.suffix, prop.parts[-1]}
    return [told, number] if unit and isinstance(number.load, Quantity) else None


def _named_by_its_kind(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`in poor condition`, where the condition is a property."""
    value, noun = pieces
    said = reader.tokens[noun.start].stem
    held = [reader.vocabulary.get(field) for field, _ in value.load]
    return [value] if any(prop is not None and said in prop.parts for prop in held) else None


def _should_be(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`road should be air`: one value in the place of the other."""
    old, verb, new = pieces
    fields = {field for field, _ in old.load} & {field for field, _ in new.load}
    if reader.present is None or "be" not in reader.words([verb]).lower().split() or not fields:
        return None
    return [new, replace(verb, tag="I", load=None), old]


def _lowest_instead(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the lowest one instead of the average`: the other measure of the same."""
    high, hint = pieces[0].load
    if hint not in (None, "count") or reader.present is None:
        return None
    return cover("A", pieces, "max" if high else "min")


def _adds_up_to(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`borrowers whose fees add up to more than 20,000 euros`: their total."""
    named, function, to = pieces
    said = reader.words([to]).lower() == "to" and function.load == "sum"
    return [function, named] if said and named.load[0].prop.numeric else None


def _told_twice(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`left 500 customers without power`: a word of several descriptions and of no name says
    nothing more beside what one of them describes.
    """
    sure = {p.load[0].prop.field for p in pieces if p.tag == "P" and len(_best(p)) == 1}
    for i, piece in enumerate(pieces):
        best = _best(piece) if piece.tag == "P" and piece.end - piece.start == 1 else []
        named = any(reader.tokens[piece.start].stem in m.prop.parts for m in best)
        if len(best) > 1 and not named and sure & {m.prop.field for m in best}:
            denied = i > 0 and pieces[i - 1].tag == "n" and pieces[i - 1].end == piece.start
            return [*pieces[: i - denied], *pieces[i + 1 :]]
    return None


def _money_verb(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`how much rent do they pay`: the verb says nothing more than that it is money."""
    for i, piece in enumerate(pieces):
        if piece.tag != "P" or piece.end - piece.start > 1:
            continue
        prop, token = piece.load[0].prop, reader.tokens[piece.start]
        others = [p.load[0].prop for p in pieces if p.tag == "P" and p is not piece]
        paid = names_money(token.lower) and prop.numeric and token.stem not in prop.parts
        if paid and any(other.unit and measure_of(other.unit.name) == "money" for other in others):
            return [*pieces[:i], *pieces[i + 1 :]]
    return None


def _best(piece: Piece) -> list[Meaning]:
    """The meanings of a name that are as good as the first."""
    return [m for m in piece.load if m.score > 0.95 * piece.load[0].score]


NAME_RULES: tuple[Rule, ...] = (
    rule(r"^.*P.*P.*$", _told_twice),
    rule(r"^.*#.*P.*P.*$", _money_verb),
    *TOLD_VERB_RULES,
    rule(r"eg$", _in_each_group),
    rule(r"y[PE]#$", _by_count),
    rule(r"[EP]lz?NP", _limit_of_a_thing),
    rule(r"Vf", _named_by_its_kind),
    rule(r"^VoV$", _should_be),
    rule(r"XN?(?=IA)", _lowest_instead),
    rule(r"PAz(?=C)", _adds_up_to),
    rule(r"VD", _part_of_year),
    rule(r"[sg]yV", _done_by),
)
