"""A backend with a model beside it: values, evidence, summaries and costs as a caller sees them."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.backend_process import BackendProcess
from tests.scripted_model import Json, Reply, ScriptedModel, data_of, good, status

KEY = "sk-very-secret"
PROSE = (
    "# Report 17\n\nThe flight had been uneventful until, a few miles short of Marfa, the engine"
    " fell silent because the tanks were dry.\n\nOperator: Big Bend Air\n"
)
WANTED = [
    {"name": "town", "type": {"type": "string"}},
    {"name": "operator", "type": {"type": "string"}},
    {"name": "pilot", "type": {"type": "string"}},
]
NO_LOAD = {"town": ("Marfa", r"short of Marfa"), "operator": ("Big Bend Air", r"Big Bend Air")}


def reader(request: Json) -> Reply:
    """A model that finds what SAID names, lies about the pilot, and describes pictures."""
    data = data_of(request)
    if "caption" in data:
        return good({"summary": "A red square."})
    answer: dict[str, Any] = {}
    for prop in data["properties"]:
        value, pattern = NO_LOAD.get(prop["name"], ("Smith", "."))
        cited = (e for e in data["elements"] if re.search(pattern, e["text"]))
        element = next(cited, None)
        quote = re.search(pattern, element["text"]) if element else None
        answer[prop["key"]] = quote and element and {
            "value": value, "element": element["id"], "quote": quote[0],
        }  # fmt: skip
    return good(answer)


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(reader) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def backend(
    model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BackendProcess]:
    settings = {
        f"models__{kind}__{name}": value
        for kind in ("chat", "vision")
        for name, value in {"url": model.url, "model": "tiny", "key": KEY}.items()
    }
    settings |= {"models__chat__input_price": "1", "models__chat__output_price": "2"}
    process = BackendProcess(tmp_path_factory.mktemp("data"), settings).start()
    yield process
    process.stop()


def partitioned(http: httpx.Client, file: tuple[str, bytes | str], **options: Any) -> Any:
    answer = http.post(
        "/v1/document/partition", files={"file": file}, data={"options": json.dumps(options)}
    )
    return json.loads(answer.raise_for_status().text)


def added(http: httpx.Client, docset: str, name: str = "r.md") -> str:
    path = f"/v1/storage/docsets/{docset}/docs"
    answer = http.post(path, files={"file": (name, PROSE)}).raise_for_status()
    return str(answer.json()["doc_id"])


def evidence(http: httpx.Client, docset: str, doc_id: str) -> dict[str, Any]:
    path = f"/v1/workbench/docsets/{docset}/docs/{doc_id}/evidence"
    return dict(http.get(path).raise_for_status().json())


def test_partition_results_name_the_origin_of_a_value_and_the_cost_of_the_model(
    http: httpx.Client,
) -> None:
    options = {"property_extraction_options": {"schema": WANTED}}
    result = partitioned(http, ("r.md", PROSE), **options)
    reported = result["property_metadata"]
    assert (reported["town"]["value"], reported["town"]["source"]) == ("Marfa", "model")
    assert (reported["operator"]["value"], reported["operator"]["source"]) == (
        "Big Bend Air",
        "both",
    )
    assert reported["operator"]["confidence"] > reported["town"]["confidence"]
    assert reported["town"]["attribution"]["element_indices"] == [1]
    assert any(re.search(r"tiny: \d requests?, [\d,]+ tokens, 0\.\d+", s) for s in result["status"])


def test_a_citation_that_does_not_hold_its_value_gives_none(http: httpx.Client) -> None:
    options = {"property_extraction_options": {"schema": WANTED}}
    metadata = partitioned(http, ("r.md", PROSE), **options)["property_metadata"]
    assert metadata["pilot"]["value"] is None


def test_documents_and_jobs_keep_the_evidence_of_the_model(http: httpx.Client, docset: str) -> None:
    doc_id = added(http, docset)
    job = {"params": {"docset_id": docset}}
    http.post("/v1/jobs/extract-properties", json={"properties": WANTED}, **job).raise_for_status()
    later = added(http, docset, "later.md")
    for shown in (evidence(http, docset, doc_id), evidence(http, docset, later)):
        assert shown["town"]["source"] == "model" and shown["town"]["element_id"]
        assert shown["operator"]["source"] == "both"


def test_capabilities_name_the_models_and_never_their_keys(http: httpx.Client) -> None:
    capabilities = http.get("/v1/workbench/capabilities").raise_for_status()
    assert (capabilities.json()["chat_model"], capabilities.json()["vision_model"]) == (
        "tiny",
        "tiny",
    )
    assert KEY not in capabilities.text


def test_pictures_are_summarised_by_the_vision_model(http: httpx.Client) -> None:
    file = io.BytesIO()
    Image.new("RGB", (300, 200), "red").save(file, "PNG")
    result = partitioned(http, ("p.png", file.getvalue()), summarize_images=True)
    (picture,) = [e for e in result["elements"] if e["type"] == "Image"]
    assert picture["text_representation"] == "A red square."
    assert "a vision model summarised 1 of 1 pictures" in result["status"]


def test_where_the_model_is_away_the_rules_do_it_and_say_so(tmp_path: Path) -> None:
    with ScriptedModel(status(401, message=f"bad key {KEY}")) as endpoint:
        settings = {
            "models__chat__url": endpoint.url, "models__chat__model": "tiny",
            "models__chat__key": KEY,
        }  # fmt: skip
        process = BackendProcess(tmp_path, settings).start()
        try:
            with process.client() as http:
                options = {"property_extraction_options": {"schema": WANTED}}
                result = partitioned(http, ("r.md", PROSE), **options)
        finally:
            process.stop()
    metadata = result["property_metadata"]["operator"]
    assert (metadata["value"], metadata["source"]) == ("Big Bend Air", "rules")
    assert "rejects the key" in metadata["note"]
    assert any("Failed once" in entry for entry in result["status"])
    assert KEY not in json.dumps(result) + process.log.read_text()
