"""Small documents for the extraction tests, written as elements."""

from collections.abc import Callable
from typing import Any

import pytest

from workbench.contract.elements import CellBox, Element, Table, TableCell
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]


def _element(kind: str, content: str | list[list[str]], at: int) -> Element:
    table = None
    if not isinstance(content, str):
        width = max(map(len, content))
        cells = [
            TableCell(
                content=text,
                rows=[row],
                cols=[col],
                bbox=CellBox(x1=col / 10, y1=row / 10, x2=(col + 1) / 10, y2=(row + 1) / 10),
            )
            for row, texts in enumerate(content)
            for col, text in enumerate(texts)
        ]
        table = Table(cells=cells, num_rows=len(content), num_cols=width)
    return Element(
        type=kind,
        bbox=[0.1, at / 100, 0.9, (at + 1) / 100],
        properties={"score": 0.9, "page_number": 1 + at // 10},
        text_representation=content if isinstance(content, str) else None,
        table=table,
    )


@pytest.fixture
def document() -> Build:
    """Makes elements: a string is a Text, rows are a table, a pair is a kind and its text."""

    def build(*parts: str | list[list[str]] | tuple[str, str]) -> list[Element]:
        elements = []
        for at, part in enumerate(parts):
            if isinstance(part, tuple):
                elements.append(_element(part[0], part[1], at))
            else:
                elements.append(_element("Text" if isinstance(part, str) else "table", part, at))
        return elements

    return build


@pytest.fixture
def schema() -> Callable[..., Schema]:
    """Makes a schema of names with a type word or a type object."""

    def build(*properties: tuple[str, str | dict[str, Any]]) -> Schema:
        return Schema.model_validate(
            {
                "properties": [
                    {
                        "name": name,
                        "type": definition
                        if isinstance(definition, dict)
                        else {"type": definition},
                    }
                    for name, definition in properties
                ]
            }
        )

    return build
