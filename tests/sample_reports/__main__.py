"""Packs the reports that come with the product: `python -m tests.sample_reports`."""

import json
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tests.sample_reports import write_reports
from workbench.demo.documents import ARCHIVE, FACTS, REPORTS

_STRIDE = 29
"""Coprime to 48: the first reports of the archive are of all years and formats."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, ZipFile(ARCHIVE, "w", ZIP_DEFLATED) as archive:
        written = write_reports(Path(folder), count=REPORTS)
        reports = [written[_STRIDE * index % REPORTS] for index in range(REPORTS)]
        facts = {report.path.name: report.facts for report in reports}
        members = {FACTS: json.dumps(facts, indent=1).encode()}
        members |= {report.path.name: report.path.read_bytes() for report in reports}
        for name, data in members.items():
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)  # without the time of day


if __name__ == "__main__":
    main()
