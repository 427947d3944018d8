"""A number never stands alone: what it rests on, how far it could move, and what was not used."""

import zipfile

import pytest

from tests.tui.counting_client import BOUNDS, COVERAGE, FOOTNOTE, STORY, CountingClient
from tests.tui.test_documents import choose
from tests.tui.test_screens import ask, settle, shown_text, type_in, until
from workbench.client import Invalid
from workbench.contract.coverage import Bounds, Coverage
from workbench.tui.dialogs.choose import Choose
from workbench.tui.screens.plan_output import PlanOutput

SIZES = [(120, 40), (80, 24)]


@pytest.fixture
def client() -> CountingClient:
    return CountingClient()


def shown(app) -> str:
    """The text of the screen as the terminal has it, lines joined by blanks."""
    lines = app.screen._compositor.render_strips()
    text = " ".join("".join(segment.text for segment in strip) for strip in lines)
    return " ".join(text.replace("│", " ").split())


def colours_of(app, words: str) -> set[str]:
    """The colours that those words are written in, wherever they stand."""
    colours = set()
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            if words in segment.text and segment.style and segment.style.color:
                colours.add(segment.style.color.get_truecolor().hex)
    return colours


async def answered(app, pilot) -> None:
    await ask(pilot)
    await pilot.press("r")
    await settle(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_a_number_is_shown_with_its_range_steps_and_omissions(make_app, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await answered(app, pilot)
        text = shown(app)
        keys = "l shows them c reviews them"
        for words in ("⚠ 1", "could be 1 to 46", STORY, FOOTNOTE, keys, "Not used: “sender”"):
            assert words in text
        warning = app.theme_variables["warning"].lower()
        for words in ("⚠ 1", "could be 1 to 46", "have no invoice date", "Not used"):
            assert colours_of(app, words) == {warning}, words


async def test_a_number_that_few_documents_could_change_is_not_marked(make_app, client):
    client.bounds = Bounds(changeable=2, documents=67, low=1, high=3)
    client.coverage = [COVERAGE.model_copy(update={"missing": 2, "doubtful": 0, "used": 65})]
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        text = shown(app)
        assert "⚠" not in text and "could be" not in text
        assert "2 of 67 documents have no invoice date." in text


async def test_a_complete_number_has_no_footnote(make_app, client):
    client.bounds = None
    client.coverage = [Coverage(node_id=2, field="x", documents=67, used=67)]
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        assert "have no" not in shown(app) and "shows them" not in shown(app)
        assert STORY in shown(app)


@pytest.mark.parametrize("size", SIZES)
async def test_unused_words_are_shown_beside_the_plan(make_app, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await ask(pilot)
        assert "Not used: “sender”" in shown(app)
        assert colours_of(app, "Not used") == {app.theme_variables["warning"].lower()}


async def test_how_the_question_was_read_stays_in_sight_beside_the_answer(make_app):
    for size in SIZES:
        app = make_app(docset="incidents")
        async with app.run_test(size=size) as pilot:
            await answered(app, pilot)
            assert shown(app).count("“2018” was read as a year") == 1


async def test_an_answer_is_never_shown_under_a_version_that_did_not_give_it(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        session = app.screen._session
        session.edit_node(session.plan.node(2).with_fields(start="2017-01-01"))
        app.screen._changed_version()
        await settle(pilot)
        assert "could be 1 to 46" not in shown(app)
        assert "r runs the plan" in shown(app)
        assert app.screen.query_one(PlanOutput).node_id is None
        await pilot.press("u")
        await settle(pilot)
        assert "could be 1 to 46" in shown(app)


async def test_the_versions_show_the_range_of_their_answers(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        await pilot.press("h")
        await settle(pilot)
        assert "⚠ 1, could be 1 to 46" in shown(app)
    assert BOUNDS.marked


@pytest.mark.parametrize("form", ["csv", "xlsx"])
async def test_an_exported_answer_has_its_notes_in_or_beside_the_file(make_app, tmp_path, form):
    app = make_app(docset="incidents")
    target = tmp_path / f"answer.{form}"
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        await pilot.press("ctrl+e")
        await choose(pilot, form)
        await type_in(pilot, str(target))
        await until(pilot, target.exists)
        beside = target.with_name(f"{target.name}.notes")
        if form == "csv":
            await until(pilot, beside.exists)
            assert target.read_text().splitlines()[0] == '"value","doc_ids"'
            notes = beside.read_text()
        else:
            book = zipfile.ZipFile(target)
            notes = book.read("xl/worksheets/sheet2.xml").decode()
            assert not beside.exists()
    for words in (STORY, FOOTNOTE, "The answer could be 1 to 46.", "Not used: “sender”"):
        assert words in notes


@pytest.mark.parametrize("size", SIZES)
async def test_a_plan_says_how_the_question_was_understood_before_it_runs(make_app, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await ask(pilot)
        report = app.screen.query_one("#report")
        assert "Understood as: keep state in California, CA, " in str(report.render())
        assert report.region.height >= 2 and "Understood as: keep state in" in shown(app)


async def test_a_refused_question_is_not_shown_as_that_of_the_answer(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        before = colours_of(app, "could be 1 to 46")
        client.fail["generate_plan"] = Invalid(422, "I don't know “voucher”.")
        await pilot.press("a")
        await settle(pilot)
        await type_in(pilot, "which offer a voucher?")
        assert "I don't know “voucher”." in shown_text(app)
        assert "Answer to “which state had most?”" in shown(app)
        assert "Plan of “which state had most?”" in shown(app)
        assert colours_of(app, "could be 1 to 46") != before, "it is greyed"
        await pilot.press("escape")
        await settle(pilot)
        assert "Answer to" not in shown(app) and "Plan of" not in shown(app)
        assert "which state had most?" in shown(app)
        assert colours_of(app, "could be 1 to 46") == before


async def test_before_a_run_the_export_says_how_its_rows_can_be_had(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[1]) as pilot:
        await ask(pilot)
        await pilot.press("ctrl+e")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        assert "run the plan (r) to export its rows" in shown(app)
        await pilot.press("escape", "r")
        await until(pilot, lambda: app.screen._output.node_id is not None)
        await pilot.press("ctrl+e")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        assert "Excel" in shown(app) and "run the plan" not in shown(app)
