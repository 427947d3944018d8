"""Chooses the plan that answers a question: candidates are built, tested and compared.

Candidates come from the chart, from the rules if they understand the question too, and from a
language model if one is configured and the others leave the question open (`model_readings`). Each
is applied to an empty plan, validated, and checked for sense; one score compares them all with the
choice of answering nothing. `deciding` accepts one of them, offers two or refuses.
"""

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise

from backend.language.adjectives import SUPERLATIVES
from backend.language.common_words import is_past
from backend.language.nouns import singular
from backend.language.words import words
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import AddFilter, Operation, SetGroup, op_name
from backend.plans.reading.assembly import BY_FIGURE, Read, Request, read_requests, tokens_of
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.linking_amounts import is_sum
from backend.plans.reading.linking_meanings import BY_MEANING, DOUBT
from backend.plans.reading.repairing import mended_text
from backend.plans.reading.score import total, weights
from backend.plans.reading.sorts import is_number, sort_of_word
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.acts import acts_of
from backend.plans.requests.contrasting import chosen_figure
from backend.plans.requests.counted_guesses import counted_guesses
from backend.plans.requests.cues import UNORDERED, cues, dates_named, finer_signs
from backend.plans.requests.evidence import Evidence, evidence_of, supported
from backend.plans.requests.foreseen_plans import foreseen_requests
from backend.plans.requests.outlook import Outlook
from backend.plans.requests.plan_state import PlanState, state_of
from backend.plans.requests.same_answers import Answers, answers_of
from backend.plans.requests.sense import Sense
from backend.plans.requests.unused import reflected_words, unused_in
from backend.plans.tables.collection import Collection
from workbench.contract.derived_fields import derived_field
from workbench.contract.plan import AppliedClause, EditReport, Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_nodes import BasicFilter, Node
from workbench.contract.plan_validation import validate

_MOST_EXTENDED, _MOST_FORESEEN = 3, 24
"""How many readings are extended by predictions, and the most plans that result."""
_MOST_READ = 14
"""The number of readings that become plans: the right one is hardly ever further down."""
_ADDS_UP = "adds up what is asked for per document"
_COUNTS_SUMS = "counts documents for sums of money"
BROKEN = frozenset(
    {
        "average lacks what it asks for", "median lacks what it asks for",
        "each of what: nothing is grouped", "how much: nothing is computed", _ADDS_UP, _COUNTS_SUMS,
        "whether it is known: no gap is tested", "answer: dates added up", "answer: rates added up",
        UNORDERED,
    }
)  # fmt: skip
"""Features of plans that ignore what a plain word of the question asks for."""
UNANSWERED = "unanswered: property"
HOLLOW = "answer: groups of one"
_NEVER_MEANT = 10.0
"""The cost of being broken: enough to cast no doubt on other plans."""
_NOTHING_PASSED_OVER = Request()
_NO_ANSWERS = Answers()


@dataclass(frozen=True)
class Candidate:
    """A possible plan. `answers` names what it answers, regardless of the form; `likely` is the
    probability that the first of these is meant, among all plans and no answer at all.
    """

    plan: Plan
    operations: tuple[Operation, ...]
    features: Mapping[str, float]
    answers: Answers = _NO_ANSWERS
    skipped: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    """The skipped words that the plan does not reflect."""
    guesses: tuple[str, ...] = ()
    """What it counts although the documents are hardly called so."""
    read: Read | None = None
    """The reading it was built from."""
    foreseen: bool = False
    """Whether something predicted rather than read was added to the reading."""
    by_rules: bool = False
    score: float = 0.0
    likely: float = 0.0

    @property
    def core(self) -> str:
        """The name of what it finds."""
        return self.answers.core

    @property
    def keeps_whole_groups(self) -> bool:
        """Whether it keeps groups by what all of their documents have."""
        return self.read is not None and bool(self.read.request.wholes)

    @property
    def ranks_groups(self) -> bool:
        """Whether it ranks groups of several documents by a figure: `top 3 sites by most beds`."""
        return BY_FIGURE in self.features and HOLLOW not in self.features

    def alike(self, other: "Candidate") -> bool:
        """Whether another answers the same, perhaps in another form."""
        return self.answers.alike(other.answers)


class Choosing:
    """The possible plans of a question."""

    def __init__(self, question: str, start: Draft, vocabulary: Vocabulary, today: date) -> None:
        self._question, self._start, self._vocabulary = question, start, vocabulary
        self._today = today
        self._text, self._slips = mended_text(question, vocabulary)
        self._sense = Sense(vocabulary.collection)
        self._unbounded: list[Read] = []

    def candidates(self, ruled: Plan | None = None) -> list[Candidate]:
        """The plans that words express, likeliest first; `ruled` is that of the rules."""
        found: dict[str, Candidate] = {}
        for read in read_requests(self._text, self._vocabulary, self._today):
            if read.request.edits and not read.request.keys:
                self._unbounded.append(read)
                continue
            for made in self._made(read):
                found.setdefault(plan_hash(made.plan), made)
            if len(found) >= _MOST_READ:
                break
        if ruled is not None:
            name = plan_hash(ruled)
            found[name] = self._by_rules(ruled, found.get(name), list(found.values()))
        return scored(_rivalling(list(map(self._weighed, found.values()))))

    def with_foreseen(self, found: Sequence[Candidate], outlook: Outlook) -> list[Candidate]:
        """The candidates with further ones that follow the prediction."""
        names = {plan_hash(candidate.plan) for candidate in found}
        made: list[Candidate] = []
        reads = [c.read.request for c in found if c.read is not None]
        columns = dict.fromkeys(name for request in reads for name in request.columns)
        parts = [name for name in columns if derived_field(name) is not None]
        for read in self._to_extend(found):
            for request in foreseen_requests(read.request, outlook, self._vocabulary, parts):
                features = {**read.features, "source: foreseen": 1.0}
                for candidate in self._made(replace(read, request=request, features=features)):
                    name = plan_hash(candidate.plan)
                    if name not in names and len(made) < _MOST_FORESEEN:
                        names.add(name)
                        steps = {step for c in found if c.read is read for step in steps_in(c.plan)}
                        made.append(self._weighed(as_guess(candidate, steps)))
        return [*found, *(replace(c, likely=0.0) for c in scored(made))]

    def _to_extend(self, found: Sequence[Candidate]) -> list[Read]:
        """The readings to extend, the best of each set of conditions; none that skips a number."""
        best: dict[str, Read] = {}
        reads = [c.read for c in found if c.read is not None]
        for read in (*reads[:_MOST_EXTENDED], *self._unbounded[:_MOST_EXTENDED]):
            request = read.request
            if not any(map(is_number, request.skipped)):
                best.setdefault(repr((request.conditions, request.times, request.edits)), read)
        return list(best.values())[:_MOST_EXTENDED]

    def _made(self, read: Read) -> Iterator[Candidate]:
        """The plans of a reading."""
        for act in acts_of(read.request, self._vocabulary):
            made = applied(self._question, self._start, act.operations, self._sense, read.request)
            if made is None:
                continue
            features = {**read.features, "source: chart": 1.0, **made.features}
            for feature, amount in act.features:
                features[feature] = features.get(feature, 0.0) + amount
            made = replace(made, features=features, read=read)
            yield replace(made, plan=with_remarks(made.plan, self._slips))

    def _by_rules(
        self, ruled: Plan, same: Candidate | None, found: Sequence[Candidate]
    ) -> Candidate:
        if same is not None:
            both = {**same.features, "source: both": 1.0}
            return replace(same, features=both, by_rules=True, plan=ruled)
        warned = float(bool(ruled.edit is not None and ruled.edit.warnings))
        features = {"source: rules": 1.0, "source: rules assume": warned}
        explained = any(not c.skipped for c in found)
        features["rules alone: the chart reads all" if explained else
                 "rules alone: the chart passes words over"] = 1.0  # fmt: skip
        if not found:
            features["rules alone: the chart reads nothing"] = 1.0
        features |= self._sense.of(conditions_of(ruled))
        return Candidate(ruled, (), features, by_rules=True)

    @cached_property
    def _evidence(self) -> Evidence:
        return evidence_of(tokens_of(self._text)[1], self._vocabulary, self._today)

    def _weighed(self, candidate: Candidate) -> Candidate:
        """The candidate with features of its plan beside the words, and of its results."""
        worded = beside_words(candidate, self._text, self._vocabulary)
        worded = with_support(worded, self._evidence, state_of(self._start))
        worded = with_lacking(worded, self._vocabulary.collection)
        return replace(worded, answers=answers_of(worded.plan, self._sense))


_IGNORED = "ignored these words: "


def as_guess(candidate: Candidate, read: Set[str]) -> Candidate:
    """The candidate with a remark on its guessed steps; the others were `read`."""
    report = candidate.plan.edit or EditReport()
    guessed = "; ".join(step for step in steps_in(candidate.plan) if step not in read)
    spoken = ", ".join(f"“{word}”" for word in candidate.skipped)
    remark = f"read {spoken} as: {guessed}" if spoken else f"guessed from the question: {guessed}"
    others = [text for text in report.warnings if not text.startswith(_IGNORED)]
    report = report.model_copy(update={"warnings": [remark, *others] if guessed else others})
    plan = candidate.plan.model_copy(update={"edit": report})
    return replace(candidate, plan=plan, foreseen=True)


def steps_in(plan: Plan) -> list[str]:
    return [node.description or node.node_type for node in plan.nodes.values() if node.inputs]


def with_remarks(plan: Plan, remarks: Sequence[str]) -> Plan:
    """The plan with further remarks in its report."""
    report = plan.edit or EditReport()
    report = report.model_copy(update={"warnings": [*remarks, *report.warnings]})
    return plan.model_copy(update={"edit": report}) if remarks else plan


def _rivalling(found: Sequence[Candidate]) -> list[Candidate]:
    """Notes for each candidate what it skips although a reading of all words covers it, and whether
    it ignores words, or reads them as the documents, that probably mean something else.
    """
    read = {sign for c in found if not c.skipped for sign in finer_signs(c.plan)}
    whole = any(c.keeps_whole_groups for c in found)
    ordered = any(not c.skipped and Draft.of(c.plan).on_spine("Sort") for c in found)
    named = {
        word
        for c in found
        if c.features.get(BY_MEANING, 0.0) > 0 and c.features[DOUBT] <= _SLIGHT
        for word in _quoted(c.plan, "read “")
    }
    made: list[Candidate] = []
    for candidate in found:
        missed = {f"passes over {sign}": 1.0 for sign in read - finer_signs(candidate.plan)}
        if whole and not candidate.keeps_whole_groups:
            missed["passes over whole groups"] = 1.0
        if ordered and any(map(_is_extreme, candidate.skipped)):
            missed["passes over an extreme"] = 1.0
        if named & (_quoted(candidate.plan, "took “") | _quoted(candidate.plan, "ignored “")):
            missed["noun: likely to mean something else"] = 1.0
        made.append(replace(candidate, features={**candidate.features, **missed}))
    return made


def _is_extreme(word: str) -> bool:
    return word.lower() in SUPERLATIVES or word.lower().endswith("est")


_SLIGHT = 0.3
"""The doubt up to which a word probably has the meaning that the network suggests."""


def _quoted(plan: Plan, beginning: str) -> set[str]:
    """The words other than verbs that remarks quote: `took “mowers” to mean the documents`."""
    remarks = plan.edit.warnings if plan.edit is not None else []
    quoted = (r.removeprefix(beginning).split("”")[0] for r in remarks if r.startswith(beginning))
    words_quoted = {word for phrase in quoted for word in phrase.lower().split()}
    return {word for word in words_quoted if not is_past(word)}


def with_lacking(candidate: Candidate, collection: Collection) -> Candidate:
    """Notes which skipped words the plan does not reflect."""
    if candidate.by_rules and not candidate.skipped:
        return _with_unused(candidate, collection)
    skipped = [word for word in candidate.skipped if sort_of_word(word) in _CARRYING]
    if not skipped:
        return candidate
    reflected = reflected_words(candidate.plan, collection, skipped)
    lacking = tuple(word for word in skipped if word.lower() not in reflected)
    features = dict(candidate.features)
    for word in skipped:
        name = "lacks" if word in lacking else "does"
        feature = f"skips what it {name}: {sort_of_word(word)}"
        features[feature] = features.get(feature, 0.0) + 1.0
    return replace(candidate, features=features, lacking=lacking)


def _with_unused(candidate: Candidate, collection: Collection) -> Candidate:
    """The same for the result of the rules, which do not report skipped words."""
    lacking = tuple(unused_in(candidate.plan, collection))
    features = dict(candidate.features)
    for word in lacking:
        feature = f"rules lack: {sort_of_word(word)}"
        features[feature] = features.get(feature, 0.0) + 1.0
    return replace(candidate, features=features, lacking=lacking)


_CARRYING = frozenset({"content", "verb", "steering", "number"})


def beside_words(candidate: Candidate, question: str, vocabulary: Vocabulary) -> Candidate:
    """The candidate with what the words of the question promise."""
    _, tokens = tokens_of(question)
    labels = [prop.label.lower() for prop in vocabulary.properties]
    features = {**candidate.features, **cues(tokens, candidate.plan, labels, vocabulary.called)}
    features |= dates_named(tokens, candidate.plan, vocabulary)
    guesses = tuple(counted_guesses(candidate.plan, vocabulary.collection))
    if {"plan GroupBy", "plan computes sum"} <= features.keys() and any(
        one.lower == "per" and two.stem in vocabulary.nouns for one, two in pairwise(tokens)
    ):
        features[_ADDS_UP] = 1.0
    if any(map(is_sum, guesses)):
        features[_COUNTS_SUMS] = 1.0
    return replace(candidate, features=features, guesses=guesses)


def with_support(candidate: Candidate, evidence: Evidence, nothing: PlanState) -> Candidate:
    """The candidate with its steps that no word asks for, and words that no step answers."""
    plan = candidate.plan
    now = state_of(Draft.of(plan))
    found = supported(evidence, nothing, now, plan, plan, fresh=True)
    return replace(candidate, features={**candidate.features, **found})


def scored(found: Sequence[Candidate], table: Mapping[str, float] | None = None) -> list[Candidate]:
    """The candidates with their probabilities, best first; `table` contains the weights."""
    table = weights() if table is None else table
    worth = [total(c.features, table) for c in found]
    worth = [
        w - _NEVER_MEANT * (not BROKEN.isdisjoint(c.features))
        for c, w in zip(found, worth, strict=True)
    ]
    return ranked(found, worth)


def ranked(found: Sequence[Candidate], worth: Sequence[float]) -> list[Candidate]:
    """The candidates with their probabilities by worth, best first; no answer is worth nothing."""
    largest = max([0.0, *worth])
    exponents = [math.exp(w - largest) for w in worth]
    whole = sum(exponents) + math.exp(-largest)
    shares: dict[str, float] = {}
    for candidate, exponent in zip(found, exponents, strict=True):
        shares[candidate.core] = shares.get(candidate.core, 0.0) + exponent / whole
    made = [replace(c, score=w, likely=shares[c.core]) for c, w in zip(found, worth, strict=True)]
    return sorted(made, key=lambda c: (-c.likely, -c.score))


def together(candidate: Candidate, found: Sequence[Candidate]) -> float:
    """How likely one of the plans is meant that answer like the candidate."""
    likely = {c.core: c.likely for c in reversed(found) if candidate.alike(c)}
    return sum(likely.values())


def applied(
    question: str,
    start: Draft,
    operations: tuple[Operation, ...],
    sense: "Sense",
    request: Request = _NOTHING_PASSED_OVER,
) -> Candidate | None:
    """A reading as a plan, reporting skipped words; None if it cannot be applied or cannot run."""
    draft, report = start, EditReport()
    try:
        for operation in operations:
            draft, node_id, _ = apply(draft, operation, question)
            report.applied.append(
                AppliedClause(clause=question, op=op_name(operation), node=node_id)
            )
    except Unclear:
        return None
    draft, place = draft.renumbered()
    report.applied = [
        item.model_copy(update={"node": None if item.node is None else place.get(item.node)})
        for item in report.applied
    ]
    plan = draft.as_plan(Plan(query=question, nodes={}, result_node=0))
    verdict = validate(plan, sense.collection.fields)
    if verdict.faults:
        return None
    report.warnings.extend(fault.msg for fault in verdict.warnings)
    report.warnings.extend(passed_over(request))
    report.warnings.extend(completed_values(question, operations))
    report.warnings.extend(chosen_figure(request, operations))
    conditions = [op.condition for op in operations if isinstance(op, AddFilter)]
    features = sense.of(conditions) | _hollow_groups(operations, sense)
    plan = plan.model_copy(update={"edit": report})
    return Candidate(plan, operations, features, skipped=request.skipped)


def passed_over(request: Request) -> list[str]:
    """Remarks on words that a reading skips, or takes as a noun for the documents."""
    listed = ", ".join(f"“{word}”" for word in (*request.skipped, *request.asides))
    remarks = [f"took “{word}” to mean the documents" for word in request.nouns]
    remarks += request.remarks
    return [*remarks, f"{_IGNORED}{listed}"] if listed else remarks


def completed_values(question: str, operations: Sequence[Operation]) -> list[str]:
    """Remarks on values of which the question names only a part."""
    spoken = {singular(word.lower()): word for word in words(question)}
    remarks: list[str] = []
    for condition in (op.condition for op in operations if isinstance(op, AddFilter)):
        for value in [condition.query, *(condition.values or [])]:
            parts = words(value) if isinstance(value, str) and condition.match == "exact" else []
            # A name may stand there twice, with an address.
            forms = dict.fromkeys(singular(part.lower()) for part in parts)
            named = [spoken[form] for form in forms if form in spoken]
            if named and len(named) < len(parts):
                remarks.append(f"read “{' '.join(named)}” as {value}")
    return remarks


def ignoring(candidate: Candidate, sentences: Sequence[str]) -> Candidate:
    """The candidate with a remark on sentences that are talk."""
    report = candidate.plan.edit or EditReport()
    remark = "ignored: " + ", ".join(f"“{sentence}”" for sentence in sentences)
    report = report.model_copy(update={"warnings": [*report.warnings, remark]})
    return replace(candidate, plan=candidate.plan.model_copy(update={"edit": report}))


def conditions_of(plan: Plan) -> list[BasicFilter]:
    """The conditions of a plan on documents."""
    draft = Draft.of(plan)
    nodes: list[Node] = [n for n in draft.of_type("BasicFilter") if draft.flow(n.node_id) == "docs"]
    return [parsed for node in nodes if isinstance(parsed := node.parsed, BasicFilter)]


def _hollow_groups(operations: Sequence[Operation], sense: "Sense") -> dict[str, float]:
    """Whether nearly every document would be its own group."""
    keys = [op.key for op in operations if isinstance(op, SetGroup)]
    if not keys or keys[0].bucket is not None or not sense.hollow(keys[0].fields):
        return {}
    return {HOLLOW: 1.0}
