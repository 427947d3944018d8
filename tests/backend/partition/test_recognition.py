"""What a file is, is found in the file, whatever its name says."""

import pytest

from backend.partition import PartitionFailure, sniff
from tests.backend.partition.conftest import Read, office
from tests.backend.partition.old_office import compound
from tests.backend.partition.samples import SAMPLES, flat, opendocument, word


def everything(read: Read, data: bytes, name: str = "upload") -> str:
    texts = []
    for element in read(data, name).elements:
        texts.append(element.text_representation or "")
        texts += [cell.content for cell in element.table.cells] if element.table else []
    return " ".join(texts).lower()


@pytest.mark.parametrize("kind", sniff.FORMATS)
def test_each_format_is_known_and_read_under_a_false_name(read: Read, kind: str) -> None:
    named = "no-name" if kind in (sniff.PLAIN, sniff.MARKDOWN, sniff.CSV) else "false.zip"
    partition = read(SAMPLES[kind](), named)
    assert partition.content_type == kind
    text = everything(read, SAMPLES[kind](), named)
    assert "harbour" in text and "rope" in text


@pytest.mark.parametrize("kind", ["text", "spreadsheet", "presentation"])
def test_flat_opendocument_files_have_their_declared_type(read: Read, kind: str) -> None:
    partition = read(flat(kind, "<text:p>Words</text:p>"), "x.txt")
    assert partition.content_type == f"application/vnd.oasis.opendocument.{kind}"


def test_templates_are_read_like_their_documents(read: Read) -> None:
    partition = read(opendocument("text-template", "<text:p>Words</text:p>"))
    assert partition.content_type == sniff.ODT
    assert [element.text_representation for element in partition.elements] == ["Words"]


def test_office_parts_with_other_names_are_located_by_type(read: Read) -> None:
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"
    types = f'<Types><Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
    partition = read(office({"[Content_Types].xml": types, "word/document.xml": "<a/>"}))
    assert partition.content_type == sniff.DOCX


def test_strict_office_files_are_read_like_others(read: Read) -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    body = f'<w:document xmlns:w="{strict}"><w:body><w:p><w:r><w:t>Strict</w:t></w:r></w:p>'
    partition = read(office({"word/document.xml": f"{body}</w:body></w:document>"}))
    assert [e.text_representation for e in partition.elements] == ["Strict"]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Grüße aus dem Hafen", "utf-8"),
        ("Grüße aus dem Hafen", "utf-8-sig"),
        ("Grüße aus dem Hafen", "utf-16"),
        ("Grüße aus dem Hafen", "utf-16-le"),
        ("Grüße aus dem Hafen", "utf-16-be"),
        ("Grüße aus dem Hafen", "utf-32"),
        ("Grüße aus dem Hafen", "utf-32-le"),
        ("\ufeffGrüße aus dem Hafen", "utf-32-be"),
        ("Grüße aus dem Hafen", "utf-32-be"),
        ("Grüße aus dem Hafen – “so”", "cp1252"),
        ("Привет, это обычный русский текст о погоде и реке.", "cp1251"),
        ("これは日本語の文章です。港の年次報告書。", "shift_jis"),
        ("これは日本語の文章です。Port 2024 港の年次報告書。", "iso2022_jp"),
    ],
)
def test_text_is_read_in_its_encoding(read: Read, text: str, encoding: str) -> None:
    assert everything(read, text.encode(encoding), "a.txt") == text.lower().lstrip("\ufeff")


def test_html_is_read_in_the_encoding_it_declares(read: Read) -> None:
    page = '<html><head><meta charset="shift_jis"></head><body>日本</body></html>'
    assert everything(read, page.encode("shift_jis")) == "日本"


@pytest.mark.parametrize(
    ("data", "named", "status"),
    [
        (b"", "empty", 422),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "HEIC", 415),
        (b"GIF89a" + b"\x01" * 50, "GIF", 415),
        (b"\x7fELF" + b"\x00" * 60, "program", 415),
        (b"\x00\x01\x02" * 40, "unknown kind", 415),
        (b"".join(bytes([n, 0, 0, 0]) for n in range(256)), "unknown kind", 415),
        (office({"readme.txt": "x"}), "not an Office file", 415),
        (compound({"EncryptedPackage": b"x"}), "encrypted with a password", 422),
        (compound({"Other": b"x"}), "old binary Office file of an unknown kind", 415),
        (compound({"Other": b"x"})[:700], "damaged", 422),
        (opendocument("database", ""), "opendocument.database", 415),
        (word()[:300], "damaged", 422),
    ],
)
def test_other_files_are_refused_by_name_of_their_kind(
    read: Read, data: bytes, named: str, status: int
) -> None:
    with pytest.raises(PartitionFailure, match=named) as failure:
        read(data, "a.pdf")
    assert failure.value.status_code == status


def test_a_text_that_begins_like_a_picture_is_a_text(read: Read) -> None:
    assert read(b"BMW cars are built in Munich.", "a.txt").content_type == sniff.PLAIN


@pytest.mark.parametrize(
    ("data", "guessed"),
    [
        ("Имя;Город\nИван;Москва\nПётр;Казань\n".encode("koi8-r"), True),
        ("Příliš žluťoučký kůň".encode("iso8859-2"), True),
        ("Příliš žluťoučký kůň".encode(), False),
        (b"plain", False),
    ],
)
def test_a_guess_at_the_encoding_is_reported(read: Read, data: bytes, guessed: bool) -> None:
    notes = read(data, "a.txt").notes
    assert any("which was guessed" in note for note in notes) == guessed, notes


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("text/calendar; charset=utf-8", "BEGIN:VEVENT\r\nSUMMARY:Meet at noon", "Meet at noon"),
        ("multipart/mixed", "--x\r\n\r\nGrüße aus dem Hafen\r\n", "Grüße aus dem Hafen"),
    ],
)  # fmt: skip
def test_a_body_of_another_type_is_kept_as_text_and_named(
    read: Read, kind: str, body: str, words: str
) -> None:
    mail = (
        f"From: a@b.c\r\nSubject: Plan\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\n\r\n{body}"
    )
    result = read(mail.encode(), "a.eml")
    text = "\n".join(element.text_representation or "" for element in result.elements)
    assert words in text and "Attachment" not in text
    kind = kind.partition(";")[0]
    assert result.notes == [f"the body is of type {kind}: its words are kept"]


@pytest.mark.parametrize("declared", ["", "us-ascii", "x-none", "rot13", "idna"])
def test_a_mail_that_names_no_usable_encoding_is_read_in_its_own(read: Read, declared: str) -> None:
    kind = f"Content-Type: text/plain; charset={declared}\n" if declared else ""
    mail = f"From: a@b.c\nSubject: Band\n{kind}\nSaltmarsh Céilí Band – Fünen\n"
    texts = [element.text_representation for element in read(mail.encode(), "a.txt").elements]
    assert "Saltmarsh Céilí Band – Fünen" in texts


def test_a_mail_keeps_the_encoding_that_it_names(read: Read) -> None:
    head = "From: a@b.c\nSubject: Band\nContent-Type: text/plain; charset=iso-8859-2\n\n"
    result = read((head + "Łódź\n").encode("iso-8859-2"), "a.eml")
    assert result.elements[-1].text_representation == "Łódź"


def test_all_fields_of_a_mail_saved_as_text_are_kept_but_not_those_of_programs(read: Read) -> None:
    typed = "From: Tadhg\nTo: Orla\nSent: 14 Jan 2025 23:41\nSubject: The day\nRef: 7/12\n\nHi\n"
    texts = [element.text_representation for element in read(typed.encode(), "a.txt").elements]
    assert texts == [
        "The day", "From: Tadhg", "To: Orla", "Sent: 14 Jan 2025 23:41", "Ref: 7/12", "Hi",
    ]  # fmt: skip
    as_sent = "Received: from x\nX-Spam: 0\n" + typed
    texts = [element.text_representation for element in read(as_sent.encode(), "a.eml").elements]
    assert texts == ["The day", "From: Tadhg", "To: Orla", "Hi"]


def test_too_deep_xml_is_refused_without_advice_for_programmers(read: Read) -> None:
    with pytest.raises(PartitionFailure) as refused:
        read(b"<a>" * 300 + b"</a>" * 300, "a.xml")
    assert refused.value.detail == "The XML is nested too deeply to be read."
