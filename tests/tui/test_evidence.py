"""From a number to the documents behind it and to the box on the page, in two keys."""

import pytest

from tests.tui.counting_client import DATE, CountingClient
from tests.tui.test_answers import answered, colours_of, shown
from tests.tui.test_screens import settle, until
from workbench.contract.coverage import DocumentEvidence, ValueEvidence
from workbench.tui.dialogs.choose import Choose
from workbench.tui.screens.evidence import EvidenceScreen
from workbench.tui.screens.review import ReviewScreen
from workbench.tui.screens.viewer import ViewerScreen
from workbench.tui.widgets.page_view import PageView

SIZES = [(120, 40), (80, 24)]


@pytest.fixture
def client() -> CountingClient:
    return CountingClient()


def boxes(app) -> list[tuple[tuple[float, ...], str]]:
    """The highlighted boxes on the page, with their texts."""
    view = app.screen.query_one("#page", PageView)
    return [(box.box, box.label) for box, _ in view._marked(view.leaf, on_paper=True) if box.strong]


@pytest.mark.parametrize("size", SIZES)
async def test_one_key_opens_the_documents_behind_a_number_the_next_the_box_of_the_value(
    make_app, client, size
):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await answered(app, pilot)
        await pilot.press("t")
        await settle(pilot)
        assert isinstance(app.screen, EvidenceScreen)
        text = shown(app)
        for words in ("Behind 1", "report-0001.pdf", "2018-03-01", "0.93", "“Invoice date: March"):
            assert words in text
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ViewerScreen)
        await until(pilot, lambda: app.screen.query_one("#page", PageView).leaf is not None)
        assert boxes(app) == [((0.1, 0.13, 0.92, 0.2), "invoice_date")]
    asked = [details for name, details in client.calls if name == "run_evidence"]
    assert asked == [(3, None, None, "used", 0)], "a number stands for its whole step"


async def test_an_amount_behind_a_number_has_its_currency(make_app, client, monkeypatch):
    amount = ValueEvidence(field="total", value=1021.5, unit="GBP", state="used", page=1)
    behind = [DocumentEvidence(doc_id="wb:f-1", name="report-0001.pdf", values=[amount])]
    monkeypatch.setattr("tests.tui.counting_client._used", lambda: behind)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[1]) as pilot:
        await answered(app, pilot)
        await pilot.press("t")
        await settle(pilot)
        assert "1,021.5 GBP" in shown(app)


async def test_what_changed_since_the_answer_is_marked(make_app, client, monkeypatch):
    now = ValueEvidence(field="total", value=1000.0, state="used", changed=True, before=11.0)
    then = ValueEvidence(field="total", value=12.0, state="used")
    behind = [
        DocumentEvidence(doc_id="wb:f-1", name="report-0001.pdf", values=[now]),
        DocumentEvidence(doc_id="wb:f-2", name="report-0002.pdf", values=[then], deleted=True),
    ]
    monkeypatch.setattr("tests.tui.counting_client._used", lambda: behind)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        await pilot.press("t")
        await settle(pilot)
        assert "changed since, was 11" in shown(app)
        assert "document deleted since" in shown(app)


async def test_a_row_leads_to_its_own_documents(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        await pilot.press("g", "j", "j", "o")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, EvidenceScreen)
        assert "Behind report-0001.pdf" in shown(app)
    assert [d for name, d in client.calls if name == "run_evidence"] == [(2, 0, None, "used", 0)]


@pytest.mark.parametrize("size", SIZES)
async def test_one_key_opens_the_omitted_documents_with_reasons(make_app, client, size):
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await answered(app, pilot)
        await pilot.press("l")
        await settle(pilot)
        text = shown(app)
        for words in ("Left out for invoice date", "46 documents", "2018-02-03", "doubtful", "0.31",
                      "“due 3.2.”", "no invoice date"):  # fmt: skip
            assert words in text
        assert colours_of(app, "0.31") == {app.theme_variables["warning"].lower()}
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen._page == 2
    [asked] = [details for name, details in client.calls if name == "run_evidence"]
    assert asked == (2, None, DATE, "left_out", 0)


async def test_one_key_reviews_the_values_that_the_answer_leaves_out(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[1]) as pilot:
        await answered(app, pilot)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await until(pilot, lambda: any(name == "values_to_review" for name, _ in client.calls))
        assert "Review of invoice date" in shown(app)
        fields, doc_ids, below, _ = next(d for n, d in client.calls if n == "values_to_review")
        assert fields == ["invoice_date"] and len(doc_ids) == 46 and below is None
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen.place == "plans" and "Press r to run" in app.screen._notice.words
    asked = [details for name, details in client.calls if name == "run_evidence"]
    assert asked[0] == (2, None, DATE, "left_out", 0)


async def test_documents_are_fetched_as_far_as_the_view_reaches(make_app, client, monkeypatch):
    monkeypatch.setattr("workbench.sessions.evidence._WINDOW", 20)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        await pilot.press("l")
        await settle(pilot)
        assert len(app.screen._trail.lines) == 20
        for _ in range(3):
            await pilot.press("G")
            await settle(pilot)
        assert len(app.screen._trail.lines) == 46


async def test_of_several_remarks_one_is_chosen(make_app, client):
    other = client.coverage[0].model_copy(update={"field": "properties.entity.total", "missing": 7})
    client.coverage.append(other)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await answered(app, pilot)
        await pilot.press("l")
        await settle(pilot)
        assert isinstance(app.screen, Choose)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert "Left out for total" in shown(app)


# -- documents ------------------------------------------------------------------------------------

EVIDENCE = {
    "state": {"confidence": 0.97, "page": 1, "bbox": [0.1, 0.1, 0.3, 0.2], "element_id": "e0"},
    "year": {"confidence": 0.31, "page": 2, "bbox": [0.5, 0.5, 0.6, 0.6], "element_id": None},
    "cause": {
        "confidence": 0.2,
        "alternatives": [{"value": "icing", "confidence": 0.41, "page": 1, "bbox": [0, 0, 1, 0.1]}],
    },
}


@pytest.fixture
def doubtful(client, monkeypatch):
    """Every document has a year that was read with doubt, and a cause that was withheld."""

    async def evidence(docset_id, doc_id):
        return EVIDENCE

    monkeypatch.setattr(client, "evidence", evidence)
    for document in client.files["wb:ds-1"]:
        document.properties["entity"]["cause"] = None


@pytest.mark.usefixtures("doubtful")
async def test_the_inspector_of_a_document_shows_how_sure_each_value_is(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        await until(pilot, lambda: "0.31" in shown(app))
        text = shown(app)
        assert "0.97" in text and "perhaps icing" in text and "0.41" in text
        warning = app.theme_variables["warning"].lower()
        assert colours_of(app, "0.31") == {warning} and colours_of(app, "0.97") != {warning}


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize("size", SIZES)
async def test_the_viewer_shows_values_and_leads_to_their_boxes(make_app, client, size):
    client.pages = 2
    app = make_app(docset="incidents")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("v", "j")
        await settle(pilot)
        text = shown(app)
        assert "1 doubtful" in text and "0.31" in text and "perhaps icing" in text
        assert app.screen._page == 2
        assert boxes(app) == [((0.5, 0.5, 0.6, 0.6), "year")]
