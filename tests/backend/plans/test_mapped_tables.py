"""Tables in files take memory only for the part that is in use."""

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import polars as pl
import pytest

from backend.plans.tables.segments import in_file, mapped, write_parts

MB = 2**20


@pytest.fixture
def long_texts(tmp_path: Path) -> pl.DataFrame:
    """A mapped table of 160 MB."""
    pytest.importorskip("pyarrow")
    texts = [f"note {number} " * 50_000 for number in range(320)]
    return in_file(pl.DataFrame({"number": range(320), "text": texts}), tmp_path / "tables")


def test_a_table_in_several_files_is_the_same_table(
    long_texts: pl.DataFrame, tmp_path: Path
) -> None:
    files = [tmp_path / f"{number}.arrow" for number in range(99)]
    number = write_parts(long_texts, iter(files))
    assert number > 1 and not files[number].exists()
    assert mapped(files[:number]).equals(long_texts)


def test_an_empty_table_is_one_file(tmp_path: Path) -> None:
    empty = pl.DataFrame(schema={"number": pl.Int64})
    assert write_parts(empty, iter([tmp_path / "0.arrow"])) == 1
    assert mapped([tmp_path / "0.arrow"]).equals(empty)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_mapped_table_is_copied_without_all_of_it_in_memory(
    long_texts: pl.DataFrame, tmp_path: Path
) -> None:
    before, most = _mapped_bytes(), 0

    def watched() -> Iterator[Path]:
        nonlocal most
        for number in count():
            most = max(most, _mapped_bytes())
            yield tmp_path / f"{number}.arrow"

    write_parts(long_texts, watched())
    assert max(most, _mapped_bytes()) - before < 40 * MB


def test_an_empty_file_is_no_table(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "0.arrow"
    file.touch()
    with pytest.raises(OSError, match="empty"):
        mapped([file])


def _mapped_bytes() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssFile:")[2].split()[0]) * 1024
