"""How a question is read: its candidate plans, how likely each is, and what its features are worth.

    python -m tests.bench.why FOLDER "which boats cost more than 500?" [--table NAME] [--most 5]

`FOLDER` is a set as in `tests.bench.readings`; `--table` names one of its schemas, without it the
first is taken. Each candidate is printed with its steps, the words that it skips, and the features
of its score by the size of their effect: weight times amount.
"""

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

from backend.plans.reading.score import weights
from backend.plans.requests.choose import Candidate
from backend.plans.requests.deciding import chosen
from backend.plans.requests.offering import steps_of
from tests.backend.plans.desk import Desk
from tests.bench.fit_readings import planned
from tests.bench.readings import Tables
from workbench.contract.errors import Invalid


def explained(desk: Desk, question: str, most: int = 5, effects: int = 14) -> list[str]:
    """Lines that say how a question is read, `most` candidates with `effects` features each."""
    read = planned(desk, question)
    lines = [f"Question: {read.question}"]
    if read.focused != read.question:
        lines.append(f"Read as:  {read.focused}")
    lines.append(f"Outcome:  {_outcome(desk, question)}")
    best = chosen(read.candidates)
    for place, candidate in enumerate(read.candidates[:most], 1):
        lines += ["", *_candidate(place, candidate, candidate is best, effects)]
    return lines


def _outcome(desk: Desk, question: str) -> str:
    try:
        desk.ask(question)
    except Invalid as refused:
        return "; ".join(fault.msg for fault in refused.faults)
    return "taken"


def _candidate(place: int, candidate: Candidate, best: bool, effects: int) -> list[str]:
    source = "rules and chart" if candidate.by_rules and candidate.operations else (
        "rules" if candidate.by_rules else "chart")  # fmt: skip
    mark = ", taken" if best else ""
    lines = [f"{place}. likely {candidate.likely:.3f}, score {candidate.score:.2f}, {source}{mark}"]
    lines += [f"     {step}" for step in steps_of(candidate.plan)]
    if candidate.skipped:
        lines.append(f"     skips {', '.join(candidate.skipped)}")
    lines += [f"     {effect}" for effect in _effects(candidate.features, weights())[:effects]]
    return lines


def _effects(features: Mapping[str, float], table: Mapping[str, float]) -> list[str]:
    worth = [(table.get(name, 0.0) * amount, name, amount) for name, amount in features.items()]
    worth.sort(key=lambda item: -abs(item[0]))
    return [f"{effect:+7.2f}  {name}" + (f" × {amount:g}" if amount != 1 else "")
            for effect, name, amount in worth if effect]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("question", nargs="+")
    parser.add_argument("--table")
    parser.add_argument("--most", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        tables = Tables(options.folder, Path(work))
        table = options.table or min(p.stem for p in (options.folder / "schema").glob("*.json"))
        desk = tables.desk(table)
        for question in options.question:
            print("\n".join(explained(desk, question, options.most)), "\n")


if __name__ == "__main__":
    main()
