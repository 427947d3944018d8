"""From the elements of the partitioner, in which values were read, to the chunks made of them."""

from collections.abc import Iterable, Mapping
from typing import Any


def first_chunks(properties: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    """The first chunk that holds an element, by the element's index.

    `properties` are those of the chunks, in order. Running heads and feet are in no chunk.
    """
    places: dict[int, int] = {}
    for chunk, told in enumerate(properties):
        for index in told.get("element_indices", ()):
            places.setdefault(index, chunk)
    return places
