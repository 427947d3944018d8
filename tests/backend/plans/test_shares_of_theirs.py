"""`As a share of her coffees`, after the share of coffees that are hers."""

from pathlib import Path

import pytest

from tests.backend.plans.desk import Desk, make_desk

_LOTS = [("Ines", True), ("Ines", False), ("Ines", False), ("Ines", False), ("Boyd", True)]


@pytest.fixture
def coffees(tmp_path: Path) -> Desk:
    properties = [{"name": "roaster", "type": "string"}, {"name": "washed", "type": "bool"}]
    records = [{"roaster": roaster, "washed": washed} for roaster, washed in _LOTS]
    texts = [[f"Coffee of {roaster}"] for roaster, _ in _LOTS]
    return make_desk(tmp_path, "coffee", properties, records, texts)


def test_her_documents_become_the_whole_and_the_difference_shows_it(coffees: Desk) -> None:
    of_washed = coffees.ask("what percentage of washed coffees are by Ines?")
    assert coffees.result(of_washed) == pytest.approx(50)
    of_hers = coffees.edit(of_washed, "as a share of her coffees")
    assert coffees.result(of_hers) == pytest.approx(25)
    assert of_hers.edit is not None and of_hers.edit.diff is not None
    assert "> moved: Count all of which they are a share" in of_hers.edit.diff.lines


def test_a_share_of_all_is_still_of_all(coffees: Desk) -> None:
    of_washed = coffees.ask("what percentage of washed coffees are by Ines?")
    of_all = coffees.edit(of_washed, "as a share of all coffees")
    assert coffees.result(of_all) == pytest.approx(20)
