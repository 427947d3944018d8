import pytest

from workbench.client import Invalid
from workbench.sessions.document_list import DocumentList, is_condition


@pytest.fixture
def documents(client):
    return DocumentList(client, "wb:ds-1", 124)


async def test_only_the_pages_in_view_are_fetched(documents, client):
    await documents.reach(10, page_size=50)
    assert len(documents.rows) == 50
    assert documents.total == 124
    await documents.reach(99, page_size=50)
    assert len(documents.rows) == 100
    await documents.reach(500, page_size=50)
    assert documents.complete
    assert documents.total == 124
    assert len([c for c in client.calls if c[0] == "documents_page"]) == 3


async def test_a_part_of_a_name_narrows(documents):
    assert [row.name for row in await documents.narrowed("0042")] == ["report-0042.pdf"]


async def test_a_condition_is_asked_of_the_service(documents, client):
    rows = await documents.narrowed("year >= 2022")
    assert {row.doc_id for row in rows} == {f"wb:f-{n}" for n in range(24)}
    [(_, (request,))] = [call for call in client.calls if call[0] == "search"]
    assert request.properties_filter == "year >= 2022"


async def test_a_faulty_condition_is_reported(documents, client):
    client.fail["search"] = Invalid(422, "properties_filter: column 6: a number is missing")
    with pytest.raises(Invalid):
        await documents.narrowed("year >=")


@pytest.mark.parametrize(("text", "meant"), [("year=2", True), ("a like b", True), ("line", False)])
def test_a_condition_is_distinguished_from_a_name(text, meant):
    assert is_condition(text) is meant


async def test_properties_that_occur_are_columns_to_choose_from(documents):
    await documents.reach(0)
    assert documents.property_names() == ["state", "year", "cause"]
