"""What a mouse clicks does what its key does; filters share one line and can be removed."""

from tests.tui.fake_client import ENTITY
from tests.tui.test_documents import choose, years
from tests.tui.test_screens import SIZE, names, search, settle, shown_text, until
from workbench.client import Invalid
from workbench.sessions.facet_choices import Excluded
from workbench.tui.dialogs.choose import ChoiceList, Choose
from workbench.tui.widgets.facet_column import FacetColumn
from workbench.tui.widgets.filter_chips import FilterChips
from workbench.tui.widgets.query_bar import QueryBar
from workbench.tui.widgets.status_line import StatusLine
from workbench.tui.widgets.table_list import TableList


def picked(app, name: str = "state"):
    return app.screen._session.state.picked(f"{ENTITY}{name}")


def chips(app) -> list[str]:
    return [chip.words for chip in app.screen.query_one(FilterChips).chips]


async def click_chip(pilot, words: str) -> None:
    line = str(pilot.app.screen.query_one(FilterChips).render())
    await pilot.click(FilterChips, offset=(line.index(words) + 2, 0))
    await settle(pilot)


async def test_space_chooses_a_value_and_minus_excludes_it(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await pilot.press("f", "j", "space")
        await settle(pilot)
        assert picked(app) == ("WA",)
        await pilot.press("minus")
        await settle(pilot)
        assert picked(app) == (Excluded("WA"),)
        assert app.screen._session.state.filter_text == f'not ({ENTITY}state = "WA")'
        assert "−" in app.screen.query_one(FacetColumn).render_line(1).text
        await pilot.press("minus")
        await settle(pilot)
        assert picked(app) == ()


async def test_one_click_on_a_facet_value_chooses_it(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await pilot.click(FacetColumn, offset=(4, 2))
        await settle(pilot)
        assert picked(app) == ("AK",)


async def test_one_click_on_a_checkbox_of_a_dialog_toggles_it(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        before = set(app.screen.query_one(ChoiceList).chosen)
        await pilot.click(ChoiceList, offset=(2, 0))
        assert before - app.screen.query_one(ChoiceList).chosen == {"state"}


async def test_a_click_on_a_key_of_the_last_line_presses_it(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        hints = str(app.screen.query_one(StatusLine).render())
        await pilot.click(StatusLine, offset=(hints.index("sort") + 1, 0))
        await until(pilot, lambda: isinstance(app.screen, Choose))
        assert app.screen._title == "Sort by"


async def test_a_click_on_a_column_header_sorts_and_a_second_one_turns_it_round(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for first in (2020, 2023):
            header = app.screen.query_one(TableList).render_line(0).text
            await pilot.click(TableList, offset=(header.index("year") + 1, 0))
            await settle(pilot)
            assert years(app)[0] == first


async def test_docsets_are_sorted_by_their_headers(make_app):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        header = app.screen.query_one(TableList).render_line(0).text
        await pilot.click(TableList, offset=(header.index("documents") + 1, 0))
        await settle(pilot)
        assert names(app.screen.query_one(TableList)) == ["invoices 2024", "incidents"]


async def test_filters_are_chips_and_each_can_be_removed(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await pilot.press("c", *"year > 2020", "enter")
        await settle(pilot)
        app.screen._change(app.screen._session.state.toggled(f"{ENTITY}state", "WA"))
        await settle(pilot)
        assert chips(app) == ["year > 2020", "state = WA", "clear all"]
        await click_chip(pilot, "year > 2020")
        assert chips(app) == ["state = WA"]
        assert app.screen.query_one(QueryBar).query_one("#where").value == ""
        asked = [details[0] for name, details in client.calls if name == "search"]
        assert asked[-1].properties_filter == f'({ENTITY}state = "WA")'
        await click_chip(pilot, "state = WA")
        assert chips(app) == [] and not app.screen.query_one(FilterChips).display


async def test_clear_all_removes_every_filter_by_chip_and_by_key(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        filtered = app.screen._session.state.toggled(f"{ENTITY}state", "WA").toggled(
            f"{ENTITY}year", 2023
        )
        for clear in (lambda: click_chip(pilot, "clear all"), lambda: pilot.press("C")):
            app.screen._change(filtered)
            await settle(pilot)
            assert len(chips(app)) == 3
            await clear()
            await settle(pilot)
            assert not app.screen._session.state.filter_text
            assert app.screen._session.state.query == "ice wing"


async def test_chips_can_be_removed_without_a_mouse(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        app.screen._change(
            app.screen._session.state.toggled(f"{ENTITY}state", "WA").toggled(f"{ENTITY}year", 2023)
        )
        await settle(pilot)
        app.screen.query_one(FilterChips).focus()
        await pilot.press("right", "delete")
        await settle(pilot)
        assert chips(app) == ["state = WA"]


async def test_where_only_filters_were_searched_for_removing_them_ends_the_search(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("5")
        await settle(pilot)
        app.screen._change(app.screen._session.state.toggled(f"{ENTITY}state", "WA"))
        await settle(pilot)
        assert app.screen._hits.total
        await click_chip(pilot, "state = WA")
        assert not app.screen._hits.total


async def test_the_position_of_a_fault_refers_to_the_typed_text(make_app, client, monkeypatch):
    answer = client.search

    async def refuses(docset_id, request, **more):
        text = request.properties_filter or ""
        if "colour" in text:
            place = text.index("colour") + 1
            raise Invalid(
                422, f"properties_filter: no property is called 'colour' at column {place}"
            )
        return await answer(docset_id, request, **more)

    monkeypatch.setattr(client, "search", refuses)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        app.screen._change(app.screen._session.state.toggled(f"{ENTITY}state", "WA"))
        await settle(pilot)
        await pilot.press("c", *"year > 1 and colour = 2", "enter")
        await settle(pilot)
        assert shown_text(app).endswith("at column 14")
        assert (app.focused.id, app.focused.cursor_position) == ("where", 13)


async def test_a_search_with_an_excluded_value_is_in_the_history(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        state = app.screen._session.state.toggled(f"{ENTITY}state", Excluded("WA"))
        app.screen._change(state)
        await settle(pilot)
        app.screen._change(state.unfiltered)
        await settle(pilot)
        await pilot.press("h")
        await choose(pilot, "0")
        assert app.screen._session.state == state
