"""The sample collection, as newcomers get it and other tests rely on it."""

import hashlib
import io
import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from docx import Document
from lxml import html

from tests.sample_reports import true_values, write_reports
from tests.sample_reports.events import draw_events
from workbench.contract.schema import Schema
from workbench.demo.documents import DEMO_SCHEMA, DemoDocument, write_documents


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[DemoDocument]:
    return write_documents(tmp_path_factory.mktemp("reports"))


def _text(path: Path) -> str:
    if path.suffix == ".pdf":
        pdf = pypdfium2.PdfDocument(path.read_bytes())
        text = "\n".join(page.get_textpage().get_text_bounded() for page in pdf)
        pdf.close()
        return text
    if path.suffix == ".docx":
        document = Document(io.BytesIO(path.read_bytes()))
        cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])
    return str(html.fromstring(path.read_bytes()).text_content())


def test_there_are_at_least_48_reports_in_three_formats(documents: list[DemoDocument]) -> None:
    kinds = [document.path.suffix for document in documents]
    assert len({document.path for document in documents}) >= 48
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        ".pdf": 24,
        ".docx": 12,
        ".html": 12,
    }


def test_the_reports_are_those_that_their_source_writes(
    documents: list[DemoDocument], tmp_path: Path
) -> None:
    stale = "run: python -m tests.sample_reports"
    facts = {document.facts["report_number"]: document.facts for document in documents}
    assert facts == {event.number: true_values(event) for event in draw_events(48, 7)}, stale
    for written in write_reports(tmp_path):
        packed = next(d.path for d in documents if d.path.name == written.path.name)
        assert _text(written.path) == _text(packed), stale


def test_equal_seeds_give_equal_bytes_and_other_seeds_give_other_reports(tmp_path: Path) -> None:
    def digest(folder: str, seed: int) -> list[str]:
        written = write_reports(tmp_path / folder, count=8, seed=seed)
        return [hashlib.sha256(document.path.read_bytes()).hexdigest() for document in written]

    assert digest("first", 3) == digest("second", 3)
    assert set(digest("first", 3)).isdisjoint(digest("third", 4))


def test_the_schema_is_valid_and_every_report_has_all_its_values(
    documents: list[DemoDocument],
) -> None:
    schema = Schema.model_validate(DEMO_SCHEMA)
    names = [prop.name for prop in schema.properties]
    assert all(list(document.facts) == names for document in documents)
    for prop in schema.properties:
        values = {document.facts[prop.name] for document in documents} - {None}
        assert len(values) > 1, f"{prop.name} is the same everywhere"
        if prop.kind == "choice":
            assert values <= set(prop.choices or [])


def test_the_text_states_the_true_values(documents: list[DemoDocument]) -> None:
    for document in documents:
        text = re.sub(r"\s+", " ", _text(document.path))
        for name in ("report_number", "state", "city", "aircraft_make", "aircraft_model", "cause"):
            assert str(document.facts[name]) in text, (document.path.name, name)
        hours = document.facts["pilot_hours"]
        assert f"{hours:,}" in text or str(hours) in text


def test_every_report_has_a_picture_and_a_table(documents: list[DemoDocument]) -> None:
    for document in documents:
        data = document.path.read_bytes()
        if document.path.suffix == ".pdf":
            assert b"/Subtype /Image" in data
        elif document.path.suffix == ".docx":
            names = zipfile.ZipFile(io.BytesIO(data)).namelist()
            assert "word/media/image1.png" in names
        else:
            assert b"<img src=" in data and b"<table>" in data


def test_some_reports_have_several_pages_with_page_numbers(
    documents: list[DemoDocument],
) -> None:
    pages = []
    for document in documents:
        if document.path.suffix == ".pdf":
            pdf = pypdfium2.PdfDocument(document.path.read_bytes())
            pages.append(len(pdf))
            assert f"Page {len(pdf)}" in pdf[len(pdf) - 1].get_textpage().get_text_bounded()
            pdf.close()
    assert {1, 2, 3} <= set(pages)
