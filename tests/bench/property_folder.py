"""Scores extraction on a folder of documents with their truth, and keeps their elements.

    python -m tests.bench.property_folder FOLDER [--kind KIND] [--misses] [--elements DIR]

FOLDER holds the documents, `schemas.json` (for each kind a list of properties: name, type,
description, examples, choices) and `truth.jsonl` (a line for each document: file, kind, truth).
Printed are precision, recall and F1 by property, kind and type over (document, property, value);
how many values were given where the document has none; how many values of each confidence are
right; and documents a second of processor time, after partitioning. Values are compared in
capitals without punctuation and spacing, dates and numbers by value, lists as sets.

A figure tells something only for documents that nobody who works on extraction has seen. With
`--elements` the elements are kept as JSON, in the form `fit_properties --real` reads, and read from
there the next time.
"""

import argparse
import json
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from backend.extraction.date_order import prevailing_order
from backend.extraction.engine import extract
from backend.partition import partition
from workbench.contract.elements import Element
from workbench.contract.partition_options import PartitionOptions
from workbench.contract.schema import Schema

SURE = 0.8
_STRINGS = ("string", "array")


@dataclass
class Counts:
    right: int = 0
    given: int = 0
    wanted: int = 0
    absent: int = 0
    given_absent: int = 0

    def line(self) -> str:
        both = self.given + self.wanted
        return (
            f"P {self.right / max(1, self.given):.3f}  R {self.right / max(1, self.wanted):.3f}  "
            f"F1 {2 * self.right / both if both else 1.0:.3f}  values {self.wanted:4d}  "
            f"given where there is none {self.given_absent}/{self.absent}"
        )


@dataclass
class Result:
    counts: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    sure: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of each value that was given, and whether it is right."""

    def add(self, keys: list[str], truth: set[str], got: set[str]) -> None:
        for key in keys:
            one = self.counts[key]
            one.right += len(truth & got)
            one.given += len(got)
            one.wanted += len(truth)
            one.absent += not truth
            one.given_absent += bool(got) and not truth


def plain(value: Any, kind: str) -> str | None:
    """A value as it is compared; None where there is none."""
    if value in (None, "", [], {}):
        return None
    if kind in ("date", "datetime"):
        return str(value)[:10]
    if kind == "bool":
        return str(value)
    if kind in ("int", "float"):
        return f"{float(value):.2f}"
    return re.sub(r"\W+", "", str(value).upper().replace("&", " AND ")) or None


def values(prop: dict[str, Any], value: Any) -> set[str]:
    kind = "string" if prop["type"] in ("array", "choice") else prop["type"]
    several = value if isinstance(value, list) else [value]
    return {text for one in several if (text := plain(one, kind)) is not None}


def schema_of(properties: list[dict[str, Any]]) -> Schema:
    """The schema; a choice without a list of choices is asked for as a text."""
    made = []
    for prop in properties:
        shape = {key: value for key, value in prop.items() if key != "name"}
        if shape["type"] == "choice" and "choices" not in shape:
            shape["type"] = "string"
        if shape["type"] == "array":
            shape.setdefault("item_type", {"type": "string"})
        made.append({"name": prop["name"], "type": shape})
    return Schema.model_validate({"properties": made})


def read_elements(source: Path, kept: Path | None) -> list[Element]:
    if kept is not None and kept.is_file():
        return [Element.model_validate(one) for one in json.loads(kept.read_text("utf-8"))]
    options = PartitionOptions.read({})
    parsed = partition(source, name=source.name, options=options, progress=lambda done, total: None)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([one.model_dump(mode="json") for one in parsed.elements]))
    return parsed.elements


def read_folder(
    folder: Path, elements: Path | None
) -> Iterator[tuple[str, list[tuple[dict[str, Any], list[Element]]]]]:
    """Each kind with its documents: the line of the truth and the elements."""
    lines = (folder / "truth.jsonl").read_text("utf-8").splitlines()
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in map(json.loads, lines):
        rows[row["kind"]].append(row)
    for kind, own in rows.items():
        documents = []
        for row in own:
            kept = None
            if elements is not None:
                kept = elements / "elements" / (row["file"].replace("/", "__") + ".json")
            documents.append((row, read_elements(folder / row["file"], kept)))
        yield kind, documents


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kind")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--elements", type=Path)
    given = parser.parse_args()
    threadpool_limits(1, user_api="blas")  # as in the processes that read documents
    schemas = json.loads((given.folder / "schemas.json").read_text("utf-8"))
    result, spent, documents = Result(), 0.0, 0
    extract([], schema_of(next(iter(schemas.values()))))  # loads what a process loads once
    for kind, rows in read_folder(given.folder, given.elements):
        if given.kind not in (None, kind):
            continue
        schema = schema_of(schemas[kind])
        order = prevailing_order(elements for _, elements in rows)
        for row, elements in rows:
            start = time.process_time()
            extracted = extract(elements, schema, day_first=order)
            spent += time.process_time() - start
            documents += 1
            for prop in schemas[kind]:
                one, true = extracted[prop["name"]], row["truth"].get(prop["name"])
                truth, got = values(prop, true), values(prop, one.value)
                family = "strings" if prop["type"] in _STRINGS else "typed"
                result.add(
                    [f"{kind} {prop['name']}", f"{kind} ALL", f"type {prop['type']}",
                     f"~ {family}", "~ all"], truth, got,
                )  # fmt: skip
                if got:
                    result.sure.append((one.confidence, truth == got))
                if given.misses and truth != got:
                    shown = [(guess.value, guess.confidence) for guess in one.alternatives[:3]]
                    print(f"{row['file']} {prop['name']}: {one.value!r} ({one.confidence}), "
                          f"true {true!r}; {shown}")  # fmt: skip
    for key in sorted(result.counts):
        print(f"{key:44} {result.counts[key].line()}")
    report_confidence(result.sure)
    print(f"{documents} documents, {documents / max(spent, 1e-9):.0f} a second of processor time")


def report_confidence(sure: list[tuple[float, bool]]) -> None:
    error = 0.0
    for level in range(5, 10):
        part = [(c, r) for c, r in sure if level <= min(9, int(10 * c)) < level + 1]
        stated, right = sum(c for c, _ in part), sum(r for _, r in part)
        error += abs(stated - right)
        share = right / max(1, len(part))
        print(f"confidence {level / 10:.1f}  values {len(part):4d}  right {share:.2f}")
    least = [right for confidence, right in sure if confidence >= SURE]
    print(f"values of at least {SURE}: {len(least)}, right {sum(least) / max(1, len(least)):.3f}")
    print(f"expected calibration error of given values {error / max(1, len(sure)):.3f}")


if __name__ == "__main__":
    main()
