"""What the server says it can read is what the partition engine reads."""

from backend.partition import sniff
from backend.partition.formats import READERS


def test_the_formats_are_those_of_the_engine() -> None:
    assert set(READERS) == set(sniff.FORMATS)
