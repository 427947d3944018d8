"""Properties of every kind are asked for and read, whichever way a model takes typed answers."""

from typing import Any

import pytest

from backend.extraction.citing import question
from backend.extraction.windows import Passage
from backend.inference.language import Budget
from backend.inference.language_line import language_model
from backend.settings import LanguageEndpoint
from tests.scripted_model import ScriptedModel, good
from workbench.contract.schema import Schema

TEXT = "On 3 May 2021 at 10:30 the lamp cost 4.5 for 7 of x, yes. lamp 3, Ann in Rome"


def cited(value: Any, quote: str) -> dict[str, Any]:
    return {"value": value, "element": 0, "quote": quote}


def named(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": {"type": kind, **more}}


ROW = {"type": "object", "properties": [named("item", "string"), named("count", "int")]}
KINDS: list[tuple[dict[str, Any], Any, Any]] = [
    (named("the thing", "string"), cited("lamp", "lamp 3"), "lamp"),
    (named("day", "date"), cited("2021-05-03", "3 May 2021"), "2021-05-03"),
    (
        named("moment", "datetime"),
        cited("2021-05-03T10:30:00Z", "3 May 2021 at 10:30"),
        "2021-05-03T10:30:00",
    ),
    (named("price", "float"), cited(4.5, "cost 4.5"), 4.5),
    (named("pieces", "int"), cited(7, "7 of x"), 7),
    (named("done", "bool"), cited(True, "yes"), True),
    (named("letter", "choice", choices=["x", 2]), cited("x", "7 of x"), "x"),
    (named("numbers", "array", item_type={"type": "int"}), [cited(3, "lamp 3")], [3]),
    (
        named("rows", "array", item_type=ROW),
        [{"p0": cited("lamp", "lamp 3"), "p1": cited(3, "lamp 3")}],
        [{"item": "lamp", "count": 3}],
    ),
    (
        named("who", "object", properties=[named("name", "string"), named("town", "string")]),
        {"p0": cited("Ann", "Ann in Rome"), "p1": cited("Rome", "Ann in Rome")},
        {"name": "Ann", "town": "Rome"},
    ),
    (named("sum", "Money"), None, None),
]


@pytest.mark.parametrize("output", ["schema", "tool", "text"])
def test_every_kind_of_property_comes_through(output: Any) -> None:
    schema = Schema.model_validate({"properties": [prop for prop, _, _ in KINDS]})
    asked, read = question(schema, [Passage(id=0, page=1, text=TEXT)])
    with ScriptedModel(
        good({f"p{at}": answer for at, (_, answer, _) in enumerate(KINDS)})
    ) as endpoint:
        model = language_model(LanguageEndpoint(url=endpoint.url, model="m", output=output))
        assert model is not None
        values = read(model.ask(asked, Budget(100_000, 20.0)).value)
        model.close()
    assert len(endpoint.requests) == 1
    wanted = {prop["name"]: value for prop, _, value in KINDS if value is not None}
    assert {name: entry["value"] for name, entry in values.items()} == wanted
