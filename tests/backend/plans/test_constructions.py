"""Every construction of the grammar reads its own example."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from backend.plans.reading.assembly import tokens_of
from backend.plans.reading.chart import Chart
from backend.plans.reading.grammar import CONSTRUCTIONS, GRAMMAR
from backend.plans.reading.linker import link
from backend.plans.reading.linking_themes import theme_links
from backend.plans.reading.sorts import LIGHT
from backend.plans.reading.vocabulary import Vocabulary, read_vocabulary
from backend.plans.requests.choose import Candidate
from backend.plans.requests.deciding import undecided
from backend.plans.requests.same_answers import Answers
from backend.plans.service import TextWords
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.errors import FieldFault
from workbench.contract.plan import Plan

BOATS: list[dict[str, Any]] = [
    {"name": "name", "type": {"type": "string"}},
    {"name": "type", "type": {"type": "string"}},
    {"name": "home_port", "type": {"type": "string"}},
    {"name": "length_m", "type": {"type": "float", "description": "Length in metres"}},
    {"name": "price", "type": {"type": "float"}},
    {"name": "berths", "type": {"type": "int"}},
    {"name": "spring_trips", "type": {"type": "int"}},
    {"name": "autumn_trips", "type": {"type": "int"}},
    {"name": "built", "type": {"type": "date"}},
    {"name": "inspected", "type": {"type": "date"}},
    {"name": "moored", "type": {"type": "datetime"}},
    {"name": "licensed", "type": {"type": "bool"}},
    {"name": "maker", "type": {"type": "string"}},
    {"name": "maker_id", "type": {"type": "string"}},
    {"name": "condition", "type": {"type": "string"}},
    {"name": "extras", "type": {"type": "array", "item_type": {"type": "string"}}},
]
_PORTS = ["Ashby", "Colne", "4711", None]


def _boats() -> list[dict[str, Any]]:
    names = ["Grey Heron", "Plover", "Sandpiper", "Teal", "Dunlin", "Avocet", "Curlew", "Godwit",
             "Gannet", "Fulmar", "Puffin", "Skua"]  # fmt: skip
    return [
        {
            "name": name,
            "type": ["ketch", "sloop"][i % 2],
            "home_port": _PORTS[i % 4],
            "length_m": 8.5 + i,
            "price": 400.0 + 50 * i,
            "berths": 2 + i % 5,
            "spring_trips": 40 + i,
            "autumn_trips": 52 - i,
            "built": f"{2010 + i}-05-{10 + i}",
            "inspected": f"{2022 + i % 3}-07-{10 + i}",
            "moored": f"2025-05-{10 + i}T{10 + i}:30:00",
            "licensed": i % 3 == 0,
            "maker": ["Fjord Yard", "Solent Boats"][i % 2],
            "condition": ["poor", "fair", "good", "excellent"][i % 4],
            "extras": [["dinghy"], ["dinghy", "awning"], []][i % 3],
            "maker_id": f"{['NO', 'GB'][i % 2]}4711{i:02d}",
        }
        for i, name in enumerate(names)
    ]


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("boats")
    return make_desk(folder, "boats", BOATS, _boats(), [["A boat without leaks"]] * 12)


@pytest.fixture(scope="module")
def vocabulary(boats: Desk) -> Vocabulary:
    service = boats.service
    collection, values = service._collections.open_with_values(boats.docset_id, ACCOUNT)
    return read_vocabulary(collection, values, TextWords(frozenset(), frozenset({"leaks"})))


@pytest.fixture(scope="module")
def charted(vocabulary: Vocabulary) -> Callable[[str], Chart]:
    def made(text: str) -> Chart:
        _, tokens = tokens_of(text)
        light = frozenset(i for i, token in enumerate(tokens) if token.lower in LIGHT)
        chart = Chart(len(tokens), GRAMMAR, {}, light)
        link(chart, tokens, vocabulary, date(2026, 5, 28))
        theme_links(chart, tokens, vocabulary)
        chart.close()
        return chart

    return made


_EXAMPLES = sorted({(c.kind, c.example) for c in CONSTRUCTIONS})


@pytest.mark.parametrize(("kind", "example"), _EXAMPLES)
def test_a_construction_reads_its_example(
    kind: str, example: str, charted: Callable[[str], Chart]
) -> None:
    chart = charted(example)
    whole = [edge for edge in chart.edges(kind) if edge.end - edge.start == chart.length]
    patterns = {
        c.weight or f"{c.kind}: {c.pattern}"
        for c in CONSTRUCTIONS
        if (c.kind, c.example) == (kind, example)
    }
    assert any(name in patterns for edge in whole for name, _ in edge.features[-1:])


def test_every_construction_has_an_example() -> None:
    assert [c.pattern for c in CONSTRUCTIONS if not c.example] == []


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("names of all boats, longest first", ["Skua", "Puffin", "Fulmar", "Gannet", "Godwit",
                                                "Curlew", "Avocet", "Dunlin", "Teal", "Sandpiper",
                                                "Plover", "Grey Heron"]),
        ("show the name and price of every sloop sorted by price in descending order",
         ["Skua", "Fulmar", "Godwit", "Avocet", "Teal", "Plover"]),
        ("What is the name of the boat with the highest price?", ["Skua"]),
        ("Which boats have a name containing the word heron?", ["Grey Heron"]),
    ],
)  # fmt: skip
def test_lists_come_with_their_columns_in_the_order_asked(
    boats: Desk, question: str, names: list[str]
) -> None:
    result = boats.result(boats.ask(question))
    assert [item["properties"]["entity"]["name"] for item in result] == names


def test_a_property_may_be_written_as_in_the_schema(boats: Desk) -> None:
    result = boats.result(boats.ask("boats with length_m > 18"))
    assert {item["properties"]["entity"]["name"] for item in result} == {"Puffin", "Skua"}


@pytest.mark.parametrize(
    ("words", "prices"),
    [
        ("of about 500", [450, 500, 550]),
        ("of 500 or so", [450, 500, 550]),
        ("of 500 or thereabouts", [450, 500, 550]),
        ("of 500 give or take 50", [450, 500, 550]),
        ("of 500 plus or minus 100", [400, 450, 500, 550, 600]),
        ("within 50 of 500", [450, 500, 550]),
    ],
)
def test_numbers_may_be_approximate(boats: Desk, words: str, prices: list[int]) -> None:
    result = boats.result(boats.ask(f"boats with a price {words}"))
    assert [item["properties"]["entity"]["price"] for item in result] == prices


def test_words_in_another_order_ask_for_the_same(boats: Desk) -> None:
    one = boats.ask("For each type, what is the average price of the boats?")
    other = boats.ask("What is the average price of the boats for each type?")
    assert boats.rows(one) == boats.rows(other) == {"ketch": 650.0, "sloop": 700.0}


def test_a_word_that_was_passed_over_is_reported(boats: Desk) -> None:
    plan = boats.ask("What is the average price of the boats that exist for each type?")
    warnings = plan.edit.warnings if plan.edit else []
    assert boats.rows(plan) == {"ketch": 650.0, "sloop": 700.0}
    assert warnings == [] or "exist" in warnings[0]


def test_two_likely_readings_are_offered_with_the_plans_they_would_give(boats: Desk) -> None:
    asked = ["boats in Ashby", "How many boats are there?"]
    candidates = [
        Candidate(boats.ask(text), (), {}, answers=Answers.named(text), likely=share)
        for text, share in zip(asked, (0.45, 0.3), strict=True)
    ]
    refused = undecided(candidates, None, ("body", "query"), "boats Ashby how many")
    (fault,) = refused.faults
    assert fault.type == "ambiguous" and fault.choices is not None
    assert [choice.words for choice in fault.choices] == [
        "Keep where home port is Ashby",
        "Count the documents",
    ]
    plans = [Plan.model_validate(choice.plan) for choice in fault.choices]
    assert len(boats.result(plans[0])) == 3
    assert boats.result(plans[1]) == 12
    assert all(choice.words in fault.msg for choice in fault.choices)


def test_words_that_no_choice_accounts_for_are_named(boats: Desk) -> None:
    plans = [boats.ask("boats in Ashby"), boats.ask("How many boats are there?")]
    candidates = [
        Candidate(plan, (), {}, answers=Answers.named(str(i)), skipped=("velvet",), likely=0.4)
        for i, plan in enumerate(plans)
    ]
    (fault,) = undecided(candidates, None, ("body", "query"), "velvet boats").faults
    assert "Not understood: “velvet”" in fault.msg


def test_a_fault_without_choices_is_written_as_the_contract_has_it() -> None:
    fault = FieldFault(loc=["body"], msg="wrong", type="value_error")
    assert fault.model_dump() == {"loc": ["body"], "msg": "wrong", "type": "value_error"}
