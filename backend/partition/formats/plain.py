"""Plain text: paragraphs between blank lines, the lines of forms, list items, and headings that are
underlined.
"""

import re

from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.layout.blocks import is_list_start

_UNDERLINE = re.compile(r"^\s*([=\-~])\1{2,}\s*$")
_LABELLED = re.compile(r"\s*[^\W\d_][^:]{0,40}:\s")
_FORM = 2 / 3
"""Share of labelled lines from which a paragraph is a form."""
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
    else:
        for piece in _pieces(lines):
            flow.text("\n".join(piece))


def _pieces(lines: list[str]) -> list[list[str]]:
    """A paragraph, or the lines of a form, each with those that go on with it.

    Line breaks are removed later; the lines of a form would then run together, and nobody could
    tell the end of a value from the beginning of the next label.
    """
    labelled = [_LABELLED.match(line) is not None for line in lines]
    if len(lines) < 2 or not labelled[0] or sum(labelled) < _FORM * len(lines):
        return [lines] if lines else []
    pieces: list[list[str]] = []
    for line, begins in zip(lines, labelled, strict=True):
        if begins:
            pieces.append([line])
        else:
            pieces[-1].append(line)
    return pieces
