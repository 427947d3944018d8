"""Searches that are kept, answered in words, and taken along as code."""

import pytest

from tests.tui.test_documents import choose
from tests.tui.test_screens import SIZE, search, settle, shown_text, type_in, until
from workbench.tui.dialogs.answer import Answer, CitationList
from workbench.tui.dialogs.choose import ChoiceList
from workbench.tui.screens.viewer import ViewerScreen


async def test_before_any_search_typing_starts_one(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("5")
        await settle(pilot)
        await pilot.press("t", "m", "q")
        await pilot.pause()
        assert app.screen.place == "search"
        assert app.screen.query_one("#query").value == "tmq"


async def test_a_number_opens_its_screen_while_nothing_is_typed(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for place, number in (("search", "5"), ("plans", "6"), ("search", "5")):
            await pilot.press(number)
            await settle(pilot)
            assert app.screen.place == place
        await pilot.press("i", "6")
        await pilot.pause()
        assert app.screen.query_one("#query").value == "i6"


async def test_a_saved_search_is_listed_before_the_others(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot, "first words")
        await pilot.press("s")
        await pilot.pause(0.1)
        await type_in(pilot, "the first")
        await pilot.press("slash")
        await type_in(pilot, "second words")
        await pilot.press("h")
        await settle(pilot)
        rows = app.screen.query_one(ChoiceList).rows
        assert [row.text.split()[0] for row in rows] == ["★", "second"]
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen._session.state.query == "first words"


async def test_a_question_is_answered_and_a_citation_leads_to_its_page(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot, "where was ice?")
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, Answer))
        await settle(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ViewerScreen))
        assert (app.screen._doc_id, app.screen._file_name) == ("wb:f-2", "report-0002.pdf")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, Answer))
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen.place == "search"


async def test_an_answer_is_read_only_from_the_documents_that_fit_and_says_so(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot, "where was ice?")
        app.screen._change(app.screen._session.state.toggled("properties.entity.state", "AK"))
        await settle(pilot)
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, Answer))
        fitting = [f.doc_id for f in client.files["wb:ds-1"] if "AK" in str(f.properties)]
        [(_, (_, among))] = [call for call in client.calls if call[0] == "stream_answer"]
        assert among == fitting
        assert {row.doc_id for row in app.screen.query_one(CitationList).rows} <= set(fitting)
        shown = str(app.screen.query_one("#among").render())
        assert f"Among the {len(fitting)} documents that fit" in shown
        assert "state = AK" in shown and "properties.entity" not in shown


async def test_without_a_fitting_document_no_answer_comes_from_others(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot, "where was ice?")
        app.screen._change(app.screen._session.state.toggled("properties.entity.state", "OH"))
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot)
        assert "No document fits the filters" in shown_text(app)
        assert not [call for call in client.calls if call[0] == "stream_answer"]


@pytest.mark.parametrize(
    ("form", "part"),
    [("python", "docset.search("), ("cell", "SearchBox("), ("curl", "/v1/query/search/wb:ds-1")],
)
async def test_a_search_is_copied_as_code(make_app, form, part):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await pilot.press("e")
        await choose(pilot, form)
        assert part in app.clipboard
