"""The cell definitions of an RTF row: edges and merges."""

from dataclasses import dataclass, field

from backend.partition.formats.edges import Row

_MAX_CELLS = 2000


@dataclass
class Grid:
    """The cell definitions of the current row; rows without any inherit those of the row before."""

    left: int = 0
    edges: list[int] = field(default_factory=list)
    leftward: set[int] = field(default_factory=set)
    upward: set[int] = field(default_factory=set)

    def word(self, word: str, number: int) -> None:
        if word == "trowd":
            self.left, self.edges, self.leftward, self.upward = 0, [], set(), set()
        elif word == "trleft":
            self.left = number
        elif word == "clmrg":
            self.leftward.add(len(self.edges))
        elif word == "clvmrg":
            self.upward.add(len(self.edges))
        elif word == "cellx" and len(self.edges) < _MAX_CELLS:
            self.edges.append(number)

    def row(self, cells: list[str]) -> Row:
        """The row of these cells; a last cell without an edge, or an edge alone, is ignored."""
        first = min([self.left, *self.edges[:1]])
        return Row(cells, (first, *self.edges), frozenset(self.leftward), frozenset(self.upward))
