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
    entity: Mapping[str, Any] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)


def read_hit(item: Mapping[str, Any], return_type: ReturnType) -> Hit:
    """The hit in one item of a search answer."""
    properties = item.get("properties") or {}
    element = return_type == "element"
    doc_id = item.get("doc_id") or item.get("parent_id") or item.get("id") or ""
    box = item.get("bbox")
    page = properties.get("page_number") if element else None
    path = properties.get("path") or item.get("name") or doc_id
    return Hit(
        doc_id=str(doc_id),
        element_id=str(item["id"]) if element and item.get("id") else None,
        kind=str(item.get("type") or ("element" if element else "document")),
        name=str(path).replace("\\", "/").rpartition("/")[2],
        text=" ".join(str(item.get("text_representation") or "").split()),
        page=int(page) if isinstance(page, int) else None,
        box=_box(box),
        score=_number(item.get("score")),
        parts=_parts(item.get("score_parts")),
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


# -- words that were searched for -----------------------------------------------------------------

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def query_words(query: str | None) -> list[str]:
    """The words of a query that are worth lighting up, in lower case, longest first."""
    words = {word.lower() for word in _WORD.findall(query or "") if len(word) > 1}
    return sorted(words, key=lambda word: (-len(word), word))


def lit(text: str, words: Iterable[str]) -> list[tuple[str, bool]]:
    """`text` cut into pieces, each with whether it holds a searched word (whole, or its
    beginning).
    """
    stems = [re.escape(word if len(word) < 5 else word[:-1]) for word in words]
    if not stems:
        return [(text, False)]
    pattern = re.compile(rf"\b(?:{'|'.join(stems)})\w*", re.IGNORECASE)
    pieces: list[tuple[str, bool]] = []
    end = 0
    for match in pattern.finditer(text):
        if match.start() > end:
            pieces.append((text[end : match.start()], False))
        pieces.append((match.group(), True))
        end = match.end()
    if end < len(text):
        pieces.append((text[end:], False))
    return pieces


def excerpt(text: str, words: Iterable[str], length: int) -> str:
    """About `length` characters around the first searched word, cut at blanks, with `…` where
    cut.
    """
    if len(text) <= length:
        return text
    first = next((end for end in _starts(text, words)), 0)
    start = max(0, first - length // 3)
    if start > 0:
        start = text.find(" ", start) + 1 or start
    piece = text[start : start + length]
    if start + length < len(text):
        piece = (piece.rpartition(" ")[0] or piece) + "…"
    return ("…" if start else "") + piece


def _starts(text: str, words: Iterable[str]) -> Iterable[int]:
    place = 0
    for piece, searched in lit(text, words):
        if searched:
            yield place
        place += len(piece)
