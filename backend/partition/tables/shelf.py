"""Words by their height on the page, for quick answers to which of them stand in a box."""

from bisect import bisect_left, bisect_right

from backend.partition.page import Rect, Word


class Shelf:
    """Sorted once; a table finder asks hundreds of times."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        keyed = sorted(((word.box[1] + word.box[3]) / 2, at) for at, word in enumerate(words))
        self._heights = [height for height, _ in keyed]
        self._places = [at for _, at in keyed]

    def inside(self, box: Rect) -> list[Word]:
        """Words whose middle lies in the box, in their original order."""
        left, top, right, bottom = box
        first = bisect_left(self._heights, top)
        last = bisect_right(self._heights, bottom)
        left, right, words = 2 * left, 2 * right, self.words
        return [
            words[at]
            for at in sorted(self._places[first:last])
            if left <= words[at].box[0] + words[at].box[2] <= right
        ]

    def without(self, taken: list[Word]) -> "Shelf":
        """The same without some of its words."""
        gone = set(map(id, taken))
        return Shelf([word for word in self.words if id(word) not in gone])
