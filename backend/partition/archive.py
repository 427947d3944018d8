"""Office archives (ZIP with XML parts), read with limits against bombs and foreign entities."""

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from lxml import etree

from backend.partition.alternatives import settle_alternatives
from backend.partition.document import PartitionFailure, Request
from backend.partition.entities import references_as_text

_MAX_PART = 200_000_000
_MAX_RATIO = 250
"""Real Office XML packs about 5 to 50 to one."""
_FREE_SIZE = 2_000_000
"""Parts up to this size may be packed as tightly as they like."""
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHUNK = 1 << 20
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    RuntimeError,
    EOFError,
    OSError,
    NotImplementedError,
    ValueError,
)
"""What unpacking a damaged or encrypted archive may raise."""
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_STRICT_MARK = b"http://purl.oclc.org/ooxml/"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
"""The namespaces of the strict variant of the format; otherwise it is the same."""


def parse_xml(data: bytes, notes: list[str]) -> etree._Element:
    """The root of an XML text. No entities, no network, no giant trees.

    References to entities stay in the text as they are written; `notes` gets a remark about them.

    Raises `PartitionFailure` (422) when it is not well-formed, MemoryError when it is too large.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        check_memory(parser)
        # Its message is for programmers: "Excessive depth in document: 256, use XML_PARSE_HUGE".
        why = f"could not be read: {error.msg}"
        if "XML_PARSE_HUGE" in str(error.msg):
            deep = "Excessive depth" in str(error.msg)
            why = "is nested too deeply to be read" if deep else "has a text too long to be read"
        raise PartitionFailure(f"The XML {why}.", 422) from None
    references_as_text(root, notes)
    return root


def check_memory(parser: etree.XMLParser | etree.HTMLParser) -> None:
    """Raises MemoryError if a parser ran out of memory, which it reports as a syntax error, if at
    all; an HTML parser then has part of the tree or none.
    """
    log = parser.error_log
    if any(entry.type == etree.ErrorTypes.ERR_NO_MEMORY for entry in log):
        raise MemoryError


class Archive:
    """The parts of one office file."""

    def __init__(self, source: zipfile.ZipFile, notes: list[str]) -> None:
        self._source = source
        self._notes = notes
        self._names = {info.filename: info for info in source.infolist()}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def names(self) -> list[str]:
        return list(self._names)

    def read(self, name: str) -> bytes:
        """The bytes of a part. Raises `PartitionFailure` (422): missing, damaged or a bomb."""
        info = self._names.get(name)
        if info is None:
            raise PartitionFailure(f"The file is damaged: its part {name} is missing.", 422)
        limit = max(_FREE_SIZE, min(_MAX_PART, info.compress_size * _MAX_RATIO))
        data = bytearray()
        try:
            with self._source.open(info) as part:
                # The declared size may be wrong, so unpacked bytes are counted.
                while chunk := part.read(_CHUNK):
                    data += chunk
                    if len(data) > limit:
                        raise PartitionFailure(
                            f"The part {name} unpacks to more than {limit // 1_000_000} MB. "
                            "Nothing was kept.",
                            422,
                        )
        except DAMAGED:
            raise PartitionFailure(
                f"The part {name} of the file is damaged or encrypted.", 422
            ) from None
        return bytes(data)

    def xml(self, name: str) -> etree._Element:
        """The root of a part in XML, with one of each set of alternatives."""
        return self.parsed(self.read(name))

    def parsed(self, data: bytes) -> etree._Element:
        """The root of the bytes of a part in XML."""
        if _STRICT_MARK in data:
            data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", data)
        root = parse_xml(data, self._notes)
        settle_alternatives(root)
        return root

    def title(self) -> str:
        """The title in the metadata of the package; "" if it is missing or damaged."""
        for part in ("docProps/core.xml", "meta.xml"):
            if part in self:
                try:
                    return (self.xml(part).findtext(f".//{_TITLE}") or "").strip()
                except PartitionFailure:
                    return ""
        return ""

    def main(self, usual: str) -> str:
        """The part that an Office package calls its document, by its usual name else."""
        if usual in self:
            return usual
        return next(iter(self.related("", "officeDocument")), usual)

    def relations(self, part: str) -> dict[str, str]:
        """Ids to the names of the parts that `part` refers to; outside addresses are left out."""
        path = PurePosixPath(part)
        name = str(path.parent / "_rels" / f"{path.name}.rels").lstrip("./")
        if name not in self._names:
            return {}
        return {
            node.get("Id", ""): resolved(path.parent, node.get("Target", ""))
            for node in self.xml(name)
            if isinstance(node.tag, str) and node.get("TargetMode") != "External"
        }

    def related(self, part: str, kind: str) -> list[str]:
        """Names of the parts related to `part` by a relation whose type ends with `kind`."""
        path = PurePosixPath(part)
        name = str(path.parent / "_rels" / f"{path.name}.rels").lstrip("./")
        if name not in self._names:
            return []
        return [
            resolved(path.parent, node.get("Target", ""))
            for node in self.xml(name)
            if isinstance(node.tag, str)
            and node.get("Type", "").endswith("/" + kind)
            and node.get("TargetMode") != "External"
        ]


@contextmanager
def opened(request: Request) -> Iterator[Archive]:
    """Raises `PartitionFailure` (422) when the archive is damaged."""
    try:
        with zipfile.ZipFile(request.source) as file:
            yield Archive(file, request.flow.notes)
    except (zipfile.BadZipFile, EOFError, NotImplementedError):
        raise PartitionFailure(
            "The file is a damaged archive and could not be opened.", 422
        ) from None


def relation_id(node: etree._Element, attribute: str) -> str:
    return node.get(_RELATION + attribute) or ""


def resolved(folder: PurePosixPath, target: str) -> str:
    """A part name from a target that may be absolute or climb up."""
    path = PurePosixPath(target) if target.startswith("/") else folder / target
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part not in ("/", "."):
            parts.append(part)
    return "/".join(parts)
