"""What the server says it can read is what the partition engine reads."""

from backend.api.capabilities import FORMATS
from backend.partition import engine


def test_the_formats_are_those_of_the_engine() -> None:
    assert set(engine._READERS) == {kind for kind in FORMATS if not kind.startswith("image/")}
