"""The documents behind a step of a run, or behind one of its rows.

They are read from the stored run, so a number can be opened long after it was computed. Places and
quotes are those of today's documents; where a document was deleted since, or has another value, the
evidence says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from backend.plans.running.relations import plain
from backend.plans.tables.collection import PATH, Collection
from workbench.contract.coverage import DocumentEvidence, EvidenceWindow, ValueEvidence
from workbench.contract.errors import Invalid
from workbench.contract.plan_columns import doubted_field
from workbench.contract.plan_nodes import canonical_field

State = Literal["used", "left_out"]


@dataclass(frozen=True)
class Asked:
    """The documents to show: those behind one row or all, by one field or all, in a window."""

    row: int | None = None
    field: str | None = None
    state: State = "used"
    offset: int = 0
    limit: int = 50


@dataclass(frozen=True)
class Then:
    """A document as a run read it: its name, the values of the fields that the run stored, and the
    fields whose value has changed since. The values of an object's parts are listed by name.
    """

    name: str
    values: Mapping[str, Any]
    changed: frozenset[str]


@dataclass(frozen=True)
class Behind:
    """A window of the documents, their total number, and the properties that matter.

    `fields` are bare names. Values with a confidence below `confidence_limit` are doubtful. `then`
    has the documents as the run read them.
    """

    docset_id: str
    doc_ids: list[str]
    total: int
    fields: list[str]
    confidence_limit: float
    then: Mapping[str, Then] = field(default_factory=dict)

    def window(self, shown: Sequence[DocumentEvidence]) -> EvidenceWindow:
        """The evidence `shown` of those documents that still exist, with what changed since."""
        today = {document.doc_id: document for document in shown}
        documents = [self._document(doc_id, today.get(doc_id)) for doc_id in self.doc_ids]
        return EvidenceWindow(documents=documents, total=self.total)

    def _document(self, doc_id: str, today: DocumentEvidence | None) -> DocumentEvidence:
        then = self.then.get(doc_id) or Then(doc_id, {}, frozenset())
        if today is None:
            values = [_used(name, then.values.get(name)) for name in self.fields]
            return DocumentEvidence(doc_id=doc_id, name=then.name, values=values, deleted=True)
        for value in today.values:
            if value.field in then.changed:
                value.changed, value.before = True, then.values[value.field]
        return today


def _used(name: str, value: Any) -> ValueEvidence:
    return ValueEvidence(field=name, value=value, state="missing" if value is None else "used")


def as_read(
    read: pl.DataFrame, collection: Collection, fields: Mapping[str, tuple[str, str | None]]
) -> dict[str, Then]:
    """The documents of a run, `read` from it, beside those of the collection today.

    `fields` has for each column the property that is shown and, if that is an object, the part.
    """
    columns = [name for name in fields if name in read.columns]
    kept = [name for name in columns if name in collection.table.columns]
    ids = read.get_column("doc_id")
    today = collection.table.lazy().filter(pl.col("doc_id").is_in(ids.implode()))
    now = {row["doc_id"]: row for row in today.select("doc_id", *kept).collect().to_dicts()}
    documents: dict[str, Then] = {}
    for row in read.to_dicts():
        values: dict[str, Any] = {}
        changed = set()
        for column in columns:
            shown, part = fields[column]
            value = plain(row[column])
            if part is None:
                values[shown] = value
            else:
                values.setdefault(shown, {})[part] = value
            if value != plain(now.get(row["doc_id"], {}).get(column)):
                changed.add(shown)
        documents[row["doc_id"]] = Then(row[PATH] or row["doc_id"], values, frozenset(changed))
    return documents


def unknown_field(field: str) -> Invalid:
    """The error about a field that documents do not have."""
    return Invalid.at(("query", "field"), f"There is no property {field!r}.", "unknown_property")


def without_usable(reached: Sequence[pl.Series], field: str, collection: Collection) -> pl.Series:
    """The ids of documents in `reached` without a usable value, those with doubtful ones first."""
    name = canonical_field(field)
    if name not in collection.fields:
        raise unknown_field(field)
    column = pl.col(name)
    blank = column.is_null()
    if isinstance(collection.table.schema[name], pl.List):
        blank = blank | (column.list.len() == 0)
    ids = pl.concat([pl.Series(dtype=pl.String), *reached])
    chosen = collection.table.filter(pl.col("doc_id").is_in(ids.implode()) & blank)
    if (doubted := doubted_field(name)) in chosen.columns:
        chosen = chosen.sort(pl.col(doubted).is_null(), maintain_order=True)
    return chosen.get_column("doc_id")
