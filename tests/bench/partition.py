"""Scores the partition engine on a set of documents and measures its cost.

    python tests/bench/partition.py [--set dprt] [--data DIR] [--per-doc] [--keep DIR]

Partitions every file of the set, writes Markdown predictions, runs the scorer that lies with the
data and prints its table, then the CPU time per page against PDFium's plain text of the same pages.
DIR is the folder that holds `partition/`; by default the environment variable WORKBENCH_BENCH, else
`../shared/bench` beside the repository. Line breaks are part of the truths, and so are headers and
footers in all sets but `office`, so they are written. The set `hostile` has no truths: it goes
through worker processes, as `tests/bench/partition_hostile.py` says.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pypdfium2 as pdfium  # noqa: E402

from backend.partition import PartitionFailure, partition, to_markdown  # noqa: E402
from tests.bench import partition_hostile  # noqa: E402
from workbench.contract.partition_options import PartitionOptions  # noqa: E402

LINES = {"text_extraction_options": {"remove_line_breaks": False}}
MARGINS = {"markdown_options": {"include_headers": True, "include_footers": True}}
COLUMNS = ("nid", "teds", "mhs", "overall", "nid_s", "nid_t", "teds_s", "teds_m", "mhs_s")


def main() -> int:
    arguments = read_arguments()
    folder = arguments.data / "partition" / arguments.set
    if not folder.is_dir():
        print(f"No bench data: {folder} does not exist. Set WORKBENCH_BENCH or give --data.")
        return 0
    if folder.name == "hostile":
        return partition_hostile.run(folder, *partition_hostile.usual(folder.parent))
    with tempfile.TemporaryDirectory() as temporary:
        out = arguments.keep or Path(temporary)
        out.mkdir(parents=True, exist_ok=True)
        options = PartitionOptions.read(LINES if folder.name == "office" else LINES | MARGINS)
        warm_up(folder, options)
        costs = predict(folder, out, options, arguments.only)
        if (folder / "md").is_dir():
            score(arguments.data / "partition" / "score.py", out, folder / "md", arguments)
        report_cost(costs)
    return 0


def read_arguments() -> argparse.Namespace:
    default = os.environ.get("WORKBENCH_BENCH") or ROOT.parent / "shared" / "bench"
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--set", default="dprt")
    parser.add_argument("--data", type=Path, default=Path(default))
    parser.add_argument("--keep", type=Path, help="keep the predictions in this folder")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--per-doc", action="store_true")
    return parser.parse_args()


def warm_up(folder: Path, options: PartitionOptions) -> None:
    """Loads libraries and fills caches, so that no document pays for the start of the process."""
    for source in sorted((folder / "pdf").glob("*.pdf"))[:1]:
        partition(source, name=source.name, options=options, progress=lambda done, total: None)
        plain_text_cost(source)


def predict(
    folder: Path, out: Path, options: PartitionOptions, only: str
) -> list[tuple[int, float, float]]:
    """Writes one Markdown file per document; pages, seconds of ours and of PDFium for each."""
    costs = []
    sources = next(p for p in (folder / "pdf", folder / "src", folder) if p.is_dir())
    for source in sorted(p for p in sources.iterdir() if only in p.name and p.suffix != ".tsv"):
        name = source.stem if source.suffix == ".pdf" else source.name
        started = time.process_time()
        try:
            document = partition(
                source, name=source.name, options=options, progress=lambda done, total: None
            )
        except PartitionFailure as failure:
            print(f"{source.name}: {failure.status_code} {failure.detail}")
            continue
        spent = time.process_time() - started
        text = to_markdown(document.elements, options.markdown_options)
        (out / f"{name}.md").write_text(str(text), "utf-8")
        if source.suffix == ".pdf":
            costs.append((document.page_count, spent, plain_text_cost(source)))
    return costs


def plain_text_cost(source: Path) -> float:
    started = time.process_time()
    document = pdfium.PdfDocument(source)
    for page in document:
        text = page.get_textpage()
        text.get_text_range()
        text.close()
        page.close()
    document.close()
    return time.process_time() - started


def score(scorer: Path, out: Path, truth: Path, arguments: argparse.Namespace) -> None:
    result = scores(scorer, out, truth, each=bool(arguments.per_doc or arguments.only))
    for name, values in result.pop("per_doc", {}).items():
        if arguments.only in name:
            shown = " ".join(f"{key} {values[key]:.3f}" for key in COLUMNS[:4] if key in values)
            print(f"{name}: {shown}")
    print(f"{arguments.set}: {result['documents']} documents, {result['missing']} missing")
    for key in COLUMNS:
        if result[key] is not None:
            print(f"  {key:8} {result[key]:.4f}  ({result[key + '_n']})")


def scores(scorer: Path, out: Path, truth: Path, *, each: bool = False) -> dict[str, Any]:
    """What the scorer answers for a folder of predictions, for each document as well if wished."""
    command = [sys.executable, str(scorer), str(out), str(truth), *(["--per-doc"] if each else [])]
    answer = subprocess.run(command, check=True, capture_output=True).stdout
    return dict(json.loads(answer))


def report_cost(costs: list[tuple[int, float, float]]) -> None:
    if not costs:
        return
    ours = [1000 * spent / pages for pages, spent, _ in costs]
    plain = [1000 * base / pages for pages, _, base in costs]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  CPU per page: median {statistics.median(ours):.0f} ms, "
        f"PDFium plain text {statistics.median(plain):.0f} ms, "
        f"ratio of the sums {sum(c[1] for c in costs) / sum(c[2] for c in costs):.1f}; "
        f"peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    sys.exit(main())
