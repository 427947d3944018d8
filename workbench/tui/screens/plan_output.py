"""The right lower pane of the plans: what a node gave out, and the way from a row to its page."""

from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.widgets import Static

from backend.contract.plan_validation import walk
from workbench.sessions.plan_run import PlanRun
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.result_diff import tally
from workbench.tui.formats import count, plural
from workbench.tui.lines import Span, as_content, dim, line
from workbench.tui.plan_words import answer_lines
from workbench.tui.widgets.node_output import NodeOutput
from workbench.tui.widgets.pane import Pane

_WINDOW = 200
_MOST = 1000
"""The most rows that the service gives at once."""


class PlanOutput(Pane):
    """Shows rows of the version that `session` stands on; raises what the client raises."""

    def __init__(self) -> None:
        super().__init__(title="Output", id="output-pane")
        self.session: PlanSession | None = None
        self.node_id: int | None = None
        self.comparing = False
        """Whether the rows are those of two versions."""

    def compose(self) -> ComposeResult:
        yield Static(id="answer", classes="text")
        yield NodeOutput(id="output")

    @property
    def table(self) -> NodeOutput:
        return self.query_one(NodeOutput)

    @property
    def run(self) -> PlanRun | None:
        """The latest run of the version that is shown."""
        return self.session.runs.get(self.session.versions.pointer) if self.session else None

    def clear(self) -> None:
        """Nothing has run yet."""
        self.node_id, self.comparing = None, False
        self.retitle("Output")
        self.foot("")
        self._answer([])
        self.table.show_window([], [], 0)
        self.table.say(
            line(Span("r", "accent"), dim(" runs the plan")),
            line(Span("R", "accent"), dim(" runs it up to the node under the cursor")),
        )

    async def fetch(self, node_id: int) -> None:
        """Shows the first rows of a node."""
        session, run = self.session, self.run
        if session is None or run is None or run.query_id is None:
            return
        window = await session.output(node_id, limit=_WINDOW)
        self.node_id, self.comparing = node_id, False
        is_result = session.plan is not None and node_id == session.plan.result_node
        self._answer(window["rows"] if is_result else [], run.summary if is_result else None)
        self.table.say(line(dim("This node gave out no rows.")))
        self.table.show_window(window["columns"], window["rows"], window["total"], run.labels)
        self._title(run, node_id, window["total"])

    async def compare(self, before: int, after: int) -> bool:
        """Shows what became of the rows of version `before` in version `after`; whether both have
        answered with rows.
        """
        session = self.session
        changes = await session.compare_results(before, after) if session else None
        if session is None or changes is None:
            return False
        self.node_id, self.comparing = session.versions.all[after].plan.result_node, True
        self._answer([])
        self.table.say(line(dim("Neither version gave out a row.")))
        self.table.show_changes(
            sorted(changes, key=lambda change: change.fate == "same"),
            self.run.labels if self.run else {},
        )
        self.retitle(f"Rows  v{before} → v{after}", tally(changes))
        self.foot("+ gained  − lost  ~ changed")
        return True

    async def more(self) -> None:
        """Fetches the rows after those that are here."""
        if self.session is not None and self.node_id is not None and not self.comparing:
            window = await self.session.output(
                self.node_id, offset=len(self.table.rows), limit=_MOST
            )
            self.table.add_rows(window["rows"], window["total"])

    async def names_of(self, doc_ids: Sequence[str]) -> dict[str, str]:
        """File names of documents, as far as a node above this one gave them out."""
        session, found = self.session, dict[str, str]()
        if session is None or session.plan is None or self.node_id is None:
            return found
        wanted = set(doc_ids)
        above = walk(session.plan.model_copy(update={"result_node": self.node_id}))
        for node_id in reversed(above):
            offset = 0
            while not wanted <= found.keys():
                window = await session.output(node_id, offset=offset, limit=_MOST)
                if "properties.path" not in window["columns"] or not window["rows"]:
                    break
                for row in window["rows"]:
                    if row.get("doc_id") in wanted:
                        found[str(row["doc_id"])] = str(row["properties.path"])
                offset += len(window["rows"])
        return found

    def _answer(self, rows: list[Mapping[str, Any]], summary: str | None = None) -> None:
        """The answer in words, where it is one; above rows their summary."""
        words = answer_lines(rows)
        if summary and not words:
            words = [line(piece) for piece in summary.splitlines()]
        answer = self.query_one("#answer", Static)
        answer.update(as_content(words))
        answer.display = bool(words)

    def _title(self, run: PlanRun, node_id: int, total: int) -> None:
        progress = run.nodes.get(node_id)
        words = [plural(total, "row")]
        dropped = sum((progress.dropped or {}).values()) if progress else 0
        if dropped:
            words.append(f"{count(dropped)} dropped")
        if progress is not None and progress.approximate:
            words.append("≈ approximate")
        self.retitle(f"Output of {node_id}", " · ".join(words))
        self.foot("t  the page behind the row")
