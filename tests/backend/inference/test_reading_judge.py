"""Plans beside the questions they may answer, by the network that ships."""

import numpy as np
import pytest

from backend.inference.phrase_vectors import encoder
from backend.inference.reading_judge import ReadingJudge, judge


@pytest.fixture(scope="module")
def network() -> ReadingJudge:
    return judge()


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (
            "How many keys were handed in at the library in 2021?",
            "Keep where place found is Library; Keep where found on is from 2021-01-01 to"
            " 2021-12-31; Count the documents",
            "Group by place found; Compute the number of documents of each group",
        ),
        (
            "Which boats have not been paid for?",
            "Keep where paid on is unknown",
            "Keep where paid on is known",
        ),
        (
            "What did we spend on repairs each year?",
            "Group by year of repaired on; Compute the total cost of each group",
            "Group by year of repaired on; Compute the number of documents of each group",
        ),
    ],
)
def test_a_plan_that_is_meant_scores_higher(
    network: ReadingJudge, question: str, right: str, wrong: str
) -> None:
    better, worse = network.scores(question, [right, wrong])
    assert better > worse


def test_a_score_does_not_depend_on_its_batch() -> None:
    question, plan = "how many are late?", "Keep where due on is before today; Count the documents"
    alone = ReadingJudge(encoder()).scores(question, [plan])
    beside = ReadingJudge(encoder()).scores(question, ["Sort by " + "price, " * 60, plan])
    assert np.allclose(alone[0], beside[1], atol=1e-3)


def test_nothing_to_judge_has_no_scores(network: ReadingJudge) -> None:
    assert network.scores("how many?", []) == []


def test_long_texts_are_judged_by_their_beginning(network: ReadingJudge) -> None:
    long = "really " * 3_000
    assert len(network.scores(long, [long, "Count the documents"])) == 2
