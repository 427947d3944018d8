"""What a step reports besides its answer."""

from dataclasses import dataclass, field

from backend.plans.running.allowance import Allowance
from workbench.contract.coverage import Coverage


@dataclass
class Note:
    """Counts of rows left out by reason, warnings, and how many documents had the values that a
    step reads.

    `units` maps computed columns to their unit, where all numbers have the same one. `allowance` is
    that of the run, for steps that produce more rows than they receive.
    """

    dropped: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)
    units: dict[str, str] = field(default_factory=dict)
    allowance: Allowance = field(default_factory=Allowance)

    def drop(self, reason: str, count: int) -> None:
        if count > 0:
            self.dropped[reason] = self.dropped.get(reason, 0) + count
