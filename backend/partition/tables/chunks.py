"""Rows of words -> chunks: adjacent words, which are a label, a value or a piece of text."""

from itertools import pairwise

from backend.partition.page import Word

_WHITE, _AFTER_COLON = 1.1, 0.35
"""In font sizes: blanks that separate a label from its value."""

Chunk = list[Word]


def chunks_of(row: list[Word]) -> list[Chunk]:
    """Words of a row split at wide blanks and after labels with colons."""
    chunk = [row[0]]
    out = [chunk]
    for before, word in pairwise(row):
        white = word.box[0] - before.box[2]
        # Most words are closer than any blank that separates.
        if white > 0 and white / max(before.style[0], word.style[0], 1.0) > (
            _AFTER_COLON if before.text.endswith(":") else _WHITE
        ):
            chunk = []
            out.append(chunk)
        chunk.append(word)
    return out


def text_of(chunk: Chunk) -> str:
    """The words of a chunk separated by single spaces."""
    return " ".join([word.text for word in chunk])
