"""Ordinary words that only accompany what is known, and what people say in another way."""

from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

from tests.backend.plans.answers import same_number, same_table
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid

Record = dict[str, Any]
Desks = Callable[[str], Desk]

DOCUMENTS: list[tuple[str, list[str], Callable[[Record], Any] | None]] = [
    ("pull up every burglary from Mill Hill", [], lambda r: r["quarter"] == "Mill Hill"),
    ("shop or flat break-ins", [], lambda r: r["premises_type"] in ("Shop", "Flat")),
    ("burglaries committed by three or more intruders", [], lambda r: r["intruders"] >= 3),
    ("thefts in Harbour", [], lambda r: r["quarter"] == "Harbour"),
    ("cases where help took longer than half an hour to arrive", [],
     lambda r: r["response_min"] > 30),
    ("help came within 20 minutes", [], lambda r: r["response_min"] <= 20),
    ("thefts worth between £200,000 and £400,000", [], lambda r: 200 <= r["loss_kgbp"] <= 400),
    ("losses above half a million pounds", [], lambda r: r["loss_kgbp"] > 500),
    ("a cleared share below 40 percent", [], lambda r: r["cleared_pct"] < 40),
    ("cases with no papers", [], lambda r: r["papers"] == 0),
    ("burglaries that ended in a loss of over 300k", [], lambda r: r["loss_kgbp"] > 300),
    ("all places except flats", [], lambda r: r["premises_type"] != "Flat"),
    ("Harbour cases", ["the quarter should no longer play a role"], lambda r: True),
    ("Harbour cases", ["the quarter is of no importance"], lambda r: True),
    ("flats", ["without those in which there was an alarm"],
     lambda r: r["premises_type"] == "Flat" and not r["alarm"]),
    ("flats", ["except those that were in Harbour or Old Town"],
     lambda r: r["premises_type"] == "Flat" and r["quarter"] == "Mill Hill"),
    ("Harbour flats with an alarm", ["take out the middle filter"], None),
    ("Harbour flats", ["strike filter number one"], None),
    ("Harbour cases", ["that is exactly what I needed"], lambda r: r["quarter"] == "Harbour"),
    ("Harbour cases", ["count Old Town in with them"],
     lambda r: r["quarter"] in ("Harbour", "Old Town")),
    ("Harbour cases", ["ony flats"],
     lambda r: r["quarter"] == "Harbour" and r["premises_type"] == "Flat"),
    ("Harbour cases about a dog", ["I don't need the question about the dog"],
     lambda r: r["quarter"] == "Harbour"),
    ("Harbour cases with an alarm", ["drop the alarm condition and leave out Ida Marsh"],
     lambda r: r["quarter"] == "Harbour" and r["officer"] != "Ida Marsh"),
    ("losses above 500k", ["or more than four intruders"],
     lambda r: r["loss_kgbp"] > 500 or r["intruders"] > 4),
    ("Harbour cases", ["I said Harbour but it should have been Old Town"],
     lambda r: r["quarter"] == "Old Town"),
    ("flats", ["cases with an alarm should not be in there"],
     lambda r: r["premises_type"] == "Flat" and not r["alarm"]),
    ("only the owner's boat", [], lambda r: r["goods"] == "Owner's Boat"),
    ("boats", [], lambda r: r["goods"] == "Boats"),
    ("cases with more than three intruders", ["lower the cut-off to 2"],
     lambda r: r["intruders"] > 2),
    ("what happened in Harbour", [], lambda r: r["quarter"] == "Harbour"),
    ("burglaries starting from March 2021 through May 2022", [],
     lambda r: "2021-03-01" <= r["happened_on"] <= "2022-05-31"),
    ("where less than half was cleared", [], lambda r: r["cleared_pct"] < 50),
    ("cases that did not belong to Harbour", [], lambda r: r["quarter"] != "Harbour"),
    ("Harbour cases", ["only the ones not closed early"],
     lambda r: r["quarter"] == "Harbour" and not r["closed_early"]),
    ("the 5 biggest losses", ["I want to see them all, not only five"], lambda r: True),
    ("flats by loss, highest first", ["leave them unsorted"],
     lambda r: r["premises_type"] == "Flat"),
    ("flats in Harbour", ["throw out those that happened before 2022"],
     lambda r: r["premises_type"] == "Flat" and r["quarter"] == "Harbour"
     and r["happened_on"] >= "2022"),
    ("I am putting together slides and it would help me a lot to see the flats", [],
     lambda r: r["premises_type"] == "Flat"),
    ("cases which took 30 to 50 minutes", [], lambda r: 30 <= r["response_min"] <= 50),
    ("how many burglaries in Harbour", ["let me see the cases behind that figure"],
     lambda r: r["quarter"] == "Harbour"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "feedback", "test"), DOCUMENTS)
def test_a_word_that_only_accompanies_the_others_stops_nothing(
    desks: Desks, question: str, feedback: list[str], test: Callable[[Record], Any] | None
) -> None:
    desk = desks("burglaries")
    before = desk.begin(question)
    plan = desk.edit(before, *feedback)
    if test is None:  # one filter less, whichever it is
        kept = [n.node_type for n in plan.nodes.values()].count("BasicFilter")
        assert kept == [n.node_type for n in before.nodes.values()].count("BasicFilter") - 1
    else:
        assert set(desk.keys(plan)) == desk.expected(test)


def test_skipped_words_are_reported(desks: Desks) -> None:
    plan = desks("burglaries").ask("burglaries committed by three or more intruders")
    assert plan.edit is not None
    assert any("ignored “committed”" in warning for warning in plan.edit.warnings)


@pytest.mark.parametrize(
    ("question", "feedback", "word"),
    [
        ("burglaries by phase of the moon", [], "moon"),
        ("burglaries in Gotham", [], "Gotham"),
        ("burglaries with a crowbar", [], "crowbar"),
        ("red burglaries in Harbour", [], "red"),
        ("Harbour cases", ["only the Gotham quarter"], "Gotham"),
        ("Harbour cases", ["sort by length of the fence"], "fence"),
        ("cases per quarter", ["one row per officer's cook"], "cook"),
        ("Harbour cases", ["pay the owners"], "pay"),
    ],
)
def test_a_word_that_could_narrow_the_answer_is_never_passed_over(
    desks: Desks, question: str, feedback: list[str], word: str
) -> None:
    desk = desks("burglaries")
    with pytest.raises(Invalid) as caught:
        desk.edit(desk.begin(question), *feedback)
    assert word in caught.value.faults[0].msg


@pytest.mark.parametrize(
    "question",
    [
        "cases in which a barking dog was heard",
        "burglaries filmed by a camera",
        "burglaries about people leaving by the door",
    ],
)
def test_a_clause_about_nothing_but_the_texts_asks_the_texts(desks: Desks, question: str) -> None:
    plan = desks("burglaries").ask(question)
    assert [n.node_type for n in plan.nodes.values()] == ["QueryDatabase", "LlmFilter"]


NUMBERS: list[tuple[str, list[str], Callable[[list[Record]], float]]] = [
    ("the largest number of intruders in any one case", [],
     lambda rs: max(r["intruders"] for r in rs)),
    ("biggest loss recorded in Harbour", [],
     lambda rs: max(r["loss_kgbp"] for r in rs if r["quarter"] == "Harbour")),
    ("how many minutes was the response in Old Town on average?", [],
     lambda rs: mean(r["response_min"] for r in rs if r["quarter"] == "Old Town")),
    ("by how much does the number of Harbour cases exceed that of Old Town?", [],
     lambda rs: _many(rs, "Harbour") - _many(rs, "Old Town")),
    ("how many fewer cases did Harbour have than Old Town?", [],
     lambda rs: _many(rs, "Old Town") - _many(rs, "Harbour")),
    ("how many more intruders were there in Harbour than in Old Town?", [],
     lambda rs: _sum(rs, "Harbour") - _sum(rs, "Old Town")),
    ("average loss in Harbour", ["the biggest one rather than the mean"],
     lambda rs: max(r["loss_kgbp"] for r in rs if r["quarter"] == "Harbour")),
    ("how many papers do the Old Town cases have", [],
     lambda rs: sum(r["papers"] for r in rs if r["quarter"] == "Old Town")),
    ("Harbour cases", ["how many are left?"], lambda rs: _many(rs, "Harbour")),
    ("total papers in Old Town", [],
     lambda rs: sum(r["papers"] for r in rs if r["quarter"] == "Old Town")),
    ("percentage of Harbour burglaries with an alarm", [],
     lambda rs: 100 * sum(r["alarm"] for r in rs if r["quarter"] == "Harbour")
     / _many(rs, "Harbour")),
]  # fmt: skip


def _many(records: list[Record], quarter: str) -> int:
    return sum(r["quarter"] == quarter for r in records)


def _sum(records: list[Record], quarter: str) -> int:
    return sum(r["intruders"] for r in records if r["quarter"] == quarter)


@pytest.mark.parametrize(("question", "feedback", "wanted"), NUMBERS)
def test_a_number_may_be_asked_for_in_other_words(
    desks: Desks, question: str, feedback: list[str], wanted: Callable[[list[Record]], float]
) -> None:
    desk = desks("burglaries")
    plan = desk.edit(desk.begin(question), *feedback)
    assert same_number(desk.result(plan), wanted(desk.records))


def _per(records: list[Record], key: str, of: Callable[[list[Record]], float]) -> dict[str, float]:
    return {v: of([r for r in records if r[key] == v]) for v in {r[key] for r in records}}


def test_an_alternative_must_name_its_condition(desks: Desks) -> None:
    desk = desks("burglaries")
    plan = desk.ask("Harbour flats with a loss above 500k")
    with pytest.raises(Invalid, match="which of the conditions"):
        desk.edit(plan, "or more than four intruders")


GROUPS: list[tuple[str, list[str], Callable[[list[Record]], dict[str, float]]]] = [
    ("cases per quarter", ["one line per type of premises rather than per quarter"],
     lambda rs: _per(rs, "premises_type", len)),
    ("cases per quarter", ["by officer would be more useful than by quarter"],
     lambda rs: _per(rs, "officer", len)),
    ("cases per quarter",
     ["On reflection my colleague remarked that the cases would tell us more if they were listed "
      "for every officer and not for each quarter"],
     lambda rs: _per(rs, "officer", len)),
    ("for each quarter, the losses added up", [],
     lambda rs: _per(rs, "quarter", lambda r: sum(x["loss_kgbp"] for x in r))),
    ("cleared share by quarter", [],
     lambda rs: _per(rs, "quarter", lambda r: mean(x["cleared_pct"] for x in r))),
    ("cases per quarter", ["I would like the officer as the grouping"],
     lambda rs: _per(rs, "officer", len)),
    ("cases per quarter", ["rank the officers that way, not the quarters"],
     lambda rs: _per(rs, "officer", len)),
    ("cases per quarter", ["I would prefer to have it by number of intruders"],
     lambda rs: _per(rs, "intruders", len)),
    ("total loss per quarter", ["only quarters with a total over 2 million pounds"],
     lambda rs: {k: v for k, v in _per(
         rs, "quarter", lambda r: sum(x["loss_kgbp"] for x in r)).items() if v > 2000}),
    ("average loss per quarter", ["add them up, don't average"],
     lambda rs: _per(rs, "quarter", lambda r: sum(x["loss_kgbp"] for x in r))),
]  # fmt: skip


@pytest.mark.parametrize(("question", "feedback", "wanted"), GROUPS)
def test_other_groups_may_be_asked_for_in_other_words(
    desks: Desks,
    question: str,
    feedback: list[str],
    wanted: Callable[[list[Record]], dict[str, float]],
) -> None:
    desk = desks("burglaries")
    plan = desk.edit(desk.begin(question), *feedback)
    assert same_table(desk.rows(plan), wanted(desk.records))


def test_the_highest_average_comes_first_beside_a_count(desks: Desks) -> None:
    desk = desks("burglaries")
    plan = desk.edit(
        desk.begin("cases per quarter"), "add the average loss", "highest average first"
    )
    averages = [row[1] for row in desk.rows(plan).values()]
    assert averages == sorted(averages, reverse=True)


def test_the_documents_of_the_leading_group_take_two_steps(desks: Desks) -> None:
    desk = desks("burglaries")
    lost = _per(desk.records, "officer", lambda rs: sum(r["intruders"] for r in rs))
    most = max(lost, key=lost.__getitem__)
    plan = desk.ask("cases of the officer who noted the most intruders")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["officer"] == most)


def test_reading_everything_again_takes_the_place_of_a_search(desks: Desks) -> None:
    desk = desks("burglaries")
    plan = desk.edit(desk.begin("Harbour cases"), "use vector search for dogs")
    after = desk.edit(plan, "forget the search by meaning")
    assert [n.node_type for n in after.nodes.values()] == ["QueryDatabase", "BasicFilter"]
    assert set(desk.keys(after)) == desk.expected(lambda r: r["quarter"] == "Harbour")
