"""Readings of a question that a language model proposes, beside those found without it.

They are operations like all others, applied, validated and scored by the same chooser. A model may
well propose a valid plan with another meaning, so a proposal loses weight for everything that is
certain without the model and that it lacks. These weights are set by hand: there are no recorded
questions to fit them on.
"""

from collections.abc import Sequence
from dataclasses import replace

from backend.language.tokens import Token
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import Operation
from backend.plans.reading.assembly import tokens_of
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.choose import Candidate, applied, beside_words, scored
from backend.plans.requests.same_answers import answers_of
from backend.plans.requests.sense import Sense
from workbench.contract.plan import EditReport, Plan
from workbench.contract.plan_canonical import plan_hash

_ASIDE = ("description", "kin")


def with_proposed(
    candidates: Sequence[Candidate], question: str, start: Draft, vocabulary: Vocabulary,
    proposed: Sequence[Sequence[Operation]], model: str,
) -> list[Candidate]:  # fmt: skip
    """The candidates, best first, with those that the model of that name proposes."""
    _, tokens = tokens_of(question)
    sense = Sense(vocabulary.collection)
    certain = _deeds(candidates[0].plan) if candidates else set[str]()
    plans = {plan_hash(c.plan): c for c in candidates}
    for operations in proposed:
        made = applied(question, start, tuple(operations), sense)
        if made is None:
            continue
        key = plan_hash(made.plan)
        if key in plans:
            both = {**plans[key].features, "source: model too": 1.0}
            plans[key] = replace(plans[key], features=both)
            continue
        report = made.plan.edit or EditReport()
        report.warnings.append(f"read with the help of {model}: check the steps")
        senseless = sum(amount for name, amount in made.features.items() if "answer: " in name)
        made = beside_words(made, question, vocabulary)
        made = replace(made, answers=answers_of(made.plan, sense))
        features = {
            **made.features,
            "source: model": 1.0,
            "model: answer without sense": senseless,
            "model: lacks what is certain": float(len(certain - _deeds(made.plan))),
            "model: lacks what is asked for": _lacking(made, tokens, vocabulary),
        }
        plans[key] = replace(made, features=features)
    return scored(list(plans.values()))


def _deeds(plan: Plan) -> set[str]:
    """The effects of a plan other than reading and showing documents, a text for each step."""
    return {
        repr([step.node_type, *sorted((k, repr(v)) for k, v in step.extras.items())])
        for node in plan.nodes.values()
        if node.inputs and node.node_type != "Project"
        for step in [node.with_fields(**dict.fromkeys(_ASIDE))]
    }


def _lacking(made: Candidate, tokens: Sequence[Token], vocabulary: Vocabulary) -> float:
    """How many numbers, names and words such as `most` of the question the plan omits."""
    steps = " ".join(repr(node.extras).lower() for node in made.plan.nodes.values())
    names = [
        token
        for token in tokens[1:]
        if token.kind == "word" and token.text[:1].isupper() and token.lower not in steps
    ]
    names = [t for t in names if t.stem not in vocabulary.nouns]
    cues = sum(n for name, n in made.features.items() if "lacks what it asks for" in name)
    return len(names) + cues + made.features.get("plan lacks a number", 0.0)
