"""Histograms with round edges: 1, 2 or 5 times a power of ten; whole years, months or days."""

import math
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from backend.search.properties.columns import Counts
from backend.search.properties.values import Days, Floats
from workbench.contract.search import HistogramBin

Unit: TypeAlias = Literal["year", "month", "day"]

_STEPS: Final = (1, 2, 5, 10)
_MONTH, _YEAR = 31, 366
_FEW_MONTHS = 2 * _MONTH
_FEW_YEARS = 3 * _YEAR
_EPOCH = 1970
_CALENDAR: Final = (np.datetime64("0001-01-01"), np.datetime64("9999-12-31"))


def of_numbers(values: Floats, counts: Counts, bins: int) -> list[HistogramBin]:
    """About `bins` bins over finite numbers, weighted by `counts`.

    Whole numbers get whole edges. Empty when the edges exceed the range of floats.
    """
    lowest, highest = float(values.min()), float(values.max())
    whole = bool((values == np.floor(values)).all())
    try:
        edges = _edges(lowest, highest, bins, whole=whole)
    except OverflowError:
        return []
    totals, _ = np.histogram(values, bins=np.array(edges, dtype=np.float64), weights=counts)
    return _bins([int(edge) for edge in edges] if whole else edges, totals)


def of_days(days: Days, counts: Counts, bins: int) -> tuple[Unit, list[HistogramBin]]:
    """Bins of days, months or years, depending on the span; long spans get several per bin. The
    first and last are cut to the calendar's years 1 to 9999, which other programs can read.
    """
    span = int((days.max() - days.min()).astype(int)) + 1
    unit, step = _calendar(span, bins)
    places = _places(days, unit)
    # Groups of years start at round years, groups of days at the first day.
    offset = _EPOCH if unit == "year" else -int(places.min())
    places = (places + offset) // step
    low, high = int(places.min()), int(places.max())
    totals = np.bincount(places - low, weights=counts, minlength=high - low + 1)
    starts = np.arange(low, high + 2) * step - offset
    edges = starts.astype(f"datetime64[{unit[0].upper()}]").astype("datetime64[D]")
    return unit, _bins([str(edge) for edge in np.clip(edges, *_CALENDAR)], totals)


def _calendar(span: int, bins: int) -> tuple[Unit, int]:
    """The unit for a span of days, and how many units make a bin."""
    if span <= max(bins, _FEW_MONTHS):
        return "day", _whole_step(span / bins)
    if span <= max(bins * _MONTH, _FEW_YEARS):
        return "month", 1
    return "year", _whole_step(span / _YEAR / bins)


def _places(days: Days, unit: Unit) -> npt.NDArray[np.int64]:
    """The day, month or year of each day, counted from 1970."""
    return days.astype(f"datetime64[{unit[0].upper()}]").astype(np.int64)


def _edges(lowest: float, highest: float, bins: int, *, whole: bool) -> list[float]:
    span = (highest - lowest) / bins
    factor, power = _step(span or (0 if whole else abs(lowest) / 10) or 1.0, whole=whole)
    size = factor * 10.0**power
    first, last = math.floor(lowest / size), math.floor(highest / size) + 1
    edges = [_edge(place * factor, power) for place in range(first, last + 1)]
    if edges[0] > lowest:  # the division rounded up
        edges.insert(0, _edge((first - 1) * factor, power))
    if edges[-1] <= highest:
        edges.append(_edge((last + 1) * factor, power))
    return edges


def _step(least: float, *, whole: bool) -> tuple[int, int]:
    """The smallest round step that is at least `least`, as factor and power of ten.

    OverflowError when it is not finite.
    """
    if not math.isfinite(least):
        raise OverflowError
    power = math.floor(math.log10(least))
    if whole and power < 0:
        return 1, 0
    sizes = ((factor, factor * 10.0**power) for factor in _STEPS)
    return next((factor for factor, size in sizes if size >= least * (1 - 1e-9)), 10), power


def _whole_step(least: float) -> int:
    factor, power = _step(max(least, 1.0), whole=True)
    return int(factor * 10**power)


def _edge(multiple: int, power: int) -> float:
    """The multiple of a power of ten, rounded once."""
    return float(multiple * 10**power) if power >= 0 else multiple / 10**-power


def _bins(edges: Sequence[Any], counts: npt.NDArray[Any]) -> list[HistogramBin]:
    return [
        HistogramBin(start=start, end=end, count=int(count))
        for start, end, count in zip(edges, edges[1:], counts, strict=False)
    ]
