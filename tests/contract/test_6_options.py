"""Section 6.2 of the contract: what each option of a partition call changes, and wrong values."""

import base64
import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import pypdfium2 as pdfium
import pytest
from aryn_sdk.client import partition as sdk
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.contract.pages import pdf, png
from tests.contract.test_6_partition import PATH, partition
from tests.contract.texts import TABLE

WIDE = "Berths of the harbour are let for a year. " * 3


def drawn(*pages: Callable[[Canvas], None]) -> bytes:
    """A PDF whose pages are drawn by the given functions."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def sideways(canvas: Canvas) -> None:
    canvas.rotate(90)
    for line in range(12):
        canvas.drawString(100, -100 - 14 * line, f"{line} The harbour report lies on its side.")


def illustrated(canvas: Canvas) -> None:
    picture = Image.new("RGB", (600, 200), "white")
    font = ImageFont.load_default(60)
    ImageDraw.Draw(picture).text((30, 60), "Harbour of Ostend", "navy", font=font)
    canvas.drawImage(ImageReader(picture), 100, 500, 300, 100)
    canvas.drawString(100, 480, "Figure 1. The sign at the gate")


def illustrated_whole(canvas: Canvas) -> None:
    picture = Image.new("RGB", (1000, 1400), "white")
    font = ImageFont.load_default(60)
    ImageDraw.Draw(picture).text((150, 300), "Hafen der Insel", "black", font=font)
    canvas.drawImage(ImageReader(picture), 0, 0, 595, 842)


def kinds(body: dict[str, Any]) -> list[str]:
    return [element["type"] for element in body["elements"]]


def texts(body: dict[str, Any]) -> list[str]:
    return [element["text_representation"] for element in body["elements"]]


# -- wrong values ---------------------------------------------------------------------------------

CHUNKING = "chunking_options"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text_mode": "telepathy"}, "text_mode"),
        ({"table_mode": "magic"}, "table_mode"),
        ({"threshold": 1.5}, "threshold"),
        ({"threshold": "often"}, "threshold"),
        ({"threshold": True}, "threshold"),
        ({"selected_pages": [True]}, "not numbers"),
        ({"selected_pages": [[1, True]]}, "not numbers"),
        ({"use_ocr": "perhaps"}, "use_ocr"),
        ({"extract_table_structure": "perhaps"}, "extract_table_structure"),
        ({"selected_pages": [[1, 2, 3]]}, "selected_pages"),
        ({"selected_pages": "1-3"}, "selected_pages"),
        ({"image_extraction_options": {"extract_image_format": "gif"}}, "extract_image_format"),
        ({"image_extraction_options": {"extract_image_format": "jpg"}}, "extract_image_format"),
        ({"text_extraction_options": {"ocr_text_mode": "telepathy"}}, "ocr_text_mode"),
        ({"output_format": "docx"}, "output_format"),
        ({"pipeline": "other"}, "pipeline"),
        ({"output_label_options": {"title_candidate_elements": ["Heading"]}}, "Heading"),
        ({CHUNKING: {"max_tokens": 0}}, "max_tokens"),
        ({CHUNKING: {"max_tokens": True}}, "not numbers"),
        ({CHUNKING: {"strategy": "best"}}, "strategy"),
        ({CHUNKING: {"tokenizer": "words"}}, "tokenizer"),
        (
            {
                CHUNKING: {
                    "tokenizer": "character_tokenizer",
                    "tokenizer_options": {"model_name": "x"},
                }
            },
            "takes no tokenizer_options",
        ),
        (
            {CHUNKING: {"strategy": "mixed_multi_column", "merge_across_pages": True}},
            "never merges across pages",
        ),
        ({"property_extraction_options": {}}, "exactly one"),
        (
            {
                "property_extraction_options": {
                    "schema": [{"name": "a"}],
                    "suggest_properties": True,
                }
            },
            "property type is missing",
        ),
        ({"property_extraction_options": {"schema": [{"type": {"type": "int"}}]}}, "name"),
    ],
)
def test_6_2_a_wrong_value_is_refused_with_its_name(
    http: httpx.Client, options: dict[str, Any], message: str
) -> None:
    answer = http.post(PATH, files={"file": "text"}, data={"options": json.dumps(options)})
    assert answer.status_code == 422
    (fault,) = answer.json()["detail"]
    assert fault["loc"][:2] == ["body", "options"] and message in json.dumps(fault)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("pixels > 5 -> other_model", "unknown model"),
        ("words > 5 -> table_transformer", "unknown metric"),
        ("pixels > 5 -> table_transformer -> deformable_detr", "two arrows"),
        ("pixels -> table_transformer", "no comparison"),
        ("1 < pixels < 5 -> table_transformer", "chained comparison"),
        ("pixels > many -> table_transformer", "not a number"),
        ("", "empty"),
    ],
)
def test_6_2_a_malformed_model_selection_is_refused(
    http: httpx.Client, expression: str, message: str
) -> None:
    options = {"table_extraction_options": {"model_selection": expression}}
    answer = http.post(PATH, files={"file": "text"}, data={"options": json.dumps(options)})
    assert answer.status_code == 422 and message in answer.text


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([0], "empty or zero terms"),
        ([[]], "empty or zero terms"),
        ([4], "has 3 pages"),
        ([2, 1], "ascend"),
        ([[1, 2], 2], "ascend"),
        ([[3, 2]], "not a range"),
        ([-1], "not a range"),
    ],
)
def test_6_2_pages_that_do_not_exist_are_reported_in_the_body(
    http: httpx.Client, pages: list[Any], message: str
) -> None:
    body = partition(http, pdf(["One", "Two", "Three"]), selected_pages=pages)
    assert body["status_code"] == 400 and message in body["error"]


def test_6_2_an_unsupported_language_is_reported_with_the_supported_ones(
    http: httpx.Client,
) -> None:
    body = partition(http, png(60, 40), ocr_language="klingon")
    assert body["status_code"] == 400
    assert "klingon" in body["error"] and "german" in body["error"]


def test_6_2_an_unknown_option_is_ignored_and_reported(http: httpx.Client) -> None:
    status = partition(http, b"One", depth=3)["status"]
    assert [line for line in status if "ignored" in line] == ["option depth: unknown, ignored"]


def test_6_2_an_unavailable_language_is_reported_even_if_no_page_needs_it(
    http: httpx.Client,
) -> None:
    body = partition(http, pdf(["One"]), ocr_language="klingon")
    assert texts(body) == ["One"]
    assert any("klingon: not available" in line for line in body["status"])


def test_6_2_selected_pages_are_numbers_and_ranges(http: httpx.Client) -> None:
    body = partition(http, pdf(["One", "Two", "Three", "Four"]), selected_pages=[[1, 2], 4])
    assert texts(body) == ["One", "Two", "Four"]
    assert [element["properties"]["page_number"] for element in body["elements"]] == [1, 2, 4]


# -- text -----------------------------------------------------------------------------------------


def test_6_2_text_mode_ocr_reads_the_picture_of_a_page(http: httpx.Client) -> None:
    big = drawn(
        lambda canvas: (canvas.setFont("Helvetica", 30), canvas.drawString(72, 600, "Mole"))
    )
    document = partition(http, big, text_mode="ocr_standard")
    assert any("OCR" in line for line in document["status"])
    assert not any("OCR" in line for line in partition(http, big)["status"])
    vision = partition(http, big, text_mode="ocr_vision")
    assert texts(vision) == texts(document)
    assert any("no vision model" in line for line in vision["status"])


def test_6_2_only_pages_without_text_fall_back_to_ocr(http: httpx.Client) -> None:
    sent = drawn(lambda canvas: canvas.drawString(72, 600, "Mole"), illustrated_whole)
    for mode in ("auto", "inline_fallback_to_ocr", "inline"):
        body = partition(http, sent, text_mode=mode, ocr_language="german")
        assert texts(body) == ["Mole", "Hafen der Insel"]
        assert [line for line in body["status"] if "OCR" in line] == ["page 2 read by OCR"]


def test_6_2_an_older_spelling_of_a_text_mode_means_the_same(http: httpx.Client) -> None:
    sent = drawn(lambda canvas: (canvas.setFont("Helvetica", 30), canvas.drawString(72, 600, "M8")))
    for options in (
        {"text_mode": "standard_ocr"},
        {"text_mode": "vision_ocr"},
        {"text_extraction_options": {"ocr_text_mode": "standard"}},
    ):
        body = partition(http, sent, **options)
        assert any("OCR" in line for line in body["status"]) == ("text_mode" in options)


def test_6_2_line_breaks_are_removed_unless_they_are_wanted(http: httpx.Client) -> None:
    options = {"remove_line_breaks": False}
    assert texts(partition(http, "one\ntwo")) == ["one two"]
    assert texts(partition(http, "one\ntwo", text_extraction_options=options)) == ["one\ntwo"]


def test_6_2_only_elements_above_the_threshold_are_kept(http: httpx.Client) -> None:
    assert partition(http, "words", threshold=1)["elements"] == []
    assert len(partition(http, "words", threshold="0.5")["elements"]) == 1
    assert len(partition(http, "words", threshold="auto")["elements"]) == 1


# -- tables ---------------------------------------------------------------------------------------


def test_6_2_custom_tables_name_the_model_that_the_expression_chose(http: httpx.Client) -> None:
    def chosen(**options: Any) -> str | None:
        elements = partition(http, TABLE, "a.md", **options)["elements"]
        (table,) = [element for element in elements if element["type"] == "table"]
        model: str | None = table["properties"].get("table_model")
        return model

    rules = {"model_selection": "chars > 100000 -> table_transformer; deformable_detr"}
    assert chosen(table_mode="custom", table_extraction_options=rules) == "deformable_detr"
    assert chosen(table_mode="custom") == "deformable_detr"
    assert chosen(table_extraction_options=rules) is None


def test_6_2_vision_tables_fall_back_to_standard_and_that_is_reported(http: httpx.Client) -> None:
    standard, vision = (
        partition(http, TABLE, "a.md", table_mode=m) for m in ("standard", "vision")
    )
    assert vision["elements"] == standard["elements"]
    assert any("no vision model" in line for line in vision["status"])


def test_6_2_the_text_of_a_table_is_left_out_when_not_wanted(http: httpx.Client) -> None:
    for wanted in (True, False):
        options = {"include_additional_text": wanted}
        results = partition(http, TABLE, "a.md", table_extraction_options=options)["elements"]
        (table,) = [element for element in results if element["type"] == "table"]
        assert (table["text_representation"] is not None) == wanted


# -- pictures -------------------------------------------------------------------------------------


def test_6_2_pictures_come_with_their_caption(http: httpx.Client) -> None:
    options = {"associate_captions": True, "extract_image_format": "PNG"}
    body = partition(
        http, drawn(illustrated), extract_images=True, image_extraction_options=options
    )
    (image,) = [element for element in body["elements"] if element["type"] == "Image"]
    caption = image["properties"]["caption"]
    assert (caption["type"], caption["text_representation"]) == (
        "Caption",
        "Figure 1. The sign at the gate",
    )
    assert base64.b64decode(image["binary_representation"]).startswith(b"\x89PNG")


def test_6_2_a_summary_has_the_text_of_a_picture_and_its_appearance(
    http: httpx.Client,
) -> None:
    first, again = (partition(http, drawn(illustrated), summarize_images=True) for _ in range(2))
    (image,) = [element for element in first["elements"] if element["type"] == "Image"]
    summary = image["text_representation"]
    assert summary.startswith("Figure 1. The sign at the gate. Text in the picture: Harbour of Ost")
    assert "drawing or diagram" in summary and "mainly white" in summary
    assert "binary_representation" not in image
    assert first["elements"] == again["elements"]


# -- chunks ---------------------------------------------------------------------------------------


def test_6_2_chunks_keep_to_their_limit_in_each_strategy(http: httpx.Client) -> None:
    text = "\n\n".join(f"# Part {n}\n\n{WIDE}" for n in range(4))
    for strategy in ("context_rich", "maximize_within_limit", "mixed_multi_column"):
        options = {"strategy": strategy, "max_tokens": 90, "tokenizer": "character_tokenizer"}
        body = partition(http, text, "a.md", chunking_options=options)
        assert max(map(len, texts(body))) <= 90
        assert "Section" in kinds(body)
    assert "Section" not in kinds(partition(http, text, "a.md"))


def test_6_2_each_tokenizer_counts_in_its_own_way(http: httpx.Client) -> None:
    def count(**options: Any) -> int:
        body = partition(http, WIDE * 6, chunking_options={"max_tokens": 60} | options)
        return len(body["elements"])

    letters, openai = count(tokenizer="character_tokenizer"), count(tokenizer="openai_tokenizer")
    others = count(
        tokenizer="huggingface_tokenizer",
        tokenizer_options={"model_name": "sentence-transformers/all-MiniLM-L6-v2"},
    )
    assert letters > others >= openai > 1
    assert count() == openai


def test_6_2_estimated_tokens_are_reported_as_such(http: httpx.Client) -> None:
    for tokenizer, reported in (("openai_tokenizer", True), ("character_tokenizer", False)):
        body = partition(http, WIDE, chunking_options={"tokenizer": tokenizer})
        assert any("estimated" in line for line in body["status"]) is reported


def test_6_2_chunks_may_stay_on_their_page(http: httpx.Client) -> None:
    pages = pdf(["One", "Two"])
    assert len(texts(partition(http, pages, chunking_options={}))) == 1
    apart = partition(http, pages, chunking_options={"merge_across_pages": False})
    assert [e["properties"]["page_number"] for e in apart["elements"]] == [1, 2]
    mixed = partition(http, pages, chunking_options={"strategy": "mixed_multi_column"})
    assert "One\nTwo" not in texts(mixed)


# -- output ---------------------------------------------------------------------------------------


def test_6_2_markdown_has_page_numbers_and_margins_when_wanted(http: httpx.Client) -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 810, "Harbour board")
        canvas.drawString(72, 500, WIDE[:80])
        canvas.drawString(72, 20, "Confidential")

    def written(**options: bool) -> str:
        body = partition(
            http, drawn(page, page, page), output_format="markdown", markdown_options=options
        )
        text: str = body["markdown"]
        return text

    assert "Harbour board" not in written() and "Confidential" not in written()
    assert "Harbour board" in written(include_headers=True)
    assert "Confidential" in written(include_footers=True)
    assert "Page 3" in written(include_pagenum=True)


def test_6_2_texts_for_people_are_written_before_chunking(http: httpx.Client) -> None:
    body = partition(
        http, f"# Part\n\n{WIDE}", "a.md", output_format="markdown", chunking_options={}
    )
    assert body["markdown"].startswith("# Part\n\nBerths")


def test_6_2_a_heading_is_promoted_to_title_when_wanted(http: httpx.Client) -> None:
    text = "## Small\n\ntext\n\n# Large\n\ntext\n\n# Other"
    titles = [kind for kind in kinds(partition(http, text, "a.md")) if kind == "Title"]
    assert titles == []
    options = {"promote_title": True}
    body = partition(http, text, "a.md", output_label_options=options)
    assert [e["text_representation"] for e in body["elements"] if e["type"] == "Title"] == ["Large"]
    options |= {"title_candidate_elements": ["Caption"]}
    assert "Title" not in kinds(partition(http, text, "a.md", output_label_options=options))


def test_6_2_orientation_is_corrected_when_wanted(http: httpx.Client) -> None:
    def boxes(body: dict[str, Any]) -> tuple[float, float]:
        x0, y0, x1, y1 = body["elements"][0]["bbox"]
        return x1 - x0, y1 - y0

    sent = drawn(sideways)
    width, height = boxes(partition(http, sent))
    assert 842 * height > 595 * width
    options = {"orientation_correction": True}
    body = partition(http, sent, output_label_options=options, return_pdf_base64=True)
    width, height = boxes(body)
    assert 842 * width > 595 * height
    returned = pdfium.PdfDocument(base64.b64decode(body["pdf_base64"]))
    assert returned[0].get_width() > returned[0].get_height()
    returned.close()


# -- the rest -------------------------------------------------------------------------------------


def test_6_2_a_picture_comes_back_as_pdf_and_a_text_does_not(http: httpx.Client) -> None:
    body = partition(http, png(60, 40), return_pdf_base64=True)
    assert base64.b64decode(body["pdf_base64"]).startswith(b"%PDF")
    body = partition(http, "text", return_pdf_base64=True)
    assert "pdf_base64" not in body and any("no PDF is returned" in s for s in body["status"])


def test_6_2_the_vision_pipeline_ignores_options_it_decides_itself(http: httpx.Client) -> None:
    wrong = {"threshold": 7, "table_mode": "x", "text_mode": "x", "extract_images": True}
    body = partition(http, "text", pipeline="vision", **wrong)
    assert texts(body) == ["text"]
    assert any("pipeline vision" in line for line in body["status"])


def test_6_2_voting_reports_the_guesses_that_lost(http: httpx.Client) -> None:
    for voting in (True, False):
        options = {"schema": [{"name": "city", "type": {"type": "string"}}], "voting": voting}
        body = partition(http, "City: Brisa\n\nCity: Larkham", property_extraction_options=options)
        read = body["property_metadata"]["city"]
        guesses = [read, *read.get("other_guesses", []), *read.get("alternatives", [])]
        named = {guess["value"] for guess in guesses} - {None}
        assert named == {"Brisa", "Larkham"}
        assert bool(read.get("other_guesses")) == voting


def test_6_2_suggestions_look_at_the_first_twenty_pages(http: httpx.Client) -> None:
    late = pdf([*[""] * 20, "Harbour master: Ann Ostend"])
    options = {"suggest_properties": True}
    assert partition(http, late, property_extraction_options=options)["schema"] == []
    early = partition(
        http, pdf(["Harbour master: Ann Ostend"]), property_extraction_options=options
    )
    assert len(early["schema"]) == 1


def test_6_2_the_public_client_may_send_every_parameter_it_has(backend: Any) -> None:
    chunking = {
        "strategy": "context_rich",
        "tokenizer": "openai_tokenizer",
        "tokenizer_options": {"model_name": "text-embedding-3-small"},
        "max_tokens": 512,
        "merge_across_pages": True,
    }
    data = sdk.partition_file(
        io.BytesIO(drawn(illustrated)),
        aryn_api_key=backend.token,
        docparse_url=f"{backend.url}{PATH}",
        threshold=0.1,
        text_mode="inline_fallback_to_ocr",
        table_mode="custom",
        summarize_images=True,
        ocr_language="english",
        text_extraction_options={"remove_line_breaks": True},
        table_extraction_options={
            "include_additional_text": True,
            "model_selection": "pixels>50->table_transformer;chars<30->deformable_detr;"
            "table_transformer;comment",
        },
        image_extraction_options={"associate_captions": True, "extract_image_format": "PNG"},
        extract_images=True,
        selected_pages=[[1, 1]],
        chunking_options=chunking,
        output_format="json",
        markdown_options={"include_pagenum": True},
        output_label_options={"promote_title": True, "orientation_correction": True},
        return_pdf_base64=True,
        filename="sign.pdf",
        content_type="application/pdf",
        property_extraction_options={"schema": [{"name": "gate", "type": {"type": "string"}}]},
        pipeline="standard",
    )
    assert data["status_code"] == 200 and data["elements"]
    assert base64.b64decode(data["pdf_base64"]).startswith(b"%PDF")
    assert set(data["properties"]) == {"gate"}


def test_6_2_the_public_client_opens_the_pictures_it_gets(backend: Any) -> None:
    for form in ("PPM", "JPEG"):
        data = sdk.partition_file(
            io.BytesIO(drawn(illustrated)),
            aryn_api_key=backend.token,
            docparse_url=f"{backend.url}{PATH}",
            extract_images=True,
            extract_image_format=form,
            extract_table_structure=True,
            use_ocr=False,
        )
        (image,) = [element for element in data["elements"] if element["type"] == "Image"]
        picture = sdk.convert_image_element(image)
        assert isinstance(picture, Image.Image) and picture.width > 2 * picture.height
