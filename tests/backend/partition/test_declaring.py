"""What the format of a file says of the document is noted on the element that shows it."""

import io
from typing import Any

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas

from backend.partition import sniff
from tests.backend.partition import samples
from tests.backend.partition.conftest import Read, lines

MAIL = (
    b"From: Ada Lane <ada@example.org>\nTo: Bo Reed <bo@example.org>, cy@example.org\n"
    b"Subject: The harbour\nDate: Tue, 4 May 2021 16:05:00 +0200\n\nA rope.\n"
)


def declared(result: Any) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for element in result.elements:
        for name, value in element.properties.get("declares", {}).items():
            out[name] = (value, element.text_representation)
    return out


def test_the_header_of_a_mail_is_declared_field_by_field(read: Read) -> None:
    assert declared(read(MAIL, "a.eml")) == {
        "subject": ("The harbour", "The harbour"),
        "from": ("Ada Lane <ada@example.org>", "From: Ada Lane <ada@example.org>"),
        "to": (
            ["Bo Reed <bo@example.org>", "cy@example.org"],
            "To: Bo Reed <bo@example.org>, cy@example.org",
        ),
        "date": ("2021-05-04T16:05:00+02:00", "Date: Tue, 4 May 2021 16:05:00 +0200"),
    }


def test_the_fields_of_an_outlook_message_are_declared(read: Read) -> None:
    declared_read = declared(read(samples.SAMPLES[sniff.MSG]()))
    assert {name: value for name, (value, _) in declared_read.items()} == {
        "subject": "The harbour",
        "from": "Ann",
        "date": "2024-01-02 12:00:00+00:00",
    }


def test_a_header_written_without_encoding_or_quotes_is_read_as_meant(read: Read) -> None:
    mail = "From: Offers, fresh <news@example.org>\nSubject: Der große Steg – für 1 Jahr\n\nHi\n"
    declared_read = declared(read(mail.encode(), "a.eml"))
    assert declared_read["from"][0] == "Offers, fresh <news@example.org>"
    assert declared_read["subject"] == ("Der große Steg – für 1 Jahr",) * 2


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("=?x-none?q?The_harbour?= in May", "The harbour in May"),
        ("=?us-ascii?q?Gro=C3=9Fe?= Boote", "Große Boote"),
        ("Re: =?utf-8?b?AAAAA?= =?utf-8?q?harbour?=", "Re: =?utf-8?b?AAAAA?= harbour"),
    ],
)
def test_of_a_header_encoded_wrongly_all_is_kept_that_can_be_read(
    read: Read, field: str, text: str
) -> None:
    result = declared(read(f"From: a@example.org\nSubject: {field}\n\nHi\n".encode(), "a.eml"))
    assert result["subject"] == (text, text)


@pytest.mark.parametrize("title", ["The Harbour", "the  harbour"])
def test_a_title_in_the_metadata_is_declared_where_the_document_shows_it(
    read: Read, title: str
) -> None:
    buffer = io.BytesIO()
    made = docx.Document()
    made.core_properties.title = title
    made.add_heading("The harbour", 1)
    made.add_paragraph("A rope.")
    made.save(buffer)
    assert declared(read(buffer.getvalue())) == {"title": (" ".join(title.split()), "The harbour")}


def test_a_title_that_only_the_metadata_know_is_not_believed(read: Read) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.setTitle("Template 7 (final).dotx")
    lines(canvas, 100, 700, ["The harbour"], size=20)
    canvas.save()
    assert declared(read(buffer.getvalue())) == {}


def test_damaged_metadata_cost_no_more_than_the_title(read: Read) -> None:
    partition = read(samples.repacked(samples.word(), "docProps/core.xml", b"<broken"))
    assert declared(partition) == {} and partition.elements
