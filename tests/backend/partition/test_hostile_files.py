"""Damaged and malicious files of every format end soon, with elements or with a clear error.

The mutations are seeded: a run that fails says its seed. The long form tries many more of them.
"""

import io
import itertools
import random
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.partition import PartitionFailure, partition, sniff
from backend.partition.rendering import render_page
from tests.backend.partition.conftest import Read, office
from tests.backend.partition.rich_samples import RICH_SAMPLES
from tests.backend.partition.samples import SAMPLES, cell, opendocument, sheets, word
from tests.long_fuzz import until
from tests.reliability.growing_documents import pdf_pictures
from workbench.contract.partition_options import PartitionOptions

VALUES = re.compile(rb'="([^"]*)"|>([^<>]+)<')
WORDS = re.compile(rb"-?\d+(?:\.\d+)?|/\w+|\\\w+")
STRANGE = [
    b"", b"-1", b"0", b"99999999999", b"1e400", b"NaN", b"x", b"\xc2\xb2", b"true", b"../../x",
    b"A1:XFD1048576", b"ZZZ9999999",
]  # fmt: skip
REGRESSIONS = [(sniff.XLS, 1481), (sniff.XLS, 1761)]
"""What the long form has found: kind and seed."""
LEFT_OUT = {"image/jpeg", "image/tiff", "image/bmp", "image/webp"}
"""One kind of picture is enough: all are opened by the same library, and OCR takes its time."""


def bytes_changed(chance: random.Random, data: bytes) -> bytes:
    """Bits, bytes and lengths turned over; parts left out, doubled, moved."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 2, 4, 10, 40))):
        at = chance.randrange(len(out) + 1)
        size = chance.choice((1, 4, 64, 500))
        way = chance.randrange(5)
        if way == 0 and out:
            out[at % len(out)] ^= 1 << chance.randrange(8)
        elif way == 1:
            out[at : at + 4] = chance.choice((b"\xff" * 4, bytes(4), b"\xff\xff\xff\x7f", b"9999"))
        elif way == 2:
            del out[at : at + size]
        elif way == 3:
            out[at:at] = out[at : at + size] * chance.choice((1, 2, 30))
        elif chance.random() < 0.3:
            del out[at:]
    return bytes(out)


def values_changed(chance: random.Random, data: bytes) -> bytes:
    """Attributes and texts of an XML text replaced by strange ones."""
    for _ in range(chance.choice((1, 2, 5, 20))):
        hits = list(VALUES.finditer(data))
        if hits:
            match = chance.choice(hits)
            start, end = match.span(1 if match[1] is not None else 2)
            data = data[:start] + chance.choice(STRANGE) + data[end:]
    return data if chance.random() < 0.8 else bytes_changed(chance, data)


def parts_changed(chance: random.Random, data: bytes) -> bytes:
    """An archive with some of its parts changed or left out."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        names = [name for name in source.namelist() if name != "mimetype"]
        chosen = chance.choice(names)
        for name in source.namelist():
            content = source.read(name)
            if name == chosen or (name in names and chance.random() < 0.1):
                if chance.random() < 0.1:
                    continue
                content = values_changed(chance, content)
            target.writestr(name, content)
    return buffer.getvalue()


def words_changed(chance: random.Random, data: bytes) -> bytes:
    """Numbers and names of a text replaced by strange ones, or by others of the same text."""
    for _ in range(chance.choice((1, 2, 5, 20))):
        hits = list(WORDS.finditer(data))
        if hits:
            start, end = chance.choice(hits).span()
            put = chance.choice((chance.choice(STRANGE), chance.choice(hits)[0]))
            data = data[:start] + put + data[end:]
    return data


def mutated(chance: random.Random, data: bytes) -> bytes:
    if data[:5] in (b"%PDF-", b"{\\rtf") and chance.random() < 0.6:
        return words_changed(chance, data)
    if data[:2] == b"PK" and chance.random() < 0.85:
        return parts_changed(chance, data)
    if data.lstrip()[:1] == b"<":
        return values_changed(chance, data)
    return bytes_changed(chance, data)


def survive(folder: Path, kind: str, seeds: range, *, rich: bool = False) -> None:
    sample = (RICH_SAMPLES if rich else SAMPLES)[kind]()
    source = folder / "source"
    options = PartitionOptions.read({"extract_images": True, "chunking_options": {}})
    for seed in seeds:
        source.write_bytes(mutated(random.Random(f"{kind} {seed}"), sample))
        began = time.process_time()
        try:
            partition(source, name="x", options=options, progress=lambda done, total: None)
        except PartitionFailure as failure:
            assert failure.status_code in (400, 415, 422) and failure.detail.endswith(".")
        except Exception as error:
            raise AssertionError(f"{kind}, seed {seed}") from error
        assert time.process_time() - began < 20, f"{kind}, seed {seed}"


@pytest.mark.parametrize("kind", sorted(set(sniff.FORMATS) - LEFT_OUT))
def test_a_damaged_file_ends_with_elements_or_a_clear_error(tmp_path: Path, kind: str) -> None:
    survive(tmp_path, kind, range(5 if kind.startswith("image/p") else 25))


@pytest.mark.parametrize("kind", sorted(RICH_SAMPLES))
def test_a_damaged_file_with_much_in_it_ends_with_elements_or_a_clear_error(
    tmp_path: Path, kind: str
) -> None:
    survive(tmp_path, kind, range(5), rich=True)


@pytest.mark.parametrize("kind", sorted(RICH_SAMPLES))
def test_samples_are_readable_before_they_are_damaged(read: Read, kind: str) -> None:
    stated = " ".join(
        element.text_representation or "" for element in read(RICH_SAMPLES[kind]()).elements
    )
    assert "rope" in stated or "harbour" in stated


@pytest.mark.parametrize(("kind", "seed"), REGRESSIONS)
def test_damaged_files_that_once_broke_a_reader(tmp_path: Path, kind: str, seed: int) -> None:
    survive(tmp_path, kind, range(seed, seed + 1))


@pytest.mark.soak
@pytest.mark.parametrize("kind", sorted(set(sniff.FORMATS) - LEFT_OUT))
def test_many_damaged_files_end_with_elements_or_a_clear_error(tmp_path: Path, kind: str) -> None:
    survive(tmp_path, kind, range(1000, 1020 if kind.startswith("image/p") else 2000))


@pytest.mark.soak
def test_files_damaged_in_very_many_ways_end_with_elements_or_a_clear_error(tmp_path: Path) -> None:
    """All formats in turn, for as long as fuzzing goes on; those with much in them more often."""
    plain = [(kind, False) for kind in sorted(set(sniff.FORMATS) - LEFT_OUT)]
    turns, end = plain + 3 * [(kind, True) for kind in sorted(RICH_SAMPLES)], until()
    for number in itertools.count(10_000):
        if time.monotonic() > end:
            break
        kind, rich = turns[number % len(turns)]
        survive(tmp_path, kind, range(number, number + 1), rich=rich)
    print(f"partition: {number - 10_000} files")


# -- what was found, and what attackers are known to send -----------------------------------------


def _table(attributes: str, cells: int, rows: int) -> str:
    one = f"<td {attributes}>x</td>" * cells
    return f"<table>{f'<tr>{one}</tr>' * rows}</table>"


def _damaged_part() -> bytes:
    data = bytearray(word())
    at = data.index(b"word/document.xml") + 60
    data[at : at + 40] = bytes(40)
    return bytes(data)


_RANGES = "".join(f'<mergeCell ref="A{row}:Z{row + 90}"/>' for row in range(1, 2000))
_REPEATED = (
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
    'table:number-columns-repeated="30"><text:p>a</text:p></table:table-cell></table:table-row>'
)
_SPANNING = (
    '<table:table-cell table:number-columns-repeated="1000" table:number-columns-spanned="1000" '
    'table:number-rows-spanned="1000"><text:p>a</text:p></table:table-cell>'
)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: _table("rowspan=1000 colspan=1000", 1, 900).encode(), id="spans"),
        pytest.param(
            lambda: sheets(
                f"<sheetData><row>{cell('A1', 'x')}</row></sheetData><mergeCells>"
                '<mergeCell ref="A1:XFD1048576"/></mergeCells>'
            ),
            id="one-merged-range-over-the-sheet",
        ),
        pytest.param(
            lambda: sheets(
                "<sheetData>"
                + "".join(f"<row>{cell(f'A{row}', 'x')}</row>" for row in range(1, 2000))
                + f"</sheetData><mergeCells>{_RANGES}</mergeCells>"
            ),
            id="overlapping-merged-ranges",
        ),
        pytest.param(
            lambda: opendocument(
                "text",
                "<table:table>"
                + f"<table:table-row>{_SPANNING * 20}</table:table-row>" * 50
                + "</table:table>",
            ),
            id="repeated-spans",
        ),
        pytest.param(
            lambda: opendocument("spreadsheet", f"<table:table>{_REPEATED}</table:table>"),
            id="repeated-rows",
        ),
        pytest.param(
            lambda: word("<w:p><w:pPr><w:outlineLvl w:val='²'/></w:pPr></w:p>"), id="odd-digits"
        ),
        pytest.param(lambda: b"<div>" * 100_000 + b"x", id="deep-html"),
        pytest.param(lambda: b"<?xml version='1.0'?>" + b"<a>" * 9000, id="deep-xml"),
        pytest.param(lambda: b"{\\rtf1 " + b"{\\b " * 9000, id="deep-rtf"),
        pytest.param(_damaged_part, id="damaged-compression"),
        pytest.param(
            lambda: b"From: a\nTo: b\nSubject: " + b"=?utf-8?q?a?= " * 60_000 + b"\n\nx",
            id="long-field-of-a-mail",
        ),
        pytest.param(
            lambda: (
                b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'bb'><!ENTITY c '"
                + b"&b;" * 900
                + b"'>]><a>"
                + b"&c;" * 900
                + b"</a>"
            ),
            id="entities",
        ),
        pytest.param(
            lambda: (
                b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n"
                + b"--b\nContent-Type: text/plain\n\nx\n" * 60_000
            ),
            id="mail parts",
        ),
    ],
)
def test_known_attacks_end_within_seconds(read: Read, make: Callable[[], bytes]) -> None:
    began = time.process_time()
    try:
        result = read(make())
        assert sum(len(e.text_representation or "") for e in result.elements) < 10_000_000
    except PartitionFailure as failure:
        assert failure.status_code == 422
    assert time.process_time() - began < 15


def test_equal_rows_that_a_sheet_writes_once_are_all_read(read: Read) -> None:
    cell = (
        '<table:table-cell table:number-columns-repeated="2"><text:p>5</text:p></table:table-cell>'
    )
    row = f'<table:table-row table:number-rows-repeated="{{}}">{cell}</table:table-row>'
    result = read(opendocument("spreadsheet", f"<table:table>{row.format(3000)}</table:table>"))
    assert sum(len(e.table.cells) for e in result.elements if e.table is not None) == 6000
    cut = read(opendocument("spreadsheet", f"<table:table>{row.format(10**9)}</table:table>"))
    assert any("only the first 400000 cells were read" in note for note in cut.notes)


def test_a_text_that_a_sheet_repeats_in_its_cells_does_not_multiply_the_file(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.partition.flow._MAX_REPEATED", 1_000)
    text = f"<text:p>{'x' * 90}</text:p>"
    cell = f'<table:table-cell table:number-columns-repeated="3">{text}</table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="9">{cell}</table:table-row>'
    for kind in ("spreadsheet", "text"):
        result = read(opendocument(kind, f"<table:table>{row}</table:table>"))
        assert sum(len(e.table.cells) for e in result.elements if e.table is not None) == 12
        assert result.notes == [
            "page 1: a table is cut, because the cells of the file repeat more than 1,000"
            " characters"
        ]


@pytest.mark.parametrize(
    "large",
    ["<script>{}</script>", "<img src='data:image/png;base64,{}'>", "<!--{}-->", "<p>{}</p>"],
)
def test_content_after_a_large_part_of_a_page_is_read(read: Read, large: str) -> None:
    page = f"<!doctype html><p>Before.</p>{large.format('words ' * 2_000_000)}<p>After.</p>"
    texts = [element.text_representation for element in read(page.encode()).elements]
    assert texts[0] == "Before." and texts[-1] == "After."


def test_an_archive_in_an_archive_is_not_unpacked(read: Read) -> None:
    with pytest.raises(PartitionFailure, match="not an Office file"):
        read(office({"inner.zip": "PK\x03\x04"}))


def test_pictures_that_a_page_draws_too_often_are_left_out_of_it_and_named(
    read: Read, tmp_path: Path
) -> None:
    text = b"BT /F1 12 Tf 72 260 Td (Contract) Tj ET\n"
    (tmp_path / "page.pdf").write_bytes(pdf_pictures(20_000).replace(b"q 9 0", text + b"q 9 0", 1))
    began = time.process_time()
    partitioned = read((tmp_path / "page.pdf").read_bytes())
    assert render_page(tmp_path / "page.pdf", 1, 400).width == 400
    assert time.process_time() - began < 20  # minutes before
    assert [e.text_representation for e in partitioned.elements] == ["Contract"]
    assert any("pictures over the limit were left out" in note for note in partitioned.notes)
