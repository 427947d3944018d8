"""Connects the awaited objects to the synchronous ones: each call runs in a thread.

The work is done on the background loop either way; the thread only waits for it, so the caller's
loop keeps running.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from workbench.frames.frame import Frame
from workbench.objects.plans import AmbiguousPlan

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from workbench.frames.charts import ChartKind, Plot

Given = ParamSpec("Given")
Value = TypeVar("Value")
_END = object()


async def awaited(
    function: Callable[Given, Value], *args: Given.args, **kwargs: Given.kwargs
) -> Value:
    """The result of the function, called in a thread."""
    return await asyncio.to_thread(function, *args, **kwargs)


async def choosing(
    wrap: Callable[[AmbiguousPlan], Exception],
    function: Callable[Given, Value],
    *args: Given.args,
    **kwargs: Given.kwargs,
) -> Value:
    """The result of a function; where it raises AmbiguousPlan, the wrapped error is raised."""
    try:
        return await awaited(function, *args, **kwargs)
    except AmbiguousPlan as error:
        raise wrap(error) from None


async def each(
    function: Callable[Given, Iterator[Value]], *args: Given.args, **kwargs: Given.kwargs
) -> AsyncIterator[Value]:
    """The items of the iterator that the function returns, each fetched on demand."""
    items = await awaited(function, *args, **kwargs)
    while (item := await asyncio.to_thread(next, items, _END)) is not _END:
        yield item  # type: ignore[misc]  # the end is none of the items


class Frames:
    """Conversions of a frame; its data is already here, so they are not awaited."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._frame.columns

    def to_arrow(self) -> "pa.Table":
        """A pyarrow table. Raises Mistake without pyarrow."""
        return self._frame.to_arrow()

    def to_polars(self) -> "pl.DataFrame":
        """A Polars frame."""
        return self._frame.to_polars()

    def plot(
        self,
        x: str | None = None,
        y: str | None = None,
        *,
        color: str | None = None,
        kind: "ChartKind | None" = None,
        log: bool = False,
    ) -> "Plot":
        """A chart, drawn by the notebook, as `Run.plot` makes it."""
        return self._frame.plot(x, y, color=color, kind=kind, log=log)

    def to_pandas(self, *, arrow: bool = False) -> "pd.DataFrame":
        """A pandas frame; with `arrow` all columns have Arrow types."""
        return self._frame.to_pandas(arrow=arrow)

    def write(self, path: "str | Path") -> "Path":
        """Writes a file in the format of its extension."""
        return self._frame.write(path)
