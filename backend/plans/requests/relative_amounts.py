"""Numbers relative to those of the plan: `double it`, `20 more`, `lower it by 10 percent`.

They change the limit of the list, or the only bound of the filters; the words around the amount
give the direction. Without an amount there is nothing to compute, so a bare direction asks back.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backend.language.tokens import Token
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.operations import ChangeFilter, Operation, SetLimit
from backend.plans.edits.wording import say_condition
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.subjects import number_of
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.plan_values import as_number

_UP = (
    "raise|raising|increase|increasing|bump|up|lift|push|extend|extending|add|adding|plus|another"
    "|additional|extra|more|higher|longer|further|greater|larger|bigger|upwards"
)
_DOWN = (
    "lower|lowering|decrease|decreasing|reduce|reducing|drop|dropping|cut|down|minus|subtract|less"
    "|fewer|shorter|smaller|off|trim|shorten|downwards|deduct"
)
_STRICTER = "tighten|tightening|stricter|tighter|narrower|narrow"
_LOOSER = "loosen|loosening|relax|relaxing|ease|looser|wider|widen|widening|broaden|laxer"
_WAY = re.compile(
    rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<tight>{_STRICTER})|(?P<loose>{_LOOSER}))\b"
)
_BY = re.compile(r"\bby(?: about| another| a| an)?\s*$")
_FRONT = re.compile(r"(?:\b(?:another|additional|extra|plus|minus|subtract|deduct)|[+−])\s*$")
_TO_IT = re.compile(
    r"^(?>.*?\b(?:to|from|off)\b).*\b(?:it|that|this|limit|threshold|bound|number|cutoff)\b",
    re.MULTILINE,
)
_BEHIND = re.compile(rf"^\s*(?:{_UP}|{_DOWN})\b(?! than\b(?! that\b| this\b| now\b))")
_OFF = re.compile(r"^\s*off\b")
_LIST = re.compile(r"\b(?:results?|rows|items|entries|many|list|another)\b")
_NEUTRAL = ",&|yztbEeWRodhicflrwxn?CApS%g"


@dataclass(frozen=True)
class _Shift:
    """`factor` times the current number plus `step`; `side` turns it to the bound's direction."""

    factor: float = 1.0
    step: Quantity | None = None
    way: str = "up"


def relative_amount(clause: Clause, draft: Draft) -> list[Operation]:
    """The change to the limit or the bound that a clause asks for; nothing if it asks for none.
    Unclear if several numbers are possible, or no amount is given.
    """
    shift = _shift(clause)
    vague = shift is None and _only_a_way(clause) and not _turns(clause, draft)
    if (shift is None and not vague) or any(p.tag not in _NEUTRAL + "NLP" for p in clause.pieces):
        return []
    limit = _limit(draft)
    bounds = _bounds(clause, draft)
    if limit is not None and bounds and shift is not None:
        bounds = [] if _LIST.search(clause.text.lower()) else bounds
        limit = None if _measured(shift) or "f" in clause.shape else limit
    stated = [say_condition(condition) for condition, _ in bounds]
    stated += [f"the first {limit}"] if limit is not None else []
    if not stated:
        return []
    if shift is None or len(stated) > 1:
        words = clause.text
        reason = f"“{words}”: by how much? Now it is {stated[0]}"
        if len(stated) > 1:
            reason = f"“{words}”: which number is meant?"
        each = [] if shift is None else [[op] for op in _moves(bounds, limit, shift, clause)]
        raise Unclear("ambiguous", words, reason, stated, each)
    return _moves(bounds, limit, shift, clause)


def _moves(
    bounds: Sequence[tuple[BasicFilter, Property]], limit: int | None, shift: _Shift, clause: Clause
) -> list[Operation]:
    """For each possible number the operation that changes it."""
    operations: list[Operation] = [
        ChangeFilter(_shifted(condition, prop, shift, clause), condition)
        for condition, prop in bounds
    ]
    if limit is not None:
        operations.append(SetLimit(max(1, round(_moved(float(limit), shift, None, clause)))))
    return operations


def _shift(clause: Clause) -> _Shift | None:
    scales = [p for p in clause.pieces if p.tag == "S"]
    numbers = [p for p in clause.pieces if p.tag in "NL"]
    text = clause.text.lower()
    if scales and not numbers:
        factor = float(scales[0].load)
        less = _BY.search(_before(clause, scales[0])) and factor < 1
        return _Shift(1 - factor if less else factor)
    if len(numbers) != 1 or scales:
        return None
    number = numbers[0]
    before, after = _before(clause, number), _after(clause, number)
    near = _BY.search(before) or _FRONT.search(before) or _BEHIND.search(after)
    near = near or _OFF.search(after)
    added = re.match(r"(?:add|take|subtract|deduct)\b", text) and _TO_IT.search(after)
    ways = [m for m in _WAY.finditer(f"{before} {after}")]
    if not (near or added) or re.search(r"[<>=]|\bthan (?!that|this|now)", text):
        return None
    if _FRONT.search(before) and before.strip() in ("+", "−", ""):
        return _Shift(step=_quantity(number), way="down" if before.strip() == "−" else "up")
    if not ways:
        return None
    kinds = {m.lastgroup or "" for m in ways}
    way = "down" if "down" in kinds and "up" not in kinds else (ways[0].lastgroup or "up")
    return _Shift(step=_quantity(number), way=way)


def _quantity(piece: Piece) -> Quantity:
    load = piece.load
    return load if isinstance(load, Quantity) else Quantity(float(load.count))


def _before(clause: Clause, piece: Piece) -> str:
    """The part of the clause before a piece, including punctuation."""
    reader = clause.reader
    start = max(0, clause.reader.text.find(clause.text))
    return reader.text[start : reader.tokens[piece.start].start].lower()


def _after(clause: Clause, piece: Piece) -> str:
    reader = clause.reader
    end = clause.reader.text.find(clause.text) + len(clause.text)
    return reader.text[reader.tokens[piece.end - 1].end : end].lower()


_TAKING = frozenset(
    """
    more less off up down drop dropping lift relax relaxing ease cut add another extra push extend
    extending minus plus trim further widen widening broaden
    """.split()  # noqa: SIM905
)
"""Words that alone do not ask for another number: they remove or add."""
_VAGUE = frozenset(
    """
    a an bit little some somewhat slightly much lot far way it that this the please now make be
    should limit threshold bound cutoff number of us more even still quite rather to set
    """.split()  # noqa: SIM905
)


def _only_a_way(clause: Clause) -> bool:
    """`a bit higher`, `raise it`: only a direction without an amount."""
    words = re.findall(r"[^\W\d_]+", clause.text.lower())
    if any(sign.isdigit() for sign in clause.text) or any(
        p.tag in "VFDQKHM" for p in clause.pieces
    ):
        return False
    ways = [word for word in words if _WAY.fullmatch(word)]
    named = {t.lower for p in clause.pieces if p.tag == "P" for t in _tokens(clause, p)}
    clear = [word for word in ways if word not in _TAKING]
    return bool(clear) and all(w in _VAGUE or w in ways or w in named for w in words)


_SIDES = {
    **dict.fromkeys(("shorter", "cheaper", "smaller", "fewer", "less"), False),
    **dict.fromkeys(("longer", "larger", "bigger", "greater", "more"), True),
}


def _turns(clause: Clause, draft: Draft) -> bool:
    """`shorter` in a plan that asks for longer ones: the other side of the bound."""
    words = clause.text.lower().split()
    sides = {_SIDES[word] for word in words if word in _SIDES}
    if len(sides) != 1 or len(words) > 1 + sum(word in _MEANING for word in words):
        return False
    return any(_ends(condition) == ["end" if sides == {True} else "start"]
               for condition, _ in _bounds(clause, draft))  # fmt: skip


_MEANING = frozenset({"i", "meant", "mean", "wanted", "instead", "rather", "now", "only", "ones"})


def _tokens(clause: Clause, piece: Piece) -> list[Token]:
    return list(clause.reader.tokens[piece.start : piece.end])


def _limit(draft: Draft) -> int | None:
    results = [
        n.extras.get("num_records", n.extras.get("K")) for n in draft.on_spine("Limit", "TopK")
    ]
    return results[-1] if results and isinstance(results[-1], int) else None


def _bounds(clause: Clause, draft: Draft) -> list[tuple[BasicFilter, Property]]:
    """Conditions with one number, on the property that the clause names, if any."""
    named = {m.prop.field for p in clause.pieces if p.tag == "P" for m in p.load}
    results = []
    for node in document_filters(draft):
        condition = condition_of(node)
        prop = clause.reader.vocabulary.get(condition.field)
        if prop is None or not prop.numeric or condition.any_of or len(_ends(condition)) != 1:
            continue
        results.append((condition, prop))
    about = [(condition, prop) for condition, prop in results if condition.field in named]
    return about or results


def _ends(condition: BasicFilter) -> list[str]:
    """The parts of a condition that contain its numbers."""
    names = ("query", "start", "end")
    return [name for name in names if as_number(getattr(condition, name)) is not None]


def _measured(shift: _Shift) -> bool:
    unit = None if shift.step is None else shift.step.unit
    return unit is not None and unit != "pct"


def _shifted(condition: BasicFilter, prop: Property, shift: _Shift, clause: Clause) -> BasicFilter:
    end = _ends(condition)[0]
    value = as_number(getattr(condition, end))
    assert value is not None
    if shift.way in ("tight", "loose"):
        raised = (shift.way == "tight") == (end != "end")
        shift = _Shift(shift.factor, shift.step, "up" if raised else "down")
    moved = round(_moved(value, shift, prop, clause), 9)
    whole = prop.kind == "int" and moved == int(moved)
    return condition.model_copy(update={end: int(moved) if whole else moved})


def _moved(value: float, shift: _Shift, prop: Property | None, clause: Clause) -> float:
    value *= shift.factor
    if shift.step is None:
        return value
    sign = -1.0 if shift.way == "down" else 1.0
    percents = prop is None or prop.unit is None or prop.unit.name != "pct"
    if shift.step.unit == "pct" and percents:
        return value * (1 + sign * shift.step.value / 100)
    if prop is None:
        return value + sign * shift.step.value
    return value + sign * abs(number_of(clause.reader, Piece("N", 0, 1, shift.step), prop))
