"""Values are reviewed with one key each, and the person never waits between two of them."""

import asyncio

import pytest

from tests.tui.test_answers import shown
from tests.tui.test_screens import settle, shown_text, type_in, until
from workbench.client import ConnectionFailed
from workbench.tui.screens.review import ReviewScreen
from workbench.tui.widgets.page_view import PageView

SIZES = [(120, 40), (80, 24)]


async def review(pilot):
    await settle(pilot)
    await pilot.press("r")
    await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
    await settle(pilot)
    return pilot.app.screen


def boxes(app) -> list[tuple[tuple[float, ...], str]]:
    view = app.screen.query_one(PageView)
    marked = view._marked(view.leaf, on_paper=True) if view.leaf else []
    return [(box.box, box.label) for box, _ in marked if box.strong]


@pytest.mark.parametrize("size", SIZES)
async def test_value_words_and_box_are_in_view_and_enter_accepts(make_app, client, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await review(pilot)
        await until(pilot, lambda: boxes(app) == [((0.1, 0.28, 0.8, 0.31), "state")])
        text = shown(app)
        for words in ("1 of 210", "state", "report-0000.pdf", "Washington", "0.50", "p1", "“"):
            assert words in text
        await pilot.press("enter")
        await until(pilot, lambda: client.decided)
        assert (client.decided[0].doc_id, client.decided[0].value) == ("wb:f-0", "Washington")
        assert "2 of 210" in shown(app)


async def test_a_withheld_value_shows_the_place_of_its_best_guess(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[1]) as pilot:
        await review(pilot)
        await pilot.press("s")
        await until(pilot, lambda: boxes(app) == [((0.1, 0.16, 0.8, 0.19), "1?")])
        assert "no value" in shown(app)
        await pilot.press("down", "down")
        await until(pilot, lambda: boxes(app) == [((0.1, 0.22, 0.8, 0.25), "state")])
        await pilot.press("enter")
        await until(pilot, lambda: client.decided)
        assert client.decided[0].value == "Alaska City"
        assert "1 changed" in shown(app)


async def test_values_are_decided_while_the_server_is_busy(make_app, client):
    go = asyncio.Event()
    decide = client.decide

    async def slow(docset_id, decisions):
        await go.wait()
        return await decide(docset_id, decisions)

    client.decide = slow
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        screen = await review(pilot)
        await pilot.press("enter", "1", "n", "enter", "2")
        assert screen._session.position == 5
        assert any("not sent" in words for words in screen.unsaved())
        go.set()
        await until(pilot, lambda: screen._session.unsent == 0)
        values = [decision.value for decision in client.decided]
        assert values == ["Washington", "Florida", None, "Washington", "Alaska City"]


async def test_unsent_decisions_are_sent_with_the_next_one(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        screen = await review(pilot)
        client.fail["decide"] = ConnectionFailed("gone")
        await pilot.press("enter")
        await settle(pilot)
        assert "Nothing on screen is lost" in shown_text(app) and screen._session.unsent == 1
        client.fail.clear()
        await pilot.press("enter")
        await until(pilot, lambda: len(client.decided) == 2)
        assert not shown_text(app)


async def test_a_typed_value_must_be_of_the_kind_of_the_property(make_app, client):
    first = client.to_review[0]
    client.to_review[0] = first.model_copy(
        update={"field": "year", "kind": "int", "value": 2020, "alternatives": []}
    )
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[1]) as pilot:
        await review(pilot)
        await pilot.press("t")
        await pilot.pause()
        await type_in(pilot, "about 2021")
        assert not client.decided and "not a whole number" in shown_text(app)
        await type_in(pilot, "2021")
        await until(pilot, lambda: client.decided)
        assert client.decided[0].value == 2021


async def test_the_last_value_is_announced_as_the_last(make_app, client):
    del client.to_review[2:]
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[1]) as pilot:
        await review(pilot)
        await pilot.press("enter", "s")
        await settle(pilot)
        text = shown(app)
        assert "That was the last value." in text and "1 checked, 0 changed. 1 skipped." in text
        await pilot.press("b", "1")
        await until(pilot, lambda: len(client.decided) == 2)
        assert client.decided[1].value == "Florida"


async def test_only_the_marked_documents_are_reviewed(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        await pilot.press("space", "space")
        await review(pilot)
        assert "Review of 2 documents" in shown(app)
    [asked] = [details for name, details in client.calls if name == "values_to_review"]
    assert asked[:3] == (None, ["wb:f-0", "wb:f-1"], 0.8)


async def test_a_screen_can_be_opened_for_one_property_and_a_list_of_documents(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        screen = ReviewScreen(
            "wb:ds-1", fields=["year"], doc_ids=["wb:f-7"], below=None, about="No invoice date"
        )
        app.push_screen(screen)
        await settle(pilot)
        assert "No invoice date" in shown(app)
    [asked] = [details for name, details in client.calls if name == "values_to_review"]
    assert asked[:3] == (["year"], ["wb:f-7"], None)


async def test_a_key_turns_on_automatic_rereading_and_confirms_it(make_app, client):
    app = make_app(docset="incidents")
    client.all["wb:ds-1"] = client.all["wb:ds-1"].model_copy(update={"properties": {"owner": "me"}})
    async with app.run_test(size=SIZES[0]) as pilot:
        await review(pilot)
        assert "re-reads after each" not in shown(app)
        await pilot.press("A")
        await until(pilot, lambda: "re-reads after each" in shown(app))
        kept = {"owner": "me", "reread_after_corrections": True}
        assert client.all["wb:ds-1"].properties == kept
        await pilot.press("A")
        await until(pilot, lambda: "re-reads after each" not in shown(app))
        assert client.all["wb:ds-1"].properties == {**kept, "reread_after_corrections": False}
