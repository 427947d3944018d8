"""The page for people who come from aryn-sdk says what is so, tried with the unmodified client."""

import gc
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from aryn_sdk.client import partition as sdk

from tests.backend_process import BackendProcess
from workbench.guide import page

# The client never closes the files it opens.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
REPORT = "# Report\n\nThe crane struck the gantry.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
WISHES = {
    "pipeline": ({"pipeline": "vision"}, "no vision model for pages"),
    "text_mode": ({"text_mode": "ocr_vision"}, "ocr_standard was used"),
    "table_mode": ({"table_mode": "vision"}, "standard was used"),
    "chunking_options": ({"chunking_options": {}}, "tokens are estimated"),
    "ocr_language": ({"ocr_language": "tamil"}, "not available here"),
    "return_pdf_base64": ({"return_pdf_base64": True}, "no PDF is returned"),
}
"""Fields that cannot be honoured: what asks for them, and the remark about it."""


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """What the client left open is closed here, and not in the middle of another test."""
    yield
    gc.collect()


def test_the_examples_of_the_page_run_one_after_the_other(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.md").write_text(REPORT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARYN_API_URL", backend.url)
    monkeypatch.setenv("ARYN_API_KEY", backend.token)
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", page("aryn-sdk"), re.DOTALL):
        exec(compile(example, "<aryn-sdk.md>", "exec"), names)
    client, result, plan = names["client"], names["found"], names["plan"]
    assert len(result.value.results) == 1 and plan.value.nodes  # type: ignore[attr-defined]
    assert [frame for _, frame in names["tables"] if frame is not None]  # type: ignore[attr-defined]
    (document,) = client.list_docs(docset_id=names["docset_id"])  # type: ignore[attr-defined]
    assert document.properties["entity"] == {"struck": "gantry"}
    client.delete_docset(docset_id=names["docset_id"])  # type: ignore[attr-defined]
    client.client.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("field", WISHES)
def test_unsupported_options_are_named_on_the_page_and_in_the_answer(
    backend: BackendProcess, field: str
) -> None:
    assert f"| `{field}" in page("aryn-sdk")
    wish, remark = WISHES[field]
    picture = field == "text_mode"  # what has no pages needs no OCR
    file = io.BytesIO(_png() if picture else REPORT.encode())
    url = f"{backend.url}/v1/document/partition"
    data = sdk.partition_file(file, aryn_api_key=backend.token, docparse_url=url, **wish)
    assert any(remark in line for line in data["status"]), data["status"]


def _png() -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(out, "PNG")
    return out.getvalue()
