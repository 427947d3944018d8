"""What a follow-up keeps of a plan: the table in the reader's README is what the product does."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.plan import Plan

_README = Path(__file__).parents[3] / "backend" / "plans" / "reading" / "README.md"
_PARTS = {
    "filter": "BasicFilter", "group": "GroupBy", "figure": "Aggregate", "order": "Sort",
    "limit": "Limit", "columns": "Project",
}  # fmt: skip
_ROW = re.compile(r"^\| (list|groups) \| “([^”]+)” \|(.*)\|$", re.MULTILINE)
_START = re.compile(r"^\* \*\*(list|groups)\*\*: “([^”]+)”", re.MULTILINE)
_TYPES = {
    "name": "string", "type": "string", "port": "string", "built": "date", "price": "float",
    "length_m": "float", "licensed": "bool", "maker": "string",
}  # fmt: skip


def _rows() -> list[tuple[str, str, tuple[str, ...]]]:
    text = _README.read_text(encoding="utf-8")
    return [
        (start, words, tuple(cell.strip() for cell in cells.split("|")))
        for start, words, cells in _ROW.findall(text)
    ]


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = [
        {
            "name": f"Boat {i:02}",
            "type": ["ketch", "sloop", "yawl"][i % 3],
            "port": ["Ashby", "Colne", "Dunmore", "Elstow"][i % 4],
            "built": f"20{10 + i % 9}-0{1 + i % 9}-1{i % 9}",
            "price": 400.0 + 37 * (i * 7 % 40),
            "length_m": 8.5 + i % 11,
            "licensed": i % 3 != 1,
            "maker": ["Fjord Yard", "Solent"][i % 2],
        }
        for i in range(40)
    ]
    properties = [{"name": name, "type": kind} for name, kind in _TYPES.items()]
    texts = [[record["name"]] for record in records]
    return make_desk(tmp_path_factory.mktemp("boats"), "boats", properties, records, texts)


@pytest.mark.parametrize(("start", "words", "cells"), _rows())
def test_a_follow_up_keeps_what_the_table_says(
    boats: Desk, start: str, words: str, cells: tuple[str, ...]
) -> None:
    questions = dict(_START.findall(_README.read_text(encoding="utf-8")))
    before = boats.begin(questions[start])
    after = boats.edit(before, words)
    assert _fate(before, after) == cells


def test_the_table_has_every_part_beside_a_dozen_follow_ups_of_each_plan() -> None:
    rows = _rows()
    assert {len(cells) for _, _, cells in rows} == {len(_PARTS)}
    assert all(sum(start == name for start, _, _ in rows) >= 12 for name in ("list", "groups"))


def _fate(before: Plan, after: Plan) -> tuple[str, ...]:
    """What became of each part: it stays, changes, goes, or is new."""
    was, now = _parts(before), _parts(after)
    return tuple(
        "–" if kind not in was and kind not in now
        else "new" if kind not in was
        else "goes" if kind not in now
        else "stays" if was[kind] == now[kind]
        else "further" if all(one in now[kind] for one in was[kind])
        else "changes"
        for kind in _PARTS.values()
    )  # fmt: skip


def _parts(plan: Plan) -> dict[str, list[dict[str, Any]]]:
    parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for node in plan.nodes.values():
        if node.node_type in _PARTS.values():
            parts[node.node_type].append(dict(node.extras))
    return parts
