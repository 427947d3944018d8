"""The history of plans, so that undo and redo work for callers that keep only the plan itself.

Plans are identified by the hash of their canonical form. Each edit leaves a line from the old plan
to the new one; undo looks up where a plan came from, redo where it went last. The same plan can be
reached in several ways, so the text of an edited plan ends with the number of its line, which
distinguishes them as long as the caller keeps that text.
"""

import json
import re
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, desc, insert, select, update

from backend.store.database import Database, docset_key
from backend.store.tables import docsets, plan_journal
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash

KEPT_LINES = 2000
KEPT_CHARACTERS = 2**26
_FEWEST_LINES = 20
_MARK = re.compile(r"\(history ([0-9]{1,18})\)\s*$")
"""A number that a database can hold; any other is none of ours."""


def marked(text: str, line: int) -> str:
    """The text of a plan with the number of its line; 0 for a new plan."""
    return f"{text}\n(history {line})".lstrip()


def with_line(text: str | None, line: str) -> str:
    """The text of a plan with one more line, before the number of its line in the history."""
    words, mark, rest = (text or "").rpartition("\n(history")
    return f"{words}\n{line}{mark}{rest}" if mark else f"{text or ''}\n{line}"


def mark_of(plan: Plan) -> int | None:
    """The number of the line that led to a plan, None if the caller did not keep it."""
    match = _MARK.search(plan.llm_plan or "")
    return None if match is None else int(match[1])


class Journal:
    """The edits of all DocSets, the newest `KEPT_LINES` of each."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(
        self, docset_id: str, before: Plan, after: Plan, feedback: str | None, now: float
    ) -> int:
        """Records that `feedback` turned one plan into another; returns the number of the line.

        Without feedback the plan was only offered: redo skips the line until `confirm` is called
        with that plan.
        """
        parent, child = plan_hash(before), plan_hash(after)
        here = plan_journal.c.docset_id == docset_id
        with self._database.writing_on(docset_key(docset_id)) as connection:
            known = select(plan_journal.c.sequence).where(here, plan_journal.c.plan_hash == parent)
            if connection.execute(known.limit(1)).first() is None:
                connection.execute(insert(plan_journal).values(_line(docset_id, before, None, now)))
            # The same edit made again becomes the newest, so that redo follows it.
            connection.execute(
                delete(plan_journal).where(
                    here, plan_journal.c.plan_hash == child, plan_journal.c.parent_hash == parent
                )
            )
            line = _line(docset_id, after, parent, now) | {"feedback": feedback}
            made = connection.execute(insert(plan_journal).values(line)).inserted_primary_key
            oldest = (
                select(plan_journal.c.sequence)
                .where(here)
                .order_by(desc(plan_journal.c.sequence))
                .offset(_kept(line["plan"]))
                .limit(1)
            )
            limit = connection.execute(oldest).scalar()
            if limit is not None:
                connection.execute(
                    delete(plan_journal).where(here, plan_journal.c.sequence <= limit)
                )
        return 0 if made is None else int(made[0])

    def confirm(self, docset_id: str, plan: Plan) -> None:
        """Records that an offered plan was chosen."""
        line = mark_of(plan)
        if not line:
            return
        offered = (
            plan_journal.c.docset_id == docset_id,
            plan_journal.c.sequence == line,
            plan_journal.c.plan_hash == plan_hash(plan),
            plan_journal.c.feedback.is_(None),
        )
        with self._database.reading() as connection:
            if connection.execute(select(plan_journal.c.sequence).where(*offered)).first() is None:
                return
        with self._database.writing() as connection:
            connection.execute(update(plan_journal).where(*offered).values(feedback=""))

    def before(self, docset_id: str, plan: Plan) -> tuple[Plan, int] | None:
        """The plan that was edited into this one, with the line that had led to it."""
        mark = mark_of(plan)
        if mark == 0:
            return None
        name = plan_hash(plan)
        came = and_(plan_journal.c.plan_hash == name, plan_journal.c.parent_hash.is_not(None))
        line = (
            self._newest(docset_id, and_(came, plan_journal.c.sequence == mark)) if mark else None
        )
        line = line or self._newest(docset_id, came)
        if line is None:
            return None
        earlier = and_(
            plan_journal.c.plan_hash == line.parent_hash, plan_journal.c.sequence < line.sequence
        )
        parent = self._newest(docset_id, earlier)
        if parent is None:
            parent = self._newest(docset_id, plan_journal.c.plan_hash == line.parent_hash)
        if parent is None:
            return None
        return Plan.model_validate(parent.plan), parent.sequence if parent.parent_hash else 0

    def after(self, docset_id: str, plan: Plan) -> tuple[Plan, int] | None:
        """The plan that this one was last edited into, with its line."""
        made = plan_journal.c.feedback.is_not(None)
        line = self._newest(docset_id, and_(plan_journal.c.parent_hash == plan_hash(plan), made))
        return None if line is None else (Plan.model_validate(line.plan), line.sequence)

    def _newest(self, docset_id: str, chosen: ColumnElement[bool]) -> Row[Any] | None:
        query = (
            select(plan_journal)
            .where(plan_journal.c.docset_id == docset_id, chosen)
            .order_by(desc(plan_journal.c.sequence))
            .limit(1)
        )
        with self._database.reading() as connection:
            return connection.execute(query).first()

    def drop(self, docset_id: str) -> None:
        """Deletes the history of a deleted DocSet."""
        with self._database.writing() as connection:
            connection.execute(delete(plan_journal).where(plan_journal.c.docset_id == docset_id))

    def recover(self) -> None:
        """Deletes what `drop` left behind because of a crash."""
        gone = plan_journal.c.docset_id.not_in(select(docsets.c.docset_id))
        with self._database.writing() as connection:
            connection.execute(delete(plan_journal).where(gone))


def _kept(plan: object) -> int:
    """How many lines are kept behind one with that plan: fewer where they are long."""
    room = KEPT_CHARACTERS // len(json.dumps(plan))
    return max(_FEWEST_LINES, min(KEPT_LINES, room))


def _line(docset_id: str, plan: Plan, parent: str | None, now: float) -> dict[str, object]:
    body = plan.model_dump(mode="json", exclude={"edit", "estimates"})
    return {
        "docset_id": docset_id,
        "plan_hash": plan_hash(plan),
        "parent_hash": parent,
        "plan": body,
        "created_at": now,
    }
