"""Pages of twenty-six kinds, set by four programs, through the partitioner and scored by kind.

    python tests/bench/partition_pages.py FOLDER [--each 1] [--seed 1] [--only NAME] [--scans]

Makes the pages in FOLDER unless they are there: by Chromium, LibreOffice, LaTeX and ReportLab,
where these are installed. Prints for each kind the scorer's figures (`score.py` of the bench data,
WORKBENCH_BENCH) and the share of labels that are read with their value right after them, beside
them or below them. `--scans` prints the pages at 150 dots per inch, with noise and a slope, and
reads these by OCR. What these pages gave while somebody looked at them says nothing of others.
"""

import argparse
import io
import json
import random
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import pypdfium2 as pdfium  # noqa: E402
from PIL import Image  # noqa: E402

from backend.partition import partition, to_markdown  # noqa: E402
from tests.bench.partition import LINES, MARGINS, scores  # noqa: E402
from tests.bench.typeset.canvas import report  # noqa: E402
from tests.bench.typeset.kinds import KINDS  # noqa: E402
from tests.bench.typeset.model import Made, markdown, pairs_of  # noqa: E402
from tests.bench.typeset.tex import latex  # noqa: E402
from tests.bench.typeset.web import browser, writer  # noqa: E402
from workbench.contract.elements import Element  # noqa: E402
from workbench.contract.partition_options import PartitionOptions  # noqa: E402

WRITERS: dict[str, tuple[str, Callable[[Made, Path], None]]] = {
    "web": ("chromium", browser),
    "office": ("soffice", writer),
    "tex": ("pdflatex", latex),
    "canvas": ("", report),
}
DOTS = 150
MEASURES = ("nid_t", "teds", "mhs", "pairs")


def main() -> int:
    arguments = read_arguments()
    folder: Path = arguments.folder
    make(folder, arguments.each, arguments.seed)
    sources = folder / "pdf"
    if arguments.scans:
        scan(sources, folder / "scan")
        sources = folder / "scan"
    out = folder / ("read_scan" if arguments.scans else "read")
    out.mkdir(exist_ok=True)
    kept: dict[str, float] = {}
    for source in sorted(sources.glob("*.pdf")):
        if arguments.only not in source.name:
            continue
        truth = json.loads((folder / "pairs" / f"{source.stem}.json").read_text("utf-8"))
        result = read(source)
        (out / f"{source.stem}.md").write_text(result[0], "utf-8")
        if truth:
            lost = [pair for pair in truth if not is_kept(pair, result[1])]
            kept[source.stem] = 1 - len(lost) / len(truth)
            if arguments.only:
                print(source.stem, "lost:", lost)
    show(folder, out, kept, arguments)
    return 0


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=1, help="pages of a kind by each program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--scans", action="store_true")
    return parser.parse_args()


def make(folder: Path, each: int, seed: int) -> None:
    for part in ("pdf", "md", "pairs"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for kind, contents in KINDS.items():
        for how, (program, write) in WRITERS.items():
            for number in range(each):
                name = f"{kind}-{how}-{seed}-{number}"
                pdf = folder / "pdf" / f"{name}.pdf"
                if pdf.is_file() or (program and not shutil.which(program)):
                    continue
                made = contents(random.Random(name))
                write(made, pdf)
                (folder / "md" / f"{name}.md").write_text(markdown(made), "utf-8")
                (folder / "pairs" / f"{name}.json").write_text(json.dumps(pairs_of(made)), "utf-8")


def read(source: Path) -> tuple[str, list[Element]]:
    options = PartitionOptions.read(LINES | MARGINS)
    document = partition(source, name=source.name, options=options, progress=lambda a, b: None)
    return str(to_markdown(document.elements, options.markdown_options)), document.elements


def is_kept(pair: list[str], elements: list[Element]) -> bool:
    """Whether a value follows its label at once: in the text, in the row of a table or below it."""
    label, value = map(_bare, pair)
    return any(label + value in text for element in elements for text in _ways(element))


def _ways(element: Element) -> list[str]:
    """The texts of an element along its rows and down its columns."""
    if element.table is None:
        return [_bare(element.text_representation or "")]
    out = []
    for along, across in (("rows", "cols"), ("cols", "rows")):
        lines: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
        for cell in element.table.cells:
            for line in getattr(cell, along):
                lines[line].append((getattr(cell, across)[0], cell.content))
        out += [_bare(" ".join(text for _, text in sorted(cells))) for cells in lines.values()]
    return out


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def scan(sources: Path, out: Path) -> None:
    """The first page of each file as a gray picture with noise, a little turned."""
    out.mkdir(exist_ok=True)
    for source in sorted(sources.glob("*.pdf")):
        if (out / source.name).is_file():
            continue
        rng = np.random.default_rng(len(source.stem))
        document = pdfium.PdfDocument(source)
        pages = []
        for page in document:
            image = page.render(scale=DOTS / 72).to_pil().convert("L")
            image = image.rotate(
                rng.uniform(-0.7, 0.7), fillcolor=255, resample=Image.Resampling.BICUBIC
            )
            noise = rng.normal(0, 9, (image.height, image.width))
            gray = np.clip(np.asarray(image) * 0.93 + 8 + noise, 0, 255).astype(np.uint8)
            packed = io.BytesIO()
            Image.fromarray(gray).save(packed, "JPEG", quality=60)
            pages.append(Image.open(packed))
        document.close()
        pages[0].save(out / source.name, resolution=DOTS, save_all=True, append_images=pages[1:])


def show(folder: Path, out: Path, kept: dict[str, float], arguments: argparse.Namespace) -> None:
    import os

    data = Path(os.environ.get("WORKBENCH_BENCH") or ROOT.parent / "shared" / "bench")
    result = scores(data / "partition" / "score.py", out, folder / "md", each=True)
    figures: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for name, values in sorted(result["per_doc"].items()):
        if arguments.only not in name or values["missing"]:
            continue
        values = values | ({"pairs": kept[name]} if name in kept else {})
        shown = " ".join(f"{key} {values[key]:.3f}" for key in MEASURES if key in values)
        if arguments.only:
            print(name, shown)
        kind, how, *_ = name.split("-")
        for key in MEASURES:
            if key in values:
                for group in (kind, how, "all"):
                    figures[group][key].append(values[key])
    for group, item in figures.items():
        shown = " ".join(
            f"{key} {np.mean(item[key]):.3f}" if key in item else f"{'':{len(key) + 6}}"
            for key in MEASURES
        )
        print(f"{group:10} {shown}")


if __name__ == "__main__":
    sys.exit(main())
