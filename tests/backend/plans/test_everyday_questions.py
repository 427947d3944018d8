"""Questions as people ask them in passing, over rentals of instruments, held against Python."""

from collections import Counter
from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

from tests.backend.plans.answers import same_number, same_table
from tests.backend.plans.desk import Desk
from tests.backend.plans.rentals import rentals
from workbench.contract.errors import Invalid

Record = dict[str, Any]
Records = list[Record]
Desks = Callable[[str], Desk]


def of(records: Records, kind: str) -> Records:
    return [record for record in records if record["instrument"] == kind]


_RECORDS, _ = rentals()
AVERAGE_PRICE = mean(record["price_eur"] for record in _RECORDS)
CLERK = _RECORDS[4]["clerk"]

DOCUMENTS: list[tuple[str, Callable[[Record], Any]]] = [
    ("cellos pls", lambda r: r["instrument"] == "cello"),
    ("rentals w/o a rating", lambda r: r["rating"] is None),
    ("unrated rentals", lambda r: r["rating"] is None),
    ("rentals that have not been rated", lambda r: r["rating"] is None),
    ("Norwegian violins", lambda r: r["maker_country"] == "Norway" and r["instrument"] == "violin"),
    (
        "harps by Polish makers",
        lambda r: r["maker_country"] == "Poland" and r["instrument"] == "harp",
    ),
    ("open rentals", lambda r: not r["is_closed"]),
    ("which rentals are still open right now?", lambda r: not r["is_closed"]),
    ("everything but flutes", lambda r: r["instrument"] != "flute"),
    (
        "rentals in 2023 not from Japan",
        lambda r: r["starts_on"][:4] == "2023" and r["maker_country"] != "Japan",
    ),
    ("rentals starting in 2022", lambda r: r["starts_on"][:4] == "2022"),
    ("rentals that end in 2023", lambda r: r["ends_on"][:4] == "2023"),
    (
        "rentals running on 1 July 2023",
        lambda r: (
            r["starts_on"] <= "2023-07-01"
            and (r["ends_on"] is None or r["ends_on"] >= "2023-07-01")
        ),
    ),
    ("rentals from October 2023 on", lambda r: r["starts_on"] >= "2023-10-01"),
    (
        "rentals that started between 5 and 25 May 2022",
        lambda r: "2022-05-05" <= r["starts_on"] <= "2022-05-25",
    ),
    ("rentals that began in march 2023", lambda r: r["starts_on"][:7] == "2023-03"),
    ("rentals of instruments built in the 1950s", lambda r: 1950 <= r["built_in"] < 1960),
    ("violins built before 1920", lambda r: r["instrument"] == "violin" and r["built_in"] < 1920),
    ("insured for over half a million", lambda r: r["insured_eur"] > 500_000),
    ("rentals that cost more then 350 euros", lambda r: r["price_eur"] > 350),
    (
        "rentals with a price of two hundred and fifty euros or more",
        lambda r: r["price_eur"] >= 250,
    ),
    ("rentals with at least a dozen broken strings", lambda r: r["strings_broken"] >= 12),
    ("rentals with no broken strings", lambda r: r["strings_broken"] == 0),
    ("rentals of instruments longer than 1 metre", lambda r: r["length_cm"] > 100),
    ("rentals with both a bow and a case", lambda r: {"bow", "case"} <= set(r["extras"])),
    ("rentals with a bow or a stand", lambda r: {"bow", "stand"} & set(r["extras"])),
    ("rentals with an above-average price", lambda r: r["price_eur"] > AVERAGE_PRICE),
    ("all rentals handed out by the same clerk as K-004", lambda r: r["clerk"] == CLERK),
]

NUMBERS: list[tuple[str, Callable[[Records], float]]] = [
    (
        "hi, just wondering how many harps we rented out so far",
        lambda rs: len(of(rs, "harp")),
    ),
    ("how many strings were broken altogether?", lambda rs: sum(r["strings_broken"] for r in rs)),
    (
        "how long is the longest cello?",
        lambda rs: max(r["length_cm"] for r in of(rs, "cello")),
    ),
    (
        "how long are flutes on average",
        lambda rs: mean(r["length_cm"] for r in of(rs, "flute")),
    ),
    (
        "how much money did we take for harps?",
        lambda rs: sum(r["price_eur"] for r in of(rs, "harp")),
    ),
    (
        "difference between the highest and lowest price",
        lambda rs: max(r["price_eur"] for r in rs) - min(r["price_eur"] for r in rs),
    ),
    (
        "how many more violins than flutes were rented?",
        lambda rs: (
            sum(r["instrument"] == "violin" for r in rs)
            - sum(r["instrument"] == "flute" for r in rs)
        ),
    ),
]

TABLES: list[tuple[str, Callable[[Records], dict[Any, float]]]] = [
    ("instrument distribution", lambda rs: Counter(r["instrument"] for r in rs)),
    (
        "are there more harps or more flutes?",
        lambda rs: {kind: len(of(rs, kind)) for kind in ("harp", "flute")},
    ),
    (
        "who handed out the most harps?",
        lambda rs: dict(Counter(r["clerk"] for r in of(rs, "harp")).most_common(1)),
    ),
    (
        "most popular instrument",
        lambda rs: dict(Counter(r["instrument"] for r in rs).most_common(1)),
    ),
]

ORDERS: list[tuple[str, str, Callable[[Records], list[Any]]]] = [
    ("the 5 oldest instruments", "built_in", lambda rs: sorted(r["built_in"] for r in rs)[:5]),
    (
        "the last 3 rentals of Bauer",
        "starts_on",
        lambda rs: sorted((r["starts_on"] for r in rs if r["maker"] == "Bauer"), reverse=True)[:3],
    ),
    (
        "cheapest violin",
        "price_eur",
        lambda rs: sorted(r["price_eur"] for r in of(rs, "violin"))[:1],
    ),
    (
        "the rental that ends last",
        "ends_on",
        lambda rs: sorted((r["ends_on"] for r in rs if r["ends_on"]), reverse=True)[:1],
    ),
    (
        "harps sorted by date, newest first",
        "starts_on",
        lambda rs: sorted((r["starts_on"] for r in of(rs, "harp")), reverse=True),
    ),
]


@pytest.mark.parametrize(("question", "test"), DOCUMENTS)
def test_a_question_in_passing_finds_exactly_its_documents(
    desks: Desks, question: str, test: Callable[[Record], Any]
) -> None:
    desk = desks("rentals")
    keys = desk.keys(desk.ask(question))
    assert len(keys) == len(set(keys))
    assert set(keys) == desk.expected(test)


@pytest.mark.parametrize(("question", "number"), NUMBERS)
def test_a_question_in_passing_is_answered_with_the_number(
    desks: Desks, question: str, number: Callable[[Records], float]
) -> None:
    desk = desks("rentals")
    assert same_number(desk.result(desk.ask(question)), number(desk.records))


@pytest.mark.parametrize(("question", "wanted"), TABLES)
def test_a_question_in_passing_is_answered_with_a_table(
    desks: Desks, question: str, wanted: Callable[[Records], dict[Any, float]]
) -> None:
    desk = desks("rentals")
    assert same_table(desk.rows(desk.ask(question)), wanted(desk.records))


@pytest.mark.parametrize(("question", "field", "values"), ORDERS)
def test_a_question_in_passing_gives_documents_in_order(
    desks: Desks, question: str, field: str, values: Callable[[Records], list[Any]]
) -> None:
    desk = desks("rentals")
    results = [item["properties"]["entity"][field] for item in desk.result(desk.ask(question))]
    assert results == values(desk.records)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("rentals per person", "person"),
        ("rentals rated good or better", "better"),
        ("rentals built by Boeing", "boeing"),
        ("total sales tax", "tax"),
    ],
)
def test_a_word_that_bears_a_condition_is_never_passed_over(
    desks: Desks, question: str, word: str
) -> None:
    desk = desks("rentals")
    with pytest.raises(Invalid) as refused:
        desk.ask(question)
    assert word in refused.value.detail.lower()


def test_skipped_words_and_choices_are_reported(desks: Desks) -> None:
    desk = desks("rentals")
    plan = desk.ask("rentals running on 1 July 2023")
    assert plan.edit is not None
    assert any("starts on to ends on" in note for note in plan.edit.warnings)
