"""What a step tells besides its answer, so that a count can be trusted or questioned."""

from dataclasses import dataclass, field

from backend.plans.running.allowance import Allowance
from workbench.contract.coverage import Coverage


@dataclass
class Note:
    """What a step reports besides its answer: counts of rows left out by reason, warnings, and how
    many documents had the values that it looks at.

    `units` are those of computed columns whose numbers all have the same one. `allowance` is that
    of the run, for steps that make more rows than came in.
    """

    dropped: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)
    units: dict[str, str] = field(default_factory=dict)
    allowance: Allowance = field(default_factory=Allowance)

    def drop(self, reason: str, count: int) -> None:
        if count > 0:
            self.dropped[reason] = self.dropped.get(reason, 0) + count
