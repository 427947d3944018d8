"""Chooses the edit that a follow-up asks for: candidates are built, tested and compared.

Candidates come from the chart, read over the current plan; from the rules; and from the same words
as a new question. One score compares their changes with the words that asked for them, and with the
choice of changing nothing.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from backend.language.synonyms import root
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.lifting import lift_queries
from backend.plans.edits.merging import excludes
from backend.plans.edits.operations import op_name
from backend.plans.reading.assembly import Read, read_requests, tokens_of
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.grammar_edits import FOLLOW_UPS
from backend.plans.reading.repairing import mended_text
from backend.plans.reading.score import edit_weights
from backend.plans.reading.sorts import is_number
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.changes import Wording, changes, crossed, wording_of
from backend.plans.requests.choose import (
    UNANSWERED,
    Candidate,
    as_guess,
    passed_over,
    scored,
    steps_in,
    together,
)
from backend.plans.requests.cues import stored_values
from backend.plans.requests.deciding import needed_leading
from backend.plans.requests.edit_acts import EditAct, edit_acts
from backend.plans.requests.evidence import Evidence, evidence_of, supported
from backend.plans.requests.foreseen_edits import foreseen_edits
from backend.plans.requests.further_exclusions import all_stay
from backend.plans.requests.of_the_list import of_the_list
from backend.plans.requests.outlook import Outlook
from backend.plans.requests.plan_state import PlanState, documents_of, state_of
from backend.plans.requests.promises import Promises, kept, promises_of
from backend.plans.requests.report import in_words
from backend.plans.requests.ruled_out import DROPPING, STAYS
from backend.plans.requests.same_answers import answers_of
from backend.plans.requests.sense import Sense
from backend.plans.tables.collection import Collection
from workbench.contract.errors import Invalid
from workbench.contract.plan import AppliedClause, EditReport, Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.plan_validation import validate

_MOST_READ = 12
"""The number of readings of the chart that are tried."""
_MOST_TRIED = 60
"""The number of acts that are applied and tested: the right one is hardly ever further down."""
_FRESH = 3
ACCEPTED = 0.5
"""The minimum probability of an edit that is applied without asking."""
ACCEPTED_SKIPPING = 0.75
"""The same if content words were skipped."""
ACCEPTED_ALONE = 0.3
"""The same for edits of the rules, which refuse unexplained words, if others skip words."""
_IGNORING = "rules: ignore what nothing matches"
_NEVER = frozenset({"unanswered: proportion", "unanswered: median"})
"""Features of edits that do not compute what was asked for."""
_RIVAL = 0.05
"""The minimum probability of another edit that casts doubt on the best."""


@dataclass(frozen=True)
class Asked:
    """A request about a plan, with what is needed to read it. `start` reads everything."""

    before: Plan
    feedback: str
    collection: Collection
    vocabulary: Vocabulary
    today: date
    further: bool = False
    """Whether it excludes something beside all conditions of the plan."""

    @cached_property
    def mended(self) -> tuple[str, list[str]]:
        """The words with typing errors corrected, and a note on each."""
        return mended_text(self.feedback, self.vocabulary)

    @cached_property
    def wording(self) -> Wording:
        return wording_of(tokens_of(self.mended[0])[1], self.vocabulary)

    @cached_property
    def reads(self) -> list[Read]:
        return read_requests(self.mended[0], self.vocabulary, self.today, FOLLOW_UPS)

    @cached_property
    def promises(self) -> Promises:
        return promises_of(self.reads)

    @cached_property
    def evidence(self) -> Evidence:
        return evidence_of(self.wording.tokens, self.vocabulary, self.today)

    @cached_property
    def was(self) -> PlanState:
        return state_of(lift_queries(Draft.of(self.before)))

    @cached_property
    def sense(self) -> Sense:
        return Sense(self.collection)

    def features(self, plan: Plan, *, fresh: bool = False) -> dict[str, float]:
        """Features of an edit's changes beside the words that ask for it."""
        now = state_of(Draft.of(plan))
        features = changes(self.wording, self.before, self.was, plan, now, fresh=fresh)
        features |= kept(self.promises, self.was, now)
        features |= supported(self.evidence, self.was, now, self.before, plan, fresh=fresh)
        if self._by_another_date(now):
            features["order by a further date"] = 1.0
        if (self.was.linear or self.was.share) and (now.linear or now.share):
            features |= self.sense.between(self.was.filters, now.filters)
        if now.gives == "docs" and now.lines != self.was.lines and now.lines is not None:
            most = self.sense.count(now.filters)
            if most is not None and most < now.lines:
                features["answer: a limit that cuts nothing"] = 1.0
        parts = [*(now.share or ()), *(test for item in now.measures for test in item.where)]
        if any(excludes(test, condition) for test in parts for condition in now.filters):
            features["answer: a share of nothing"] = 1.0
        if now.share and all(now.filters.count(condition) > 1 for condition in now.share):
            features["answer: a share that is always whole"] = 1.0
        new = [c for c in now.filters if c not in self.was.filters and c.query is not None]
        if any(c.field == now.counted and not c.negate for c in new):
            features["answer: the different values of one value"] = 1.0
        valued = {c.field for c in now.filters if c.query is not None and not c.negate}
        if valued & set(now.keys) - set(self.was.keys):
            features["answer: groups of one value"] = 1.0
        if self.was.share and now.keys and not any(m.func == "share" for m in now.measures):
            features["share given up for groups"] = 1.0
        in_time = any(node.extras.get("bucket") for node in now.draft.on_spine("GroupBy"))
        if now.keys != self.was.keys and not in_time and self.sense.hollow(now.keys):
            features["answer: groups of one"] = 1.0
        return features

    def _by_another_date(self, now: PlanState) -> bool:
        """Whether documents are ordered by a date that is neither named, in the plan, nor first."""
        dated = [prop for prop in self.vocabulary.properties if prop.dated]
        prop = next((prop for prop in dated[1:] if prop.field == now.order), None)
        if prop is None or now.order == self.was.order or self.was.filtered(prop.field):
            return False
        words = {root(token.stem) for token in self.wording.tokens if token.kind == "word"}
        return not words & {root(part) for part in (*prop.parts, *prop.described)}


def edit_candidates(
    asked: Asked, ruled: Plan | None, fresh: Sequence[Candidate]
) -> list[Candidate]:
    """All possible edits of a follow-up, the likeliest first. `ruled` is that of the rules, `fresh`
    are plans of the same words as a question.
    """
    was, reads = asked.was, asked.reads
    unchanged = plan_hash(asked.before)
    edits: dict[str, Candidate] = {}
    for read, act, behind in _acts(reads, asked):
        made = _applied(asked, read, act)
        if made is None:
            continue
        name = plan_hash(made.plan)
        if name == unchanged or (name in edits and not _explains_all(made, edits[name])):
            continue
        more = {"chart: behind the best": behind, "source: chart": 1.0}
        more |= asked.features(made.plan)
        edits[name] = replace(made, features={**made.features, **more})
    for candidate in fresh[:_FRESH]:
        name = plan_hash(candidate.plan)
        if name == unchanged:
            continue
        if name not in edits:
            edits[name] = _anew(asked, candidate)
        elif was.filters and not set(map(repr, was.filters)) & set(map(repr, _kept(candidate))):
            # An edit that keeps none of the conditions is a new question, and reports that.
            edits[name] = replace(edits[name], plan=_anew(asked, candidate).plan)
    if ruled is not None:
        _with_rules(asked, ruled, edits)
        _with_unexplained(ruled, reads, edits)
    possible = list(edits.values())
    if asked.further:
        possible = [c for c in possible if all_stay(was.filters, _kept(c))]
    possible = [c for c in possible if STAYS not in c.features] or possible
    named = [replace(c, answers=answers_of(c.plan, asked.sense)) for c in possible]
    return scored(named, edit_weights())


def guessed_edits(asked: Asked, found: Sequence[Candidate], outlook: Outlook) -> list[Candidate]:
    """Further edits, which do what is foreseen; none where a number is passed over."""
    reads = [read for read in asked.reads if not any(map(is_number, read.request.skipped))]
    if not reads:
        return []
    names = {plan_hash(asked.before), *(plan_hash(candidate.plan) for candidate in found)}
    made: list[Candidate] = []
    for act in foreseen_edits(asked.was, outlook, asked.vocabulary):
        candidate = _applied(asked, reads[0], act)
        if candidate is None or plan_hash(candidate.plan) in names:
            continue
        names.add(plan_hash(candidate.plan))
        features = {**candidate.features, **asked.features(candidate.plan)}
        guess = as_guess(candidate, frozenset(steps_in(asked.before)))
        answers = answers_of(candidate.plan, asked.sense)
        made.append(replace(guess, features=features, answers=answers))
    return [replace(c, likely=0.0) for c in scored(made, edit_weights())]


def _explains_all(made: Candidate, other: Candidate) -> bool:
    """Whether a reading that leads to the same plan explains all words, and the other does not."""
    return bool(other.skipped) and not made.skipped


def _kept(candidate: Candidate) -> tuple[BasicFilter, ...]:
    return state_of(Draft.of(candidate.plan)).filters


def _acts(reads: Sequence[Read], asked: Asked) -> Iterator[tuple[Read, EditAct, float]]:
    """Acts of the best readings, and how far each reading is behind the best."""
    tried = 0
    for read in reads[:_MOST_READ]:
        for act in edit_acts(read.request, asked.was, asked.vocabulary):
            yield read, act, reads[0].score - read.score
            tried += 1
        if tried >= _MOST_TRIED:
            return


def _applied(asked: Asked, read: Read, act: EditAct) -> Candidate | None:
    """An act as a plan; None if it cannot be applied or the plan cannot run."""
    was = asked.was
    draft = documents_of(was.draft) if act.anew else was.draft
    report, lines = EditReport(warnings=list(asked.mended[1])), list[str]()
    try:
        for operation in of_the_list(act.operations, draft, asked.wording.tokens):
            draft, node_id, line = apply(draft, operation, asked.before.query)
            name = op_name(operation)
            report.applied.append(AppliedClause(clause=asked.feedback, op=name, node=node_id))
            lines.append(line)
    except (Unclear, IndexError):
        return None
    plan = draft.as_plan(asked.before)
    verdict = validate(plan, asked.collection.fields)
    if verdict.faults:
        return None
    report.warnings.extend(fault.msg for fault in verdict.warnings)
    report.warnings.extend(passed_over(read.request))
    kept = {name: n for name, n in read.features.items() if name.startswith("skip")}
    if not DROPPING.isdisjoint(word.lower() for word in read.request.skipped):
        kept["skip: what should go"] = 1.0
    signs = [name for name, _ in act.features] + (["anew"] if act.anew else [])
    features = kept | crossed(signs, asked.wording.marks)
    plan = plan.model_copy(update={"edit": report, "llm_plan": in_words(report, lines)})
    return Candidate(plan, act.operations, features, skipped=read.request.skipped)


def _anew(asked: Asked, candidate: Candidate) -> Candidate:
    """The plan of a question, in place of the current one, which undo restores."""
    report = candidate.plan.edit or EditReport()
    first = AppliedClause(clause=asked.feedback.strip(), op="start_over")
    report = report.model_copy(update={"applied": [first, *report.applied]})
    steps = [node.description or node.node_type for node in candidate.plan.nodes.values()]
    lines = ["took this as a new question", *steps]
    plan = candidate.plan.model_copy(
        update={"query": asked.before.query, "edit": report, "llm_plan": in_words(report, lines)}
    )
    features = {
        **asked.features(plan, fresh=True),
        "fresh: likely": math.log(max(candidate.likely, 1e-3)),
        "source: fresh": 1.0,
    }
    return Candidate(plan, (), features, skipped=candidate.skipped)


def _starts_over(plan: Plan) -> bool:
    return any(item.op == "start_over" for item in (plan.edit or EditReport()).applied[:1])


def _with_rules(asked: Asked, ruled: Plan, edits: dict[str, Candidate]) -> None:
    """Adds the edit of the rules, or notes that it equals another."""
    name = plan_hash(ruled)
    left = bool(ruled.edit is not None and ruled.edit.not_applied)
    warned = bool(ruled.edit is not None and ruled.edit.warnings)
    ignored = _ignored(asked, ruled)
    signs = {"rules: a clause left out": float(left), "rules: assume": float(warned),
             _IGNORING: float(len(ignored))}  # fmt: skip
    signs = {sign: amount for sign, amount in signs.items() if amount}
    if name in edits:
        made = edits[name].features
        if _starts_over(edits[name].plan):
            made = {**asked.features(ruled), "source: chart": 1.0}
        both = {**made, **signs, "source: both": 1.0}
        if left:
            both = _without_what_is_reported(both)
        plan = edits[name].plan if _starts_over(edits[name].plan) else ruled
        edits[name] = replace(edits[name], features=both, by_rules=True, plan=plan)
        return
    read = [c for c in edits.values() if not c.skipped]
    alone = "all" if read else ("part" if edits else "nothing")
    changed = asked.features(ruled)
    features = {
        **(_without_what_is_reported(changed) if left else changed),
        **signs,
        "source: rules": 1.0,
        f"rules alone: the chart reads {alone}": 1.0,
    }
    edits[name] = Candidate(ruled, (), features, skipped=ignored, by_rules=True)


_NARROWING = frozenset("ones only just those which who whose where with without".split())  # noqa: SIM905
_IGNORED = re.compile(r"ignored “([^”]+)”: no property or value matches")


def _ignored(asked: Asked, ruled: Plan) -> tuple[str, ...]:
    """The words after a narrowing one that the rules ignore, so that the filter is unknown."""
    if _NARROWING.isdisjoint(token.lower for token in asked.wording.tokens):
        return ()
    text = " ".join((ruled.edit or EditReport()).warnings)
    return tuple(_IGNORED.findall(text))


def _without_what_is_reported(features: Mapping[str, float]) -> dict[str, float]:
    """Features of an edit that reports its omissions, which count by themselves."""
    named = ("skip", "promise: lacks")
    return {name: amount for name, amount in features.items() if not name.startswith(named)}


def _with_unexplained(ruled: Plan, reads: Sequence[Read], edits: dict[str, Candidate]) -> None:
    """Notes words that no reading of the chart explains and that the rules' plan lacks too."""
    words = [frozenset(word.lower() for word in read.request.skipped) for read in reads]
    never = frozenset.intersection(*words) if words else frozenset()
    reported = " ".join(item.clause for item in (ruled.edit or EditReport()).not_applied).lower()
    text = f"{' '.join(stored_values(ruled))} {reported}"
    unexplained = sum(word not in text for word in never)
    name = plan_hash(ruled)
    if unexplained:
        more = {"rules: words no reading explains": float(min(unexplained, 4))}
        edits[name] = replace(edits[name], features={**edits[name].features, **more})


def _answers_all(candidate: Candidate) -> bool:
    """Whether a possible edit passes over no words and no named property."""
    possible = candidate.likely >= 2 * _RIVAL
    return possible and not candidate.skipped and UNANSWERED not in candidate.features


def _lacks_what_is_asked(edit: Candidate) -> bool:
    """Whether an edit does not compute what was asked for; one that drops something need not: `take
    out the middle filter`.
    """
    drops = any(name.endswith("gone ~ drop") for name in edit.features)
    return not drops and not _NEVER.isdisjoint(edit.features)


def chosen_edit(made: Sequence[Candidate], refused: Invalid | None = None) -> Candidate | None:
    """The edit to apply, None if none is likely enough; `refused` is the refusal of the rules."""
    best = made[0] if made else None
    if best is None or any(map(is_number, best.skipped)) or _lacks_what_is_asked(best):
        return None
    likely = together(best, made)
    if any(c.by_rules for c in made if best.alike(c)):
        others = [c for c in made if not best.alike(c) and c.likely >= _RIVAL]
        doubted = any(not c.skipped for c in others) or _IGNORING in best.features
        needed = ACCEPTED if doubted else ACCEPTED_ALONE
    else:
        needed = ACCEPTED_SKIPPING if best.skipped else ACCEPTED
    if _IGNORING not in best.features:
        needed = needed_leading(best, made, needed, refused)
    rivals = {c.core: c for c in reversed(made) if not best.alike(c)}
    if UNANSWERED in best.features and any(map(_answers_all, rivals.values())):
        needed = max(needed, ACCEPTED_SKIPPING)
    return best if likely >= needed else None
