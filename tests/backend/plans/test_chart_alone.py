"""What the chart makes of a question without the ordered rules."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from backend.plans.requests.choose import Choosing
from backend.plans.requests.planner import reading
from tests.backend.plans.caves import CAVES, caves
from tests.backend.plans.desk import ACCOUNT, NOW, Desk, make_desk

Desks = Callable[[str], Desk]


@pytest.fixture(scope="module")
def cave_desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records, texts = caves()
    return make_desk(tmp_path_factory.mktemp("caves"), "caves", CAVES, records, texts)


def steps(desk: Desk, question: str) -> list[str]:
    """The steps of the likeliest plan, whose reading must use every word."""
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    today = datetime.fromtimestamp(NOW, UTC).date()
    start = reading(vocabulary.collection)
    best = Choosing(question, start, vocabulary, today).candidates()[0]
    assert best.skipped == ()
    return [node.description or "" for node in best.plan.nodes.values() if node.inputs]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("caves longer than Raven Shaft", ["Keep where length km is more than 21.4"]),
        ("caves surveyed before Echo Hole", ["Keep where surveyed on is before 2023-10-01"]),
        ("caves with more finds than the Moon Hole", ["Keep where number of finds is more than 1"]),
    ],
)
def test_the_value_of_a_named_document_is_looked_up(
    cave_desk: Desk, question: str, wanted: list[str]
) -> None:
    assert steps(cave_desk, question) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("caves of at least high danger", "high or extreme"),
        ("danger below high", "low or medium"),
        ("caves of high danger or above", "high or extreme"),
        ("caves more dangerous than medium", "high or extreme"),
    ],
)
def test_steps_of_a_scale_lie_above_or_below(cave_desk: Desk, question: str, wanted: str) -> None:
    assert steps(cave_desk, question) == [f"Keep where danger is {wanted}"]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("caves with more than two finds", ["Keep where number of finds is more than 2"]),
        ("average number of finds", ["Compute the average number of finds"]),
        (
            "which cave has the most finds?",
            ["Sort by number of finds from high to low", "Keep the first 1"],
        ),
    ],
)
def test_a_list_is_counted(cave_desk: Desk, question: str, wanted: list[str]) -> None:
    assert steps(cave_desk, question) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("which massifs have no lava caves?", "rock is lava"),
        ("guides without a single gypsum cave", "rock is gypsum"),
        (
            "which guides never had an extreme cave in Istra",
            "danger is extreme and massif is Istra",
        ),
    ],
)
def test_groups_without_any_such_document(cave_desk: Desk, question: str, wanted: str) -> None:
    made = steps(cave_desk, question)
    assert made[1:] == [
        f"Compute the share of {wanted} of each group", "Keep groups where share is 0"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "question", "last"),
    [
        ("recipes", "difference in average calories between Thai and Greek recipes",
         "Subtract the average calories of the second from the first"),
        ("invoices", "How many more invoices did Norda Steel send than Rasmus Freight?",
         "Subtract the number of documents of the second from the first"),
        ("satellites", "ratio of active to inactive satellites",
         "Divide the number of documents of the first by that of the second"),
        ("satellites", "Compare the average mass of GEO and LEO satellites",
         "Compute the average mass kg of each group"),
        ("rentals", "difference between the highest and lowest price",
         "Subtract the highest price eur of the second from the first"),
        ("repairs", "compare the number of jobs in 2023 and 2024",
         "Compute the number of documents of each group"),
        ("cooperatives", "cooperatives where all sheets are Food", "Keep groups where share is 1"),
        ("rentals", "makers with at least 5 harp rentals", "Keep groups where count is at least 5"),
        ("rentals", "makers that appear more than twice", "Keep groups where count is more than 2"),
        ("recipes", "authors with only one recipe", "Keep groups where count is 1"),
        ("rentals", "how many clerks had more than 20 rentals", "Count the groups"),
        ("digs", "funders with digs in more than two countries",
         "Keep groups where distinct country is more than 2"),
        ("invoices", "which suppliers have an average amount over 400 thousand?",
         "Keep groups where avg amount keur is more than 400"),
        ("invoices", "Which 3 suppliers have the highest total amount?", "Keep the first 3"),
        ("rentals", "instrument distribution", "Compute the number of documents of each group"),
        ("rentals", "everything but flutes", "Keep where instrument is not flute"),
        ("sailings", "crossings that were not cancelled", "Keep where cancelled is false"),
        ("greenhouses", "visits that mention whitefly and are heated",
         "Keep documents that answer yes to: mention whitefly"),
        ("greenhouses", "visits where a hose had burst in Venlo",
         "Keep documents that answer yes to: a hose had burst"),
    ],
)  # fmt: skip
def test_a_question_is_read_without_rules(
    desks: Desks, table: str, question: str, last: str
) -> None:
    assert steps(desks(table), question)[-1] == last
