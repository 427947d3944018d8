"""The values that a filter takes are a list; each can be left out and taken back in."""

import pytest

from tests.tui.counting_client import CountingClient
from tests.tui.test_answers import shown
from tests.tui.test_screens import ask, settle, shown_text
from workbench.tui.dialogs.choose import ChoiceList, Choose


@pytest.fixture
def client() -> CountingClient:
    return CountingClient()


def values(app) -> list[str]:
    return app.screen._session.plan.node(1).extras["values"]


async def open_values(pilot) -> None:
    """From whatever step the cursor is on."""
    await ask(pilot)
    await pilot.press("v")
    await settle(pilot)


async def test_a_filter_lists_its_kin_and_a_key_removes_a_value(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("j")
        await settle(pilot)
        text = shown(app)
        assert "also matches CA, State of California" in text
        assert "■ California" in text and "■ CA added" in text
        await pilot.press("v")
        await settle(pilot)
        assert isinstance(app.screen, Choose)
        await pilot.press("down", "down", "enter", "escape")
        await settle(pilot)
        assert values(app) == ["California", "CA"]
        assert "□ State of California added" in shown(app)
        assert app.screen._session.current.origin == "hand"
        await pilot.press("v", "down", "down", "enter", "escape")
        await settle(pilot)
        assert values(app) == ["California", "CA", "State of California"]
        await pilot.press("u", "u")
        await settle(pilot)
        assert app.screen._session.versions.pointer == 1


async def test_the_list_has_room_in_a_small_terminal(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=(80, 24)) as pilot:
        await open_values(pilot)
        text = shown(app)
        assert "also matches CA, State of California" in text
        assert len(app.screen.query_one(ChoiceList).rows) == 3


async def test_the_last_value_cannot_be_left_out(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=(120, 40)) as pilot:
        await open_values(pilot)
        await pilot.press("enter", "down", "enter", "down", "enter", "escape")
        await settle(pilot)
        assert "needs at least one value" in shown_text(app)
        assert len(values(app)) == 3
