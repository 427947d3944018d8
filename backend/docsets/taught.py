"""People's corrections in a DocSet, as examples for reading its other documents.

A value that somebody set or confirmed shows what such values look like in this DocSet, and where
they are. Each job scans the DocSet once.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, cast, func, select

from backend.docsets.stored_elements import packed_elements
from backend.store.tables import documents, elements
from workbench.contract.schema import Schema, SchemaProperty

MOST = 5
"""Examples that corrections add to a property."""
_MOST_CHECKED = 200
_MOST_VALUES = 100_000
"""Characters of all values of a checked document. Workers get these values with each document, so
longer ones would delay it; and no value that long could be read anyway."""
_MOST_LESSONS = 20
"""Checked documents that are compared with each other."""
MOST_TEXT = 200_000
"""Characters of all lessons. A worker learns from them before it reads a document, so long lessons
would delay even the shortest document."""
_MOST_WORK = 10_000_000
"""Characters times properties, since every property scans all lessons."""
_KEPT, _MOST_KEPT = 50, 100
_TEXTS = ("string", "custom", "array")


def taught(connection: Connection, docset_id: str, schema: Schema) -> Schema:
    """The schema with corrected values as examples of its text properties."""
    learnt: dict[str, list[Any]] = {}
    for row in _corrected(connection, docset_id):
        entity = row.properties.get("entity", {})
        for name, item in row.evidence.items():
            value = entity.get(name)
            if item.get("corrected") and value not in (None, "", []):
                learnt.setdefault(name, []).append(value)
    return Schema(properties=[_with(prop, learnt.get(prop.name, [])) for prop in schema.properties])


@dataclass(frozen=True)
class Lesson:
    """A document with the values that people checked; None means there is no value."""

    content_id: str
    values: dict[str, Any]


def lessons_of(connection: Connection, docset_id: str, schema: Schema) -> list[Lesson]:
    """The documents with the most checked values of the schema, as far as there is room."""
    names = {prop.name for prop in schema.properties}
    lessons = []
    for row in _corrected(connection, docset_id):
        entity = row.properties.get("entity", {})
        values = {
            name: entity.get(name)
            for name, item in row.evidence.items()
            if name in names and item.get("corrected")
        }
        if values:
            lessons.append(Lesson(row.content_id, values))
    lessons.sort(key=lambda lesson: -len(lesson.values))
    lengths = _lengths(connection, [lesson.content_id for lesson in lessons])
    room = min(MOST_TEXT, _MOST_WORK // max(1, len(names)))
    chosen: list[Lesson] = []
    for lesson in lessons:
        length = lengths.get(lesson.content_id, 0)
        if length <= room and len(chosen) < _MOST_LESSONS:
            chosen.append(lesson)
            room -= length
    return chosen


def _lengths(connection: Connection, content_ids: Sequence[str]) -> dict[str, int]:
    """Characters of the texts of contents."""
    length = func.coalesce(func.sum(func.length(elements.c.text)), 0)
    statement = select(elements.c.content_id, length).where(elements.c.content_id.in_(content_ids))
    rows = connection.execute(statement.group_by(elements.c.content_id))
    return {content_id: int(characters) for content_id, characters in rows}


@dataclass(frozen=True)
class Teaching:
    """What a DocSet teaches about a document that is added to it: its schema with examples, checked
    values and the packed elements of their documents.
    """

    schema: dict[str, Any] | None
    values: list[dict[str, Any]]
    blobs: list[bytes]


class Teachings:
    """The teaching of each DocSet, cached for `_KEPT` times the duration of its look-up, so that
    adding very many documents costs hardly any look-ups.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[str, tuple[float, Any, Teaching]] = {}

    def of(self, connection: Connection, docset: Any) -> Teaching:
        """The teaching of a DocSet, given as its row."""
        docset_id, schema = docset["docset_id"], docset["schema"]
        if not schema:
            return Teaching(None, [], [])
        began = self._clock()
        until, known, teaching = self._kept.get(docset_id, (0.0, None, None))
        if teaching is not None and began < until and known == schema:
            return teaching
        wanted = Schema.model_validate(schema)
        lessons = lessons_of(connection, docset_id, wanted)
        teaching = Teaching(
            taught(connection, docset_id, wanted).model_dump() if lessons else schema,
            [lesson.values for lesson in lessons],
            packed_elements(connection, [lesson.content_id for lesson in lessons]),
        )
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        now = self._clock()
        self._kept[docset_id] = (now + _KEPT * (now - began), schema, teaching)
        return teaching


def corrected_fields(connection: Connection, docset_id: str) -> set[str]:
    """The properties with a checked value."""
    statement = select(documents.c.evidence).where(*_has_corrections(docset_id))
    rows = connection.scalars(statement.order_by(documents.c.sequence).limit(_MOST_CHECKED))
    return {name for row in rows for name, item in row.items() if item.get("corrected")}


def _corrected(connection: Connection, docset_id: str) -> Any:
    short = func.length(cast(documents.c.properties, String)) <= _MOST_VALUES
    columns = (documents.c.content_id, documents.c.properties, documents.c.evidence)
    statement = select(*columns).where(*_has_corrections(docset_id), short)
    return connection.execute(statement.order_by(documents.c.sequence).limit(_MOST_CHECKED))


def _has_corrections(docset_id: str) -> tuple[ColumnElement[bool], ...]:
    marked = cast(documents.c.evidence, String).contains('"corrected"')
    return documents.c.docset_id == docset_id, marked


def _with(prop: SchemaProperty, values: list[Any]) -> SchemaProperty:
    if prop.kind not in _TEXTS or not values:
        return prop
    own = list(prop.examples or [])
    new = [value for at, value in enumerate(values) if value not in own + values[:at]]
    return prop.model_copy(update={"examples": own + new[:MOST]})
