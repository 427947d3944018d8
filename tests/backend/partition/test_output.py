"""Chunks, pictures, titles and Markdown follow the options."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from backend.partition import PartitionFailure, render_page, to_markdown
from backend.partition.tokens import counter
from tests.backend.partition.conftest import Read, lines, pdf
from workbench.contract.partition_options import ChunkingOptions, MarkdownOptions

SECTIONS = "".join(
    f"# Section {n}\n\n"
    + "\n\n".join(f"Paragraph {n}.{m} " + "word " * 30 for m in range(6))
    + "\n\n"
    for n in range(3)
).encode()


def with_picture(canvas: Canvas) -> None:
    red = Image.new("RGB", (40, 20), (250, 0, 0))
    canvas.drawImage(ImageReader(red), 100, 500, 200, 100)
    lines(canvas, 100, 480, ["Figure 1. A red field"])


def test_no_chunk_is_over_the_limit_and_no_word_is_lost(read: Read) -> None:
    chunking = {"tokenizer": "character_tokenizer", "max_tokens": 400}
    partition = read(SECTIONS, "a.md", chunking_options=chunking)
    texts = [e.text_representation or "" for e in partition.elements]
    assert max(len(text) for text in texts) <= 400
    assert sum(text.count("Paragraph") for text in texts) == 18
    covered = {i for e in partition.elements for i in e.properties["element_indices"]}
    assert covered == set(range(len(partition.original_elements)))


def test_context_rich_chunks_keep_to_sections_and_repeat_their_heading(read: Read) -> None:
    chunking = {"tokenizer": "character_tokenizer", "max_tokens": 500}
    partition = read(SECTIONS, "a.md", chunking_options=chunking)
    for element in partition.elements:
        text = element.text_representation or ""
        number = text.split()[1]
        assert text.startswith(f"Section {number}\nParagraph {number}.")


def test_one_long_element_is_divided(read: Read) -> None:
    partition = read(b"word " * 500, "a.txt", chunking_options={"max_tokens": 50})
    assert len(partition.elements) > 5
    assert sum((e.text_representation or "").count("word") for e in partition.elements) == 500


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("The harbour has berths for forty boats.", 8),
        ("In 2019 there were 1250000 of them", 12),
        ("Портовая администрация опубликовала отчёт", 20),
        ("نشرت سلطة الميناء تقريرا مفصلا", 21),
        ("港务局去年发布了一份报告", 12),
    ],
)
def test_tokens_are_not_counted_too_low_in_any_script(text: str, least: int) -> None:
    assert least <= counter(ChunkingOptions())(text) <= 2 * least


def test_chunks_stay_on_their_page_when_asked(read: Read) -> None:
    data = pdf(
        *[lambda canvas, n=n: lines(canvas, 60, 700, [f"words of page {n}"]) for n in (1, 2)]
    )
    apart = read(data, chunking_options={"merge_across_pages": False})
    together = read(data, chunking_options={})
    assert (len(apart.elements), len(together.elements)) == (2, 1)
    assert together.elements[0].type == "Section"


def test_pictures_come_as_bare_pixels_or_as_files(read: Read) -> None:
    bare = read(pdf(with_picture), extract_images=True)
    image = next(e for e in bare.elements if e.type == "Image")
    width, height = image.properties["image_size"]
    assert len(base64.b64decode(image.binary_representation or "")) == width * height * 3
    assert image.properties["image_format"] is None
    options = {"extract_image_format": "png", "associate_captions": True}
    filed = read(pdf(with_picture), extract_images=True, image_extraction_options=options)
    image = next(e for e in filed.elements if e.type == "Image")
    picture = Image.open(io.BytesIO(base64.b64decode(image.binary_representation or "")))
    assert picture.format == "PNG"
    assert picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2)) == (250, 0, 0)
    assert image.properties["caption"]["text_representation"] == "Figure 1. A red field"


def test_pictures_have_empty_properties_unless_extracted(read: Read) -> None:
    image = next(e for e in read(pdf(with_picture)).elements if e.type == "Image")
    assert image.binary_representation is None
    assert image.properties["image_size"] is None


def test_the_largest_candidate_on_page_one_is_promoted_to_title(read: Read) -> None:
    data = b"## Small\n\ntext\n\n# Large\n\ntext"
    partition = read(data, "a.md", output_label_options={"promote_title": True})
    assert [e.text_representation for e in partition.elements if e.type == "Title"] == ["Large"]


def test_markdown_by_page_and_page_numbers(read: Read) -> None:
    data = pdf(
        *[lambda canvas, n=n: lines(canvas, 60, 700, [f"words of page {n}"]) for n in (1, 2)]
    )
    elements = read(data).elements
    options = MarkdownOptions(group_by_page=True, include_pagenum=True)
    assert to_markdown(elements, options) == [
        "words of page 1\n\nPage 1",
        "words of page 2\n\nPage 2",
    ]
    assert to_markdown(elements, MarkdownOptions()) == "words of page 1\n\nwords of page 2"


def test_elements_below_a_threshold_are_left_out(read: Read) -> None:
    assert read(b"words", "a.txt", threshold=1.0).elements == []
    assert len(read(b"words", "a.txt", threshold=0.5).elements) == 1


def test_a_page_is_rendered_in_the_wished_width(tmp_path: Path) -> None:
    source = tmp_path / "a.pdf"
    source.write_bytes(pdf(with_picture))
    assert render_page(source, 1, 300).size[0] == 300
    with pytest.raises(PartitionFailure, match="no page 2"):
        render_page(source, 2, 300)


def test_a_giant_page_is_rendered_within_the_pixel_limit(tmp_path: Path) -> None:
    source = tmp_path / "a.pdf"
    source.write_bytes(pdf(lambda canvas: None, size=(14000, 200)))
    width, height = render_page(source, 1, 4000).size
    assert width * height < 50_000_000
