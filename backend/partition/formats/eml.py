"""E-mail (RFC 5322): subject, sender and date, then the body; attachments are named, not read."""

import email
import email.policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from functools import partial
from itertools import islice
from typing import cast

from backend.partition.document import Document, Request
from backend.partition.encodings import decode
from backend.partition.flow import Flow
from backend.partition.formats import plain
from backend.partition.formats.html import inline_picture, read_into

_LONGEST_FIELD = 20_000
_MOST_PARAMETERS = 16
_MOST_ATTACHMENTS = 1_000
_FIELDS = ("From", "To", "Cc", "Date")


class _ShortFields(email.policy.EmailPolicy):
    """Cuts fields, because their parser takes time and memory without bound for long ones."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        if name.lower().startswith("content-"):
            value = ";".join(value[:_LONGEST_FIELD].split(";", _MOST_PARAMETERS)[:_MOST_PARAMETERS])
        return name, value


_POLICY = _ShortFields()


def read(request: Request) -> Document:
    flow = request.flow
    parsed = email.message_from_bytes(request.source.read_bytes(), policy=_POLICY)
    message = cast(EmailMessage, parsed)  # which is what this policy makes
    subject = _field(message, "Subject")
    flow.declare(flow.heading(subject, 0), "subject", subject)
    for name in _FIELDS:
        value = _field(message, name)
        if value:
            flow.declare(flow.text(f"{name}: {value}"), name.lower(), _declared(name, value))
    with flow.part("the body"):
        _body(flow, message)
    with flow.part("the list of attachments"):
        for part in islice(message.iter_attachments(), _MOST_ATTACHMENTS):
            attached = part.get_filename()
            if attached:
                flow.text(f"Attachment: {attached} ({part.get_content_type()})")
    request.progress(1, 1)
    return Document(flow.elements)


def _field(message: EmailMessage, name: str) -> str:
    """A header field in plain text; a malformed one counts as absent."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            try:
                # The parser of the policy takes time and memory without bound for long fields.
                text = _unescaped(str(value)[:_LONGEST_FIELD])
                return " ".join(str(make_header(decode_header(text))).split())
            except (ValueError, LookupError, HeaderParseError):
                return ""
    return ""


def _unescaped(text: str) -> str:
    """A field whose sender wrote its letters as they are, without the encoding of mail headers."""
    if text.isascii():
        return text
    return decode(text.encode("utf-8", "surrogateescape"))


def _declared(name: str, value: str) -> str | list[str]:
    """The value of a field in a plain form: a date in ISO 8601, people one by one."""
    if name == "Date":
        try:
            return parsedate_to_datetime(value).isoformat()
        except ValueError:
            return ""
    if name == "From" and value.count("<") < 2:
        return value  # also where the name holds a comma that should have been quoted
    people = [
        f"{person} <{address}>" if person and address else person or address
        for person, address in getaddresses([value])
    ]
    named = [person for person in people if person]
    return named[0] if named and name == "From" else named


def _body(flow: Flow, message: EmailMessage) -> None:
    part = message.get_body(preferencelist=("html", "plain"))
    if part is None:
        return
    try:
        text: object = part.get_content()
    except (LookupError, ValueError, KeyError):
        raw = part.get_payload(decode=True)
        text = raw.decode("latin-1") if isinstance(raw, bytes) else ""
    if part.get_content_type() == "text/html":
        read_into(flow, str(text), partial(_picture, message))
    else:
        plain.read_into(flow, str(text).replace("\r\n", "\n"))


def _picture(message: EmailMessage, link: str) -> bytes | None:
    """A picture that came with the message."""
    if not link.startswith("cid:"):
        return inline_picture(link)
    for part in message.walk():
        if _field(part, "Content-ID").strip("<> ") == link[4:]:
            data = part.get_payload(decode=True)
            return data if isinstance(data, bytes) else None
    return None
