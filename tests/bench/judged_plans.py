"""Plans that questions may mean, with which of them give the expected answer.

    READINGS=FOLDER[:FOLDER…] python -m tests.bench.judged_plans FILE

Writes a line of JSON for each question: its words, the plans in words as the judge of
`backend.plans.requests.judging` reads them, how likely the score of the chart finds each, and
whether its answer is right. Every fourth question is written a second time narrowed by something
that the collection knows nothing of: no plan is right then. `tests.bench.fit_judge` learns from
these lines. Loaded as a plugin, it writes those of the tests, which check every answer:

    KEPT=FILE python -m pytest -p tests.bench.judged_plans tests/backend/plans
"""

import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from backend.plans.reading.properties import Property
from backend.plans.requests import planner
from backend.plans.requests.choose import Candidate
from backend.plans.requests.judging import plans_in_words
from tests.backend.plans.desk import ACCOUNT, Desk
from tests.bench.fit_edits import right_ones
from tests.bench.fit_readings import first_questions, planned, spoiled_text
from tests.bench.readings import Case, Tables

Line = dict[str, Any]
_SPOILED = 4
_KEPT = os.environ.get("KEPT")


def lines_of(tables: Tables) -> Iterator[Line]:
    """All that a set asks."""
    for place, case in enumerate(first_questions(tables.folder)):
        desk = tables.desk(case["domain"])
        domain = f"{tables.folder.name}/{case['domain']}"
        yield _of_question(tables, desk, domain, case)
        text = spoiled_text(desk, case["question"], random.Random(place))
        if place % _SPOILED == 0 and text:
            found = planned(desk, text).candidates
            yield _line(domain, "spoiled", text, found, [False] * len(found), _props(desk))


def _of_question(tables: Tables, desk: Desk, domain: str, case: Case) -> Line:
    read = planned(desk, case["question"])
    found, refused = read.candidates, case["category"] == "refuse"
    right = [False] * len(found) if refused else right_ones(tables, desk, found, case)
    return _line(domain, case["category"], read.focused, found, right, _props(desk))


def _props(desk: Desk) -> Sequence[Property]:
    return desk.service._vocabulary(desk.docset_id, ACCOUNT).properties


def _line(
    domain: str, category: str, text: str, found: Sequence[Candidate], right: Sequence[bool],
    props: Sequence[Property],
) -> Line:  # fmt: skip
    words = plans_in_words([c.plan for c in found], props)
    plans = [
        {"words": plan, "core": c.core, "likely": c.likely, "right": fits}
        for plan, c, fits in zip(words, found, right, strict=True)
    ]
    return {"domain": domain, "category": category, "text": text, "plans": plans}


def _kept(
    question: str, best: Candidate, found: Sequence[Candidate], props: Sequence[Property]
) -> bool:
    """Judges nothing: keeps what is taken by the score alone as right."""
    right = [c.core == best.core for c in found]
    with Path(f"{_KEPT}.{os.environ.get('PYTEST_XDIST_WORKER', '')}").open("a") as file:
        line = _line("own/own", "own", question, found, right, props)
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return True


def pytest_configure() -> None:
    """Called when this is loaded as a plugin."""
    setattr(planner, "fits", _kept)  # noqa: B010  # a name that is imported there


def main() -> None:
    work = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with work as place, Path(sys.argv[1]).open("w") as file:
        for number, folder in enumerate(os.environ["READINGS"].split(":")):
            for line in lines_of(Tables(Path(folder), Path(place) / str(number))):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
