"""Questions that no property answers are asked of the texts, as a whole and beside exact terms."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.greenhouses import greenhouses
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

Desks = Callable[[str], Desk]


def steps(plan: Plan) -> list[tuple[str, Any]]:
    """What each node behind the source does: its type, and the words or the field it is about."""
    nodes = [node for node in plan.nodes.values() if node.node_type != "QueryDatabase"]
    return [(n.node_type, n.extras.get("question") or n.extras.get("field")) for n in nodes]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("visits where the grower would not let pickers rest at noon",
         "the grower would not let pickers rest at noon"),
        ("Show the visits whose picker fell ill or cut her hand",
         "whose picker fell ill or cut her hand"),
        ("Which visits saw signs of pests on the leaves?", "saw signs of pests on the leaves"),
        ("visits in which a picker was taken to a doctor", "a picker was taken to a doctor"),
        ("visits about pumps whose repair is not paid", "about pumps whose repair is not paid"),
        ("inspections that mention water on the paths", "mention water on the paths"),
        ("visits that had trouble with whitefly", "had trouble with whitefly"),
        ("visits that talk about hands complaining of a low wage by the grower",
         "talk about hands complaining of a low wage by the grower"),
    ],
)  # fmt: skip
def test_a_phrase_about_the_texts_becomes_one_question_to_them(
    desks: Desks, question: str, asked: str
) -> None:
    assert steps(desks("greenhouses").ask(question)) == [("LlmFilter", asked)]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("rose visits in Venlo where a hose had burst",
         [("BasicFilter", "crop"), ("BasicFilter", "town"), ("LlmFilter", "a hose had burst")]),
        ("visits where a hose had burst in Venlo",
         [("BasicFilter", "town"), ("LlmFilter", "a hose had burst")]),
        ("visits with a wage over 12 euros that mention whitefly",
         [("BasicFilter", "wage_eur"), ("LlmFilter", "mention whitefly")]),
        ("visits that mention whitefly and are heated",
         [("BasicFilter", "heated"), ("LlmFilter", "mention whitefly")]),
        ("how many visits describe a broken pump",
         [("LlmFilter", "describe a broken pump"), ("Count", None)]),
        ("visits in which pickers were hurt, grouped by town",
         [("LlmFilter", "pickers were hurt"), ("GroupBy", "town"), ("Aggregate", None)]),
        ("the latest visit that mentions aphids",
         [("LlmFilter", "mentions aphids"), ("Sort", "visited_on"), ("Limit", None)]),
        ("Which towns had visits where pickers were hurt?",
         [("LlmFilter", "pickers were hurt"), ("Distinct", "town")]),
    ],
)  # fmt: skip
def test_exact_terms_beside_such_a_phrase_stay_exact(
    desks: Desks, question: str, wanted: list[tuple[str, Any]]
) -> None:
    result = steps(desks("greenhouses").ask(question))
    assert [
        (kind, field and field.removeprefix("properties.entity.")) for kind, field in result
    ] == (wanted)


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("visits whose wage is below 12 euros", ["wage_eur"]),
        ("visits that took place in Venlo", ["town"]),
        ("visits where Rosa Lund grows peppers", ["grower", "crop"]),
        ("visits whose greenhouse is heated", ["heated"]),
        ("visits that were made after 2022", ["visited_on"]),
    ],
)
def test_the_texts_are_not_asked_if_a_property_answers(
    desks: Desks, question: str, fields: list[str]
) -> None:
    result = steps(desks("greenhouses").ask(question))
    assert sorted(result) == sorted(("BasicFilter", f"properties.entity.{f}") for f in fields)


@pytest.mark.parametrize(
    ("feedback", "asked"),
    [
        ("only those where a picker cut her hand", "a picker cut her hand"),
        ("just the ones in which a hose had burst", "a hose had burst"),
        ("without those where a hose had burst", "it is not said that a hose had burst"),
        ("leave out the visits about whitefly", "not about whitefly"),
    ],
)
def test_feedback_may_ask_the_texts_too(desks: Desks, feedback: str, asked: str) -> None:
    desk = desks("greenhouses")
    plan = desk.edit(desk.ask("visits in Venlo"), feedback)
    assert ("LlmFilter", asked) in steps(plan)
    assert ("BasicFilter", "properties.entity.town") in steps(plan)


@pytest.mark.parametrize(
    ("question", "feedback", "word"),
    [
        ("visits where a dragon was tamed", [], "dragon"),
        ("visits in which Zorblax was fined", [], "Zorblax"),
        ("visits whose moon phase is full", [], "moon"),
        ("visits with a safety score under 3", [], "safety"),
        ("visits in Wakanda", [], "Wakanda"),
        ("visits", ["only those where a dragon was tamed"], "dragon"),
    ],
)
def test_a_phrase_that_no_text_mentions_is_refused(
    desks: Desks, question: str, feedback: list[str], word: str
) -> None:
    desk = desks("greenhouses")
    with pytest.raises(Invalid) as caught:
        desk.edit(desk.ask(question), *feedback)
    assert word in caught.value.faults[0].msg


def test_an_unknown_noun_before_the_phrase_means_the_documents(desks: Desks) -> None:
    plan = desks("greenhouses").ask("inspections that mention water on the paths")
    assert plan.edit is not None
    assert "took “inspections” to mean the documents" in plan.edit.warnings


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("visits where a hose had burst", "burst"),
        ("visits that mention aphids", "Aphids"),
        ("visits in which a picker had cut her hand", "doctor"),
    ],
)
def test_a_denied_mention_selects_all_other_documents(
    desks: Desks, question: str, word: str
) -> None:
    desk = desks("greenhouses")
    texts = greenhouses()[1]
    saying = {
        record["visit_no"]
        for record, text in zip(desk.records, texts, strict=True)
        if word in text[1]
    }
    results = set(desk.keys(desk.ask(question)))
    head, phrase = question.split(" ", 1)
    others = set(desk.keys(desk.ask(f"all {head} except those {phrase}")))
    assert saying <= results
    assert others == {record["visit_no"] for record in desk.records} - results


def test_words_that_most_texts_hold_are_asked_of_them_too(tmp_path: Path) -> None:
    texts = [["A leak was found in the tank." if i % 4 else "The tank had no leak."]
             for i in range(12)]  # fmt: skip
    records = [{"day": f"D-{i}"} for i in range(12)]
    schema = [{"name": "day", "field_type": "string", "description": "Number of the day"}]
    desk = make_desk(tmp_path, "days", schema, records, texts)
    plan = desk.ask("days on which a leak was found in the tank")
    assert steps(plan) == [("LlmFilter", "a leak was found in the tank")]
