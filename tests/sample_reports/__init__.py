"""Writes the reports of an invented flight safety office.

The output is deterministic: no clock, no network, and randomness only from the seed. `python -m
tests.sample_reports` packs the reports that `workbench demo` adds.
"""

import random
from pathlib import Path
from typing import Any

from tests.sample_reports.docx_layout import as_docx
from tests.sample_reports.events import Event, draw_events
from tests.sample_reports.html_layout import as_html
from tests.sample_reports.pdf_layout import as_pdf
from tests.sample_reports.story import write_report
from workbench.demo.documents import DemoDocument

_FORMATS = (
    ("pdf", 0), ("html", 0), ("pdf", 1), ("docx", 0),
    ("pdf", 2), ("html", 1), ("pdf", 1), ("docx", 1),
)  # fmt: skip
"""Extension and layout, in turn. Eight against three wordings, so every combination occurs."""
_WRITERS = {"pdf": as_pdf, "docx": as_docx, "html": as_html}
_WORDINGS = 3


def write_reports(folder: Path, *, count: int = 48, seed: int = 7) -> list[DemoDocument]:
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


def true_values(event: Event) -> dict[str, Any]:
    """The true value of each property of `DEMO_SCHEMA`; None where the report does not state it."""
    return {
        "report_number": event.number,
        "event_date": event.day.isoformat(),
        "state": event.state,
        "city": event.city,
        "aircraft_make": event.aircraft.make,
        "aircraft_model": event.aircraft.model,
        "operation": event.operation,
        "phase": event.phase,
        "weather": event.weather,
        "wind_speed": event.wind_speed,
        "visibility": event.visibility,
        "injuries": event.injuries,
        "fatal": event.fatal > 0,
        "damage": event.damage,
        "damage_cost": event.cost,
        "pilot_hours": event.pilot_hours,
        "cause": event.cause.name,
    }
