import time

import pytest
from textual.app import App, ComposeResult
from textual.widgets import DataTable

from workbench.tui.lines import line
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.table_list import Column, TableList, share_out


class Lab(App[None]):
    def __init__(self, rows, total=None):
        super().__init__()
        self.rows, self.total = rows, total
        self.events = []

    def compose(self) -> ComposeResult:
        columns = [Column("number", str, 10, "right"), Column("text", lambda row: f"row {row}")]
        yield TableList(columns, str)

    def on_mount(self) -> None:
        self.table.focus()
        self.table.show_rows(self.rows, self.total)

    @property
    def table(self) -> TableList:
        return self.query_one(TableList)

    def on_line_list_highlighted(self, event) -> None:
        self.events.append(("highlighted", event.index))

    def on_line_list_opened(self, event) -> None:
        self.events.append(("opened", event.index))

    def on_line_list_wanted(self, event) -> None:
        self.events.append(("wanted", event.index))

    def seen(self) -> list[str]:
        table = self.table
        return [table.render_line(y).text.strip() for y in range(table.size.height)]


@pytest.mark.alone
async def test_a_million_rows_open_at_once_and_every_key_moves():
    app = Lab(range(1_000_000))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("j", "down", "k")
        assert app.table.cursor == 1
        await pilot.press("G")
        assert app.table.cursor == 999_999
        assert any("row 999999" in text for text in app.seen())
        await pilot.press("g")
        assert app.table.cursor == 0
        await pilot.press("pagedown")
        assert app.table.cursor == 19
        assert "number" in app.seen()[0]
        await pilot.press("enter")
        assert app.events[-1] == ("opened", 19)


async def test_the_cursor_stays_on_its_row_when_rows_change():
    app = Lab([1, 2, 3, 4])
    async with app.run_test() as pilot:
        await pilot.press("j", "j")
        app.table.show_rows([0, 1, 2, 3, 4])
        assert app.table.current == 3
        app.table.show_rows([1, 2])
        assert app.table.current == 2
        app.table.show_rows([])
        assert app.table.current is None


async def test_rows_that_are_not_loaded_are_asked_for_once():
    app = Lab(list(range(30)), total=500)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("G")
        await pilot.pause()
        wanted = [index for kind, index in app.events if kind == "wanted"]
        assert wanted == [499]
        assert any(text == "·" for text in app.seen())


async def test_a_message_replaces_missing_rows():
    app = Lab([])
    async with app.run_test(size=(40, 12)) as pilot:
        app.table.say(line("Nothing here yet."), line("Press n."))
        await pilot.pause()
        assert [text for text in app.seen() if text] == ["Nothing here yet.", "Press n."]


async def test_marks_are_kept_by_row_and_the_cursor_advances():
    app = Lab([1, 2, 3])
    async with app.run_test() as pilot:
        app.table.toggle_mark()
        app.table.toggle_mark()
        await pilot.pause()
        assert app.table.marks == {"1", "2"}
        assert app.table.cursor == 2


async def test_a_click_moves_and_a_double_click_opens():
    app = Lab(list(range(5)))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.click(TableList, offset=(5, 3))
        assert app.table.cursor == 2
        await pilot.click(TableList, offset=(5, 4), times=2)
        assert ("opened", 3) in app.events
        await pilot.click(TableList, offset=(5, 0))
        assert app.table.cursor == 3


def test_columns_share_the_width_and_disappear_in_narrow_tables():
    columns = [Column("a", str, 6), Column("b", str), Column("c", str, 8, from_width=40)]
    assert [(c.label, w) for c, w in share_out(columns, 50)] == [("a", 6), ("b", 32), ("c", 8)]
    assert [(c.label, w) for c, w in share_out(columns, 30)] == [("a", 6), ("b", 22)]


@pytest.mark.alone
async def test_paging_costs_at_most_a_third_of_a_data_table():
    names = [f"column {i}" for i in range(6)]

    class Ours(App[None]):
        def compose(self) -> ComposeResult:
            yield TableList([Column(name, lambda row: f"cell {row}") for name in names], str)

        def on_mount(self) -> None:
            self.query_one(TableList).show_rows(range(1000))
            self.query_one(TableList).focus()

    class Rival(App[None]):
        def compose(self) -> ComposeResult:
            yield DataTable(cursor_type="row")

        def on_mount(self) -> None:
            table = self.query_one(DataTable)
            table.add_columns(*names)
            table.add_rows([[f"cell {row}"] * len(names) for row in range(1000)])
            table.focus()

    async def cost(app) -> float:
        """Processor time of a page down over rows that were not drawn before."""
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("pagedown")
            start = time.process_time()
            await pilot.press(*["pagedown"] * 15)
            return time.process_time() - start

    bare, ours, rival = [min([await cost(make()) for _ in range(3)]) for make in (App, Ours, Rival)]
    assert ours - bare <= (rival - bare) / 3


def test_a_list_without_its_own_drawing_shows_rows_as_text():
    assert LineList().draw("a row", 0, 20) == (line("a row"),)
