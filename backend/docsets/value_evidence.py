"""The values of some documents with source and quote."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.engine import RowMapping

from backend.docsets.chunk_places import first_chunks
from backend.store.database import Database
from backend.store.tables import contents, documents, elements
from workbench.contract.coverage import DocumentEvidence, ValueEvidence
from workbench.contract.ids import element_id
from workbench.contract.stored_evidence import best_guess, stated_confidence
from workbench.contract.written_values import find_value

_AROUND = 90
"""Characters of a quote on each side of the value."""


def value_evidence(
    database: Database, doc_ids: Sequence[str], fields: Sequence[str], confidence_limit: float
) -> list[DocumentEvidence]:
    """The values of `fields` in the documents, in order; deleted ones are left out."""
    with database.reading() as connection:
        chosen = select(documents).where(documents.c.doc_id.in_(doc_ids))
        rows = {row["doc_id"]: row for row in connection.execute(chosen).mappings()}
        return [
            _of_document(connection, rows[doc_id], fields, confidence_limit)
            for doc_id in doc_ids
            if doc_id in rows
        ]


def _of_document(
    connection: Connection, row: RowMapping, fields: Sequence[str], limit: float
) -> DocumentEvidence:
    entity = row["properties"].get("entity", {})
    evidence: Mapping[str, Any] = row["evidence"]
    shown = [_value(name, entity.get(name), evidence.get(name) or {}, limit) for name in fields]
    places = {name: _place(evidence.get(name) or {}) for name in fields}
    wanted = {place for place in places.values() if place is not None}
    stored = stored_elements(connection, row["content_id"], wanted) if wanted else {}
    for value in shown:
        element = stored.get(places[value.field])
        if element is not None:
            ordinal, text = element
            value.element_id = element_id(row["doc_id"], ordinal)
            value.quote = quote(text, value.value, value.field)
    return DocumentEvidence(doc_id=row["doc_id"], name=row["name"], values=shown)


def _value(name: str, value: Any, item: Mapping[str, Any], limit: float) -> ValueEvidence:
    corrected = bool(item.get("corrected"))
    confidence = stated_confidence(item)
    if value is None:
        guess = best_guess(item)
        if guess is None:
            return ValueEvidence(field=name, state="missing", corrected=corrected)
        value, confidence, item = guess.get("value"), guess.get("confidence"), guess
    doubtful = confidence is not None and confidence < limit
    return ValueEvidence(
        field=name,
        value=value,
        state="doubtful" if doubtful else "used",
        confidence=confidence,
        page=item.get("page"),
        bbox=item.get("bbox"),
        unit=item.get("unit"),
        corrected=corrected,
    )


def _place(item: Mapping[str, Any]) -> int | None:
    """The partitioner's element in which a value, or the best guess at it, was read."""
    place = item.get("element")
    if place is None and (best := best_guess(item)) is not None:
        place = best.get("element")
    return place if isinstance(place, int) else None


def stored_elements(
    connection: Connection, content_id: str, places: set[int]
) -> dict[int | None, tuple[int, str]]:
    """The stored ordinal and text of each of the partitioner's elements `places`."""
    chunked = connection.execute(
        select(contents.c.original_elements.is_not(None)).where(contents.c.content_id == content_id)
    ).scalar_one()
    ordinals = {place: place for place in places}
    if chunked:
        listed = select(elements.c.properties).where(elements.c.content_id == content_id)
        chunks = first_chunks(connection.scalars(listed.order_by(elements.c.ordinal)))
        ordinals = {place: chunks[place] for place in places if place in chunks}
    of_them = (elements.c.content_id == content_id) & elements.c.ordinal.in_(ordinals.values())
    rows = connection.execute(select(elements.c.ordinal, elements.c.text).where(of_them))
    texts = {ordinal: text or "" for ordinal, text in rows}
    return {p: (ordinal, texts[ordinal]) for p, ordinal in ordinals.items() if ordinal in texts}


def quote(text: str, value: Any, name: str) -> str:
    """The words around a value, in a table its row; the beginning of the text when the value is not
    written there. Of several rows with the value it is the one with most words of the property's
    `name`.
    """
    named = set(name.lower().split("_"))
    rows = [row for row in text.splitlines() if " | " in row and find_value(row, value)]
    row = max(rows, key=lambda row: len(named & set(row.lower().split())), default=text)
    flat = " ".join(row.split())
    at, behind = find_value(flat, value) or (0, 0)
    begin = max(0, at - _AROUND)
    end = min(len(flat), behind + _AROUND)
    shown = flat[begin:end].strip()
    return f"{'…' if begin else ''}{shown}{'…' if end < len(flat) else ''}"
