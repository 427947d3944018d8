"""Rows of a long list, held only around where someone looks."""

import pytest

from workbench.sessions.windows import Windows


def test_rows_outside_the_loaded_windows_are_none():
    rows = Windows(1_000_000, size=300, most=3)
    assert len(rows) == 1_000_000
    assert rows[999_999] is None
    assert rows.missing(999_950, 2_000_000) == [999_900]
    rows.fill(999_900, [f"row {i}" for i in range(100)])
    assert rows[999_999] == "row 99"
    assert rows.missing(999_950, 999_999) == []
    assert rows.missing(-100, 301) == [0, 300]


def test_the_oldest_windows_are_dropped_when_there_are_too_many():
    rows = Windows(3000, size=300, most=3)
    for start in (0, 300, 600, 900):
        rows.fill(start, [start] * 300)
    assert rows[0] is None
    assert [rows[place] for place in (300, 899, 900)] == [300, 600, 900]
    assert next(place for place, _ in rows.loaded()) == 300


def test_only_whole_windows_are_filled():
    with pytest.raises(ValueError, match="not a window"):
        Windows(1000, size=300).fill(10, [1])
    with pytest.raises(IndexError):
        Windows(3)[3]
