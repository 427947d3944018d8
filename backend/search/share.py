"""The documents of a DocSet that an index covers: all of them, or the share of one shard."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.search.operations import Changes
from backend.search.ranking import Numbers


@dataclass(frozen=True)
class Share:
    """The documents whose number modulo `count` is `place`."""

    place: int = 0
    count: int = 1

    @property
    def is_whole(self) -> bool:
        return self.count == 1

    @property
    def suffix(self) -> str:
        """What follows the name of a DocSet in the names of its files."""
        return "" if self.is_whole else f"-{self.place}of{self.count}"

    def of(self, numbers: Numbers) -> Numbers:
        """The documents in this share."""
        return numbers if self.is_whole else numbers[numbers % self.count == self.place]

    def changes(self, changes: Changes) -> Changes:
        """The changes that concern this share."""
        if self.is_whole:
            return changes
        gone = [number for number in changes.gone if self._has(number)]
        present = [document for document in changes.present if self._has(document.number)]
        return replace(changes, gone=gone, present=present)

    def _has(self, number: int) -> bool:
        return number % self.count == self.place


WHOLE = Share()


def shares(count: int) -> Sequence[Share]:
    """The `count` shares that together cover all documents."""
    return [Share(place, count) for place in range(count)]
