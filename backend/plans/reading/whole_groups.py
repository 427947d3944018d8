"""Groups in which no document matches, or all do: `flags that had no fires`, `towns where all cases
are closed`.
"""

from dataclasses import replace

from backend.plans.reading.cascade import Reader, Rule, rule
from backend.plans.reading.pieces import Piece


def _of_none(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`which flags had no fires`: asks for flags, each with all of its documents."""
    named = next(piece for piece in pieces if piece.tag == "P")
    no = next(piece for piece in pieces if piece.tag == "n")
    prop = named.load[0].prop
    phrase = reader.words([no]).lower()
    behind = pieces[pieces.index(no) + 1 :]
    sure = phrase.split()[0] in ("never", "had", "have", "has", "did", "do", "does")
    if not sure and not any(piece.tag in "VD" for piece in behind):
        return None  # "sites without an alarm" are those of documents
    if reader.present is not None or phrase not in _HAVING_NONE or not is_shared(reader, named):
        return None
    if any(m.prop is prop for p in behind if p.tag == "P" for m in p.load[:1]):
        # "supervisors who never supervised": the verb belongs to the subject
        behind = [p for p in behind if p.tag != "P" or p.load[0].prop is not prop]
    behind = [p for p in behind if p.tag != "P" or not (p.load[0].prop.own or p.load[0].prop.key)]
    behind = [p for p in behind if reader.words([p]).lower() not in ("single", "one")]
    return [named, replace(no, tag="0"), *behind]


_HAVING_NONE = frozenset(
    """
    had no|have no|has no|with no|never|without|without any|never had|do not have|does not have|
    did not have|not have
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)


def _of_all(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`towns where every case is closed`: asks for towns, each with all of its documents."""
    named = next(piece for piece in pieces if piece.tag == "P")
    place = next(i for i, piece in enumerate(pieces) if piece.tag == "E")
    noun, behind = pieces[place], pieces[place + 1 :]
    between = {token.lower for token in reader.tokens[named.end : noun.start]}
    counted = reader.tokens[noun.start].stem in reader.vocabulary.nouns
    if reader.present is not None or not counted or not between & _EVERY:
        return None
    if not is_shared(reader, named):
        return None
    return [named, Piece("0", noun.start, noun.end, "all"), *behind]


_EVERY = frozenset({"every", "all", "each"})


def is_shared(reader: Reader, piece: Piece) -> bool:
    """Whether several documents can share what a piece names."""
    prop = piece.load[0].prop
    counts = reader.vocabulary.values.counts.get(prop.field, {})
    repeated = 2 * len(counts) <= sum(counts.values())
    return prop.worded and repeated and not (prop.own or prop.key)


WHOLE_GROUP_RULES: tuple[Rule, ...] = (
    rule(r"^[W,]*P[WE]*n[^n|xA#X%=egysT]*[VDP][^n|xA#X%=egysT]*$", _of_none),
    rule(r"^[W,]*PWe?E[^n|xA#X%=egysT]*[VDP][^n|xA#X%=egysT]*$", _of_all),
)
