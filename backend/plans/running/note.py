"""What a step tells besides its answer, so that a count can be trusted or questioned."""

from dataclasses import dataclass, field


@dataclass
class Note:
    """What a step tells besides its answer: counts of rows left out by reason, and warnings."""

    dropped: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def drop(self, reason: str, count: int) -> None:
        if count > 0:
            self.dropped[reason] = self.dropped.get(reason, 0) + count
