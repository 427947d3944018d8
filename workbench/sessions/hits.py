"""A search hit as people read it: title, words, place on the page and why it ranks where it does.

Search answers with free-form objects; this file alone knows which of their keys mean what.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.contract.search import ReturnType


@dataclass(frozen=True)
class ScorePart:
    """What one ranked list said: `rank` from 1, `score` in that list's own unit."""

    source: str
    rank: int | None
    score: float | None


@dataclass(frozen=True)
class Hit:
    """One result. Elements have a `page` (from 1) and a `box` in fractions of the page;
    documents may not.
    """

    doc_id: str
    element_id: str | None
    kind: str
    name: str
    text: str
    page: int | None
    box: tuple[float, float, float, float] | None
    score: float | None
    parts: tuple[ScorePart, ...]
    terms: tuple[str, ...]
    """The words that the query found, as the text spells them."""
    entity: Mapping[str, Any] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)


def read_hit(item: Mapping[str, Any], return_type: ReturnType) -> Hit:
    """The hit in one item of a search answer; `_search`, our own addition, may be missing."""
    properties = item.get("properties") or {}
    told = item.get("_search") or {}
    element = return_type == "element"
    doc_id = str(item.get("doc_id") or item.get("parent_id") or item.get("id") or "")
    page = properties.get("page_number") if element else told.get("page_number")
    found = item.get("id") if element else told.get("element_id")
    text = item.get("text_representation") if element else told.get("snippet")
    name = item.get("name") or properties.get("path") or doc_id
    return Hit(
        doc_id=doc_id,
        element_id=str(found) if found else None,
        kind=str(item.get("type") or ("element" if element else "document")),
        name=str(name).replace("\\", "/").rpartition("/")[2],
        text=" ".join(str(text or item.get("text_representation") or "").split()),
        page=page if isinstance(page, int) else None,
        box=_box(item.get("bbox")),
        score=_number(told.get("score")),
        parts=_parts(told.get("lists")),
        terms=tuple(map(str, told.get("terms") or ())),
        entity=properties.get("entity") or {},
        raw=item,
    )


def _box(value: Any) -> tuple[float, float, float, float] | None:
    if isinstance(value, list) and len(value) == 4:
        return (float(value[0]), float(value[1]), float(value[2]), float(value[3]))
    return None


def _parts(value: Any) -> tuple[ScorePart, ...]:
    if not isinstance(value, Mapping):
        return ()
    return tuple(
        ScorePart(str(source), part.get("rank"), _number(part.get("score")))
        for source, part in value.items()
        if isinstance(part, Mapping)
    )


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


# -- words that were found -----------------------------------------------------------------


def lit(text: str, terms: Iterable[str]) -> list[tuple[str, bool]]:
    """`text` cut into pieces, each with whether it is one of the terms."""
    words = sorted({re.escape(term) for term in terms if term}, key=len, reverse=True)
    if not words:
        return [(text, False)]
    pieces: list[tuple[str, bool]] = []
    end = 0
    for match in re.finditer(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", text, re.IGNORECASE):
        if match.start() > end:
            pieces.append((text[end : match.start()], False))
        pieces.append((match.group(), True))
        end = match.end()
    if end < len(text):
        pieces.append((text[end:], False))
    return pieces


def excerpt(text: str, terms: Iterable[str], length: int) -> str:
    """About `length` characters around the first term, cut at blanks, with `…` where
    cut.
    """
    if len(text) <= length:
        return text
    first = next((end for end in _starts(text, terms)), 0)
    start = max(0, first - length // 3)
    if start > 0:
        start = text.find(" ", start) + 1 or start
    piece = text[start : start + length]
    if start + length < len(text):
        piece = (piece.rpartition(" ")[0] or piece) + "…"
    return ("…" if start else "") + piece


def _starts(text: str, terms: Iterable[str]) -> Iterable[int]:
    place = 0
    for piece, searched in lit(text, terms):
        if searched:
            yield place
        place += len(piece)
