"""Hits as the contract's JSON objects, read from the record.

Our additions are under one key, `_search`:

    rank, score      place from 1 over all pages, and the score that decides it
    lists            per list (lexical, keyword, vector): rank, score and best element
    fusion           for a fusion of two lists: the score is the sum of their shares, each
                     `weight` / (`k` + rank)
    element_id       the best element of the document, with its page_number
    positions        matches in that element's text_representation: pairs of start and end, in
                     characters
    terms            the matched texts, each once
    snippet          a part of that text, from the character `snippet_start` on
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from backend.search.highlights import Highlighter
from backend.search.ranking import CONSTANT, Hit, Part, ordinal_of
from backend.search.records import Place, Record, documents_of, elements_of, embeddings_of
from workbench.contract.ids import element_id

_SNIPPET = 400
_BEFORE = 100  # characters of a snippet before the first match


@dataclass(frozen=True)
class Wanted:
    """Which parts of a result are needed."""

    text: bool = True
    search: bool = True
    embedding_identity: str | None = None


def document_results(
    connection: Connection,
    docset_id: str,
    hits: Sequence[Hit],
    first_rank: int,
    highlighter: Highlighter,
    wanted: Wanted,
) -> list[dict[str, Any]]:
    """One object per hit, in their order."""
    numbers = [hit.number for hit in hits]
    records = documents_of(connection, docset_id, numbers, with_text=wanted.text)
    places = [_place(hit, records) for hit in hits]
    # Hits of a filter alone have no matching element, and perhaps no element at all.
    matched = [place for hit, place in zip(hits, places, strict=True) if hit.parts]
    elements = elements_of(connection, matched, whole=False) if wanted.search else {}
    results: list[dict[str, Any]] = []
    for rank, (hit, place) in enumerate(zip(hits, places, strict=True), start=first_rank):
        row = records[hit.number]
        result: dict[str, Any] = {
            "doc_id": row.doc_id,
            "name": row.name,
            "properties": row.properties,
        }
        if wanted.text:
            result["text_representation"] = row.opening
        if wanted.search:
            result["_search"] = _explained(hit, rank, row.doc_id, elements.get(place), highlighter)
        results.append(result)
    return results


def element_results(
    connection: Connection,
    docset_id: str,
    hits: Sequence[Hit],
    first_rank: int,
    highlighter: Highlighter,
    wanted: Wanted,
) -> list[dict[str, Any]]:
    """One object per hit, with the parts of its document that a reader needs."""
    records = documents_of(connection, docset_id, (hit.number for hit in hits), with_text=False)
    places = [_place(hit, records) for hit in hits]
    elements = elements_of(connection, places, whole=True)
    identity = wanted.embedding_identity
    embeddings = {} if identity is None else embeddings_of(connection, places, identity)
    results: list[dict[str, Any]] = []
    for rank, (hit, place) in enumerate(zip(hits, places, strict=True), start=first_rank):
        row, element = records[hit.number], elements[place]
        result: dict[str, Any] = {
            "id": element_id(row.doc_id, element.ordinal),
            "type": element.kind,
            "doc_id": row.doc_id,
            "parent_id": row.doc_id,
            "name": row.name,
            "text_representation": element.text,
            "bbox": element.bbox,
            "properties": {
                **element.properties,
                **{
                    name: row.properties[name]
                    for name in ("entity", "path")
                    if name in row.properties
                },
            },
        }
        if identity is not None:
            result["embedding"] = embeddings.get(place)
        if wanted.search:
            result["_search"] = _explained(hit, rank, row.doc_id, element, highlighter)
        results.append(result)
    return results


def _place(hit: Hit, records: Mapping[int, Record]) -> Place:
    return records[hit.number].content_id, ordinal_of(hit.key)


def _explained(
    hit: Hit,
    rank: int,
    doc_id: str,
    element: Record | None,
    highlighter: Highlighter,
) -> dict[str, Any]:
    text = (element.text or "") if element is not None and hit.parts else ""
    positions = highlighter.spans(text)
    start = _snippet_start(text, positions[0][0] if positions else 0)
    explained: dict[str, Any] = {
        "rank": rank,
        "score": hit.score,
        "lists": {name: _part(part, doc_id, hit.is_fused) for name, part in hit.parts.items()},
        "element_id": element_id(doc_id, ordinal_of(hit.key)) if hit.parts else None,
        "page_number": element.page_number if element is not None and hit.parts else None,
        "snippet": text[start : start + _SNIPPET],
        "snippet_start": start,
        "terms": list(dict.fromkeys(text[first:last] for first, last in positions)),
        "positions": positions,
    }
    if hit.is_fused:
        explained["fusion"] = {"method": "reciprocal rank", "k": CONSTANT}
    return explained


def _part(part: Part, doc_id: str, fused: bool) -> dict[str, Any]:
    explained = {
        "rank": part.rank,
        "score": part.score,
        "element_id": element_id(doc_id, ordinal_of(part.key)),
    }
    return explained | {"weight": part.weight, "share": part.share} if fused else explained


def _snippet_start(text: str, first: int) -> int:
    """Where the snippet starts: at a word, with the first match in view."""
    if first + _BEFORE <= _SNIPPET or len(text) <= _SNIPPET:
        return 0
    start = min(first - _BEFORE, len(text) - _SNIPPET)
    return text.find(" ", start, first) + 1 or start
