"""How much of the grammar of requests is understood, by class of request.

    python -m tests.bench.plan_requests [--failures] [--only CLASS]

Every wording of `tests/backend/plans/requests` over its three collections; an answer counts when
running the plan gives what plain Python computes from the records. Ends with status 1 below 90 % of
questions or 93 % of feedback.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.backend.plans.desk import make_desk
from tests.backend.plans.requests.answers import failure
from tests.backend.plans.requests.collections import RECORDS, SCHEMAS, texts
from tests.backend.plans.requests.grammar import feedback, questions
from tests.backend.plans.requests.wording import WORDINGS, Wording

_GOALS = {"questions": 0.90, "feedback": 0.93}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failures", action="store_true", help="print what went wrong")
    parser.add_argument("--only", help="one class of request")
    options = parser.parse_args()
    right: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for words in WORDINGS:
            made = _tried(words, Path(folder), options.only)
            for kind, sort, turns, reason in made:
                total[kind, sort] += 1
                right[kind, sort] += reason is None
                if reason is not None and options.failures:
                    print(f"{kind} {sort} | {words.name} | {' || '.join(turns)} -> {reason}")
    for key in sorted(total):
        print(f"{key[0]:9} {key[1]:22} {right[key]:5} of {total[key]:5}")
    failed = False
    for kind, goal in _GOALS.items():
        count = sum(n for (k, _), n in total.items() if k == kind)
        share = sum(n for (k, _), n in right.items() if k == kind) / max(1, count)
        print(f"{kind}: {share:.1%} of {count}, goal {goal:.0%}")
        failed = failed or (count > 0 and share < goal)
    return int(failed)


def _tried(
    words: Wording, folder: Path, only: str | None
) -> list[tuple[str, str, tuple[str, ...], str | None]]:
    """Each case of one collection: its kind, its class, what was said, and what went wrong."""
    records = RECORDS[words.name]()
    tales = texts(words.name, records)
    (folder / words.name).mkdir()
    desk = make_desk(folder / words.name, words.name, SCHEMAS[words.name], records, tales)
    spoken = [{**r, "text": " ".join(t)} for r, t in zip(records, tales, strict=True)]
    grammar = {"questions": questions, "feedback": feedback}
    return [
        (kind, case.sort, case.turns, failure(desk, case))
        for kind, cases in grammar.items()
        for case in cases(words, spoken, desk.key)
        if only in (None, case.sort)
    ]


if __name__ == "__main__":
    sys.exit(main())
