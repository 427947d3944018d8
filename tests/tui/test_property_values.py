"""Every value of a property can be found, however many there are."""

import pytest

from tests.tui.fake_client import ENTITY
from tests.tui.test_screens import SIZE, search, settle, until
from workbench.tui.dialogs.choose import ChoiceList, Choose
from workbench.tui.lines import plain
from workbench.tui.widgets.facet_column import FacetColumn

STATES = ("WA", "AK", "FL", "CA", "TX", "OR", "NV", "UT", "Idaho", "Westerly")


@pytest.fixture(params=[1000, 9], ids=["all listed", "some looked up"])
def many_states(client, request):
    """Ten states, of which the server lists all or leaves the last to be looked up."""
    client.states, client.most_values = STATES, request.param
    return client


async def typed(pilot, text: str) -> list[str]:
    """The keys of the choices once something is typed."""
    await pilot.press(*text)
    await until(pilot, lambda: pilot.app.screen.query_one(ChoiceList).total)
    return [row.key for row in pilot.app.screen.query_one(ChoiceList).rows]


def shown(app) -> list[str]:
    column = app.screen.query_one(FacetColumn)
    return [plain(column.draw(row, 0, 40)[0]).strip() for row in column.rows]


async def open_more(pilot) -> None:
    """Goes to the row below the values of the first property and opens it."""
    await pilot.press("f")
    column = pilot.app.screen.query_one(FacetColumn)
    column.cursor = next(place for place, row in enumerate(column.rows) if row.more)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
    await pilot.pause()


async def test_a_short_list_of_values_says_how_many_more_there_are(make_app, client):
    client.states = STATES
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        assert "2 more…" in shown(app)
        assert not any("Westerly" in row for row in shown(app))


async def test_an_unlisted_value_is_offered_while_typing_and_narrows(make_app, many_states):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await open_more(pilot)
        assert await typed(pilot, "west") == ["'Westerly'"]
        await pilot.press("enter", "escape")
        await settle(pilot)
        state = app.screen._session.state
        assert state.picked(f"{ENTITY}state") == ("Westerly",)
        assert 'state = "Westerly"' in state.filter_text
        chosen = next(row for row in shown(app) if "Westerly" in row)
        assert chosen.startswith("■") and not chosen.endswith(" 0")


async def test_leaving_the_list_of_values_keeps_earlier_choices(make_app, client):
    client.states = STATES
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        app.screen._change(app.screen._session.state.toggled(f"{ENTITY}state", "WA"))
        await settle(pilot)
        await open_more(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen._session.state.picked(f"{ENTITY}state") == ("WA",)


async def test_documents_are_narrowed_to_any_value_by_typing_it(make_app, many_states):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        keys = [row.key for row in app.screen.query_one(ChoiceList).rows]
        assert 'state = "WA"' in keys and 'state = "Westerly"' not in keys
        assert 'state = "Westerly"' in await typed(pilot, "west")


async def test_more_values_lists_all_of_the_property(make_app, client):
    client.states = STATES
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        app.screen.query_one(ChoiceList).move_to(f"more {ENTITY}state")
        await pilot.press("enter")
        await pilot.pause()
        keys = [row.key for row in app.screen.query_one(ChoiceList).rows]
        assert keys == [f'state = "{name}"' for name in STATES]


async def test_values_that_occur_once_each_can_be_searched(make_app, client):
    client.states = [f"name {number}" for number in range(60)]
    client.most_values = 20
    facets = client.facets

    async def each_once(*args, **more):
        result = await facets(*args, **more)
        ones = [value.model_copy(update={"count": 1}) for value in result[0].values]
        return [result[0].model_copy(update={"values": ones}), *result[1:]]

    client.facets = each_once
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        assert "60 values…" in shown(app)
        await open_more(pilot)
        assert "'name 55'" in await typed(pilot, "name 55")
