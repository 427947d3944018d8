"""Compound files whose chains of sectors lead in circles are refused at once."""

import signal
import struct
from collections.abc import Iterator
from types import FrameType

import pytest

from backend.partition.document import PartitionFailure
from tests.backend.partition.conftest import Read
from tests.backend.partition.old_office import compound, xls

_BOOK = xls("First", [["Name", "Cost"], ["Ann", 4.0], ["Total", 4.0]])
_SECTOR, _ENTRY = 512, 128


@pytest.fixture(autouse=True)
def limited() -> Iterator[None]:
    """A reader that follows the circle never ends."""

    def late(_number: int, _frame: FrameType | None) -> None:
        pytest.fail("it is still reading")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 20)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def _of_small_sectors() -> bytes:
    """A workbook in the stream of small sectors, whose first one is followed by itself."""
    book = _BOOK[_BOOK.index(struct.pack("<HH", 0x809, 16)) :]
    data = bytearray(compound({"Workbook": book, "chains": bytes(4 * 128)}))
    directory = 2 * _SECTOR  # behind the header and the table of sectors
    of_book, of_chains = (
        next(
            at
            for at in range(directory, directory + 4 * _ENTRY, _ENTRY)
            if data[at : at + 64].decode("utf-16-le").rstrip("\0") == name
        )
        for name in ("Workbook", "chains")
    )
    start, size = struct.unpack_from("<II", data, of_book + 116)
    struct.pack_into("<II", data, directory + 116, start, size)
    struct.pack_into("<I", data, of_book + 116, 0)
    (chains,) = struct.unpack_from("<I", data, of_chains + 116)
    struct.pack_into("<III", data, 56, 1 << 16, chains, 8)
    return bytes(data)


def test_a_workbook_whose_sectors_lead_in_circles_is_damaged(read: Read) -> None:
    with pytest.raises(PartitionFailure, match="damaged"):
        read(_of_small_sectors(), "a.xls")
