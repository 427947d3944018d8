"""Forms of a PDF that draw forms: as many as people use are read, bombs are refused at once."""

import time
import zlib

import pytest

from backend.partition import PartitionFailure
from tests.backend.partition.conftest import Read, pdf_of_objects

PACKED = b"/Filter /FlateDecode"
_TEXT = b"BT /F1 12 Tf 72 260 Td (Contract) Tj ET"


def form(draws: bytes, named: bytes, *, is_packed: bool = True) -> bytes:
    """A form that draws others by the names in `named`, or in the object that it refers to."""
    content = zlib.compress(draws) if is_packed else draws
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 420 300] %s" % (PACKED if is_packed else b"")
    refers = named if named.endswith(b"R") else b"<< /XObject %s >>" % named
    return b"<< %s /Resources %s /Length %d >>\nstream\n%s\nendstream" % (
        head, refers, len(content), content,
    )  # fmt: skip


def document(*forms: bytes) -> bytes:
    """A page that shows a word and draws the first of the forms, which is object 6."""
    shown = b"%s /X Do" % _TEXT
    return pdf_of_objects(shown, page=b"/Resources << /XObject << /X 6 0 R >> >>", more=forms)


LEVELS = [form(b"/X Do " * 10, b"<< /X %d 0 R >>" % (7 + level)) for level in range(10)]


@pytest.mark.parametrize(
    "data",
    [
        document(form(b"/X Do /X Do", b"<</X 6 0 R>>")),
        document(form(b"/X Do\n/X Do", b"<< /X 6 0 R >>", is_packed=False)),
        document(form(b"/X Do /X Do", b"7 0 R"), b"<< /XObject << /X 6 0 R >> >>"),
        document(form(b"/X Do /X Do", b"7 0 R"), b"<< /XObject 8 0 R >>", b"<< /X 6 0 R >>"),
        document(form(b"/Y Do " * 9, b"<</Y 7 0 R>>"), form(b"/X Do", b"<</X 6 0 R>>")),
        document(*LEVELS),
    ],
    ids=["itself", "plain", "referred-to", "twice-referred-to", "one-another", "levels"],
)
def test_forms_that_multiply_are_refused_before_they_are_drawn(read: Read, data: bytes) -> None:
    began = time.process_time()
    with pytest.raises(PartitionFailure, match="draws itself") as refused:
        read(data)
    assert refused.value.status_code == 422 and time.process_time() - began < 2


@pytest.mark.parametrize(
    "data",
    [
        document(form(b"/X Do", b"<</X 6 0 R>>")),
        document(form(b"/X Do " * 10, b"<</X 7 0 R>>"), form(b"/X Do " * 10, b"<</X 8 0 R>>")),
    ],
    ids=["once-itself", "hundreds"],
)
def test_forms_in_a_form_do_not_cost_the_words_of_the_page(read: Read, data: bytes) -> None:
    assert "Contract" in str([element.text_representation for element in read(data).elements])
