"""Property jobs over a whole DocSet: extract, delete, suggest.

Extraction and deletion walk through the documents in order of arrival, one batch at a time. The
changes of a batch, the schema and the walk's checkpoint are one transaction, so a job resumes after
its last batch when a crash interrupts it, and keeps finished batches when it is cancelled. The
schema has a property from the first batch of an extraction until the last one of a deletion, so it
covers whatever a document may have; a document added meanwhile either follows the new schema or
comes later in the walk.
"""

import random
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy.engine import RowMapping

from backend.docsets.changes import drop_changes
from backend.docsets.docsets import docset_row, schema_of, writable
from backend.docsets.model_help import ModelHelp, TaskHelp
from backend.docsets.property_values import merge_values, remove_values
from backend.docsets.reading_ahead import in_order
from backend.docsets.stored_elements import packed_elements
from backend.docsets.taught import Lesson, lessons_of, taught
from backend.docsets.walking import Walk, document_rows
from backend.extraction.schema_faults import name_faults, schema_faults
from backend.store.database import Database, docset_key
from backend.store.property_log import log_properties
from backend.store.tables import docsets, documents, proposed_changes
from backend.tasks.messages import Message
from backend.tasks.pool import LimitReached
from backend.tasks.queue import Finished
from backend.tasks.runner import TaskContext
from workbench.contract.docsets import DocumentGroup, JobResult, SuggestedSchema, SuggestRequest
from workbench.contract.errors import Invalid, NotFound
from workbench.contract.schema import MOST_PROPERTIES, Schema

_UNREAD = "backend.docsets.extracting:unread"
EXTRACT_KIND = "extract_properties"
DELETE_KIND = "delete_properties"
SUGGEST_KIND = "suggest_properties"

_EXTRACTED_AT_ONCE = 16
_DELETED_AT_ONCE = 500
_SAMPLE = 40
_MOST_NAMED = 5


class PropertyJobs:
    """The bodies of the three jobs, and the checks before they are submitted."""

    def __init__(self, database: Database, help: ModelHelp) -> None:
        self._database = database
        self._help = help

    def check(self, account_id: str, docset_id: str, schema: Schema | None = None) -> None:
        """Refuses requests that cannot succeed: unknown or read-only DocSet, bad validator, more
        properties than a schema may have.
        """
        if schema is not None and (faults := schema_faults(schema)):
            raise Invalid(faults)
        with self._database.reading() as connection:
            docset = writable(connection, account_id, docset_id)
        if schema is not None:
            _extended(schema_of(docset), schema)  # Refused before anything is read.

    def extract(self, context: TaskContext) -> None:
        """Extracts the properties of the request from every document of the DocSet.

        People's corrections in some documents serve as examples for the others, unless they are to
        be overwritten. All workers read batches in parallel; they are committed in order.
        """
        request = context.task.request
        docset_id, overwrite = request["docset_id"], request["overwrite_corrections"]
        schema = Schema.model_validate(request["schema"])
        walk = Walk(context, self._database, docset_id)
        help = self.help_for(context)
        with self._database.reading() as connection:
            shown = schema if overwrite else taught(connection, docset_id, schema)
            lessons = [] if overwrite else lessons_of(connection, docset_id, schema)
        day_first = self.day_first(context, docset_id, schema)

        def work(batch: list[RowMapping]) -> Message:
            return self.read(context, shown, batch, help, lessons, day_first=day_first)

        failed: list[str] = []
        with walk.explaining("have the properties"):
            for batch, message in in_order(walk.batches(_EXTRACTED_AT_ONCE), work, context):
                with self._database.writing_on(docset_key(docset_id)) as connection:
                    docset = writable(connection, context.task.account_id, docset_id)
                    _extend_schema(connection, docset, schema)
                    merge_values(connection, message.data, overwrite=overwrite)
                    log_properties(connection, docset_id, list(message.data))
                    walk.advance(connection, batch)
                context.committed()
                failed += [one for one, read in message.data.items() if read["remarks"]]
            with self._database.writing_on() as connection:
                on_failed = _on(connection, failed)
                messages = help.message, on_failed, None if walk.done else _NO_DOCUMENTS
                context.finish(connection, job_done(), _messages(*messages))

    def delete(self, context: TaskContext) -> None:
        """Deletes the named properties from all documents, then from the schema."""
        request = context.task.request
        docset_id, names = request["docset_id"], set(request["names"])
        walk = Walk(context, self._database, docset_id)
        with walk.explaining("have lost the properties, which stay in the schema"):
            last = False
            while not last:
                with self._database.writing_on(docset_key(docset_id)) as connection:
                    docset = writable(connection, context.task.account_id, docset_id)
                    batch = walk.next(connection, _DELETED_AT_ONCE)
                    changed = remove_values(connection, [row["doc_id"] for row in batch], names)
                    log_properties(connection, docset_id, changed)
                    walk.advance(connection, batch)
                    last = len(batch) < _DELETED_AT_ONCE
                    if last:
                        _shorten_schema(connection, docset, names)
                        drop_changes(connection, docset_id, proposed_changes.c.field.in_(names))
                        context.finish(connection, job_done())
                context.committed()

    def suggest(self, context: TaskContext) -> None:
        """Suggests a schema from a sample of the documents."""
        docset_id = context.task.request["docset_id"]
        request = SuggestRequest.model_validate(context.task.request["suggest"])
        with self._database.reading() as connection:
            docset = docset_row(connection, context.task.account_id, docset_id)
            existing = request.existing_schema or schema_of(docset)
            chosen = self._sample(connection, docset_id, request)
            packed = packed_elements(connection, [row["content_id"] for row in chosen])
        message = context.run(
            "backend.docsets.extracting:suggest_schema",
            {
                "existing": existing and existing.model_dump(),
                "instructions": request.instructions,
            },
            packed,
        )
        suggested = SuggestedSchema(
            properties=Schema.model_validate(message.data["schema"]).properties,
            groups=[
                DocumentGroup(
                    words=group["words"],
                    doc_ids=[chosen[at]["doc_id"] for at in group["documents"]],
                    properties=group["properties"],
                )
                for group in message.data["groups"]
            ],
        )
        # Without groups it is the plain schema that other clients know.
        body = suggested.model_dump_json(exclude=None if suggested.groups else {"groups"})
        with self._database.writing_on() as connection:
            context.finish(connection, Finished(200, body.encode()))

    def help_for(self, context: TaskContext) -> TaskHelp:
        """A language model's help for the task, if one is configured."""
        return self._help.for_task(context)

    def day_first(self, context: TaskContext, docset_id: str, schema: Schema) -> bool | None:
        """The order of day and month in a sample of the DocSet, if the schema has dates."""
        if not any(prop.kind in ("date", "datetime") for prop in schema.properties):
            return None
        with self._database.reading() as connection:
            chosen = self._sample(connection, docset_id, SuggestRequest())
            packed = packed_elements(connection, [row["content_id"] for row in chosen])
        message = context.run("backend.docsets.extracting:order_of_dates", {}, packed, quiet=True)
        return None if message.data is None else bool(message.data)

    def read(
        self,
        context: TaskContext,
        schema: Schema,
        batch: list[RowMapping],
        help: TaskHelp,
        lessons: Sequence[Lesson] = (),
        *,
        day_first: bool | None = None,
    ) -> Message:
        """Reads the properties of some documents in a worker: by id, with their evidence.

        `lessons` are documents that people have checked; `day_first` is the order of day and month
        in the DocSet, if known. When the work exceeds a limit, the documents are read one by one,
        and those that alone exceed it get their defaults with a note.
        """

        def part(rows: Sequence[RowMapping]) -> Message:
            return self._read(context, schema, rows, help, lessons, day_first)

        try:
            return part(batch)
        except LimitReached:
            values: dict[str, Any] = {}
        for row in batch:
            try:
                values |= part([row]).data
            except LimitReached as error:
                stopped = {
                    "schema": schema.model_dump(),
                    "doc_id": row["doc_id"],
                    "reason": error.detail,
                }
                values |= context.run(_UNREAD, stopped, quiet=True).data
        return Message("result", values)

    def _read(
        self,
        context: TaskContext,
        schema: Schema,
        batch: Sequence[RowMapping],
        help: TaskHelp,
        lessons: Sequence[Lesson],
        day_first: bool | None,
    ) -> Message:
        contents = [lesson.content_id for lesson in lessons]
        contents += [row["content_id"] for row in batch]
        with self._database.reading() as connection:
            packed = packed_elements(connection, contents)
        data = {
            "schema": schema.model_dump(),
            "doc_ids": [row["doc_id"] for row in batch],
            "lessons": [lesson.values for lesson in lessons],
            "day_first": day_first,
        }
        return context.run(
            "backend.docsets.extracting:extract_stored",
            data | self._help.wanted,
            packed,
            quiet=True,
            answer=help.answer,
        )

    def _sample(
        self, connection: Connection, docset_id: str, request: SuggestRequest
    ) -> list[RowMapping]:
        chosen = documents.c.docset_id == docset_id
        if request.doc_ids is not None:
            chosen &= documents.c.doc_id.in_(request.doc_ids)
        rows = document_rows(connection, chosen)
        if request.doc_ids is not None:
            unknown = set(request.doc_ids) - {row["doc_id"] for row in rows}
            if unknown:
                raise NotFound(f"No such document: {min(unknown)}")
            return rows[:_SAMPLE]
        wanted = len(rows) if request.sample_ratio is None else len(rows) * request.sample_ratio
        size = min(_SAMPLE, len(rows), max(1, round(wanted)))
        # A fixed seed, so that asking twice gives the same answer.
        return random.Random(0).sample(rows, size) if rows else []


def job_done() -> Finished:
    """The end of a job that has done its work."""
    return Finished(200, JobResult(exit_status=0).model_dump_json().encode())


_NO_DOCUMENTS = (
    "There were no documents to read, so the schema is as before: set it, and documents that are"
    " added later are read for it."
)


def _on(connection: Connection, failed: Sequence[str]) -> str | None:
    """A message on documents whose properties could not be read; their evidence has the reason."""
    if not failed:
        return None
    shown = select(documents.c.name).where(documents.c.doc_id.in_(failed[:_MOST_NAMED]))
    names = ", ".join(connection.scalars(shown.order_by(documents.c.sequence)))
    others = ", …" if len(failed) > _MOST_NAMED else ""
    some = f"{len(failed)} documents have" if len(failed) > 1 else "1 document has"
    which = f"{some} properties that could not be read ({names}{others})"
    return f"{which}; the notes on their values say why."


def _messages(*messages: str | None) -> str | None:
    return " ".join(text for text in messages if text) or None


def _extend_schema(connection: Connection, docset: RowMapping, added: Schema) -> None:
    present = schema_of(docset)
    merged = _extended(present, added)
    if present is None or merged != present:
        _set_schema(connection, docset["docset_id"], merged)


def _extended(present: Schema | None, added: Schema) -> Schema:
    """The schema with the new properties first; they replace old ones of the same name.

    Invalid when it would have too many, or names that are reserved.
    """
    names = {item.name for item in added.properties}
    old = [] if present is None else [p for p in present.properties if p.name not in names]
    together = [*added.properties, *old]
    if len(together) > MOST_PROPERTIES:
        msg = f"the schema would have {len(together)} properties; it may have {MOST_PROPERTIES}"
        raise Invalid.at(("body", "properties"), msg, "too_long")
    extended = Schema(properties=together)
    before = [] if present is None else name_faults(present)
    if len(faults := name_faults(extended, ("body",))) > len(before):
        raise Invalid(faults)
    return extended


def _shorten_schema(connection: Connection, docset: RowMapping, names: set[str]) -> None:
    schema = schema_of(docset)
    if schema is not None:
        kept = [item for item in schema.properties if item.name not in names]
        _set_schema(connection, docset["docset_id"], Schema(properties=kept))


def _set_schema(connection: Connection, docset_id: str, schema: Schema) -> None:
    connection.execute(
        update(docsets).where(docsets.c.docset_id == docset_id).values(schema=schema.model_dump())
    )
