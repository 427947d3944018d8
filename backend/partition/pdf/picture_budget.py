"""How many pixels the pictures of a PDF may draw.

A page of a hundred bytes can draw one large picture twenty thousand times, which takes PDFium
minutes. Pictures over the limit of their page or document are left out, of the contents of the page
and of its rendered form. Text is read regardless.
"""

from backend.partition.pdf import calls

_PAGE = 1_000_000_000
"""Pixels for each page, which PDFium draws in about two seconds."""
_DOCUMENT, _PER_BYTE = 20_000_000_000, 2_000
"""Pixels for each document, and more for each byte of its file: scans have a few hundred."""
_SHOWN = 6_000_000
"""Pixels of a whole page when it is rendered."""
_EACH = 20_000
"""Pixels that take as long as drawing a picture of any size."""


class PictureBudget:
    """The pixels that are left to a document of `size` bytes and to its current page."""

    def __init__(self, size: int = 0) -> None:
        self._document = float(_DOCUMENT + _PER_BYTE * size)
        self._page = 0.0
        self.left_out = 0
        """Pictures of the page that were left out."""

    def begin_page(self) -> None:
        self._page, self.left_out = min(_PAGE, self._document), 0

    def admits(self, picture: calls.Handle, pixels: int, share: float) -> bool:
        """Whether a picture is drawn that has so many `pixels` and covers a `share` of the page."""
        cost = _EACH + pixels + share * _SHOWN
        if cost > self._page:
            self.leave_out(picture)
            return False
        self._page -= cost
        self._document -= cost
        return True

    def leave_out(self, drawn: calls.Handle) -> None:
        """Has PDFium render the page without a picture, or without a form that contains some."""
        calls.set_active(drawn, 0)
        self.left_out += 1
