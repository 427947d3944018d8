"""A question as the user works on it: every version of its plan, the feedback and the runs."""

import time
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from pprint import pformat
from typing import TYPE_CHECKING, Any

from workbench.client.errors import Invalid, MissingExtension, NotFound, ServerFailed
from workbench.contract.errors import Choice, FieldFault
from workbench.contract.plan import EditReport, NodeEstimate, Plan
from workbench.contract.plan_diff import NodeChange, PlanDiff, diff
from workbench.contract.plan_nodes import Node
from workbench.contract.plan_validation import validate
from workbench.frames.answers import key_names
from workbench.frames.runs import NodeOutput
from workbench.sessions.curl import curl
from workbench.sessions.plan_changes import change_key, without
from workbench.sessions.plan_run import PlanRun
from workbench.sessions.plan_versions import Decision, PlanVersion, PlanVersions
from workbench.sessions.result_diff import RowChange, compare_rows
from workbench.sessions.session_file import SessionFile
from workbench.sessions.step_rows import windows_of

if TYPE_CHECKING:
    from workbench.client import AsyncClient


_COMPARED = 20_000
"""The most rows of an answer that are compared."""


def _ignore(_: PlanRun) -> None:
    return None


def _bare(plan: Plan) -> Plan:
    """The plan without its report and estimates."""
    return plan.model_copy(update={"edit": None, "estimates": None})


class PlanSession:
    """One question about one DocSet. All versions and decisions survive the program."""

    def __init__(
        self,
        client: "AsyncClient",
        file: SessionFile,
        session_id: str,
        docset_id: str,
        question: str,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.id = session_id
        self.docset_id = docset_id
        self.question = question
        self.versions = PlanVersions(file, session_id, clock=clock, on_change=self._changed)
        self.runs: dict[int, PlanRun] = {}
        """The latest run of each version, as far as this program has seen it."""
        self.client = client
        self._clock = clock
        self._estimates: dict[int, Mapping[int, NodeEstimate]] = {}
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Calls `listener` after every change, also by other programs; returns a stopper."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _changed(self) -> None:
        self._forget_older_runs()
        for listener in tuple(self._listeners):
            listener()

    def _forget_older_runs(self) -> None:
        """Forgets runs of versions that another program has run again since."""
        for number, run in list(self.runs.items()):
            version = self.versions.all.get(number)
            kept = version is not None and version.query_id in (None, run.query_id)
            if run.state != "running" and not kept:
                del self.runs[number]

    # -- the plan -------------------------------------------------------------------------------

    @property
    def current(self) -> PlanVersion | None:
        return self.versions.current

    @property
    def plan(self) -> Plan | None:
        return self.current.plan if self.current else None

    async def ask(self) -> PlanVersion:
        """The first plan, made by the server from the question."""
        plan = await self.client.generate_plan(self.docset_id, self.question)
        return self.versions.add(plan, "question")

    async def feed_back(self, feedback: str) -> PlanVersion:
        """The current plan changed by a sentence. Raises Invalid if nothing was understood, and
        Ambiguous with choices for `choose` if there are several readings.

        A sentence that changes nothing in the plan makes no version; the report says why.
        """
        before = self._wanted()
        plan = await self.client.edit_plan(
            self.docset_id, _bare(before.plan), feedback, self.question
        )
        if self.versions.pointer != before.number:
            self.versions.go_to(before.number)  # the person moved on while the server thought
        return self.versions.add(plan, "feedback", feedback=feedback)

    def choose(self, choice: Choice, feedback: str | None = None, base: int = 0) -> PlanVersion:
        """A version with the plan of a choice, of the question or of feedback on `base`."""
        plan = Plan.model_validate(choice.plan)
        if base and self.versions.pointer != base:
            self.versions.go_to(base)
        return self.versions.add(plan, "reading", feedback=feedback)

    def edit_node(self, node: Node) -> PlanVersion:
        """A version in which the node with that id is replaced."""
        before = self._wanted().plan
        nodes = {**before.nodes, str(node.node_id): node}
        return self.edit_by_hand(before.model_copy(update={"nodes": nodes}))

    def edit_by_hand(self, plan: Plan) -> PlanVersion:
        """A version with that plan, made of the current one by hand, or the first one. What was
        assumed and not used when the request was read remains with it.
        """
        report = (plan if self.current is None else self.current.plan).edit
        kept = report and EditReport(warnings=report.remarks, unused=report.unused)
        return self.versions.add(
            _bare(plan).model_copy(update={"edit": kept}), "hand", feedback=None
        )

    def undo(self) -> PlanVersion | None:
        return self.versions.undo()

    def redo(self) -> PlanVersion | None:
        return self.versions.redo()

    def faults(self) -> list[FieldFault]:
        """The faults of the current plan, found without the server."""
        return validate(self._wanted().plan, None).faults

    @property
    def report(self) -> EditReport | None:
        """The effect of each clause of the feedback behind the proposed changes."""
        current = self.current
        proposal = self.versions.all.get(current.proposal or 0) if current else None
        return proposal.plan.edit if proposal else None

    # -- the changes on the table ---------------------------------------------------------------

    def changes(self) -> PlanDiff:
        """The changes that the current version proposes against its base, even refused ones."""
        current = self.current
        if current is None or current.base is None or current.proposal is None:
            return PlanDiff()
        return self.diff(current.base, current.proposal)

    def decision(self, change: NodeChange) -> Decision | None:
        return self.current.decisions.get(change_key(change)) if self.current else None

    def accept(self, change: NodeChange) -> PlanVersion:
        """Accepts a change; one that was refused before comes back in a new version."""
        return self._decide(change, "accepted")

    def refuse(self, change: NodeChange) -> PlanVersion:
        """Takes a change back in a new version; the others stay."""
        return self._decide(change, "refused")

    def _decide(self, change: NodeChange, decision: Decision) -> PlanVersion:
        current = self._wanted()
        key = change_key(change)
        was_refused = current.decisions.get(key) == "refused"
        decisions = {**current.decisions, key: decision}
        if (decision == "refused") == was_refused:  # the plan stays the same
            self.versions.decide(key, decision)
            return self._wanted()
        assert current.base is not None and current.proposal is not None
        base, proposal = self.versions.all[current.base], self.versions.all[current.proposal]
        refused = {name for name, decided in decisions.items() if decided == "refused"}
        plan = _bare(without(base.plan, proposal.plan, self.changes(), refused))
        plan = plan.model_copy(update={"edit": proposal.plan.edit})
        return self.versions.add(
            plan,
            "choice",
            feedback=proposal.feedback,
            base=current.base,
            proposal=current.proposal,
            decisions=decisions,
        )

    def diff(self, before: int, after: int) -> PlanDiff:
        """The changes from version `before` to version `after`."""
        return diff(self.versions.all[before].plan, self.versions.all[after].plan)

    async def compare_results(self, before: int, after: int) -> list[RowChange] | None:
        """Compares the rows of two versions' answers; None unless both have stored rows."""
        versions = [self.versions.all[number] for number in (before, after)]
        if any(v.outcome is None or v.outcome["kind"] != "rows" for v in versions):
            return None
        try:
            earlier, later = [await self._result_rows(version) for version in versions]
        except (NotFound, MissingExtension):
            return None
        return compare_rows(earlier, later)

    async def _result_rows(self, version: PlanVersion) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        query_id, node_id = version.query_id or "", version.plan.result_node
        async for window in windows_of(self.client, query_id, node_id):
            rows += window["rows"]
            if len(rows) >= _COMPARED:
                break
        return rows

    # -- running --------------------------------------------------------------------------------

    async def run(
        self,
        *,
        until_node: int | None = None,
        summarize: bool = False,
        on_change: Callable[[PlanRun], None] = _ignore,
    ) -> PlanRun:
        """Runs the current version; `runs` shows the run from its first moment, and `on_change` is
        called after each step.

        Raises the client's errors, and ServerFailed if the server breaks the run off, after
        recording the reason in the run. Cancelling this call stops the run on the server too.
        """
        version = self._wanted()
        run = self.runs[version.number] = PlanRun(version.plan, until_node, self._clock())
        plan = _bare(version.plan)
        try:
            stream = self.client.stream_plan(
                self.docset_id, plan, until_node=until_node, summarize=summarize
            )
            async with aclosing(stream) as events:
                async for event in events:
                    run.take_event(event)
                    if event.name in ("plan", "status", "error"):
                        on_change(run)
        except BaseException as error:
            run.fail(str(error) or "The run was stopped.")
            raise
        if run.state != "done":
            if run.error is None:
                run.fail("The connection broke before the run was complete. Run it again.")
            raise ServerFailed(500, run.error or "")
        try:
            await self._trace(run)
        finally:
            if run.query_id is not None:
                outcome = run.outcome() if until_node is None else None
                self.versions.keep_run(version.number, run.query_id, outcome)
        return run

    async def estimate(self) -> Mapping[int, NodeEstimate]:
        """The estimated output and cost of each step of the current version, by node id.

        Empty for a plan with faults, and against a server without estimates.
        """
        version = self._wanted()
        if version.number not in self._estimates:
            estimates = version.plan.estimates
            if estimates is None:
                try:
                    estimates = await self.client.estimate_plan(self.docset_id, _bare(version.plan))
                except (MissingExtension, Invalid):
                    estimates = []
            self._estimates[version.number] = {one.node_id: one for one in estimates}
        return self._estimates[version.number]

    @property
    def estimates(self) -> Mapping[int, NodeEstimate]:
        """The estimates of the current version, as far as `estimate()` has fetched them."""
        return self._estimates.get(self.versions.pointer, {})

    async def last_run(self) -> PlanRun | None:
        """The latest run of the current version, possibly by an earlier process."""
        version = self._wanted()
        if version.number not in self.runs and version.query_id is not None:
            run = PlanRun(version.plan, None, self._clock())
            run.query_id = version.query_id
            await self._trace(run)
            self.runs[version.number] = run
        return self.runs.get(version.number)

    async def _trace(self, run: PlanRun) -> None:
        """Fetches the trace of the run; a server without that extension has none."""
        if run.query_id is not None:
            with suppress(MissingExtension):
                run.take_trace(await self.client.run_trace(run.query_id))

    async def output(self, node_id: int, *, offset: int = 0, limit: int = 200) -> dict[str, Any]:
        """A window of a node's output rows: `columns`, `rows`, `total`."""
        query_id = self._query_id()
        if query_id is None:
            return {"columns": [], "rows": [], "total": 0}
        return await self.client.node_output(query_id, node_id, offset, limit)

    def _query_id(self) -> str | None:
        """The run of the current version, in this program or an earlier one."""
        run = self.runs.get(self.versions.pointer)
        return run.query_id if run else self._wanted().query_id

    async def whole_output(self, node_id: int) -> NodeOutput:
        """All output rows of a node, as a frame."""
        columns: list[str] = []
        rows: list[dict[str, Any]] = []
        query_id = self._query_id()
        if query_id is not None:
            async for window in windows_of(self.client, query_id, node_id):
                columns = window["columns"]
                rows += window["rows"]
        run = self.runs.get(self.versions.pointer)
        notes = run.notes_of(node_id) if run is not None else None
        version = self.versions.current
        keys = key_names(version.plan if version is not None else None, node_id)
        return NodeOutput(columns, rows, f"step {node_id}", notes=notes, keys=keys)

    def as_python(self) -> str:
        """The question, its feedback and its run for a notebook, with any plan made by hand."""
        return self._code("import workbench as wb\n", "run = plan.run()\nrun\n")

    def as_cell(self) -> str:
        """A notebook cell that shows the plan, to continue there."""
        return self._code(
            "import workbench as wb\nfrom workbench.widgets import PlanEditor\n",
            "PlanEditor(docset, plan)\n",
        )

    def _code(self, head: str, tail: str) -> str:
        rows = [head, "client = wb.connect()", f"docset = client.docsets[{self.docset_id!r}]"]
        thread = self._thread()
        if any(version.origin in ("hand", "choice", "reading") for version in thread):
            plan = _bare(self._wanted().plan).model_dump(mode="json", exclude_none=True)
            rows.append(f"plan = docset.take_plan({pformat(plan, sort_dicts=False)})")
        else:
            rows.append(f"plan = docset.plan({self.question!r})")
            rows += [
                f"plan = plan.edit({version.feedback!r})"
                for version in thread
                if version.origin == "feedback"
            ]
        return "\n".join([*rows, tail])

    def as_curl(self) -> str:
        """The run of the current plan as a command for a shell."""
        plan = _bare(self._wanted().plan).model_dump(mode="json")
        body = {"docset_id": self.docset_id, "plan": plan}
        return curl(self.client.base_url, "/v1/query", body)

    def as_json(self) -> str:
        """The current plan as the service reads it."""
        return _bare(self._wanted().plan).model_dump_json(indent=2) + "\n"

    def _thread(self) -> list[PlanVersion]:
        """The current version and its ancestors, the first one first."""
        thread: list[PlanVersion] = []
        version = self.current
        while version is not None:
            thread.append(version)
            version = self.versions.all.get(version.parent or 0)
        return thread[::-1]

    def _wanted(self) -> PlanVersion:
        current = self.current
        if current is None:
            raise LookupError("There is no plan yet: ask a question first.")
        return current
