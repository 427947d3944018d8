"""Calls of a repair service, and what a network may foresee of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.inference.role_network import Foreseen
from backend.plans.requests.outlook import Outlook
from backend.plans.requests.roles import ROLES, TRAITS
from tests.backend.plans.desk import Desk, make_desk

CALLS = [
    {"name": "engineer", "type": {"type": "string"}},
    {"name": "urgency", "type": {"type": "string", "description": "How urgent it was"}},
    {"name": "minutes", "type": {"type": "int", "description": "Time on site"}},
    {"name": "called_on", "type": {"type": "date"}},
    {"name": "fixed_on", "type": {"type": "date", "description": "Empty if it still fails"}},
    {"name": "warranty", "type": {"type": "bool"}},
]
ENTITY = "properties.entity."


def make_calls(folder: Path) -> Desk:
    """A desk with 24 calls."""
    records: list[dict[str, Any]] = [
        {"engineer": ("Ada", "Bo", "Cy")[n % 3], "urgency": ("routine", "stop")[n % 2],
         "minutes": 10 + 7 * n, "called_on": f"2024-03-{n + 1:02}",
         "fixed_on": f"2024-04-{n + 1:02}", "warranty": n % 4 == 0}
        for n in range(24)
    ]  # fmt: skip
    texts = [[record["engineer"]] for record in records]
    return make_desk(folder, "calls", CALLS, records, texts)


def outlook(
    roles: Mapping[str, Sequence[str]], traits: Sequence[str],
    values: Mapping[str, Sequence[str]] = {},
) -> Outlook:  # fmt: skip
    """An outlook in which just these roles, traits and values are likely."""
    names = [str(prop["name"]) for prop in CALLS]
    odds = [[2.0 if role in roles.get(name, ()) else -6.0 for role in ROLES] for name in names]
    foreseen = Foreseen(
        np.array(odds, dtype=np.float32),
        np.array([2.0 if trait in traits else -6.0 for trait in TRAITS], dtype=np.float32),
        [dict.fromkeys(values.get(name, ()), 2.0) for name in names],
    )
    return Outlook({}, [ENTITY + name for name in names], foreseen)
