"""E-mail (RFC 5322): subject, sender and date, then the texts of the body; attachments are named,
not read."""

import codecs
import email
import email.policy
import re
from collections.abc import Iterator, Sequence
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage, Message, MIMEPart
from email.utils import getaddresses, parsedate_to_datetime
from functools import lru_cache, partial
from operator import itemgetter
from typing import cast

from backend.partition.document import Document, Request
from backend.partition.encodings import NO_CHARSETS, decode
from backend.partition.flow import Flow
from backend.partition.formats import plain
from backend.partition.formats.html import inline_picture, read_into

_LONGEST_FIELD = 20_000
_MOST_PARAMETERS = 16
_MOST_ATTACHMENTS = 1_000
_MOST_TEXTS = 1_000
_ENCODED_WORD = re.compile(r"=\?[^?\s]+\?[bq]\?[^?\s]*\?=", re.IGNORECASE)
_FIELDS = ("From", "To", "Cc", "Date")
_OF_PROGRAMS = frozenset(
    {"message-id", "mime-version", "content-type", "received", "return-path", "x-mailer"}
)
"""Header fields that programs add and people do not type."""
_MOST_FIELDS = 30
_BODIES = ("html", "plain")
_WHOLES = ("alternative", "related")
"""Kinds of multipart messages from which one text is read, with its attachments."""
_TEXTS = ("text/plain", "text/html")


class _ShortFields(email.policy.EmailPolicy):
    """Cuts fields, because their parser takes time and memory without bound for long ones."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        if name.lower().startswith("content-"):
            value = ";".join(value[:_LONGEST_FIELD].split(";", _MOST_PARAMETERS)[:_MOST_PARAMETERS])
        return name, value


_POLICY = _ShortFields(header_factory=lru_cache(1_000)(HeaderRegistry()))
"""It would parse a field anew each time that it is read, which is ten times for each part."""


def read(request: Request) -> Document:
    flow = request.flow
    parsed = email.message_from_bytes(request.source.read_bytes(), policy=_POLICY)
    message = cast(EmailMessage, parsed)  # which is what this policy makes
    subject = _field(message, "Subject")
    flow.declare(flow.heading(subject, 0), "subject", subject)
    for name in _shown(message):
        value = _field(message, name)
        if value:
            element = flow.text(f"{name}: {value}")
            if name.title() in _FIELDS:
                flow.declare(element, name.lower(), _declared(name.title(), value))
    with flow.part("the body and the attachments"):
        _parts(flow, message)
    request.progress(1, 1)
    return Document(flow.elements)


def _shown(message: EmailMessage) -> Sequence[str]:
    """The fields below the subject: the usual ones, but all of a mail that was saved as a text or
    typed, since people wrote each of them ("Sent", "Ref", "Attached").
    """
    names = {name.lower(): name for name in reversed(message.keys())}
    if not _OF_PROGRAMS.isdisjoint(names):
        return _FIELDS
    names.pop("subject", None)
    return list(reversed(names.values()))[:_MOST_FIELDS]


def _field(message: EmailMessage, name: str) -> str:
    """A header field in plain text."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            # The parser of the policy takes time and memory without bound for long fields.
            return " ".join(_decoded(_unescaped(str(value)[:_LONGEST_FIELD])).split())
    return ""


def _decoded(text: str) -> str:
    """A field with its encoded words as text; those that are malformed stay as they are."""
    try:
        return str(make_header(decode_header(text)))
    except (ValueError, LookupError, HeaderParseError):
        return _ENCODED_WORD.sub(_decoded_word, text)


def _decoded_word(match: re.Match[str]) -> str:
    try:
        ((data, _),) = decode_header(match[0])
    except (ValueError, HeaderParseError):
        return match[0]
    # Its encoding is unknown, or not the one that the sender used.
    return data if isinstance(data, str) else decode(data)


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
        return value  # also if the name contains a comma that should have been quoted
    people = [
        f"{person} <{address}>" if person and address else person or address
        for person, address in getaddresses([value])
    ]
    named = [person for person in people if person]
    return named[0] if named and name == "From" else named


def _parts(flow: Flow, message: EmailMessage) -> None:
    """The texts in the order of the message, then the names of its attachments."""
    texts: list[EmailMessage] = []
    attached: list[EmailMessage] = []
    for part, is_text in _texts_and_attachments(message):
        (texts if is_text else attached).append(part)
    if not texts:
        texts = [part for part in attached if _is_odd_body(part)]
        attached = [part for part in attached if part not in texts]
        flow.notes += [
            f"the body is of type {part.get_content_type()}: its words are kept" for part in texts
        ]
    pictures = _pictures(message)
    for part in texts[:_MOST_TEXTS]:
        with flow.part("the body"):
            _body(flow, part, pictures)
    if len(texts) > _MOST_TEXTS:
        flow.notes.append(f"only the first {_MOST_TEXTS} texts of the message are read")
    for part in attached[:_MOST_ATTACHMENTS]:
        name = _name(part)
        named = f"Attachment: {name}" if name else "Attachment without a name"
        flow.text(f"{named} ({part.get_content_type()})")
    if len(attached) > _MOST_ATTACHMENTS:
        flow.notes.append(f"only the first {_MOST_ATTACHMENTS} attachments are listed")


def _body(flow: Flow, part: EmailMessage, pictures: dict[str, Message]) -> None:
    raw = part.get_payload(decode=True)
    text = decode(raw, _encoding(part)) if isinstance(raw, bytes) else ""
    if part.get_content_type() == "text/html":
        read_into(flow, text, partial(_picture, pictures))
    else:
        plain.read_into(flow, text)


def _encoding(part: EmailMessage) -> str:
    """The encoding that a text declares; none if it is unknown, or ASCII, which needs no other:
    many programs save a mail in UTF-8 without a word about it.
    """
    try:
        name = codecs.lookup(part.get_content_charset("")).name
        "".encode(name)
    except (LookupError, ValueError):
        return ""
    return "" if name == "ascii" or name in NO_CHARSETS else name


def _pictures(message: EmailMessage) -> dict[str, Message]:
    """The parts that a text may show, by their names."""
    named: dict[str, Message] = {}
    for part in message.walk():
        named.setdefault(_field(part, "Content-ID").strip("<> "), part)
    return named


def _picture(pictures: dict[str, Message], link: str) -> bytes | None:
    """A picture that came with the message."""
    if not link.startswith("cid:"):
        return inline_picture(link)
    data = pictures[link[4:]].get_payload(decode=True) if link[4:] in pictures else None
    return data if isinstance(data, bytes) else None


def _texts_and_attachments(message: EmailMessage) -> Iterator[tuple[EmailMessage, bool]]:
    """All parts that are read (True) or attached (False), without other forms of a text and its
    pictures; attached mails are one part."""
    chosen, around = _chosen(message)
    waiting: list[tuple[EmailMessage, str]] = [(message, "")]
    while waiting:
        part, place = waiting.pop()
        if part in chosen:
            yield part, True
        elif part.get_content_maintype() == "multipart" and part.is_multipart():
            # All within a form that was not chosen is another form of the chosen text.
            if place != "alternative" or part in around:
                place = part.get_content_subtype()
                if place in _WHOLES and part not in around:
                    more, outer = _chosen(part)
                    chosen |= more
                    around |= outer
                place = place if part in around else ""
            inner = cast(list[EmailMessage], part.get_payload())
            waiting += ((child, place) for child in reversed(inner))
        elif not _is_of_body(part, place):
            yield part, _is_text(part)


def _chosen(message: EmailMessage) -> tuple[set[Message], set[Message]]:
    """The richest text in a part of the message, and the parts that contain it."""
    text = message.get_body(_BODIES)
    around = _ancestors(message, text)
    forms = [one for one in message.walk() if one in around and _subtype(one) == "alternative"]
    if forms:
        # `get_body` gives the first of several forms of one kind, which may be only a beginning.
        text = max(map(_form, forms[0].iter_parts()), key=itemgetter(0))[1]
        around = _ancestors(message, text)
    return ({text} if text is not None else set()), around


def _form(whole: MIMEPart) -> tuple[tuple[int, int], MIMEPart | None]:
    """How much a form of a text shows, HTML before plain text, and its first text."""
    text = whole.get_body(_BODIES)
    shown = sum(len(str(part.get_payload())) for part in whole.walk() if _is_text(part))
    return (0 if text is None else 1 + (_subtype(text) == "html"), shown), text


def _subtype(part: Message) -> str:
    return part.get_content_subtype()


def _is_text(part: MIMEPart) -> bool:
    """Whether mail clients show a part with the body: `inline` is the default (RFC 2183)."""
    shown = part.get_content_type() in _TEXTS and not part.is_attachment()
    return shown and not part.get_filename()


def _is_odd_body(part: MIMEPart) -> bool:
    """Whether a part is the body for lack of a text: an invitation, parts without separators."""
    broken = part.get_content_maintype() == "multipart" and not part.is_multipart()
    of_words = broken or part.get_content_maintype() == "text"
    return of_words and not part.is_attachment() and not part.get_filename()


def _ancestors(message: EmailMessage, part: Message | None) -> set[Message]:
    """The parts that contain a part of a message."""
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
    """Whether a part of a `place` multipart is another form of the body or one of its pictures."""
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
