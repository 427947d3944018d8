"""Two years, quarters or months of one date are set against each other; a plan that cannot run is
refused.
"""

from collections import Counter
from collections.abc import Callable

import pytest

from backend.plans.requests import planner
from tests.backend.plans.desk import Desk
from workbench.contract.errors import FieldFault, Invalid
from workbench.contract.plan_validation import Verdict

Desks = Callable[[str], Desk]


@pytest.mark.parametrize(
    ("question", "length", "sides"),
    [
        ("are there more jobs from 2022 or from 2023?", 4, ("2022", "2023")),
        ("compare 2022 and 2024", 4, ("2022", "2024")),
        ("compare the number of jobs in 2023 and 2024", 4, ("2023", "2024")),
        ("are there more jobs from March 2023 or from May 2023?", 7, ("2023-03", "2023-05")),
    ],
)
def test_two_periods_give_a_number_each(
    desks: Desks, question: str, length: int, sides: tuple[str, ...]
) -> None:
    desk = desks("repairs")
    counts = Counter(record["brought_in"][:length] for record in desk.records)
    rows = desk.rows(desk.ask(question))
    assert {str(key): count for key, count in rows.items()} == {
        side: counts[side] for side in sides
    }


def _total(desk: Desk, period: str) -> float:
    launched = (r for r in desk.records if str(r["launch_date"]).startswith(period))
    return sum(float(record["cost_musd"] or 0) for record in launched)


@pytest.mark.parametrize(
    "question",
    [
        "difference in total cost between 2018 and 2019",
        "difference between the total cost in 2018 and 2019",
        "difference between the total cost in 2019 and the total cost in 2018",
    ],
)
def test_of_two_years_the_earlier_is_subtracted_from_the_later(desks: Desks, question: str) -> None:
    desk = desks("satellites")
    expected = _total(desk, "2019") - _total(desk, "2018")
    assert desk.result(desk.ask(question)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("question", "later", "earlier"),
    [
        ("increase in launches from 2018 to 2019", "2019", "2018"),
        ("difference in the number of satellites launched in May 2018 and June 2018",
         "2018-06", "2018-05"),
        ("difference in the number of satellites launched between 2015 and 2019", "2019", "2015"),
        ("How many more satellites were launched in 2018 than in 2019?", "2018", "2019"),
    ],
)  # fmt: skip
def test_of_a_span_the_ends_are_subtracted(
    desks: Desks, question: str, later: str, earlier: str
) -> None:
    desk = desks("satellites")
    launched = [str(record["launch_date"]) for record in desk.records]
    more, fewer = (sum(day.startswith(period) for day in launched) for period in (later, earlier))
    assert desk.result(desk.ask(question)) == more - fewer


def test_a_change_is_never_answered_with_the_whole_span(desks: Desks) -> None:
    with pytest.raises(Invalid) as refused:
        desks("satellites").ask("decrease in total cost from 2018 to 2019")
    readings = [choice.words for fault in refused.value.faults for choice in fault.choices or ()]
    assert any("ubtract the total cost musd" in reading for reading in readings)


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("How much more was spent in 2019 than in 2018?", "totals"),
        ("difference in cost between 2018 and 2019", "totals"),
        ("how much more do GEO satellites cost than LEO satellites?", "averages"),
        ("difference between the cost of GEO and LEO", "averages"),
    ],
)
def test_an_answer_says_which_figures_it_compared_if_the_question_does_not(
    desks: Desks, question: str, figure: str
) -> None:
    plan = desks("satellites").ask(question)
    assert plan.edit is not None
    assert f"compared {figure}, as the question names no figure" in plan.edit.warnings


def test_a_plan_that_cannot_run_is_refused(desks: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FieldFault(loc=["query"], msg="the filter asks nothing", type="bad_value")
    monkeypatch.setattr(planner, "validate", lambda *_: Verdict(faults=[fault]))
    with pytest.raises(Invalid, match="cannot run: the filter asks nothing"):
        desks("repairs").ask("are there more jobs from 2022 or from 2023?")
