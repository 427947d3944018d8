"""Unlabelled patterns that recur in documents: tables with the same columns, codes of one shape.

A table becomes a list of objects, one per row; codes ("IR-2020-118") become a string with examples,
whose shape is all that extraction needs to find them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from backend.extraction.kinds import kind_of
from backend.extraction.reading import Column, Reading
from backend.extraction.suggested import Suggested
from backend.extraction.words import content
from workbench.contract.schema import PropertyKind, PropertyShape, SchemaProperty

MAX_COLUMNS = 12
_MIN_ROWS = 2
_FILLED = 0.6
"""Columns with a smaller share of filled cells are layout, not data."""
_CODE = re.compile(r"(?<![\w-])[A-Z]{1,6}[-/]?\d{2,}(?:[-/]\d+)*(?![\w-])")
_PER_DOCUMENT = 3
"""A shape that occurs more often than this in a document does not identify the document."""
_MAX_EXAMPLES = 3


_UNLABELLED = 0.8
"""The weight of properties without a label, which people ask for less often."""


def recurring_tables(readings: Sequence[Reading]) -> Iterator[Suggested]:
    """Lists of the rows of tables that have the same columns in all their documents."""
    kinds: dict[tuple[str, ...], dict[int, list[Column]]] = defaultdict(dict)
    for at, reading in enumerate(readings):
        for columns in _tables(reading):
            kinds[tuple(_name(column.header) for column in columns)].setdefault(at, columns)
    for names, seen in kinds.items():
        spelled = [column.header for column in next(iter(seen.values()))]
        cells: list[list[str]] = [[] for _ in names]
        for columns in seen.values():
            for index, column in enumerate(columns):
                cells[index] += [cell for cell in column.cells if cell]
        inner = [
            SchemaProperty(name=name, kind=_cell_kind(texts), description=header)
            for name, header, texts in zip(names, spelled, cells, strict=True)
        ]
        quoted = ", ".join(f'"{header}"' for header in spelled)
        row = PropertyShape(kind="object", properties=inner)
        description = f"Rows of the table with the columns {quoted}"
        prop = SchemaProperty(
            name=f"{names[0]}_rows", kind="array", description=description, item_type=row
        )
        yield Suggested(prop, dict.fromkeys(seen), len(readings), _UNLABELLED)


def recurring_codes(readings: Sequence[Reading]) -> Iterator[Suggested]:
    """Codes of one shape that occur once or a few times per document."""
    shapes: dict[str, dict[int, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for at, reading in enumerate(readings):
        for sentence in reading.sentences:
            for match in _CODE.finditer(sentence.text):
                shapes[re.sub(r"\d", "0", match[0])][at][match[0]] += 1
    for shape, seen in shapes.items():
        prefix = re.match(r"[A-Z]+", shape)
        if prefix is None or any(len(codes) > _PER_DOCUMENT for codes in seen.values()):
            continue
        examples = [codes.most_common(1)[0][0] for codes in seen.values()]
        if len(set(examples)) < 2:
            continue
        yield Suggested(
            SchemaProperty(
                name=f"{prefix[0].lower()}_code",
                kind="string",
                description=f'Code of the form "{examples[0]}"',
                examples=examples[:_MAX_EXAMPLES],
            ),
            dict(zip(seen, examples, strict=True)),
            len(readings),
            _UNLABELLED,
        )


def _tables(reading: Reading) -> Iterator[list[Column]]:
    """The columns of each table of rows if all of them have distinct names."""
    by_table: dict[int, list[Column]] = defaultdict(list)
    for column in reading.columns:
        by_table[column.table].append(column)
    for columns in by_table.values():
        filled = [c for c in columns if sum(map(bool, c.cells)) >= _FILLED * len(c.cells)]
        names = [_name(column.header) for column in filled]
        distinct = len(set(names)) == len(names) and all(names)
        if 2 <= len(filled) <= MAX_COLUMNS and distinct and len(filled[0].cells) >= _MIN_ROWS:
            yield filled


def _cell_kind(texts: Sequence[str]) -> PropertyKind:
    kind = kind_of(texts) if texts else "string"
    return "string" if kind == "choice" else kind


def _name(header: str) -> str:
    """The name of a column: its words outside brackets, or nothing."""
    plain = re.sub(r"[(\[][^()\[\]]*[)\]]", "", header).lower()
    name = "_".join(re.findall(r"[a-z0-9]+", plain))[:60]
    return name if content(plain) else ""
