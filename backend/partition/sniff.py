"""The content type of a file from its bytes; the name only settles which text format it is."""

import re
import zipfile
from pathlib import Path, PurePath

from backend.partition.document import PartitionFailure

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT = "application/vnd.oasis.opendocument.text"
HTML, XML, CSV = "text/html", "application/xml", "text/csv"
MARKDOWN, PLAIN, RTF, EML = "text/markdown", "text/plain", "application/rtf", "message/rfc822"
PICTURES = ("image/png", "image/jpeg", "image/tiff", "image/bmp", "image/webp")

FORMATS = (
    PDF, DOCX, PPTX, XLSX, ODT, RTF, EML, HTML, XML, CSV, MARKDOWN, PLAIN, *PICTURES,
)  # fmt: skip
"""Every content type that is read."""

_HEAD = 8192
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"BM", "image/bmp"),
    (b"{\\rtf", RTF),
)
_REFUSED = (
    (re.compile(rb"^....ftyp(?:heic|heix|hevc|mif1|msf1|heim)", re.S), "HEIC picture"),
    (re.compile(rb"^....ftypavif", re.S), "AVIF picture"),
    (re.compile(rb"^GIF8"), "GIF picture"),
    (re.compile(rb"^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "old binary or encrypted Office file"),
    (re.compile(rb"^....ftyp", re.S), "video file"),
    (re.compile(rb"^\x1f\x8b"), "gzip archive"),
    (re.compile(rb"^7z\xbc\xaf"), "7-Zip archive"),
    (re.compile(rb"^Rar!"), "RAR archive"),
    (re.compile(rb"^\x7fELF|^MZ"), "program file"),
    (re.compile(rb"^%!PS"), "PostScript file"),
    (re.compile(rb"^ID3|^OggS|^fLaC|^RIFF....WAVE", re.S), "sound file"),
    (re.compile(rb"^PAR1|^ARROW1|^SQLite format 3"), "data file"),
)
_MAIL = re.compile(
    rb"^(?:From |(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2,})", re.MULTILINE
)
_MAIL_FIELDS = re.compile(
    rb"^(?:from|to|subject|date|mime-version|received|message-id):", re.I | re.M
)
_TAGS = re.compile(
    r"<(?:!doctype html|html|head|body|div|p|table|h[1-6]|ul|ol|span|title|article)\b", re.I
)
_TEXT_BY_SUFFIX = {
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".csv": CSV, ".tsv": CSV, ".txt": PLAIN,
    ".text": PLAIN, ".log": PLAIN, ".html": HTML, ".htm": HTML, ".xhtml": HTML,
}  # fmt: skip


def is_paged(kind: str) -> bool:
    """Whether files of a type are pictures of pages, which can be drawn."""
    return kind == PDF or kind in PICTURES


def content_type(source: Path, name: str) -> str:
    """Raises `PartitionFailure`: 422 for an empty file, 415 for a kind that is not read."""
    with source.open("rb") as file:
        head = file.read(_HEAD)
    if not head.strip():
        raise PartitionFailure(
            f"The file {name or 'sent'} is empty: there is nothing to read.", 422
        )
    # A PDF may have junk before its header. Far down it must not be a text about PDF.
    if b"%PDF-" in head[:1032] or re.search(rb"^%PDF-\d\.\d[\r\n]", head, re.MULTILINE):
        return PDF
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _archive(source)
    for pattern, kind in _REFUSED:
        if pattern.match(head):
            raise _unsupported(f"a {kind}")
    return _text(head, PurePath(name).suffix.lower())


def _archive(source: Path) -> str:
    try:
        with zipfile.ZipFile(source) as archive:
            names = set(archive.namelist())
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                declared = archive.read("mimetype").decode("ascii", "replace").strip()
                if declared == ODT:
                    return ODT
                raise _unsupported(f"a file of type {declared[:80]}")
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError):
        raise PartitionFailure(
            "The file is a damaged or encrypted archive and could not be opened.", 422
        ) from None
    for part, kind in (
        ("word/document.xml", DOCX),
        ("ppt/presentation.xml", PPTX),
        ("xl/workbook.xml", XLSX),
    ):
        if part in names:
            return kind
    raise _unsupported("a ZIP archive that is not an Office file")


def _text(head: bytes, suffix: str) -> str:
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not wide and _binary(head):
        raise _unsupported("a binary file of an unknown kind")
    text = head.decode("utf-16" if wide else "utf-8", "ignore").lstrip("\ufeff \t\r\n")
    if text.startswith("<?xml"):
        return HTML if re.search(r"<html[\s>]|<!doctype html", text, re.I) else XML
    if re.match(r"<!doctype html|<html[\s>]", text, re.I):
        return HTML
    if _MAIL.match(head) and len(_MAIL_FIELDS.findall(head)) >= 2:
        return EML
    by_name = _TEXT_BY_SUFFIX.get(suffix)
    if by_name is not None:
        return by_name
    if len(_TAGS.findall(text)) >= 2 or (re.match(r"<[a-z!]", text) and _TAGS.search(text)):
        return HTML
    if re.match(r"<[A-Za-z_][\w:.-]*[\s/>]", text):
        return XML
    return _guessed(text)


def _guessed(text: str) -> str:
    """Markdown and CSV without a telling name are known by their marks."""
    lines = [line for line in text.split("\n")[:-1] or [text] if line.strip()][:50]
    for delimiter in (",", ";", "\t"):
        counts = {line.count(delimiter) for line in lines}
        if len(lines) > 1 and len(counts) == 1 and counts.pop() > 0:
            return CSV
    marks = sum(bool(re.match(r"#{1,6} \S|```|\|.*\|\s*$|[-*] \S", line)) for line in lines)
    return MARKDOWN if lines and marks >= max(1, 0.1 * len(lines)) else PLAIN


def _binary(head: bytes) -> bool:
    control = sum(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in head)
    return b"\x00" in head or control > 0.05 * len(head)


def _unsupported(what: str) -> PartitionFailure:
    return PartitionFailure(
        f"Failed to convert file to pdf: it is {what}, which is not supported. Supported are PDF, "
        "DOCX, PPTX, XLSX, ODT, RTF, CSV, HTML, XML, Markdown, text, e-mail and PNG, JPEG, TIFF, "
        "BMP and WEBP pictures.",
        415,
    )
