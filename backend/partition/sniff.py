"""The content type of a file from its bytes; the name only distinguishes text formats."""

import codecs
import re
import zipfile
from pathlib import Path, PurePath

import olefile

from backend.partition import kinds_of_text
from backend.partition.archive import DAMAGED, parse_xml
from backend.partition.document import PartitionFailure
from backend.partition.encodings import wide_encoding

PDF, RTF = "application/pdf", "application/rtf"
DOCX, PPTX, XLSX = (
    f"application/vnd.openxmlformats-officedocument.{name}"
    for name in ("wordprocessingml.document", "presentationml.presentation", "spreadsheetml.sheet")
)
ODT, ODS, ODP, ODG, ODF = (
    f"application/vnd.oasis.opendocument.{name}"
    for name in ("text", "spreadsheet", "presentation", "graphics", "formula")
)
DOC, XLS, PPT = "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"
MSG, EPUB = "application/vnd.ms-outlook", "application/epub+zip"
EMF, WMF = "image/emf", "image/wmf"
PLAIN, MARKDOWN, CSV, SYLK = (
    kinds_of_text.PLAIN, kinds_of_text.MARKDOWN, kinds_of_text.CSV, kinds_of_text.SYLK,
)  # fmt: skip
HTML, XML, SVG = kinds_of_text.HTML, kinds_of_text.XML, kinds_of_text.SVG
MATHML, EML = kinds_of_text.MATHML, kinds_of_text.EML
PICTURES = ("image/png", "image/jpeg", "image/tiff", "image/bmp", "image/webp")

FORMATS = (
    PDF, DOCX, PPTX, XLSX, DOC, PPT, XLS, ODT, ODS, ODP, ODG, ODF, RTF, EPUB, HTML, XML, MARKDOWN,
    PLAIN, CSV, SYLK, EML, MSG, MATHML, SVG, EMF, WMF, *PICTURES,
)  # fmt: skip
"""Every supported content type. A template has the type of its documents."""

_HEAD = 8192
_OF_TEXTS = b"\b\t\n\v\f\r\x1b"
"""Control characters in texts: backspaces occur in manual pages, vertical tabs in those of Word."""
_MAX_FLAT = 100_000_000
_SIGNATURES = (
    (re.compile(rb"^\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"^\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"^(?:II[*+]\x00|MM\x00[*+])"), "image/tiff"),
    (re.compile(rb"^BM.{12}[\x0c\x28\x40\x6c\x7c]\x00\x00\x00", re.S), "image/bmp"),
    (re.compile(rb"^RIFF....WEBP", re.S), "image/webp"),
    (re.compile(rb"^\x01\x00\x00\x00.{36} EMF", re.S), EMF),
    (re.compile(rb"^(?:\xd7\xcd\xc6\x9a|[\x01\x02]\x00\x09\x00\x00[\x01\x03])"), WMF),
    (re.compile(rb"^\s*\{\\rtf"), RTF),
)
_REFUSED = (
    (re.compile(rb"^....ftyp(?:heic|heix|hevc|mif1|msf1|heim)", re.S), "HEIC picture"),
    (re.compile(rb"^....ftypavif", re.S), "AVIF picture"),
    (re.compile(rb"^GIF8"), "GIF picture"),
    (re.compile(rb"^....ftyp", re.S), "video file"),
    (re.compile(rb"^\x1f\x8b"), "gzip archive"),
    (re.compile(rb"^7z\xbc\xaf"), "7-Zip archive"),
    (re.compile(rb"^Rar!"), "RAR archive"),
    (re.compile(rb"^\x7fELF|^MZ"), "program file"),
    (re.compile(rb"^%!PS"), "PostScript file"),
    (re.compile(rb"^ID3|^OggS|^fLaC|^RIFF....WAVE", re.S), "sound file"),
    (re.compile(rb"^PAR1|^ARROW1|^SQLite format 3"), "data file"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("WordDocument", DOC),
    ("Workbook", XLS),
    ("Book", XLS),
    ("PowerPoint Document", PPT),
    ("__properties_version1.0", MSG),
)
_OFFICE_TYPES = (
    (re.compile(rb"wordprocessingml\.[a-z]+\.main\+xml|ms-word\.\w+\.macroEnabled"), DOCX),
    (re.compile(rb"presentationml\.[a-z]+\.main\+xml|ms-powerpoint\.\w+\.macroEnabled"), PPTX),
    (re.compile(rb"spreadsheetml\.[a-z]+\.main\+xml|ms-excel\.\w+\.macroEnabled"), XLSX),
)
_OFFICE_PARTS = (
    ("word/document.xml", DOCX),
    ("ppt/presentation.xml", PPTX),
    ("xl/workbook.xml", XLSX),
)


def is_paged(kind: str) -> bool:
    """Whether files of a type are pictures of pages, which can be drawn."""
    return kind == PDF or kind in PICTURES


def content_type(source: Path, name: str) -> str:
    """Raises `PartitionFailure`: 422 for an empty or encrypted file, 415 for a kind not read."""
    head = _beginning(source)
    if not head:
        raise PartitionFailure(f"The file {name} is empty." if name else "The file is empty.", 422)
    # A PDF may have junk before its header. Far into the file it must not be a text about PDF.
    if b"%PDF-" in head[:1032] or re.search(rb"^%PDF-\d\.\d[\r\n]", head, re.MULTILINE):
        return PDF
    for signature, kind in _SIGNATURES:
        if signature.match(head):
            return kind
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _archive(source)
    if head.startswith(_OLE):
        return _compound(source)
    for pattern, kind in _REFUSED:
        if pattern.match(head):
            raise _unsupported(f"a {kind}")
    if not head.startswith((b"\xff\xfe", b"\xfe\xff")) and not wide_encoding(head):
        _check_text(head)
    kind = kinds_of_text.kind_of(head, PurePath(name).suffix.lower())
    if kind == kinds_of_text.FLAT:
        if source.stat().st_size > _MAX_FLAT:
            raise PartitionFailure("The file is too large to be read as flat XML.", 422)
        return _opendocument(kinds_of_text.flat_kind(parse_xml(source.read_bytes(), [])))
    return kind


def _beginning(source: Path) -> bytes:
    """The first bytes of a file, after leading whitespace that fills them."""
    with source.open("rb") as file:
        head = file.read(_HEAD)
        if head.removeprefix(codecs.BOM_UTF8).strip():
            return head
        while blanks := file.read(_HEAD):
            if words := blanks.strip():
                return words + file.read(_HEAD)
    return b""


def _archive(source: Path) -> str:
    try:
        with zipfile.ZipFile(source) as archive:
            names = set(archive.namelist())
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                declared = archive.read("mimetype").decode("ascii", "replace").strip()
                return EPUB if declared == EPUB else _opendocument(declared)
            with archive.open("[Content_Types].xml") as part:
                types = part.read(1 << 20)
    except KeyError:
        types = b""
    except DAMAGED:
        raise PartitionFailure(
            "The file is a damaged or encrypted archive and could not be opened.", 422
        ) from None
    if b"sheet.binary.macroEnabled.main" in types:
        raise _unsupported("an Excel workbook in the binary form (XLSB)")
    for pattern, kind in _OFFICE_TYPES:
        if pattern.search(types):
            return kind
    for part_name, kind in _OFFICE_PARTS:
        if part_name in names:
            return kind
    raise _unsupported("a ZIP archive that is not an Office file")


def _opendocument(declared: str) -> str:
    """The content type without the suffix for templates and master documents."""
    for kind in (ODT, ODS, ODP, ODG, ODF):
        if declared == kind or declared.startswith(f"{kind}-"):
            return kind
    raise _unsupported(f"a file of type {declared[:80]}")


def _compound(source: Path) -> str:
    """Old Office files: containers of streams."""
    try:
        with olefile.OleFileIO(source) as container:
            for stream, kind in _OLE_STREAMS:
                if container.exists(stream):
                    return kind
            encrypted = container.exists("EncryptedPackage")
    except Exception:  # the library documents no exception types
        raise PartitionFailure(
            "The file is a damaged Office file of the old binary kind.", 422
        ) from None
    if encrypted:
        raise PartitionFailure(
            "The file is an Office file encrypted with a password. Save it without one.", 422
        )
    raise _unsupported("an old binary Office file of an unknown kind")


def _check_text(head: bytes) -> None:
    text = head.rstrip(b"\x00\x1a")  # old programs end a text with these
    control = sum(byte < 32 and byte not in _OF_TEXTS for byte in text)
    if not text or b"\x00" in text or control > 0.05 * len(text):
        raise _unsupported("a binary file of an unknown kind")


def _unsupported(what: str) -> PartitionFailure:
    return PartitionFailure(
        f"Failed to convert file to pdf: it is {what}, which is not supported. Supported are PDF, "
        "DOCX, PPTX, XLSX, DOC, PPT, XLS, ODT, ODS, ODP, ODG, RTF, EPUB, CSV, SYLK, HTML, XML, "
        "Markdown, text, e-mail (EML, MSG), MathML, SVG, EMF, WMF and PNG, JPEG, TIFF, BMP and "
        "WEBP pictures.",
        415,
    )
