"""The sample collection: 48 reports of an invented flight safety office, as files.

Independent of servers and DocSets; `workbench demo` uploads the files like any others. The program
that wrote them is in the repository, in `tests/sample_reports`.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from workbench.demo.schema import DEMO_SCHEMA

__all__ = ["ARCHIVE", "DEMO_SCHEMA", "FACTS", "REPORTS", "DemoDocument", "write_documents"]

ARCHIVE = Path(__file__).with_name("reports.zip")
FACTS = "facts.json"
"""Member of the archive with the true values of each report. Its order mixes years and formats."""
REPORTS = 48


@dataclass(frozen=True)
class DemoDocument:
    """A written file and the true value of each property of the schema."""

    path: Path
    facts: dict[str, Any]


def write_documents(folder: Path, *, count: int = REPORTS) -> list[DemoDocument]:
    """Writes `count` of the `REPORTS` reports into `folder`, which it creates if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    with ZipFile(ARCHIVE) as archive:
        facts = json.loads(archive.read(FACTS))
        return [
            DemoDocument(Path(archive.extract(name, folder)), facts[name])
            for name in list(facts)[:count]
        ]
