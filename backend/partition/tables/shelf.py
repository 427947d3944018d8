"""Indexes words by their height on the page, for fast lookups by box."""

from bisect import bisect_left, bisect_right
from functools import cached_property

from backend.partition.lines import rows
from backend.partition.page import Rect, Word, hull
from backend.partition.tables.chunks import Chunk, chunks_of
from backend.partition.tables.grid import from_the_top


class Shelf:
    """Sorted once; a table finder makes hundreds of lookups."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        boxes = [word.box for word in words]
        heights = [(box[1] + box[3]) / 2 for box in boxes]
        self._places = sorted(range(len(words)), key=heights.__getitem__)
        self._heights = [heights[place] for place in self._places]
        self._middles = [box[0] + box[2] for box in boxes]

    @cached_property
    def rows(self) -> list[list[Word]]:
        """The words by baseline."""
        return rows(self.words)

    @cached_property
    def chunks(self) -> list[list[tuple[Chunk, Rect]]]:
        """The rows from the top, each split into adjacent words with the box around them."""
        return [
            [(chunk, hull([word.box for word in chunk])) for chunk in chunks_of(row)]
            for row in from_the_top(self.rows)
        ]

    def inside(self, box: Rect) -> list[Word]:
        """Words whose middle is in the box, in their original order."""
        left, top, right, bottom = box
        first = bisect_left(self._heights, top)
        last = bisect_right(self._heights, bottom)
        left, right, middles, words = 2 * left, 2 * right, self._middles, self.words
        within = [at for at in self._places[first:last] if left <= middles[at] <= right]
        within.sort()
        return [words[at] for at in within]

    def without(self, removed: list[Word]) -> "Shelf":
        """The same without some of its words; itself if there are none of them."""
        if not removed:
            return self
        gone = set(map(id, removed))
        return Shelf([word for word in self.words if id(word) not in gone])
