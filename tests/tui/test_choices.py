"""A question or feedback with several readings: each is listed with a key, and taken by it."""

from typing import Any

import pytest

from tests.tui.fake_client import plan
from tests.tui.test_screens import ask, settle, type_in
from workbench.client import Ambiguous, Invalid
from workbench.contract.errors import Choice, FieldFault
from workbench.tui.lines import plain
from workbench.tui.widgets.reading_choices import ReadingChoices

WORDS = (
    "Keep where year is 2023; group by city; compute the number of documents of each group; sort by"
    " the number of documents from high to low",
    "Keep where year is 2023; group by state; compute the number of documents of each group; sort"
    " by the number of documents from high to low",
)
WARNING = "ignored these words: “quickly”"
NARROW, WIDE = (80, 24), (120, 40)


def several(request: str) -> Ambiguous:
    choices = [
        Choice(
            words=words,
            edit={"warnings": [WARNING] if group == "state" else []},
            plan=plan(request, group=group).model_dump(mode="json"),
        )
        for words, group in zip(WORDS, ("city", "state"), strict=True)
    ]
    msg = f"“{request}” may mean two things"
    fault = FieldFault(loc=["body"], msg=msg, type="ambiguous", choices=choices)
    return Ambiguous(422, msg, [fault])


def offered(app: Any) -> list[ReadingChoices]:
    return [one for one in app.screen.query(ReadingChoices) if one.display]


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
async def test_readings_of_a_question_are_listed_under_it_and_chosen_by_a_key(
    make_app, client, matches_snapshot, size
):
    client.fail["generate_plan"] = several("incidents by place")
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("6", "a")
        await settle(pilot)
        await type_in(pilot, "incidents by place")
        (choices,) = offered(app)
        assert choices.has_focus and choices.id == "of-question"
        matches_snapshot(app, f"readings-{size[0]}")
        await pilot.press("2")
        await settle(pilot)
        session = app.screen._session
        assert session.plan.node(3).extras["field"] == "properties.entity.state"
        assert session.question == "incidents by place" and not offered(app)
        assert session.current.origin == "reading"


async def test_escape_goes_back_to_the_question_as_it_was_typed(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=NARROW) as pilot:
        await ask(pilot)
        client.fail["generate_plan"] = several("incidents by place")
        await pilot.press("a")
        await type_in(pilot, "incidents by place")
        await pilot.press("escape")
        await settle(pilot)
        assert not offered(app) and app.focused.value == "incidents by place"
        assert len(app.screen.workspace.plans("wb:ds-1").asked()) == 1


async def test_readings_of_feedback_are_above_it_and_create_a_version(
    make_app, client, matches_snapshot
):
    app = make_app(docset="incidents")
    async with app.run_test(size=NARROW) as pilot:
        await ask(pilot)
        client.fail["edit_plan"] = several("by place")
        await pilot.press("e")
        await type_in(pilot, "by place")
        (choices,) = offered(app)
        assert choices.id == "of-feedback"
        matches_snapshot(app, "readings-of-feedback")
        await pilot.press("down", "enter")
        await settle(pilot)
        session = app.screen._session
        assert session.versions.pointer == 2 and session.current.feedback == "by place"
        assert session.plan.node(3).extras["field"] == "properties.entity.state"
        await pilot.press("u")
        await settle(pilot)
        assert session.versions.pointer == 1


async def test_a_number_without_a_reading_takes_none(make_app, client):
    client.fail["generate_plan"] = several("incidents by place")
    app = make_app(docset="incidents")
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("6", "a")
        await type_in(pilot, "incidents by place")
        await pilot.press("5")
        await settle(pilot)
        assert len(offered(app)) == 1 and app.screen.place == "plans"


async def test_the_words_that_a_reading_ignores_are_below_it(make_app, client):
    client.fail["generate_plan"] = several("incidents by place")
    app = make_app(docset="incidents")
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("6", "a")
        await type_in(pilot, "incidents by place")
        (choices,) = offered(app)
        width = choices.scrollable_content_region.width - 1
        lines = [plain(one) for one in choices.draw(choices.rows[1], 1, width)]
        assert lines[0].startswith("2  Keep where year is 2023") and WARNING in lines[-1]
        assert max(map(len, lines)) <= width


async def test_another_question_takes_the_list_away(make_app, client):
    client.fail["generate_plan"] = several("incidents by place")
    app = make_app(docset="incidents")
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("6", "a")
        await type_in(pilot, "incidents by place")
        client.fail["generate_plan"] = Invalid(422, "nothing of that was understood")
        await pilot.press("a")
        await settle(pilot)
        assert not offered(app) and app.focused.value == ""
