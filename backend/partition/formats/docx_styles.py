"""The styles and numberings of a DOCX, as far as they classify paragraphs."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from lxml import etree

from backend.partition.archive import Archive
from backend.partition.formats.numerals import whole

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"^(?:heading|überschrift|titre|título|titolo)\s*(\d)", re.I)


@dataclass
class Styles:
    """Paragraph styles: the outline level (0 title, 1..9 heading) and list numbering they bring."""

    level: dict[str, int] = field(default_factory=dict)
    numbering: dict[str, tuple[str, int]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


@dataclass
class Numbering:
    """Per numbering id and level: whether numbered, and where counting starts."""

    ordered: dict[tuple[str, int], int] = field(default_factory=dict)
    counters: defaultdict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))


def read_styles(archive: Archive) -> Styles:
    styles = Styles()
    if "word/styles.xml" not in archive:
        return styles
    nodes = {
        n.get(f"{_W}styleId", ""): n for n in archive.xml("word/styles.xml").iter(f"{_W}style")
    }
    for key, node in nodes.items():
        name = attribute(node, f"{_W}name")
        styles.names[key] = name
        for ancestor in _lineage(nodes, key):
            match = _HEADING.match(attribute(ancestor, f"{_W}name"))
            outline = attribute(ancestor, f"{_W}pPr/{_W}outlineLvl")
            if attribute(ancestor, f"{_W}name").lower() == "title":
                styles.level.setdefault(key, 0)
            elif match:
                styles.level.setdefault(key, int(match[1]))
            elif whole(outline, 9) < 9:
                styles.level.setdefault(key, int(outline) + 1)
            number = attribute(ancestor, f"{_W}pPr/{_W}numPr/{_W}numId")
            if number and number != "0" and key not in styles.numbering:
                level = whole(attribute(ancestor, f"{_W}pPr/{_W}numPr/{_W}ilvl"), 0)
                styles.numbering[key] = (number, level)
    return styles


def _lineage(nodes: dict[str, etree._Element], key: str) -> list[etree._Element]:
    """A style and the styles it is based on, nearest first."""
    out: list[etree._Element] = []
    while key in nodes and len(out) < 12:
        out.append(nodes[key])
        key = attribute(nodes[key], f"{_W}basedOn")
    return out


def read_numbering(archive: Archive) -> Numbering:
    numbering = Numbering()
    if "word/numbering.xml" not in archive:
        return numbering
    root = archive.xml("word/numbering.xml")
    abstract = {n.get(f"{_W}abstractNumId", ""): n for n in root.iter(f"{_W}abstractNum")}
    for node in root.iter(f"{_W}num"):
        definition = abstract.get(attribute(node, f"{_W}abstractNumId"))
        for level in definition.iter(f"{_W}lvl") if definition is not None else ():
            if attribute(level, f"{_W}numFmt") not in ("bullet", "none", ""):
                key = (node.get(f"{_W}numId", ""), whole(level.get(f"{_W}ilvl") or "", 0))
                numbering.ordered[key] = whole(attribute(level, f"{_W}start"), 1)
    return numbering


def attribute(node: etree._Element, path: str, name: str = "val") -> str:
    """An attribute of the node at `path`, empty without it."""
    child = node.find(path)
    return "" if child is None else child.get(f"{_W}{name}") or ""
