"""The public client's own tests and sample files, against our backend."""

import base64
import gc
import importlib
import io
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from tests.contract.conftest import Server

theirs: ModuleType = pytest.importorskip("aryn_sdk.test.test_partition")
sdk: ModuleType = importlib.import_module("aryn_sdk.client.partition")
PDFS = Path(theirs.RESOURCE_DIR) / "pdfs"

pytestmark = [
    pytest.mark.skipif(not PDFS.is_dir(), reason="the client came without its sample files"),
    # The client never closes the files it opens.
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]


@pytest.fixture(autouse=True)
def hosted_here(backend: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The client takes our backend for the hosted service."""
    monkeypatch.setenv("ARYN_API_KEY", backend.token)
    monkeypatch.setattr(sdk, "ARYN_DOCPARSE_URL", f"{backend.url}/v1/document/partition")
    yield
    gc.collect()  # here, where the warnings about them are expected


@pytest.mark.parametrize(
    "name",
    [
        "test_partition_with_unsupported_file_format",
        "test_partition_it_zero_page",
        "test_partition_it_no_api_key",
        "test_partition_file_cancel",
        "test_invalid_task_id",
        "test_partition_file_async_with_unsupported_file_format",
        "test_partition_file_async_cancel",
    ],
)
def test_a_test_of_the_client_passes(name: str) -> None:
    getattr(theirs, name)()


def sample(name: str, **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = sdk.partition_file(PDFS / name, **options)
    assert answer["status_code"] == 200
    return answer


def test_the_tables_of_a_sample_become_frames_and_html() -> None:
    data = sample("3m_table.pdf", table_mode="standard")
    frames = [frame for _, frame in sdk.tables_to_pandas(data) if frame is not None]
    dated = [frame for frame in frames if "2018" in frame.columns]
    assert any("1,488" in frame.to_numpy().ravel().tolist() for frame in dated)
    pages = [html for _, html in sdk.tables_to_html(data) if html is not None]
    assert any(">1,488</td>" in page for page in pages)


def test_the_pictures_of_a_sample_can_be_converted() -> None:
    data = sample("rotated.pdf", extract_images=True)
    pictures = [element for element in data["elements"] if element["type"] == "Image"]
    assert len(pictures) == 2
    for picture in pictures:
        image = sdk.convert_image_element(picture)
        assert list(image.size) == picture["properties"]["image_size"]
        assert image.getcolors(1) is None, "one flat colour"
        text = sdk.convert_image_element(picture, format="PNG", b64encode=True)
        assert Image.open(io.BytesIO(base64.b64decode(text))).size == image.size
    options = {"extract_image_format": "JPEG"}
    data = sample("rotated.pdf", extract_images=True, image_extraction_options=options)
    (picture, *_) = [element for element in data["elements"] if element["type"] == "Image"]
    assert picture["properties"]["image_format"] == "JPEG"
    assert sdk.convert_image_element(picture, format="JPEG")[:2] == b"\xff\xd8"


def test_the_text_of_a_sample_is_read() -> None:
    words = " ".join(e["text_representation"] or "" for e in sample("SPsort.pdf")["elements"])
    assert "SPsort" in words and "terabyte" in words.lower()


def test_a_turned_sample_is_read_upright() -> None:
    data = sample("rotated.pdf", output_label_options={"orientation_correction": True})
    texts = [element["text_representation"] or "" for element in data["elements"]]
    assert any("This is sideways!" in text for text in texts)
    assert any("This is upside" in text for text in texts)


@pytest.mark.soak
def test_forty_pages_in_four_tasks() -> None:
    theirs.test_multiple_partition_file_async()


def test_list_and_result_answer_in_time_for_the_client_while_forty_pages_are_read() -> None:
    name = PDFS / "FR-2002-05-03-TRUNCATED-40.pdf"
    tasks = [sdk.partition_file_async_submit(name)["task_id"] for _ in range(2)]
    slowest = 0.0
    deadline = time.monotonic() + 90
    while tasks and time.monotonic() < deadline:
        began = time.monotonic()
        assert set(tasks) <= set(sdk.partition_file_async_list())
        state = sdk.partition_file_async_result(tasks[0])
        slowest = max(slowest, time.monotonic() - began)
        if state["task_status"] == "done":
            assert len(state["result"]["elements"]) > 1000
            tasks.pop(0)
    assert not tasks and slowest < 5
