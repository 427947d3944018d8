"""Small documents made for each test, and a call that partitions them."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from backend.contract.partition_options import PartitionOptions
from backend.partition import Partition, partition

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
