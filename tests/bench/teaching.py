"""What some checked documents of a template teach about the others: F1 before and after.

    python -m tests.bench.teaching [checked documents, 5] [others, 5] [seed, 1]

Documents are made (`tests.bench.made`): a template is one kind in one layout with one wording and
style, its documents differ in their values. Of each template the first are checked in full, then
the others are read: by the fitted score alone, and with what the checked ones teach, their values
among the examples.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from backend.extraction.engine import extract
from backend.extraction.extracted import Extracted
from backend.extraction.teaching import Lessons
from tests.bench.made import layouts
from tests.bench.made.documents import Document, document_of_template
from tests.bench.made.kinds import KINDS
from tests.bench.properties import Tally, same
from workbench.contract.schema import Schema


def main(checked: int, others: int, seed: int) -> None:
    before: dict[str, Tally] = defaultdict(Tally)
    after: dict[str, Tally] = defaultdict(Tally)
    for kind, made in KINDS.items():
        for layout in layouts.LAYOUTS:
            template = f"{kind} {layout} {seed}"
            documents = [
                document_of_template(kind, made, layout, template, number)
                for number in range(checked + others)
            ]
            schema = documents[0].schema
            shown = with_examples(schema, documents[:checked])
            lessons = Lessons([(one.elements, one.truth) for one in documents[:checked]], shown)
            for document in documents[checked:]:
                read = extract(document.elements, schema)
                again = extract(document.elements, shown)
                taught = lessons.applied(document.elements, again)
                for group in (layout, "all"):
                    count(before[group], read, document)
                    count(after[group], taught, document)
    print(f"{len(KINDS)} kinds, {checked} checked and {others} others of each template")
    for group in after:
        print(f"{group:10} before {before[group].line()}")
        print(f"{'':10} after  {after[group].line()}")


def with_examples(schema: Schema, checked: Sequence[Document]) -> Schema:
    """The schema with checked values among the examples of its texts, as a DocSet has them."""
    made = []
    for prop in schema.properties:
        values = [one.truth.get(prop.name) for one in checked]
        if prop.kind == "string":
            shown = dict.fromkeys(value for value in values if isinstance(value, str))
            prop = prop.model_copy(update={"examples": [*(prop.examples or []), *shown]})
        made.append(prop)
    return Schema(properties=made)


def count(tally: Tally, read: dict[str, Extracted], document: Document) -> None:
    for name, wanted in document.truth.items():
        one = read[name]
        right = wanted is not None and same(one.value, wanted)
        tally.add(right, one.value is not None, wanted is not None, one.confidence)


def arguments() -> Any:
    numbers = [int(one) for one in sys.argv[1:]]
    return (numbers + [5, 5, 1][len(numbers) :])[:3]


if __name__ == "__main__":
    random.seed(0)
    main(*arguments())
