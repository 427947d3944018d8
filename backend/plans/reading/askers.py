"""Resolves `who`: the property with the people who did what the verb says."""

from collections.abc import Sequence

from backend.language.synonyms import root
from backend.language.tokens import Token
from backend.language.words import stem
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Meaning, Vocabulary

_AUXILIARIES = frozenset(
    """
    is are was were has have had did does do can could will would usually often actually
    """.split()  # noqa: SIM905
)


_RUNS = frozenset(
    """
    runs run ran leads led heads headed manages managed directs directed chairs chaired
    """.split()  # noqa: SIM905
)
_OFFICES = frozenset(
    stem(word)
    for word in """
    officer ceo chief director manager head president chair chairman leader executive principal
    """.split()  # noqa: SIM905
)
"""Offices of people who run something."""


def with_person(
    pieces: Sequence[Piece], tokens: Sequence[Token], vocabulary: Vocabulary
) -> list[Piece]:
    """The pieces of a clause that begins with `who`, with the property that it asks for.

    `who inspected the most bridges` asks for inspectors, `who leads …` for those whom the schema
    describes as leading. Unchanged if no property or several qualify.
    """
    made = list(pieces)
    place = next((i for i, piece in enumerate(made) if piece.tag == "W"), len(made))
    if any(piece.tag not in _BEFORE for piece in made[:place]) or place == len(made):
        return made
    first = made[place]
    if tokens[first.start].lower != "who":
        return made
    verb = first.end
    while verb < len(tokens) and tokens[verb].lower in _AUXILIARIES:
        verb += 1
    definite = first.end < verb < len(tokens) and tokens[verb].lower in _DEFINITE
    if definite and any(piece.tag == "P" and piece.start == verb + 1 for piece in made):
        return made  # "who are the landlords" names them
    prop = _doer(tokens[verb] if verb < len(tokens) else None, vocabulary)
    if prop is None or any(_names(piece, prop) for piece in made):
        return made
    person = Piece("P", first.start, max(first.end, verb + 1), [Meaning(prop, 2.0, True)])
    rest = [piece for piece in made[place + 1 :] if piece.start >= person.end]
    return [*made[:place], first, person, *rest]


_DEFINITE = frozenset({"the", "these", "those", "our", "all"})
_BEFORE = frozenset("rxo,&")


def _names(piece: Piece, prop: Property) -> bool:
    return piece.tag == "P" and piece.load[0].prop is prop


def _doer(verb: Token | None, vocabulary: Vocabulary) -> Property | None:
    words = [prop for prop in vocabulary.properties if prop.worded and not prop.key]
    if verb is not None:
        # The stem of a short verb may differ from its noun's: `own` and `owner`.
        wanted = {root(verb.stem), f"{verb.stem}er", f"{verb.stem}or"}
        for parts in ("parts", "described"):
            named = [
                p for p in words if wanted & {*getattr(p, parts), *map(root, getattr(p, parts))}
            ]
            named = [p for p in named if p.of_people] or named
            if len(named) == 1:
                return named[0]
    if verb is not None and verb.lower in _RUNS:
        named = [prop for prop in words if _OFFICES & set(prop.parts)]
        offices = named or [prop for prop in words if _OFFICES & prop.described]
        if len(offices) == 1:
            return offices[0]
    people = [prop for prop in words if prop.of_people]
    return people[0] if len(people) == 1 else None
