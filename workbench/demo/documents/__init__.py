"""The sample collection: reports of an invented flight safety office.

The output is deterministic: no clock, no network, and randomness only from the seed. Independent of
servers and DocSets; `workbench demo` uploads the files like any others.
"""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.demo.documents.docx_layout import as_docx
from workbench.demo.documents.events import draw_events
from workbench.demo.documents.html_layout import as_html
from workbench.demo.documents.pdf_layout import as_pdf
from workbench.demo.documents.schema import DEMO_SCHEMA, true_values
from workbench.demo.documents.story import write_report

__all__ = ["DEMO_SCHEMA", "DemoDocument", "write_documents"]

_FORMATS = (
    ("pdf", 0), ("html", 0), ("pdf", 1), ("docx", 0),
    ("pdf", 2), ("html", 1), ("pdf", 1), ("docx", 1),
)  # fmt: skip
"""Extension and layout, in turn. Eight against three wordings, so every combination occurs."""
_WRITERS = {"pdf": as_pdf, "docx": as_docx, "html": as_html}
_WORDINGS = 3


@dataclass(frozen=True)
class DemoDocument:
    """A written file and the true value of each property of the schema."""

    path: Path
    facts: dict[str, Any]


def write_documents(folder: Path, *, count: int = 48, seed: int = 7) -> list[DemoDocument]:
    """Writes `count` reports, named by report number, into `folder` (created if missing)."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for index, event in enumerate(draw_events(count, seed)):
        extension, layout = _FORMATS[index % len(_FORMATS)]
        report = write_report(
            event,
            wording=index % _WORDINGS,
            long=(extension, layout) == ("pdf", 2),
            rng=random.Random(f"{seed} {event.number}"),
        )
        path = folder / f"{event.number}.{extension}"
        path.write_bytes(_WRITERS[extension](report, layout))
        written.append(DemoDocument(path, true_values(event)))
    return written
