"""Resolves `who` and `where`: the property with the people who did what the verb says, or with the
places; and finds verbs that only say what the documents are.
"""

from collections.abc import Iterable, Sequence

from backend.language.common_words import LIGHT_VERBS, PARTICLES
from backend.language.nouns import singular
from backend.language.synonyms import root
from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS, stem
from backend.plans.reading.chart import Chart
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


_PERSONS = frozenset(
    """
    agent artist assistant attendant captain chef chief clerk client coach company cook crew doctor
    employee expert firm guest guide host judge mechanic member nurse patient person physician pilot
    student tenant trainee
    """.split()  # noqa: SIM905
)
_THINGS = frozenset(
    """
    number order color colour sector weather container tower river layer door floor motor reactor
    sensor factor error paper water quarter semester letter chapter header theater theatre center
    harbor flavor flavour timber cover corner border power matter meter server router printer
    register folder poster shelter cellar liquor counter filter marker trigger
    """.split()  # noqa: SIM905
)


def _is_of_persons(prop: Property) -> bool:
    """Whether the name of a text ends like those of people and firms that do something."""
    word = prop.label.removesuffix(" name").split()[-1]
    doing = word.endswith(("er", "or", "ist", "ian", "eer")) and word not in _THINGS
    return prop.kind == "string" and not prop.key and (doing or word in _PERSONS)


_LINKED = ("Val", "Noun", "Flag", "Num", "Date", "Year", "Adjective", "Comparative", "Superlative",
           "Unit", "Money")  # fmt: skip
_ASKERS = frozenset({"who", "which", "what", "where", "when"})
_HOW_OFTEN = frozenset(
    {"most", "least", "fewest", "often", "frequently", "rarely", "times", "once", "twice", "more"}
)
_PASSIVE = frozenset({"was", "were", "is", "are", "been", "be", "got", "gets", "get"})
_ALONG = PARTICLES | {"to", "by", "from", "through", "us", "here", "there", "along"}
_OPEN = frozenset({"and", "or", "so", "tell", "show", "give", "me", "us", "of", "them", "then"})


def asker_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds what `who` and `where` at the front ask for, and the verbs behind them that no property
    or value explains: `goes down` in `who goes down most often`.
    """
    place = next((i for i, token in enumerate(tokens) if token.lower in _ASKERS), -1)
    if any(t.kind == "word" and t.lower not in _OPEN for t in tokens[: max(0, place)]):
        return
    if _HOW_OFTEN & {token.lower for token in tokens}:
        _link_deeds(chart, tokens, place)
    asked = tokens[place].lower if place >= 0 else ""
    verb = place + 1
    while verb < len(tokens) and tokens[verb].lower in _AUXILIARIES:
        verb += 1
    prop = None
    if asked == "who":
        people = list(filter(_is_of_persons, vocabulary.properties))
        prop = _doer(tokens[verb] if verb < len(tokens) else None, vocabulary)
        prop = prop or (people[0] if len(people) == 1 else None)
    elif asked == "where":
        prop = _place(vocabulary.properties)
    elif asked == "when":
        prop = _date(tokens[verb:], vocabulary)
        if prop is not None:
            chart.add(place, place + 1, "Asked", prop)
        return
    if prop is not None:
        features = (("property", 1.0), ("property: asked", 1.0))
        chart.add(place, place + 1, "Prop", prop, features)
        chart.add(place, place + 1, "Asked", prop, features)


def _link_deeds(chart: Chart, tokens: Sequence[Token], place: int) -> None:
    """Adds the verbs behind an asking word, or at the beginning of a text without one."""
    linked = frozenset(
        i for kind in _LINKED for e in chart.edges(kind) for i in range(e.start, e.end)
    )
    behind = place + 1
    if place >= 0 and tokens[place].lower in ("which", "what"):
        behind += 1
        word = tokens[behind - 1].lower if behind <= len(tokens) else ""
        if singular(word) != word:
            return  # all of several are asked for
    for i in range(behind, len(tokens) if place >= 0 else 1):
        word = tokens[i].lower
        plain = word in LIGHT_VERBS or word not in FUNCTION_WORDS
        if tokens[i].kind == "word" and i not in linked and plain:
            end = i + 1
            while end < len(tokens) and end not in linked and tokens[end].lower in _ALONG:
                end += 1
            passive = tokens[i - 1].lower in _PASSIVE
            chart.add(i, end, "Deed", "passive" if passive else "active", (("deed", 1.0),))


def _date(behind: Sequence[Token], vocabulary: Vocabulary) -> Property | None:
    """The date of what the words behind `when` say was done, or that of the documents."""
    roots = {root(token.stem) for token in behind}
    for prop in vocabulary.dates:
        if roots & set(map(root, (*prop.parts, *prop.described))):
            return prop
    return next(iter(vocabulary.dates), None)


_SIZES_OF_PLACES = tuple(
    frozenset(map(stem, words.split()))
    for words in (
        "place site location venue", "village town city borough township parish",
        "district county area", "province region state land", "country nation continent",
    )
)  # fmt: skip


def is_of_places(prop: Property) -> bool:
    """Whether the values of a text are places of any size."""
    named = {*prop.parts, *prop.described}
    return prop.worded and not all(map(named.isdisjoint, _SIZES_OF_PLACES))


def _place(properties: Iterable[Property]) -> Property | None:
    """The property with the smallest places, if only one has places of their size."""
    worded = [prop for prop in properties if prop.worded and not prop.key]
    for names in _SIZES_OF_PLACES:
        for parts in ("parts", "described"):
            if named := [prop for prop in worded if names & {*getattr(prop, parts)}]:
                return named[0] if len(named) == 1 else None
    return None
