"""Twice as much of anything takes a reader about twice as long, in every format.

A megabyte of what takes the square of its length holds a worker for minutes, and a nesting that
doubles for hours.
"""

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.partition import partition
from backend.partition.document import PartitionFailure
from tests.reliability.growing_documents import GROWING, name_of
from workbench.contract.partition_options import PartitionOptions

_STEEPEST = 8
"""Times as long for four times as much; 16 is a square. Between lies what a busy machine adds."""
_SLACK = 0.06


@pytest.fixture(autouse=True)
def steady() -> Iterator[None]:
    """Without the pauses of the collector, which come when they come."""
    gc.disable()
    yield
    gc.enable()


def seconds(folder: Path, construct: str, n: int) -> float:
    """Processor time of reading a document with `n` of the construct; the best of two."""
    make, _ = GROWING[construct]
    source = folder / name_of(construct)
    source.write_bytes(make(n))
    return min(_read(source), _read(source))


def _read(source: Path) -> float:
    began = time.process_time()
    try:
        options = PartitionOptions()
        partition(source, name=source.name, options=options, progress=lambda done, total: None)
    except PartitionFailure:
        pass  # what is too deep is refused, soon
    return time.process_time() - began


def grows_like_its_length(folder: Path, construct: str, n: int) -> None:
    seconds(folder, construct, 1)  # what is loaded for the format
    few, many = seconds(folder, construct, n), seconds(folder, construct, 4 * n)
    assert many <= _STEEPEST * few + _SLACK, f"{few * 1000:.0f} ms, then {many * 1000:.0f} ms"


@pytest.mark.parametrize("construct", GROWING)
def test_four_times_as_much_takes_about_four_times_as_long(tmp_path: Path, construct: str) -> None:
    grows_like_its_length(tmp_path, construct, 4 * GROWING[construct][1])


@pytest.mark.soak
@pytest.mark.parametrize("construct", GROWING)
def test_sixteen_times_as_much_does_so_too(tmp_path: Path, construct: str) -> None:
    grows_like_its_length(tmp_path, construct, 40 * GROWING[construct][1])
