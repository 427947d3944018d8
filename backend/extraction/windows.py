"""Splits a document's text into pieces that fit into a question to a language model.

A piece consists of whole elements in reading order, each with its index, so that answers can cite
them.
"""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from workbench.contract.elements import Element

MAX_WINDOWS = 8
"""The maximum number of pieces shown to the model; the rest is left to the rules."""
_OVERHEAD = 40
"""The characters that an element needs besides its text."""


class Passage(TypedDict):
    """An element, or part of a long one: its index, its page from 1, its text."""

    id: int
    page: int
    text: str


def windows(elements: Sequence[Element], room: int) -> tuple[list[list[Passage]], bool]:
    """The texts of a document in pieces of at most `room` characters, and whether these are all.

    There are at most MAX_WINDOWS pieces.
    """
    pieces: list[list[Passage]] = []
    left = 0
    for passage in _passages(elements, room - _OVERHEAD):
        size = len(passage["text"]) + _OVERHEAD
        if size > left:
            if len(pieces) == MAX_WINDOWS:
                return pieces, False
            pieces.append([])
            left = room
        pieces[-1].append(passage)
        left -= size
    return pieces, True


def _passages(elements: Sequence[Element], longest: int) -> Iterator[Passage]:
    for index, element in enumerate(elements):
        text = element.table.text() if element.table else element.text_representation or ""
        text = text.strip()
        for start in range(0, len(text), longest):
            part = text[start : start + longest]
            yield Passage(id=index, page=element.page_number, text=part)
