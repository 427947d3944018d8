"""The values that a property job writes into documents, inside its transaction.

People's corrections are marked in the evidence and stay, unless the job overwrites them.
"""

import json
from collections.abc import Mapping, Sequence
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
    for row in _rows(connection, list(extracted)):
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
        changes.append(_change(row, entity, row["evidence"] | evidence))
    _write(connection, changes)


def remove_values(connection: Connection, doc_ids: Sequence[str], names: set[str]) -> list[str]:
    """Removes properties and their evidence; returns the documents that had any."""
    changes = []
    for row in _rows(connection, doc_ids):
        entity = row["properties"].get("entity", {})
        if names & (entity.keys() | row["evidence"].keys()):
            left = {name: value for name, value in entity.items() if name not in names}
            evidence = {name: e for name, e in row["evidence"].items() if name not in names}
            changes.append(_change(row, left, evidence))
    _write(connection, changes)
    return [change["of"] for change in changes]


def check_properties(properties: Any, part: str) -> None:
    """Refuses properties that are malformed, too deep or too large for a document.

    `part` is the part of the request body to blame.
    """
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


def _rows(connection: Connection, doc_ids: Sequence[str]) -> Sequence[RowMapping]:
    columns = (documents.c.doc_id, documents.c.properties, documents.c.evidence)
    chosen = select(*columns).where(documents.c.doc_id.in_(doc_ids))
    return connection.execute(chosen).mappings().all()


def _change(row: RowMapping, entity: dict[str, Any], evidence: dict[str, Any]) -> dict[str, Any]:
    return {
        "of": row["doc_id"],
        "properties": {**row["properties"], "entity": entity},
        "evidence": evidence,
    }


def _write(connection: Connection, changes: Sequence[dict[str, Any]]) -> None:
    if changes:
        statement = update(documents).where(documents.c.doc_id == bindparam("of"))
        connection.execute(statement, changes)
