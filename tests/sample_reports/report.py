"""A report independent of layout: titled sections of paragraphs, lists, tables and figures."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DataTable:
    """Rows of equal length under a header row."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A PNG picture of `width` x `height` pixels."""

    caption: str
    png: bytes
    width: int
    height: int


@dataclass(frozen=True)
class Bullets:
    items: tuple[str, ...]


Block = str | DataTable | Figure | Bullets


@dataclass(frozen=True)
class Report:
    """The content of every layout: `facts` as label and value, `sections` as heading and blocks."""

    number: str
    title: str
    subtitle: str
    published: str
    facts: tuple[tuple[str, str], ...]
    summary: str
    sections: tuple[tuple[str, tuple[Block, ...]], ...]
