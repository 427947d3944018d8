"""Values from the file format itself: sender and subject of a mail, a document's title.

The partitioner records header fields and metadata in the `declares` property of the element that
shows them. If a property asks for one by name, and its description is about nothing else, that is
the value: no text is a better source. Terms of electronic invoices are in `declared_terms`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from backend.extraction.declared_terms import declared_term
from backend.extraction.document_titles import asks_for_title, is_at_beginning, titles
from backend.extraction.extracted import Extracted
from backend.extraction.validators import passes
from backend.extraction.value_faults import default_of
from workbench.contract.elements import Element
from workbench.contract.schema import PropertyShape, Schema, SchemaProperty

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MAIL = frozenset("email mail e message letter header field".split())  # noqa: SIM905
_LINKS = frozenset("a an the of in at on s who this its".split())  # noqa: SIM905
_PARTS = frozenset("name names address addresses domain display full list".split())  # noqa: SIM905
_FIELDS: dict[str, frozenset[str]] = {
    "subject": frozenset({"subject", "line"}),
    "from": frozenset({"from", "sender", "sent", "by"}),
    "to": frozenset({"to", "recipient", "recipients", "addressee", "addressees", "sent"}),
    "cc": frozenset({"cc", "copied", "copy", "to"}),
    "date": frozenset({"date", "sent", "sending", "time", "day", "timestamp", "datetime"}),
}
"""The words that name a field of a mail; a name may contain no others."""
_KEYS: dict[str, frozenset[str]] = {
    "subject": frozenset({"subject"}),
    "from": frozenset({"from", "sender", "by"}),
    "to": frozenset({"to", "recipient", "recipients", "addressee", "addressees"}),
    "cc": frozenset({"cc", "copied"}),
    "date": frozenset({"date", "sent", "day", "timestamp", "datetime"}),
}
_ASKED = {
    "subject": ("string", "Subject of the message"),
    "sender": ("string", "Sender of the message"),
    "recipients": ("array", "Recipients of the message"),
    "cc": ("array", "Recipients of a copy of the message"),
    "date": ("datetime", "Date on which the message was sent"),
}
_ASKING = _MAIL | frozenset("sender sent send sends subject recipient addressee wrote".split())  # noqa: SIM905
"""The description of a property that asks for a mail field contains one of these."""
_OF_HEADER, _GIVEN = 0.98, 0.5
"""Confidence of a header field or declared term, and the minimum for a title to be given."""
_OF_BROKEN_HEADER = 0.4
"""Below `GIVEN`: a malformed address may be meant differently."""
_ADDRESS = re.compile(r"(?<![^\s@<>()\[\],;:\"])[^\s@<>()\[\],;:\"]++@[^\s@<>()\[\],;:\"]+")
_PERSON = re.compile(rf"(?:[^<>]*<\s*{_ADDRESS.pattern}\s*>|\s*{_ADDRESS.pattern}\s*|[^<>@]*)")


@dataclass(frozen=True)
class Declared:
    """A value with the index of the element that shows it; `confidence` is 0..1, `unit` that of a
    number.
    """

    value: Any
    confidence: float
    element: int
    unit: str | None = None


def with_declared(
    extracted: Mapping[str, Extracted], schema: Schema, elements: Sequence[Element]
) -> dict[str, Extracted]:
    """The values of the properties: the declared ones where they are more reliable."""
    return {
        prop.name: _declared_or_read(extracted[prop.name], prop, elements)
        for prop in schema.properties
    }


def _declared_or_read(
    read: Extracted, prop: SchemaProperty, elements: Sequence[Element]
) -> Extracted:
    read = _of_document(read, prop, elements)
    best = next(iter(declared_values(prop, elements)), None)
    if best is None or (best.confidence < read.confidence and best.element != read.element):
        return read
    if not passes(best.value, prop.validators):
        return read
    place = elements[best.element]
    return replace(
        read,
        value=best.value, confidence=best.confidence, unit=best.unit,
        page=place.page_number, bbox=list(place.bbox), element=best.element,
    )  # fmt: skip


def declared_values(prop: SchemaProperty, elements: Sequence[Element]) -> Iterator[Declared]:
    """The declared values for a property, converted to its type, the most confident first."""
    if (term := declared_term(prop, elements)) is not None:
        yield Declared(term.value, _OF_HEADER, term.element, term.unit)
    name, described = _words(prop.name), _words(prop.description or "")
    if _is_title(prop):
        for one in titles(name, described, elements):
            if one.confidence >= _GIVEN:
                yield Declared(one.text, one.confidence, one.element)
    field = _field(name, described)
    if field is None:
        return
    for index, element in enumerate(elements):
        entry = _entries(element).get(field)
        value = None if entry is None else _shaped(entry, prop, _part(prop, name, described))
        if entry is not None and value is not None:
            yield Declared(value, _confidence(field, entry), index)
            return


def declared_fields(elements: Sequence[Element]) -> Iterator[tuple[SchemaProperty, Any]]:
    """The header fields of a mail, each as a property that asks for it and its value."""
    for name, (kind, description) in _ASKED.items():
        prop = SchemaProperty.model_validate(
            {"name": name, "type": kind, "description": description}
        )
        for declared in declared_values(prop, elements):
            yield prop, declared.value
            break


def _confidence(field: str, entry: str | list[str]) -> float:
    """The confidence of a header field; people count as reliable only if each is well-formed."""
    people = [entry] if isinstance(entry, str) else entry
    if field in ("subject", "date") or all(map(_PERSON.fullmatch, people)):
        return _OF_HEADER
    return _OF_BROKEN_HEADER


def _of_document(read: Extracted, prop: SchemaProperty, elements: Sequence[Element]) -> Extracted:
    """Drops a title that was read after the beginning: it belongs to another work."""
    if read.element is None or not _is_title(prop):
        return read
    if is_at_beginning(elements[read.element], read.element):
        return read
    return replace(
        read, value=default_of(prop), confidence=0.0, unit=None, page=None, bbox=None, element=None
    )


def _is_title(prop: SchemaProperty) -> bool:
    words = _words(prop.name), _words(prop.description or "")
    return prop.kind in ("string", "custom") and asks_for_title(*words)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _entries(element: Element) -> dict[str, str | list[str]]:
    entries = element.properties.get("declares")
    return entries if isinstance(entries, dict) else {}


# -- mails ----------------------------------------------------------------------------------------


def _field(name: Sequence[str], described: Sequence[str]) -> str | None:
    """The header field that a property asks for."""
    if described and not _ASKING.intersection(described):
        return None
    words = set(name) - _LINKS - _MAIL
    for field, known in _FIELDS.items():
        if words & _KEYS[field] and words - _PARTS <= known:
            return field
    return None


def _part(prop: SchemaProperty, name: Sequence[str], described: Sequence[str]) -> str:
    """The part of a person that a property asks for: name, address, domain, or all ("")."""
    if "domain" in name:
        return "domain"
    if name[-1] in ("address", "addresses", "email", "emails", "mail"):
        return "address"
    if name[-1] in ("name", "names"):
        return "name"
    examples = [one for one in _flat(prop.examples or []) if isinstance(one, str)]
    if examples:
        bare = [one for one in examples if "<" not in one]
        return "" if not bare else "address" if "@" in bare[0] else "name"
    return next((p for p in ("address", "name") if {p, f"{p}s", f"{p}es"} & set(described)), "")


def _flat(examples: Sequence[Any]) -> Iterator[Any]:
    for example in examples:
        if isinstance(example, list):
            yield from example
        else:
            yield example


def _shaped(entry: str | list[str], prop: SchemaProperty, part: str) -> Any:
    """A declared value converted to the type of the property, or None."""
    several = entry if isinstance(entry, list) else [entry]
    match prop.kind:
        case "date" | "datetime":
            return _moment(several[0], prop)
        case "string" | "custom":
            return ", ".join(_person(one, part) for one in several)
        case "array" if prop.item_type is not None and prop.item_type.kind == "string":
            return [_person(one, part) for one in several]
        case _:
            return None


def _moment(text: str, shape: PropertyShape) -> str | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.isoformat() if shape.kind == "datetime" else moment.date().isoformat()


def _person(text: str, part: str) -> str:
    """The part of "Ada Lane <ada@example.org>" that is asked for; falls back to what there is."""
    person, _, rest = text.partition("<")
    written = _ADDRESS.search(rest or text)
    address = written.group() if written else ""
    person = person.strip(' ",;_(') if rest else "" if address else text
    match part:
        case "domain":
            return address.rpartition("@")[2] or text
        case "address":
            return address or person
        case "name":
            return person or address
        case _:
            return text
