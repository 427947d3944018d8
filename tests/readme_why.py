"""The README's answer to why a hit ranks where it does: a real one, from a few reports."""

import json
import tempfile
from pathlib import Path
from textwrap import fill
from typing import Any

from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.tables import metadata
from tests.backend.search.shelf import Shelf
from workbench.contract.search import SearchRequest

_QUERY = "ice on the wings"
_REPORTS = {
    "approach": [
        "Report of the approach to the northern field.",
        "The pilot saw ice on the left wing during the approach and asked for a lower altitude.",
    ],
    "frost": [
        "Frost had been left on the wings and the tail before take-off.",
        "The wings stalled at low height.",
    ],
    "carburetor": ["Carburetor icing led to a partial loss of power shortly after take-off."],
    "crosswind": ["A gust of wind lifted the wing while the aircraft turned off the runway."],
    "fuel": ["The engine stopped because the tanks were empty."],
    "runway": ["The runway was covered with snow, and the aircraft slid off its end."],
}


def why_block() -> str:
    """The request, the explanation of its second hit, and how to read it."""
    explanation = _second()
    lexical, vector = explanation["lists"]["lexical"], explanation["lists"]["vector"]
    sum_of = " + ".join(
        f"{part['weight']:g} / ({explanation['fusion']['k']} + {part['rank']})"
        for part in (lexical, vector)
    )
    places = ", ".join(
        f"“{term}” ({start} to {end})"
        for term, (start, end) in zip(explanation["terms"], explanation["positions"], strict=False)
    )
    reading = (
        f"By words it has rank {lexical['rank']} (BM25 {lexical['score']}), by meaning rank"
        f" {vector['rank']} (cosine {vector['score']}). Each list adds its weight divided by k plus"
        f" rank: {sum_of} = {explanation['score']}, the score. The list of static vectors"
        " counts half. `element_id` names the element that adds most, `terms` and `positions` the"
        f" matches in its text: {places}."
    )
    return f"""\
Every hit explains its rank under `_search`. For

```json
{json.dumps({"query": _QUERY, "query_type": "hybrid"})}
```

the second of {len(_REPORTS)} small reports has

```json
{_pretty(explanation)}
```

{fill(reading, 118)}"""


def _second() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'store.sqlite'}")
        metadata.create_all(database.engine)
        shelf = Shelf(database)
        for name, texts in _REPORTS.items():
            shelf.add(texts, doc_id=f"wb:f-{name}")
        engine = SearchEngine(database, Path(folder) / "indexes")
        request = SearchRequest(query=_QUERY, query_type="hybrid")
        explanation: dict[str, Any] = engine.search(shelf.docset_id, request).results[1]["_search"]
        engine.close()
        database.close()
    rounded: dict[str, Any] = json.loads(json.dumps(explanation), parse_float=_short)
    return rounded


def _short(number: str) -> float:
    """Digits that are the same on every machine."""
    return round(float(number), 4)


def _pretty(explanation: dict[str, Any]) -> str:
    """A line for each key, and for each list."""
    lines = []
    for name, value in explanation.items():
        if name == "lists":
            lists = [f'    "{key}": {json.dumps(part)}' for key, part in value.items()]
            lines.append('  "lists": {\n' + ",\n".join(lists) + "\n  }")
        else:
            lines.append(f'  "{name}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}"
