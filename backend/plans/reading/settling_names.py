"""Resolves names and values by their neighbours: `a light limit of 50 lux`, `Q3 2023`, `road should
be air`, redundant words.
"""

from dataclasses import replace

from backend.language.common_words import is_past
from backend.plans.reading.cascade import Reader, Rule, cover, rule
from backend.plans.reading.described_verbs import DESCRIBED_VERB_RULES
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.vocabulary import Meaning


def _done_by(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`leases arranged by Dana Whitfield`: with a value the verb does not sort but says who
    did it.
    """
    verb, _, value = pieces
    past = is_past(reader.tokens[verb.start].lower) and verb.start > 0
    named = [reader.vocabulary.get(field) for field, _ in value.load]
    string = any(prop is not None and prop.worded for prop in named)
    return [value] if past and string else None


def _limit_of_a_thing(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`a light limit of 50 lux`: a number of the property in lux."""
    number, named = pieces[-2:]
    prop, word = named.load[0].prop, reader.tokens[named.end - 1]
    joined = pieces[0].end == pieces[1].start and named.end - named.start == 1
    unit = joined and prop.numeric and word.stem in {*prop.suffix, prop.parts[-1]}
    return [named, number] if unit and isinstance(number.load, Quantity) else None


def _named_by_its_kind(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`in poor condition`, if the condition is a property."""
    value, noun = pieces
    noun_stem = reader.tokens[noun.start].stem
    properties = [reader.vocabulary.get(field) for field, _ in value.load]
    return (
        [value]
        if any(prop is not None and noun_stem in prop.parts for prop in properties)
        else None
    )


def _should_be(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`road should be air`: replaces one value by the other."""
    old, verb, new = pieces
    fields = {field for field, _ in old.load} & {field for field, _ in new.load}
    if reader.present is None or "be" not in reader.words([verb]).lower().split() or not fields:
        return None
    return [new, replace(verb, tag="I", load=None), old]


def _lowest_instead(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the lowest one instead of the average`: the other measure of the same property."""
    high, hint = pieces[0].load
    if hint not in (None, "count") or reader.present is None:
        return None
    return cover("A", pieces, "max" if high else "min")


def _best(piece: Piece) -> list[Meaning]:
    """The meanings of a name that are as good as the first."""
    return [m for m in piece.load if m.score > 0.95 * piece.load[0].score]


NAME_RULES: tuple[Rule, ...] = (
    *DESCRIBED_VERB_RULES,
    rule(r"[EP]lz?NP", _limit_of_a_thing),
    rule(r"Vf", _named_by_its_kind),
    rule(r"^VoV$", _should_be),
    rule(r"XN?(?=IA)", _lowest_instead),
    rule(r"[sg]yV", _done_by),
)
