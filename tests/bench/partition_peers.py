"""Our engine and others on the same files, scored and timed in the same run.

    python tests/bench/partition_peers.py [dprt icdar cvat tagged]

Peers run where they are installed (`pip install pdf-inspector edgeparse opendataloader-pdf`, the
last one with Java) at their own settings, but for optical recognition and pictures, which are off;
those that are missing are named. CPU is that of the process and its children, per page, start of
the process left out but for Java; the ratio is to PDFium's plain text of the same pages.
"""

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pypdfium2 as pdfium  # noqa: E402

from backend.partition import partition, to_markdown  # noqa: E402
from tests.bench.partition import LINES, MARGINS, plain_text_cost, scores  # noqa: E402
from workbench.contract.partition_options import PartitionOptions  # noqa: E402

DATA = Path(os.environ.get("WORKBENCH_BENCH") or ROOT.parent / "shared" / "bench") / "partition"
SETS = ("dprt", "icdar", "cvat", "tagged")
MEASURES = ("nid", "teds", "mhs", "overall")

Engine = Callable[[list[Path], Path], None]
"""Writes NAME.md into a folder for each file that it can read."""


def each(read: Callable[[Path], str]) -> Engine:
    """An engine that answers the Markdown of one file."""

    def run(sources: list[Path], out: Path) -> None:
        for source in sources:
            try:
                (out / f"{source.stem}.md").write_text(read(source), "utf-8")
            except Exception as error:
                print(f"  {source.name}: {type(error).__name__}: {error}")

    return run


def workbench(source: Path) -> str:
    options = PartitionOptions.read(LINES | MARGINS)
    document = partition(source, name=source.name, options=options, progress=_silent)
    return str(to_markdown(document.elements, options.markdown_options))


def _silent(done: int, total: int) -> None:
    """Nobody watches."""


def pdf_inspector(source: Path) -> str:
    import pdf_inspector

    return str(pdf_inspector.process_pdf(str(source)).markdown or "")


def edgeparse(source: Path) -> str:
    import edgeparse

    return str(edgeparse.convert(str(source), raster_table_ocr=False))


def opendataloader(sources: list[Path], out: Path) -> None:
    import opendataloader_pdf

    paths = [str(source) for source in sources]
    opendataloader_pdf.convert(paths, str(out), format="markdown", image_output="off", quiet=True)


ENGINES: dict[str, tuple[str, Engine]] = {
    "workbench": ("backend", each(workbench)),
    "pdf-inspector": ("pdf_inspector", each(pdf_inspector)),
    "edgeparse": ("edgeparse", each(edgeparse)),
    "opendataloader-pdf": ("opendataloader_pdf", opendataloader),
}


def missing(name: str, module: str) -> str:
    """Why an engine does not run; empty when it does."""
    if importlib.util.find_spec(module) is None:
        return "not installed"
    return "needs Java" if name.startswith("opendataloader") and not shutil.which("java") else ""


def cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def pages_of(source: Path) -> int:
    document = pdfium.PdfDocument(source)
    count = len(document)
    document.close()
    return count


def main() -> int:
    if not DATA.is_dir():
        print(f"No bench data: {DATA} does not exist. Set WORKBENCH_BENCH.")
        return 0
    for name, (module, _) in ENGINES.items():
        if why := missing(name, module):
            print(f"{name}: {why}")
    running = {n: engine for n, (module, engine) in ENGINES.items() if not missing(n, module)}
    for chosen in sys.argv[1:] or SETS:
        compare(DATA / chosen, running)
    return 0


def compare(folder: Path, engines: dict[str, Engine]) -> None:
    sources = sorted((folder / "pdf").glob("*.pdf"))
    pages = sum(map(pages_of, sources))
    plain = sum(map(plain_text_cost, sources))
    print(f"{folder.name}: {len(sources)} files, {pages} pages", flush=True)
    for name, run in engines.items():
        with tempfile.TemporaryDirectory() as temporary:
            out = Path(temporary)
            run(sources[:1], out)
            began = cpu()
            run(sources, out)
            spent = cpu() - began
            result = scores(DATA / "score.py", out, folder / "md")
        shown = " ".join(f"{m} {result[m]:.3f}" for m in MEASURES if result[m] is not None)
        cost = f"{1000 * spent / pages:.0f} ms/page, {spent / plain:.1f} times PDFium's text"
        print(f"  {name:18} {shown}  {cost}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
