"""What people ask about an answer: who did it, when, what it is a share of, which comes first; and
who or what occurs most often.
"""

from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

Record = dict[str, Any]
_TYPES = {"answered_on": "date", "tabled_on": "date", "words": "int", "urgent": "bool",
          "wait_min": "int", "cost_eur": "float"}  # fmt: skip
_DESCRIBED = {
    "number": "Number of the question", "member": "Member who asked", "party": "Party they are in",
    "ministry": "Ministry the question is addressed to", "grade": "Grade of the answer",
    "town": "Town where it was asked", "tabled_on": "Day the question was tabled",
    "answered_on": "Day of the answer; empty if there is none yet", "words": "Length in words",
    "urgent": "Whether it was marked urgent", "wait_min": "Minutes until the clerk arrived",
    "cost_eur": "Cost of the answer in euros",
}  # fmt: skip


def _records() -> list[Record]:
    return [
        {
            "number": f"Q{i:02}",
            "member": ["Ada Holm", "Bo Lind", "Cy Dahl", None][(0, 0, 1, 2, 0, 1, 3, 2)[i % 8]],
            "party": ["Greens", "Labour", "Centre"][i % 3],
            "ministry": ["Health", "Justice"][i % 2],
            "grade": ["A+", "A", "A-", "B+"][i % 4],
            "town": ["Trim", "Ennis", "Sligo"][(i // 2) % 3],
            "tabled_on": f"2024-0{1 + i % 6}-{10 + i % 15}",
            "answered_on": None if i % 7 == 0 else f"2024-{7 + i % 5:02}-{10 + i % 15}",
            "words": 100 + 13 * ((7 * i) % 24),
            "urgent": i % 5 in (0, 1),
            "wait_min": 20 + 7 * ((5 * i) % 24),
            "cost_eur": 50.5 + 11 * ((11 * i) % 24),
        }
        for i in range(24)
    ]


RECORDS = _records()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    properties = [
        {"name": name, "type": _TYPES.get(name, "string"), "description": text}
        for name, text in _DESCRIBED.items()
    ]
    texts = [[f"Question {record['number']}"] for record in RECORDS]
    return make_desk(
        tmp_path_factory.mktemp("asked"), "written question", properties, RECORDS, texts
    )


def _shown(desk: Desk, *turns: str) -> list[Record]:
    result: list[Record] = desk.result(desk.begin(*turns))
    return [item["properties"]["entity"] for item in result]


@pytest.mark.parametrize(
    ("asked", "field"),
    [("who asked it?", "member"), ("when was it?", "tabled_on"), ("when?", "tabled_on"),
     ("when was it answered?", "answered_on"), ("where was it?", "town")],
)  # fmt: skip
def test_a_question_about_the_one_that_was_found_shows_what_it_asks_for(
    desk: Desk, asked: str, field: str
) -> None:
    among = [record for record in RECORDS if record["ministry"] == "Justice"]
    longest = max(among, key=lambda record: record["words"])
    assert _shown(desk, "the longest question to Justice", asked) == [{field: longest[field]}]


def _most(records: list[Record], name: str) -> str:
    values = [record[name] for record in records if record[name] is not None]
    return max(values, key=values.count)


@pytest.mark.parametrize(
    ("question", "name"),
    [("who writes to us most often?", "member"), ("who comes to us most often?", "member"),
     ("which ministry gets a letter most often?", "ministry"),
     ("which member speaks most often?", "member")],
)  # fmt: skip
def test_who_did_something_most_often_has_the_most_documents(
    desk: Desk, question: str, name: str
) -> None:
    assert list(desk.rows(desk.ask(question))) == [_most(RECORDS, name)]


@pytest.mark.parametrize("grade", ["A+", "A-", "B+"])
def test_a_sign_belongs_to_the_value(desk: Desk, grade: str) -> None:
    count = sum(record["grade"] == grade for record in RECORDS)
    assert desk.result(desk.ask(f"How many {grade} questions do we have?")) == count


def test_a_rank_may_be_joined_by_a_hyphen(desk: Desk) -> None:
    costs = sorted((record["cost_eur"] for record in RECORDS), reverse=True)
    assert [r["cost_eur"] for r in _shown(desk, "Which question had the second-highest cost?")] == [
        costs[1]
    ]


def test_a_correction_takes_back_what_was_asked_before(desk: Desk) -> None:
    plan = desk.begin("questions with no answer yet", "no, the ones without a member")
    assert set(desk.keys(plan)) == desk.expected(lambda record: record["member"] is None)


def test_a_share_of_one_value_becomes_one_of_each(desk: Desk) -> None:
    plan = desk.begin("What share of the questions is urgent?", "for Labour", "for each party")
    shares = {
        party: sum(r["urgent"] for r in RECORDS if r["party"] == party) / 8
        for party in ("Greens", "Labour", "Centre")
    }
    assert desk.rows(plan) == pytest.approx(shares)


def test_what_a_share_is_of_is_the_whole(desk: Desk) -> None:
    among = [record for record in RECORDS if record["ministry"] == "Health"]
    share = sum(record["urgent"] for record in among) / len(among)
    plan = desk.ask("What share of the Health questions was urgent?")
    assert desk.result(plan) == pytest.approx(share)


def test_longer_than_moves_the_bound_of_a_time(desk: Desk) -> None:
    plan = desk.begin("Which took longer than 100 days to be answered?", "longer than 150")
    assert [node.description for node in plan.nodes.values()][1:] == [
        "Keep where days from tabled on to answered on is more than 150"
    ]


def test_the_first_of_groups_by_their_total_are_groups(desk: Desk) -> None:
    totals = {
        town: sum(r["cost_eur"] for r in RECORDS if r["town"] == town)
        for town in ("Trim", "Ennis", "Sligo")
    }
    best = sorted(totals, key=lambda town: -totals[town])[:2]
    plan = desk.ask("Top 2 towns by total cost")
    assert desk.rows(plan) == pytest.approx({town: totals[town] for town in best})


@pytest.mark.parametrize("asked", ["which party is first?", "which party comes out on top?",
                                   "which one has the highest total?"])  # fmt: skip
def test_which_comes_first_is_one_group(desk: Desk, asked: str) -> None:
    totals = {
        party: sum(r["cost_eur"] for r in RECORDS if r["party"] == party)
        for party in ("Greens", "Labour", "Centre")
    }
    plan = desk.begin("total cost by party", asked)
    assert list(desk.rows(plan)) == [max(totals, key=lambda party: totals[party])]


def test_the_fastest_take_the_least_time(desk: Desk) -> None:
    parties = ("Greens", "Labour", "Centre")
    waits = {p: sum(r["wait_min"] for r in RECORDS if r["party"] == p) for p in parties}
    plan = desk.ask("Which party is the fastest to arrive, on average?")
    assert list(desk.rows(plan)) == [min(waits, key=lambda party: waits[party])]


def test_everywhere_else_denies_the_last_condition(desk: Desk) -> None:
    plan = desk.begin("urgent questions", "how many of those are in Trim?", "and everywhere else?")
    count = sum(record["urgent"] and record["town"] != "Trim" for record in RECORDS)
    assert desk.result(plan) == count


def test_the_share_of_all_there_is_of_that_place(desk: Desk) -> None:
    plan = desk.begin("How many questions in Trim are urgent?", "as a share of all there")
    there = [record for record in RECORDS if record["town"] == "Trim"]
    assert desk.result(plan) == pytest.approx(sum(r["urgent"] for r in there) / len(there))
