"""A plan in a notebook cell: its graph, feedback in words, changes to decide on, its run."""

from collections.abc import Sequence
from typing import Any

import traitlets

from workbench.frames.runs import counted
from workbench.objects import DocSet, PlanDraft, Run
from workbench.sessions.plan_changes import change_key
from workbench.sessions.plan_layout import graph_rows
from workbench.sessions.plan_session import PlanSession
from workbench.widgets.view import Message, View, script

_SHOWN = 100


class PlanEditor(View):
    """`editor.draft` is the version on the screen, `editor.run` the last run of the editor."""

    _esm = script("plan_editor")
    question = traitlets.Unicode("").tag(sync=True)
    version = traitlets.Unicode("").tag(sync=True)
    steps: traitlets.List[Any] = traitlets.List().tag(sync=True)
    changes: traitlets.List[Any] = traitlets.List().tag(sync=True)
    remarks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    can_undo = traitlets.Bool(False).tag(sync=True)
    can_redo = traitlets.Bool(False).tag(sync=True)
    output = traitlets.Dict().tag(sync=True)

    def __init__(self, docset: DocSet, plan: PlanDraft | str) -> None:
        self._docset = docset
        self.run: Run | None = None
        handlers = {
            "feedback": self._feedback,
            "undo": self._undo,
            "redo": self._redo,
            "decide": self._decide,
            "run": self._run,
            "output": self._output,
        }
        super().__init__(handlers)
        if isinstance(plan, PlanDraft):
            self._session = plan.session
            self._session.versions.go_to(plan.number)
            self.question = self._session.question
            self._show()
        else:
            self._session = docset.engine.plans(docset.id).new(plan)
            self.question = plan
            self.start(self._ask())

    @property
    def draft(self) -> PlanDraft:
        """The version on the screen; LookupError while there is no plan yet."""
        current = self._session.current
        if current is None:
            raise LookupError("There is no plan yet.")
        return PlanDraft(self._docset, self._session, current.number)

    async def _ask(self) -> None:
        await self._session.ask()
        self._show()

    async def _feedback(self, message: Message, _: Sequence[bytes]) -> None:
        await self._session.feed_back(str(message["text"]))
        self._show()

    async def _undo(self, message: Message, _: Sequence[bytes]) -> None:
        self._session.undo()
        self._show()

    async def _redo(self, message: Message, _: Sequence[bytes]) -> None:
        self._session.redo()
        self._show()

    async def _decide(self, message: Message, _: Sequence[bytes]) -> None:
        """Accepts or refuses the change with the key that the browser was given."""
        change = next(c for c in self._session.changes().changes if change_key(c) == message["key"])
        if message["accept"]:
            self._session.accept(change)
        else:
            self._session.refuse(change)
        self._show()

    async def _run(self, message: Message, _: Sequence[bytes]) -> None:
        """Runs the plan, or up to the step in `until`, and shows what came out."""
        until = message.get("until")
        client = self._docset.engine.client
        self.run = await self.draft.run_with(client, None if until is None else int(until))
        self._show()
        frame = self.run.to_arrow().slice(0, _SHOWN)
        rows = [list(row.values()) for row in frame.to_pylist()]
        self.output = _output(f"Result: {counted(len(self.run))}", frame.column_names, rows)

    async def _output(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows the first rows of one step of the last run."""
        if self.run is None:
            raise LookupError("Run the plan first.")
        node_id = int(message["node"])
        client = self._docset.engine.client
        window = await client.node_output(self.run.query_id, node_id, 0, _SHOWN)
        columns = window["columns"]
        rows = [[row.get(name) for name in columns] for row in window["rows"]]
        self.output = _output(f"Step {node_id}: {counted(window['total'])}", columns, rows)

    def _show(self) -> None:
        draft = self.draft
        versions = self._session.versions
        ran = self.run if self.run is not None and self.run.query_id == self._query_id else None
        with self.hold_sync():
            self.version = f"version {draft.number} of {len(versions.all)}"
            self.can_undo, self.can_redo = versions.can_undo, versions.can_redo
            self.steps = _steps(draft, ran)
            self.changes = _changes(self._session)
            self.remarks = draft.remarks()

    @property
    def _query_id(self) -> str | None:
        current = self._session.current
        return current.query_id if current else None


def _steps(draft: PlanDraft, ran: Run | None) -> list[dict[str, Any]]:
    """The rows of the graph; those of the last run with what they gave out."""
    told = {node["node_id"]: node for node in ran.trace.nodes} if ran else {}
    return [
        {
            "id": row.node.node_id,
            "inputs": list(row.node.inputs),
            "kind": row.node.node_type + (" ≈" if row.approximate else ""),
            "summary": row.summary,
            "link": row.link,
            "result": row.is_result,
            "rows": told.get(row.node.node_id, {}).get("rows_out"),
            "ms": told.get(row.node.node_id, {}).get("ms"),
        }
        for row in graph_rows(draft.plan)
    ]


def _changes(session: PlanSession) -> list[dict[str, Any]]:
    found = session.changes()
    return [
        {
            "key": change_key(change),
            "kind": change.kind,
            "line": line,
            "refused": session.decision(change) == "refused",
            "accepted": session.decision(change) == "accepted",
        }
        for change, line in zip(found.changes, found.lines, strict=True)
    ]


def _output(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """What the browser shows as a table; values that JSON cannot hold (dates) become text."""
    plain = [[v if isinstance(v, int | float | None) else str(v) for v in row] for row in rows]
    return {"title": title, "columns": list(columns), "rows": plain}
