"""Documents in another order, narrowed to a value, corrected by hand; elements in full."""

from tests.tui.fake_client import task
from tests.tui.test_screens import SIZE, names, settle, shown_text, type_in, until
from workbench.client import Invalid, MissingExtension
from workbench.tui.dialogs.choose import ChoiceList
from workbench.tui.screens.viewer import ViewerScreen
from workbench.tui.widgets.table_list import TableList


async def choose(pilot, key: str) -> None:
    await settle(pilot)
    pilot.app.screen.query_one(ChoiceList).move_to(key)
    await pilot.press("enter")
    await settle(pilot)


def years(app) -> list[int]:
    rows = app.screen.query_one(TableList).rows
    return [row.properties["entity"]["year"] for row in rows]


async def test_documents_are_ordered_by_the_server_and_a_second_choice_reverses_them(
    make_app, client
):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for expected in (2020, 2023):
            await pilot.press("s")
            await choose(pilot, "year")
            assert years(app)[0] == expected
        assert "year ↓" in app.screen.query_one(TableList).render_line(0).text
        await pilot.press("s")
        await choose(pilot, "")
        assert names(app.screen.query_one(TableList))[:2] == ["report-0000.pdf", "report-0001.pdf"]


async def test_an_ordered_list_is_read_window_by_window(make_app, client):
    client.files["wb:ds-1"] *= 10
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("s")
        await choose(pilot, "year")
        table = app.screen.query_one(TableList)
        places = [place for place, _ in table.rows.loaded()]
        assert (len(places), table.total) == (300, 1240)
        await pilot.press("G")
        await settle(pilot)
        assert table.current.properties["entity"]["year"] == 2023
        asked = [details[1] for name, details in client.calls if name == "node_output"]
        assert set(asked) == {0, 900, 1200}
        assert table.current.name in str(app.screen.query_one("#side").border_title)


async def test_sizes_and_dates_are_loaded_for_the_rows_in_view(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("s")
        await choose(pilot, "year")
        table = app.screen.query_one(TableList)
        assert "kB" in table.render_line(1).text
        assert "2024-05-17" in table.render_line(30).text
        assert "kB" in str(app.screen.query_one("#about").render())


async def test_the_first_properties_become_columns_although_the_list_was_open_without_any(
    make_app, client
):
    read, docset = client.files["wb:ds-1"], client.all["wb:ds-1"]
    client.files["wb:ds-1"] = [row.model_copy(update={"properties": {}}) for row in read]
    client.all["wb:ds-1"] = docset.model_copy(update={"schema_": None})
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        about = str(app.screen.query_one("#about").render())
        assert "No properties yet. Press 1, then p, to extract some." in about
        client.files["wb:ds-1"], client.all["wb:ds-1"] = read, docset
        await pilot.press("1", "2")
        await settle(pilot)
        header = app.screen.query_one(TableList).render_line(0).text
        assert header.split() == ["name", "state", "year", "cause", "size", "added"]
        await pilot.press("v")
        await settle(pilot)
        assert app.screen.query_one(ChoiceList).chosen == {"state", "year", "cause"}


async def test_an_open_list_shows_what_an_extraction_read_and_keeps_its_place(make_app, client):
    read = client.files["wb:ds-1"]
    client.files["wb:ds-1"] = [row.model_copy(update={"properties": {}}) for row in read]
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        table = app.screen.query_one(TableList)
        await pilot.press("down", "down", "down")
        chosen = table.current_key
        client.files["wb:ds-1"] = read
        action = "/v1/storage/docsets/wb:ds-1/extract-properties"
        client.progress.append(task(1, "done", action=action, docset_id="wb:ds-1"))
        await until(pilot, lambda: "state" in table.render_line(0).text)
        assert (table.cursor, table.current_key) == (3, chosen) != (3, None)


async def test_a_server_that_cannot_list_some_documents_leaves_them_empty(make_app, client):
    listed = client.documents_page

    async def refuses(*args, among=None, **more):
        if among is not None:
            raise Invalid(422, "comparator: must be one of =, like")
        return await listed(*args, **more)

    client.documents_page = refuses
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("s")
        await choose(pilot, "year")
        assert "2020" in app.screen.query_one(TableList).render_line(1).text
        assert not shown_text(app)


async def test_a_value_is_chosen_and_becomes_the_filter(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f")
        await choose(pilot, 'state = "WA"')
        assert app.screen.query_one("FilterBar").value == 'state = "WA"'
        [(_, (plan,))] = [call for call in client.calls if call[0] == "run_plan"]
        assert plan.node(0).extras["properties_filter"] == 'state = "WA"'


async def test_without_node_outputs_part_of_a_name_narrows_the_list(make_app, client):
    client.fail["run_plan"] = MissingExtension(404, "not offered")
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        await type_in(pilot, "0042")
        assert names(app.screen.query_one(TableList)) == ["report-0042.pdf"]


async def test_a_property_is_corrected_by_hand_and_marked(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await choose(pilot, "year")
        await type_in(pilot, "soon")
        assert "whole number" in app.screen.query_one("Notice").words
        await type_in(pilot, "2019")
        await until(pilot, lambda: any(name == "patch_properties" for name, _ in client.calls))
        await settle(pilot)
        [(_, (doc_id, [change]))] = [c for c in client.calls if c[0] == "patch_properties"]
        assert (doc_id, change.path, change.value) == ("wb:f-0", "/properties/entity/year", 2019)
        assert "✎ corrected" in str(app.screen.query_one("#about").render())


async def test_a_table_is_shown_as_rows_and_columns(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ViewerScreen)
        await pilot.press("G")
        await settle(pilot)
        shown = str(app.screen.query_one("#element").render()).splitlines()
        assert [line.split() for line in shown[:4]] == [
            ["What", "How", "much"],
            ["─" * 14],
            ["Ice", "3", "mm"],
            ["Wind", "20", "kt"],
        ]


async def test_a_document_stays_open_until_another_docset_is_opened(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        assert isinstance(app.screen, ViewerScreen)
        await pilot.press("1")
        await settle(pilot)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert (app.docset.name, app.screen.place) == ("invoices 2024", "documents")
