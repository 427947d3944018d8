"""Entities that an XML text declares stay unread, and the document says so; all words are kept."""

import pytest

from tests.backend.partition.conftest import Read
from tests.backend.partition.samples import (
    flat,
    repacked,
    sheets,
    word,
)

DECLARED = '<!DOCTYPE a [<!ENTITY e "E"><!ENTITY f SYSTEM "file:///etc/hostname">]>'
TEXT = "one &e; two &f;&e; three"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SVG = "http://www.w3.org/2000/svg"
FILES = {
    "docx": repacked(
        word("<w:p/>"),
        "word/document.xml",
        f'{DECLARED}<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>{TEXT}</w:t></w:r></w:p>'
        "</w:body></w:document>".encode(),
    ),
    "xlsx": repacked(
        sheets(""),
        "xl/s.xml",
        f'{DECLARED}<worksheet xmlns="{S}"><sheetData><row><c t="inlineStr"><is><t>{TEXT}</t></is>'
        "</c></row></sheetData></worksheet>".encode(),
    ),
    "svg": f'{DECLARED}<svg xmlns="{SVG}"><text>{TEXT}</text></svg>'.encode(),
    "xml": f"<?xml version='1.0'?>{DECLARED}<a><b>{TEXT}</b></a>".encode(),
    "fodt": flat("text", f"<text:p>{TEXT}</text:p>").replace(b"?>", f"?>{DECLARED}".encode(), 1),
}


@pytest.mark.parametrize("kind", FILES)
def test_words_around_entities_are_kept_and_a_remark_names_these(read: Read, kind: str) -> None:
    result = read(FILES[kind], f"a.{kind}")
    assert result.elements[-1].text_representation == TEXT
    assert result.notes == ["references to XML entities were not replaced: 3 (&e;, &f;)"]
