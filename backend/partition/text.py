"""Lines of text -> one text, with or without the line breaks of the page."""

import re

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\n(?=[^\W\d_A-Z])")
_SPACES = re.compile(r"[^\S\n]+")


def joined(text: str, *, remove_line_breaks: bool) -> str:
    """Collapses blanks; with `remove_line_breaks` lines become one and words broken at the end of
    a line are put together."""
    text = "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n")).strip()
    if not remove_line_breaks:
        return text
    return _BROKEN_WORD.sub("", text).replace("\n", " ")
