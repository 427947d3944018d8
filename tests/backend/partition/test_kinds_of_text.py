"""Texts whose kind their beginning hides."""

import pytest

from backend.partition import PartitionFailure
from tests.backend.partition.conftest import Read


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<!-- header -->\n<!DOCTYPE html><p>First<br>second", ["First", "second"]),
        (b"<!-- head <b> -->\n<!-- more --><table border=1><tr><td>a<td>b</table>", ["a", "b"]),
        (b"<?xml version='1.0'?><!-- a <note> --><html><p>First<p>second</html>", ["First"]),
    ],
)
def test_html_may_begin_with_a_comment(read: Read, data: bytes, words: list[str]) -> None:
    elements = read(data, "page.html").elements
    text = " ".join(element.text_representation or "" for element in elements)
    assert all(word in text for word in words) and "head" not in text


def test_xml_may_begin_with_a_comment(read: Read) -> None:
    elements = read(b"<!-- head --><letter><body>Dear Sir</body></letter>", "letter.xml").elements
    assert [element.text_representation for element in elements] == ["Dear Sir"]


@pytest.mark.parametrize("blank", [b"\n", b" ", b"\f"])
@pytest.mark.parametrize("count", [4_096, 8_192, 20_000])
def test_words_are_read_behind_any_number_of_blanks(read: Read, blank: bytes, count: int) -> None:
    elements = read(blank * count + b"END of the text", "late.txt").elements
    assert [element.text_representation for element in elements] == ["END of the text"]


@pytest.mark.parametrize("data", [b"", b" " * 20_000, b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
def test_a_file_of_blanks_or_only_a_mark_is_empty(read: Read, data: bytes) -> None:
    with pytest.raises(PartitionFailure, match="is empty"):
        read(data, "blank.txt")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Dear Sir,\x0bthe report\x0bis here", "Dear Sir, the report is here"),
        (b"Dear Sir, see below.\x00", "Dear Sir, see below."),
        (b"Dear Sir, see below.\x1a\x00\x00", "Dear Sir, see below."),
        (b"The N\bNA\bAM\bME\bE of _\bt_\bh_\be command", "The NAME of the command"),
    ],
)
def test_control_characters_that_programs_write_into_texts_make_them_no_binary_files(
    read: Read, data: bytes, text: str
) -> None:
    assert [element.text_representation for element in read(data, "a.txt").elements] == [text]


def test_a_binary_file_is_refused(read: Read) -> None:
    with pytest.raises(PartitionFailure, match="binary file of an unknown kind"):
        read(bytes(range(1, 32)) * 20 + b"\x00words", "a.bin")
