"""Plain text: paragraphs between blank lines, list items, and headings that are underlined."""

import re

from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.layout.blocks import is_list_start

_UNDERLINE = re.compile(r"^\s*([=\-~])\1{2,}\s*$")
_BULLET = re.compile(r"^\s*[•●○◦▪■□▫‣⁃·➢*\-–]\s+")


def read(request: Request) -> Document:
    flow = Flow(request.options)
    read_into(flow, request.text())
    request.progress(1, 1)
    return Document(flow.elements)


def read_into(flow: Flow, text: str) -> None:
    """Adds the paragraphs of a text to `flow`."""
    for paragraph in re.split(r"\n\s*\n", text.replace("\f", "\n\n")):
        _paragraph(flow, [line.rstrip() for line in paragraph.split("\n") if line.strip()])


def _paragraph(flow: Flow, lines: list[str]) -> None:
    if len(lines) == 2 and _UNDERLINE.match(lines[1]):
        flow.heading(lines[0], 1 if "=" in lines[1] else 2)
        return
    group: list[str] = []
    for line in lines:
        if is_list_start(line):
            _flush(flow, group)
            group = []
        group.append(line)
    _flush(flow, group)


def _flush(flow: Flow, lines: list[str]) -> None:
    if lines and is_list_start(lines[0]):
        flow.item("\n".join([_BULLET.sub("", lines[0]), *lines[1:]]))
    elif lines:
        flow.text("\n".join(lines))
