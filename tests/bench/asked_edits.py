"""Follow-ups with the plans that they may lead to, and which of these give the expected answer.

    READINGS=FOLDER[:FOLDER…] python -m tests.bench.asked_edits FILE

Keeps what `tests.bench.fit_roles` learns from beside the questions of `tests.bench.asked_plans`.
Each turn is read over a plan that is right before it. Loaded as a plugin, it keeps the feedback of
the tests; what they take is right, because they check every plan:

    KEPT=FILE python -m pytest -p tests.bench.asked_edits tests/backend/plans
"""

import argparse
import os
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests import editor
from backend.plans.requests.choose import Candidate
from backend.plans.requests.outlook import standing_of
from backend.plans.requests.planner import questions
from tests.backend.plans.desk import ACCOUNT, NOW, Desk
from tests.bench.asked_plans import AskedPlans, asked_of, write_kept
from tests.bench.fit_edits import read, right_ones
from tests.bench.readings import Case, Tables, cases, conversations, starting_plan
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

_BY_THE_JOURNAL = ("undo_seq", "noop")


def of_conversation(tables: Tables, case: Case) -> Iterator[AskedPlans]:
    """The turns of a conversation after the first."""
    desk = tables.desk(case["domain"])
    before: Plan | None = None
    for turn in case["turns"]:
        wanted = {**turn, "domain": case["domain"]}
        refused = turn["expect"]["kind"] == "refuse"
        if before is None:
            vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
            found = questions(turn["text"], vocabulary.collection, vocabulary, NOW)
        else:
            found = read(desk, before, turn["text"], foreseen=True)
        right = [False] * len(found) if refused else right_ones(tables, desk, found, wanted)
        if before is not None:
            yield _kept(tables, desk, case, before, turn["text"], found, right, not refused)
        if refused and before is not None:
            continue
        if not any(right):
            return
        before = found[right.index(True)].plan


def of_feedback(tables: Tables, case: Case) -> Iterator[AskedPlans]:
    """The last turn of a case of feedback; the others must lead to it."""
    desk = tables.desk(case["domain"])
    before = starting_plan(desk, case)
    if case.get("category") in _BY_THE_JOURNAL:
        return
    *earlier, last = case["feedback"]
    for text in earlier:
        found = read(desk, before, text)
        found = [c for c in found if c.by_rules] or found[:1]
        if not found:
            return
        before = found[0].plan
    found = read(desk, before, last, foreseen=True)
    refused = case["expect"]["kind"] == "refuse"
    right = [False] * len(found) if refused else right_ones(tables, desk, found, case)
    yield _kept(tables, desk, case, before, last, found, right, not refused)


def _kept(
    tables: Tables, desk: Desk, case: Case, before: Plan, text: str, found: Sequence[Candidate],
    right: Sequence[bool], answers: bool,
) -> AskedPlans:  # fmt: skip
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    domain = f"{tables.folder.name}/{case['domain']}"
    return asked_of(
        vocabulary, domain, text, found, right, 1.0, standing_of(before), answers=answers
    )


class _Listener:
    """Keeps the feedback of tests."""

    def __init__(self) -> None:
        self.kept: list[AskedPlans] = []
        self._last: tuple[Plan, str, Vocabulary] | None = None

    def listen(self) -> None:
        read, chosen, undecided = editor._candidates, editor.chosen_edit, editor.undecided

        def reading(
            before: Plan, feedback: str, collection: Any, vocabulary: Vocabulary, now: float
        ) -> Any:
            self._last = before, feedback, vocabulary
            return read(before, feedback, collection, vocabulary, now)

        def choosing(found: Sequence[Candidate]) -> Candidate | None:
            best = chosen(found)
            if self._last is not None:
                before, text, vocabulary = self._last
                right = [best is not None and c.core == best.core for c in found]
                self.kept.append(
                    asked_of(vocabulary, "own/own", text, found, right, 0.5, standing_of(before))
                )
            return best

        def refusing(*of: Any, **more: Any) -> Invalid:
            problem = undecided(*of, **more)
            if self.kept and any(fault.choices for fault in problem.faults):
                self.kept.pop()  # a person is to choose: that says nothing of which is right
            return problem

        for name, does in (("_candidates", reading), ("chosen_edit", choosing),
                           ("undecided", refusing),
                           ("agreeing_edits", lambda found, *of: found)):  # fmt: skip
            setattr(editor, name, does)


_listener = _Listener()


def pytest_configure() -> None:
    """Called when this is loaded as a plugin."""
    _listener.listen()


def pytest_unconfigure() -> None:
    """Called at the end of the tests, in each of their processes."""
    write_kept(_listener.kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    kept: list[AskedPlans] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        for number, folder in enumerate(os.environ["READINGS"].split(":")):
            tables = Tables(Path(folder), Path(work) / str(number))
            for case in conversations(tables.folder):
                kept += of_conversation(tables, case)
            for case in cases(tables.folder, "feedback"):
                kept += of_feedback(tables, case)
    options.file.write_bytes(pickle.dumps(kept))
    print(len(kept), "follow-ups, with a plan that is right:", sum(any(k.right) for k in kept))


if __name__ == "__main__":
    main()
