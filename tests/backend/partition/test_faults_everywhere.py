"""Whatever step of a reader breaks, the document is kept and the fault is reported."""

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FrameType

import pytest

from backend.partition import Partition, partition
from tests.backend.partition import samples
from tests.backend.partition.conftest import lines
from tests.backend.partition.conftest import pdf as made_pdf
from workbench.contract.partition_options import PartitionOptions

CODE = Path(sys.modules["backend.partition"].__file__ or "").parent
OUTSIDE = {
    CODE / name
    for name in ("engine.py", "sniff.py", "selection.py", "document.py", "collecting.py")
}
"""Files that no reader can do without; what they raise is no fault of a reader."""
DECIDING = ("wide_encoding", "encoding_of", "sure_encoding", "_declared", "kind_of")
"""Functions that tell which kind of text a file is, before there is a reader."""
WORD = "harbour"

SAMPLES = {
    "a.pdf": made_pdf(lambda canvas: lines(canvas, 100, 700, ["The harbour", "A rope."])),
    "a.docx": samples.word(),
    "a.pptx": samples.slides(samples._SHAPE),
    "a.odt": samples.opendocument("text", samples._TEXT + samples._TABLE),
    "a.odp": samples.opendocument("presentation", samples._PAGE),
    "a.xlsx": samples.sheets(f"<sheetData><row>{samples.cell('A1', WORD)}</row></sheetData>"),
    "a.eml": samples.mail(),
    "a.txt": b"The harbour was calm.\n\nname  age\nAnn   12\nBob   13\n",
    "a.md": b"# The harbour\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n",
    "a.html": b"<html><body><h1>The harbour</h1><table><tr><td>1</td></tr></table></body></html>",
    "a.csv": b"harbour,depth\nOld,2\nNew,4\n",
}
EVERY = {"a.pdf": 9, "a.docx": 5}
"""Of the functions of large readers, how many there are for each that breaks."""


class Broken(ArithmeticError):
    """Nobody foresaw this."""


def read(path: Path) -> Partition:
    return partition(
        path, name=path.name, options=PartitionOptions(), progress=lambda done, total: None
    )


def steps(path: Path) -> Counter[CodeType]:
    """The functions that read a file, with the number of their calls."""
    calls: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        source = Path(frame.f_code.co_filename)
        if event == "call" and source.is_relative_to(CODE) and source not in OUTSIDE:
            calls[frame.f_code] += not frame.f_code.co_name.startswith("<")

    sys.setprofile(note)
    try:
        read(path)
    finally:
        sys.setprofile(None)
    return Counter({c: n for c, n in calls.items() if n and c.co_name not in DECIDING})


def read_with_fault(path: Path, step: CodeType, at: int) -> Partition:
    """The file as it is read when the call number `at` of a function breaks."""
    calls = 0

    def trace(frame: FrameType, _: str, __: object) -> None:
        nonlocal calls
        if frame.f_code is step:
            calls += 1
            if calls == at:
                raise Broken

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return read(path)
    finally:
        sys.settrace(before)


def faults(path: Path, every: int) -> Iterator[tuple[CodeType, int]]:
    for number, (step, calls) in enumerate(steps(path).items()):
        if number % every == 0:
            yield from ((step, at) for at in sorted({1, (calls + 1) // 2}))


def check(path: Path, every: int) -> None:
    for step, at in faults(path, every):
        place = f"{Path(step.co_filename).name}: {step.co_qualname}, call {at}"
        document = read_with_fault(path, step, at)
        assert document.elements, place
        if WORD not in str([element.wire() for element in document.elements]).lower():
            assert document.notes, place


@pytest.fixture(scope="module")
def process() -> Iterator[ProcessPoolExecutor]:
    """A fresh process: profiling one in which other tests left threads has hung the interpreter."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("name", SAMPLES)
def test_a_step_of_a_reader_that_breaks_loses_no_document(
    name: str, tmp_path: Path, process: ProcessPoolExecutor
) -> None:
    path = tmp_path / name
    path.write_bytes(SAMPLES[name])
    process.submit(check, path, EVERY.get(name, 1)).result()


@pytest.mark.soak
@pytest.mark.parametrize("name", EVERY)
def test_no_step_of_a_large_reader_that_breaks_loses_a_document(
    name: str, tmp_path: Path, process: ProcessPoolExecutor
) -> None:
    path = tmp_path / name
    path.write_bytes(SAMPLES[name])
    process.submit(check, path, 1).result()
