"""Headings of a DOCX that has no heading styles: short bold paragraphs, each before a plain or
smaller one.

Many people write without styles. If a single paragraph has a heading style or an outline level, the
author knows how to mark headings, and formatting does not count.
"""

import re
from itertools import pairwise

from lxml import etree

from backend.partition.formats.docx_styles import attribute
from backend.partition.formats.docx_text import W, words
from backend.partition.formats.numerals import whole

_LONGEST = 120
"""The most letters of a heading."""
_SENTENCE_END = re.compile(r"[.,;:!?]$")
_USUAL_SIZE = 22
"""The font size of a run that states none, in half points."""
_DEEPEST = 6


def headings_by_look(body: etree._Element) -> dict[etree._Element, int]:
    """The paragraphs formatted like headings, with levels by size; empty if most text is bold."""
    blocks = [block for block in body if block.tag == f"{W}tbl" or words(block).strip()]
    bold = {block for block in blocks if _is_bold(block)}
    heads = [
        block
        for block, after in pairwise(blocks)
        if block in bold
        and (after not in bold or _size(after) < _size(block))
        and _is_short(words(block).strip())
    ]
    if 2 * len(bold) > len(blocks):
        return {}
    sizes = {head: _size(head) for head in heads}
    order = sorted(set(sizes.values()), reverse=True)
    return {head: min(_DEEPEST, order.index(size) + 1) for head, size in sizes.items()}


def _is_bold(block: etree._Element) -> bool:
    """Whether all words of a paragraph outside of lists are bold."""
    if block.tag != f"{W}p" or block.find(f"{W}pPr/{W}numPr") is not None:
        return False
    runs = _runs(block)
    marks = [run.find(f"{W}rPr/{W}b") for run in runs]
    return bool(runs) and all(
        mark is not None and mark.get(f"{W}val") not in ("0", "false", "off") for mark in marks
    )


def _is_short(text: str) -> bool:
    worded = any(char.isalpha() for char in text)
    return worded and len(text) <= _LONGEST and not _SENTENCE_END.search(text)


def _size(block: etree._Element) -> int:
    return max(whole(attribute(run, f"{W}rPr/{W}sz"), _USUAL_SIZE) for run in _runs(block))


def _runs(block: etree._Element) -> list[etree._Element]:
    return [run for run in block.iter(f"{W}r") if words(run).strip()]
