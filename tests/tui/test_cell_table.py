"""Tables wider than their pane: every column is reached, and the header counts those that are not
in sight.
"""

import pytest
from textual.app import App, ComposeResult

from tests.tui.test_screens import SIZE, ask, settle
from workbench.tui.widgets.cell_table import CellTable
from workbench.tui.widgets.node_output import NodeOutput
from workbench.tui.widgets.table_list import Column, TableList

NAMES = ["name", *(f"column {n}" for n in range(1, 13))]


class Lab(App[None]):
    def compose(self) -> ComposeResult:
        columns = [Column(name, lambda row, name=name: f"{name}/{row}", 11) for name in NAMES]
        yield CellTable(columns, str)

    def on_mount(self) -> None:
        self.table.focus()
        self.table.show_rows(range(40))

    @property
    def table(self) -> CellTable:
        return self.query_one(CellTable)

    def text(self, y: int) -> str:
        return self.table.render_line(y).text


def marked(table: TableList, y: int) -> str:
    """The words of the cell under the cursor, which stands out by its colours."""
    segments = table.render_line(y)._segments
    return "".join(s.text for s in segments if s.style and s.style.reverse).strip()


@pytest.mark.parametrize("width", [40, 80, 120])
async def test_every_column_is_reached_and_the_header_counts_those_out_of_sight(width):
    app = Lab()
    async with app.run_test(size=(width, 10)) as pilot:
        reached = []
        for _ in NAMES:
            reached.append(marked(app.table, 1))
            assert app.text(1)[1:].startswith("name/0"), "the first column stays"
            left, right = app.table.beyond(width - 2)
            assert (f"{right} more ▸" in app.text(0)) == bool(right)
            assert (f"◂ {left}" in app.text(0)) == bool(left)
            await pilot.press("right")
        assert reached == [f"{name}/0" for name in NAMES]
        assert app.table.beyond(width - 2)[1] == 0
        await pilot.press(*["left"] * len(NAMES))
        assert marked(app.table, 1) == "name/0"
        assert app.table.beyond(width - 2)[0] == 0


async def test_a_wider_terminal_shows_the_columns_that_had_no_room():
    app = Lab()
    async with app.run_test(size=(60, 10)) as pilot:
        assert "more ▸" in app.text(0)
        await pilot.resize_terminal(200, 10)
        await pilot.pause()
        assert "more" not in app.text(0)
        assert "column 12/0" in app.text(1)


async def test_no_room_stays_empty_behind_the_last_column():
    app = Lab()
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press(*["right"] * len(NAMES))
        hidden, _ = app.table.beyond(58)
        await pilot.resize_terminal(100, 10)
        await pilot.pause()
        left, right = app.table.beyond(98)
        assert right == 0 and 0 < left < hidden
        assert marked(app.table, 1) == f"{NAMES[-1]}/0"


@pytest.mark.parametrize("width", [47, 61])
async def test_the_header_names_no_column_in_halves(width):
    app = Lab()
    async with app.run_test(size=(width, 10)):
        assert "more ▸" in app.text(0) and "…" not in app.text(0)


async def test_a_click_moves_the_cursor_to_the_cell():
    app = Lab()
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.click(CellTable, offset=(app.text(3).index("column 2/") + 1, 3))
        assert marked(app.table, 3) == "column 2/2"


async def answered(pilot, columns, rows) -> NodeOutput:
    """The output of a run that gave these rows."""
    app = pilot.app

    async def node_output(query_id, node_id, offset=0, limit=200):
        window = [dict(zip(columns, row, strict=True)) for row in rows[offset : offset + limit]]
        return {"columns": columns, "rows": window, "total": len(rows)}

    app.workspace.client.node_output = node_output
    await ask(pilot)
    await pilot.press("r")
    await settle(pilot)
    return app.screen.query_one(NodeOutput)


def shown(output: NodeOutput, name: str) -> list:
    return [row.values[name] for row in output.rows]


async def click_header(pilot, output: NodeOutput, name: str) -> None:
    await pilot.click(NodeOutput, offset=(output.render_line(0).text.index(name) + 1, 0))
    await settle(pilot)


async def test_a_click_on_a_header_of_the_output_sorts_its_rows(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        rows = [(f"report {n}", n * 7 % 450 if n else None) for n in range(450)]
        output = await answered(pilot, ["properties.path", "properties.entity.cost"], rows)
        assert len(output.rows) < 450
        for first, last in ((1, None), (449, None), (None, 443)):  # up, down, as they came
            await click_header(pilot, output, "cost")
            values = shown(output, "properties.entity.cost")
            assert (len(values), values[0], values[-1]) == (450, first, last)
        await click_header(pilot, output, "cost")
        assert "cost ↑" in output.render_line(0).text
        assert output.current.place == 0, "the cursor stays on its row"


async def test_a_row_that_was_sorted_elsewhere_opens_its_own_documents(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        rows = [("WA", 3), ("AK", 9), ("TX", 1)]
        output = await answered(pilot, ["properties.key", "properties.count"], rows)
        await pilot.press("o", "right", "O", "g", "t")
        await settle(pilot)
        assert shown(output, "properties.count") == [1, 3, 9]
        [(_, how)] = [details for name, details in client.calls if name == "run_evidence"]
        assert how["row"] == 2


async def test_the_bar_is_behind_the_requested_number(make_app, client, monkeypatch):
    app = make_app(docset="incidents")
    plan = client.generate_plan

    async def average(docset_id, question):
        made = (await plan(docset_id, question)).model_dump(mode="json")
        made["nodes"]["4"] |= {
            "node_type": "Aggregate",
            "aggregations": [
                {"func": "count"},
                {"func": "avg", "field": "properties.entity.damage_cost"},
            ],
        }
        del made["nodes"]["5"]
        return type(await plan(docset_id, question)).model_validate({**made, "result_node": 4})

    monkeypatch.setattr(client, "generate_plan", average)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        columns = ["properties.key", "properties.count", "properties.avg_damage_cost"]
        rows = [("WA", 90, 1000.0), ("AK", 10, 4000.0)]
        output = await answered(pilot, columns, rows)
        assert "average damage cost" in output.render_line(0).text
        bars = [output.render_line(y).text.count("█") for y in (1, 2)]
        assert bars == [3, 12]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_output_fills_the_screen_and_gives_it_back(make_app, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await ask(pilot)
        await pilot.press("r", "o")
        await settle(pilot)
        before = app.screen._output.size
        await pilot.press("z")
        await pilot.pause()
        assert app.screen._output.size.height >= size[1] - 6
        assert app.screen._output.size.width >= size[0] - 4
        await pilot.press("z")
        await pilot.pause()
        assert app.screen._output.size == before


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_a_short_plan_leaves_its_room_to_the_output(make_app, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert app.screen._output.size.height >= size[1] // 2 - 4
        assert app.screen._output.size.width >= size[0] - 4
        graph = app.screen._graph
        assert graph.size.height == len(graph.rows), "the plan is whole, without empty lines"


async def test_a_maximised_pane_makes_way_for_the_target_of_a_key(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
        await pilot.press("z")
        assert not app.screen._output.display
        await pilot.press("o")
        await pilot.pause()
        assert app.screen._output.table.has_focus


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_before_the_first_question_the_screen_suggests_some(make_app, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        graph = app.screen._graph
        text = " ".join(graph.render_line(y).text for y in range(graph.size.height))
        assert "How many documents are there by state?" in text
        assert graph.size.height > size[1] - 8


async def test_the_number_of_documents_is_not_shown_beside_a_column_that_says_the_same(make_app):
    names = ["properties.key", "properties.count", "doc_ids"]
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        output = await answered(pilot, names, [("WA", 2, ["a", "b"]), ("AK", 1, ["c"])])
        assert "documents" not in output.render_line(0).text
        output = await answered(pilot, names, [("WA", 3, ["a", "b"]), ("AK", 1, ["c"])])
        assert "documents" in output.render_line(0).text
