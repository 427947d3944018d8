"""Kinds of made documents, from `kinds.txt`: titles, fields, who issues them."""

import re
from dataclasses import dataclass
from pathlib import Path

_HEAD = re.compile(r"\[(?P<key>\w+)\] (?P<titles>.*?)(?P<marks>(?: \w+=\w+)*)$")


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


def _read_wide() -> dict[str, Kind]:
    """The kinds of `wide.txt`."""
    kinds: dict[str, Kind] = {}
    parts: dict[str, tuple[list[str], dict[str, str], list[str]]] = {}
    for line in Path(__file__).with_name("wide.txt").read_text("utf-8").splitlines():
        if head := _HEAD.match(line):
            marks = dict(mark.split("=") for mark in head["marks"].split())
            parts[head["key"]] = (head["titles"].split("|"), marks, [])
        elif " ~ " in line and not line.startswith(("#", " ")):
            parts[next(reversed(parts))][2].append(line.split(" ~ ")[0])
    for key, (titles, marks, fields) in parts.items():
        org, day, titled = (marks.get(mark, "") for mark in ("org", "date", "titled"))
        kinds[key] = Kind(tuple(titles), tuple(fields), org, day, (), titled, False, False)
    return kinds


KINDS = _read() | _read_wide()
