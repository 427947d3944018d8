"""MSG (Outlook): subject, people and date, then the body; attachments are named, not read."""

import struct
from datetime import UTC, datetime, timedelta

from backend.partition.compound import Compound, opened
from backend.partition.document import Document, Request
from backend.partition.encodings import decode
from backend.partition.flow import Flow
from backend.partition.formats import html, plain

_PROPERTIES = "__properties_version1.0"
_SUBJECT, _SENDER, _ADDRESS, _TO, _CC = 0x0037, 0x0C1A, 0x0C1F, 0x0E04, 0x0E03
_BODY, _HTML, _NAME, _SHORT_NAME, _SORT = 0x1000, 0x1013, 0x3707, 0x3704, 0x370E
_TIMES = (0x00390040, 0x0E060040)
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def read(request: Request) -> Document:
    flow = request.flow
    with opened(request.source, "MSG") as message:
        subject = _text(message, _SUBJECT)
        flow.declare(flow.heading(subject, 0), "subject", subject)
        sender, address = _text(message, _SENDER), _text(message, _ADDRESS)
        shown = f"{sender} <{address}>" if sender and "@" in address else sender or address
        fields = (("From", shown), ("To", _text(message, _TO)), ("Cc", _text(message, _CC)))
        for name, value in (*fields, ("Date", _date(message))):
            if value.strip("\x00 "):
                several = [part.strip() for part in value.split(";") if part.strip()]
                declared = several if name in ("To", "Cc") else value
                flow.declare(flow.text(f"{name}: {value}"), name.lower(), declared)
        with flow.part("the body"):
            _body(flow, message)
        for folder in message.folders("__attach_version1.0_"):
            name = _text(message, _NAME, folder) or _text(message, _SHORT_NAME, folder)
            kind = _text(message, _SORT, folder)
            named = f"Attachment: {name}" if name else "Attachment without a name"
            flow.text(f"{named}{f' ({kind})' if kind else ''}")
    request.progress(1, 1)
    return Document(flow.elements)


def _body(flow: Flow, message: Compound) -> None:
    plain_text = _text(message, _BODY)
    packed = f"__substg1.0_{_HTML:04X}0102"
    markup = decode(message.read(packed)) if packed in message else _text(message, _HTML)
    markup = markup.rstrip("\x00")
    if markup.strip():
        html.read_into(flow, markup)
    else:
        plain.read_into(flow, plain_text.replace("\r\n", "\n"))


def _text(message: Compound, code: int, folder: str = "") -> str:
    """A text property, empty without it."""
    stem = f"{folder}/" * bool(folder) + f"__substg1.0_{code:04X}"
    if f"{stem}001F" in message:
        return message.read(f"{stem}001F").decode("utf-16-le", "replace").rstrip("\x00")
    if f"{stem}001E" in message:
        return decode(message.read(f"{stem}001E")).rstrip("\x00")
    return ""


def _date(message: Compound) -> str:
    """When it was sent, or else arrived; properties of fixed length share one stream."""
    data = message.read(_PROPERTIES)
    values: dict[int, int] = {}
    for at in range(32, len(data) - 15, 16):
        tag, _, value = struct.unpack_from("<IIQ", data, at)
        values[tag] = value
    for tag in _TIMES:
        if 0 < values.get(tag, 0) < 2**61:
            moment = _EPOCH + timedelta(microseconds=values[tag] // 10)
            return moment.isoformat(" ", "seconds")
    return ""
