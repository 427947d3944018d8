"""Decides when a request may be sent again, and after which pause.

Safe to repeat: anything whose connection was never established, interrupted reads, and requests
that the server refused with 429 or 503 and a time to wait. An interrupted write is not repeated,
because it may have been carried out; document submissions carry a mark that the server can be asked
about (`Calls.submitted_once`).
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

_UNREACHED = (502, 504)  # a proxy could not reach the server
_LATER = (429, 503)


@dataclass(frozen=True)
class Retry:
    """`attempts` in all, with pauses doubling from `first` to at most `longest` seconds.

    If the server asks for a pause longer than `longest`, the caller decides.
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
        """Seconds to wait after a response with `status`; None to give up."""
        if attempt >= self.attempts:
            return None
        if status in _LATER and retry_after is not None:
            return retry_after if retry_after <= self.longest else None
        if reads and status in _UNREACHED:
            return self._growing(attempt)
        return None

    def _growing(self, attempt: int) -> float:
        """The pause times a random 0.5 to 1, so that clients do not all return at once."""
        pause = min(self.longest, self.first * 2.0 ** (attempt - 1))
        return pause * (0.5 + self.random() / 2)
