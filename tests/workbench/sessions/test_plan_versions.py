"""Undo and redo move a pointer over a tree in which nothing is ever lost."""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.tui.fake_client import plan
from workbench.sessions.plan_versions import PlanVersions
from workbench.sessions.session_file import SessionFile


class Versions(RuleBasedStateMachine):
    """Any sequence of edits, undos, redos and jumps, with restarts in between."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.open_file()
        with self.file.writing() as connection:
            connection.execute(
                "INSERT INTO plan_sessions (id, docset_id, question, current, created, changed)"
                " VALUES ('s', 'ds', 'q', 0, 0, 0)"
            )
        self.versions = PlanVersions(self.file, "s", clock=lambda: 0.0)
        self.parents: dict[int, int | None] = {}
        self.at: int | None = None

    def open_file(self) -> None:
        self.file = SessionFile(Path(self.folder.name) / "sessions.sqlite")

    @rule(limit=st.integers(1, 99))
    def edit(self, limit):
        made = self.versions.add(plan("q", limit=limit), "feedback", feedback=f"top {limit}")
        assert made.number not in self.parents
        self.parents[made.number] = self.at
        self.at = made.number

    @precondition(lambda self: self.at is not None)
    @rule()
    def undo_then_redo(self):
        before = self.at
        if self.versions.undo() is None:
            assert self.parents[before] is None
        else:
            assert self.versions.pointer == self.parents[before]
            assert self.versions.redo().number == before

    @precondition(lambda self: self.at is not None)
    @rule()
    def undo(self):
        if self.versions.undo() is not None:
            self.at = self.parents[self.at]

    @precondition(lambda self: self.at is not None)
    @rule()
    def redo(self):
        moved = self.versions.redo()
        if moved is not None:
            assert self.parents[moved.number] == self.at
            self.at = moved.number

    @precondition(lambda self: self.parents)
    @rule(data=st.data())
    def go_anywhere(self, data):
        self.at = data.draw(st.sampled_from(sorted(self.parents)))
        self.versions.go_to(self.at)

    @rule()
    def restart(self):
        self.file.close()
        self.open_file()
        self.versions = PlanVersions(self.file, "s", clock=lambda: 0.0)

    @invariant()
    def nothing_is_lost(self):
        assert {n: v.parent for n, v in self.versions.all.items()} == self.parents
        assert len(self.versions.lineage()) == len(self.parents)

    @invariant()
    def the_pointer_is_where_one_went(self):
        assert (self.versions.current.number if self.versions.current else None) == self.at

    def teardown(self):
        self.file.close()
        self.folder.cleanup()


Versions.TestCase.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
TestVersions = Versions.TestCase
