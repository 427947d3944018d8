"""A pasted text is text to its end, whatever it contains.

Textual looks for key sequences in a paste as well: it treats the characters after an escape
character as keys, so that a text copied from a web page could press them, and 100 kB of such keys
take minutes. Most terminals remove escape characters from pastes, but not all. Here they are
removed before the text is parsed; no released version of Textual does so.
"""

from collections.abc import Iterable

from textual._xterm_parser import XTermParser
from textual.message import Message

_ESCAPE, _START, _END = "\x1b", "\x1b[200~", "\x1b[201~"


class PasteFilter:
    """Removes escape characters from the pastes in what the terminal sends, piece by piece."""

    def __init__(self) -> None:
        self._pasting = False
        self._last = ""
        """The last characters: of the keys, because the start of a paste may come in two pieces; of
        a paste, those that may begin its end and are not handed on yet.
        """

    def filter(self, data: str) -> str:
        """The next piece without them."""
        out: list[str] = []
        while data:
            part, data = self._paste(data) if self._pasting else self._keys(data)
            out.append(part)
        return "".join(out)

    def _keys(self, data: str) -> tuple[str, str]:
        """What is not pasted at the beginning of the piece, and the rest."""
        _, start, rest = (self._last + data).partition(_START)
        self._pasting = bool(start)
        self._last = "" if start else (self._last + data)[1 - len(_START) :]
        return data.removesuffix(rest), rest

    def _paste(self, data: str) -> tuple[str, str]:
        """What is pasted at the beginning of the piece, and the rest."""
        text, end, rest = (self._last + data).partition(_END)
        self._pasting = not end
        self._last = "" if end else _beginning_of_end(text)
        return text.removesuffix(self._last).replace(_ESCAPE, "") + end, rest


def _beginning_of_end(text: str) -> str:
    """What may be the first characters of the end of a paste."""
    return next((_END[:n] for n in range(len(_END) - 1, 0, -1) if text.endswith(_END[:n])), "")


_feed = XTermParser.feed


def _feed_inert(parser: XTermParser, data: str) -> Iterable[Message]:
    pastes: PasteFilter = parser.__dict__.setdefault("_pastes", PasteFilter())
    filtered = pastes.filter(data)
    return _feed(parser, filtered) if filtered or not data else ()


def install() -> None:
    """Filters all pastes from now on; safe to be called again."""
    XTermParser.feed = _feed_inert  # type: ignore[method-assign,assignment]
