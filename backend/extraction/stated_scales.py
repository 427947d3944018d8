"""Amounts in tables that state a scale once: "in thousands", "in millions".

"(in thousands of dollars)" above a table, in its head or in its caption applies to the amounts in
its cells, except counts, amounts per share, and amounts with cents. "Gallons (000)" does not
concern money. A property whose description asks for thousands or millions gets the number as
printed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from backend.extraction.targets import Target
from backend.extraction.units import CURRENCY
from backend.extraction.words import stem
from workbench.contract.elements import Element

_FACTORS = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_STATED = re.compile(
    rf"\b(?:in|figures|amounts|expressed in)\s+(?:(?:{CURRENCY}|u\.s\.|us)\s*){{0,3}}"
    rf"(?P<after>thousand|million|billion)s?\b"
    rf"|(?:^|[\s(,])(?:{CURRENCY})\s?(?P<beside>thousand|million|billion)s?\b"
    rf"|(?P<zeros>['’]000s?\b|\(\s*(?:{CURRENCY})\s*['’]?000s?\s*\)"
    rf"|(?:^|[\d|:]|\b(?:amounts?|figures|{CURRENCY}))\s*\(\s*000s?\s*\))"
    rf"|(?:^|[\s(,])(?:{CURRENCY})\s?(?P<letter>mn|m|k|bn)(?=[\s),.]|$)",
    re.IGNORECASE,
)
_LETTERS = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
_BEFORE = 4
"""The number of elements before a table that may state its scale."""
_NOTE = 300
"""The maximum length of a note that states a scale; longer texts are prose."""
_AMOUNT = frozenset(
    map(
        stem,
        """
        amount revenue income profit loss cash asset liability equity debt cost expense sales total
        turnover earnings margin fee price payment balance budget value capital dividend tax fund
        reserve wage salary surplus deficit result
        """.split(),  # noqa: SIM905
    )
)
_COUNTED = frozenset(
    map(
        stem,
        """
        per share employee employees headcount staff people number count units unit percent
        percentage ratio rate days hours months years
        """.split(),  # noqa: SIM905
    )
)


def stated_scale(text: str) -> float | None:
    """The factor that a note states, or None."""
    match = _STATED.search(text)
    if match is None:
        return None
    if match["zeros"]:
        return 1e3
    if match["letter"]:
        return _LETTERS[match["letter"].lower()]
    return _FACTORS[(match["after"] or match["beside"]).lower()]


def scales(elements: Sequence[Element]) -> dict[int, float]:
    """The factor of each table whose scale is stated in it, before it, or once for the document."""
    notes = [_noted(element) for element in elements]
    stated = {note for note in notes if note is not None}
    of_all = stated.pop() if len(stated) == 1 else None
    results: dict[int, float] = {}
    for place, element in enumerate(elements):
        if element.type != "table":
            continue
        near = [note for note in reversed(notes[max(0, place - _BEFORE) : place + 1])
                if note is not None]  # fmt: skip
        factor = near[0] if near else of_all
        if factor is not None:
            results[place] = factor
    return results


def _noted(element: Element) -> float | None:
    text = element.text_representation or ""
    if element.type == "table":
        # Only the head and the first row describe the whole table.
        text = " ".join(text.split("\n")[:2])
    return stated_scale(text) if 0 < len(text) <= _NOTE else None


def takes_scale(target: Target) -> bool:
    """Whether a property is an amount that a stated scale applies to."""
    if target.shape.kind not in ("int", "float"):
        return False
    described = target.shape.description or ""
    if re.search(r"\b(?:thousand|million|billion)s?\b", described, re.IGNORECASE):
        return False
    words = {*target.name_words, *target.described}
    if words & _COUNTED:
        return False
    money = target.unit is not None and target.unit.dimension == "money"
    return money or bool(words & _AMOUNT)


def in_full(value: Any, element: int, factors: Mapping[int, float]) -> Any:
    """A value from the table at that element number, multiplied by the table's factor. Amounts with
    cents are left alone.
    """
    factor = factors.get(element)
    if factor is None or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    has_cents = round(value, 1) != value
    return value if factor <= 1e3 and has_cents else type(value)(round(value * factor, 2))
