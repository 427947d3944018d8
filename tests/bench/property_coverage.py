"""How many true values are among the candidates that extraction weighs, by type.

    python -m tests.bench.property_coverage [FOLDER] [--elements DIR] [--every N] [--misses]

Without FOLDER: each N-th of the short documents that extraction is fitted on; with it, the
documents of a folder in the form of `property_folder`. A value that is no candidate cannot be
given, however well candidates are weighed. Of a list, each item counts. Printed are also the
candidates of a property on average, since each of them costs time.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from backend.extraction.document import Document
from tests.bench.known_documents import Known, judged, plain, short_ones
from tests.bench.property_folder import read_folder, schema_of


@dataclass
class Share:
    """The values of a type, how many of them are candidates, and the candidates of all kinds."""

    values: int = 0
    among: int = 0
    properties: int = 0
    candidates: int = 0

    def line(self) -> str:
        return (
            f"among {self.among:5d} of {self.values:5d}  {self.among / max(1, self.values):.3f}  "
            f"candidates {self.candidates / max(1, self.properties):.0f}"
        )


def of_folder(folder: Path, elements: Path | None) -> Iterator[Known]:
    """The documents of a folder with all properties of their kind."""
    schemas = json.loads((folder / "schemas.json").read_text("utf-8"))
    for kind, rows in read_folder(folder, elements):
        names = [prop["name"] for prop in schemas[kind]]
        for row, own in rows:
            truth = {name: row["truth"].get(name) for name in names}
            yield Known(kind, row["file"], own, schema_of(schemas[kind]), truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--elements", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    documents = short_ones() if given.folder is None else of_folder(given.folder, given.elements)
    shares: dict[str, Share] = defaultdict(Share)
    for known in islice(documents, 0, None, given.every):
        for one in judged(known, Document(known.elements)):
            got = {plain(group.value) for group in one.running.groups if not group.absent}
            missed = one.truth - got
            share = shares[one.running.target.shape.kind]
            share.values += len(one.truth)
            share.among += len(one.truth) - len(missed)
            share.properties += 1
            share.candidates += len(one.running.groups)
            name = one.running.target.name
            if given.misses and missed:
                print(f"{known.name} {name}: {known.truth[name]!r}; not among: {sorted(missed)}")
    for kind, share in sorted(shares.items()):
        print(f"{kind:10} {share.line()}")


if __name__ == "__main__":
    main()
