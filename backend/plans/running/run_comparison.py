"""How the answers of two runs differ: rows gained, lost and changed, and the documents behind them.

It reads only stored runs, so two versions of a plan can be compared long after they ran.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import polars as pl

from backend.plans.running.relations import plain
from workbench.contract.query import Difference, RowChange

_KEY = "properties.key"
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Answer:
    """The stored rows of the last step of a run, and their flow."""

    flow: str
    frame: pl.DataFrame

    @property
    def value(self) -> float | int | str | None:
        """The number or text, None for anything else."""
        column = {"number": "value", "text": "text"}.get(self.flow)
        value: float | int | str | None = None if column is None else self.frame.item(0, column)
        return value


@dataclass(frozen=True)
class Window:
    """The window of differences to list; all are counted."""

    offset: int
    limit: int

    def of(self, items: Sequence[_Item]) -> Sequence[_Item]:
        return items[self.offset : self.offset + self.limit]


def documents_between(before: Answer, after: Answer, window: Window) -> Difference:
    """The documents behind one answer but not the other."""
    old, new = _documents(before), _documents(after)
    lost, gained = old.join(new, on="doc_id", how="anti"), new.join(old, on="doc_id", how="anti")
    return Difference(
        gained=_records(gained, window),
        lost=_records(lost, window),
        gained_total=gained.height,
        lost_total=lost.height,
    )


def rows_between(before: Answer, after: Answer, window: Window) -> Difference | None:
    """Differences between two tables by key; None unless both answers are tables."""
    if before.flow != "rows" or after.flow != "rows":
        return None
    old, new = _by_key(before.frame), _by_key(after.frame)
    gained = [row for key, row in new.items() if key not in old]
    lost = [row for key, row in old.items() if key not in new]
    changed = [
        RowChange(before=old[key], after=row)
        for key, row in new.items()
        if key in old and old[key] != row
    ]
    return Difference(
        gained=list(window.of(gained)),
        lost=list(window.of(lost)),
        changed=list(window.of(changed)),
        gained_total=len(gained),
        lost_total=len(lost),
        changed_total=len(changed),
    )


def _by_key(frame: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """The rows by their key; the row of a table without keys by null."""
    records = (_plain(record) for record in frame.drop("doc_ids").iter_rows(named=True))
    return {json.dumps(record.get(_KEY)): record for record in records}


def _documents(answer: Answer) -> pl.DataFrame:
    """The distinct documents of an answer, with the fields that it shows."""
    if answer.flow == "docs":
        return answer.frame.unique("doc_id", maintain_order=True)
    if answer.flow == "groups":
        ids = answer.frame.get_column("doc_id")
    else:
        ids = answer.frame.get_column("doc_ids").explode(empty_as_null=False)
    return ids.unique(maintain_order=True).alias("doc_id").to_frame()


def _records(frame: pl.DataFrame, window: Window) -> list[dict[str, Any]]:
    shown = frame.slice(window.offset, window.limit)
    return [_plain(record) for record in shown.iter_rows(named=True)]


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {name: plain(value) for name, value in record.items()}
