"""The limits of one run: rows of a step, memory and time.

Expanding an array repeats the rest of its document for each item, and a second array multiplies
that: a plan of two steps over one document could exhaust the server's memory. So every step that
expands arrays checks here first.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import polars as pl

from workbench.contract.errors import Invalid, Unavailable

_MIB = 2**20
_WIDTH = 8
"""Bytes of a value that is not text."""


@dataclass(frozen=True)
class RunLimits:
    """The limits of every run. `memory` is in bytes, summed over all steps of a run."""

    rows: int = 1_000_000
    memory: int = 256 * _MIB
    seconds: float = 600.0


class OverAllowance(Exception):
    """A step needs more than a run may use. The text says what."""


class Allowance:
    """The limits of one run and its use so far; `clock` returns seconds."""

    def __init__(
        self, limits: RunLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits or RunLimits()
        self._free = self._limits.memory
        self._clock = clock
        self._end = clock() + self._limits.seconds

    def check_time(self) -> None:
        """Raises Unavailable when the run takes too long."""
        if self._clock() > self._end:
            raise Unavailable(
                f"The run took longer than {self._limits.seconds:g} s and was stopped; completed"
                " steps are kept. The setting run_seconds allows more."
            )

    def exploded(self, table: pl.DataFrame, name: str) -> pl.DataFrame:
        """The table with a row for each item of an array. OverAllowance when over a limit."""
        items = pl.col(name).list.len().fill_null(1).clip(1).cast(pl.UInt64)
        width = pl.sum_horizontal(_widths(table, but=name)) + _WIDTH
        rows, size = table.select(items.sum().alias("rows"), (items * width).sum()).row(0)
        if rows > self._limits.rows:
            raise OverAllowance(
                f"Expanding the arrays gives {rows:,} rows, more than the"
                f" {self._limits.rows:,} that a step may have: filter the documents before it."
                " The setting run_rows allows more."
            )
        if rows > table.height:
            self.use(int(size), "Expanding the arrays")
        return table.explode(name)

    def check_grown(self, table: pl.DataFrame, before: int) -> None:
        """Counts a table that has more rows than there are documents; every step may copy it."""
        if table.height > before:
            self.use(int(table.estimated_size()), "The step")

    def check_keys(self, keys: Iterable[pl.Series]) -> None:
        """OverAllowance when the texts that lines are grouped by are too large to be copied."""
        texts = (key for key in keys if key.dtype == pl.String)
        size = sum(int(key.str.len_bytes().sum() or 0) for key in texts)
        if size > self._free:
            self.use(size, "Grouping by texts of this length")

    def use(self, size: int, what: str) -> None:
        """Counts `size` bytes that stay in use until the run ends."""
        if size > self._free:
            raise OverAllowance(
                f"{what} needs {size // _MIB:,} MiB, more than is left of the"
                f" {self._limits.memory // _MIB:,} MiB that a run may use: filter the documents"
                " before it. The setting run_memory allows more."
            )
        self._free -= size

    def check_answer(self, size: int) -> None:
        """Raises Invalid when an answer that is not streamed would be too large."""
        most = self._limits.memory // 4
        if size > most:
            raise Invalid.at(
                ("body", "stream"),
                f"The answer is {size // _MIB:,} MiB, more than the {most // _MIB:,} MiB that fit"
                " into one response: ask for a stream, or for fewer documents or fields.",
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
