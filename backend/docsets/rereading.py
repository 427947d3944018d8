"""Rereads the documents of a DocSet with people's corrections, as a durable task.

It changes no values: differences become proposed changes, which a person accepts or refuses.
Checked values are left alone. The changes of a batch and the walk's checkpoint are one transaction,
so a crash or restart costs one batch.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, update
from sqlalchemy.engine import RowMapping

from backend.docsets.decided import json_differs
from backend.docsets.docsets import docset_row, schema_of, writable
from backend.docsets.property_jobs import PropertyJobs, job_done
from backend.docsets.property_values import values_of
from backend.docsets.reading_ahead import in_order
from backend.docsets.taught import corrected_fields, lessons_of, taught
from backend.docsets.walking import Walk
from backend.store.database import Database
from backend.store.tables import proposed_changes, rereadings, tasks
from backend.tasks.messages import Message
from backend.tasks.runner import TaskContext
from workbench.contract.errors import Invalid
from workbench.contract.rereading import REREAD_AFTER_CORRECTIONS
from workbench.contract.schema import Schema

KIND = "reread_documents"
_AT_ONCE = 16
_KEPT = 10
"""Rereadings kept per DocSet, to be undone."""


def action(docset_id: str) -> str:
    """The path under which the task is listed."""
    return f"/v1/workbench/docsets/{docset_id}/rereadings"


class Rereadings:
    """The check before the task is submitted, and its body."""

    def __init__(
        self, database: Database, jobs: PropertyJobs, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._clock = clock

    def check(self, account_id: str, docset_id: str, fields: Sequence[str] | None) -> list[str]:
        """The properties to reread. Invalid when nothing was corrected, or for an unknown property;
        refuses an unknown or read-only DocSet.
        """
        with self._database.reading() as connection:
            schema = schema_of(writable(connection, account_id, docset_id))
            known = [prop.name for prop in schema.properties] if schema else []
            wanted = corrected_fields(connection, docset_id) if fields is None else fields
        for place, name in enumerate(fields or ()):
            if name not in known:
                fault = f"The DocSet has no property {name!r}."
                raise Invalid.at(("body", "fields", place), fault, "unknown_property")
        chosen = [name for name in known if name in set(wanted)]
        if not chosen:
            fault = "No value has been corrected yet, so there is nothing to reread."
            raise Invalid.at(("body", "fields"), fault, "nothing_corrected")
        return chosen

    def wanted(self, account_id: str, docset_id: str) -> list[str]:
        """The properties to reread without being asked, after a correction: the corrected ones, if
        the DocSet's property `reread_after_corrections` is true and no rereading is queued yet.
        """
        waiting = (
            tasks.c.kind == KIND,
            tasks.c.status == "queued",
            tasks.c.account_id == account_id,
            tasks.c.action == action(docset_id),
        )
        with self._database.reading() as connection:
            row = writable(connection, account_id, docset_id)
            if row["properties"].get(REREAD_AFTER_CORRECTIONS) is not True:
                return []
            if connection.scalar(select(exists().where(*waiting))):
                return []  # it will read with this correction as well
            known = [prop.name for prop in (schema_of(row) or Schema(properties=[])).properties]
            corrected = set(corrected_fields(connection, docset_id))
        return [name for name in known if name in corrected]

    def run(self, context: TaskContext) -> None:
        """Rereads all documents and stores the differences."""
        request, rereading_id = context.task.request, context.task.task_id
        docset_id, fields = request["docset_id"], request["fields"]
        self._begin(context.task.account_id, docset_id, rereading_id, fields)
        walk = Walk(context, self._database, docset_id)
        help = self._jobs.help_for(context)
        with self._database.reading() as connection:
            whole = schema_of(docset_row(connection, context.task.account_id, docset_id))
            kept = [prop for prop in (whole.properties if whole else []) if prop.name in fields]
            schema = taught(connection, docset_id, Schema(properties=kept))
            lessons = lessons_of(connection, docset_id, schema)
        day_first = self._jobs.day_first(context, docset_id, schema)

        def work(batch: list[RowMapping]) -> Message:
            return self._jobs.read(context, schema, batch, help, lessons, day_first=day_first)

        with walk.explaining("were reread; no value was changed"):
            for batch, message in in_order(walk.batches(_AT_ONCE), work, context):
                with self._database.writing() as connection:
                    _propose(connection, rereading_id, message.data)
                    walk.advance(connection, batch)
                    _note(connection, rereading_id, documents=walk.done)
                context.committed()
            with self._database.writing() as connection:
                _note(connection, rereading_id, documents=walk.done, finished_at=self._clock())
                context.finish(connection, job_done(), help.message)

    def _begin(
        self, account_id: str, docset_id: str, rereading_id: str, fields: Sequence[str]
    ) -> None:
        """Records the rereading, once. Open changes of earlier ones become obsolete."""
        with self._database.writing() as connection:
            writable(connection, account_id, docset_id)
            ours = rereadings.c.docset_id == docset_id
            newest = rereadings.c.sequence.desc()
            former = connection.scalars(
                select(rereadings.c.rereading_id).where(ours).order_by(newest)
            ).all()
            if rereading_id in former:
                return  # an earlier attempt of this task
            outdated = proposed_changes.c.rereading_id.in_(former)
            is_open = proposed_changes.c.state != "accepted"
            connection.execute(delete(proposed_changes).where(outdated, is_open))
            surplus = rereadings.c.rereading_id.in_(former[_KEPT - 1 :])
            connection.execute(delete(rereadings).where(surplus))
            connection.execute(
                insert(rereadings).values(
                    rereading_id=rereading_id, docset_id=docset_id, created_at=self._clock(),
                    fields=list(fields), documents=0,
                )
            )  # fmt: skip


def _note(connection: Connection, rereading_id: str, **values: Any) -> None:
    chosen = rereadings.c.rereading_id == rereading_id
    connection.execute(update(rereadings).where(chosen).values(**values))


def _propose(
    connection: Connection, rereading_id: str, read: Mapping[str, Mapping[str, Any]]
) -> None:
    """Stores the differences between the new values and those of the documents that were read."""
    changes = [
        {"rereading_id": rereading_id, "doc_id": row["doc_id"], "state": "open", **change}
        for row in values_of(connection, [one for one in read if not read[one]["remarks"]])
        for change in _changes(row, read[row["doc_id"]])
    ]
    if changes:
        connection.execute(insert(proposed_changes), changes)


def _changes(row: RowMapping, read: Mapping[str, Any]) -> list[dict[str, Any]]:
    entity = row["properties"].get("entity", {})
    changes = []
    for field, value in read["properties"].items():
        item = row["evidence"].get(field) or {}
        if not item.get("corrected") and json_differs(entity.get(field), value):
            before = {"value": entity.get(field), "evidence": item}
            after = {"value": value, "evidence": read["evidence"].get(field) or {}}
            changes.append({"field": field, "before": before, "after": after})
    return changes
