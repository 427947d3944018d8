"""From a row of an output to the documents behind it, and to the place where it was read."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.sessions.plan_run import PlanRun


@dataclass(frozen=True)
class Place:
    """Where to open a document: page from 1, the element when it is known."""

    page: int = 1
    element_id: str | None = None
    text: str = ""

    @property
    def words(self) -> str:
        return f"p{self.page} “{self.text[:40]}”" if self.text else ""


def documents_of(row: Mapping[str, Any]) -> list[str]:
    """The ids of the documents behind a row, each once."""
    own = row.get("doc_id")
    behind = row.get("doc_ids") or ()
    return list(dict.fromkeys([*([own] if own else []), *map(str, behind)]))


def place_of(doc_id: str, row: Mapping[str, Any], run: PlanRun | None) -> Place:
    """The first evidence for that document: in the row itself, else in the answer of the run."""
    for evidence in _evidence(row, run):
        if evidence.get("doc_id") == doc_id:
            return Place(
                page=int(evidence.get("page") or 1),
                element_id=evidence.get("element_id"),
                text=" ".join(str(evidence.get("text") or "").split()),
            )
    return Place()


def _evidence(row: Mapping[str, Any], run: PlanRun | None) -> Iterable[Mapping[str, Any]]:
    for cited in row.get("citations") or ():
        yield json.loads(cited) if isinstance(cited, str) else cited
    if run is None or run.result is None:
        return
    for found in run.rows:
        yield from found.get("evidence") or ()
    for citation in run.result.citations:
        yield citation.model_dump()
