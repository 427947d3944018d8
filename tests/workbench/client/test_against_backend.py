"""Every group of calls against the real backend, over HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from tests.sample_reports import write_reports
from workbench.client import (
    AsyncClient,
    AuthenticationFailed,
    Forbidden,
    NotFound,
    Refusal,
)
from workbench.contract.docsets import DocSetUpdate
from workbench.contract.documents import PropertyUpdates, ReplaceOperation
from workbench.contract.schema import Schema
from workbench.contract.search import SearchRequest
from workbench.sessions.document_view import DocumentView, Order

SCHEMA = {"properties": [{"name": "state", "field_type": "string"}]}
REPORT = b"Incident report\n\nState: Alaska\n\nIce had formed on both wings before departure.\n"


@pytest.fixture
async def client(backend: BackendProcess) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(backend.url, backend.token) as opened:
        yield opened


@pytest.fixture
async def filled(client: AsyncClient) -> tuple[str, str]:
    """Ids of a fresh DocSet and of the one document in it."""
    docset = await client.create_docset("client", schema=SCHEMA)
    added = await client.add_document(docset.docset_id, REPORT, name="report.txt")
    return docset.docset_id, added.doc_id


async def test_a_docset_through_its_life(client):
    made = await client.create_docset("life", schema=SCHEMA, properties={"owner": "me"})
    changed = await client.update_docset(made.docset_id, DocSetUpdate(name="renamed"))
    assert (changed.name, changed.properties) == ("renamed", {"owner": "me"})
    assert changed.schema_ is not None and changed.schema_.get("state") is not None
    locked = await client.set_readonly(made.docset_id, True)
    assert locked.readonly
    with pytest.raises(Forbidden, match=r"read-only|readonly"):
        await client.add_document(made.docset_id, b"x", name="x.txt")
    await client.set_readonly(made.docset_id, False)
    clone = await client.clone_docset(made.docset_id)
    listed = [item async for item in client.docsets(name_eq=clone.name, page_size=1)]
    assert clone.docset_id in {item.docset_id for item in listed}
    for docset_id in (made.docset_id, clone.docset_id):
        await client.delete_docset(docset_id)
        with pytest.raises(NotFound):
            await client.docset(docset_id)


async def test_a_document_through_its_life(client, filled):
    docset_id, doc_id = filled
    assert await client.binary(docset_id, doc_id) == REPORT
    document = await client.document(docset_id, doc_id)
    assert any("Ice had formed" in (e.text_representation or "") for e in document.elements)
    assert (await client.document(docset_id, doc_id, include_elements=False)).elements == []
    assert document.properties["entity"]["state"] == "Alaska"
    place = (await client.evidence(docset_id, doc_id))["state"]
    assert place["page"] == 1
    update = ReplaceOperation(path="/properties/entity/state", value="Texas")
    patched = await client.patch_properties(docset_id, doc_id, PropertyUpdates(operations=[update]))
    assert patched.properties["entity"]["state"] == "Texas"
    page = await client.documents_page(docset_id, 1)
    assert [item.doc_id for item in page.items] == [doc_id] and page.next_page_token is None
    await client.delete_document(docset_id, doc_id)
    assert [item async for item in client.documents(docset_id)] == []


async def test_a_large_file_is_streamed_and_followed_to_its_document(client, tmp_path: Path):
    path = tmp_path / "long.txt"
    path.write_text("A line about fuel and wind.\n" * 40_000)
    docset = await client.create_docset("large")
    sent_so_far: list[tuple[int, int]] = []
    task = await client.submit_document(
        docset.docset_id, path, on_sent=lambda sent, size: sent_so_far.append((sent, size))
    )
    size = path.stat().st_size
    assert len(sent_so_far) > 3 and sent_so_far[-1] == (size, size)
    async for change in client.task_events():
        if change.task_id == task and change.status == "done":
            break
    done = await client.wait(task, timeout=60)
    assert done.error is None and done.body["size"] == size
    assert task in await client.tasks(path_filter="/docs$", method_filter="POST")
    with pytest.raises(NotFound):
        await client.cancel(task)


async def test_property_jobs_run_now_or_as_tasks(client, filled):
    docset_id, doc_id = filled
    word = Schema.model_validate({"properties": [{"name": "title", "field_type": "string"}]})
    assert (await client.extract_properties(docset_id, word)).exit_status == 0
    document = await client.document(docset_id, doc_id)
    assert "title" in document.properties["entity"]
    dropped = await client.wait(await client.submit_delete_properties(docset_id, ["title"]))
    assert dropped.error is None
    assert (await client.docset(docset_id)).schema_.get("title") is None
    again = await client.wait(await client.submit_extract_properties(docset_id, word))
    assert again.error is None
    assert (await client.delete_properties(docset_id, ["title"])).exit_status == 0
    suggested = await client.suggest_properties(docset_id, instructions="at most 1 property")
    assert len(suggested.properties) <= 1


async def test_documents_are_reread_with_corrections_on_request(client, filled):
    docset_id, doc_id = filled
    word = Schema.model_validate({"properties": [{"name": "title", "field_type": "string"}]})

    async def title() -> object:
        return (await client.document(docset_id, doc_id)).properties["entity"]["title"]

    await client.extract_properties(docset_id, word)
    read = await title()
    mine = ReplaceOperation(op="replace", path="/properties/entity/title", value="mine")
    await client.patch_properties(docset_id, doc_id, PropertyUpdates(operations=[mine]))
    await client.extract_properties(docset_id, word)
    assert await title() == "mine"
    await client.extract_properties(docset_id, word, overwrite_corrections=True)
    assert await title() == read
    await client.delete_properties(docset_id, ["title"])


async def test_a_partition_reports_its_progress_and_its_failures(client, tmp_path: Path):
    (pdf,) = write_reports(tmp_path, count=1)
    entries: list[str] = []
    result = await client.partition(REPORT, on_status=entries.append)
    assert any(element["type"] for element in result["elements"]) and entries
    markdown = await client.partition(REPORT, options={"output_format": "markdown"})
    assert "Ice had formed" in markdown["markdown"]
    later = await client.wait(await client.submit_partition(REPORT))
    assert later.error is None and later.body["elements"]
    with pytest.raises(Refusal):
        await client.partition(b"\x00\x01\x02 no known kind of file")
    with pytest.raises(Refusal, match="selected_pages must not have empty or zero terms"):
        await client.partition(pdf.path, options={"selected_pages": [0]})


async def test_hits_and_facets(client, filled):
    docset_id, doc_id = filled
    for kind in ("lexical", "keyword", "vector", "hybrid"):
        hits = await client.search(docset_id, SearchRequest(query="wings", query_type=kind))
        assert [item["doc_id"] for item in hits.results] == [doc_id]
    (facet,) = await client.facets(docset_id, ["state"])
    assert [(value.value, value.count) for value in facet.values] == [("Alaska", 1)]
    nothing = SearchRequest(properties_filter="state = 'Texas'")
    (facet,) = await client.facets(docset_id, ["state"], search=nothing)
    assert (facet.values, facet.missing) == ([], 0)
    completions = await client.complete(docset_id, "stat = 'x'", 4)
    assert (completions.start, completions.end, completions.items[0].text) == (0, 4, "state")


async def test_a_plan_is_made_edited_compared_and_streamed(client, filled):
    docset_id, _ = filled
    plan = await client.generate_plan(docset_id, "How many documents are there?")
    edited = await client.edit_plan(docset_id, plan, "only those where the state is Texas")
    assert edited.edit is not None and (await client.diff_plans(plan, edited)).changes
    events = [event async for event in client.stream_plan(docset_id, plan)]
    names = [event.name for event in events]
    assert names[-1] == "complete" and "plan" in names and "error" not in names
    assert next(event.data for event in events if event.name == "result") == "1"
    answer = await client.run_plan(docset_id, plan)
    assert answer.result == 1
    trace = await client.run_trace(answer.query_id)
    assert trace["status"] == "done" and len(trace["nodes"]) == len(plan.nodes)
    window = await client.node_output(answer.query_id, plan.result_node)
    assert window["total"] == 1


async def test_documents_are_filtered_and_ordered_by_the_server(client):
    docset_id = (await client.create_docset("view", schema=SCHEMA)).docset_id
    for name in ("beta", "alpha", "gamma"):
        added = await client.add_document(docset_id, REPORT, name=f"{name}.txt")
        named = ReplaceOperation(path="/properties/entity/state", value=name.upper())
        await client.patch_properties(docset_id, added.doc_id, PropertyUpdates(operations=[named]))
    order = Order("state", descending=True)
    text = 'state != "BETA"'
    view = DocumentView(client, docset_id, text=text, order=order, properties=["state"])
    await view.open()
    assert [(row.name, row.properties["entity"]["state"]) for row in view.rows] == [
        ("gamma.txt", "GAMMA"),
        ("alpha.txt", "ALPHA"),
    ]
    assert await view.complete()
    assert all(row.size == len(REPORT) for row in view.rows)


async def test_a_wrong_token_is_refused_and_health_needs_none(backend):
    async with AsyncClient(backend.url, "wrong") as stranger:
        assert (await stranger.health())["status"] == "ok"
        with pytest.raises(AuthenticationFailed):
            await anext(stranger.docsets())
        with pytest.raises(AuthenticationFailed):
            await stranger.result("wb:t-nothing")


async def test_the_capabilities_of_the_server_are_reported(client):
    assert "limits" in await client.capabilities()
