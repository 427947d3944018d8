"""Documents whose values are known: those that extraction is fitted on.

Made ones (tests/bench/made: every kind in every layout), those that were written one by one, each
set out in several ways, short ones of 560 kinds (`short_documents/`), those of 120 kinds with a
schema for each (`document_kinds/`), files of 308 kinds (`filed_documents/`), and real ones of a
folder: `truth.jsonl`, `schemas.json` and the elements of each file as JSON in `elements/` (its path
with "__" for "/", and ".json"), which `tests.bench.property_folder --elements` writes.
"""

import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.extraction.document import Document
from backend.extraction.engine import compiled
from backend.extraction.groups import Group
from backend.extraction.stated_scales import in_full, takes_scale
from backend.extraction.weighing import Running, measured
from backend.extraction.words import content
from tests.bench.made.documents import documents
from tests.bench.made.written import set_out, written
from tests.bench.property_folder import read_elements, schema_of
from workbench.contract.elements import Element
from workbench.contract.schema import Schema, SchemaProperty

_SHORT = Path(__file__).with_name("short_documents")
_KINDS = Path(__file__).with_name("document_kinds")
_FILED = Path(__file__).with_name("filed_documents")
_EXERCISES = frozenset({"notes", "slips"})
"""The files in which much more is told in other words, or missing beside something near, than in
what people have: the network learns from them, and confidence is fitted without them.
"""
EVERY = 3
"""Of the made documents each third: more of them teach no more, and are fitted on for longer."""
_FOREIGN = 11
"""Seeds the draw of lists that a document lacks."""
_DAY, _MINUTE = 10, 16
"""Characters of a time in ISO form up to the day and to the minute."""
PARTS = 4
"""The kinds are dealt into parts; a network never learns from those of part 0."""


@dataclass(frozen=True)
class Known:
    """A document with what is true of it; `kind` begins with “real” or “written” where somebody
    wrote the whole of it, not a program.
    """

    kind: str
    name: str
    elements: Sequence[Element]
    schema: Schema
    truth: dict[str, Any]
    filed: bool = False
    """Whether it is a file of a folder."""
    exercise: bool = False
    """Whether only the network learns from it."""
    only: str = ""
    """The one property that counts, if it is not all."""


def part_of(kind: str) -> int:
    """To which part a kind belongs."""
    return int(hashlib.md5(kind.encode(), usedforsecurity=False).hexdigest(), 16) % PARTS


def made(per_layout: int, seed: int) -> Iterator[Known]:
    """Each third of the made documents."""
    for at, one in enumerate(documents(per_layout, seed)):
        if at % EVERY == 0:
            yield Known(one.kind, f"made {at}", one.elements, one.schema, one.truth)


def written_ones(ways: int) -> Iterator[Known]:
    """The documents that were written one by one, each set out in so many ways."""
    for at, document in enumerate(written()):
        for way in range(ways):
            one = set_out(document, way)
            yield Known(f"written {one.kind}", f"{at} {way}", one.elements, one.schema, one.truth)


def real(folder: Path) -> Iterator[Known]:
    """The real documents of a folder, all properties of which are known."""
    schemas = json.loads((folder / "schemas.json").read_text("utf-8"))
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        kept_file = folder / "elements" / (row["file"].replace("/", "__") + ".json")
        if not kept_file.is_file():
            continue
        elements = [Element.model_validate(one) for one in json.loads(kept_file.read_text("utf-8"))]
        known = {p["name"]: row["truth"].get(p["name"]) for p in schemas[row["kind"]]}
        if row.get("partial", True):
            known = {name: value for name, value in known.items() if name in row["truth"]}
        yield Known(
            f"real {row['kind']}",
            row["file"],
            elements,
            schema_of(schemas[row["kind"]]),
            known,
            filed=True,
        )


def short_ones() -> Iterator[Known]:
    """The short documents, each with the properties that two people ask for, and with those of a
    third, most of which are not stated though something near is.
    """
    with TemporaryDirectory() as work:
        for file in sorted(_SHORT.glob("*.jsonl")):
            for at, line in enumerate(file.read_text("utf-8").splitlines()):
                row = json.loads(line)
                source = Path(work) / f"{file.stem}_{at}.{row['format']}"
                source.write_text(row["text"], "utf-8")
                elements = read_elements(source, None)
                for part in filter(row.get, ("properties", "more", "near")):
                    truth = {prop["name"]: prop["value"] for prop in row[part]}
                    schema, name = schema_of(row[part]), f"{source.name} {part}"
                    yield Known(f"real {file.stem} {row['kind']}", name, elements, schema, truth)


def of_kinds() -> Iterator[Known]:
    """The documents of kinds with a schema for each."""
    with TemporaryDirectory() as work:
        for file in sorted(_KINDS.glob("*.jsonl")):
            for line in file.read_text("utf-8").splitlines():
                kind = json.loads(line)
                schema = schema_of(kind["schema"])
                for at, document in enumerate(kind["documents"]):
                    source = Path(work) / f"{file.stem}_{kind['kind']}_{at}.{document['format']}"
                    source.write_text(document["text"], "utf-8")
                    elements = read_elements(source, None)
                    name, truth = f"real {kind['kind']}", document["truth"]
                    yield Known(name, source.name, elements, schema, truth)


def filed_ones() -> Iterator[Known]:
    """The files of many kinds, as they were partitioned."""
    for file in sorted(_FILED.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            kind = json.loads(line)
            schema = schema_of(kind["schema"])
            for document in kind["documents"]:
                elements = [Element.model_validate(one) for one in document["elements"]]
                truth = {prop.name: document["truth"].get(prop.name) for prop in schema.properties}
                name = f"{file.stem} {document['file']}"
                yield Known(
                    f"real {kind['kind']}",
                    name,
                    elements,
                    schema,
                    truth,
                    filed=True,
                    exercise=file.stem in _EXERCISES,
                )


def known_documents(per_layout: int, ways: int, folders: Iterable[Path]) -> Iterator[Known]:
    """All of them."""
    yield from made(per_layout, seed=1)
    yield from written_ones(ways)
    yield from short_ones()
    yield from of_kinds()
    yield from filed_ones()
    for folder in folders:
        yield from real(folder)


def with_foreign_lists(known: Iterable[Known]) -> Iterator[Known]:
    """The documents, and each that has a list again with a list of another kind, which it lacks:
    goods are no people, however well they are lined up. The other properties stay beside it: a list
    that is asked for alone is no less likely to be there.
    """
    listing = [(one, own) for one in known for own in [_lists(one.schema)]]
    rng = random.Random(_FOREIGN)
    real_ones = [(one, own) for one, own in listing if one.kind.startswith("real")]
    every = [(one.kind, prop) for one, own in real_ones for prop in own]
    for one, own in listing:
        yield one
        words = {word for prop in own for word in _words(prop)}
        kind, prop = rng.choice(every)
        if own and kind != one.kind and not words & _words(prop):
            beside = [other for other in one.schema.properties if other.name != prop.name]
            yield replace(
                one,
                name=f"{one.name} foreign",
                schema=Schema(properties=[*beside, prop]),
                truth={**one.truth, prop.name: []},
                only=prop.name,
            )


def _lists(schema: Schema) -> list[SchemaProperty]:
    """The properties of a schema that are lists of texts."""
    return [
        prop
        for prop in schema.properties
        if prop.kind == "array" and prop.item_type is not None and prop.item_type.kind == "string"
    ]


def _words(prop: SchemaProperty) -> set[str]:
    return set(content(f"{prop.name} {prop.description or ''}"))


def plain(value: Any) -> str:
    """A value as it is compared."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return f"{value:.2f}"
    return re.sub(r"\W+", "", str(value).replace("&", " and ").upper())


@dataclass(frozen=True)
class Judged:
    """A property, what is in its running, which of it is right, and the values there are to find,
    as they are compared.
    """

    running: Running
    right: NDArray[np.bool_]
    truth: frozenset[str]


def judged(known: Known, read: Document) -> Iterator[Judged]:
    """The properties of a document whose truth is known."""
    for one in measured(compiled(known.schema), read, lambda targets, document: {}):
        name = one.target.name
        if not one.kind or name not in known.truth:
            continue
        true = known.truth[name]
        whole = [] if true is None else true if isinstance(true, list) else [true]
        keys = frozenset(plain(value) for value in whole)
        factors = read.scales if takes_scale(one.target) else {}
        if one.target.shape.kind == "datetime":
            right = _right_times(one.groups, [str(value) for value in whole])
            keys = frozenset(value[:_DAY] for value in map(str, whole))
        else:
            right = [_is_right(group, factors, keys) for group in one.groups]
        yield Judged(one, np.array(right, dtype=np.bool_), keys)


def _right_times(groups: Sequence[Group], true: Sequence[str]) -> list[bool]:
    """Which values are a date with its time to the minute, or if none is, the date alone."""
    own = [str(group.value) for group in groups]
    for many in (_MINUTE, _DAY):
        keys = {value[:many] for value in true}
        right = [value[:many] in keys for value in own]
        if any(right):
            break
    return right if true else [False] * len(own)


def _is_right(group: Group, factors: dict[int, float], keys: frozenset[str]) -> bool:
    value = in_full(group.value, group.place()[0], factors)
    return plain(value) in keys and not group.absent
