"""How well plans agree with their question, according to two networks that know meanings.

The score of `choose` counts features and knows no meaning. `backend.inference.role_network` reads
the question beside the properties and predicts the role of each; `backend.inference.reading_judge`
reads it beside the likeliest plans. Together they give each plan a probability.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from backend.plans.reading.rivals import is_looked_up
from backend.plans.reading.sorts import DECISIVE, sort_of_word
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.choose import Candidate, ranked
from backend.plans.requests.deciding import ACCEPTED_BY_RULES, ACCEPTED_BY_RULES_ALONE, chosen
from backend.plans.requests.judging import judged
from backend.plans.requests.outlook import Outlook, columns_of, outlook
from backend.plans.requests.roles import ROLES, TRAITS, computes_with_two, roles_of
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Aggregate, BasicFilter, LlmExtractEntity, LlmFilter, typed

_WEIGHTS = np.array([
    0.357, 0.136, 0.157, 0.271, 0.023, 0.208, 0.338, -0.063, 0.499, -0.732, 0.512, 0.246,
])  # fmt: skip
"""The weights of the features (`tests/bench/role_weights.py`)."""
_SURE = 0.99
"""A plan this probable by its score alone needs no network."""
_JUDGED = 4
"""The number of plans that are judged, the likeliest by the other features."""
_EQUAL = 0.02
"""Plans whose probabilities differ by a smaller share are equally likely."""
_SENSELESS = frozenset({"answer: empty", "answer: groups of one"})
"""Answers that are hardly ever wanted."""
_SHOWN, _USED = ROLES.index("shown"), ROLES.index("used")
_MAIN = [at for at in range(len(ROLES)) if at not in (_SHOWN, _USED)]

_MOST = ("most", "highest", "largest")
_LEAST = ("least", "fewest", "lowest", "smallest")
_WORDS_OF = {
    "avg": ("average", "mean"), "median": ("median",), "sum": ("sum", "total", "altogether"),
    "max": _MOST, "down": _MOST, "min": _LEAST, "up": _LEAST, "group": ("per", "each", "every"),
    "share": ("percentage", "percent", "share", "ratio"), "unknown": ("without", "not", "no"),
    "from": ("above", "than"), "to": ("below", "than"), "between": ("than",),
    "is not": ("not", "no", "nor", "without", "except", "excluding"),
}  # fmt: skip
"""The words of `DECISIVE` that a role or trait of a plan expresses."""
_BOUNDS = ("start", "end", "start_exclusive", "end_exclusive")

Rows = npt.NDArray[np.float64]


def agreeing(
    question: str, found: Sequence[Candidate], foreseen: Outlook | None
) -> list[Candidate]:
    """The candidates with their probability by score and agreement, the likeliest first.

    Whatever the networks cannot see makes no plan likelier: skipped words that say how to compute,
    what of each group, or which documents if it keeps all; another plan that reads the same words;
    and that it finds nothing or arbitrary documents.
    """
    if foreseen is None or not found:
        return list(found)
    best = chosen([c for c in found if not c.foreseen], ACCEPTED_BY_RULES_ALONE)
    if best is not None and (best.keeps_whole_groups or best.ranks_groups or _is_beyond(best.plan)):
        return [replace(c, likely=max(c.likely, ACCEPTED_BY_RULES)) if c.alike(best) else c
                for c in found]  # fmt: skip
    return likeliest_first(found, signs_of(question, found, foreseen) @ _WEIGHTS, DECISIVE)


def likeliest_first(found: Sequence[Candidate], worth: Rows, decisive: Set[str]) -> list[Candidate]:
    """The candidates with their probability by what they are `worth`; a plan that skips one of the
    `decisive` words becomes no likelier than by its score.
    """
    was = {c.core: 0.0 for c in found} | {c.core: c.likely for c in found if not c.foreseen}
    best_first = ranked(found, _by_grammar(worth, found))
    return [replace(c, likely=_bounded(c, was[c.core], found, decisive)) for c in best_first]


def _is_beyond(plan: Plan) -> bool:
    """Whether a plan goes beyond the networks' knowledge: it asks the texts, compares parts of
    groups, computes with or compares two properties that are no dates, or compares with the value
    of one document. Then the score decides alone.
    """
    steps = list(map(typed, plan.nodes.values()))
    tests = [step for step in steps if isinstance(step, BasicFilter) and not step.is_date]
    items = [item for step in steps if isinstance(step, Aggregate) for item in step.aggregations]
    return (
        any(isinstance(step, LlmFilter | LlmExtractEntity) for step in steps)
        or any(item.where or item.func in ("ratio", "share") for item in items)
        or any(test.start_field or test.end_field for test in tests)
        or computes_with_two(plan)
        or is_looked_up(plan.edit.warnings if plan.edit is not None else ())
    )


def _bounded(
    candidate: Candidate, was: float, found: Sequence[Candidate], decisive: Set[str]
) -> float:
    """The probability of a plan that agreement must not make likelier than it `was` by its score.
    Plans that read the same words differently stay equally likely.
    """
    level = [c for c in found if c.skipped == candidate.skipped and not c.alike(candidate)]
    if any(abs(c.likely - was) < _EQUAL * was for c in level):
        return was
    return min(candidate.likely, was) if _is_blind_to(candidate, decisive) else candidate.likely


def _is_blind_to(candidate: Candidate, decisive: Set[str]) -> bool:
    """Whether a plan does, or skips, something that the networks cannot judge."""
    kinds = {node.node_type for node in candidate.plan.nodes.values()}
    of_all = "GroupBy" in kinds or kinds.isdisjoint({"BasicFilter", "Sort"})
    passed = decisive & set(map(str.lower, candidate.skipped))
    return (
        not _SENSELESS.isdisjoint(candidate.features)
        or ("Limit" in kinds and "Sort" not in kinds)
        or (bool(passed) and not passed <= _expressed(candidate))
        or (of_all and any(sort_of_word(word) == "content" for word in candidate.lacking))
    )


def _expressed(candidate: Candidate) -> Set[str]:
    """The words of computing that a guess does not skip, since it does what they say."""
    if not candidate.foreseen:
        return frozenset()
    roles = roles_of(candidate.plan)
    does = roles.traits.union(*roles.of.values())
    return frozenset(word for role in does for word in _WORDS_OF.get(role, ()))


def foresee(question: str, vocabulary: Vocabulary, found: Sequence[Candidate]) -> Outlook | None:
    """The network's prediction; None if the score alone is certain."""
    if found and found[0].likely >= _SURE:
        return None
    noun, columns = vocabulary.collection.name, columns_of(question, vocabulary)
    return outlook(question, noun, columns, (f for c in found for f in roles_of(c.plan).of))


def signs_of(question: str, found: Sequence[Candidate], foreseen: Outlook) -> Rows:
    """A row for each candidate: score, agreement, whether predicted, a constant, its judgement."""
    signs = np.array([[c.score, *agreement(c.plan, foreseen), c.foreseen, 1.0]
                      for c in found])  # fmt: skip
    best = np.argsort(-(signs @ _WEIGHTS[:-1]), kind="stable")[:_JUDGED]
    scores = judged(question, [found[at].plan for at in best], foreseen.columns.values())
    judgement = np.full(len(found), min(scores))
    judgement[best] = scores
    return shared(np.column_stack([signs, judgement]), found)


def shared(signs: Rows, found: Sequence[Candidate]) -> Rows:
    """All features but the score are averaged over plans that differ only in how many lines they
    keep, and are those of the better one where plans differ only in the direction in which they
    compare and sort: these are a matter of grammar.
    """
    made = signs.copy()
    for places in _alike(found, directed=True):
        made[places, 1:] = signs[places, 1:].mean(axis=0)
    for places in _alike(found, directed=False):
        made[places, 1:] = made[places, 1:].max(axis=0)
    return made


def _by_grammar(worth: Rows, found: Sequence[Candidate]) -> list[float]:
    """The worth of plans; those that differ in limits or directions only keep their distance."""
    made, scores = worth.copy(), np.array([candidate.score for candidate in found])
    for places in _alike(found, directed=False):
        made[places] = worth[places].max() + scores[places] - scores[places].max()
    values: list[float] = made.tolist()
    return values


def _alike(found: Sequence[Candidate], *, directed: bool) -> Iterable[list[int]]:
    """The places of plans that differ in limits only, or in directions too unless `directed`;
    guesses keep theirs, since no word says it.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    for place, candidate in enumerate(found):
        nodes = [node for node in candidate.plan.nodes.values() if node.node_type != "Limit"]
        steps = [(node.node_type, dict(node.extras)) for node in nodes]
        for _, extras in () if directed or candidate.foreseen else steps:
            extras["descending"] = None
            extras["bounds"] = sorted(repr(extras.pop(name, None)) for name in _BOUNDS)
        alike[repr([(kind, sorted(extras.items())) for kind, extras in steps])].append(place)
    return alike.values()


def agreement(plan: Plan, outlook: Outlook) -> Rows:
    """How well a plan agrees with the prediction: log-probabilities of all roles of all properties,
    of the worst property, of what is shown, of what is used, and of the traits; and the odds that
    there is an answer.
    """
    roles, fields, foreseen = roles_of(plan), outlook.fields, outlook.foreseen
    does = np.array([[role in roles.of.get(field, ()) for role in ROLES] for field in fields])
    has = np.array([trait in roles.traits for trait in TRAITS])[1:]
    sure = _sure(does.reshape(len(fields), len(ROLES)), foreseen.roles)
    traits = _sure(has, foreseen.traits[1:])
    main, used = sure[:, _MAIN].sum(axis=1), sure[:, _USED]
    return np.array([
        main.sum(), main.min(initial=0), sure[:, _SHOWN].sum(), used.sum(), used.min(initial=0),
        traits.sum(), traits.min(), foreseen.traits[0],
    ])  # fmt: skip


def _sure(does: npt.NDArray[np.bool_], odds: npt.NDArray[np.float32]) -> Rows:
    """The log-probability of the actual roles, given the log-odds."""
    return -np.logaddexp(0, np.where(does, -odds, odds).astype(np.float64))
