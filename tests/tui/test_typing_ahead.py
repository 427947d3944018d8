"""What is typed faster than the screen follows arrives where it was meant to, in its order."""

from textual import events

from tests.tui.test_screens import SIZE, settle, until
from workbench.tui.screens.viewer import ViewerScreen
from workbench.tui.widgets.table_list import TableList


def type_at_once(app, *keys) -> None:
    """All keys in one go, as a slow line delivers them."""
    named = {"slash": "/", "enter": "\r"}
    for key in keys:
        app.post_message(events.Key(key, named.get(key, key)))


def query_of(app) -> str:
    """What the input of the search screen contains, once there is one."""
    return next((query.value for query in app.screen.query("#query")), "")


async def test_a_query_typed_behind_the_key_of_its_screen_is_whole(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        type_at_once(app, "5", *"ice")
        await until(pilot, lambda: query_of(app) == "ice")


async def test_a_name_typed_behind_the_key_of_its_dialog_is_whole(make_app, client):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        type_at_once(app, "n", *"harbour", "enter")
        await until(pilot, lambda: ("create_docset", ("harbour",)) in client.calls)


async def test_keys_after_a_filter_move_in_the_filtered_list(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        table = app.screen.query_one(TableList)
        await until(pilot, lambda: table.total == 124)
        type_at_once(app, "slash", *"004", "enter", "j", "j")
        await until(pilot, lambda: (table.total, table.cursor) == (11, 2))


async def test_a_walk_over_several_screens_ends_where_it_leads(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        type_at_once(app, "5", "6", "2", "j", "j", "enter")
        await until(pilot, lambda: isinstance(app.screen, ViewerScreen))
        assert app.screen._doc_id == "wb:f-2"


async def test_a_person_who_leaves_while_a_docset_opens_is_not_called_back(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        type_at_once(app, "5")
        await until(pilot, lambda: app.docset is not None and app.screen.place == "search")
        await settle(pilot)
        assert app.docset.name == "incidents"
        assert app.screen.place == "search"
