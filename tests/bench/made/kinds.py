"""Kinds of made documents, from `kinds.txt`: titles, fields, who issues them."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """`org` stands at the head without a label, `date` alone on a line, `pair` are the parties."""

    titles: tuple[str, ...]
    fields: tuple[str, ...]
    org: str
    date: str
    pair: tuple[str, ...]
    titled: str
    items: bool
    years: bool


def _read() -> dict[str, Kind]:
    blocks: dict[str, dict[str, str]] = {}
    for line in Path(__file__).with_name("kinds.txt").read_text("utf-8").splitlines():
        if line.startswith("  "):
            key, _, value = line.strip().partition(" ")
            blocks[next(reversed(blocks))][key] = value
        elif line and not line.startswith("#"):
            name, _, titles = line.partition(": ")
            blocks[name] = {"titles": titles}
    return {name: _kind(block) for name, block in blocks.items()}


def _kind(block: dict[str, str]) -> Kind:
    return Kind(
        tuple(block["titles"].split("|")), tuple(block["fields"].split()), block.get("org", ""),
        block.get("date", ""), tuple(block.get("pair", "").split()), block.get("titled", ""),
        "items" in block, "years" in block,
    )  # fmt: skip


KINDS = _read()
