"""EPUB: the chapters in reading order, each a page."""

from functools import partial
from pathlib import PurePosixPath
from urllib.parse import unquote

from lxml import etree

from backend.partition.archive import Archive, opened, resolved
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.encodings import decode
from backend.partition.flow import Flow
from backend.partition.formats import html
from backend.partition.selection import selected

_CONTAINER = "META-INF/container.xml"
_TEXTS = ("application/xhtml+xml", "text/html")


def read(request: Request) -> Document:
    flow = request.flow
    with opened(request) as archive:
        chapters = _chapters(archive, flow)
        numbers = selected(request.options.selected_pages, len(chapters))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            part = chapters[number - 1]
            with flow.part("a chapter"):
                html.read_into(flow, decode(archive.read(part)), partial(_picture, archive, part))
            request.progress(done, len(numbers))
    flow.settle_outline()
    return Document(flow.elements, len(chapters))


def _chapters(archive: Archive, flow: Flow) -> list[str]:
    """The parts with text in the order of the spine, each once; the book's title goes to `flow`."""
    named = next(archive.xml(_CONTAINER).iter("{*}rootfile"), None)
    package = "" if named is None else named.get("full-path") or ""
    root: etree._Element = archive.xml(package)
    flow.title = root.findtext(".//{http://purl.org/dc/elements/1.1/}title") or ""
    items = {
        node.get("id") or "": node
        for node in root.iter("{*}item")
        if (node.get("media-type") or "") in _TEXTS
    }
    parts = [
        _part(package, items[node.get("idref") or ""].get("href") or "")
        for node in root.iter("{*}itemref")
        if (node.get("idref") or "") in items
    ]
    parts = list(dict.fromkeys(part for part in parts if part in archive))
    if not parts:
        raise PartitionFailure("The EPUB file has no chapters that could be read.", 422)
    return parts


def _part(beside: str, link: str) -> str:
    return resolved(PurePosixPath(beside).parent, unquote(link.partition("#")[0]))


def _picture(archive: Archive, chapter: str, link: str) -> bytes | None:
    part = _part(chapter, link)
    return archive.read(part) if part in archive else html.inline_picture(link)
