"""When a request may be sent again, and after which pause.

Safe are: anything whose connection was never made; reads that broke; and requests that the server
refused by itself with 429 or 503 and a time to wait. A write that broke half-way is not repeated
here, since nobody knows whether it was carried out; submissions of documents carry a mark by which
the server can be asked (`Calls.submitted_once`).
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

_UNREACHED = (502, 504)  # a proxy in front of the server could not reach it
_LATER = (429, 503)


@dataclass(frozen=True)
class Retry:
    """`attempts` in all, pauses doubling from `first` to at most `longest` seconds.

    A server that asks for a longer pause than `longest` is not waited for: the caller decides.
    """

    attempts: int = 4
    first: float = 0.1
    longest: float = 10.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random

    def after_break(self, attempt: int, *, reads: bool, connected: bool) -> float | None:
        """Seconds to wait after a broken connection; None to give up."""
        if attempt >= self.attempts or (connected and not reads):
            return None
        return self._growing(attempt)

    def after_refusal(
        self, attempt: int, *, reads: bool, status: int, retry_after: float | None
    ) -> float | None:
        """Seconds to wait after an answer with `status`; None to give up."""
        if attempt >= self.attempts:
            return None
        if status in _LATER and retry_after is not None:
            return retry_after if retry_after <= self.longest else None
        if reads and status in _UNREACHED:
            return self._growing(attempt)
        return None

    def _growing(self, attempt: int) -> float:
        """Full pause times 0.5 to 1, so that clients cut off together do not come back together."""
        pause = min(self.longest, self.first * 2.0 ** (attempt - 1))
        return pause * (0.5 + self.random() / 2)
