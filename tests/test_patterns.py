"""No regular expression takes much longer on a text made for it than on any other."""

import re
import time
from collections.abc import Callable
from typing import Any

from tests.pattern_uses import patterns
from tests.regex_attacks import Attack, attacks
from workbench.contract.plan import MAX_REQUEST

_SIZES = (25, 400, MAX_REQUEST)
"""Small ones first, because time may grow without any bound."""
_SLOW_SECONDS = 0.0012
"""What takes less on the longest request is not quadratic: that would be two million steps."""
_REQUEST_SECONDS = 0.04
"""What a pattern for requests may take on the longest one, where it is not linear."""
_ENDLESS_SECONDS = 0.5
_MORE_THAN_LINEAR = 8
"""Four times the text takes four times as long if time is linear, 16 times if it is quadratic."""
_OF_REQUESTS = ("backend.plans.", "backend.language.", "workbench.")
"""Their texts are no longer than a request may be; documents have no such limit."""
_Form = Callable[[str | bytes], Any]


def test_every_pattern_takes_time_in_proportion_to_its_text() -> None:
    tried, slow = set(), {}
    for name, pattern, methods in patterns():
        for form in _forms(pattern, methods):
            if (pattern, form.__name__) not in tried:
                tried.add((pattern, form.__name__))
                if attack := _superlinear(pattern, form, _allowed(name)):
                    slow[name] = attack
    assert not slow


def _forms(pattern: re.Pattern[Any], methods: set[str]) -> list[_Form]:
    """What the pattern is used for: at the start of a text, or anywhere."""

    def anywhere(text: str | bytes) -> None:
        for _ in pattern.finditer(text):
            pass

    at_start = [getattr(pattern, name) for name in ("match", "fullmatch") if name in methods]
    return [*at_start, anywhere] if methods - {"match", "fullmatch"} else at_start


def _allowed(name: str) -> float:
    return _REQUEST_SECONDS if name.startswith(_OF_REQUESTS) else _SLOW_SECONDS


def _superlinear(pattern: re.Pattern[Any], form: _Form, allowed: float) -> Attack | None:
    """The attack on which it takes more than linear time, and more than is allowed."""
    is_text = isinstance(pattern.pattern, str)
    for attack in attacks(pattern.pattern, pattern.flags):
        texts = [attack.text(size) for size in (*_SIZES, 4 * MAX_REQUEST)]
        *first, longer = texts if is_text else [text.encode() for text in texts]
        seconds = next((t for text in first if (t := _seconds(form, text)) > allowed), 0)
        if seconds > _ENDLESS_SECONDS or (seconds and _grows(form, first[-1], longer)):
            return attack
    return None


def _grows(form: _Form, short: str | bytes, long: str | bytes) -> bool:
    least = min(_seconds(form, short) for _ in range(3))
    most = min(_seconds(form, long) for _ in range(2))
    return most > _MORE_THAN_LINEAR * least


def _seconds(form: _Form, text: str | bytes) -> float:
    before = time.process_time()
    form(text)
    return time.process_time() - before
