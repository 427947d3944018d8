"""The public client, unmodified, does with our backend what it does with the hosted service."""

import io
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from aryn_sdk.client import partition as sdk
from aryn_sdk.client.client import Client
from aryn_sdk.client.exceptions import ArynSDKException
from aryn_sdk.types.docset import DocSetUpdate
from aryn_sdk.types.document import FieldUpdates, ReplaceOperation
from aryn_sdk.types.query import Query
from aryn_sdk.types.schema import Schema
from aryn_sdk.types.search import SearchRequest

from tests.backend_process import BackendProcess

# The client never closes the files it opens.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)

REPORT = """# Incident {number}

State: {state}

Injuries: {injuries}

The crane struck the gantry while unloading in strong wind.
"""
SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "state", "property_type": "string", "description": "Where it happened"},
            {"name": "injuries", "property_type": "int", "description": "People hurt"},
        ]
    }
)


@pytest.fixture
def client(backend: BackendProcess) -> Iterator[Client]:
    opened = Client(aryn_url=backend.url, aryn_api_key=backend.token)
    yield opened
    opened.client.close()


@pytest.fixture
def incidents(client: Client, tmp_path: Path) -> Iterator[str]:
    docset_id = client.create_docset(name="incidents", schema=SCHEMA).value.docset_id
    for number, (state, injuries) in enumerate([("Ohio", 0), ("Texas", 2), ("Texas", 5)]):
        file = tmp_path / f"report-{number}.md"
        file.write_text(REPORT.format(number=number, state=state, injuries=injuries))
        client.add_doc(file=file, docset_id=docset_id)
    yield docset_id


def test_docsets_are_created_listed_changed_cloned_locked_and_deleted(client: Client) -> None:
    name = f"papers {time.monotonic()}"
    made = client.create_docset(name=name, schema=SCHEMA, properties={"owner": "me"})
    docset_id = made.value.docset_id
    assert made.value.size == 0 and made.call_id.startswith("wb:call-")
    assert [entry.docset_id for entry in client.list_docsets(name_eq=name)] == [docset_id]
    renamed = client.update_docset(docset_id=docset_id, update=DocSetUpdate(name="other"))
    assert renamed.value.name == "other" and renamed.value.properties == {"owner": "me"}
    copy = client.clone_docset(docset_id=docset_id).value
    assert copy.docset_id != docset_id and copy.schema_ == made.value.schema_
    assert client.set_readonly_docset(docset_id=docset_id, readonly=True).value.readonly
    with pytest.raises(ArynSDKException, match="403"):
        client.delete_docset(docset_id=docset_id)
    client.set_readonly_docset(docset_id=docset_id, readonly=False)
    assert client.delete_docset(docset_id=docset_id).value.docset_id == docset_id
    with pytest.raises(ArynSDKException):
        client.get_docset(docset_id=docset_id)


def test_lists_longer_than_a_page_are_read_to_the_end(client: Client) -> None:
    name = f"many {time.monotonic()}"
    ids = [client.create_docset(name=name).value.docset_id for _ in range(5)]
    assert [entry.docset_id for entry in client.list_docsets(name_eq=name, page_size=2)] == ids


def test_a_document_is_added_read_corrected_and_deleted(client: Client, incidents: str) -> None:
    documents = list(client.list_docs(docset_id=incidents))
    assert [document.name for document in documents] == [f"report-{n}.md" for n in range(3)]
    doc_id = documents[1].doc_id
    document = client.get_doc(docset_id=incidents, doc_id=doc_id).value
    assert document.properties["entity"] == {"state": "Texas", "injuries": 2}
    assert any("crane" in (element.text_representation or "") for element in document.elements)
    without = client.get_doc(docset_id=incidents, doc_id=doc_id, include_elements=False).value
    assert without.elements == [] and without.binary_data is None
    update = ReplaceOperation(path="/properties/entity/state", value="Utah")
    corrected = client.update_doc_properties(
        docset_id=incidents, doc_id=doc_id, updates=FieldUpdates(operations=[update])
    )
    assert corrected.value.properties["entity"]["state"] == "Utah"
    original = io.BytesIO()
    client.get_doc_binary(docset_id=incidents, doc_id=doc_id, file=original)
    assert original.getvalue().decode() == REPORT.format(number=1, state="Texas", injuries=2)
    assert client.delete_doc(docset_id=incidents, doc_id=doc_id).value.doc_id == doc_id
    with pytest.raises(ArynSDKException):
        client.get_doc(docset_id=incidents, doc_id=doc_id)


def test_the_partitioners_own_elements_come_when_asked_for(client: Client, incidents: str) -> None:
    doc_id = next(iter(client.list_docs(docset_id=incidents))).doc_id
    document = client.get_doc(
        docset_id=incidents, doc_id=doc_id, include_original_elements=True
    ).value
    original = document.properties["_original_elements"]
    assert original[0]["type"] in ("Title", "Section-header")


def test_an_asynchronous_add_answers_with_the_document(client: Client, tmp_path: Path) -> None:
    docset_id = client.create_docset(name="async").value.docset_id
    file = tmp_path / "note.txt"
    file.write_text("Wind speed at the pier was forty knots.")
    task = client.add_doc_async(file=file, docset_id=docset_id)
    document = task.result(timeout=60).value
    assert document.name == "note.txt" and document.size == file.stat().st_size
    listed = client.list_async_tasks().value.tasks[task.task_id]
    assert (listed.action, listed.task_status.value) == (
        f"/v1/storage/docsets/{docset_id}/docs",
        "done",
    )
    result = client.search(docset_id=docset_id, query=SearchRequest(query="knots")).value
    assert [result["doc_id"] for result in result.results] == [document.doc_id]


def test_a_failed_asynchronous_add_repeats_the_failure(client: Client, tmp_path: Path) -> None:
    docset_id = client.create_docset(name="bad").value.docset_id
    file = tmp_path / "broken.pdf"
    file.write_bytes(b"%PDF-1.7 this is no document")
    task = client.add_doc_async(file=file, docset_id=docset_id)
    with pytest.raises(ArynSDKException):
        task.result(timeout=60)
    assert list(client.list_docs(docset_id=docset_id)) == []


def test_a_task_is_cancelled_once_and_then_unknown(client: Client, tmp_path: Path) -> None:
    docset_id = client.create_docset(name="cancel").value.docset_id
    file = tmp_path / "long.txt"
    file.write_text("words and words\n\n" * 200_000)
    task = client.add_doc_async(file=file, docset_id=docset_id)
    client.cancel_async_task(task)
    with pytest.raises(ArynSDKException):
        client.cancel_async_task(task)
    with pytest.raises(ArynSDKException):
        client.get_async_result(task.task_id)
    time.sleep(0.5)
    assert list(client.list_docs(docset_id=docset_id)) == []


@pytest.mark.parametrize("kind", ["lexical", "keyword", "vector", "hybrid"])
@pytest.mark.parametrize("return_type", ["doc", "element"])
def test_every_kind_of_search_answers(
    client: Client, incidents: str, kind: str, return_type: str
) -> None:
    query = SearchRequest(query="gantry", query_type=kind, return_type=return_type)
    results = client.search(docset_id=incidents, query=query).value.results
    assert len(results) >= 3


def test_a_filter_narrows_with_and_without_a_query(client: Client, incidents: str) -> None:
    where = "(properties.entity.state = 'Texas') AND (properties.entity.injuries > 2)"
    for query in (None, "crane"):
        request = SearchRequest(query=query, properties_filter=where)
        (only,) = client.search(docset_id=incidents, query=request).value.results
        assert only["properties"]["entity"] == {"state": "Texas", "injuries": 5}


def test_fields_can_be_projected(client: Client, incidents: str) -> None:
    request = SearchRequest(query="crane", include_fields=["doc_id", "$.properties.entity.state"])
    for result in client.search(docset_id=incidents, query=request).value.results:
        assert set(result) == {"doc_id", "properties"}
        assert set(result["properties"]["entity"]) == {"state"}


def test_properties_are_extracted_suggested_and_deleted(client: Client, incidents: str) -> None:
    wanted = Schema.model_validate(
        {"properties": [{"name": "incident", "property_type": "int", "description": "number"}]}
    )
    assert client.extract_properties(docset_id=incidents, schema=wanted).value.exit_status == 0
    names = [p.name for p in client.get_docset(docset_id=incidents).value.schema_.properties]
    assert names == ["incident", "state", "injuries"]
    task = client.delete_properties_async(docset_id=incidents, property_names=["incident"])
    assert task.result(timeout=60).value.exit_status == 0
    document = next(iter(client.list_docs(docset_id=incidents)))
    assert set(document.properties["entity"]) == {"state", "injuries"}
    client.delete_properties(docset_id=incidents, property_names=["state", "injuries"])
    suggested = client.suggest_properties(docset_id=incidents).value.properties
    assert {"state", "injuries"} <= {prop.name.lower() for prop in suggested}


def test_a_plan_is_made_edited_and_run(client: Client, incidents: str) -> None:
    question = Query(docset_id=incidents, query="How many incidents were in Texas?")
    plan = client.generate_plan(query=question).value
    result = client.query(query=Query(docset_id=incidents, plan=plan)).value
    assert result.result == 2
    edited = client.edit_plan(
        query=Query(docset_id=incidents, plan=plan), feedback="only those with more than 2 injuries"
    ).value
    again = client.query(query=Query(docset_id=incidents, plan=edited)).value
    assert again.result == 1


def test_a_query_streams_its_plan_first_and_complete_last(client: Client, incidents: str) -> None:
    question = Query(docset_id=incidents, query="Show incidents in Texas", stream=True)
    events = [(event.event_type.value, event.data) for event in client.query(query=question)]
    names = [name for name, _ in events]
    assert names.count("plan") == names.count("complete") == 1
    assert names[-1] == "complete" and names.index("plan") < names.index("result_doc")
    assert len([name for name in names if name == "result_doc"]) == 2


def test_a_file_is_partitioned_with_progress(
    backend: BackendProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    file = io.BytesIO(b"# Title\n\nSome text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    url = f"{backend.url}/v1/document/partition"
    data = sdk.partition_file(file, aryn_api_key=backend.token, docparse_url=url)
    assert data["status_code"] == 200
    kinds = [element["type"] for element in data["elements"]]
    assert "table" in kinds and "Text" in kinds
    (table,) = [t for t in sdk.tables_to_pandas(data) if t[1] is not None]
    assert table[1].to_numpy().tolist() == [["1", "2"]] or table[1].shape == (1, 2)
    assert any("T+" in record.message for record in caplog.records)


def test_a_partition_failure_comes_inside_the_answer(backend: BackendProcess) -> None:
    url = f"{backend.url}/v1/document/partition"
    file = io.BytesIO(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\x00" * 100)
    with pytest.raises(sdk.PartitionError) as error:
        sdk.partition_file(file, aryn_api_key=backend.token, docparse_url=url)
    assert "HEIC" in str(error.value)


def test_a_wrong_key_is_refused_in_the_words_the_client_expects(backend: BackendProcess) -> None:
    url = f"{backend.url}/v1/document/partition"
    with pytest.raises(httpx.HTTPStatusError) as error:
        sdk.partition_file(io.BytesIO(b"x"), aryn_api_key="wrong", docparse_url=url)
    assert error.value.response.status_code == 403
    assert error.value.response.json() == {"detail": "Invalid Aryn API key"}


def test_partition_tasks_are_submitted_listed_read_and_cancelled(backend: BackendProcess) -> None:
    base = f"{backend.url}/v1/async"
    key = {"aryn_api_key": backend.token}
    submitted = sdk.partition_file_async_submit(
        io.BytesIO(b"plain text"), async_submit_url=f"{base}/submit/document/partition", **key
    )
    task_id = submitted["task_id"]
    listed = sdk.partition_file_async_list(async_list_url=f"{base}/list", **key)
    assert listed[task_id]["task_status"] in ("queued", "running", "done")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        result = sdk.partition_file_async_result(task_id, async_result_url=f"{base}/result", **key)
        if result["task_status"] == "done":
            break
        time.sleep(0.1)
    assert result["result"]["elements"][0]["text_representation"].strip() == "plain text"
    with pytest.raises(sdk.PartitionTaskNotFoundError):
        sdk.partition_file_async_cancel(task_id, async_cancel_url=f"{base}/cancel", **key)
