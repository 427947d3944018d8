"""Corrects a property of a document by hand: parses the typed text as the type in the schema."""

import json
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from workbench.contract.documents import Document, PropertyUpdates, ReplaceOperation
from workbench.contract.numbers import only_finite
from workbench.contract.schema import PropertyKind

if TYPE_CHECKING:
    from workbench.client import AsyncClient


async def correct(
    client: "AsyncClient", docset_id: str, doc_id: str, name: str, value: Any
) -> Document:
    """Sets the property; None means that there is no value. The service marks it as corrected."""
    pointer = name.replace("~", "~0").replace("/", "~1")
    change = ReplaceOperation(path=f"/properties/entity/{pointer}", value=value)
    return await client.patch_properties(docset_id, doc_id, PropertyUpdates(operations=[change]))


def written(value: Any) -> str:
    """A value for editing: text unchanged, everything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read(text: str, kind: PropertyKind | None) -> Any:
    """The typed value; None for an empty text. ValueError with a sentence for another type."""
    stripped = text.strip()
    if not stripped:
        return None
    if kind in ("string", "choice"):
        return stripped
    if kind in ("date", "datetime"):
        return _moment(stripped, kind)
    try:
        value = json.loads(stripped)
    except ValueError:
        value = stripped
    if not only_finite(value):  # json reads “NaN” and “1e999”
        value = stripped
    fitting = {"int": int, "float": (int, float), "bool": bool, "array": list, "object": dict}
    wanted: Any = fitting.get(kind or "", object)
    if not isinstance(value, wanted) or (kind in ("int", "float") and isinstance(value, bool)):
        raise ValueError(f"{stripped!r:.80} is not {_EXPECTED[kind or '']}.")
    return value


def why_not(text: str, kind: PropertyKind | None) -> str | None:
    """The sentence about a text that cannot be read as that kind."""
    try:
        read(text, kind)
    except ValueError as error:
        return str(error)
    return None


_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": 'a list such as ["a", "b"]',
    "object": "a JSON object",
}


def _moment(text: str, kind: str) -> str:
    try:
        if kind == "date":
            return date.fromisoformat(text).isoformat()
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        example = "2024-05-17" if kind == "date" else "2024-05-17T09:30"
        raise ValueError(f"{text!r:.80} is not a {kind}; write it as {example}.") from None
