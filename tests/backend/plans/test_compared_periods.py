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


def test_a_plan_that_cannot_run_is_refused(desks: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FieldFault(loc=["query"], msg="the filter asks nothing", type="bad_value")
    monkeypatch.setattr(planner, "validate", lambda *_: Verdict(faults=[fault]))
    with pytest.raises(Invalid, match="cannot run: the filter asks nothing"):
        desks("repairs").ask("are there more jobs from 2022 or from 2023?")
