"""What the signs of `agreement` are worth beside the score of the chart.

    python -m tests.bench.role_weights FILE…

FILE are files of `tests.bench.asked_plans`, of questions from which the network has not learned; or
of `tests.bench.asked_edits`, of follow-ups, for which `edit_agreement` has weights of its own.
Prints the weights fitted on all of them, and what `deciding` takes with weights fitted on the other
domains: plans that are right, questions refused, and plans that are wrong.
"""

import argparse
import pickle
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from backend.plans.requests.agreement import signs_of
from backend.plans.requests.choose import Candidate, ranked
from backend.plans.requests.deciding import chosen
from backend.plans.requests.edit_agreement import edit_signs
from backend.plans.requests.follow_ups import chosen_edit
from backend.plans.requests.outlook import outlook
from backend.plans.requests.roles import roles_of
from tests.bench.asked_plans import AskedPlans

Rows = npt.NDArray[np.float64]
_ROUNDS, _RATE, _HELD_BACK = 400, 0.03, 0.001


def fitted(asked: Sequence[AskedPlans], signs: Sequence[Rows]) -> Rows:
    """Weights by which the right plans, or no answer, are likeliest; by Adam."""
    weights = np.zeros(signs[0].shape[1])
    weights[0] = 0.8
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    rights = [np.array([*one.right, not any(one.right)]) for one in asked]
    for step in range(1, _ROUNDS + 1):
        slope = _HELD_BACK * weights
        for one, rows, right in zip(asked, signs, rights, strict=True):
            odds = np.append(rows @ weights, 0.0)
            shares = np.exp(odds - odds.max())
            shares /= shares.sum()
            among = np.where(right, shares, 0) / max(shares[right].sum(), 1e-9)
            slope += one.weight / len(asked) * (shares - among)[:-1] @ rows
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= _RATE * mean / (1 - 0.9**step) / np.sqrt(square / (1 - 0.99**step) + 1e-9)
    return weights


def counts(asked: Sequence[AskedPlans], found: Sequence[Sequence[Candidate]]) -> Counter[str]:
    """How many questions are answered right, refused and answered wrong."""
    counted: Counter[str] = Counter()
    for one, candidates in zip(asked, found, strict=True):
        best = chosen(candidates) if one.now is None else chosen_edit(candidates)
        right = {id(c.plan) for c, fits in zip(one.candidates, one.right, strict=True) if fits}
        done = "refused" if best is None else "right" if id(best.plan) in right else "wrong"
        counted[f"{done}, {'has an answer' if one.answers else 'has none'}"] += 1
    return counted


def _signs(one: AskedPlans) -> Rows:
    used = (field for c in one.candidates for field in roles_of(c.plan).of)
    foreseen = outlook(one.text, one.noun, one.columns, used, one.now)
    if one.now is not None:
        return edit_signs(one.candidates, foreseen)
    return signs_of(one.text, one.candidates, foreseen)


def report(kept: Sequence[AskedPlans]) -> None:
    """Prints the weights, and what they give on domains that they were not fitted on."""
    asked = [one for one in kept if one.candidates]
    signs = [_signs(one) for one in asked]
    print("score alone:", dict(sorted(counts(asked, [one.candidates for one in asked]).items())))
    found: dict[int, list[Candidate]] = {}
    for domain in sorted({one.domain for one in asked}):
        others = [at for at, one in enumerate(asked) if one.domain != domain]
        weights = fitted([asked[at] for at in others], [signs[at] for at in others])
        for at, one in enumerate(asked):
            if one.domain == domain:
                found[at] = ranked(one.candidates, (signs[at] @ weights).tolist())
    both = [found[at] for at in range(len(asked))]
    print("with agreement:", dict(sorted(counts(asked, both).items())))
    print("weights:", np.round(fitted(asked, signs), 3).tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    report([one for file in parser.parse_args().files for one in pickle.loads(file.read_bytes())])


if __name__ == "__main__":
    main()
