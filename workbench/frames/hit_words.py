"""A search hit for display: title, text, place on the page, and the reasons for its rank.

Search results are free-form objects; only this module knows the meaning of their keys.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, TypeAlias

from workbench.contract.search import ReturnType

_WORD = re.compile(r"\S+")

Span: TypeAlias = tuple[int, int]
"""Start and end in a text."""


@dataclass(frozen=True)
class ScorePart:
    """A hit's place in one ranked list: `rank` from 1, `score` in that list's own unit.

    In a fusion, `share` is what the list adds to the score: `weight` / (k + rank).
    """

    source: str
    rank: int | None
    score: float | None
    weight: float | None = None
    share: float | None = None


@dataclass(frozen=True)
class Hit:
    """One result. Elements have a `page` (from 1) and a `box` in fractions of it."""

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
    """The matched words, as the text spells them."""
    spans: tuple[Span, ...] = ()
    """Their places in `text`."""
    entity: Mapping[str, Any] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)


def read_hit(item: Mapping[str, Any], return_type: ReturnType) -> Hit:
    """The hit in one item of a search result; our extension `_search` may be missing."""
    properties = item.get("properties") or {}
    search = item.get("_search") or {}
    element = return_type == "element"
    doc_id = str(item.get("doc_id") or item.get("parent_id") or item.get("id") or "")
    page = properties.get("page_number") if element else search.get("page_number")
    matched_id = item.get("id") if element else search.get("element_id")
    text, positions = _text(item, search, element)
    name = item.get("name") or properties.get("path") or doc_id
    return Hit(
        doc_id=doc_id,
        element_id=str(matched_id) if matched_id else None,
        kind=str(item.get("type") or ("element" if element else "document")),
        name=str(name).replace("\\", "/").rpartition("/")[2],
        text=text,
        page=page if isinstance(page, int) else None,
        box=_box(item.get("bbox")),
        score=_number(search.get("score")),
        parts=_parts(search.get("lists")),
        terms=tuple(map(str, search.get("terms") or ())),
        spans=positions,
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
        ScorePart(
            str(source),
            part.get("rank"),
            _number(part.get("score")),
            _number(part.get("weight")),
            _number(part.get("share")),
        )
        for source, part in value.items()
        if isinstance(part, Mapping)
    )


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _text(
    item: Mapping[str, Any], search: Mapping[str, Any], element: bool
) -> tuple[str, tuple[Span, ...]]:
    """The text of a hit with single blanks, and the spans of its matches."""
    whole = str(item.get("text_representation") or "")
    snippet = str(search.get("snippet") or "")
    text, before = whole, 0
    if snippet and not element:
        text, before = snippet, search.get("snippet_start", 0)
    words = list(_WORD.finditer(text))
    starts = [word.start() for word in words]
    places = list(accumulate((len(word[0]) + 1 for word in words), initial=0))
    spans: list[Span] = []
    for start, end in search.get("positions") or ():
        first, last = bisect(starts, start - before) - 1, bisect(starts, end - before - 1) - 1
        if first >= 0 and start - before < len(text):
            spans.append(
                (
                    places[first] + start - before - starts[first],
                    places[last] + min(end - before - starts[last], len(words[last][0])),
                )
            )
    return " ".join(word[0] for word in words), tuple(spans)


# -- matched words -------------------------------------------------------------------------


def lit(text: str, spans: Iterable[Span]) -> list[tuple[str, bool]]:
    """`text` in pieces, each with a flag for matches. Spans may exceed the text."""
    pieces: list[tuple[str, bool]] = []
    end = 0
    for start, stop in spans:
        start, stop = max(start, end), min(stop, len(text))
        if start < stop:
            if start > end:
                pieces.append((text[end:start], False))
            pieces.append((text[start:stop], True))
            end = stop
    if end < len(text) or not pieces:
        pieces.append((text[end:], False))
    return pieces


def excerpt(text: str, spans: Sequence[Span], length: int) -> tuple[str, list[Span]]:
    """About `length` characters around the first span, cut at blanks, and the spans in them."""
    if len(text) <= length:
        return text, list(spans)
    start = max(0, (spans[0][0] if spans else 0) - length // 3)
    if start > 0:
        start = text.find(" ", start) + 1 or start
    piece = text[start : start + length]
    if start + length < len(text):
        piece = (piece.rpartition(" ")[0] or piece) + "…"
    mark = "…" if start else ""
    return mark + piece, moved(spans, len(mark) - start)


def moved(spans: Iterable[Span], by: int) -> list[Span]:
    """The spans in a text that begins earlier or later."""
    return [(start + by, end + by) for start, end in spans]
