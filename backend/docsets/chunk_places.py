"""Maps the partitioner's elements, where values were read, to the chunks made of them."""

from collections.abc import Iterable, Mapping
from typing import Any


def first_chunks(properties: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    """The first chunk of each element, by the element's index.

    `properties` are those of the chunks, in order. Running headers and footers are in no chunk.
    """
    places: dict[int, int] = {}
    for chunk, chunk_properties in enumerate(properties):
        for index in chunk_properties.get("element_indices", ()):
            places.setdefault(index, chunk)
    return places
