"""A document opened: its page, its elements, its tables and pictures."""

from tests.tui.fake_client import TABLE
from tests.tui.test_screens import SIZE, settle, shown_text, type_in, until
from workbench.tui.screens.viewer import ElementScroll, ViewerScreen
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.page_view import PageView


async def test_the_viewer_shows_the_element_with_its_page(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ViewerScreen)
        await pilot.press("j")
        await settle(pilot)
        leaf = app.screen.query_one("PageView").leaf
        assert (leaf.page, leaf.chosen) == (1, "e1")
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.place == "documents"


async def test_unreadable_parts_of_a_document_are_listed_above_its_page(make_app, client):
    remarks = ["page 1: a ruled table could not be read", "page 2 read by OCR"]
    files = client.files["wb:ds-1"]
    files[0] = files[0].model_copy(update={"remarks": remarks})
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert shown_text(app) == f"{remarks[0]} (and 1 more)"


async def test_a_click_on_a_box_chooses_its_element(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        page = app.screen.query_one("#page", PageView)
        await until(pilot, lambda: page._grid)
        across, down = len(page._grid[0]), len(page._grid)
        left = (page.size.width - across) // 2
        for place, chosen in (((0.3, 0.7), "e2"), ((0.2, 0.3), "e1"), ((0.95, 0.99), "e1")):
            offset = (left + round(place[0] * across), round(place[1] * down))
            await pilot.click(page, offset=offset)
            await settle(pilot)
            assert page.leaf.chosen == chosen
            assert app.screen.query_one("#elements", LineList).current.id == chosen


async def test_a_table_that_is_wider_than_its_pane_scrolls_sideways(make_app, monkeypatch):
    heads = [f"Uncharacteristic{number}" for number in range(6)]
    table = {
        "num_rows": 2,
        "num_cols": 6,
        "cells": [
            {"content": text, "rows": [row], "cols": [column], "is_header": row == 0}
            for row, texts in enumerate((heads, ["some words"] * 6))
            for column, text in enumerate(texts)
        ],
    }
    monkeypatch.setitem(TABLE, "table", table)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("G")
        words, scroll = app.screen.query_one("#element"), app.screen.query_one(ElementScroll)
        await until(pilot, lambda: heads[0] in str(words.render()))
        shown = str(words.render())
        assert all(head in shown for head in heads), "no word is broken"
        await until(pilot, lambda: scroll.max_scroll_x > 0)
        assert "scroll" in str(app.screen.query_one("#element-pane").border_subtitle)
        scroll.focus()
        await pilot.press("right")
        await until(pilot, lambda: scroll.scroll_x > 0)
        await pilot.resize_terminal(240, 50)
        await until(pilot, lambda: scroll.max_scroll_x == 0)
        await pilot.press("g")
        app.screen._list.focus()
        await pilot.press("g")
        await until(pilot, lambda: heads[0] not in str(words.render()))
        assert not str(app.screen.query_one("#element-pane").border_subtitle)


async def test_an_element_that_is_a_picture_is_shown_as_one(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        figure = app.screen.query_one("#figure", PageView)
        assert not figure.display
        await pilot.press("j", "j")
        await until(pilot, lambda: figure.display and figure._grid)
        colours = {cell.ground for row in figure._grid for cell in row}
        assert (153, 153, 153) in colours  # the grey rectangle of the page
        await pilot.press("k")
        await until(pilot, lambda: not figure.display)


async def test_the_original_is_saved_and_never_over_another_file(make_app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report-0000.pdf").write_text("mine")
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("o")
        await settle(pilot)
        assert app.focused.value == str(tmp_path / "report-0000-2.pdf")
        await type_in(pilot, str(tmp_path / "report-0000.pdf"))
        assert (tmp_path / "report-0000.pdf").read_text() == "mine"
        await type_in(pilot, str(tmp_path / "copy.pdf"))
        await settle(pilot)
        assert (tmp_path / "copy.pdf").read_bytes().startswith(b"%PDF")
