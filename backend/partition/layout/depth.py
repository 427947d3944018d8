"""How deep headings are: from their numbers, from the outline, and from how large they are set.

Headings with an explicit depth determine it for all in their style; the other styles follow from
large to small.
"""

import re
from collections import Counter, defaultdict

from backend.partition.layout.blocks import Block
from backend.partition.layout.regions import LaidPage

_NUMBER = re.compile(r"^(\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)\.?\s+\S")
_PART = re.compile(
    r"^(?:chapter|part|appendix|annex|kapitel|teil|chapitre|partie)\s", re.IGNORECASE
)
_ALIKE = 1.06
"""Sizes within this factor are equal; those of scans are measured."""
_DEEPEST = 6

_Look = tuple[float, bool]
"""Size and weight."""


def mark_depths(pages: list[LaidPage]) -> None:
    """Sets the level of section headers that have none."""
    heads = [
        region
        for page in pages
        for region in page.regions
        if isinstance(region, Block) and region.kind == "Section-header"
    ]
    sizes = _one_size([head.style.size for head in heads])
    head_styles = [(sizes[head.style.size], head.style.bold) for head in heads]
    levels = _levels(heads, head_styles)
    for head, look in zip(heads, head_styles, strict=True):
        head.level = head.level or _numbered(head) or levels[look]


def _one_size(sizes: list[float]) -> dict[float, float]:
    """Each size with the largest that is about the same."""
    out: dict[float, float] = {}
    largest = 0.0
    for size in sorted(set(sizes), reverse=True):
        if largest > _ALIKE * size or not largest:
            largest = size
        out[size] = largest
    return out


def _levels(heads: list[Block], head_styles: list[_Look]) -> dict[_Look, int]:
    stated: defaultdict[_Look, Counter[int]] = defaultdict(Counter)
    for head, look in zip(heads, head_styles, strict=True):
        level = head.level or _numbered(head)
        if level:
            stated[look][level] += 1
    levels: dict[_Look, int] = {}
    level = 0
    for look in sorted(set(head_styles), reverse=True):
        level = stated[look].most_common(1)[0][0] if look in stated else min(_DEEPEST, level + 1)
        levels[look] = level
    return levels


def _numbered(head: Block) -> int:
    """The depth implied by its number; 0 for headings without one."""
    if _PART.match(head.text):
        return 1
    match = _NUMBER.match(head.text)
    return min(_DEEPEST, match[1].count(".") + 1) if match else 0
