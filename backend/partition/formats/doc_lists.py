"""Lists of a DOC: which items are numbered, and with which numbers.

A paragraph, or its style, names an entry in a table of list uses; the entry names a list with its
levels.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from backend.partition.formats.doc_structure import (
    ITEM_LEVEL,
    LIST,
    STYLES,
    Look,
    Parts,
    properties,
)

_LISTS, _USES = 0x2E2, 0x2EA
_LIST_SIZE, _USE_SIZE, _LEVEL_SIZE = 28, 16, 28
_LEVELS = 9
_SIGNS = (23, 255)
"""Kinds of numbers that are bullets or nothing."""
_MAX_USE = 0x7FE


@dataclass
class Lists:
    """First numbers by list use and level, None for bullets; counts as items go by."""

    starts: dict[tuple[int, int], int | None]
    styles: dict[int, tuple[int, int]]
    """Use and level of the lists that paragraph styles belong to."""
    counters: dict[tuple[int, int], int] = field(default_factory=dict)

    def place(self, look: Look) -> tuple[int, int] | None:
        """List use and level of a paragraph; None outside of lists."""
        use, level = self.styles.get(look.style, (0, 0))
        use, level = look.number(LIST, use), look.number(ITEM_LEVEL, level)
        return (use, min(_LEVELS - 1, level)) if 0 < use <= _MAX_USE else None

    def count(self, use: int, level: int) -> int | None:
        """The number of the next item, None for bullets."""
        start = self.starts.get((use, level))
        if start is None:
            return None
        for deeper in range(level + 1, _LEVELS):
            self.counters.pop((use, deeper), None)
        self.counters[use, level] = self.counters.get((use, level), start - 1) + 1
        return self.counters[use, level]


def lists_of(parts: Parts) -> Lists:
    """All readable lists. If the table is damaged the numbers are lost, but not the document."""
    try:
        starts = _starts(parts)
    except (struct.error, IndexError):
        starts = {}
    return Lists(starts, dict(_style_places(parts)))


def _starts(parts: Parts) -> dict[tuple[int, int], int | None]:
    lists, uses = parts.entry(_LISTS), parts.entry(_USES)
    if len(lists) < 2 or len(uses) < 4:
        return {}
    offset, length = struct.unpack_from("<II", parts.main, _LISTS)
    at = offset + length
    levels: dict[bytes, list[int | None]] = {}
    for index in range(struct.unpack_from("<H", lists)[0]):
        entry = lists[2 + _LIST_SIZE * index :][:_LIST_SIZE]
        simple = entry[26] & 1
        starts: list[int | None] = []
        for _ in range(1 if simple else _LEVELS):
            start, kind = struct.unpack_from("<IB", parts.table, at)
            starts.append(None if kind in _SIGNS else min(start, 0xFFFF))
            at += _LEVEL_SIZE + parts.table[at + 24] + parts.table[at + 25]
            at += 2 + 2 * struct.unpack_from("<H", parts.table, at)[0]
        levels[entry[:4]] = starts
    out: dict[tuple[int, int], int | None] = {}
    for index in range(min(_MAX_USE, struct.unpack_from("<I", uses)[0])):
        key = uses[4 + _USE_SIZE * index :][:4]
        out.update({(index + 1, level): start for level, start in enumerate(levels.get(key, []))})
    return out


def _style_places(parts: Parts) -> Iterator[tuple[int, tuple[int, int]]]:
    """The lists of paragraph styles; a style without one inherits that of its base style."""
    table = parts.entry(STYLES)
    if len(table) < 6:
        return
    head, count, base = struct.unpack_from("<HHH", table)
    at = 2 + head
    own: dict[int, Look] = {}
    bases: dict[int, int] = {}
    for style in range(min(count, 4096)):
        if at + 2 > len(table):
            break
        size = struct.unpack_from("<H", table, at)[0]
        entry = table[at + 2 : at + 2 + size]
        if len(entry) >= base + 2 and entry[2] & 0x0F == 1:
            bases[style] = int.from_bytes(entry[2:4], "little") >> 4
            own[style] = Look(0, _paragraph_properties(entry, base))
        at += 2 + size
    for style, look in own.items():
        step, steps = style, 0
        while LIST not in own[step].values and bases[step] in own and steps < 12:
            step, steps = bases[step], steps + 1
        if LIST in own[step].values:
            level = look.number(ITEM_LEVEL, own[step].number(ITEM_LEVEL, 0))
            yield style, (own[step].number(LIST, 0), level)


def _paragraph_properties(entry: bytes, base: int) -> dict[int, bytes]:
    """The properties behind the name of a paragraph style."""
    at = base + 2 + 2 * int.from_bytes(entry[base : base + 2], "little") + 2
    size = int.from_bytes(entry[at : at + 2], "little")
    return properties(entry[at + 4 : at + 2 + size])
