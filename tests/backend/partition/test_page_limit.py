"""A PDF or picture of very many pages is refused before any of them is read."""

import struct
import time
from pathlib import Path

import pytest
from PIL import Image

from backend.partition import partition
from backend.partition.document import MOST_PAGES, PartitionFailure
from backend.partition.tiff_pages import tiff_pages
from tests.reliability.hostile_documents import pdf
from workbench.contract.partition_options import PartitionOptions


def blank_pages(count: int) -> bytes:
    """All pages are the same one, so that the file is small."""
    kids = b"3 0 R " * count
    return pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        ]
    )


def read(source: Path, most_pages: int = MOST_PAGES) -> int:
    return partition(
        source,
        name=source.name,
        options=PartitionOptions(),
        progress=lambda done, total: None,
        most_pages=most_pages,
    ).page_count


def test_pages_beyond_the_limit_are_reported_at_once(tmp_path: Path) -> None:
    source = tmp_path / "long.pdf"
    source.write_bytes(blank_pages(1_000_000))
    began = time.process_time()
    with pytest.raises(PartitionFailure, match=r"1,000,000 pages.*max_pages") as refused:
        read(source)
    assert refused.value.status_code == 422
    assert time.process_time() - began < 3


def test_the_limit_is_the_one_that_is_set(tmp_path: Path) -> None:
    source = tmp_path / "short.pdf"
    source.write_bytes(blank_pages(3))
    assert read(source, most_pages=3) == 3
    with pytest.raises(PartitionFailure, match="3 pages"):
        read(source, most_pages=2)


def test_a_picture_of_very_many_pages_is_refused_like_a_pdf(tmp_path: Path) -> None:
    source = tmp_path / "many.tiff"
    page = Image.new("L", (8, 8), "white")
    page.save(source, save_all=True, append_images=[page] * 20)
    assert read(source, most_pages=21) == 21
    with pytest.raises(PartitionFailure, match=r"21 pages.*max_pages"):
        read(source, most_pages=20)


def tiff(pages: int, order: str = "<", last: int = 0) -> bytes:
    """Directories of no entries, one after the other; the last leads to `last`."""
    ends = [14 + 6 * page for page in range(1, pages)] + [last]
    head = b"II" if order == "<" else b"MM"
    places = b"".join(struct.pack(f"{order}HI", 0, place) for place in ends)
    return head + struct.pack(f"{order}HI", 42, 14) + bytes(6) + places


@pytest.mark.parametrize("order", ["<", ">"])
def test_pages_of_a_picture_are_counted_at_once(tmp_path: Path, order: str) -> None:
    source = tmp_path / "many.tiff"
    source.write_bytes(tiff(500_000, order))
    began = time.process_time()
    with pytest.raises(PartitionFailure, match=r"500,000 pages.*max_pages"):
        read(source)
    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    "data",
    [b"II", b"II*\0", tiff(3, last=14), tiff(3, last=10**9), tiff(3)[:-4], b"MM\0*" + b"\xff" * 9],
)
def test_a_chain_of_pages_that_is_broken_ends(tmp_path: Path, data: bytes) -> None:
    source = tmp_path / "broken.tiff"
    source.write_bytes(data)
    assert tiff_pages(source) in (1, 3)


def test_blank_pages_of_pictures_need_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("backend.partition.ocr_models.text_probabilities")
    source = tmp_path / "blank.tiff"
    page = Image.new("L", (400, 600), "white")
    page.save(source, save_all=True, append_images=[page])
    assert read(source) == 2
