"""How well plans agree with their question, as two networks see it that know meanings.

The score of `choose` counts signs and knows no meaning. `backend.inference.role_network` reads the
question beside the properties and foresees what each is wanted for; `backend.inference.
reading_judge` reads it beside the likeliest plans. All together say how likely each plan is.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from backend.inference.role_network import Column, Foreseen, network
from backend.plans.edits.draft import Draft
from backend.plans.reading.assembly import tokens_of
from backend.plans.reading.sorts import sort_of_word
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.choose import Candidate, ranked
from backend.plans.requests.deciding import DECISIVE, TAKEN_BY_RULES, TAKEN_BY_RULES_ALONE, chosen
from backend.plans.requests.judging import judged
from backend.plans.requests.roles import ROLES, TRAITS, Roles, computes_with_two, roles_of
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_columns import DATED, NUMERIC
from workbench.contract.plan_nodes import Aggregate, LlmExtractEntity, LlmFilter, typed

_WEIGHTS = np.array([0.417, -0.028, 0.203, 0.139, 0.251, -0.01, 0.287, -0.063, 0.288, 0.81, 0.247])
"""What each of the signs counts (`tests/bench/role_weights.py`)."""
_SURE = 0.99
"""A plan so likely by its score alone is nothing to ask the networks about."""
_JUDGED = 4
"""So many plans are judged, the likeliest by the other signs; the rest are no better than these."""
_EQUAL = 0.02
"""Plans whose likelihoods differ by less, as a part, are equally likely."""
_SENSELESS = frozenset({"answer: empty", "answer: groups of one"})
"""What an answer is that is hardly wanted."""
_MOST_COLUMNS = 16
"""So many properties are read beside a question: first those that some plan uses."""
_FEW = 12
"""A property with so many values or fewer is read with all of them."""
_SHOWN, _USED = ROLES.index("shown"), ROLES.index("used")
_MAIN = [at for at in range(len(ROLES)) if at not in (_SHOWN, _USED)]

Rows = npt.NDArray[np.float64]


def agreeing(question: str, found: Sequence[Candidate], vocabulary: Vocabulary) -> list[Candidate]:
    """The candidates with how likely each is by score and agreement, the likeliest first.

    What the networks cannot see makes no plan likelier: words passed over that say how to compute,
    what of each group, or which documents where it keeps all; another plan that reads the same
    words; and that it finds nothing or just any documents.
    """
    if not found or found[0].likely >= _SURE:
        return list(found)
    best = chosen(found, TAKEN_BY_RULES_ALONE)
    if best is not None and _is_beyond(best.plan):
        return [replace(c, likely=max(c.likely, TAKEN_BY_RULES)) if c.core == best.core else c
                for c in found]  # fmt: skip
    noun, columns = vocabulary.collection.name, columns_of(question, vocabulary)
    worth = signs_of(question, noun, columns, found) @ _WEIGHTS
    was = {c.core: c.likely for c in found}
    level = [c for c in found if not c.skipped]
    return [
        replace(c, likely=min(c.likely, was[c.core])) if _is_bounded(c, was[c.core], level) else c
        for c in ranked(found, worth.tolist())
    ]


def _is_beyond(plan: Plan) -> bool:
    """Whether a plan does what the networks know little of: it asks the texts, compares parts of
    groups, or computes with two properties. There the score decides alone.
    """
    steps = list(map(typed, plan.nodes.values()))
    items = [item for step in steps if isinstance(step, Aggregate) for item in step.aggregations]
    return (
        any(isinstance(step, LlmFilter | LlmExtractEntity) for step in steps)
        or any(item.where or item.func in ("ratio", "share") for item in items)
        or computes_with_two(plan)
    )


def _is_bounded(candidate: Candidate, was: float, level: Sequence[Candidate]) -> bool:
    """Whether agreement must not make a plan likelier than it was by its score."""
    kinds = {node.node_type for node in candidate.plan.nodes.values()}
    of_all = "GroupBy" in kinds or kinds.isdisjoint({"BasicFilter", "Sort"})
    return (
        not _SENSELESS.isdisjoint(candidate.features)
        or ("Limit" in kinds and "Sort" not in kinds)
        or any(word.lower() in DECISIVE for word in candidate.skipped)
        or (of_all and any(sort_of_word(word) == "content" for word in candidate.lacking))
        or any(c.core != candidate.core and abs(c.likely - was) < _EQUAL * was for c in level)
    )


def signs_of(
    question: str, noun: str, columns: Mapping[str, Column], found: Sequence[Candidate]
) -> Rows:
    """A row for each candidate: its score, how its plan agrees with what was foreseen, a constant,
    and how it was judged.
    """
    roles = [roles_of(candidate.plan) for candidate in found]
    used = {field for does in roles for field in does.of}
    fields = sorted(columns, key=lambda field: field not in used)[:_MOST_COLUMNS]
    foreseen = network().foreseen(question, noun, [columns[field] for field in fields])
    signs = np.array([[c.score, *agreement(does, fields, foreseen), 1.0]
                      for c, does in zip(found, roles, strict=True)])  # fmt: skip
    best = np.argsort(-(signs @ _WEIGHTS[:-1]), kind="stable")[:_JUDGED]
    scores = judged(question, [found[at].plan for at in best], columns.values())
    judgement = np.full(len(found), min(scores))
    judgement[best] = scores
    return _shared(np.column_stack([signs, judgement]), found)


def _shared(signs: Rows, found: Sequence[Candidate]) -> Rows:
    """The signs, where plans that differ only in how many lines they keep share all but the score:
    one or several is a matter of grammar.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    for place, candidate in enumerate(found):
        unlimited = Draft.of(candidate.plan).without("Limit").as_plan(candidate.plan)
        alike[plan_hash(unlimited)].append(place)
    shared = signs.copy()
    for places in alike.values():
        shared[places, 1:] = signs[places, 1:].mean(axis=0)
    return shared


def columns_of(question: str, vocabulary: Vocabulary) -> dict[str, Column]:
    """The properties as the network reads them, by their fields."""
    tokens = tokens_of(question)[1]
    mentioned: dict[str, dict[str, None]] = defaultdict(dict)
    for place in range(len(tokens)):
        for field, value in vocabulary.values_at(tokens, place)[1][:6]:
            mentioned[field][str(value)] = None
    columns: dict[str, Column] = {}
    for prop in vocabulary.properties:
        listed = prop.kind not in NUMERIC | DATED | {"bool"}
        values = vocabulary.values.of_field(prop.field) if listed else []
        few = values if len(values) <= _FEW else []
        named = list(mentioned[prop.field])
        columns[prop.field] = Column(prop.label, prop.kind, prop.description, few, named)
    return columns


def agreement(roles: Roles, fields: Sequence[str], foreseen: Foreseen) -> Rows:
    """How well a plan agrees with what was foreseen: logarithms of probabilities, for all roles of
    all properties and of the worst property, of what is shown, of what is used; of the traits; and
    the odds that there is an answer.
    """
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
    """The logarithm of the probability of what is done, by the logarithm of the odds for it."""
    return -np.logaddexp(0, np.where(does, -odds, odds).astype(np.float64))
