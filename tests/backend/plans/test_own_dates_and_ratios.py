"""The date named like the documents, the first by a ratio, gaps in words, and both kinds."""

from pathlib import Path

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

_TYPES = {
    "visit_no": "string", "tuner": "string", "town": "string", "ordered_on": "date",
    "visited_on": "date", "pipes": "int", "hours": "float", "fee_eur": "float",
    "repair_eur": "float", "contract": "bool",
}  # fmt: skip
_VISITS = [
    ("Aalders", "Ghent", "2022-12-20", "2023-01-10", 400, 8.0, 500.0, 90.0, True),
    ("Aalders", "Ghent", "2023-12-28", "2024-01-15", 300, 3.0, 700.0, 20.0, None),
    ("Aalders", "Lier", "2023-05-02", "2023-05-20", 90, None, 250.0, 10.0, False),
    ("Voss", "Lier", "2023-06-01", "2023-06-11", 120, 4.0, 900.0, 40.0, True),
    ("Voss", "Mol", "2024-02-01", "2024-02-20", 80, 2.0, 300.0, 70.0, None),
]


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("visits")
    records = [
        dict(zip(_TYPES, (f"V{i}", *visit), strict=True)) for i, visit in enumerate(_VISITS, 1)
    ]
    properties = [{"name": name, "type": kind} for name, kind in _TYPES.items()]
    return make_desk(folder, "visits", properties, records, [[r["visit_no"]] for r in records])


def _names(desk: Desk, *turns: str) -> list[str]:
    found = desk.result(desk.begin(*turns))
    return [one["properties"]["entity"]["visit_no"] for one in found]


def test_a_bare_year_is_about_the_date_named_like_the_documents(visits: Desk) -> None:
    assert _names(visits, "visits by Aalders", "only those in 2023") == ["V1", "V3"]
    by_tuner = visits.result(visits.begin("total fee per tuner", "only 2024"))
    assert {g["properties"]["key"]: g["properties"]["sum_fee_eur"] for g in by_tuner} == {
        "Aalders": 700.0,
        "Voss": 300.0,
    }


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("visit with the most pipes per hour", "V2"),
        ("which visit had the highest fee per hour?", "V2"),
        ("the dearest visit to repair", "V1"),
    ],
)
def test_the_first_is_that_of_the_number_which_the_words_describe(
    visits: Desk, question: str, name: str
) -> None:
    assert _names(visits, question) == [name]


def test_the_most_per_document_is_an_average(visits: Desk) -> None:
    groups = visits.result(visits.ask("which tuner has the most pipes per visit?"))
    assert [g["properties"]["key"] for g in groups] == ["Aalders"]
    assert groups[0]["properties"]["avg_pipes"] == pytest.approx(790 / 3)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("for which visits is no number of hours recorded?", ["V3"]),
        ("visits for which we do not know whether there is a contract", ["V2", "V5"]),
    ],
)
def test_a_value_that_nobody_recorded_is_missing(
    visits: Desk, question: str, names: list[str]
) -> None:
    assert _names(visits, question) == names


def test_both_towns_are_of_one_tuner(visits: Desk) -> None:
    assert visits.result(visits.ask("how many tuners had visits in both Ghent and Lier?")) == 1
    assert visits.result(visits.ask("how many tuners have both Lier and Mol visits?")) == 1


def test_a_group_that_the_plan_lacks_is_never_passed_over(visits: Desk) -> None:
    totals = visits.begin("total fee per tuner")
    most = visits.edit(totals, "who had the most?")
    assert [g["properties"]["key"] for g in visits.result(most)] == ["Aalders"]


def test_each_of_nothing_is_asked_back(visits: Desk) -> None:
    with pytest.raises(Invalid):
        visits.ask("the total fee from each")


def test_more_of_one_than_of_the_other_gives_both_numbers(visits: Desk) -> None:
    groups = visits.result(visits.ask("did Aalders make more visits than Voss?"))
    assert [g["properties"]["count"] for g in groups] == [3, 2]
