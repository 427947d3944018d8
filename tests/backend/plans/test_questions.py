"""Questions of three collections that nothing was made for, answered as Python answers them."""

from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from tests.backend.plans.answers import average, same_number, same_table, shown_values
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid

Record = dict[str, Any]
Desks = Callable[[str], Desk]


def counts(of: Callable[[Record], Any], records: list[Record]) -> Counter[Any]:
    return Counter(of(record) for record in records)


NUMBERS: list[tuple[str, str, Any]] = [
    (
        "recipes",
        "How many vegetarian recipes are there?",
        lambda rs: sum(r["vegetarian"] for r in rs),
    ),
    (
        "recipes",
        "What is the average rating of Greek recipes?",
        lambda rs: average(r["rating"] for r in rs if r["cuisine"] == "Greek"),
    ),
    ("recipes", "average calories", lambda rs: average(r["calories"] for r in rs)),
    ("recipes", "what is the highest rating?", lambda rs: max(r["rating"] or 0 for r in rs)),
    ("recipes", "how many different authors are there", lambda rs: 4),
    (
        "recipes",
        "How many authors wrote hard recipes?",
        lambda rs: len({r["author"] for r in rs if r["difficulty"] == "Hard"}),
    ),
    (
        "recipes",
        "median cooking time of French recipes",
        lambda rs: median(r["cooking_minutes"] for r in rs if r["cuisine"] == "French"),
    ),
    (
        "recipes",
        "What percentage of recipes are vegetarian?",
        lambda rs: 100 * average(float(r["vegetarian"]) for r in rs),
    ),
    (
        "recipes",
        "what share of the Thai recipes is vegetarian",
        lambda rs: average(float(r["vegetarian"]) for r in rs if r["cuisine"] == "Thai"),
    ),
    (
        "recipes",
        "difference in average calories between Thai and Greek recipes",
        lambda rs: (
            average(r["calories"] for r in rs if r["cuisine"] == "Thai")
            - average(r["calories"] for r in rs if r["cuisine"] == "Greek")
        ),
    ),
    (
        "invoices",
        "total amount of unpaid invoices",
        lambda rs: sum(r["amount_keur"] for r in rs if not r["paid"]),
    ),
    (
        "invoices",
        "how many invoices did Leo Marsh approve",
        lambda rs: sum(r["approver"] == "Leo Marsh" for r in rs),
    ),
    (
        "invoices",
        "what fraction of invoices is unpaid",
        lambda rs: average(float(not r["paid"]) for r in rs),
    ),
    (
        "invoices",
        "How many more invoices did Norda Steel send than Rasmus Freight?",
        lambda rs: (
            sum(r["supplier"] == "Norda Steel" for r in rs)
            - sum(r["supplier"] == "Rasmus Freight" for r in rs)
        ),
    ),
    (
        "satellites",
        "How many satellites were lost?",
        lambda rs: sum(r["status"] == "Lost" for r in rs),
    ),
    (
        "satellites",
        "total cost of the satellites of Cosmolink",
        lambda rs: sum(r["cost_musd"] or 0 for r in rs if r["operator"] == "Cosmolink"),
    ),
    (
        "satellites",
        "What is the mean mass of GEO satellites?",
        lambda rs: average(r["mass_kg"] for r in rs if r["orbit"] == "GEO"),
    ),
    (
        "satellites",
        "what percentage of satellites launched from Kourou are still active?",
        lambda rs: 100 * average(float(r["active"]) for r in rs if r["launch_site"] == "Kourou"),
    ),
    (
        "satellites",
        "how many failures did Aurora Space have",
        lambda rs: sum(r["failures"] for r in rs if r["operator"] == "Aurora Space"),
    ),
    ("satellites", "number of operators", lambda rs: 4),
    (
        "satellites",
        "What's the total mass of everything Aurora Space launched in 2020?",
        lambda rs: (
            sum(
                r["mass_kg"]
                for r in rs
                if r["operator"] == "Aurora Space" and r["launch_date"][:4] == "2020"
            )
            or None
        ),
    ),
    (
        "satellites",
        "on average, how much does a satellite weigh?",
        lambda rs: average(r["mass_kg"] for r in rs),
    ),
    (
        "satellites",
        "What is the total number of failures?",
        lambda rs: sum(r["failures"] for r in rs),
    ),
    ("satellites", "count active satellites", lambda rs: sum(r["active"] for r in rs)),
    (
        "satellites",
        "Of all satellites in LEO, how many are active?",
        lambda rs: sum(r["active"] for r in rs if r["orbit"] == "LEO"),
    ),
    (
        "satellites",
        "Of all satellites in LEO, what share is active?",
        lambda rs: average(float(r["active"]) for r in rs if r["orbit"] == "LEO"),
    ),
    (
        "satellites",
        "ratio of active to inactive satellites",
        lambda rs: sum(r["active"] for r in rs) / sum(not r["active"] for r in rs),
    ),
    (
        "satellites",
        "difference between the number of GEO and LEO satellites",
        lambda rs: sum(r["orbit"] == "GEO" for r in rs) - sum(r["orbit"] == "LEO" for r in rs),
    ),
    ("satellites", "largest mass", lambda rs: max(r["mass_kg"] for r in rs)),
    (
        "invoices",
        "how many unpaid invoices does Norda Steel have",
        lambda rs: sum(r["supplier"] == "Norda Steel" and not r["paid"] for r in rs),
    ),
    (
        "invoices",
        "sum of amounts in 2023",
        lambda rs: sum(r["amount_keur"] for r in rs if r["issued_on"][:4] == "2023"),
    ),
    (
        "invoices",
        "what is the biggest invoice amount",
        lambda rs: max(r["amount_keur"] for r in rs),
    ),
    (
        "invoices",
        "how many invoices have more than 10 lines and are paid",
        lambda rs: sum(r["line_items"] > 10 and r["paid"] for r in rs),
    ),
    (
        "invoices",
        "what percentage of invoices from Norda Steel were paid by card?",
        lambda rs: (
            100
            * average(
                float(r["payment_method"] == "Card") for r in rs if r["supplier"] == "Norda Steel"
            )
        ),
    ),
    (
        "invoices",
        "percentage of unpaid invoices",
        lambda rs: 100 * average(float(not r["paid"]) for r in rs),
    ),
    (
        "invoices",
        "how many suppliers are there in Poland?",
        lambda rs: len({r["supplier"] for r in rs if r["supplier_country"] == "Poland"}),
    ),
    (
        "invoices",
        "average number of lines per invoice",
        lambda rs: average(r["line_items"] for r in rs),
    ),
]

TABLES: list[tuple[str, str, Any]] = [
    ("recipes", "How many recipes per cuisine?", lambda rs: Counter(r["cuisine"] for r in rs)),
    ("recipes", "number of recipes for each author", lambda rs: Counter(r["author"] for r in rs)),
    (
        "recipes",
        "average rating by difficulty",
        lambda rs: {
            k: average(r["rating"] for r in rs if r["difficulty"] == k)
            for k in ("Easy", "Medium", "Hard")
        },
    ),
    (
        "recipes",
        "recipes published per year",
        lambda rs: Counter(int(r["published_on"][:4]) for r in rs),
    ),
    (
        "recipes",
        "How many recipes were published each year?",
        lambda rs: Counter(int(r["published_on"][:4]) for r in rs),
    ),
    (
        "recipes",
        "Break down the vegetarian recipes by author",
        lambda rs: Counter(r["author"] for r in rs if r["vegetarian"]),
    ),
    (
        "recipes",
        "Which author has the highest average rating?",
        lambda rs: dict(
            [
                max(
                    (
                        (a, average(r["rating"] for r in rs if r["author"] == a))
                        for a in {r["author"] for r in rs}
                    ),
                    key=lambda x: x[1],
                )
            ]
        ),
    ),
    (
        "recipes",
        "top 2 cuisines by average calories",
        lambda rs: dict(
            sorted(
                (
                    (a, average(r["calories"] for r in rs if r["cuisine"] == a))
                    for a in {r["cuisine"] for r in rs}
                ),
                key=lambda x: -x[1],
            )[:2]
        ),
    ),
    (
        "recipes",
        "Which authors have more than 14 recipes?",
        lambda rs: {k: v for k, v in Counter(r["author"] for r in rs).items() if v > 14},
    ),
    (
        "invoices",
        "total amount per supplier",
        lambda rs: {
            k: sum(r["amount_keur"] for r in rs if r["supplier"] == k)
            for k in {r["supplier"] for r in rs}
        },
    ),
    (
        "invoices",
        "amount by payment method",
        lambda rs: {
            k: sum(r["amount_keur"] for r in rs if r["payment_method"] == k)
            for k in {r["payment_method"] for r in rs}
        },
    ),
    (
        "invoices",
        "invoices issued per month in 2023",
        lambda rs: Counter(r["issued_on"][:7] for r in rs if r["issued_on"][:4] == "2023"),
    ),
    (
        "invoices",
        "Which supplier sent the most invoices?",
        lambda rs: dict(Counter(r["supplier"] for r in rs).most_common(1)),
    ),
    (
        "invoices",
        "Which 3 suppliers have the highest total amount?",
        lambda rs: dict(
            sorted(
                (
                    (k, sum(r["amount_keur"] for r in rs if r["supplier"] == k))
                    for k in {r["supplier"] for r in rs}
                ),
                key=lambda x: -x[1],
            )[:3]
        ),
    ),
    (
        "invoices",
        "Suppliers with a total amount above 5 million euros",
        lambda rs: {
            k: v
            for k, v in (
                (k, sum(r["amount_keur"] for r in rs if r["supplier"] == k))
                for k in {r["supplier"] for r in rs}
            )
            if v > 5000
        },
    ),
    ("satellites", "satellites by orbit", lambda rs: Counter(r["orbit"] for r in rs)),
    (
        "satellites",
        "How many satellites does each operator have?",
        lambda rs: Counter(r["operator"] for r in rs),
    ),
    (
        "satellites",
        "average cost and mass per operator",
        lambda rs: {
            k: [
                average(r["cost_musd"] for r in rs if r["operator"] == k),
                average(r["mass_kg"] for r in rs if r["operator"] == k),
            ]
            for k in {r["operator"] for r in rs}
        },
    ),
    (
        "satellites",
        "Which operators launched more than 20 satellites?",
        lambda rs: {k: v for k, v in Counter(r["operator"] for r in rs).items() if v > 20},
    ),
    (
        "satellites",
        "Which launch site was used most often?",
        lambda rs: dict(Counter(r["launch_site"] for r in rs).most_common(1)),
    ),
    (
        "satellites",
        "What is the most common purpose?",
        lambda rs: dict(Counter(r["purpose"] for r in rs).most_common(1)),
    ),
    ("satellites", "count per launch site", lambda rs: counts(lambda r: r["launch_site"], rs)),
    (
        "satellites",
        "how many active satellites are there in each orbit?",
        lambda rs: counts(lambda r: r["orbit"], [r for r in rs if r["active"]]),
    ),
    (
        "satellites",
        "Show total cost by purpose, highest first",
        lambda rs: {
            k: sum(r["cost_musd"] or 0 for r in rs if r["purpose"] == k)
            for k in {r["purpose"] for r in rs}
        },
    ),
    (
        "satellites",
        "operators ranked by number of satellites",
        lambda rs: counts(lambda r: r["operator"], rs),
    ),
    (
        "satellites",
        "the operator with the fewest satellites",
        lambda rs: dict([min(counts(lambda r: r["operator"], rs).items(), key=lambda x: x[1])]),
    ),
    (
        "satellites",
        "Compare the average mass of GEO and LEO satellites",
        lambda rs: {
            k: average(r["mass_kg"] for r in rs if r["orbit"] == k) for k in ("GEO", "LEO")
        },
    ),
    (
        "invoices",
        "number of unpaid invoices by supplier, sorted from most to least",
        lambda rs: counts(lambda r: r["supplier"], [r for r in rs if not r["paid"]]),
    ),
    (
        "invoices",
        "which suppliers have an average amount over 400 thousand?",
        lambda rs: {
            k: v
            for k, v in (
                (k, average(r["amount_keur"] for r in rs if r["supplier"] == k))
                for k in {r["supplier"] for r in rs}
            )
            if v > 400
        },
    ),
    (
        "invoices",
        "suppliers by total amount, top 2",
        lambda rs: dict(
            sorted(
                (
                    (k, sum(r["amount_keur"] for r in rs if r["supplier"] == k))
                    for k in {r["supplier"] for r in rs}
                ),
                key=lambda x: -x[1],
            )[:2]
        ),
    ),
    (
        "invoices",
        "How are the invoices distributed over payment methods?",
        lambda rs: counts(lambda r: r["payment_method"], rs),
    ),
    (
        "invoices",
        "invoice counts by approver",
        lambda rs: counts(lambda r: r["approver"], [r for r in rs if r["approver"]]),
    ),
]

ORDERED: list[tuple[str, str, Any]] = [
    (
        "recipes",
        "top 5 recipes by rating",
        lambda rs: [r["rating"] for r in sorted(rs, key=lambda r: -(r["rating"] or 0))][:5],
    ),
    (
        "recipes",
        "List the 4 recipes with the fewest calories",
        lambda rs: sorted(r["calories"] for r in rs)[:4],
    ),
    ("recipes", "Which recipe has the most calories?", lambda rs: [max(r["calories"] for r in rs)]),
    (
        "recipes",
        "newest 5 recipes",
        lambda rs: sorted((r["published_on"] for r in rs), reverse=True)[:5],
    ),
    (
        "invoices",
        "the three invoices with the largest amounts",
        lambda rs: sorted((r["amount_keur"] for r in rs), reverse=True)[:3],
    ),
    (
        "invoices",
        "unpaid invoices sorted by due date",
        lambda rs: sorted(r["due_on"] for r in rs if not r["paid"]),
    ),
    (
        "satellites",
        "the five heaviest satellites",
        lambda rs: sorted((r["mass_kg"] for r in rs), reverse=True)[:5],
    ),
    (
        "satellites",
        "the cheapest satellite",
        lambda rs: [min(r["cost_musd"] for r in rs if r["cost_musd"])],
    ),
    (
        "satellites",
        "oldest active satellite",
        lambda rs: [min(r["launch_date"] for r in rs if r["active"])],
    ),
    (
        "satellites",
        "most expensive GEO satellites, top 3",
        lambda rs: sorted((r["cost_musd"] or 0 for r in rs if r["orbit"] == "GEO"), reverse=True)[
            :3
        ],
    ),
    (
        "satellites",
        "list satellites by launch date, newest first",
        lambda rs: sorted((r["launch_date"] for r in rs), reverse=True),
    ),
    (
        "satellites",
        "3 most recent launches",
        lambda rs: sorted((r["launch_date"] for r in rs), reverse=True)[:3],
    ),
    (
        "satellites",
        "first 4 satellites alphabetically by operator",
        lambda rs: sorted(r["operator"] for r in rs)[:4],
    ),
    ("satellites", "bottom 3 satellites by mass", lambda rs: sorted(r["mass_kg"] for r in rs)[:3]),
    (
        "invoices",
        "five smallest unpaid invoices by amount",
        lambda rs: sorted(r["amount_keur"] for r in rs if not r["paid"])[:5],
    ),
    (
        "invoices",
        "invoices ordered by due date descending, first 3",
        lambda rs: sorted((r["due_on"] for r in rs), reverse=True)[:3],
    ),
]

VALUES: list[tuple[str, str, Any]] = [
    ("recipes", "Which cuisines are there?", lambda rs: {r["cuisine"] for r in rs}),
    (
        "recipes",
        "list all authors of hard recipes",
        lambda rs: {r["author"] for r in rs if r["difficulty"] == "Hard"},
    ),
    (
        "invoices",
        "who approved invoices from Pergamon Paper?",
        lambda rs: {
            r["approver"] for r in rs if r["supplier"] == "Pergamon Paper" and r["approver"]
        },
    ),
    (
        "satellites",
        "which launch sites has Borealis used?",
        lambda rs: {r["launch_site"] for r in rs if r["operator"] == "Borealis"},
    ),
    ("satellites", "name all the operators", lambda rs: {r["operator"] for r in rs}),
    (
        "satellites",
        "what purposes do Borealis satellites have?",
        lambda rs: {r["purpose"] for r in rs if r["operator"] == "Borealis"},
    ),
    (
        "invoices",
        "list the suppliers of unpaid invoices",
        lambda rs: {r["supplier"] for r in rs if not r["paid"]},
    ),
    (
        "invoices",
        "Which payment methods were used in 2022?",
        lambda rs: {r["payment_method"] for r in rs if r["issued_on"][:4] == "2022"},
    ),
]

REFUSED: list[tuple[str, str, Any]] = [
    ("recipes", "recipes with more than 5 grams of sodium", ["sodium"]),
    ("recipes", "What is the average cuisine?", ["cuisine"]),
    ("recipes", "Klingon recipes", ["klingon"]),
    ("recipes", "email me the recipes", ["email"]),
    ("invoices", "invoices from Germany", ["germany"]),
    ("satellites", "satellites painted blue", ["painted", "blue"]),
    ("satellites", "satellites by fuel type", ["fuel"]),
    ("satellites", "satellites built by Boeing", ["boeing"]),
    ("satellites", "average colour of satellites", ["colour"]),
    ("satellites", "what is the weather in Paris", ["paris"]),
    ("satellites", "translate the reports to French", ["translate"]),
    ("invoices", "profit per supplier", ["profit"]),
    ("invoices", "invoices with discount", ["discount"]),
]


@pytest.mark.parametrize(("name", "question", "answer"), NUMBERS)
def test_a_question_for_a_number_gives_that_number(
    desks: Desks, name: str, question: str, answer: Callable[[list[Record]], float]
) -> None:
    desk = desks(name)
    assert same_number(desk.result(desk.ask(question)), answer(desk.records))


@pytest.mark.parametrize(("name", "question", "answer"), TABLES)
def test_a_question_about_groups_gives_a_row_for_each(
    desks: Desks, name: str, question: str, answer: Callable[[list[Record]], dict[Any, Any]]
) -> None:
    desk = desks(name)
    assert same_table(desk.rows(desk.ask(question)), answer(desk.records))


@pytest.mark.parametrize(("name", "question", "answer"), ORDERED)
def test_a_question_with_an_order_gives_documents_in_it(
    desks: Desks, name: str, question: str, answer: Callable[[list[Record]], list[Any]]
) -> None:
    desk = desks(name)
    assert shown_values(desk, desk.ask(question), answer(desk.records))


@pytest.mark.parametrize(("name", "question", "answer"), VALUES)
def test_a_question_for_values_lists_each_once(
    desks: Desks, name: str, question: str, answer: Callable[[list[Record]], set[Any]]
) -> None:
    desk = desks(name)
    listed = [row["properties"]["key"] for row in desk.result(desk.ask(question))]
    assert set(listed) == answer(desk.records)
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(("name", "question", "words"), REFUSED)
def test_a_question_that_is_not_understood_is_refused_and_names_the_words(
    desks: Desks, name: str, question: str, words: list[str]
) -> None:
    with pytest.raises(Invalid) as refusal:
        desks(name).ask(question)
    assert refusal.value.faults[0].loc == ["body", "query"]
    assert all(word in refusal.value.detail.lower() for word in words)


def test_documents_of_the_group_that_comes_first(desks: Desks) -> None:
    desk = desks("invoices")
    first = Counter(r["supplier"] for r in desk.records).most_common(1)[0][0]
    plan = desk.ask("invoices of the supplier with the most invoices")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["supplier"] == first)


def test_an_assumption_is_reported(desks: Desks) -> None:
    plan = desks("invoices").ask("invoices issued in 2023 or due in 2022")
    assert plan.edit is not None
    reported = desks("invoices").ask("invoices in 2023").edit
    assert reported is not None
    assert any("issued on" in warning for warning in reported.warnings)


def test_a_value_of_two_properties_is_asked_about(desks: Desks) -> None:
    with pytest.raises(Invalid) as refusal:
        desks("invoices").ask("invoices from Germany")
    assert refusal.value.faults[0].type == "ambiguous"
    assert "supplier country" in refusal.value.detail
    assert "customer country" in refusal.value.detail


def test_a_longer_value_is_not_mistaken_for_the_shorter_one_inside_it(desks: Desks) -> None:
    desk = desks("invoices")
    plan = desk.ask("invoices from suppliers in Guinea")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["supplier_country"] == "Guinea")


def test_a_typo_is_corrected_and_reported(desks: Desks) -> None:
    desk = desks("satellites")
    plan = desk.ask("satelites operated by Borelis")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["operator"] == "Borealis")
    assert plan.edit is not None
    assert any("Borealis" in warning for warning in plan.edit.warnings)


def test_a_word_turned_around_by_its_beginning_is_not_a_typing_error(desks: Desks) -> None:
    desk = desks("satellites")
    assert set(desk.keys(desk.ask("inactive satellites"))) == desk.expected(
        lambda r: not r["active"]
    )
