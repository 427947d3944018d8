"""Disk space kept for deletions: lent to them, restored, and not for uploads."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.store.reserve import SIZE, Reserve
from tests.reliability import faults
from workbench.contract.errors import StorageFull

_MEGABYTES = SIZE // 2**20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that has room for the reserve and half as much."""
    try:
        with faults.small_disk(tmp_path / "disk", _MEGABYTES * 3 // 2):
            yield tmp_path / "disk"
    except faults.Impossible as reason:
        pytest.skip(str(reason))


def _fill(file: Path) -> int:
    """Writes until the disk is full; the number of bytes written."""
    with file.open("wb", buffering=0) as written:
        try:
            while True:
                written.write(bytes(2**16))
        except OSError:
            return written.tell()


def test_a_full_disk_has_room_while_the_reserve_is_lent_and_none_after(disk: Path) -> None:
    reserve = Reserve(disk / "reserve")
    reserve.prepare()
    assert _fill(disk / "uploads") < SIZE
    with reserve.lent():
        assert _fill(disk / "log") >= SIZE // 2
        (disk / "log").unlink()
    assert _fill(disk / "log") == 0
    reserve.check()


def test_uploads_are_refused_until_the_reserve_is_whole_again(disk: Path) -> None:
    reserve = Reserve(disk / "reserve")
    reserve.prepare()
    _fill(disk / "uploads")
    with reserve.lent():
        _fill(disk / "taken meanwhile")
    with pytest.raises(StorageFull):
        reserve.check()
    (disk / "taken meanwhile").unlink()
    reserve.check()
    assert (disk / "reserve").stat().st_size == SIZE


def test_a_disk_with_room_lends_nothing_and_refuses_nothing(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path / "reserve")
    reserve.check()
    reserve.prepare()
    with reserve.lent():
        assert (tmp_path / "reserve").stat().st_size == SIZE
    reserve.check()


def test_a_database_elsewhere_needs_no_reserve() -> None:
    reserve = Reserve(None)
    reserve.release()
    reserve.prepare()
    with reserve.lent():
        reserve.check()
