"""Hits as the contract's JSON objects, read from the record.

Our own additions stand under one key, `_search`:

    rank, score      place from 1 over all pages, and the score that decided it
    lists            per list (lexical, keyword, vector): rank and score there
    element_id       the element that the document was found by, with its page_number and a snippet
    terms            the words of that element that the query found, as the element spells them
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select, tuple_

from backend.contract.ids import element_id
from backend.search.operations import chunks
from backend.search.ranking import Hit, ordinal_of
from backend.store.tables import documents, elements, vectors

MAX_DOCUMENT_TEXT = 10_000
"""Characters of `text_representation` in a document result; Get Doc has all of it."""

_FIRST_ELEMENTS = 50
_SNIPPET = 400

Terms = Callable[[str], list[str]]
"""From an element's text to the words in it that were looked for."""


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
    terms: Terms,
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
            result["_search"] = _explained(hit, rank, row.doc_id, found.get(hit.key), terms)
        results.append(result)
    return results


def element_results(
    connection: Connection,
    docset_id: str,
    hits: Sequence[Hit],
    first_rank: int,
    terms: Terms,
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
            result["_search"] = _explained(hit, rank, row.doc_id, element, terms)
        results.append(result)
    return results


def document_numbers(connection: Connection, docset_id: str, hits: Sequence[Hit]) -> dict[int, str]:
    """The document id of each hit, by the document's sequence number."""
    return {number: row.doc_id for number, row in _documents(connection, docset_id, hits).items()}


def _explained(
    hit: Hit, rank: int, doc_id: str, element: Row[*tuple[Any, ...]] | None, terms: Terms
) -> dict[str, Any]:
    text = (element.text or "") if element is not None and hit.parts else ""
    return {
        "rank": rank,
        "score": hit.score,
        "lists": {
            name: {
                "rank": part.rank,
                "score": part.score,
                "element_id": element_id(doc_id, ordinal_of(part.key)),
            }
            for name, part in hit.parts.items()
        },
        "element_id": element_id(doc_id, ordinal_of(hit.key)) if hit.parts else None,
        "page_number": element.page_number if element is not None and hit.parts else None,
        "snippet": text[:_SNIPPET],
        "terms": terms(text) if text else [],
    }


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
