"""The versions of a plan: a tree on disk, in which undo and redo move a pointer."""

import json
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from workbench.contract.plan import Plan
from workbench.sessions.session_file import SessionFile

Origin = Literal["question", "feedback", "reading", "hand", "choice"]
"""The origin of a version: planned from the question, changed by feedback, one of several readings
of the question or of feedback, changed by hand, or chosen from the changes of another version.
"""

Decision = Literal["accepted", "refused"]


@dataclass(frozen=True)
class PlanVersion:
    """One version. Numbers start at 1; `parent` is None for the first.

    `base` and `proposal` are the versions whose difference is up for decision, and `decisions` the
    decisions so far, by change key. `outcome` is the answer of the last complete run: `kind`
    (number, text, rows) with `value` or `total`, and `range` if the answer must not be shown
    without it.
    """

    number: int
    parent: int | None
    origin: Origin
    plan: Plan
    feedback: str | None
    base: int | None
    proposal: int | None
    decisions: Mapping[str, Decision]
    query_id: str | None
    outcome: Mapping[str, Any] | None
    last_child: int | None
    created: float


class PlanVersions:
    """The tree of one question. Every change is on disk when the call returns; `on_change` is
    called then.

    Several programs may work on one tree. Versions are only ever added, so nothing is lost; the
    last move of the pointer wins; decisions are merged.
    """

    def __init__(
        self,
        file: SessionFile,
        session_id: str,
        *,
        clock: Callable[[], float] = time.time,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._file = file
        self._id = session_id
        self._clock = clock
        self._on_change = on_change
        self.all: dict[int, PlanVersion] = {}
        self.pointer = 0
        self._read()

    def reload(self) -> None:
        """Reads the tree again, in case another program has changed it."""
        before = self.all, self.pointer
        self._read()
        if (self.all, self.pointer) != before:
            self._on_change()

    def _read(self) -> None:
        rows = self._file.rows(
            "SELECT * FROM plan_versions WHERE session_id = ? ORDER BY number", (self._id,)
        )
        self.all = {row["number"]: _version(row, self.all.get(row["number"])) for row in rows}
        session = self._file.rows("SELECT current FROM plan_sessions WHERE id = ?", (self._id,))
        self.pointer = session[0]["current"] if session else 0

    @property
    def current(self) -> PlanVersion | None:
        """The version on the screen, which runs use; None before the first plan."""
        return self.all.get(self.pointer)

    @property
    def can_undo(self) -> bool:
        return self.current is not None and self.current.parent is not None

    @property
    def can_redo(self) -> bool:
        return self.current is not None and self.current.last_child is not None

    def add(
        self,
        plan: Plan,
        origin: Origin,
        *,
        feedback: str | None = None,
        base: int | None = None,
        proposal: int | None = None,
        decisions: Mapping[str, Decision] | None = None,
    ) -> PlanVersion:
        """Adds a version below the current one and makes it current. Without `proposal`, the
        version itself is the proposal against `base` (or its parent). Raises LookupError when
        another program has deleted the question.
        """
        parent = self.pointer or None
        with self._file.writing() as connection:
            known = connection.execute("SELECT 1 FROM plan_sessions WHERE id = ?", (self._id,))
            if known.fetchone() is None:
                raise LookupError("This question was deleted in another window. Ask it again.")
            number = connection.execute(
                "SELECT coalesce(max(number), 0) + 1 FROM plan_versions WHERE session_id = ?",
                (self._id,),
            ).fetchone()[0]
            version = PlanVersion(
                number, parent, origin, plan, feedback,
                base if base is not None else parent, proposal or number, dict(decisions or {}),
                None, None, None, self._clock(),
            )  # fmt: skip
            connection.execute(
                "INSERT INTO plan_versions (session_id, number, parent, origin, plan, feedback,"
                " base, proposal, decisions, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(self._id, number, parent, origin, plan.model_dump_json(), feedback),
                    *(version.base, version.proposal, json.dumps(version.decisions)),
                    version.created,
                ),
            )
            self._point(connection, number)
            if parent is not None:
                self._set(connection, parent, "last_child", number)
        self.all[number] = version
        self.pointer = number
        self._on_change()
        return version

    def undo(self) -> PlanVersion | None:
        """Moves to the parent; None at the first version."""
        current = self.current
        if current is None or current.parent is None:
            return None
        with self._file.writing() as connection:
            self._set(connection, current.parent, "last_child", current.number)
            self._point(connection, current.parent)
        self.pointer = current.parent
        self._on_change()
        return self.current

    def redo(self) -> PlanVersion | None:
        """Moves to the child visited last; None without children."""
        current = self.current
        if current is None or current.last_child is None:
            return None
        return self.go_to(current.last_child)

    def go_to(self, number: int) -> PlanVersion | None:
        """Moves to any version; redo then leads back to the previous one."""
        if number not in self.all or number == self.pointer:
            return self.all.get(number)
        with self._file.writing() as connection:
            self._point(connection, number)
            child = self.all[number]
            while child.parent is not None:
                self._set(connection, child.parent, "last_child", child.number)
                child = self.all[child.parent]
        self.pointer = number
        self._on_change()
        return self.current

    def decide(self, key: str, decision: Decision) -> None:
        """Records a decision about a change, without a new version."""
        current = self.current
        if current is not None:
            with self._file.writing() as connection:
                made = connection.execute(
                    "SELECT decisions FROM plan_versions WHERE session_id = ? AND number = ?",
                    (self._id, current.number),
                ).fetchone()
                decisions = {**json.loads(made[0] if made else "{}"), key: decision}
                self._set(connection, current.number, "decisions", json.dumps(decisions))
            self.all[current.number] = replace(self.all[current.number], decisions=decisions)
            self._on_change()

    def keep_run(self, number: int, query_id: str, outcome: Mapping[str, Any] | None) -> None:
        """Records a run of version `number`; `outcome` is None for a run up to a node."""
        with self._file.writing() as connection:
            self._set(connection, number, "query_id", query_id)
            changed = replace(self.all[number], query_id=query_id)
            if outcome is not None:
                self._set(connection, number, "outcome", json.dumps(outcome))
                changed = replace(changed, outcome=outcome)
        self.all[number] = changed
        self._on_change()

    def past_feedback(self) -> list[str]:
        """The feedback on the plan without repeats, the latest last."""
        sentences = [version.feedback for version in self.all.values() if version.feedback]
        return list(dict.fromkeys(reversed(sentences)))[::-1]

    def lineage(self) -> list[tuple[int, PlanVersion]]:
        """The tree from the top: each version with its depth, children in order of creation."""
        children: dict[int | None, list[PlanVersion]] = {}
        for version in self.all.values():
            children.setdefault(version.parent, []).append(version)
        out: list[tuple[int, PlanVersion]] = []
        waiting = [(0, version) for version in reversed(children.get(None, []))]
        while waiting:
            depth, version = waiting.pop()
            out.append((depth, version))
            below = children.get(version.number, [])
            # Single children stay at their parent's depth: only a branch goes deeper.
            step = 0 if len(below) == 1 else 1
            waiting.extend((depth + step, child) for child in reversed(below))
        return out

    def _set(self, connection: sqlite3.Connection, number: int, column: str, value: Any) -> None:
        connection.execute(
            f"UPDATE plan_versions SET {column} = ? WHERE session_id = ? AND number = ?",
            (value, self._id, number),
        )
        if column == "last_child" and number in self.all:
            self.all[number] = replace(self.all[number], last_child=value)

    def _point(self, connection: sqlite3.Connection, number: int) -> None:
        connection.execute(
            "UPDATE plan_sessions SET current = ?, changed = ? WHERE id = ?",
            (number, self._clock(), self._id),
        )


def _version(row: sqlite3.Row, known: PlanVersion | None) -> PlanVersion:
    """The version in a row. The plan of a known one is not read again: it never changes."""
    return PlanVersion(
        number=row["number"],
        parent=row["parent"],
        origin=row["origin"],
        plan=known.plan if known else Plan.model_validate_json(row["plan"]),
        feedback=row["feedback"],
        base=row["base"],
        proposal=row["proposal"],
        decisions=json.loads(row["decisions"]),
        query_id=row["query_id"],
        outcome=json.loads(row["outcome"]) if row["outcome"] else None,
        last_child=row["last_child"],
        created=row["created"],
    )
