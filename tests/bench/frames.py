"""From 20,000 nested hits to an Arrow table: our frame against plain pyarrow, in CPU time.

    python -m tests.bench.frames

The hits are as the service sends them: properties, boxes, scores of each list, a passage. pyarrow
makes one nested column of each key; ours makes a flat, typed column of each property. Rounds are
taken in turn, so that a busy machine disturbs both alike; the best round of each counts.
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from workbench.contract.schema import Schema
from workbench.contract.search import SearchRequest
from workbench.frames import Hits

GOAL = 1.1
_WORDS = ("ice", "wing", "runway", "engine", "pilot", "landing", "gear", "fuel", "wind", "night")
_SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "state", "type": {"type": "string"}},
            {"name": "year", "type": {"type": "int"}},
            {"name": "event_date", "type": {"type": "date"}},
            {"name": "wind_speed", "type": {"type": "float"}},
            {"name": "fatal", "type": {"type": "bool"}},
            {"name": "crew", "type": {"type": "array", "item_type": {"type": "string"}}},
        ]
    }
)


def nested_hits(count: int, seed: int = 7) -> list[dict[str, Any]]:
    """Elements as a hybrid search answers them, some with properties left out."""
    draw = random.Random(seed)

    def words(least: int, most: int) -> str:
        return " ".join(draw.choices(_WORDS, k=draw.randint(least, most)))

    def hit(place: int) -> dict[str, Any]:
        year = draw.randint(1990, 2026)
        entity = {
            "state": draw.choice(("WA", "AK", "FL")),
            "year": year,
            "event_date": f"{year}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
            "wind_speed": draw.random() * 40,
            "fatal": draw.random() < 0.2,
            "crew": [words(1, 2) for _ in range(draw.randint(0, 3))],
        }
        for name in draw.sample(list(entity), draw.randint(0, 2)):
            del entity[name]
        lists = {
            name: {"rank": draw.randint(1, count), "score": draw.random()}
            for name in ("lexical", "vector")
        }
        return {
            "id": f"wb:e-{place}",
            "doc_id": f"wb:f-{place // 40}",
            "type": draw.choice(("Text", "Title", "table")),
            "bbox": [draw.random() for _ in range(4)],
            "text_representation": words(20, 60),
            "properties": {"page_number": draw.randint(1, 30), "path": "a.pdf", "entity": entity},
            "_search": {"score": draw.random(), "snippet": words(5, 15), "lists": lists},
        }

    return [hit(place) for place in range(count)]


def ratio(items: list[dict[str, Any]], rounds: int) -> tuple[float, float]:
    """CPU seconds of ours and of plain pyarrow, the best round of each."""
    request = SearchRequest(query="ice", query_type="hybrid", return_type="element")
    ours: Callable[[], Any] = lambda: Hits(items, request, schema=_SCHEMA).to_arrow()  # noqa: E731
    plain: Callable[[], Any] = lambda: pa.Table.from_pylist(items)  # noqa: E731
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for place, make in enumerate((ours, plain)):
            begun = time.process_time()
            make()
            best[place] = min(best[place], time.process_time() - begun)
    return best[0], best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hits", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    ours, plain = ratio(nested_hits(arguments.hits), arguments.rounds)
    print(f"{arguments.hits:,} nested hits to Arrow, CPU: ours {ours * 1000:.0f} ms")
    print(f"pyarrow from the same list {plain * 1000:.0f} ms")
    print(f"ratio {ours / plain:.2f} (goal: at most {GOAL})")


if __name__ == "__main__":
    main()
