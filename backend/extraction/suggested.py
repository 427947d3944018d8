"""A property that documents seem to have, before the suggestions are ranked."""

from dataclasses import dataclass
from typing import Any

from backend.extraction.values import clean
from workbench.contract.schema import SchemaProperty


@dataclass
class Suggested:
    """A property with its values by document, numbered from 0; None stands for the rows of a table.

    `among` is the number of documents examined. `weight` multiplies the share of them that have the
    property: 1 is normal, more ranks higher.
    """

    prop: SchemaProperty
    values: dict[int, Any]
    among: int
    weight: float = 1.0

    @property
    def share(self) -> float:
        """The share of the documents that have the property."""
        return len(self.values) / self.among

    def repeats(self, other: "Suggested") -> bool:
        """Whether most of its documents have the same value for the other property."""
        same = sum(
            bool(_texts(value) & _texts(other.values[at]))
            for at, value in self.values.items()
            if value is not None and at in other.values
        )
        return 2 * same > len(self.values)


def _texts(value: Any) -> set[str]:
    several = value if isinstance(value, list) else [value]
    return {clean(str(one)).lower() for one in several}
