"""What words of a request are taken for, when no property is called so: names that mean the same,
nouns for the documents, verbs that only lead to a condition, abbreviations.
"""

from collections import Counter
from collections.abc import Callable
from statistics import mean, median
from typing import Any

import pytest

from tests.backend.plans.answers import same_number, same_table
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid

Record = dict[str, Any]
Records = list[Record]
Desks = Callable[[str], Desk]

DOCUMENTS: list[tuple[str, list[str], Callable[[Record], Any]]] = [
    ("verdicts of Owen Pryce", [], lambda r: r["inspector"] == "Owen Pryce"),
    ("list all decisions by Tara Quill", [], lambda r: r["inspector"] == "Tara Quill"),
    ("appeals against Thornby", [], lambda r: r["council"] == "Thornby"),
    ("appeals that dragged on for longer than 400 days", [], lambda r: r["days_to_verdict"] > 400),
    ("everything touching Ashmere", [], lambda r: r["council"] == "Ashmere"),
    ("I am searching appeals from Northfold", [], lambda r: r["builder"] == "Northfold"),
    ("where no costs amount is recorded", [], lambda r: r["costs_eur"] is None),
    ("appeals with an overrun later than the average overrun", [], None),  # filled below
    ("appeals of van Dalen", [], lambda r: r["inspector"] == "Ines van Dalen"),
    ("every appeal at the council where AP-107 was decided", [], None),
    ("inquiry appeals that ended up in Wells Cross", [],
     lambda r: r["procedure"] == "inquiry" and r["council"] == "Wells Cross"),
    ("costs above 9000", ["add a ceiling of 30000"],
     lambda r: r["costs_eur"] and 9000 < r["costs_eur"] <= 30000),
    ("costs above 20000", ["between 2000 and 9000 please"],
     lambda r: r["costs_eur"] and 2000 <= r["costs_eur"] <= 9000),
    ("verdicts within 200 days", ["at least 200"], lambda r: r["days_to_verdict"] >= 200),
    ("appeals challenged in 2023", ["decided on, not challenged on"],
     lambda r: r["decided_on"][:4] == "2023"),
    ("Thornby or Ashmere appeals", ["Thornby is out"], lambda r: r["council"] == "Ashmere"),
    ("appeals of Harrow Homes", ["keep St. Olave out of it"],
     lambda r: r["builder"] == "Harrow Homes" and r["council"] != "St. Olave"),
    ("appeals of Harrow Homes", ["exclude anything from 2023"],
     lambda r: r["builder"] == "Harrow Homes" and r["decided_on"][:4] != "2023"),
    ("Thornby appeals that took more than 300 days", ["duration is irrelevant"],
     lambda r: r["council"] == "Thornby"),
    ("appeals of Harrow Homes", ["Northfold I should have said"],
     lambda r: r["builder"] == "Northfold"),
    ("verdicts within 200 days", ["300 is a better cut-off"],
     lambda r: r["days_to_verdict"] <= 300),
    ("Thornby appeals with costs above 900", ["whichever council"],
     lambda r: r["costs_eur"] and r["costs_eur"] > 900),
    ("days to verdict under 100 or over 500", [],
     lambda r: r["days_to_verdict"] < 100 or r["days_to_verdict"] > 500),
    ("appeals of 90 days or less in Thornby", [],
     lambda r: r["days_to_verdict"] <= 90 and r["council"] == "Thornby"),
    ("above minutes overrun 200", [], lambda r: r["minutes_overrun"] > 200),
    ("hearing-free appeals in Thornby", [],
     lambda r: r["procedure"] != "hearing" and r["council"] == "Thornby"),
    ("appeals of Harrow Homes", ["Northfold instead of Harrow Homes, minutes overrun above 100"],
     lambda r: r["builder"] == "Northfold" and r["minutes_overrun"] > 100),
]  # fmt: skip


def _wanted(records: Records, question: str) -> Callable[[Record], Any]:
    if "average" in question:
        middle = mean(r["minutes_overrun"] for r in records)
        return lambda r: r["minutes_overrun"] > middle
    council = next(r["council"] for r in records if r["appeal_no"] == "AP-107")
    return lambda r: r["council"] == council


@pytest.mark.parametrize(("question", "feedback", "test"), DOCUMENTS)
def test_a_request_finds_the_documents_that_are_meant(
    desks: Desks, question: str, feedback: list[str], test: Callable[[Record], Any] | None
) -> None:
    desk = desks("appeals")
    plan = desk.edit(desk.ask(question), *feedback)
    assert set(desk.keys(plan)) == desk.expected(test or _wanted(desk.records, question))


def _per(records: Records, key: str, of: Callable[[Records], Any]) -> dict[str, Any]:
    return {k: of([r for r in records if r[key] == k]) for k in {r[key] for r in records}}


def _by_year(records: Records) -> dict[str, Any]:
    return dict(Counter(int(r["decided_on"][:4]) for r in records))


def _overrun(rows: Records) -> float:
    return mean(r["minutes_overrun"] for r in rows)


def _days(rows: Records) -> float:
    return mean(r["days_to_verdict"] for r in rows)


GROUPS: list[tuple[str, list[str], Callable[[Records], dict[str, Any]]]] = [
    ("verdicts per council", [], lambda rs: _per(rs, "council", len)),
    ("verdicts a year", [], _by_year),
    ("average delay per builder", [], lambda rs: _per(rs, "builder", _overrun)),
    ("mean time to verdict by procedure", [], lambda rs: _per(rs, "procedure", _days)),
    ("shortest overrun per council", ["biggest overrun per council"],
     lambda rs: _per(rs, "council", lambda r: max(x["minutes_overrun"] for x in r))),
    ("total costs per council", ["the mean would say more than the total"],
     lambda rs: _per(rs, "council", lambda r: mean(
         x["costs_eur"] for x in r if x["costs_eur"] is not None))),
    ("top 2 councils by number of appeals", ["I want to see the whole ranking"],
     lambda rs: _per(rs, "council", len)),
]  # fmt: skip


@pytest.mark.parametrize(("question", "feedback", "wanted"), GROUPS)
def test_a_request_for_groups_counts_and_measures_the_intended_property(
    desks: Desks, question: str, feedback: list[str], wanted: Callable[[Records], dict[str, Any]]
) -> None:
    desk = desks("appeals")
    plan = desk.edit(desk.ask(question), *feedback)
    assert same_table(desk.rows(plan), wanted(desk.records))


NUMBERS: list[tuple[str, Callable[[Records], float]]] = [
    ("how many appeals took less than 200 days",
     lambda rs: sum(r["days_to_verdict"] < 200 for r in rs)),
    ("median time to verdict of Tara Quill's appeals",
     lambda rs: median(r["days_to_verdict"] for r in rs if r["inspector"] == "Tara Quill")),
    ("average site age of appeals whose verdict came from Owen Pryce",
     lambda rs: mean(r["site_age_years"] for r in rs if r["inspector"] == "Owen Pryce")),
    ("success rate", lambda rs: sum(r["succeeded"] for r in rs) / len(rs)),
    ("biggest award", lambda rs: max(r["costs_eur"] or 0 for r in rs)),
    ("how many councils do we monitor", lambda rs: len({r["council"] for r in rs})),
    (
        "how many times did Northfold appeal",
        lambda rs: sum(r["builder"] == "Northfold" for r in rs),
    ),
    ("total minutes lost at Thornby",
     lambda rs: sum(r["minutes_overrun"] for r in rs if r["council"] == "Thornby")),
    ("how many more days does a written appeal take on average than a hearing one?",
     lambda rs: _days([r for r in rs if r["procedure"] == "written"])
     - _days([r for r in rs if r["procedure"] == "hearing"])),
    ("by how much does the average delay of Northfold differ from that of Harrow Homes",
     lambda rs: _overrun([r for r in rs if r["builder"] == "Northfold"])
     - _overrun([r for r in rs if r["builder"] == "Harrow Homes"])),
]  # fmt: skip


@pytest.mark.parametrize(("question", "wanted"), NUMBERS)
def test_a_number_belongs_to_the_intended_property(
    desks: Desks, question: str, wanted: Callable[[Records], float]
) -> None:
    desk = desks("appeals")
    assert same_number(desk.result(desk.ask(question)), wanted(desk.records))


@pytest.mark.parametrize(
    ("question", "field", "descending"),
    [
        ("3 quickest verdicts", "days_to_verdict", False),
        ("the 3 slowest appeals", "days_to_verdict", True),
        ("worst 3 overruns", "minutes_overrun", True),
    ],
)
def test_quick_and_bad_follow_the_measured_property(
    desks: Desks, question: str, field: str, descending: bool
) -> None:
    desk = desks("appeals")
    plan = desk.ask(question)
    results = [item["properties"]["entity"][field] for item in desk.result(plan)]
    assert results == sorted((r[field] for r in desk.records), reverse=descending)[:3]
    assert plan.edit is not None
    assert any(field.replace("_", " ") in warning for warning in plan.edit.warnings)


@pytest.mark.parametrize("order", ["earliest year first", "newest year at the top"])
def test_an_order_may_name_the_group_key(desks: Desks, order: str) -> None:
    desk = desks("appeals")
    years = list(desk.rows(desk.ask(f"appeals per year of the challenge, {order}")))
    assert years == sorted(years, reverse=order.startswith("newest"))


def test_reinterpretations_are_reported(desks: Desks) -> None:
    plan = desks("appeals").ask("verdicts per council")
    assert plan.edit is not None
    assert "took “verdicts” to mean the documents" in plan.edit.warnings


def test_a_verb_that_the_texts_hold_is_not_passed_over(desks: Desks) -> None:
    with pytest.raises(Invalid, match="smuggled"):
        desks("appeals").ask("appeals by smuggled weight")


def test_the_best_of_nothing_that_can_be_good_is_asked_back(desks: Desks) -> None:
    with pytest.raises(Invalid, match="by what"):
        desks("invoices").ask("the best 5 invoices")
