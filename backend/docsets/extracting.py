"""The worker's part of extraction: the rules, and the server's model where it helps.

Values of several documents are requested together, so that a model can read them in parallel. The
jobs here import no document parsers.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from backend.docsets.packed_elements import MOST_PIECES, unpacked_elements
from backend.extraction.agreement import ModelAnswers, agreed
from backend.extraction.date_order import prevailing_order
from backend.extraction.engine import extract
from backend.extraction.extracted import Extracted, Guess
from backend.extraction.suggestions import suggest_by_kind
from backend.extraction.teaching import Lessons
from backend.extraction.value_faults import default_of
from backend.extraction.windows import windows
from backend.tasks.guarding import guarded
from backend.tasks.worker import Report
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

_PROPERTIES = "the properties of this document"
_KEPT = "they have their defaults"
_SAMPLED = 4
"""Documents of a sample that may all be as large as can be; more of them share their room."""
_PART = "the language model only read the beginning of the document"


@dataclass(frozen=True)
class Read:
    """The values of a document, and remarks for people on what failed."""

    values: dict[str, Extracted]
    remarks: list[str]


def extract_stored(
    data: dict[str, Any], blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """Extracts properties from stored documents.

    `data`: schema, doc_ids, room (characters of a question to the model, 0 without one), `lessons`
    (the checked values of each checked document), and day_first (the order of day and month in the
    DocSet, or null). The blobs are the packed elements of the checked documents, then those of the
    documents to read. Returns a map of id to properties, evidence and remarks.
    """
    count = len(data.get("lessons") or [])
    documents = [unpacked_elements(blob) for blob in blobs[count:]]
    made = read_with_lessons(documents, data, blobs[:count], report)
    results = [{**stored(read.values), "remarks": read.remarks} for read in made]
    return dict(zip(data["doc_ids"], results, strict=True)), ()


def unread(
    data: dict[str, Any], _blobs: Sequence[bytes], _report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """What `extract_stored` returns for a document whose reading was stopped.

    `data`: schema, doc_id, and the reason as a sentence.
    """
    note = f"{_PROPERTIES} could not be read; {_KEPT}: {data['reason']}"
    read = _defaults(Schema.model_validate(data["schema"]), note)
    return {data["doc_id"]: {**stored(read.values), "remarks": read.remarks}}, ()


def read_with_lessons(
    documents: Sequence[Sequence[Element]],
    data: dict[str, Any],
    checked: Sequence[bytes],
    report: Report,
) -> list[Read]:
    """The values of documents, read with what people checked in others.

    `data`: schema, room, day_first and lessons as in `extract_stored`; `checked` are the packed
    elements of the documents of the lessons.
    """
    schema = Schema.model_validate(data["schema"])
    lesson_data = _lessons(data["schema"], data.get("lessons") or [], checked)
    order = data.get("day_first")
    made = extracted(documents, schema, report, room=data["room"], day_first=order)
    if lesson_data is None:
        return made
    return [
        _with_lessons(lesson_data, elements, read)
        for elements, read in zip(documents, made, strict=True)
    ]


_cache: dict[bytes, Lessons] = {}
"""The lessons of the last batch, which mostly recur in the next one."""


def _lessons(
    schema: dict[str, Any], values: Sequence[dict[str, Any]], blobs: Sequence[bytes]
) -> Lessons | None:
    """The lessons from documents that people checked; `values` are their checked values."""
    if not values:
        return None
    described = json.dumps([schema, values], sort_keys=True, default=str).encode()
    digests = b"".join(hashlib.sha256(blob).digest() for blob in blobs)
    key = hashlib.sha256(described + digests).digest()
    if key not in _cache:
        _cache.clear()
        checked = [(unpacked_elements(b), v) for b, v in zip(blobs, values, strict=True)]
        _cache[key] = Lessons(checked, Schema.model_validate(schema))
    return _cache[key]


def _with_lessons(lessons: Lessons, elements: Sequence[Element], read: Read) -> Read:
    """Applies lessons; a document on which they fail keeps the values read without them."""
    remarks = list(read.remarks)
    with guarded(remarks, _PROPERTIES, "they were read without the lessons"):
        return Read(lessons.applied(elements, read.values), remarks)
    return Read(read.values, remarks)


def order_of_dates(
    _data: dict[str, Any], blobs: Sequence[bytes], _report: Report
) -> tuple[bool | None, Sequence[bytes]]:
    """The order of day and month in documents, given as packed elements; null when unknown."""
    return prevailing_order(map(unpacked_elements, blobs)), ()


def suggest_schema(
    data: dict[str, Any], blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """Suggests a schema for documents, given as packed elements.

    Where the documents are of mixed kinds, the kinds come too, with documents by number.

    `data`: the existing schema or null, and instructions or null.
    """
    existing = None if data["existing"] is None else Schema.model_validate(data["existing"])
    most = _SAMPLED * MOST_PIECES // max(_SAMPLED, len(blobs))
    documents = [unpacked_elements(blob, most) for blob in blobs]
    suggested, kinds = suggest_by_kind(
        documents, existing=existing, instructions=data["instructions"]
    )
    groups = [
        {"words": kind.words, "documents": kind.documents, "properties": names}
        for kind, names in kinds
    ]
    return {"schema": suggested.model_dump(), "groups": groups}, ()


def extracted(
    documents: Sequence[Sequence[Element]],
    schema: Schema,
    report: Report,
    *,
    room: int,
    voting: bool = False,
    day_first: bool | None = None,
) -> list[Read]:
    """The values of each document by the rules, and by the model when there is `room` to ask."""
    by_rules = [
        _by_rules(elements, schema, voting=voting, day_first=day_first) for elements in documents
    ]
    if room == 0 or not schema.properties:
        return by_rules
    shown = [windows(elements, room) for elements in documents]
    pieces = [pieces for pieces, _ in shown]
    asked = {"schema": schema.model_dump(), "voting": voting, "documents": pieces}
    answers = report.ask("properties", asked)
    return [
        replace(rules, values=agreed(rules.values, answer if whole else _in_part(answer), elements))
        for rules, answer, elements, (_, whole) in zip(
            by_rules, answers, documents, shown, strict=True
        )
    ]


def _in_part(answer: ModelAnswers) -> ModelAnswers:
    return {**answer, "note": answer["note"] or _PART}


def _by_rules(
    elements: Sequence[Element], schema: Schema, *, voting: bool, day_first: bool | None
) -> Read:
    """A document on which the rules fail gets the defaults, each with a note, and a remark."""
    remarks: list[str] = []
    with guarded(remarks, _PROPERTIES, _KEPT):
        return Read(extract(elements, schema, voting=voting, day_first=day_first), remarks)
    return _defaults(schema, remarks[0])


def _defaults(schema: Schema, note: str) -> Read:
    values = {p.name: Extracted(default_of(p), 0.0, note=note) for p in schema.properties}
    return Read(values, [note])


def stored(values: dict[str, Extracted]) -> dict[str, Any]:
    """Values and evidence as a document stores them."""
    return {
        "properties": {name: item.value for name, item in values.items()},
        "evidence": {name: _evidence(item) for name, item in values.items()},
    }


def _evidence(item: Extracted) -> dict[str, Any]:
    evidence: dict[str, Any] = {**_place(item), "source": item.source}
    if item.alternatives:
        guesses = item.alternatives
        evidence["alternatives"] = [{"value": guess.value, **_place(guess)} for guess in guesses]
    return evidence if item.note is None else evidence | {"note": item.note}


def _place(read: Extracted | Guess) -> dict[str, Any]:
    """How sure a value is and where it was read."""
    place = {name: getattr(read, name) for name in ("confidence", "page", "bbox", "element")}
    return place if read.unit is None else place | {"unit": read.unit}
