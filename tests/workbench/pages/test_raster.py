import io
import threading

import pytest
from PIL import Image

from workbench.pages import raster
from workbench.pages.raster import NoPage, page_count, page_picture, page_png


def test_a_pdf_page_is_drawn_at_the_requested_width_in_its_shape(pdf):
    assert page_count(pdf) == 1
    picture = page_picture(pdf, 1, 200)
    assert abs(picture.width - 200) <= 1
    assert abs(picture.height / picture.width - 842 / 595) < 0.02
    assert picture.convert("L").getextrema()[0] < 200


def test_a_picture_file_is_its_own_page(png):
    assert page_count(png) == 1
    assert page_picture(png, 1, 20).size == (20, 10)


def test_each_frame_of_a_scan_is_a_page():
    frames = [Image.new("RGB", (10, 10), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "TIFF", save_all=True, append_images=frames[1:])
    assert page_count(out.getvalue()) == 2
    assert page_picture(out.getvalue(), 2, 10).getpixel((5, 5)) == (0, 0, 255)


@pytest.mark.parametrize(
    "data", [b"", b"just words", b"%PDF-1.7 but broken", b"\x89PNG\r\n broken"]
)
def test_files_without_pages_are_reported(data):
    assert page_count(data) == 0
    with pytest.raises(NoPage):
        page_picture(data, 1, 100)


def test_a_missing_page_is_refused_with_the_number_of_pages(pdf, png):
    for data in (pdf, png):
        with pytest.raises(NoPage, match="no page 7"):
            page_picture(data, 7, 100)


def test_a_huge_picture_is_refused_before_it_is_decompressed(png, monkeypatch):
    monkeypatch.setattr(raster, "_MAX_PIXELS", 100)
    with pytest.raises(NoPage, match="too large"):
        page_picture(png, 1, 10)


def test_pages_can_be_drawn_from_several_threads_at_once(pdf):
    pictures = []
    threads = [
        threading.Thread(target=lambda: pictures.append(page_png(pdf, 1, 80))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pictures)) == 1
    assert Image.open(io.BytesIO(pictures[0])).format == "PNG"
