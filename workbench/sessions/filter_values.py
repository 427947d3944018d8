"""The values of a filter, as a list from which each can be excluded.

`kin` of a filter separates the requested values from those added as synonyms: `{"asked":
["California"], "added": ["CA"]}`. Excluded values stay in the list, so that they can be restored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.contract.plan_nodes import Node
from workbench.formats import value_words


@dataclass(frozen=True)
class ListedValue:
    """A value of a filter: whether the filter matches it, and whether it was added as a synonym."""

    value: Any
    accepted: bool
    added: bool


def listed_values(node: Node) -> list[ListedValue]:
    """The values of a filter, requested ones first; empty for steps without a list of values."""
    accepted = node.extras.get("values") if node.node_type == "BasicFilter" else None
    if not isinstance(accepted, list) or not accepted:
        return []
    asked, added = _kin(node, "asked"), _kin(node, "added")
    listed: list[Any] = []
    for value in [*asked, *added, *accepted]:
        if value not in listed:
            listed.append(value)
    return [ListedValue(value, value in accepted, value in added) for value in listed]


def kin_words(node: Node) -> str:
    """`also matches CA, State of California`; empty where no synonym is in use."""
    added = [item.value for item in listed_values(node) if item.added and item.accepted]
    words = (value_words(value, typed=True) for value in added)
    return f"also matches {', '.join(words)}" if added else ""


def with_places(node: Node, places: Sequence[int]) -> Node:
    """The filter with these of its listed values. ValueError, as a sentence, for none."""
    listed = listed_values(node)
    values = [listed[place].value for place in sorted(places) if 0 <= place < len(listed)]
    if not values:
        raise ValueError("A filter needs at least one value. To keep everything, remove the step.")
    # The old description would still name the excluded values.
    return node.with_fields(values=values, description=None)


def _kin(node: Node, part: str) -> list[Any]:
    kin = node.extras.get("kin")
    names = kin.get(part) if isinstance(kin, dict) else None
    if names is None:
        return []
    return list(names) if isinstance(names, list) else [names]
