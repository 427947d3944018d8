"""A PDF or picture of very many pages is refused before any of them is read."""

import time
from pathlib import Path

import pytest
from PIL import Image

from backend.partition import partition
from backend.partition.document import MOST_PAGES, PartitionFailure
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


def test_more_pages_than_are_read_are_told_at_once(tmp_path: Path) -> None:
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


def test_blank_pages_of_pictures_need_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("backend.partition.ocr_models.text_probabilities")
    source = tmp_path / "blank.tiff"
    page = Image.new("L", (400, 600), "white")
    page.save(source, save_all=True, append_images=[page])
    assert read(source) == 2
