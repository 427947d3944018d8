"""An answered request, for the log, the audit and the metrics."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import Scope

from backend.api.tokens import Access

_log = logging.getLogger("backend.api.gate")


@dataclass(frozen=True)
class Answered:
    """One answered request, `seconds` to its last byte; `who` is None if not identified."""

    call: str
    scope: Scope
    status: int
    seconds: float
    who: Access | None

    @property
    def method(self) -> str:
        return str(self.scope["method"])

    @property
    def path(self) -> str:
        """As sent, with escapes. The query is left out because it may contain names and words."""
        return bytes(self.scope.get("raw_path", b"")).decode("latin-1")

    @property
    def route(self) -> str:
        """The path with placeholders for ids; empty when no route matched."""
        return str(getattr(self.scope.get("route"), "path", ""))


Observer = Callable[[Answered], None]


def access_log(answered: Answered) -> None:
    """One line for each request."""
    _log.info(
        "%s %s %s %.0f ms",
        answered.method,
        answered.path,
        answered.status,
        1000 * answered.seconds,
    )
