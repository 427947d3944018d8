"""Without the extra `ocr` everything else is read, and what is missing names the command."""

import io

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from backend.partition import ocr_models
from backend.partition.document import PartitionFailure
from tests.backend.partition.conftest import Read, lines, pdf

COMMAND = r"pip install 'docset-workbench\[ocr\]'"


@pytest.fixture(autouse=True)
def without_onnxruntime(monkeypatch: pytest.MonkeyPatch):
    ocr_models.installed.cache_clear()
    monkeypatch.setattr(ocr_models, "find_spec", lambda name: None)
    monkeypatch.setattr(ocr_models, "_session", ocr_models._session.__wrapped__)
    yield
    ocr_models.installed.cache_clear()


def scanned_page(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (800, 1000), 200)), 0, 0, 590, 840)


def test_a_scanned_page_is_reported_and_the_others_are_read(read: Read):
    text = ["The valve was replaced on Monday.", "The pump was tested again on Tuesday."]
    partition = read(pdf(lambda canvas: lines(canvas, 72, 700, text), scanned_page))
    assert "valve was replaced" in partition.elements[0].text_representation
    remark = next(remark for remark in partition.notes if remark.startswith("page 2: its picture"))
    assert "pip install 'docset-workbench[ocr]'" in remark


def test_a_picture_is_refused(read: Read):
    buffer = io.BytesIO()
    Image.new("L", (400, 300), 255).save(buffer, "PNG")
    with pytest.raises(PartitionFailure, match=COMMAND) as refused:
        read(buffer.getvalue(), "scan.png")
    assert refused.value.status == 422
