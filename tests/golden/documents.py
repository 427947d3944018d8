"""All kinds of the golden set; run as a module to write the documents into a folder.

``python -m tests.golden.documents FOLDER`` writes FOLDER/<kind>/<document>.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from tests.golden import (
    agreements,
    invoices,
    lift_truck_accidents,
    minutes,
    quarterly_statements,
    warranty_claims,
)
from tests.golden.common import Document, Kind

MODULES: dict[str, ModuleType] = {
    "lift_truck_accidents": lift_truck_accidents,
    "quarterly_statements": quarterly_statements,
    "agreements": agreements,
    "invoices": invoices,
    "minutes": minutes,
    "warranty_claims": warranty_claims,
}


@cache
def kinds() -> dict[str, Kind]:
    """The kinds by key, each with its schema and documents."""
    return {
        key: Kind(key, module.NOUN, module.SCHEMA, module.SAME, tuple(module.documents()))
        for key, module in MODULES.items()
    }


def documents(kind: str) -> tuple[Document, ...]:
    """The documents of one kind."""
    return kinds()[kind].documents


def write_all(folder: Path) -> int:
    """Write every document to ``folder/<kind>/<name>``; returns the number written."""
    count = 0
    for key, kind in kinds().items():
        (folder / key).mkdir(parents=True, exist_ok=True)
        for document in kind.documents:
            (folder / key / document.name).write_bytes(document.content)
            count += 1
    return count


if __name__ == "__main__":
    print(write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "documents")))
