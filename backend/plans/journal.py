"""The history of plans, so that undo and redo work for callers that keep only the plan itself.

Plans are named by the hash of their canonical form. Each edit leaves a line from the old plan to
the new one; undo looks up where a plan came from, redo where it went last.
"""

from sqlalchemy import delete, desc, insert, select

from backend.contract.plan import Plan
from backend.contract.plan_canonical import plan_hash
from backend.store.database import Database
from backend.store.tables import plan_journal

KEPT_LINES = 2000


class Journal:
    """The edits of all DocSets, the newest `KEPT_LINES` of each."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, docset_id: str, before: Plan, after: Plan, feedback: str, now: float) -> None:
        """Notes that `feedback` turned one plan into another."""
        parent, child = plan_hash(before), plan_hash(after)
        if parent == child:
            return
        with self._database.writing() as connection:
            known = select(plan_journal.c.sequence).where(
                plan_journal.c.docset_id == docset_id, plan_journal.c.plan_hash == parent
            )
            if connection.execute(known.limit(1)).first() is None:
                connection.execute(insert(plan_journal).values(_line(docset_id, before, None, now)))
            # The same edit made again becomes the newest, so that redo follows it.
            connection.execute(
                delete(plan_journal).where(
                    plan_journal.c.docset_id == docset_id,
                    plan_journal.c.plan_hash == child,
                    plan_journal.c.parent_hash == parent,
                )
            )
            line = _line(docset_id, after, parent, now) | {"feedback": feedback}
            connection.execute(insert(plan_journal).values(line))
            oldest = (
                select(plan_journal.c.sequence)
                .where(plan_journal.c.docset_id == docset_id)
                .order_by(desc(plan_journal.c.sequence))
                .offset(KEPT_LINES)
                .limit(1)
            )
            limit = connection.execute(oldest).scalar()
            if limit is not None:
                connection.execute(
                    delete(plan_journal).where(
                        plan_journal.c.docset_id == docset_id, plan_journal.c.sequence <= limit
                    )
                )

    def before(self, docset_id: str, plan: Plan) -> Plan | None:
        """The plan that was edited into this one, last time that happened."""
        came_from = (
            select(plan_journal.c.parent_hash)
            .where(
                plan_journal.c.docset_id == docset_id,
                plan_journal.c.plan_hash == plan_hash(plan),
                plan_journal.c.parent_hash.is_not(None),
            )
            .order_by(desc(plan_journal.c.sequence))
            .limit(1)
        )
        with self._database.reading() as connection:
            parent = connection.execute(came_from).scalar()
            if parent is None:
                return None
            stored = (
                select(plan_journal.c.plan)
                .where(plan_journal.c.docset_id == docset_id, plan_journal.c.plan_hash == parent)
                .order_by(desc(plan_journal.c.sequence))
                .limit(1)
            )
            body = connection.execute(stored).scalar()
        return None if body is None else Plan.model_validate(body)

    def after(self, docset_id: str, plan: Plan) -> Plan | None:
        """The plan that this one was last edited into."""
        went_to = (
            select(plan_journal.c.plan)
            .where(
                plan_journal.c.docset_id == docset_id,
                plan_journal.c.parent_hash == plan_hash(plan),
            )
            .order_by(desc(plan_journal.c.sequence))
            .limit(1)
        )
        with self._database.reading() as connection:
            body = connection.execute(went_to).scalar()
        return None if body is None else Plan.model_validate(body)

    def drop(self, docset_id: str) -> None:
        """Forgets the history of a DocSet that was deleted."""
        with self._database.writing() as connection:
            connection.execute(delete(plan_journal).where(plan_journal.c.docset_id == docset_id))


def _line(docset_id: str, plan: Plan, parent: str | None, now: float) -> dict[str, object]:
    body = plan.model_dump(mode="json", exclude={"edit"})
    return {
        "docset_id": docset_id,
        "plan_hash": plan_hash(plan),
        "parent_hash": parent,
        "plan": body,
        "created_at": now,
    }
