"""What stands beside a list: reached by the keyboard, and there whenever there is room."""

import pytest
from textual.containers import VerticalScroll
from textual.widgets import Input, Markdown

from tests.tui.fake_client import ELEMENTS
from tests.tui.test_screens import SIZE, ask, search, settle, shown_text, until
from workbench.client import Forbidden
from workbench.sessions.plan_run import PlanRun
from workbench.tui.dialogs.choose import Choose
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.dialogs.guide import PAGES, GuideDialog
from workbench.tui.dialogs.jump import JumpMode
from workbench.tui.keys import KEYS
from workbench.tui.widgets.node_output import NodeOutput
from workbench.tui.widgets.page_view import PageView


async def tab_into(pilot, selector: str) -> VerticalScroll:
    """Goes on with tab until the focus is there."""
    wanted = pilot.app.screen.query_one(selector, VerticalScroll)
    for _ in range(8):
        if wanted.has_focus:
            return wanted
        await pilot.press("tab")
        await pilot.pause()
    raise AssertionError(f"tab does not lead to {selector}")


async def test_the_inspector_of_a_document_is_reached_by_tab_and_scrolls(make_app, client):
    first = client.files["wb:ds-1"][0]
    remarks = [f"page {n} was read by OCR" for n in range(9)]
    client.files["wb:ds-1"][0] = first.model_copy(update={"remarks": remarks})
    app = make_app(docset="incidents")
    async with app.run_test(size=(120, 24)) as pilot:
        await settle(pilot)
        inspector = await tab_into(pilot, "#side VerticalScroll")
        assert inspector.max_scroll_y > 0
        await pilot.press("down")
        await until(pilot, lambda: inspector.scroll_y == 1)


async def test_the_step_beside_a_plan_is_reached_by_tab_and_by_a_letter(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        inspector = await tab_into(pilot, "#node-pane VerticalScroll")
        app.screen._graph.focus()
        await pilot.press("ctrl+o")
        await until(pilot, lambda: isinstance(app.screen, JumpMode))
        letter = next(key for key, one in app.screen._targets.items() if one is inspector)
        await pilot.press(letter)
        await pilot.pause()
        assert inspector.has_focus


@pytest.mark.parametrize("place", ["search", "documents"])
async def test_the_page_appears_when_the_terminal_becomes_wider(make_app, place):
    app = make_app(docset="incidents")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        if place == "search":
            await search(pilot)
        await pilot.press("j")
        await settle(pilot)
        view = app.screen.query_one(PageView)
        assert view.leaf is None
        await pilot.resize_terminal(*SIZE)
        await until(pilot, lambda: view.leaf is not None)
        width = view.size.width
        await until(pilot, lambda: view._grid)
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: view.size.width > width and view.virtual_size.width > width)


async def test_a_hit_in_a_file_without_pages_is_among_its_neighbours(make_app, client):
    """Its words alone would only repeat what stands above them."""

    async def binary(docset_id, doc_id):
        return b"PK\x03\x04 a text document"

    whole = [{**e, "id": f"{e['id']}-0", "bbox": [0, 0, 1, 1]} for e in ELEMENTS]
    load = client.document

    async def document(docset_id, doc_id, **more):
        loaded = await load(docset_id, doc_id, **more)
        return type(loaded).model_validate({**loaded.model_dump(), "elements": whole})

    client.binary, client.document = binary, document
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        view = app.screen.query_one(PageView)
        await until(pilot, lambda: view._grid)
        text = "\n".join("".join(cell.text for cell in row) for row in view._grid)
        assert "Ice was seen on the wing" in text
        assert [row.strip() for row in text.splitlines() if "▌" in row] == ["▌ Incident report"]


async def test_a_refused_deletion_stays_in_sight_after_the_list_was_read_anew(make_app, client):
    client.fail["delete_document"] = Forbidden(403, "incidents is write-protected.")
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("y" if "y" in str(app.screen._foot) else "enter")
        await until(pilot, lambda: not isinstance(app.screen, Confirm))
        await settle(pilot)
        assert shown_text(app) == "incidents is write-protected."


async def test_computed_numbers_have_their_unit(make_app, client, monkeypatch):
    trace = client.run_trace

    async def with_units(query_id):
        traced = await trace(query_id)
        traced["nodes"][4]["units"] = {"avg_cost": "USD"}
        return traced

    async def node_output(query_id, node_id, offset=0, limit=200):
        rows = [{"properties.key": "WA", "properties.avg_cost": 1250.5, "properties.count": 3}]
        return {"columns": list(rows[0]), "rows": rows, "total": 1}

    monkeypatch.setattr(client, "run_trace", with_units)
    monkeypatch.setattr(client, "node_output", node_output)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
        row = app.screen.query_one(NodeOutput).render_line(1).text
        assert "1,250.50 USD" in row and "3 USD" not in row


async def test_the_warnings_of_an_answer_are_there_after_it_was_recalled(make_app, client):
    words = "“New York” and “NEW YORK” are counted apart"
    trace = client.run_trace

    async def warned(query_id):
        traced = await trace(query_id)
        return {**traced, "nodes": traced["nodes"][:6], "warnings": [words]}

    client.run_trace = warned
    for asks in (True, False):
        async with (app := make_app(docset="incidents")).run_test(size=SIZE) as pilot:
            if asks:
                await ask(pilot)
                await pilot.press("r")
            await settle(pilot)
            await pilot.press("6")
            await settle(pilot)
            assert isinstance(app.screen._output.run, PlanRun)
            assert words in str(app.screen.query_one("#story").render())


async def test_f1_opens_the_guide_at_the_page_on_the_screen(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, GuideDialog))
        page = app.screen
        assert page.topic == "properties"
        await until(pilot, lambda: len(page.query("MarkdownParagraph")) > 3)
        scroll = page.query_one(VerticalScroll)
        await pilot.press("down")
        await until(pilot, lambda: scroll.scroll_y > 0)
        await pilot.press("p")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        await pilot.press(*"questions", "enter")
        await until(pilot, lambda: page.topic == "questions" and scroll.scroll_y == 0)
        page.query_one(Markdown).post_message(
            Markdown.LinkClicked(page.query_one(Markdown), "search.md")
        )
        await until(pilot, lambda: page.topic == "search")


def test_every_screen_has_its_page_of_the_guide():
    from workbench.guide import TOPICS

    screens = KEYS.keys() - {"app", "list", "table"}
    assert screens <= PAGES.keys()
    assert set(PAGES.values()) <= set(TOPICS)


@pytest.mark.parametrize("keys", [["5", "slash"], ["5", "c"], ["6", "a"], ["1", "m"]])
async def test_a_text_that_is_longer_than_its_field_stays_in_view(make_app, keys):
    """A scroll bar lay over the only line, so that nobody saw what they typed."""
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        field = app.focused
        assert isinstance(field, Input)
        field.insert_text_at_cursor("reports of lost power " * 20 + "near the coas")
        await pilot.press("t")
        await settle(pilot)
        shown = app.screen._compositor.render_strips()[field.content_region.y]
        assert "near the coast" in "".join(segment.text for segment in shown)
