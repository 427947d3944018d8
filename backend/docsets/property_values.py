"""Reads and writes the values of documents and their evidence, inside the caller's transaction.

People's corrections are marked in the evidence; a property job leaves them, unless it overwrites
them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.engine import RowMapping

from backend.docsets.decided import keep_decision
from backend.store.tables import documents
from workbench.contract.depth import check_depth
from workbench.contract.errors import BadRequest, Invalid

_MOST_CHARACTERS = 2**21


def merge_values(
    connection: Connection, extracted: Mapping[str, Any], *, overwrite: bool = False
) -> None:
    """Writes extracted values into documents: a map of id to properties and evidence.

    Documents deleted meanwhile are skipped; `overwrite` replaces corrections too.
    """
    changes = []
    for row in values_of(connection, extracted):
        fresh = extracted[row["doc_id"]]
        kept = set() if overwrite else _corrected(row["evidence"])
        values = {name: v for name, v in fresh["properties"].items() if name not in kept}
        evidence = {
            name: keep_decision(row["evidence"][name], fresh["properties"].get(name), item)
            if name in kept
            else item
            for name, item in fresh["evidence"].items()
        }
        entity = {**row["properties"].get("entity", {}), **values}
        changes.append(with_values(row, entity, row["evidence"] | evidence))
    write_values(connection, changes)


def remove_values(connection: Connection, doc_ids: Sequence[str], names: set[str]) -> list[str]:
    """Removes properties and their evidence; returns the documents that had any."""
    changes = []
    for row in values_of(connection, doc_ids):
        entity = row["properties"].get("entity", {})
        if names & (entity.keys() | row["evidence"].keys()):
            left = {name: value for name, value in entity.items() if name not in names}
            evidence = {name: e for name, e in row["evidence"].items() if name not in names}
            changes.append(with_values(row, left, evidence))
    write_values(connection, changes)
    return [change["of"] for change in changes]


def check_properties(properties: Any, part: str) -> None:
    """Refuses malformed, too deep or too large properties; `part` of the request is to blame."""
    entity = properties.get("entity", {}) if isinstance(properties, dict) else None
    if not isinstance(entity, dict):
        raise BadRequest("The properties and their entity must stay objects. Nothing was changed.")
    try:
        check_depth({"properties": properties})
    except ValueError as error:
        fault = f"The result would be {error}. Nothing was changed."
        raise Invalid.at(("body", part), fault, "too_deep") from error
    if len(json.dumps(properties, ensure_ascii=False)) > _MOST_CHARACTERS:
        fault = f"The properties would have more than {_MOST_CHARACTERS:,} characters."
        raise Invalid.at(("body", part), f"{fault} Nothing was changed.", "too_large")


def _corrected(evidence: Mapping[str, Any]) -> set[str]:
    return {name for name, item in evidence.items() if item.get("corrected")}


def values_of(
    connection: Connection, doc_ids: Iterable[str], docset_id: str | None = None
) -> Sequence[RowMapping]:
    """Properties and evidence of documents in order of arrival, without those of other DocSets."""
    columns = (documents.c.doc_id, documents.c.properties, documents.c.evidence)
    chosen = select(*columns).where(documents.c.doc_id.in_(list(doc_ids)))
    if docset_id is not None:
        chosen = chosen.where(documents.c.docset_id == docset_id)
    return connection.execute(chosen.order_by(documents.c.sequence)).mappings().all()


def with_values(
    row: RowMapping, entity: dict[str, Any], evidence: dict[str, Any]
) -> dict[str, Any]:
    """A change for `write_values`: a row of `values_of` with other values and evidence."""
    return {
        "of": row["doc_id"],
        "properties": {**row["properties"], "entity": entity},
        "evidence": evidence,
    }


def write_values(connection: Connection, changes: Sequence[dict[str, Any]]) -> None:
    """Writes changes made by `with_values`."""
    if changes:
        statement = update(documents).where(documents.c.doc_id == bindparam("of"))
        connection.execute(statement, changes)
