"""Properties suggested because documents of many kinds have them, with or without labels.

One source is the fields that the format declares, such as those of a mail. The other is a short
list of common questions: each is extracted from every document as if somebody had asked, and
suggested if most documents give a confident answer. So prose without labels leads to parties, dates
and places.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from backend.extraction.declared import declared_fields
from backend.extraction.engine import extract
from backend.extraction.suggested import Suggested
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

MAX_EXAMPLES = 3
MAX_READ = 20
"""The list is extracted from this many documents; more would take long and add little."""
_SURE = 0.6
"""The minimum mean confidence of a suggestion."""
_SURE_OF_FEW = 0.75
"""The same if there are fewer than `_FEW` documents, which may all be wrong in the same way."""
_FEW = 5
_SHARE = 0.4
"""The minimum share of documents that have it."""
_WEIGHT = 0.9

COMMON = Schema.model_validate(
    {
        "properties": [
            {"name": name, "type": kind, "description": description}
            for name, kind, description in (
                ("document_title", "string", "Title of the document"),
                ("date", "date", "Date of the document"),
                ("reference_number", "string", "Reference, case, file or order number"),
                ("parties", "array", "Parties to the agreement"),
                ("issuer", "string", "Organisation that issued the document"),
                ("author", "string", "Person who wrote the document"),
                ("recipient", "string", "Person or organisation it is addressed to"),
                ("attendees", "array", "People who were present"),
                ("effective_date", "date", "Date from which it takes effect"),
                ("expiry_date", "date", "Date on which it ends or expires"),
                ("due_date", "date", "Date by which something is due"),
                ("event_date", "date", "Date on which it happened"),
                ("place", "string", "Place where it happened"),
                ("total_amount", "float", "Total amount"),
                ("term", "string", "How long it lasts"),
                ("governing_law", "string", "State or country whose law governs"),
                ("signed_by", "string", "Name of the person who signed"),
                ("phone", "string", "Telephone number"),
                ("email", "string", "E-mail address"),
            )
        ]
    }
)


def by_format(documents: Sequence[Sequence[Element]]) -> Iterator[Suggested]:
    """The fields that the file format declares: sender, recipients, subject, date."""
    fields: dict[str, Suggested] = {}
    for at, elements in enumerate(documents):
        for prop, value in declared_fields(elements):
            one = fields.setdefault(prop.name, Suggested(prop, {}, len(documents)))
            one.values[at] = value
    yield from map(_with_examples, fields.values())


def in_common(documents: Sequence[Sequence[Element]]) -> Iterator[Suggested]:
    """The properties of the list that the documents have; of two with the same values only the more
    confident one.
    """
    read = [extract(elements, COMMON) for elements in documents[:MAX_READ]]
    least = _SURE if len(read) >= _FEW else _SURE_OF_FEW
    sure: list[tuple[float, Suggested]] = []
    for prop in COMMON.properties:
        given = {at: one[prop.name] for at, one in enumerate(read) if one[prop.name].value}
        mean = sum(value.confidence for value in given.values()) / max(1, len(given))
        if mean >= least and len(given) >= _SHARE * len(read):
            values = {at: value.value for at, value in given.items()}
            sure.append((mean, Suggested(prop, values, len(read), _WEIGHT)))
    sure.sort(key=lambda entry: -entry[0])
    for at, (_, one) in enumerate(sure):
        if not any(one.repeats(better) for _, better in sure[:at]):
            yield _with_examples(one)


def _with_examples(one: Suggested) -> Suggested:
    distinct: list[Any] = []
    for value in one.values.values():
        if value not in distinct:
            distinct.append(value)
    prop = one.prop.model_copy(update={"examples": distinct[:MAX_EXAMPLES]})
    return replace(one, prop=prop)
