"""The results of a run as frames: the output of a node, and the trace of all nodes."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.contract.coverage import Coverage, coverage_words, distinct_coverage
from workbench.contract.schema import Schema
from workbench.formats import counted
from workbench.frames.answers import Keys, answer_columns
from workbench.frames.columns import of_type, table_of
from workbench.frames.frame import Rows
from workbench.frames.notes import AnswerNotes

if TYPE_CHECKING:
    import polars as pl


class NodeOutput(Rows[Mapping[str, Any]]):
    """The output rows of a node, with columns named after their content.

    A number or a text is one row with the column `value` or `text`. `notes` go with the rows into
    files, `shares` are columns in percent, `keys` the names of group keys, `extremes` the
    properties behind columns with their lowest or highest values.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Mapping[str, Any]],
        title: str = "",
        *,
        notes: AnswerNotes | None = None,
        shares: Mapping[str, int] | None = None,
        keys: Keys | None = None,
        schema: Schema | None = None,
        extremes: Mapping[str, str] | None = None,
    ) -> None:
        self._names = list(columns)
        self._keys = keys
        self._extremes = extremes
        self._schema = schema
        self._items = list(rows)
        self._of = title
        self._notes = notes or AnswerNotes()
        self._shares = shares or {}

    @property
    def shares(self) -> Mapping[str, int]:
        return self._shares

    def remarks(self) -> list[str]:
        return self._notes.lines()

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return self._items

    def title(self) -> str:
        return f"NodeOutput({counted(len(self))}{f' of {self._of}' if self._of else ''})"

    def _table(self) -> "pl.DataFrame":
        types = self._keys, self._schema, self._extremes
        return table_of(answer_columns(self.rows, self._names, *types))


class Trace(Rows[Mapping[str, Any]]):
    """One row per node: input, output, time, and what was dropped and why.

    `ms` is milliseconds; `approximate` marks nodes whose result depends on a judgement; `dropped`,
    `warnings`, `sentence` and `coverage` are texts.
    """

    def __init__(self, nodes: Sequence[Mapping[str, Any]]) -> None:
        self._items = list(nodes)

    @property
    def nodes(self) -> Sequence[Mapping[str, Any]]:
        return self._items

    def title(self) -> str:
        spent = sum(float(node.get("ms") or 0) for node in self.nodes)
        return f"Trace({counted(len(self), 'step')}, {spent:.0f} ms)"

    def _table(self) -> "pl.DataFrame":
        def column(key: str) -> list[Any]:
            return [node.get(key) for node in self.nodes]

        return table_of(
            {
                "node_id": of_type(column("node_id"), "int32"),
                "node_type": of_type(column("node_type"), "string"),
                "rows_in": of_type(column("rows_in"), "int64"),
                "rows_out": of_type(column("rows_out"), "int64"),
                "ms": of_type(column("ms"), "float64"),
                "approximate": of_type(column("approximate"), "bool"),
                "dropped": of_type([_counts(value) for value in column("dropped")], "string"),
                "warnings": of_type([_lines(value) for value in column("warnings")], "string"),
                "sentence": of_type(column("sentence"), "string"),
                "coverage": of_type([_covered(value) for value in column("coverage")], "string"),
            }
        )


def _counts(value: Any) -> str | None:
    if not value:
        return None
    if isinstance(value, Mapping):
        return ", ".join(f"{reason}: {count}" for reason, count in value.items())
    return json.dumps(value, ensure_ascii=False)


def _covered(items: Any) -> str | None:
    """The coverage of a step as text."""
    coverage = distinct_coverage([Coverage.model_validate(item) for item in items or ()])
    return "; ".join(map(coverage_words, coverage)) or None


def _lines(value: Any) -> str | None:
    return "\n".join(str(line) for line in value) if value else None
