"""Hits as the contract's JSON objects, read from the record.

Our own additions stand under one key, `_search`:

    rank, score      place from 1 over all pages, and the score that decided it
    lists            per list (lexical, keyword, vector): rank, score, and the element it is for
    fusion           where two lists were fused: that the score is the sum of their shares, each
                     `weight` / (`k` + rank)
    element_id       the element that the document was found by, with its page_number
    positions        where in that element's text_representation stands what the query looked for:
                     pairs of start and end, in characters
    terms            the same as the element spells it, each once
    snippet          a piece of that text, from the character `snippet_start` on
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select, tuple_

from backend.contract.ids import element_id
from backend.search.highlights import Highlighter
from backend.search.operations import chunks
from backend.search.ranking import CONSTANT, Hit, Part, ordinal_of
from backend.store.tables import documents, elements, vectors

MAX_DOCUMENT_TEXT = 10_000
"""Characters of `text_representation` in a document result; Get Doc has all of it."""

_FIRST_ELEMENTS = 50
_SNIPPET = 400
_BEFORE = 100  # characters of a snippet before the first word that was found


@dataclass(frozen=True)
class Wanted:
    """What of a result is worth reading."""

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
    """One object per hit; documents in order of the hits."""
    held = _documents(connection, docset_id, hits)
    texts = _texts(connection, held.values()) if wanted.text else {}
    found = _elements(connection, hits, held) if wanted.search else {}
    results: list[dict[str, Any]] = []
    for rank, hit in enumerate(hits, start=first_rank):
        row = held[hit.number]
        result: dict[str, Any] = {
            "doc_id": row.doc_id,
            "name": row.name,
            "properties": row.properties,
        }
        if wanted.text:
            result["text_representation"] = texts.get(row.content_id, "")
        if wanted.search:
            result["_search"] = _explained(hit, rank, row.doc_id, found.get(hit.key), highlighter)
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
    """One object per hit, each with what a reader needs of its document."""
    held = _documents(connection, docset_id, hits)
    found = _elements(connection, hits, held)
    embeddings = _embeddings(connection, hits, held, wanted.embedding_identity)
    results: list[dict[str, Any]] = []
    for rank, hit in enumerate(hits, start=first_rank):
        row, element = held[hit.number], found[hit.key]
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
        if wanted.embedding_identity is not None:
            result["embedding"] = embeddings.get(hit.key)
        if wanted.search:
            result["_search"] = _explained(hit, rank, row.doc_id, element, highlighter)
        results.append(result)
    return results


def document_numbers(connection: Connection, docset_id: str, hits: Sequence[Hit]) -> dict[int, str]:
    """The document id of each hit, by the document's sequence number."""
    return {number: row.doc_id for number, row in _documents(connection, docset_id, hits).items()}


def _explained(
    hit: Hit,
    rank: int,
    doc_id: str,
    element: Row[*tuple[Any, ...]] | None,
    highlighter: Highlighter,
) -> dict[str, Any]:
    text = (element.text or "") if element is not None and hit.parts else ""
    positions = highlighter.spans(text)
    start = _snippet_start(text, positions[0][0] if positions else 0)
    told: dict[str, Any] = {
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
        told["fusion"] = {"method": "reciprocal rank", "k": CONSTANT}
    return told


def _part(part: Part, doc_id: str, fused: bool) -> dict[str, Any]:
    told = {
        "rank": part.rank,
        "score": part.score,
        "element_id": element_id(doc_id, ordinal_of(part.key)),
    }
    return told | {"weight": part.weight, "share": part.share} if fused else told


def _snippet_start(text: str, first: int) -> int:
    """Where to begin, at a word, so that what was found first is in sight."""
    if first + _BEFORE <= _SNIPPET or len(text) <= _SNIPPET:
        return 0
    start = min(first - _BEFORE, len(text) - _SNIPPET)
    return text.find(" ", start, first) + 1 or start


def _documents(
    connection: Connection, docset_id: str, hits: Sequence[Hit]
) -> dict[int, Row[*tuple[Any, ...]]]:
    ours = documents.c.docset_id == docset_id
    wanted = sorted({hit.number for hit in hits})
    columns = (
        documents.c.number,
        documents.c.doc_id,
        documents.c.content_id,
        documents.c.name,
        documents.c.properties,
    )
    return {
        row.number: row
        for chunk in chunks(wanted)
        for row in connection.execute(select(*columns).where(ours, documents.c.number.in_(chunk)))
    }


def _elements(
    connection: Connection, hits: Sequence[Hit], held: Mapping[int, Row[*tuple[Any, ...]]]
) -> dict[int, Row[*tuple[Any, ...]]]:
    """The element of each hit by its key."""
    places = {hit.key: (held[hit.number].content_id, ordinal_of(hit.key)) for hit in hits}
    columns = (
        elements.c.content_id,
        elements.c.ordinal,
        elements.c.kind,
        elements.c.page_number,
        elements.c.bbox,
        elements.c.text,
        elements.c.properties,
    )
    place = tuple_(elements.c.content_id, elements.c.ordinal)
    rows = {
        (row.content_id, row.ordinal): row
        for chunk in chunks(sorted(set(places.values())))
        for row in connection.execute(select(*columns).where(place.in_(chunk)))
    }
    return {key: rows[place] for key, place in places.items() if place in rows}


def _texts(connection: Connection, held: Iterable[Row[*tuple[Any, ...]]]) -> dict[str, str]:
    """The beginning of each content's text, a line per element."""
    found: dict[str, str] = {}
    for chunk in chunks(sorted({row.content_id for row in held})):
        rows = connection.execute(
            select(elements.c.content_id, elements.c.text)
            .where(
                elements.c.content_id.in_(chunk),
                elements.c.ordinal < _FIRST_ELEMENTS,
                elements.c.text.is_not(None),
            )
            .order_by(elements.c.content_id, elements.c.ordinal)
        )
        for content, group in groupby(rows, key=attrgetter("content_id")):
            found[content] = "\n".join(row.text for row in group)[:MAX_DOCUMENT_TEXT]
    return found


def _embeddings(
    connection: Connection,
    hits: Sequence[Hit],
    held: Mapping[int, Row[*tuple[Any, ...]]],
    identity: str | None,
) -> dict[int, list[float]]:
    """The vectors of the hits by key; elements without words have none."""
    if identity is None:
        return {}
    stored: dict[str, dict[int, list[float]]] = {}
    for chunk in chunks(sorted({row.content_id for row in held.values()})):
        rows = connection.execute(
            select(vectors).where(vectors.c.content_id.in_(chunk), vectors.c.identity == identity)
        )
        for row in rows:
            ordinals = np.frombuffer(row.ordinals, dtype="<i4").tolist()
            matrix = np.frombuffer(row.matrix, dtype="<f4").reshape(-1, row.dimension)
            stored[row.content_id] = dict(zip(ordinals, matrix.tolist(), strict=True))
    return {
        hit.key: vector
        for hit in hits
        if (vector := stored.get(held[hit.number].content_id, {}).get(ordinal_of(hit.key)))
    }
