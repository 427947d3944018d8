"""What a browser sends to a widget: `{kind, …}`, with each field checked as it is read.

A page may be older than the program, or show what another program has changed meanwhile. Either
is refused in a sentence, and the widget goes on with what it shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

_MOST = 2**53
"""Numbers beyond are not exact in a browser."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Message:
    """The fields of a message, each read by a method; ValueError if missing or mistyped."""

    content: Mapping[str, Any]

    def has(self, name: str) -> bool:
        """Whether there is such a field, other than null."""
        return self.content.get(name) is not None

    def text(self, name: str) -> str:
        value = self.content.get(name)
        if not isinstance(value, str):
            raise _misread(name)
        return value.encode("utf-8", "replace").decode("utf-8")  # half a pair of surrogates

    def number(self, name: str) -> int:
        return _number(self.content.get(name), name)

    def count(self, name: str) -> int:
        """A number from 0 on."""
        if (value := self.number(name)) < 0:
            raise _misread(name)
        return value

    def numbers(self, name: str) -> list[int]:
        return [_number(value, name) for value in _list(self.content.get(name), name)]

    def flag(self, name: str) -> bool:
        value = self.content.get(name)
        if not isinstance(value, bool):
            raise _misread(name)
        return value

    def texts(self, name: str) -> dict[str, str]:
        """The texts of a form, by field."""
        value = self.content.get(name)
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise _misread(name)
        return value

    def item(self, name: str, items: Sequence[Item]) -> Item:
        """The item at the place in the field. LookupError if there is none any more."""
        place = self.number(name)
        if not 0 <= place < len(items):
            raise gone()
        return items[place]


def gone() -> LookupError:
    """The error for what is no longer there."""
    return LookupError("What was chosen is no longer there: choose again.")


def _number(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MOST:
        raise _misread(name)
    return value


def _list(value: Any, name: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise _misread(name)
    return value


def _misread(name: str) -> ValueError:
    return ValueError(f"The page sent no usable “{name}”: run the cell again.")
