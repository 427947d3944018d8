"""Decisions of people about values, many at once: all are stored or none."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Text, cast, func, select
from sqlalchemy.engine import RowMapping

from backend.docsets.decided import decided, json_differs, reopened
from backend.docsets.docsets import schema_of, writable
from backend.docsets.property_values import check_properties, values_of, with_values, write_values
from backend.extraction.value_faults import normal_form, value_fault
from backend.store.database import Database
from backend.store.property_log import log_properties
from backend.store.tables import documents
from workbench.contract.depth import check_depth
from workbench.contract.errors import FieldFault, Invalid, NotFound
from workbench.contract.plan_columns import NUMERIC
from workbench.contract.review import Decided, Decision, Decisions
from workbench.contract.schema import PropertyKind, Schema, SchemaProperty

_JSON: dict[PropertyKind, type | tuple[type, ...]] = {
    "bool": bool, "int": int, "float": (int, float), "array": list, "object": dict,
    "string": str, "date": str, "datetime": str,
}  # fmt: skip
MOST_CHARACTERS = 32_000_000
"""Of all values and evidence of the documents that one request decides about. They are in memory
while nobody else can write: 1,000 usual documents have a few million, large ones 2 million each."""


class DecisionMaker:
    """Stores decisions; every call is bound to one account."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def decide(self, account_id: str, docset_id: str, request: Decisions) -> Decided:
        """Stores all decisions or none.

        NotFound for an unknown document, Invalid for an unknown property or a value of another
        type, a day that the calendar does not have, a number too large to calculate with, or
        documents with more than `MOST_CHARACTERS`.
        """
        changed = 0
        with self._database.writing() as connection:
            docset = writable(connection, account_id, docset_id)
            schema = schema_of(docset) or Schema(properties=[])
            _check(request.decisions, schema)
            by_document: dict[str, list[Decision]] = {}
            for decision in request.decisions:
                by_document.setdefault(decision.doc_id, []).append(decision)
            rows = _rows(connection, docset_id, list(by_document))
            for doc_id, decisions in by_document.items():
                changed += self._decide(connection, rows[doc_id], decisions, schema)
            log_properties(connection, docset_id, list(by_document))
        return Decided(changed=changed, confirmed=len(request.decisions) - changed)

    def _decide(
        self,
        connection: Connection,
        row: RowMapping,
        decisions: Sequence[Decision],
        schema: Schema,
    ) -> int:
        entity = dict(row["properties"].get("entity", {}))
        evidence = dict(row["evidence"])
        changed = 0
        for decision in decisions:
            before = entity.get(decision.field)
            item = evidence.get(decision.field) or {}
            if decision.reopen:
                value, item = reopened(before, item)
            else:
                shape = schema.get(decision.field)
                value = decision.value if shape is None else normal_form(decision.value, shape)
                item = decided(before, item, value, self._clock())
            changed += json_differs(before, value)
            entity[decision.field], evidence[decision.field] = value, dict(item)
        change = with_values(row, entity, evidence)
        check_properties(change["properties"], "decisions")
        write_values(connection, [change])
        return changed


def _rows(
    connection: Connection, docset_id: str, doc_ids: Sequence[str]
) -> Mapping[str, RowMapping]:
    sizes = (func.length(cast(one, Text)) for one in (documents.c.properties, documents.c.evidence))
    chosen = documents.c.doc_id.in_(doc_ids), documents.c.docset_id == docset_id
    size = connection.scalar(select(func.sum(sum(sizes))).where(*chosen)) or 0
    if size > MOST_CHARACTERS:
        fault = (
            f"The values of these documents have {size:,} characters together; at most"
            f" {MOST_CHARACTERS:,} are changed at once: send fewer decisions at a time."
        )
        raise Invalid.at(("body", "decisions"), fault, "too_large")
    known = {row["doc_id"]: row for row in values_of(connection, doc_ids, docset_id)}
    if unknown := set(doc_ids) - known.keys():
        raise NotFound(f"No such document: {min(unknown)}")
    return known


def _check(decisions: Sequence[Decision], schema: Schema) -> None:
    for place, decision in enumerate(decisions):
        shape = schema.get(decision.field)
        if shape is None:
            msg = f"The DocSet has no property {decision.field!r}."
            raise Invalid.at(("body", "decisions", place, "field"), msg, "unknown_property")
        if not decision.reopen and decision.value is not None:
            loc = ("body", "decisions", place, "value")
            if (fault := type_fault(decision.value, shape, loc)) is not None:
                raise Invalid([fault])
            _check_size(decision.value, loc)


def type_fault(value: Any, shape: SchemaProperty, loc: Sequence[str | int]) -> FieldFault | None:
    """Why a value, which is not null, is not one that a person may give the property, or None."""
    wanted = _JSON.get(shape.kind, object)
    if not isinstance(value, wanted) or (isinstance(value, bool) and shape.kind in NUMERIC):
        kind = "text" if shape.kind in ("string", "date", "datetime") else shape.kind
        msg = f"A value of {shape.name!r} must be of type {kind}."
        return FieldFault(loc=list(loc), msg=msg, type="wrong_type")
    return value_fault(value, shape, loc)


def _check_size(value: Any, loc: Sequence[str | int]) -> None:
    try:
        check_depth({"value": value})
    except ValueError as error:
        raise Invalid.at(loc, f"The value is {error}.", "too_deep") from error
