"""Small documents made for each test, and a call that partitions them."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from backend.partition import Partition, partition
from workbench.contract.partition_options import PartitionOptions

Read = Callable[..., Partition]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """`read(bytes, name, **options)` -> Partition."""

    def run(data: bytes, name: str = "upload", **options: Any) -> Partition:
        source = tmp_path / "source"
        source.write_bytes(data)
        return partition(
            source,
            name=name,
            options=PartitionOptions.read(options),
            progress=lambda done, total: None,
        )

    return run


def pdf(*pages: Callable[[Canvas], None], size: tuple[float, float] = A4) -> bytes:
    """A PDF whose pages are drawn by the given functions."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def lines(canvas: Canvas, x: float, y: float, texts: list[str], size: float = 10) -> None:
    """Lines of plain text downwards from (x, y)."""
    canvas.setFont("Helvetica", size)
    for number, text in enumerate(texts):
        canvas.drawString(x, y - number * size * 1.3, text)


def office(parts: dict[str, str]) -> bytes:
    """An archive with the given XML parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def mapped_font_pdf(
    shows: bytes, letters: Mapping[int, int | str], font: bytes = b"Helvetica"
) -> bytes:
    """A PDF of one page, 420 x 300 points, whose content shows strings in the font F1.

    The font's map to Unicode names `letters`: code -> character, or several for a ligature.
    """
    texts = {code: to if isinstance(to, str) else chr(to) for code, to in letters.items()}
    pairs = b"".join(
        b"<%02X> <%s>\n" % (code, text.encode("utf-16-be").hex().encode())
        for code, text in texts.items()
    )
    table = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n%d beginbfchar\n"
        % len(letters)
        + pairs
        + b"endbfchar\nendcmap end end"
    )
    return pdf_of_objects(
        b"BT " + shows + b" ET",
        font=b"/BaseFont /%s /ToUnicode 6 0 R" % font,
        more=[b"<< /Length %d >>\nstream\n%s\nendstream" % (len(table), table)],
    )


def pdf_of_objects(
    shows: bytes = b"BT /F1 12 Tf 72 260 Td (Contract) Tj ET",
    *,
    catalog: bytes = b"",
    page: bytes = b"",
    font: bytes = b"/BaseFont /Helvetica",
    more: Sequence[bytes] = (),
) -> bytes:
    """A PDF of one page, 420 x 300 points; `more` objects have numbers from 6 on."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 300] /Contents 5 0 R %s" % page
        + b" /Resources << /Font << /F1 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 %s >>" % font,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shows), shows),
        *more,
    ]
    out = b"%PDF-1.7\n"
    for number, body in enumerate(objects, 1):
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return out + b"trailer << /Size %d /Root 1 0 R >>\n%%%%EOF" % (len(objects) + 1)
