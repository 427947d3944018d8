"""Feedback on plans of three collections that nothing was made for."""

from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from tests.backend.plans.answers import average, same_number, same_table, shown_values
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

Record = dict[str, Any]
Desks = Callable[[str], Desk]


def count_by(of: Callable[[Record], Any]) -> Callable[[list[Record]], Counter[Any]]:
    return lambda records: counts(of, records)


def counts(of: Callable[[Record], Any], records: list[Record]) -> Counter[Any]:
    return Counter(of(record) for record in records)


DOCUMENTS: list[tuple[str, str, list[str], Any]] = [
    (
        "recipes",
        "Thai recipes",
        ["only the vegetarian ones"],
        lambda r: r["cuisine"] == "Thai" and r["vegetarian"],
    ),
    ("recipes", "Thai recipes", ["make that Greek"], lambda r: r["cuisine"] == "Greek"),
    (
        "recipes",
        "Thai recipes",
        ["include Greek ones too"],
        lambda r: r["cuisine"] in ("Thai", "Greek"),
    ),
    ("recipes", "Thai recipes", ["what about French ones?"], lambda r: r["cuisine"] == "French"),
    (
        "recipes",
        "Thai recipes",
        ["switch from Thai to Ethiopian"],
        lambda r: r["cuisine"] == "Ethiopian",
    ),
    ("recipes", "Thai recipes", ["replace Thai by Mexican"], lambda r: r["cuisine"] == "Mexican"),
    ("recipes", "Thai recipes", ["not Thai but Greek"], lambda r: r["cuisine"] == "Greek"),
    ("recipes", "Thai recipes", ["everything but Thai"], lambda r: r["cuisine"] != "Thai"),
    ("recipes", "Thai recipes", ["forget about the cuisine"], lambda r: True),
    ("recipes", "Thai recipes", ["any cuisine is fine"], lambda r: True),
    ("recipes", "Thai recipes", ["no Thai please"], lambda r: r["cuisine"] != "Thai"),
    ("recipes", "Thai recipes", ["all cuisines"], lambda r: True),
    (
        "recipes",
        "recipes under 60 minutes",
        ["make it 30 minutes"],
        lambda r: r["cooking_minutes"] < 30,
    ),
    (
        "recipes",
        "recipes under 60 minutes",
        ["at most 45 minutes instead"],
        lambda r: r["cooking_minutes"] <= 45,
    ),
    (
        "recipes",
        "recipes under 60 minutes",
        ["increase the limit to 90 minutes"],
        lambda r: r["cooking_minutes"] < 90,
    ),
    (
        "recipes",
        "recipes under 60 minutes",
        ["and fewer than 500 calories"],
        lambda r: r["cooking_minutes"] < 60 and r["calories"] < 500,
    ),
    ("recipes", "recipes under 60 minutes", ["drop the time restriction"], lambda r: True),
    (
        "recipes",
        "vegetarian Thai recipes",
        ["they don't have to be vegetarian"],
        lambda r: r["cuisine"] == "Thai",
    ),
    ("recipes", "vegetarian Thai recipes", ["remove both filters"], lambda r: True),
    (
        "recipes",
        "vegetarian Thai recipes",
        ["skip the ones without a rating"],
        lambda r: r["vegetarian"] and r["cuisine"] == "Thai" and r["rating"] is not None,
    ),
    (
        "recipes",
        "all recipes",
        ["leave out anything with allergens"],
        lambda r: r["allergen_count"] == 0,
    ),
    ("recipes", "all recipes", ["only those rated 4 or higher"], lambda r: r["rating"] >= 4),
    (
        "recipes",
        "all recipes",
        ["I'd like to see just the easy ones from 2022"],
        lambda r: r["difficulty"] == "Easy" and r["published_on"][:4] == "2022",
    ),
    (
        "recipes",
        "all recipes",
        ["restrict to 2020-2022"],
        lambda r: "2020" <= r["published_on"][:4] <= "2022",
    ),
    ("recipes", "all recipes", ["nothing before 2021"], lambda r: r["published_on"] >= "2021"),
    (
        "recipes",
        "all recipes",
        ["exclude Ana Duarte and Bram Kok"],
        lambda r: r["author"] not in ("Ana Duarte", "Bram Kok"),
    ),
    ("recipes", "average rating by author", ["as documents please"], lambda r: True),
    (
        "invoices",
        "unpaid invoices",
        ["only above 100 thousand euros"],
        lambda r: not r["paid"] and r["amount_keur"] > 100,
    ),
    ("invoices", "unpaid invoices", ["paid ones instead"], lambda r: r["paid"]),
    ("invoices", "unpaid invoices", ["include paid ones as well"], lambda r: True),
    (
        "invoices",
        "unpaid invoices",
        ["issued in 2023"],
        lambda r: not r["paid"] and r["issued_on"][:4] == "2023",
    ),
    (
        "invoices",
        "unpaid invoices",
        ["due in March 2023"],
        lambda r: not r["paid"] and r["due_on"][:7] == "2023-03",
    ),
    (
        "invoices",
        "unpaid invoices",
        ["from Sable Optics or Norda Steel"],
        lambda r: not r["paid"] and r["supplier"] in ("Sable Optics", "Norda Steel"),
    ),
    (
        "invoices",
        "unpaid invoices",
        ["only customers in Germany"],
        lambda r: not r["paid"] and r["customer_country"] == "Germany",
    ),
    ("invoices", "invoices issued in 2022", ["use 2023"], lambda r: r["issued_on"][:4] == "2023"),
    (
        "invoices",
        "invoices issued in 2022",
        ["add 2023"],
        lambda r: r["issued_on"][:4] in ("2022", "2023"),
    ),
    ("invoices", "invoices over 100k euros", ["over 200k euros"], lambda r: r["amount_keur"] > 200),
    (
        "invoices",
        "invoices over 100k euros",
        ["lower the threshold to 50k"],
        lambda r: r["amount_keur"] > 50,
    ),
    (
        "invoices",
        "invoices over 100k euros",
        ["but under 200k"],
        lambda r: 100 < r["amount_keur"] < 200,
    ),
    (
        "satellites",
        "active satellites",
        ["only GEO", "heavier than 3 tons", "remove the orbit filter"],
        lambda r: r["active"] and r["mass_kg"] > 3000,
    ),
    (
        "satellites",
        "active satellites",
        ["not in LEO"],
        lambda r: r["active"] and r["orbit"] != "LEO",
    ),
    (
        "satellites",
        "active satellites",
        ["either Navigation or Weather"],
        lambda r: r["active"] and r["purpose"] in ("Navigation", "Weather"),
    ),
    ("satellites", "active satellites", ["also the inactive ones"], lambda r: True),
    (
        "satellites",
        "active satellites",
        ["whose cost is unknown"],
        lambda r: r["active"] and r["cost_musd"] is None,
    ),
    (
        "satellites",
        "active satellites",
        ["with known cost"],
        lambda r: r["active"] and r["cost_musd"] is not None,
    ),
    (
        "satellites",
        "active satellites",
        ["launch date between 2015 and 2018"],
        lambda r: r["active"] and "2015" <= r["launch_date"][:4] <= "2018",
    ),
    (
        "satellites",
        "active satellites",
        ["launched in the last 5 years"],
        lambda r: r["active"] and r["launch_date"] > "2021-05-28",
    ),
    (
        "satellites",
        "How many satellites were lost?",
        ["list them"],
        lambda r: r["status"] == "Lost",
    ),
    (
        "satellites",
        "active satellites",
        ["how about those from Kourou?"],
        lambda r: r["active"] and r["launch_site"] == "Kourou",
    ),
    (
        "satellites",
        "active satellites",
        ["I only want to see the ones launched by Cosmolink"],
        lambda r: r["active"] and r["operator"] == "Cosmolink",
    ),
    (
        "satellites",
        "active satellites",
        ["Could you please take out the LEO ones?"],
        lambda r: r["active"] and r["orbit"] != "LEO",
    ),
    (
        "satellites",
        "active satellites",
        ["narrow this down to GEO and MEO"],
        lambda r: r["active"] and r["orbit"] != "LEO",
    ),
    (
        "satellites",
        "active satellites",
        ["I changed my mind, show the inactive ones"],
        lambda r: not r["active"],
    ),
    (
        "satellites",
        "active satellites",
        ["drop the active condition but keep only GEO"],
        lambda r: r["orbit"] == "GEO",
    ),
    (
        "satellites",
        "active satellites",
        ["they must have cost at least 500 million"],
        lambda r: r["active"] and r["cost_musd"] >= 500,
    ),
    (
        "satellites",
        "active satellites in GEO",
        ["and MEO too"],
        lambda r: r["active"] and r["orbit"] in ("GEO", "MEO"),
    ),
    (
        "satellites",
        "active satellites in GEO",
        ["swap GEO for LEO"],
        lambda r: r["active"] and r["orbit"] == "LEO",
    ),
    (
        "satellites",
        "active satellites in GEO",
        ["LEO rather than GEO"],
        lambda r: r["active"] and r["orbit"] == "LEO",
    ),
    (
        "satellites",
        "active satellites in GEO",
        ["the orbit should be MEO"],
        lambda r: r["active"] and r["orbit"] == "MEO",
    ),
    ("satellites", "active satellites in GEO", ["ignore the orbit"], lambda r: r["active"]),
    ("satellites", "active satellites in GEO", ["clear all filters"], lambda r: True),
    (
        "satellites",
        "How many satellites were lost?",
        ["which ones?"],
        lambda r: r["status"] == "Lost",
    ),
    (
        "invoices",
        "unpaid invoices",
        ["skip Norda Steel"],
        lambda r: not r["paid"] and r["supplier"] != "Norda Steel",
    ),
    (
        "invoices",
        "unpaid invoices",
        ["all suppliers except Norda Steel"],
        lambda r: not r["paid"] and r["supplier"] != "Norda Steel",
    ),
    (
        "invoices",
        "unpaid invoices",
        ["just 2023, please"],
        lambda r: not r["paid"] and r["issued_on"][:4] == "2023",
    ),
    (
        "invoices",
        "invoices issued in 2023",
        ["extend to 2024"],
        lambda r: r["issued_on"][:4] in ("2023", "2024"),
    ),
    (
        "invoices",
        "invoices over 100k euros",
        ["between 100 and 200 thousand"],
        lambda r: 100 <= r["amount_keur"] <= 200,
    ),
    (
        "invoices",
        "invoices over 100k euros",
        ["raise it to 300 thousand euros"],
        lambda r: r["amount_keur"] > 300,
    ),
    ("invoices", "the 3 largest invoices", ["without limit and without sorting"], lambda r: True),
]

NUMBERS: list[tuple[str, str, list[str], Any]] = [
    ("recipes", "all recipes", ["how many is that?"], lambda rs: 60),
    (
        "recipes",
        "average rating",
        ["median"],
        lambda rs: median(r["rating"] for r in rs if r["rating"]),
    ),
    (
        "recipes",
        "average rating",
        ["of the hard ones"],
        lambda rs: average(r["rating"] for r in rs if r["difficulty"] == "Hard"),
    ),
    (
        "invoices",
        "unpaid invoices",
        ["what is their total amount?"],
        lambda rs: sum(r["amount_keur"] for r in rs if not r["paid"]),
    ),
    (
        "invoices",
        "unpaid invoices",
        ["as a percentage of all invoices"],
        lambda rs: 100 * average(float(not r["paid"]) for r in rs),
    ),
    (
        "invoices",
        "total amount per supplier",
        ["without the grouping"],
        lambda rs: sum(r["amount_keur"] for r in rs),
    ),
    (
        "satellites",
        "How many satellites were lost?",
        ["and how many retired?"],
        lambda rs: sum(r["status"] == "Retired" for r in rs),
    ),
    (
        "satellites",
        "what percentage of satellites are active?",
        ["only for GEO"],
        lambda rs: 100 * average(float(r["active"]) for r in rs if r["orbit"] == "GEO"),
    ),
    ("satellites", "satellites by orbit", ["remove the grouping"], lambda rs: 80),
    (
        "satellites",
        "top 5 satellites by cost",
        ["what is their average mass?"],
        lambda rs: average(
            r["mass_kg"] for r in sorted(rs, key=lambda r: -(r["cost_musd"] or 0))[:5]
        ),
    ),
    (
        "satellites",
        "How many satellites were lost?",
        ["and in GEO?"],
        lambda rs: sum(r["status"] == "Lost" and r["orbit"] == "GEO" for r in rs),
    ),
    (
        "satellites",
        "How many satellites were lost?",
        ["what percentage is that?"],
        lambda rs: 100 * average(float(r["status"] == "Lost") for r in rs),
    ),
    (
        "satellites",
        "How many satellites were lost?",
        ["show their total cost"],
        lambda rs: sum(r["cost_musd"] or 0 for r in rs if r["status"] == "Lost"),
    ),
]

TABLES: list[tuple[str, str, list[str], Any]] = [
    (
        "recipes",
        "all recipes",
        ["group them by author"],
        lambda rs: count_by(lambda r: r["author"])(rs),
    ),
    (
        "recipes",
        "all recipes",
        ["show the average rating per cuisine"],
        lambda rs: {
            k: average(r["rating"] for r in rs if r["cuisine"] == k)
            for k in {r["cuisine"] for r in rs}
        },
    ),
    (
        "recipes",
        "How many recipes per cuisine?",
        ["by author instead"],
        lambda rs: count_by(lambda r: r["author"])(rs),
    ),
    (
        "recipes",
        "How many recipes per cuisine?",
        ["only hard recipes"],
        lambda rs: count_by(lambda r: r["cuisine"])([r for r in rs if r["difficulty"] == "Hard"]),
    ),
    (
        "recipes",
        "How many recipes per cuisine?",
        ["use the average calories instead of the count"],
        lambda rs: {
            k: average(r["calories"] for r in rs if r["cuisine"] == k)
            for k in {r["cuisine"] for r in rs}
        },
    ),
    (
        "recipes",
        "How many recipes per author?",
        ["just the authors with at least 15"],
        lambda rs: {k: v for k, v in count_by(lambda r: r["author"])(rs).items() if v >= 15},
    ),
    (
        "recipes",
        "average rating by author",
        ["total calories instead"],
        lambda rs: {
            k: sum(r["calories"] for r in rs if r["author"] == k) for k in {r["author"] for r in rs}
        },
    ),
    (
        "invoices",
        "invoices issued in 2022",
        ["by month"],
        lambda rs: count_by(lambda r: r["issued_on"][:7])(
            [r for r in rs if r["issued_on"][:4] == "2022"]
        ),
    ),
    (
        "invoices",
        "total amount per supplier",
        ["only suppliers above 5 million"],
        lambda rs: {
            k: v
            for k, v in (
                (k, sum(r["amount_keur"] for r in rs if r["supplier"] == k))
                for k in {r["supplier"] for r in rs}
            )
            if v > 5000
        },
    ),
    (
        "invoices",
        "total amount per supplier",
        ["count them instead"],
        lambda rs: count_by(lambda r: r["supplier"])(rs),
    ),
    (
        "invoices",
        "total amount per supplier",
        ["exclude Quill & Sons"],
        lambda rs: {
            k: sum(r["amount_keur"] for r in rs if r["supplier"] == k)
            for k in {r["supplier"] for r in rs}
            if k != "Quill & Sons"
        },
    ),
    (
        "satellites",
        "satellites by orbit",
        ["by launch year"],
        lambda rs: count_by(lambda r: int(r["launch_date"][:4]))(rs),
    ),
    (
        "satellites",
        "satellites by orbit",
        ["what about by operator?"],
        lambda rs: count_by(lambda r: r["operator"])(rs),
    ),
    (
        "satellites",
        "satellites by orbit",
        ["only the ones with failures"],
        lambda rs: count_by(lambda r: r["orbit"])([r for r in rs if r["failures"] > 0]),
    ),
    (
        "satellites",
        "How many satellites were lost?",
        ["break down by operator"],
        lambda rs: count_by(lambda r: r["operator"])([r for r in rs if r["status"] == "Lost"]),
    ),
    (
        "satellites",
        "satellites by orbit",
        ["now per year"],
        lambda rs: counts(lambda r: int(r["launch_date"][:4]), rs),
    ),
    (
        "satellites",
        "satellites by orbit",
        ["show only groups with more than 25 satellites"],
        lambda rs: {k: v for k, v in counts(lambda r: r["orbit"], rs).items() if v > 25},
    ),
    (
        "satellites",
        "average mass by operator",
        ["what about the median?"],
        lambda rs: {
            k: median(r["mass_kg"] for r in rs if r["operator"] == k)
            for k in {r["operator"] for r in rs}
        },
    ),
    (
        "satellites",
        "average mass by operator",
        ["only operators with an average above 3 tons"],
        lambda rs: {
            k: v
            for k, v in (
                (k, average(r["mass_kg"] for r in rs if r["operator"] == k))
                for k in {r["operator"] for r in rs}
            )
            if v > 3000
        },
    ),
    (
        "satellites",
        "average mass by operator",
        ["of cost, not mass"],
        lambda rs: {
            k: average(r["cost_musd"] for r in rs if r["operator"] == k)
            for k in {r["operator"] for r in rs}
        },
    ),
    (
        "satellites",
        "average mass by operator",
        ["I need the cost instead of the mass"],
        lambda rs: {
            k: average(r["cost_musd"] for r in rs if r["operator"] == k)
            for k in {r["operator"] for r in rs}
        },
    ),
    (
        "invoices",
        "total amount per supplier",
        ["drop suppliers with less than 5 million"],
        lambda rs: {
            k: v
            for k, v in (
                (k, sum(r["amount_keur"] for r in rs if r["supplier"] == k))
                for k in {r["supplier"] for r in rs}
            )
            if v >= 5000
        },
    ),
    (
        "invoices",
        "total amount per supplier",
        ["only unpaid"],
        lambda rs: {
            k: sum(r["amount_keur"] for r in rs if r["supplier"] == k and not r["paid"])
            for k in {r["supplier"] for r in rs}
        },
    ),
    (
        "invoices",
        "total amount per supplier",
        ["per customer country instead of supplier"],
        lambda rs: {
            k: sum(r["amount_keur"] for r in rs if r["customer_country"] == k)
            for k in {r["customer_country"] for r in rs}
        },
    ),
]

ORDERED: list[tuple[str, str, list[str], Any]] = [
    (
        "recipes",
        "all recipes",
        ["sort them by rating, best first"],
        lambda rs: sorted((r["rating"] for r in rs if r["rating"]), reverse=True) + [None] * 6,
    ),
    (
        "recipes",
        "all recipes",
        ["the 5 best rated"],
        lambda rs: sorted((r["rating"] for r in rs if r["rating"]), reverse=True)[:5],
    ),
    (
        "recipes",
        "top 5 recipes by rating",
        ["make it 10"],
        lambda rs: sorted((r["rating"] for r in rs if r["rating"]), reverse=True)[:10],
    ),
    (
        "recipes",
        "top 5 recipes by rating",
        ["by calories instead"],
        lambda rs: sorted((r["calories"] for r in rs), reverse=True)[:5],
    ),
    (
        "recipes",
        "top 5 recipes by rating",
        ["lowest instead of highest"],
        lambda rs: sorted(r["rating"] for r in rs if r["rating"])[:5],
    ),
    (
        "invoices",
        "unpaid invoices",
        ["earliest due date first"],
        lambda rs: sorted(r["due_on"] for r in rs if not r["paid"]),
    ),
    (
        "satellites",
        "the five heaviest satellites",
        ["the lightest ones"],
        lambda rs: sorted(r["mass_kg"] for r in rs)[:5],
    ),
    (
        "satellites",
        "the five heaviest satellites",
        ["only show ten"],
        lambda rs: sorted((r["mass_kg"] for r in rs), reverse=True)[:10],
    ),
    (
        "satellites",
        "the five heaviest satellites",
        ["in GEO"],
        lambda rs: sorted((r["mass_kg"] for r in rs if r["orbit"] == "GEO"), reverse=True)[:5],
    ),
    (
        "satellites",
        "top 5 satellites by cost",
        ["just the most expensive one"],
        lambda rs: sorted((r["cost_musd"] or 0 for r in rs), reverse=True)[:1],
    ),
    (
        "satellites",
        "top 5 satellites by cost",
        ["show me 8 of them"],
        lambda rs: sorted((r["cost_musd"] or 0 for r in rs), reverse=True)[:8],
    ),
    (
        "satellites",
        "top 5 satellites by cost",
        ["exclude the ones without a cost"],
        lambda rs: sorted((r["cost_musd"] or 0 for r in rs), reverse=True)[:5],
    ),
    (
        "invoices",
        "the 3 largest invoices",
        ["make that five"],
        lambda rs: sorted((r["amount_keur"] for r in rs), reverse=True)[:5],
    ),
]

REFUSED: list[tuple[str, str, list[str], Any]] = [
    ("recipes", "Thai recipes", ["sort by popularity"], ["popularity"]),
    ("recipes", "Thai recipes", ["only gluten free"], ["gluten"]),
    ("recipes", "Thai recipes", ["blah"], ["blah"]),
    ("recipes", "Thai recipes", ["remove the calories filter"], ["calories"]),
    ("recipes", "Thai recipes", ["undo"], ["undo"]),
    ("recipes", "Thai recipes", ["average of the author"], ["author"]),
    ("invoices", "unpaid invoices", ["only Germany"], ["germany"]),
    ("satellites", "the five heaviest satellites", ["and make me a sandwich"], ["sandwich"]),
    ("satellites", "active satellites", ["colour them red"], ["colour", "red"]),
    ("satellites", "active satellites", ["only the good ones"], ["good"]),
    ("satellites", "active satellites", ["remove the launch site filter"], ["launch site"]),
    ("satellites", "active satellites", ["average operator"], ["operator"]),
]


def edited(desk: Desk, start: str, feedback: list[str]) -> Plan:
    plan = desk.everything() if start.startswith("all ") else desk.begin(start)
    return desk.edit(plan, *feedback)


@pytest.mark.parametrize(("name", "start", "feedback", "test"), DOCUMENTS)
def test_feedback_changes_which_documents_match(
    desks: Desks, name: str, start: str, feedback: list[str], test: Callable[[Record], Any]
) -> None:
    desk = desks(name)
    keys = desk.keys(edited(desk, start, feedback))
    assert set(keys) == desk.expected(test)
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(("name", "start", "feedback", "answer"), NUMBERS)
def test_feedback_changes_the_measure(
    desks: Desks, name: str, start: str, feedback: list[str], answer: Callable[[Any], float]
) -> None:
    desk = desks(name)
    assert same_number(desk.result(edited(desk, start, feedback)), answer(desk.records))


@pytest.mark.parametrize(("name", "start", "feedback", "answer"), TABLES)
def test_feedback_changes_the_groups(
    desks: Desks, name: str, start: str, feedback: list[str], answer: Callable[[Any], Any]
) -> None:
    desk = desks(name)
    assert same_table(desk.rows(edited(desk, start, feedback)), answer(desk.records))


@pytest.mark.parametrize(("name", "start", "feedback", "answer"), ORDERED)
def test_feedback_changes_the_order_and_the_number(
    desks: Desks, name: str, start: str, feedback: list[str], answer: Callable[[Any], list[Any]]
) -> None:
    desk = desks(name)
    assert shown_values(desk, edited(desk, start, feedback), answer(desk.records))


@pytest.mark.parametrize(("name", "start", "feedback", "words"), REFUSED)
def test_feedback_that_cannot_be_followed_is_refused_and_names_the_words(
    desks: Desks, name: str, start: str, feedback: list[str], words: list[str]
) -> None:
    with pytest.raises(Invalid) as refusal:
        edited(desks(name), start, feedback)
    assert refusal.value.faults[0].loc == ["body", "feedback"]
    assert all(word in refusal.value.detail.lower() for word in words)


def test_only_some_fields_are_shown(desks: Desks) -> None:
    desk = desks("satellites")
    plan = edited(desk, "active satellites", ["show only operator and mass"])
    shown = [item["properties"] for item in desk.result(plan)]
    assert shown
    assert all(set(properties["entity"]) == {"operator", "mass_kg"} for properties in shown)


def test_understood_clauses_are_applied_and_the_rest_is_reported(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.edit(desk.everything(), "only Greek ones and sort by popularity")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["cuisine"] == "Greek")
    assert plan.edit is not None
    assert [item.kind for item in plan.edit.not_applied] == ["unknown_property"]
    assert "popularity" in plan.edit.not_applied[0].reason
    assert "popularity" in (plan.llm_plan or "")


def test_an_edit_reports_its_changes_as_a_diff(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.edit(desk.begin("Thai recipes"), "only the vegetarian ones, top 5 by rating")
    assert plan.edit is not None and plan.edit.diff is not None
    assert [change.node_type for change in plan.edit.diff.changes if change.kind == "added"] == [
        "BasicFilter",
        "Sort",
        "Limit",
    ]
    assert {applied.op for applied in plan.edit.applied} == {"add_filter", "set_sort", "set_limit"}


def test_approval_leaves_the_plan_unchanged(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.begin("Thai recipes")
    assert desk.edit(plan, "That looks perfect, thank you!").nodes == plan.nodes


def test_a_clause_that_fails_halfway_changes_nothing(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.begin("Thai recipes")
    with pytest.raises(Invalid):
        desk.edit(plan, "only hard purple ones")
