"""Questions that compare with a document or a step, count lists, name units, tell why they ask."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.backend.plans.answers import average, same_number
from tests.backend.plans.caves import CAVES, caves
from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

Record = dict[str, Any]
DANGERS = ["low", "medium", "high", "extreme"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records, texts = caves()
    return make_desk(tmp_path_factory.mktemp("caves"), "caves", CAVES, records, texts)


RECORDS = caves()[0]
OF = {record["cave"]: record for record in RECORDS}


def danger(record: Record) -> int:
    return DANGERS.index(record["danger"])


KEPT: list[tuple[str, Callable[[Record], Any]]] = [
    ("caves with more than two finds", lambda r: len(r["finds"]) > 2),
    ("caves that have at least 3 finds", lambda r: len(r["finds"]) >= 3),
    ("caves with exactly one find", lambda r: len(r["finds"]) == 1),
    ("caves with 4 finds", lambda r: len(r["finds"]) == 4),
    ("caves without any finds", lambda r: not r["finds"]),
    ("caves longer than Raven Shaft", lambda r: r["length_km"] > OF["Raven Shaft"]["length_km"]),
    (
        "caves surveyed before Echo Hole",
        lambda r: r["surveyed_on"] < OF["Echo Hole"]["surveyed_on"],
    ),
    (
        "caves with more finds than the Moon Hole",
        lambda r: len(r["finds"]) > len(OF["Moon Hole"]["finds"]),
    ),
    ("caves of at least high danger", lambda r: danger(r) >= 2),
    ("danger below high", lambda r: danger(r) < 2),
    ("caves of high danger or above in Karun", lambda r: danger(r) > 1 and r["massif"] == "Karun"),
    ("caves more dangerous than medium", lambda r: danger(r) > 1),
    ("caves over 10 km", lambda r: r["length_km"] > 10),
    ("caves whose guano is still unsold", lambda r: "trader" not in r),
    ("caves with sold guano", lambda r: "trader" in r),
    ("caves that are yet to get a trader", lambda r: "trader" not in r),
    ("anything closed early?", lambda r: "closed_on" in r),
    (
        "caves of at least 60 t or passages of 20 km and up",
        lambda r: r["guano_t"] >= 60 or r["length_km"] >= 20,
    ),
    ("for the board meeting on Thursday: all flooded caves", lambda r: r["flooded"]),
    ("list the gypsum caves so that I can call the owners", lambda r: r["rock"] == "gypsum"),
    ("for my brochure I need the flooded caves of Velmo",
     lambda r: r["flooded"] and r["massif"] == "Velmo"),
    ("I have a bus in five minutes, which lava caves are flooded",
     lambda r: r["rock"] == "lava" and r["flooded"]),
    ("caves not surveyed since 2024", lambda r: r["surveyed_on"] < "2024-01-01"),
    ("caves not closed since June 2024", lambda r: r.get("closed_on", "") < "2024-06-01"),
    ("caves with an air mark better than 2.0", lambda r: r.get("air_mark", 9) < 2),
    ("bony caves in Karun", lambda r: "bones" in r["finds"] and r["massif"] == "Karun"),
    ("deep caves with a descent over 500 m", lambda r: r["descent_m"] > 500),
    ("in preparation for the audit, please list limestone caves",
     lambda r: r["rock"] == "limestone"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "fits"), KEPT, ids=[case[0] for case in KEPT])
def test_a_description_selects_its_documents(
    desk: Desk, question: str, fits: Callable[[Record], Any]
) -> None:
    result = desk.result(desk.ask(question))
    names = {item["properties"]["entity"]["cave"] for item in result}
    assert names == {r["cave"] for r in RECORDS if fits(r)}


def total(records: Iterable[Record], name: str) -> float:
    return sum(r[name] for r in records)


def of(**wanted: str) -> list[Record]:
    return [r for r in RECORDS if all(r.get(name) == value for name, value in wanted.items())]


NUMBERS: list[tuple[str, float]] = [
    ("total tonnes in Karun", total(of(massif="Karun"), "guano_t")),
    ("how many tonnes did we bring in from lava", total(of(rock="lava"), "guano_t")),
    ("total guano in Istra, in tonnes", total(of(massif="Istra"), "guano_t")),
    ("avg guano price per tonne for gypsum",
     average(r.get("guano_price") for r in of(rock="gypsum"))),
    ("how much more did we gather in Karun than in Velmo, in tonnes",
     total(of(massif="Karun"), "guano_t") - total(of(massif="Velmo"), "guano_t")),
    ("how many caves have two or more finds", sum(len(r["finds"]) >= 2 for r in RECORDS)),
    ("average number of finds", average(len(r["finds"]) for r in RECORDS)),
    ("what percentage of caves got closed early",
     100 * sum("closed_on" in r for r in RECORDS) / len(RECORDS)),
    ("of the 10 longest caves how many are flooded",
     sum(r["flooded"] for r in sorted(RECORDS, key=lambda r: -r["length_km"])[:10])),
]  # fmt: skip


@pytest.mark.parametrize(("question", "number"), NUMBERS, ids=[case[0] for case in NUMBERS])
def test_numbers_that_are_asked_for_are_computed(desk: Desk, question: str, number: float) -> None:
    assert same_number(desk.result(desk.ask(question)), pytest.approx(number))


def test_a_document_is_ordered_by_how_many_values_it_lists(desk: Desk) -> None:
    result = desk.result(desk.ask("which cave has the most finds?"))
    assert len(result) == 1
    assert len(result[0]["properties"]["entity"]["finds"]) == 4


@pytest.mark.parametrize(
    ("question", "fits"),
    [
        ("which massifs have no lava caves?", lambda r: r["rock"] == "lava"),
        (
            "guides without a single gypsum cave of high danger",
            lambda r: r["rock"] == "gypsum" and r["danger"] == "high",
        ),
        (
            "which guides never had an extreme cave in Istra",
            lambda r: r["danger"] == "extreme" and r["massif"] == "Istra",
        ),
    ],
)
def test_groups_that_have_none_of_them_are_listed(
    desk: Desk, question: str, fits: Callable[[Record], bool]
) -> None:
    name = "massif" if "massifs" in question else "guide"
    wanted = {r[name] for r in RECORDS} - {r[name] for r in RECORDS if fits(r)}
    assert set(desk.rows(desk.ask(question))) == wanted


@pytest.mark.parametrize(
    ("question", "best"), [("best cave in Karun", min), ("worst cave in Karun", max)]
)
def test_the_schema_says_which_marks_are_good(
    desk: Desk, question: str, best: Callable[[list[float]], float]
) -> None:
    result = desk.result(desk.ask(question))
    marks = [r["air_mark"] for r in of(massif="Karun") if "air_mark" in r]
    assert [item["properties"]["entity"]["air_mark"] for item in result] == [best(marks)]


def test_the_size_of_a_list_is_not_a_property_of_the_documents_that_are_shown(desk: Desk) -> None:
    plan = desk.ask("caves with more than two finds")
    assert "number of finds" in str(plan.nodes["1"].description)
    assert set(desk.result(plan)[0]["properties"]) == {"entity", "path"}


def test_skipped_words_are_reported(desk: Desk) -> None:
    plan = desk.ask("for the board meeting on Thursday: how many caves are flooded?")
    assert plan.edit is not None
    assert any("board meeting on Thursday" in warning for warning in plan.edit.warnings)


def test_the_number_of_the_other_document_is_reported(desk: Desk) -> None:
    plan = desk.ask("caves longer than Raven Shaft")
    assert plan.edit is not None
    reported = f"{OF['Raven Shaft']['length_km']}"
    assert any("Raven Shaft" in warning and reported in warning for warning in plan.edit.warnings)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("caves with good coffee", "coffee"),
        ("caves that bears like", "bears"),
        ("caves for children", "children"),
        ("caves insured against hail", "hail"),
        ("blorp the frunk by massif", "frunk"),
        ("danger above extreme", "extreme"),
        ("number of bats per cave", "bats"),
    ],
)
def test_words_that_could_narrow_the_documents_are_not_ignored(
    desk: Desk, question: str, word: str
) -> None:
    with pytest.raises(Invalid) as refused:
        desk.ask(question)
    assert word in str(refused.value.detail)
