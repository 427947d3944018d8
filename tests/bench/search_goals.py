"""Goals and what was measured, side by side."""

from dataclasses import dataclass


@dataclass(frozen=True)
class _Row:
    what: str
    goal: str
    measured: str
    is_reached: bool


class Goals:
    """Collects figures with what they should be, and prints them at the end of a run."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []

    def at_most(self, what: str, goal: float, measured: float, unit: str = "ms") -> None:
        """A figure that should not be larger than its goal."""
        row = _Row(what, f"<= {goal:g} {unit}", f"{measured:.4g} {unit}", measured <= goal)
        self._rows.append(row)

    def at_least(self, what: str, goal: float, measured: float, unit: str = "") -> None:
        """A figure that should not be smaller than its goal."""
        row = _Row(what, f">= {goal:g} {unit}", f"{measured:.4g} {unit}", measured >= goal)
        self._rows.append(row)

    def tell(self) -> None:
        """Prints a line for each."""
        print(f"\n{'':54} {'goal':>14} {'measured':>14}")
        for row in self._rows:
            reached = "" if row.is_reached else "   missed"
            print(f"{row.what:54} {row.goal.strip():>14} {row.measured.strip():>14}{reached}")
