"""E-mail (RFC 5322): subject, sender and date, then the body; attachments are named, not read."""

import email
import email.policy
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
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
_BODIES = ("html", "plain")


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
        attached = _attachments(message)
        for part in islice(attached, _MOST_ATTACHMENTS):
            name = _name(part)
            named = f"Attachment: {name}" if name else "Attachment without a name"
            flow.text(f"{named} ({part.get_content_type()})")
        if next(attached, None) is not None:
            flow.notes.append(f"only the first {_MOST_ATTACHMENTS} attachments are listed")
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
    part = message.get_body(_BODIES)
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


def _attachments(message: EmailMessage) -> Iterator[EmailMessage]:
    """All parts but the body, its other forms and its pictures; attached mails are one part."""
    body = message.get_body(_BODIES)
    around = _ancestors(message, body)
    waiting: list[tuple[EmailMessage, str]] = [(message, "")]
    while waiting:
        part, place = waiting.pop()
        if part is body:
            continue
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            place = part.get_content_subtype() if part in around else ""
            inner = cast(list[EmailMessage], part.get_payload())
            waiting += ((child, place) for child in reversed(inner))
        elif not _is_of_body(part, place):
            yield part


def _ancestors(message: EmailMessage, part: Message | None) -> set[Message]:
    """The parts in which a part of a message lies."""
    outer = {
        child: parent
        for parent in message.walk()
        if parent.is_multipart()
        for child in cast(list[Message], parent.get_payload())
    }
    out: set[Message] = set()
    while part in outer:
        part = outer[part]
        out.add(part)
    return out


def _is_of_body(part: EmailMessage, place: str) -> bool:
    """Whether a part that stands beside the body, in a multipart of kind `place`, is another form
    of it or one of its pictures."""
    if place == "alternative":
        return part.get_content_maintype() == "text" and not part.get_filename()
    picture = part.get_content_maintype() == "image"
    return place == "related" and picture and bool(_field(part, "Content-ID"))


def _name(part: EmailMessage) -> str:
    """The file name of an attachment; of a mail without one, its subject."""
    name = part.get_filename()
    if not name and part.get_content_type() == "message/rfc822" and part.is_multipart():
        return _field(cast(list[EmailMessage], part.get_payload())[0], "Subject")
    return name or ""
