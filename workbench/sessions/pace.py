"""Limits how often a view that follows many changes is redrawn.

A list of 50,000 uploads takes half a second to draw, and one of them changes ten times a second: a
fixed pause would leave no time for keys.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LEAST = 0.1  # seconds
_SHARE = 9


class Pace:
    """Keeps redrawing to a tenth of the time."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.pause = _LEAST
        """Seconds to wait before the next redraw."""
        self._clock = clock

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Measures a redraw, on which the next pause depends."""
        began = self._clock()
        try:
            yield
        finally:
            self.pause = max(_LEAST, _SHARE * (self._clock() - began))
