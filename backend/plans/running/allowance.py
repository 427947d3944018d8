"""What one run may take: rows of a step, memory and time.

An array taken apart repeats all else of its document for each item, and a second one multiplies
that: a plan of two steps over one document could fill the memory of the server. So whatever takes
arrays apart asks here first.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from workbench.contract.errors import Invalid, Unavailable

_MIB = 2**20
_WIDTH = 8
"""Bytes of a value that is no text."""


@dataclass(frozen=True)
class RunLimits:
    """What is set for all runs: `memory` in bytes, counted for all steps of a run together."""

    rows: int = 1_000_000
    memory: int = 256 * _MIB
    seconds: float = 600.0


class OverAllowance(Exception):
    """A step wants more than a run may take. The text says what."""


class Allowance:
    """The limits of one run and what it has taken of them; `clock` counts seconds."""

    def __init__(
        self, limits: RunLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits or RunLimits()
        self._free = self._limits.memory
        self._clock = clock
        self._end = clock() + self._limits.seconds

    def check_time(self) -> None:
        """Unavailable when the run takes too long."""
        if self._clock() > self._end:
            raise Unavailable(
                f"The run took longer than {self._limits.seconds:g} s and was stopped; the steps"
                " that were done are kept. The setting run_seconds allows more."
            )

    def exploded(self, table: pl.DataFrame, name: str) -> pl.DataFrame:
        """The table with a row for each item of an array; OverAllowance when that is too much."""
        items = pl.col(name).list.len().fill_null(1).clip(1).cast(pl.UInt64)
        width = pl.sum_horizontal(_widths(table, but=name)) + _WIDTH
        rows, size = table.select(items.sum().alias("rows"), (items * width).sum()).row(0)
        if rows > self._limits.rows:
            raise OverAllowance(
                f"Taking the arrays apart gives {rows:,} rows, more than the"
                f" {self._limits.rows:,} that a step may have: filter the documents before it."
                " The setting run_rows allows more."
            )
        if rows > table.height:
            self.take(int(size), "Taking the arrays apart")
        return table.explode(name)

    def check_grown(self, table: pl.DataFrame, before: int) -> None:
        """Counts a table with more rows than there are documents; every step may copy it."""
        if table.height > before:
            self.take(int(table.estimated_size()), "The step")

    def take(self, size: int, what: str) -> None:
        """Counts bytes that stay until the run has ended."""
        if size > self._free:
            raise OverAllowance(
                f"{what} needs {size // _MIB:,} MiB, more than is left of the"
                f" {self._limits.memory // _MIB:,} MiB that a run may take: filter the documents"
                " before it. The setting run_memory allows more."
            )
        self._free -= size

    def check_answer(self, size: int) -> None:
        """Invalid when an answer that is made in one piece would be too large."""
        most = self._limits.memory // 4
        if size > most:
            raise Invalid.at(
                ("body", "stream"),
                f"The answer has {size // _MIB:,} MiB, more than the {most // _MIB:,} MiB that are"
                " given in one piece: ask for it as a stream, or for fewer documents or fields.",
                "answer_too_large",
            )


def _widths(table: pl.DataFrame, but: str) -> list[pl.Expr]:
    """Bytes of each row, by column."""
    return [
        _width(table.get_column(name)).fill_null(0).cast(pl.UInt64)
        for name in table.columns
        if name != but
    ] or [pl.lit(0, pl.UInt64)]


def _width(column: pl.Series) -> pl.Expr:
    named = pl.col(column.name)
    if isinstance(column.dtype, pl.List):
        items = max(1, int(column.list.len().sum() or 0))
        return named.list.len() * max(_WIDTH, column.estimated_size() // items)
    return named.str.len_bytes() + _WIDTH if column.dtype == pl.String else pl.lit(_WIDTH)
