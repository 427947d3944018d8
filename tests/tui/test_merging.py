"""Spellings of one thing are proposed for merging, merged by a key, and taken apart again."""

import pytest

from tests.tui.counting_client import PROPOSED, CountingClient
from tests.tui.test_answers import answered, shown
from tests.tui.test_screens import settle


@pytest.fixture
def client() -> CountingClient:
    return CountingClient()


def runs(client) -> int:
    return sum(name == "stream_plan" for name, _ in client.calls)


async def test_a_proposed_merge_is_agreed_by_a_key_and_the_plan_runs_anew(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=(120, 40)) as pilot:
        await answered(app, pilot)
        assert "M merges spellings" in shown(app)
        await pilot.press("M")
        await settle(pilot)
        text = shown(app)
        assert "state: CA counts as California" in text and "proposed" in text
        await pilot.press("enter", "escape")
        await settle(pilot)
        assert client.merges == PROPOSED[:1] and runs(client) == 2
        await pilot.press("M")
        await settle(pilot)
        assert "agreed" in shown(app)
        await pilot.press("down", "enter", "escape")
        await settle(pilot)
        assert client.merges == [] and runs(client) == 3


async def test_several_merges_alone_are_undone_at_once(make_app, client):
    client.merges = [*PROPOSED]
    app = make_app(docset="incidents")
    async with app.run_test(size=(80, 24)) as pilot:
        await answered(app, pilot)
        assert "M counts spellings" not in shown(app)
        await pilot.press("M")
        await settle(pilot)
        await pilot.press("enter", "down", "enter", "escape")
        await settle(pilot)
        assert client.merges == [] and runs(client) == 2
        undone = [details for name, details in client.calls if name == "undo_merge"]
        assert undone == [(1,), (0,)], "the last first, so that numbers stay"


async def test_without_a_change_nothing_runs(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=(120, 40)) as pilot:
        await answered(app, pilot)
        await pilot.press("M")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert client.merges == [] and runs(client) == 1
