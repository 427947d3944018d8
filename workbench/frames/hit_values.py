"""The values of hits column by column, from their JSON."""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

Objects = Sequence[Any]
"""JSON objects, as dictionaries."""
Values = dict[tuple[str, ...], list[Any]]
"""The values of all hits by their column: `("page",)`, `("entity", "state")`."""
_BLOCK = 2000
"""Hits read at a time. In blocks, their columns are close in memory, which halves the time."""


def read_values(items: Objects) -> Values:
    """The values of each column, None where a hit has none."""
    whole = _read_block(())
    for start in range(0, len(items), _BLOCK):
        block = _read_block(items[start : start + _BLOCK])
        for path in block:
            whole.setdefault(path, [None] * start)
        for path, values in whole.items():
            values += block.get(path) or [None] * len(block["doc_id",])
    return whole


def _read_block(items: Objects) -> Values:
    properties, search = _objects(items, "properties"), _objects(items, "_search")
    elements = [item if item.get("type") is not None else {} for item in items]
    read: Values = {
        # Elements name their document; other servers call it the parent.
        ("doc_id",): _first((items, "doc_id"), (items, "parent_id")),
        ("name",): _first((items, "name"), (properties, "path")),
        ("element_id",): _first((elements, "id"), (search, "element_id")),
        ("page",): _first((properties, "page_number"), (search, "page_number")),
        ("kind",): _values(items, "type"),
        ("bbox",): _values(items, "bbox"),
        ("snippet",): _values(search, "snippet"),
        ("text",): _values(items, "text_representation"),
        ("embedding",): _values(items, "embedding"),
        ("score",): _values(search, "score"),
    }
    lists, entities = _objects(search, "lists"), _objects(properties, "entity")
    for name in dict.fromkeys(chain.from_iterable(lists)):
        places = _objects(lists, name)
        read["lists", name, "rank"] = _values(places, "rank")
        read["lists", name, "score"] = _values(places, "score")
    for name in dict.fromkeys(chain.from_iterable(entities)):
        read["entity", name] = _values(entities, name)
    return read


def _values(objects: Objects, key: str) -> list[Any]:
    return list(map(dict.get, objects, repeat(key)))  # a third faster than a comprehension


def _objects(objects: Objects, key: str) -> Objects:
    return [one or {} for one in map(dict.get, objects, repeat(key))]


def _first(one: tuple[Objects, str], other: tuple[Objects, str]) -> list[Any]:
    """The values at the first place; where one is missing, that at the second."""
    values = _values(*one)
    if None not in values:
        return values
    pairs = zip(values, _values(*other), strict=True)
    return [there if here is None else here for here, there in pairs]
