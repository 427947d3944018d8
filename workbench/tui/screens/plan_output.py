"""The lower pane of the plans screen: the output of a node, and links from rows to pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from workbench.formats import counted
from workbench.frames.notes import AnswerNotes
from workbench.frames.shares import VALUE, percent_columns
from workbench.sessions.asked_measure import asked_measures
from workbench.sessions.evidence import EvidenceTrail, passages_of
from workbench.sessions.judged_words import question_behind
from workbench.sessions.plan_run import PlanRun
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.result_diff import tally
from workbench.sessions.step_sentences import measure_names
from workbench.tui.answer_words import answer_lines, note_lines, row_words
from workbench.tui.formats import count
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.widgets.node_output import ColumnFacts, NodeOutput, Order
from workbench.tui.widgets.pane import Pane

_WINDOW = 200
_MOST_SORTED = 20_000
_MOST = 1000
"""The most rows that the service gives at once."""


class PlanOutput(Pane):
    """Shows rows of the session's current version; raises the client's errors."""

    _question = ""
    _title_now: tuple[str, str] = ("", "")

    def __init__(self) -> None:
        super().__init__(title="Output", id="output-pane")
        self.session: PlanSession | None = None
        self.node_id: int | None = None
        self.comparing = False
        """Whether the rows compare two versions."""
        self._shown: tuple[str, int] | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="answer-scroll"):
            yield Static(id="answer", classes="text")
        yield NodeOutput(id="output")
        with VerticalScroll(id="notes"):
            yield Static(id="story", classes="text")
            yield Static(id="reading", classes="text")

    def retitle(self, title: str, count: str = "") -> None:
        self._title_now = title, count
        super().retitle(f"{title} to “{self._question}”" if self._question else title, count)

    def name_question(self, question: str) -> None:
        """Names the question that is answered here; empty if it is the one above."""
        self._question = question
        self.retitle(*self._title_now)

    @property
    def table(self) -> NodeOutput:
        return self.query_one(NodeOutput)

    @property
    def run(self) -> PlanRun | None:
        """The latest run of the version that is shown."""
        return self.session.runs.get(self.session.versions.pointer) if self.session else None

    @property
    def is_current(self) -> bool:
        """Whether the output belongs to the open question and version."""
        return self._shown is not None and self._shown == self._open_version()

    @property
    def notes(self) -> AnswerNotes:
        """The basis of the shown step."""
        run, node_id = self.run, self.node_id
        return run.notes_of(node_id) if run and node_id is not None else AnswerNotes()

    def _open_version(self) -> tuple[str, int] | None:
        return (self.session.id, self.session.versions.pointer) if self.session else None

    def show_reading(self, lines: Sequence[Line]) -> None:
        """How the question was read, for narrow terminals: there the pane beside has no room."""
        self.query_one("#reading", Static).update(as_content(lines))

    def clear(self) -> None:
        """Nothing has run yet."""
        self.node_id, self.comparing, self._shown = None, False, None
        self.retitle("Output")
        self.foot("")
        self._answer([])
        self.table.show_window([], [], 0)
        self.table.say(
            line(Span("r", "accent"), dim(" runs the plan")),
            line(Span("R", "accent"), dim(" runs it up to the selected step")),
        )

    async def fetch(self, node_id: int) -> None:
        """Shows the first rows of a node."""
        session, run = self.session, self.run
        if session is None or run is None or run.query_id is None:
            return
        asked = self._open_version()
        window = await session.output(node_id, limit=_WINDOW)
        if self._open_version() != asked:
            return  # the person has opened another version
        self.node_id, self.comparing, self._shown = node_id, False, asked
        plan = session.plan
        is_result = plan is not None and node_id == plan.result_node
        shares = percent_columns(plan, node_id) if plan is not None else {}
        self._answer(
            window["rows"] if is_result or window["total"] == 1 else [],
            run.summary if is_result else None,
            run.notes_of(node_id),
            percent=shares.get(VALUE, 0),
            unit=run.units_of(node_id).get(VALUE, ""),
            merges=len(run.merges) if is_result else 0,
        )
        self.table.say(line(dim("No rows from this step.")))
        rows = window["rows"]
        if _is_number(rows):
            self.table.show_number(rows[0])
        else:
            facts = ColumnFacts(
                labels={**(measure_names(plan) if plan is not None else {}), **run.labels},
                units=run.units_of(node_id),
                shares=shares,
                measures=asked_measures(plan, node_id) if plan is not None else (),
                question=question_behind(plan, node_id) if plan is not None else "",
            )
            self.table.show_window(window["columns"], rows, window["total"], facts)
            judged = plan is not None and plan.node(node_id).node_type == "LlmFilter"
            if judged and len(rows) == window["total"]:
                self.table.order_by(Order("score", descending=True))
        self._title(run, node_id, window["total"])

    def words_of(self, row: Mapping[str, Any]) -> str:
        """A row of the step shown, in a few words."""
        plan, node_id = self.session.plan if self.session else None, self.node_id
        shares = percent_columns(plan, node_id) if plan and node_id is not None else {}
        run = self.run
        units = run.units_of(node_id) if run is not None and node_id is not None else {}
        return row_words(row, percent=shares.get(VALUE, 0), unit=units.get(VALUE, ""))

    async def compare(self, before: int, after: int) -> bool:
        """Shows what became of the rows from `before` to `after`; whether both have rows."""
        session = self.session
        changes = await session.compare_results(before, after) if session else None
        if session is None or changes is None:
            return False
        self.node_id, self.comparing = session.versions.all[after].plan.result_node, True
        self._shown = self._open_version()
        self._answer([])
        self.table.say(line(dim("Neither version has any rows.")))
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

    async def sort_by(self, name: str) -> bool:
        """Sorts the rows by a column after fetching all; whether that was possible."""
        table = self.table
        if table.total > _MOST_SORTED:
            return False
        while 0 < len(table.rows) < table.total:
            before = len(table.rows)
            await self.more()
            if len(table.rows) == before:
                break
        table.sort_by(name)
        return True

    @property
    def is_number(self) -> bool:
        """Whether one number is shown."""
        return _is_number(self.table.values)

    def trail(
        self,
        node_id: int,
        row: int | None = None,
        values: Mapping[str, Any] | None = None,
        *,
        field: str | None = None,
    ) -> EvidenceTrail | None:
        """The way to the documents behind a step or its row, which has these values; with `field`
        to those that the step left out for it. None before a run.
        """
        run, session = self.run, self.session
        if run is None or run.query_id is None or session is None:
            return None
        cited = passages_of(values or {}, run.result) if field is None else []
        return EvidenceTrail(
            session.client,
            run.query_id,
            node_id,
            row=row,
            field=field,
            state="used" if field is None else "left_out",
            citations=cited,
            question=question_behind(session.plan, node_id) if session.plan else "",
        )

    def _answer(
        self,
        rows: Sequence[Mapping[str, Any]],
        summary: str | None = None,
        notes: AnswerNotes | None = None,
        *,
        percent: int = 0,
        unit: str = "",
        merges: int = 0,
    ) -> None:
        """The answer in words, if possible; a summary above rows, and their basis below."""
        notes = notes or AnswerNotes()
        words = answer_lines(rows, notes, percent=percent, unit=unit)
        if summary and not _is_number(rows):
            words = [*words, *(line(piece) for piece in summary.splitlines())]
        story = note_lines(notes, merges=merges)
        for name, lines in (("#answer", words), ("#story", story)):
            self.query_one(name, Static).update(as_content(lines))
        self.query_one("#answer-scroll").display = bool(words)
        self.query_one("#notes").display = bool(story)
        self.set_class(_is_number(rows), "-number")

    def _title(self, run: PlanRun, node_id: int, total: int) -> None:
        progress = run.nodes.get(node_id)
        words = [] if _is_number(self.table.values) else [counted(total, "row")]
        dropped = sum((progress.dropped or {}).values()) if progress else 0
        if dropped:
            words.append(f"{count(dropped)} dropped")
        if progress is not None and progress.approximate:
            words.append("≈ approximate")
        is_result = (
            self.session is not None
            and self.session.plan is not None
            and (node_id == self.session.plan.result_node)
        )
        title = "Answer" if is_result else f"Output of step {node_id}"
        self.retitle(title, " · ".join(words))
        left_out = "   l  the documents left out" if run.notes_of(node_id).footnotes else ""
        behind = "t  the documents behind the row"
        self.foot(behind + left_out, "t  behind it" + left_out.replace("the documents ", ""))


def _is_number(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a step gave one number."""
    return len(rows) == 1 and VALUE in rows[0]
