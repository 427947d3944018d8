"""Checks arguments before anything is sent; each error is one sentence."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from workbench.client.errors import Mistake
from workbench.nearest import suggestion


def one_of(argument: str, value: object, allowed: Sequence[str]) -> None:
    """Mistake unless it is one of the words."""
    if value not in allowed:
        raise Mistake(f"There is no {argument}={value!r}.{suggestion(str(value), allowed)}")


def whole(argument: str, value: Any, low: int, high: int | None = None) -> None:
    """Mistake unless it is a whole number from `low` to `high`."""
    number = isinstance(value, int) and not isinstance(value, bool)
    if high is None and number and value > sys.maxsize:
        high = sys.maxsize
    if not number or value < low or (high is not None and value > high):
        limit = f"at least {low:,}" if high is None else f"between {low:,} and {high:,}"
        raise Mistake(f"{argument} must be a whole number, {limit}; it is {value!r}.")


def text(argument: str, value: object) -> None:
    """Mistake unless it is a text."""
    if not isinstance(value, str):
        raise Mistake(f"{argument} must be a text; it is {value!r:.80}.")


def several(argument: str, values: object) -> None:
    """Mistake for one text where several values are wanted, since each letter would count as one,
    and for anything else that is no list; None is none of them.
    """
    if isinstance(values, str):
        raise Mistake(
            f"{argument} must be a list of texts; for a single one write [{values!r:.80}]."
        )
    if values is not None and not isinstance(values, Iterable):
        raise Mistake(f"{argument} must be a list; it is {values!r:.80}.")


def question(query: str | None, where: str | None) -> None:
    """Mistake for an empty search."""
    if query is not None and not isinstance(query, str):
        raise Mistake(f"The query must be a text, not {query!r}.")
    if where is not None:
        text("where", where)
    if query is not None and not query.strip():
        raise Mistake("The query is empty; leave it out to filter by where= alone.")
    if query is None and not (where and where.strip()):
        raise Mistake(
            "There is nothing to search for: give a query, a filter such as year >= 2020, or both."
        )


def address(url: str) -> None:
    """Mistake for an invalid server address."""
    text("url", url)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise Mistake(f"{url!r} is not a server address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.netloc:
        near = "" if "//" in url or not url else f"; did you mean 'http://{url}'?"
        raise Mistake(f"{url!r} is not a server address such as http://127.0.0.1:8000{near}")
