"""What comes with a mail is listed, whatever its kind and whether or not it has a name."""

import pytest

from tests.backend.partition.conftest import Read
from tests.backend.partition.old_office import msg

HEAD = "From: a@example.org\r\nSubject: The outer one\r\nMIME-Version: 1.0\r\n"
SEE = "See attached."
WORDS = f"Content-Type: text/plain\r\n\r\n{SEE}\r\n"
MARKUP = "Content-Type: text/html\r\n\r\n<p>See attached.</p>\r\n"
PDF = "Content-Type: application/pdf\r\n\r\n%PDF\r\n"
NAMED = 'Content-Type: application/pdf; name="plan.pdf"\r\n\r\n%PDF\r\n'
MAIL = "Content-Type: message/rfc822\r\n\r\nSubject: The inner one\r\n\r\nWords.\r\n"
PICTURE = "Content-Type: image/png; name=logo.png\r\nContent-ID: <p>\r\n\r\nx\r\n"
UNNAMED = "Attachment without a name"
PLAIN = f"{UNNAMED} (text/plain)"


def several(kind: str, *parts: str) -> str:
    mark = f"{kind}-{len(parts)}"
    inside = "".join(f"--{mark}\r\n{part}" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary={mark}\r\n\r\n{inside}--{mark}--\r\n"


BOUNCE = several(
    "report",
    WORDS,
    "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nStatus: 5.1.1\r\n",
    "Content-Type: text/rfc822-headers\r\n\r\nSubject: The lost one\r\n",
)


@pytest.mark.parametrize(
    ("body", "listed"),
    [
        (several("mixed", WORDS, MAIL), ["Attachment: The inner one (message/rfc822)"]),
        (MAIL, ["Attachment: The inner one (message/rfc822)"]),
        (
            several("mixed", WORDS, PDF, NAMED),
            [f"{UNNAMED} (application/pdf)", "Attachment: plan.pdf (application/pdf)"],
        ),
        (BOUNCE, [f"{UNNAMED} (message/delivery-status)", f"{UNNAMED} (text/rfc822-headers)"]),
        (several("mixed", several("mixed", WORDS, PDF)), [f"{UNNAMED} (application/pdf)"]),
        (several("mixed", WORDS, WORDS), []),
        (several("mixed", WORDS, f"Content-Disposition: attachment\r\n{WORDS}"), [PLAIN]),
        (
            several("alternative", WORDS, several("mixed", MARKUP, NAMED)),
            ["Attachment: plan.pdf (application/pdf)"],
        ),
        (several("alternative", WORDS, several("related", MARKUP, PICTURE)), []),
        (several("mixed", WORDS, PICTURE), ["Attachment: logo.png (image/png)"]),
    ],
)
def test_all_that_a_mail_brings_besides_its_body_is_listed(
    read: Read, body: str, listed: list[str]
) -> None:
    texts = [e.text_representation or "" for e in read((HEAD + body).encode()).elements]
    assert [text for text in texts if text.startswith("Attachment")] == listed


def test_more_attachments_than_are_listed_leave_a_remark(read: Read) -> None:
    result = read((HEAD + several("mixed", WORDS, *[PDF] * 1001)).encode())
    assert result.notes == ["only the first 1000 attachments are listed"]


def plain(words: str) -> str:
    return f"Content-Type: text/plain\r\n\r\n{words}\r\n"


def markup(words: str) -> str:
    return f"Content-Type: text/html\r\n\r\n<p>{words}</p>\r\n"


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (several("mixed", plain("one"), PDF, plain("two")), ["one", "two"]),
        (several("mixed", markup("one"), markup("two")), ["one", "two"]),
        (several("mixed", plain("one"), markup("two"), plain("three")), ["one", "two", "three"]),
        (
            several("mixed", several("alternative", plain("form"), markup("one")), plain("two")),
            ["one", "two"],
        ),
        (
            several("mixed", markup("one"), several("alternative", plain("form"), markup("two"))),
            ["one", "two"],
        ),
        (several("alternative", markup("one"), several("mixed", plain("form"), PDF)), ["one"]),
        (
            several("alternative", plain("one"), several("mixed", plain("one and more"), PDF)),
            ["one and more"],
        ),
        (
            several(
                "mixed",
                plain("zero"),
                several("alternative", plain("one"), several("mixed", plain("one and more"), PDF)),
                plain("two"),
            ),
            ["zero", "one and more", "two"],
        ),
        (
            several("alternative", plain("all of one"), several("mixed", plain("one"), PDF)),
            ["all of one"],
        ),
        (
            several("alternative", plain("a"), several("mixed", plain("one"), PDF, plain("two"))),
            ["one", "two"],
        ),
        (
            several(
                "alternative", markup("one"), several("related", markup("one and more"), PICTURE)
            ),
            ["one and more"],
        ),
        (several("mixed", f"Content-Disposition: inline\r\n{plain('one')}", WORDS), ["one", SEE]),
    ],
)
def test_every_text_of_a_mail_is_read_once_and_in_order(
    read: Read, body: str, texts: list[str]
) -> None:
    read_texts = [e.text_representation or "" for e in read((HEAD + body).encode()).elements[2:]]
    assert [text for text in read_texts if not text.startswith("Attachment")] == texts


def test_more_texts_than_are_read_leave_a_remark(read: Read) -> None:
    result = read((HEAD + several("mixed", *[WORDS] * 1001)).encode())
    assert result.notes == ["only the first 1000 texts of the message are read"]


def test_an_attachment_of_outlook_without_a_name_is_listed(read: Read) -> None:
    elements = read(msg("Greetings", "Ann", "<p>Dear reader</p>", "")).elements
    assert elements[-1].text_representation == UNNAMED
