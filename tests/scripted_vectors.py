"""Replies of a scripted endpoint (`tests.scripted_model`) that is asked for vectors."""

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from tests.scripted_model import Json, Reply

DIMENSION = 16


def answer(vectors: Sequence[Sequence[float]], order: Sequence[int] | None = None) -> Reply:
    """These vectors as the endpoint's answer, listed in another order if one is given."""
    items = [{"index": place, "embedding": list(vectors[place])} for place in range(len(vectors))]
    listed = items if order is None else [items[place] for place in order]
    return Reply(body=json.dumps({"object": "list", "data": listed}).encode())


def vector_of(text: str, dimension: int = DIMENSION) -> list[float]:
    """A count of words by their hash, and something that no text lacks."""
    counts = [0.1] * dimension
    for word in text.lower().split():
        counts[zlib.crc32(word.encode()) % dimension] += 1
    return counts


def words(request: Json) -> Reply:
    """Vectors of the texts that were sent, last first, as an endpoint may list them."""
    dimension = request.get("dimensions", DIMENSION)
    vectors = [vector_of(text, dimension) for text in request["input"]]
    return answer(vectors, order=range(len(vectors))[::-1])


def slowly(seconds: float) -> Callable[[Json], Reply]:
    """The same after a while."""

    def reply(request: Json) -> Reply:
        made = words(request)
        return Reply(body=made.body, seconds=seconds)

    return reply


def texts_of(requests: Sequence[Json]) -> list[Any]:
    """All texts of these requests."""
    return [text for request in requests for text in request["input"]]
