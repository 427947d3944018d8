"""Contrasts: `the sum, not the average`, `below, not above`, `not per brand but per hazard`.

Both sides must be of one kind; otherwise `not` excludes: `in Leeds, not fragile`. A contrast
becomes `wanted I unwanted`, as does `wanted instead of unwanted`.
"""

from collections.abc import Sequence
from dataclasses import replace

from backend.plans.reading.cascade import Reader
from backend.plans.reading.pieces import Piece
from workbench.contract.plan_nodes import BasicFilter

_STEERING = frozenset("yegsobRicwWE,&h")
_SORTS = {
    "A": "figure", "X": "figure", "#": "figure", "P": "name", "Y": "name", "E": "documents",
    "V": "value", "Q": "value", "D": "number", "N": "number", "C": "side", "d": "way",
}  # fmt: skip
_FORMS = frozenset({"figure", "name", "documents"})
"""The possible forms of an answer: numbers, values of a property, or documents."""


def contrasted(pieces: Sequence[Piece], reader: Reader) -> list[Piece]:
    """The pieces, with the last contrast rewritten as `wanted I unwanted`."""
    made = [part for piece in pieces for part in _denied_side(piece, reader)]
    if any(piece.tag in "Ixr" for piece in made):
        return made
    for i in range(len(made) - 1, -1, -1):
        if made[i].tag == "n" and reader.words([made[i]]).lower().endswith("not"):
            contrast = None if _denies_verb(made[i], reader) else _behind(made, i, reader)
            return contrast or _in_front(made, i, reader) or made
    return made


def _denies_verb(piece: Piece, reader: Reader) -> bool:
    """`that did not use a helicopter`: a negated verb is no contrast."""
    words = [token.lower for token in reader.tokens[max(0, piece.start - 1) : piece.end]]
    return any(word in _AUXILIARIES for word in words)


_AUXILIARIES = frozenset(
    """
    do does did is are was were has have had can could may might will would should must
    """.split()  # noqa: SIM905
)


def _denied_side(piece: Piece, reader: Reader) -> list[Piece]:
    """`not above` is one comparison unless it has its own number; otherwise `not` and the side."""
    words = reader.words([piece]).lower()
    following = reader.tokens[piece.end : piece.end + 1]
    if piece.tag != "C" or not words.startswith("not ") or piece.load not in _SIDES:
        return [piece]
    numbered = following and following[0].kind in ("number", "day")
    if numbered and not (piece.start and _bounded_so(_SIDES[piece.load], reader)):
        return [piece]
    middle = piece.start + 1
    return [Piece("n", piece.start, middle), Piece("C", middle, piece.end, _SIDES[piece.load])]


def _bounded_so(op: str, reader: Reader) -> bool:
    """Whether the plan has a bound on that side, which could be the unwanted one."""
    above = op in ("gt", "after")
    bounds = [(c.start, c.end) if above else (c.end, c.start) for c in _filters(reader)]
    return any(bound is not None and other is None for bound, other in bounds)


_SIDES = {"le": "gt", "ge": "lt", "since": "before", "until": "after"}


def _behind(pieces: list[Piece], i: int, reader: Reader) -> list[Piece] | None:
    """`wanted, not unwanted`."""
    wanted = pieces[:i]
    while wanted and wanted[-1].tag in ",&":
        wanted = wanted[:-1]
    unwanted = pieces[i + 1 :]
    if not _opposed(wanted, unwanted, reader):
        return None
    return [*wanted, replace(pieces[i], tag="I", load="not"), *unwanted]


def _in_front(pieces: list[Piece], i: int, reader: Reader) -> list[Piece] | None:
    """`not unwanted but wanted`, `not unwanted, wanted`."""
    if _content(pieces[:i]):
        return None
    for j in range(i + 2, len(pieces)):
        mark = pieces[j]
        if not (mark.tag == "," or (mark.tag == "&" and mark.load == "but")):
            continue
        unwanted, wanted = pieces[i + 1 : j], pieces[j + 1 :]
        listed = mark.tag == "," and any(_sort(piece) == "value" for piece in unwanted)
        if not listed and _opposed(wanted, unwanted, reader):
            return [*wanted, replace(pieces[i], tag="I", load=None), *unwanted]
    return None


def _filters(reader: Reader) -> tuple[BasicFilter, ...]:
    return () if reader.present is None else reader.present.filters


def _content(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.tag not in _STEERING]


def _sort(piece: Piece) -> str:
    return _SORTS.get(piece.tag, piece.tag)


def _opposed(wanted: Sequence[Piece], unwanted: Sequence[Piece], reader: Reader) -> bool:
    """Whether two phrases are of one kind, so that only one of them can apply."""
    new, old = _spoken(wanted), _spoken(unwanted)
    if not new or not old:
        return False
    if {*map(_sort, old)} <= {"value"}:
        return _opposed_values(new, old, reader)
    ways = [_sort(piece) for piece in new]
    gone = [_sort(piece) for piece in old]
    if gone == ["documents"] or (len(old) == 1 and old[0].tag == "#"):
        return ways[-1] in _FORMS and not {"value", "number", "side"} & set(ways)
    if ways == ["documents"] and any(p.tag == "P" and p.load[0].prop.kind == "bool" for p in old):
        return False  # "the ones not taught online"
    if ways == ["documents"]:
        return set(gone) <= _FORMS
    if gone == ["name"] and {"number", "value"} & set(ways) and "name" in ways:
        # "the closing date was in 2022, not the opening" corrects which date is meant
        fields = {meaning.prop.field for meaning in old[0].load} if old[0].tag == "P" else set()
        return bool(fields & {condition.field for condition in _filters(reader)})
    if gone == ways == ["name"] and old[0].tag == new[0].tag == "P":
        # "helicopter not used" names one thing twice
        return old[0].load[0].prop is not new[0].load[0].prop
    if gone in (["name"], ["figure"], ["figure", "name"]):
        formed = ways in (["name"], ["figure"], ["figure", "name"])
        return formed and (_reduced(gone, ways) or _measured(old[0], reader))
    return gone == ways[-len(gone) :]


def _measured(piece: Piece, reader: Reader) -> bool:
    """Whether a name is that of a number the plan uses."""
    named = piece.load if piece.tag == "P" else []
    return any(m.prop.numeric and m.prop.field in reader.in_use for m in named)


def _reduced(gone: list[str], ways: list[str]) -> bool:
    """Whether the unwanted phrase repeats part of the wanted one."""
    return bool(set(gone) & set(ways))


def _spoken(pieces: Sequence[Piece]) -> list[Piece]:
    """The content of a phrase; nouns for the documents count only when there is nothing else."""
    return _content(pieces) or [piece for piece in pieces if piece.tag == "E"][-1:]


def _opposed_values(new: Sequence[Piece], old: Sequence[Piece], reader: Reader) -> bool:
    """Values of one property, or any values if the plan asks for the unwanted ones."""
    valued = {field for piece in new if piece.tag == "V" for field in _fields(piece)}
    new = [p for p in new if p.tag != "P" or not valued & {m.prop.field for m in p.load}] or new
    last = new[-1]
    if last.tag != "V" or any(piece.tag != "V" for piece in old):
        return False
    if all(_fields(last) & _fields(piece) for piece in old):
        return True
    return all(_asked_for(piece, reader) for piece in old) and len(new) == 1


def _fields(piece: Piece) -> set[str]:
    return {field for field, _ in piece.load}


def _asked_for(piece: Piece, reader: Reader) -> bool:
    """Whether the plan filters for a value."""
    return any(
        condition.field == field and value in [*(condition.values or []), condition.query]
        for condition in _filters(reader)
        for field, value in piece.load
        if not condition.negate
    )
