"""The rules over several documents at once."""

from typing import Any

import pytest

from backend.docsets import extracting
from backend.docsets.extracting import extracted, stored
from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema


class Nobody:
    """A report without a receiver."""

    def __call__(self, done: int, total: int, unit: str) -> None: ...

    def ask(self, kind: str, data: Any, blobs: Any = ()) -> Any:
        raise AssertionError("there is no model to ask")


def document(text: str) -> list[Element]:
    return [Element(type="Text", bbox=[0, 0, 1, 1], properties={}, text_representation=text)]


def test_a_document_on_which_the_rules_fail_costs_no_value_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks_once(elements: list[Element], *rest: Any, **named: Any) -> Any:
        if "broken" in (elements[0].text_representation or ""):
            raise IndexError("nobody foresaw this")
        return extract(elements, *rest, **named)

    monkeypatch.setattr(extracting, "extract", breaks_once)
    schema = Schema.model_validate(
        {"properties": [{"name": "state", "type": "string", "default": "none"}]}
    )
    documents = [document("State: Ohio"), document("broken"), document("State: Texas")]
    documents_read = [stored(one) for one in extracted(documents, schema, Nobody(), room=0)]
    assert [one["properties"]["state"] for one in documents_read] == ["Ohio", "none", "Texas"]
    assert documents_read[1]["evidence"]["state"]["note"].startswith(
        "the properties of this document could not be read (IndexError at "
    )
