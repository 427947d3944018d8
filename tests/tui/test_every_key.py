"""Each key of each screen is pressed once and does what it promises.

All keys of a place are pressed in one run of the app; the first test of the place runs it.
"""

import asyncio
import traceback
from functools import cache
from pathlib import Path

import pytest

from tests.tui.app_over import app_over
from tests.tui.every_key import CASES, Hand, papers
from tests.tui.fake_client import FakeClient, task
from tests.tui.test_screens import SIZE, ask, search, settle, type_in
from workbench.client import TaskResult
from workbench.tui.keys import KEYS

PRESSED = [
    (place, key.id, name) for place in KEYS for key in KEYS[place] for name in key.keys.split(",")
]


def test_every_key_has_its_case():
    assert set(CASES) == {key_id for _, key_id, _ in PRESSED}


@pytest.mark.parametrize(("place", "key_id", "name"), PRESSED)
def test_the_key_has_its_described_effect(place, key_id, name, faults_of):
    fault = faults_of(place)[key_id, name]
    assert not fault, f"{key_id} ({name}): {CASES[key_id].__name__}\n{fault}"


@pytest.fixture(scope="module")
def faults_of(tmp_path_factory):
    """What went wrong with each key of a place, as text; empty where nothing did."""

    @cache
    def of(place):
        return asyncio.run(_press_all(place, tmp_path_factory.mktemp(place)))

    return of


async def _press_all(place: str, folder: Path) -> dict[tuple[str, str], str]:
    client = FakeClient()
    client.progress = [task(1, done=3, total=12, unit="pages"), task(3, "done", outcome=200)]
    client.pages = 2
    client.results["wb:t-3"] = TaskResult(False, 200, {"doc_id": "wb:f-3"})
    app = app_over(client, folder, prepare=papers(folder), docset="incidents")
    faults: dict[tuple[str, str], str] = {}
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        if place == "search":
            await search(pilot)
            await pilot.press("s")
            await type_in(pilot, "kept")
        elif place in ("plans", "evidence"):
            await ask(pilot)
            await pilot.press("e")
            await type_in(pilot, "by state, top 5")
        hand = Hand(pilot, client)
        for pressed_at, key_id, name in PRESSED:
            if pressed_at == place:
                hand.key = name
                try:
                    await hand.home(_SCREEN_OF.get(place, place))
                    if place in _OPENED_BY:
                        await hand.press(_OPENED_BY[place])
                    await CASES[key_id](hand)
                    faults[key_id, name] = ""
                except Exception:
                    faults[key_id, name] = traceback.format_exc()
    return faults


_SCREEN_OF = {
    "app": "docsets", "list": "documents", "table": "documents", "viewer": "documents",
    "review": "documents", "changes": "documents",
    "evidence": "plans",
}  # fmt: skip
_OPENED_BY = {"viewer": "enter", "review": "r", "changes": "R"}
