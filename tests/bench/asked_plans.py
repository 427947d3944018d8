"""Questions with the plans that they may mean, and which of these give the expected answer.

    READINGS=FOLDER[:FOLDER…] python -m tests.bench.asked_plans FILE [--without]

Keeps what `tests.bench.fit_roles` learns from. Every sixth question is kept a second time narrowed
by something that the collection knows nothing of: no plan is right then. With `--without` each
question is asked of a table without one of the properties that its answer needs: what is planned
then is wrong unless it gives the same answer. Loaded as a plugin, it keeps what the tests ask; what
the score alone takes is right, because these tests check every answer, and nothing is right where
they expect a refusal:

    KEPT=FILE python -m pytest -p tests.bench.asked_plans tests/backend/plans
"""

import argparse
import json
import os
import pickle
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from backend.inference.role_network import Column
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests import planner
from backend.plans.requests.choose import Candidate
from backend.plans.requests.outlook import Standing, columns_of
from backend.plans.requests.roles import Roles, roles_of, values_tested
from tests.backend.plans.desk import ACCOUNT, Desk
from tests.bench.fit_edits import right_ones
from tests.bench.fit_readings import Planned, first_questions, planned, spoiled_text
from tests.bench.readings import Case, Tables
from workbench.contract.errors import Invalid
from workbench.contract.plan_nodes import (
    bare_field,
)

_SPOILED = 6
_ALMOST_AS_GOOD = 2.0
_USES = "uses.json"
_KEPT = os.environ.get("KEPT")


@dataclass(frozen=True)
class AskedPlans:
    """A question, its columns by field, the plans that it may mean, and which of them are right.

    `wanted` are the roles of a plan that is right; `uses` what is known of it where none is.
    `weight` is what the question counts beside others.
    """

    domain: str
    text: str
    noun: str
    columns: Mapping[str, Column]
    candidates: Sequence[Candidate]
    right: Sequence[bool]
    answers: bool
    wanted: Roles | None = None
    uses: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Set[str]] | None = None
    """By field the values that the answer tests for, in lower case; None where nobody knows."""
    weight: float = 1.0
    now: Sequence[str] | None = None
    """Of a follow-up the traits of the plan that it changes."""


def asked_in(tables: Tables) -> Iterator[AskedPlans]:
    """All that a set asks."""
    uses = _uses(tables.folder)
    for place, case in enumerate(first_questions(tables.folder)):
        desk = tables.desk(case["domain"])
        made = _asked(tables, desk, case)
        yield replace(made, uses=uses.get(case["domain"], {}).get(case["question"], {}))
        text = spoiled_text(desk, case["question"], random.Random(place))
        if place % _SPOILED == 0 and text:
            yield with_plans(desk, made.domain, planned(desk, text, foreseen=True), [], 0.5)


def asked_without(tables: Tables, work: Path) -> Iterator[AskedPlans]:
    """The same questions of tables that lack a property of the answer."""
    dice = random.Random(7)
    lacking: dict[tuple[str, str], list[tuple[Case, AskedPlans]]] = defaultdict(list)
    for case in first_questions(tables.folder):
        made = _asked(tables, tables.desk(case["domain"]), case)
        names = sorted(set(made.wanted.of) & set(made.columns)) if made.wanted else []
        names = [name for name in names if bare_field(name) != tables.key(case["domain"])]
        if names:
            lacking[case["domain"], bare_field(dice.choice(names))].append((case, made))
    for number, ((domain, name), cases) in enumerate(lacking.items()):
        fewer = Tables(_folder_without(tables.folder, work / f"{number}", domain, name),
                       work / f"desks{number}")  # fmt: skip
        for case, whole in cases:
            made = _asked(fewer, fewer.desk(domain), case)
            yield replace(made, wanted=whole.wanted, answers=any(made.right), weight=0.6)


def _asked(tables: Tables, desk: Desk, case: Case) -> AskedPlans:
    read = planned(desk, case["question"], foreseen=True)
    refused = case["category"] == "refuse"
    right = [] if refused else right_ones(tables, desk, read.candidates, case)
    made = with_plans(desk, f"{tables.folder.name}/{case['domain']}", read, right)
    return replace(made, answers=not refused)


def with_plans(
    desk: Desk, domain: str, read: Planned, right: Sequence[bool], weight: float = 1.0
) -> AskedPlans:
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    return asked_of(vocabulary, domain, read.focused, read.candidates, right, weight)


def asked_of(
    vocabulary: Vocabulary, domain: str, text: str, found: Sequence[Candidate],
    right: Sequence[bool], weight: float, now: Standing | None = None, *, answers: bool = False,
) -> AskedPlans:  # fmt: skip
    """The candidates with what is known of them; with `now` of a follow-up. `answers` says that
    there is an answer though none may be among them.
    """
    roles = [roles_of(candidate.plan) for candidate in found]
    right = list(right) or [False] * len(found)
    best = [(c, does) for c, does, fits in zip(found, roles, right, strict=True) if fits][:3]
    simplest = min(best, key=_simplicity, default=None)
    plans = [replace(candidate, operations=(), read=None) for candidate in found]
    return AskedPlans(
        domain, text, vocabulary.collection.name, columns_of(text, vocabulary, now), plans, right,
        answers or any(right), None if simplest is None else simplest[1],
        values=None if simplest is None else lowered(values_tested(simplest[0].plan)),
        weight=weight, now=None if now is None else now.traits,
    )  # fmt: skip


def lowered(values: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    return {field: {value.lower() for value in some} for field, some in values.items()}


def _simplicity(one: tuple[Candidate, Roles]) -> tuple[float, int]:
    return -round(one[0].score / _ALMOST_AS_GOOD), len(one[0].plan.nodes)


def _uses(folder: Path) -> dict[str, dict[str, Any]]:
    """What answers use, by domain and question, where the hands that asked noted it."""
    file = folder / _USES
    read: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.exists() else {}
    return read


def _folder_without(folder: Path, made: Path, domain: str, name: str) -> Path:
    """A set of one domain whose table lacks a property."""
    for part in ("schema", "data"):
        (made / part).mkdir(parents=True)
    for file in folder.glob("*.jsonl"):
        (made / file.name).write_text(file.read_text())
    schema = json.loads((folder / "schema" / f"{domain}.json").read_text())
    schema["properties"] = [one for one in schema["properties"] if one["name"] != name]
    (made / "schema" / f"{domain}.json").write_text(json.dumps(schema))
    begins = f"- {name.replace('_', ' ')}:"
    with (made / "data" / f"{domain}.jsonl").open("w") as out:
        for line in (folder / "data" / f"{domain}.jsonl").open():
            record = json.loads(line)
            record["properties"].pop(name, None)
            if "text" in record:
                lines = record["text"].split("\n")
                record["text"] = "\n".join(t for t in lines if not t.lower().startswith(begins))
            out.write(json.dumps(record))
            out.write("\n")
    return made


class _Listener:
    """Keeps what tests ask."""

    def __init__(self) -> None:
        self.kept: list[AskedPlans] = []
        self._last: tuple[str, Vocabulary, Sequence[Candidate]] | None = None

    def listen(self) -> None:
        read, chosen, undecided = planner._read, planner.chosen, planner.undecided

        def reading(question: str, collection: Any, vocabulary: Vocabulary, *rest: Any) -> Any:
            made = read(question, collection, vocabulary, *rest)
            self._last = (question, vocabulary, made.candidates)
            return made

        def choosing(found: Sequence[Candidate]) -> Candidate | None:
            best = chosen(found)
            self._keep(best)
            return best

        def refusing(*of: Any, **more: Any) -> Invalid:
            problem = undecided(*of, **more)
            if self.kept and any(fault.choices for fault in problem.faults):
                self.kept.pop()  # a person is to choose: that says nothing of which is right
            return problem

        for name, does in (("_read", reading), ("chosen", choosing), ("undecided", refusing),
                           ("agreeing", lambda question, found, *of: found)):  # fmt: skip
            setattr(planner, name, does)

    def _keep(self, best: Candidate | None) -> None:
        if self._last is not None:
            text, vocabulary, found = self._last
            right = [best is not None and c.core == best.core for c in found]
            self.kept.append(asked_of(vocabulary, "own/own", text, found, right, 0.5))


_listener = _Listener()


def pytest_configure() -> None:
    """Called when this is loaded as a plugin."""
    _listener.listen()


def pytest_unconfigure() -> None:
    """Called at the end of the tests, in each of their processes."""
    write_kept(_listener.kept)


def write_kept(kept: Sequence[AskedPlans]) -> None:
    """Writes what a process of the tests kept to a file of its own."""
    file = Path(f"{_KEPT}.{os.environ.get('PYTEST_XDIST_WORKER', '')}")
    file.write_bytes(pickle.dumps(kept))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--without", action="store_true")
    options = parser.parse_args()
    kept: list[AskedPlans] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        for number, folder in enumerate(os.environ["READINGS"].split(":")):
            place = Path(work) / str(number)
            tables = Tables(Path(folder), place / "all")
            kept += asked_without(tables, place / "fewer") if options.without else asked_in(tables)
    options.file.write_bytes(pickle.dumps(kept))


if __name__ == "__main__":
    main()
