"""The words of a page are given up when the page is done, so that long documents fit in memory."""

import subprocess
import sys
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

_MEASURE = """
import resource, sys
from pathlib import Path
from workbench.contract.partition_options import PartitionOptions
from backend.partition import partition
partitioned = partition(
    Path(sys.argv[1]), name="a.pdf", options=PartitionOptions(), progress=lambda done, total: None
)
assert partitioned.page_count == int(sys.argv[2])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def peak(folder: Path, pages: int) -> int:
    """Megabytes that a process needs for a document of so many full pages."""
    source = folder / f"{pages}.pdf"
    canvas = Canvas(str(source))
    for page in range(pages):
        canvas.setFont("Helvetica", 10)
        for line in range(45):
            canvas.drawString(
                60,
                780 - 13 * line,
                f"Line {line} of page {page} goes on with ordinary words {page}",
            )
        canvas.grid([60, 160, 260, 360], [180 - 18 * row for row in range(6)])
        for row in range(5):
            for column in range(3):
                canvas.drawString(66 + 100 * column, 167 - 18 * row, str(row * column * page))
        canvas.showPage()
    canvas.save()
    command = [sys.executable, "-c", _MEASURE, str(source), str(pages)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_a_further_page_costs_little_memory(tmp_path: Path) -> None:
    assert peak(tmp_path, 150) - peak(tmp_path, 10) < 0.15 * 140


@pytest.mark.soak
def test_two_thousand_pages_fit_in_600_mb(tmp_path: Path) -> None:
    assert peak(tmp_path, 2000) < 600
