"""The part of extraction that runs in a worker: the rules, and the server's model where it helps.

Values of several documents are asked for together, so that a model can read them side by side.
"""

from collections.abc import Sequence
from typing import Any

from backend.contract.elements import Element
from backend.contract.schema import Schema
from backend.extraction.agreement import agreed
from backend.extraction.engine import Extracted, extract
from backend.extraction.windows import windows
from backend.tasks.worker import Report


def extracted(
    documents: Sequence[Sequence[Element]],
    schema: Schema,
    report: Report,
    *,
    room: int,
    voting: bool = False,
) -> list[dict[str, Extracted]]:
    """The values of each document by the rules, and by the model when there is `room` to ask it."""
    found = [extract(elements, schema, voting=voting) for elements in documents]
    if room == 0 or not schema.properties:
        return found
    pieces = [windows(elements, room) for elements in documents]
    asked = {"schema": schema.model_dump(), "voting": voting, "documents": pieces}
    answers = report.ask("properties", asked)
    return [
        agreed(rules, answer, elements)
        for rules, answer, elements in zip(found, answers, documents, strict=True)
    ]


def stored(found: dict[str, Extracted]) -> dict[str, Any]:
    """Values and evidence as a document keeps them."""
    return {
        "properties": {name: item.value for name, item in found.items()},
        "evidence": {name: _evidence(item) for name, item in found.items()},
    }


def _evidence(item: Extracted) -> dict[str, Any]:
    evidence = {
        "confidence": item.confidence,
        "page": item.page,
        "bbox": item.bbox,
        "element": item.element,
        "source": item.source,
    }
    return evidence if item.note is None else evidence | {"note": item.note}
