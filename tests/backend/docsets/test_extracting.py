"""The rules over several documents at once."""

from typing import Any

import pytest

from backend.docsets import extracting
from backend.docsets.extracting import extracted, stored
from backend.docsets.preparing import prepared
from backend.extraction.engine import extract
from backend.extraction.label_vectors import installed
from backend.inference import static
from backend.inference.providers import embedder_for
from backend.partition import Partition
from workbench.contract.elements import Element
from workbench.contract.errors import Unavailable
from workbench.contract.schema import Schema

SCHEMA = {"properties": [{"name": "state", "type": "string", "default": "none"}]}


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
    schema = Schema.model_validate(SCHEMA)
    documents = [document("State: Ohio"), document("broken"), document("State: Texas")]
    made = extracted(documents, schema, Nobody(), room=0)
    documents_read = [stored(one.values) for one in made]
    assert [one["properties"]["state"] for one in documents_read] == ["Ohio", "none", "Texas"]
    remark = "the properties of this document could not be read (IndexError at "
    assert documents_read[1]["evidence"]["state"]["note"].startswith(remark)
    assert [len(one.remarks) for one in made] == [0, 1, 0]
    assert made[1].remarks[0].startswith(remark)


def test_a_document_that_cannot_be_read_is_added_with_a_remark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(*_: Any, **__: Any) -> Any:
        raise IndexError("nobody foresaw this")

    monkeypatch.setattr(extracting, "extract", breaks)
    elements = document("State: Ohio")
    parsed = Partition(elements, elements, 1, "text/plain", ["page 2 is empty"], {})
    wanted = {"schema": SCHEMA, "embedding": None, "room": 0}
    answer, _ = prepared(parsed, wanted, [], Nobody())
    first, second = answer["notes"]
    assert first == "page 2 is empty" and "properties of this document could not" in second


def test_nothing_is_read_without_the_word_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "_PACKAGES", ())
    embedder_for.cache_clear()
    installed.cache_clear()
    schema = Schema.model_validate({"properties": [{"name": "colour of sails", "type": "string"}]})
    with pytest.raises(Unavailable, match="install docset-workbench once more"):
        extracted([document("Colour of sails: red")], schema, Nobody(), room=0)
