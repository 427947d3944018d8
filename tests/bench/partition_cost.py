"""What partitioning costs, as ratios to named rivals and as memory.

    python tests/bench/partition_cost.py digital   CPU of born-digital pages over plain PDFium
    python tests/bench/partition_cost.py ocr       CPU of scans over rapidocr (to be installed),
                                                   and of whole processes over its command line
    python tests/bench/partition_cost.py workers   two processes over one, wall time, same files
    python tests/bench/partition_cost.py memory    peak of a process with a 2,000-page PDF

The data lies where WORKBENCH_BENCH says, else in `../shared/bench` beside the repository. CPU is
that of the process, libraries loaded before; the sum is over all pages of a set. Pages that are
read by OCR as a whole are left out of `digital`, on both sides; words with letters that the file
has no text for, which OCR reads as well, are not.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from backend.partition import partition  # noqa: E402
from backend.partition.pdf.file import loaded, opened, render  # noqa: E402
from backend.partition.scan import read_scan  # noqa: E402
from tests.backend.partition.test_long_documents import peak  # noqa: E402
from tests.bench.partition import plain_text_cost  # noqa: E402
from workbench.contract.partition_options import PartitionOptions  # noqa: E402

DATA = Path(os.environ.get("WORKBENCH_BENCH") or ROOT.parent / "shared" / "bench") / "partition"
DIGITAL = ("dprt", "icdar", "cvat", "tagged")
REPEATS = 3
BATCH = 4
"""Pages for which processes are compared."""
_READ = """
import sys
from pathlib import Path
from workbench.contract.partition_options import PartitionOptions
from backend.partition import partition
for name in sys.argv[1:]:
    partition(Path(name), name=name, options=PartitionOptions(), progress=lambda done, total: None)
"""


def files(name: str) -> list[Path]:
    return sorted((DATA / name / "pdf").glob("*.pdf"))


def ours(source: Path) -> list[str]:
    document = partition(source, name=source.name, options=PartitionOptions(), progress=_silent)
    return document.notes


def _silent(done: int, total: int) -> None:
    """Nobody watches."""


def digital() -> None:
    spent, base = 0.0, 0.0
    for name in DIGITAL:
        read = [source for source in files(name) if not any("OCR" in note for note in ours(source))]
        mine = sum(min(_cpu(ours, source) for _ in range(REPEATS)) for source in read)
        plain = sum(min(plain_text_cost(source) for _ in range(REPEATS)) for source in read)
        print(f"{name}: {len(read)} files, {mine:.2f} s over {plain:.2f} s: {mine / plain:.1f}")
        spent, base = spent + mine, base + plain
    print(f"all: {spent:.2f} s over {base:.2f} s: {spent / base:.1f}")


def _cpu(work: object, *arguments: object) -> float:
    started = time.process_time()
    work(*arguments)  # type: ignore[operator]
    return time.process_time() - started


def ocr() -> None:
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "error"})
    totals = [0.0, 0.0]
    for number, source in enumerate(files("scan")):
        with opened(source) as document, loaded(document, 1) as page:
            picture = render(page, 150 / 72)
        pixels = np.asarray(picture)[:, :, ::-1]
        if number == 0:
            read_scan(picture, 1)
            engine(pixels)
        totals[0] += _cpu(read_scan, picture, 1)
        totals[1] += _cpu(engine, pixels)
    print(f"scan: {totals[0]:.1f} s over {totals[1]:.1f} s: {totals[0] / totals[1]:.2f}")
    ocr_commands()


def ocr_commands() -> None:
    """Whole processes on the same pictures: the engine's command reads one picture per start."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = []
        for source in files("scan")[:BATCH]:
            with opened(source) as document, loaded(document, 1) as page:
                pictures.append(f"{folder}/{source.stem}.png")
                render(page, 150 / 72).save(pictures[-1])
        engine = str(Path(sys.executable).with_name("rapidocr"))
        theirs = sum(_process_cpu([engine, "-img", picture]) for picture in pictures)
        together = _process_cpu([sys.executable, "-c", _READ, *pictures])
        apart = sum(_process_cpu([sys.executable, "-c", _READ, name]) for name in pictures)
    print(f"{BATCH} pages by its command line: {theirs:.1f} s")
    print(f"ours, a process each: {apart:.1f} s: {apart / theirs:.2f}")
    print(f"ours, one process: {together:.1f} s: {together / theirs:.2f}")


def _process_cpu(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def workers() -> None:
    tasks = [source for name in DIGITAL for source in files(name)] * 2
    wall = []
    for count in (1, 2):
        with ProcessPoolExecutor(count) as pool:
            list(pool.map(ours, tasks[: 4 * count]))
            started = time.perf_counter()
            list(pool.map(ours, tasks))
            wall.append(time.perf_counter() - started)
    print(f"one {wall[0]:.1f} s, two {wall[1]:.1f} s: {wall[0] / wall[1]:.2f} times")


def memory() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(f"2,000 pages: peak {peak(Path(folder), 2000)} MB")


def main() -> int:
    measures = {"digital": digital, "ocr": ocr, "workers": workers, "memory": memory}
    chosen = sys.argv[1:] or list(measures)
    if not DATA.is_dir():
        print(f"No bench data: {DATA} does not exist. Set WORKBENCH_BENCH.")
        return 0
    for name in chosen:
        measures[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
