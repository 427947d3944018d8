"""Names from elsewhere never reach the terminal as commands, whichever widget shows them."""

import re

import pytest

from tests.tui.test_screens import SIZE, settle
from workbench.client.errors import WorkbenchError

EVIL = "a\x1b]0;owned\x07\x1b[2J\x9b2J\x9d0;owned\x9c\x00\x08\u202eb\r\n\t"


def shown(app) -> str:
    """What the screen is, as it goes to the terminal."""
    strips = app.screen._compositor.render_strips()
    return "".join(strip.render(app.console) for strip in strips)


@pytest.mark.parametrize("key", ["1", "2", "3", "4", "5", "6", "7"])
async def test_no_name_can_control_a_screen(make_app, client, key) -> None:
    for made in client.all.values():
        made.name = EVIL + made.name
    for file in client.files["wb:ds-1"]:
        file.name = EVIL + file.name
        file.properties = {"entity": {EVIL: EVIL}, "path": EVIL}
    app = make_app(docset="wb:ds-1")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.notify(EVIL, title=EVIL)
        await pilot.press(key)
        await settle(pilot)
        seen = shown(app)
    assert "ab" in seen or "owned" in seen
    assert re.findall("[\x00-\x1a\x1c-\x1f\x7f-\x9f\u202e]", seen) == []
    assert "\x1b]" not in seen and "\x1b[2J" not in seen


async def test_an_error_cannot_steer_either(make_app, client) -> None:
    client.fail["docsets"] = WorkbenchError(EVIL)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        seen = shown(app)
    assert "\x1b]" not in seen and "\x9b" not in seen and "\x1b[2J" not in seen


async def test_a_notice_that_is_shown_is_not_piled_up(make_app) -> None:
    app = make_app(docset="wb:ds-1")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        before = len(app._notifications)
        for _ in range(7):
            app.notify("No change was accepted.")
            await settle(pilot)
        for _ in range(3):
            app.notify("Before the next frame.")
        app.notify("No change was accepted.", severity="error")
        await settle(pilot)
        assert len(app._notifications) == before + 3
