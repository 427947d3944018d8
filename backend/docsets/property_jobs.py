"""Property jobs over a whole DocSet: extract, delete, suggest.

Extraction goes through the documents in order of arrival, a batch at a time. Values and evidence
of a document change in one transaction, the schema with the first batch, so a document that is
added meanwhile either follows the new schema or comes later in the same walk. What a person
corrected stays. A job that is cancelled keeps the batches that are done; one that is repeated
after a crash does the same again.
"""

import random
from typing import Any

from sqlalchemy import Connection, func, select, update
from sqlalchemy.engine import RowMapping

from backend.contract.docsets import JobResult, SuggestRequest
from backend.contract.errors import Invalid, NotFound
from backend.contract.schema import Schema
from backend.docsets.docsets import found, schema_of, writable
from backend.docsets.documents import original_elements
from backend.extraction.validators import check_validators
from backend.store.database import Database
from backend.store.property_log import log_properties
from backend.store.tables import docsets, documents
from backend.tasks.queue import Finished
from backend.tasks.runner import TaskContext

EXTRACT_KIND = "extract_properties"
DELETE_KIND = "delete_properties"
SUGGEST_KIND = "suggest_properties"

_BATCH = 16
_SAMPLE = 40


class PropertyJobs:
    """The bodies of the three jobs, and the checks made before they are submitted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def check(self, account_id: str, docset_id: str, schema: Schema | None = None) -> None:
        """Refuses what cannot succeed: an unknown or read-only DocSet, an unreadable validator."""
        if schema is not None and (faults := check_validators(schema)):
            raise Invalid(faults)
        with self._database.reading() as connection:
            writable(connection, account_id, docset_id)

    def extract(self, context: TaskContext) -> None:
        """Extracts the properties of the request from every document of the DocSet."""
        docset_id = context.task.request["docset_id"]
        schema = Schema.model_validate(context.task.request["schema"])
        total = self._count(docset_id)
        after = done = 0
        while batch := self._batch(docset_id, after):
            wire = {row["doc_id"]: _without_pictures(elements) for row, elements in batch}
            message = context.run(
                "backend.docsets.preparing:extract_stored",
                {"schema": schema.model_dump(), "documents": wire},
                quiet=True,
            )
            with self._database.writing() as connection:
                docset = writable(connection, context.task.account_id, docset_id)
                _extend_schema(connection, docset, schema)
                for doc_id, found_values in message.data.items():
                    _merge_values(connection, doc_id, found_values)
                log_properties(connection, docset_id, list(message.data))
            after = batch[-1][0]["sequence"]
            done += len(batch)
            context.report(done, max(total, done), "documents")
        self._finish(context)

    def delete(self, context: TaskContext) -> None:
        """Deletes the named properties from all documents and the schema, all at once."""
        request = context.task.request
        docset_id, names = request["docset_id"], set(request["names"])
        with self._database.writing() as connection:
            docset = writable(connection, context.task.account_id, docset_id)
            rows = connection.execute(
                select(documents.c.doc_id, documents.c.properties, documents.c.evidence).where(
                    documents.c.docset_id == docset_id
                )
            ).all()
            for row in rows:
                _remove_values(connection, row, names)
            log_properties(connection, docset_id, [row.doc_id for row in rows])
            schema = schema_of(docset)
            if schema is not None:
                kept = [item for item in schema.properties if item.name not in names]
                _set_schema(connection, docset_id, Schema(properties=kept))
            context.finish(connection, _done())

    def suggest(self, context: TaskContext) -> None:
        """Suggests a schema from a sample of the documents."""
        docset_id = context.task.request["docset_id"]
        request = SuggestRequest.model_validate(context.task.request["suggest"])
        with self._database.reading() as connection:
            docset = found(connection, context.task.account_id, docset_id)
            existing = request.existing_schema or schema_of(docset)
            rows = self._sample(connection, docset_id, request)
            wire = [_without_pictures(original_elements(connection, row)) for row in rows]
        message = context.run(
            "backend.docsets.preparing:suggest_schema",
            {"documents": wire, "existing": existing and existing.model_dump()},
        )
        body = Schema.model_validate(message.data).model_dump_json().encode()
        with self._database.writing() as connection:
            context.finish(connection, Finished(200, body))

    def _count(self, docset_id: str) -> int:
        counted = select(func.count()).where(documents.c.docset_id == docset_id)
        with self._database.reading() as connection:
            return int(connection.execute(counted).scalar_one())

    def _batch(self, docset_id: str, after: int) -> list[tuple[RowMapping, list[dict[str, Any]]]]:
        statement = (
            select(documents)
            .where(documents.c.docset_id == docset_id, documents.c.sequence > after)
            .order_by(documents.c.sequence)
            .limit(_BATCH)
        )
        with self._database.reading() as connection:
            rows = connection.execute(statement).mappings().all()
            return [(row, original_elements(connection, row)) for row in rows]

    def _sample(
        self, connection: Connection, docset_id: str, request: SuggestRequest
    ) -> list[RowMapping]:
        statement = select(documents).where(documents.c.docset_id == docset_id)
        if request.doc_ids is not None:
            statement = statement.where(documents.c.doc_id.in_(request.doc_ids))
        rows = list(connection.execute(statement.order_by(documents.c.sequence)).mappings())
        if request.doc_ids is not None:
            unknown = set(request.doc_ids) - {row["doc_id"] for row in rows}
            if unknown:
                raise NotFound(f"No such document: {min(unknown)}")
            return rows[:_SAMPLE]
        wanted = len(rows) if request.sample_ratio is None else len(rows) * request.sample_ratio
        size = min(_SAMPLE, len(rows), max(1, round(wanted)))
        # A fixed seed: asking twice gives the same answer.
        return random.Random(0).sample(rows, size) if rows else []

    def _finish(self, context: TaskContext) -> None:
        with self._database.writing() as connection:
            context.finish(connection, _done())


def _without_pictures(elements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    # Properties are read from text; the pictures would only fill the pipe to the worker.
    return [{k: v for k, v in e.items() if k != "binary_representation"} for e in elements]


def _done() -> Finished:
    return Finished(200, JobResult(exit_status=0).model_dump_json().encode())


def _extend_schema(connection: Connection, docset: RowMapping, added: Schema) -> None:
    """Puts the new properties first; one of the same name takes the place of the old."""
    present = schema_of(docset)
    names = {item.name for item in added.properties}
    old = [] if present is None else [p for p in present.properties if p.name not in names]
    merged = Schema(properties=[*added.properties, *old])
    if present is None or merged != present:
        _set_schema(connection, docset["docset_id"], merged)


def _set_schema(connection: Connection, docset_id: str, schema: Schema) -> None:
    connection.execute(
        update(docsets).where(docsets.c.docset_id == docset_id).values(schema=schema.model_dump())
    )


def _merge_values(connection: Connection, doc_id: str, extracted: dict[str, Any]) -> None:
    row = connection.execute(
        select(documents.c.properties, documents.c.evidence).where(documents.c.doc_id == doc_id)
    ).first()
    if row is None:  # deleted meanwhile
        return
    corrected = {name for name, item in row.evidence.items() if item.get("corrected")}
    fresh = {k: v for k, v in extracted["properties"].items() if k not in corrected}
    evidence = {k: v for k, v in extracted["evidence"].items() if k not in corrected}
    entity = {**row.properties.get("entity", {}), **fresh}
    connection.execute(
        update(documents)
        .where(documents.c.doc_id == doc_id)
        .values(properties={**row.properties, "entity": entity}, evidence=row.evidence | evidence)
    )


def _remove_values(connection: Connection, row: Any, names: set[str]) -> None:
    entity = {k: v for k, v in row.properties.get("entity", {}).items() if k not in names}
    evidence = {k: v for k, v in row.evidence.items() if k not in names}
    connection.execute(
        update(documents)
        .where(documents.c.doc_id == row.doc_id)
        .values(properties={**row.properties, "entity": entity}, evidence=evidence)
    )
