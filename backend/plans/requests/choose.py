"""Which of several plans answers a question: candidates made, tested and compared.

Candidates come from the chart, from the rules where they read the question too, and from a language
model where one is set and the others leave the question open (`model_readings`). Each is applied to
an empty plan, validated, and checked for sense; one score compares them all with the choice of
answering nothing. A plan is taken when it is likely enough to be what was meant.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import dropwhile

import polars as pl

from backend.language.nouns import singular
from backend.language.numerals import numeral_at
from backend.language.tokens import tokenise
from backend.language.words import words
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import AddFilter, Operation, SetGroup, op_name
from backend.plans.reading.assembly import Request, read_requests, sort_of_word, tokens_of
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.repairing import mended_text
from backend.plans.reading.score import total, weights
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.acts import acts_of
from backend.plans.requests.cues import (
    both_wanted,
    cues,
    dates_named,
    documents_named,
    finer_signs,
    groups_amounts,
)
from backend.plans.requests.evidence import Evidence, evidence_of, supported
from backend.plans.requests.offering import choices_of
from backend.plans.requests.plan_state import PlanState, state_of
from backend.plans.requests.unused import reflected_words, unused_in
from backend.plans.tables.collection import Collection
from backend.plans.tables.conditions import expression
from backend.plans.tables.derived_values import with_derived
from workbench.contract.derived_fields import derived_columns, derived_field, sources_of
from workbench.contract.errors import FieldFault, Invalid
from workbench.contract.plan import AppliedClause, EditReport, Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_columns import document_columns
from workbench.contract.plan_nodes import BasicFilter, Node, canonical_field
from workbench.contract.plan_validation import validate

_MOST_READ = 14
"""So many readings are made into plans: the right one is hardly ever further down."""
TAKEN = 0.6
"""How likely a plan must be to be taken without asking."""
TAKEN_LEADING = 0.4
"""The same where no other plan is nearly as likely."""
_LEAD = 1.5
_NEARLY_AS_GOOD = 1.0
"""How much less a plan with the same finds that skips no words may score."""
TAKEN_BY_RULES = 0.25
"""The same for what the rules read: they refuse by themselves what they do not account for."""
TAKEN_SKIPPING = 0.75
"""The same where words that carry something were passed over."""
TAKEN_SKIPPING_SEVERAL = 0.85
"""The same where several such words were passed over."""
TAKEN_AGAINST_WORDS = 0.97
"""The same where a word was passed over that says how to compute or compare, or that denies."""
_BROKEN = frozenset(
    {
        "average lacks what it asks for", "median lacks what it asks for",
        "how much: nothing is computed", "answer: dates added up", "answer: rates added up",
        "unasked: things added up",
    }
)  # fmt: skip
"""Features of plans that do not do what a plain word of the question asks for."""
_UNANSWERED = "unanswered: property"
_DECISIVE = frozenset(
    """
    not no nor without except excluding never average mean median sum most least fewest highest
    lowest largest smallest than per each every percentage percent share ratio twice half only
    total altogether quarter
    """.split()  # noqa: SIM905
)
_TOTALS = frozenset({"total", "altogether"})
_NEVER_MEANT = 10.0
"""What being broken costs a plan: enough to cast no doubt on others."""
_DOUBT = 0.02
"""How likely a reading must be to cast doubt on another that passes over more words."""
_RIVALS = 0.1
"""How likely a plan must be to cast doubt on another that leaves named words unanswered."""
OFFERED = 0.5
"""How likely the best two together must be to be offered."""
_NOTHING_PASSED_OVER = Request()
_SAMPLE = 2_000
_FEW, _ALONE = 10, 0.7
"""With so many documents, groups are hollow when this part of the values differ."""


@dataclass(frozen=True)
class Candidate:
    """A plan that may be meant. `core` names what it finds, whatever is shown of it; `likely` is
    how likely that is meant, among what all candidates find and no answer at all.
    """

    plan: Plan
    operations: tuple[Operation, ...]
    features: Mapping[str, float]
    core: str = ""
    skipped: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    """The skipped words that the plan does not reflect."""
    by_rules: bool = False
    score: float = 0.0
    likely: float = 0.0


def candidates(
    question: str, start: Draft, collection: Collection, vocabulary: Vocabulary, today: date,
    ruled: Plan | None = None,
) -> list[Candidate]:  # fmt: skip
    """All plans that a question may mean, the likeliest first. `ruled` is what the rules made."""
    found: dict[str, Candidate] = {}
    sense = Sense(collection)
    tested = 0
    text, slips = mended_text(question, vocabulary)
    for read in read_requests(text, vocabulary, today):
        for act in acts_of(read.request, vocabulary):
            made = applied(question, start, act.operations, sense, read.request)
            if made is None:
                continue
            features = {**read.features, "source: chart": 1.0, **made.features}
            for feature, amount in act.features:
                features[feature] = features.get(feature, 0.0) + amount
            made = replace(made, features=features, plan=with_remarks(made.plan, slips))
            name = plan_hash(made.plan)
            if name not in found:
                found[name] = made
                tested += 1
            elif found[name].skipped and not made.skipped:  # all words mean this plan as well
                found[name] = replace(made, features=found[name].features)
        if tested >= _MOST_READ:
            break
    if ruled is not None:
        name = plan_hash(ruled)
        if name in found:
            both = {**found[name].features, "source: both": 1.0}
            found[name] = replace(found[name], features=both, by_rules=True, plan=ruled)
        else:
            warned = float(bool(ruled.edit is not None and ruled.edit.warnings))
            features = {"source: rules": 1.0, "source: rules assume": warned}
            explained = any(not c.skipped for c in found.values())
            features["rules alone: the chart reads all" if explained else
                     "rules alone: the chart passes words over"] = 1.0  # fmt: skip
            if not found:
                features["rules alone: the chart reads nothing"] = 1.0
            features |= sense.of(conditions_of(ruled))
            found[name] = Candidate(ruled, (), features, by_rules=True)
    evidence = evidence_of(tokens_of(text)[1], vocabulary, today)
    worded = [beside_words(c, text, vocabulary) for c in found.values()]
    worded = [with_support(c, evidence, state_of(start)) for c in worded]
    worded = [with_lacking(c, collection) for c in worded]
    return scored(_rivalling([replace(c, core=_core_found(c, sense)) for c in worded]))


def _core_found(candidate: Candidate, sense: "Sense") -> str:
    """The name of what a candidate finds: plans that differ only in conditions which the same
    documents fulfil share it.
    """
    draft = Draft.of(candidate.plan)
    steps = list(draft.spine())
    behind = list(dropwhile(lambda node: node.node_type == "BasicFilter", steps[1:]))
    plain = len(steps) == len(draft.used()) and not steps[0].extras.get("query_text")
    if not plain or any(node.node_type == "BasicFilter" for node in behind):
        return candidate.core
    conditions = conditions_of(candidate.plan)
    if conditions and not sense.count(conditions):
        return candidate.core
    finds = sense.certainly(conditions)
    if finds is None:
        return candidate.core
    rest = plan_hash(draft.without("BasicFilter", "Project").as_plan(candidate.plan))
    return f"{rest} of {finds}"


def with_remarks(plan: Plan, remarks: Sequence[str]) -> Plan:
    """The plan with further remarks in its report."""
    report = plan.edit or EditReport()
    report = report.model_copy(update={"warnings": [*remarks, *report.warnings]})
    return plan.model_copy(update={"edit": report}) if remarks else plan


def _rivalling(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with what they pass over although one that reads all words has it."""
    read = {sign for c in found if not c.skipped for sign in finer_signs(c.plan)}
    made: list[Candidate] = []
    for candidate in found:
        missed = {f"passes over {sign}": 1.0 for sign in read - finer_signs(candidate.plan)}
        made.append(replace(candidate, features={**candidate.features, **missed}))
    return made


def with_lacking(candidate: Candidate, collection: Collection) -> Candidate:
    """The candidate with which of the words that it skips its plan does without."""
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
    """The same for what the rules read, which do not say which words they skip."""
    lacking = tuple(unused_in(candidate.plan, collection))
    features = dict(candidate.features)
    for word in lacking:
        feature = f"rules lack: {sort_of_word(word)}"
        features[feature] = features.get(feature, 0.0) + 1.0
    return replace(candidate, features=features, lacking=lacking)


_CARRYING = frozenset({"content", "verb", "steering", "number"})


def beside_words(candidate: Candidate, question: str, vocabulary: Vocabulary) -> Candidate:
    """The candidate with what the words of the question promise, and the name of its core."""
    _, tokens = tokens_of(question)
    labels = [prop.label.lower() for prop in vocabulary.properties]
    features = {**candidate.features, **cues(tokens, candidate.plan, labels)}
    features |= dates_named(tokens, candidate.plan, vocabulary)
    features |= documents_named(candidate.plan, vocabulary)
    features |= both_wanted(tokens, candidate.plan, vocabulary)
    # Who says “for each department” wants small groups too.
    if "each ~ GroupBy" in features and not groups_amounts(candidate.plan, vocabulary):
        features.pop("answer: groups of one", None)
    return replace(candidate, features=features, core=core_of(candidate.plan))


def with_support(candidate: Candidate, evidence: Evidence, nothing: PlanState) -> Candidate:
    """The candidate with the steps that no word asks for, and the words that no step answers."""
    plan = candidate.plan
    now = state_of(Draft.of(plan))
    found = supported(evidence, nothing, now, plan, plan, fresh=True)
    return replace(candidate, features={**candidate.features, **found})


def scored(found: Sequence[Candidate], table: Mapping[str, float] | None = None) -> list[Candidate]:
    """The candidates with how likely each is, best first; `table` holds what features are worth."""
    table = weights() if table is None else table
    worth = [total(c.features, table) for c in found]
    worth = [
        w - _NEVER_MEANT * (not _BROKEN.isdisjoint(c.features))
        for c, w in zip(found, worth, strict=True)
    ]
    largest = max([0.0, *worth])
    exponents = [math.exp(w - largest) for w in worth]
    whole = sum(exponents) + math.exp(-largest)
    shares: dict[str, float] = {}
    for candidate, exponent in zip(found, exponents, strict=True):
        shares[candidate.core] = shares.get(candidate.core, 0.0) + exponent / whole
    made = [replace(c, score=w, likely=shares[c.core]) for c, w in zip(found, worth, strict=True)]
    return sorted(made, key=lambda c: (-c.likely, -c.score))


def core_of(plan: Plan) -> str:
    """The name of a plan without what it shows of each document."""
    if all(node.node_type != "Project" for node in plan.nodes.values()):
        return plan_hash(plan)
    return plan_hash(Draft.of(plan).without("Project").as_plan(plan))


def applied(
    question: str,
    start: Draft,
    operations: tuple[Operation, ...],
    sense: "Sense",
    request: Request = _NOTHING_PASSED_OVER,
) -> Candidate | None:
    """A reading as a plan; None when it cannot be done or cannot run. What the request passes over
    is reported.
    """
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
    conditions = [op.condition for op in operations if isinstance(op, AddFilter)]
    features = sense.of(conditions) | _hollow_groups(operations, sense)
    plan = plan.model_copy(update={"edit": report})
    return Candidate(plan, operations, features, skipped=request.skipped)


def passed_over(request: Request) -> list[str]:
    """The remarks on words that a reading does not use, or takes for a noun of the documents."""
    listed = ", ".join(f"“{word}”" for word in (*request.skipped, *request.asides))
    remarks = [f"took “{word}” to mean the documents" for word in request.nouns]
    return [*remarks, f"ignored these words: {listed}"] if listed else remarks


def completed_values(question: str, operations: Sequence[Operation]) -> list[str]:
    """The remarks on values of which the question says only a part."""
    spoken = {singular(word.lower()): word for word in words(question)}
    remarks: list[str] = []
    for condition in (op.condition for op in operations if isinstance(op, AddFilter)):
        for value in [condition.query, *(condition.values or [])]:
            parts = words(value) if isinstance(value, str) and condition.match == "exact" else []
            named = [spoken[s] for s in (singular(part.lower()) for part in parts) if s in spoken]
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
    return [BasicFilter.model_validate(node.extras) for node in nodes]


def _hollow_groups(operations: Sequence[Operation], sense: "Sense") -> dict[str, float]:
    """Whether nearly every document would be a group by itself."""
    keys = [op.key for op in operations if isinstance(op, SetGroup)]
    if not keys or keys[0].bucket is not None or not sense.hollow(keys[0].fields):
        return {}
    return {"answer: groups of one": 1.0}


class Sense:
    """Checks of conditions and groups on a sample, each once."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self._passing: dict[str, pl.DataFrame | None] = {}
        self._together: dict[str, pl.Series] = {}
        self._hollow: dict[tuple[str, ...], bool] = {}

    def of(self, conditions: Sequence[BasicFilter]) -> dict[str, float]:
        """Whether conditions find nothing or leave everything."""
        passing = self.passing(conditions)
        found: dict[str, float] = {}
        if passing is None:
            return found
        if any(passing.get_column(name).all() for name in passing.columns):
            found["answer: a condition that all fulfil"] = 1.0
        if not self._all_of(conditions, passing).any():
            found["answer: empty"] = 1.0
        return found

    def between(
        self, before: Sequence[BasicFilter], after: Sequence[BasicFilter]
    ) -> dict[str, float]:
        """Whether an edit of conditions empties the answer or changes nothing of it."""
        if list(before) == list(after):
            return {}
        found = {k: n for k, n in self.of([c for c in after if c not in before]).items()
                 if k != "answer: empty"}  # fmt: skip
        whole = self._all()
        was, now = (
            None if given is None else self._all_of(conditions, given)
            for conditions in (before, after)
            for given in [self.passing(conditions) if conditions else whole]
        )  # fmt: skip
        if was is None or now is None:
            return found
        if not now.any():
            found["answer: empty" if was.any() else "answer: empty as before"] = 1.0
        elif now.equals(was):
            found["answer: the same documents"] = 1.0
        return found

    def count(self, conditions: Sequence[BasicFilter]) -> int | None:
        """How many documents fulfil all conditions; None where it is not known for all."""
        passing = self.passing(conditions) if conditions else self._all()
        if passing is None or passing.height < self.collection.table.height:
            return None
        return int(self._all_of(conditions, passing).sum())

    def certainly(self, conditions: Sequence[BasicFilter]) -> int | None:
        """A number for the documents that fulfil all conditions; None where it is not known for all
        documents.
        """
        relative = any(c.start_at or c.end_at for c in conditions)
        known = self.passing(conditions) if conditions else self._all()
        passing = None if relative else known
        if passing is None or passing.height < self.collection.table.height:
            return None
        return hash(tuple(self._all_of(conditions, passing)))

    def passing(self, conditions: Sequence[BasicFilter]) -> pl.DataFrame | None:
        """Which documents of a sample fulfil each condition; None where that is not known."""
        name = repr(conditions)
        if name not in self._passing:
            self._passing[name] = _passing(conditions, self.collection)
        return self._passing[name]

    def _all_of(self, conditions: Sequence[BasicFilter], passing: pl.DataFrame) -> pl.Series:
        """Which documents fulfil all conditions, of which `passing` has a column for each."""
        name = repr(conditions)
        if name not in self._together:
            together = passing.select(pl.all_horizontal(pl.all()).alias("all")).to_series()
            self._together[name] = together
        return self._together[name]

    def _all(self) -> pl.DataFrame:
        size = len(range(0, self.collection.table.height, _every(self.collection)))
        return pl.DataFrame({"0": [True] * size})

    def hollow(self, fields: tuple[str, ...]) -> bool:
        """Whether nearly every document would be a group by itself."""
        if fields not in self._hollow:
            self._hollow[fields] = _hollow(fields, self.collection)
        return self._hollow[fields]


def _every(collection: Collection) -> int:
    return max(1, collection.table.height // _SAMPLE)


def _hollow(fields: tuple[str, ...], collection: Collection) -> bool:
    return any(_mostly_different(field, collection) for field in fields)


def _mostly_different(field: str, collection: Collection) -> bool:
    if field not in collection.table.columns:
        return False
    column = collection.table.get_column(field).gather_every(_every(collection)).drop_nulls()
    if column.dtype.is_nested() or len(column) < _FEW:
        return False
    return bool(column.n_unique() / len(column) > _ALONE)


def _passing(conditions: Sequence[BasicFilter], collection: Collection) -> pl.DataFrame | None:
    """Which documents of a sample fulfil each condition."""
    named = [
        c.model_copy(update={"field": canonical_field(c.field)})
        for c in conditions
        if not (c.start_at or c.end_at)
    ]
    asked = {
        canonical_field(field)
        for c in named
        for part in (c, *(c.any_of or []))
        for field in (part.field, part.start_field, part.end_field)
        if field
    }
    derived = derived_columns(asked, collection.fields)
    columns = document_columns(collection.fields, derived)
    needed = {
        source for name in asked for source in (sources_of(name) if name in derived else [name])
    }
    if not named or not needed.issubset(collection.table.columns) or not collection.table.height:
        return None
    sample, every = collection.table.select(sorted(needed)), _every(collection)
    sample = sample if every == 1 else sample.gather_every(every)
    sample = with_derived(sample, derived, collection.fields)
    return sample.select(expression(c, c.field, columns).alias(str(i)) for i, c in enumerate(named))


def chosen(found: Sequence[Candidate]) -> Candidate | None:
    """The likeliest plan that does what plain words ask for; None when it is not likely enough."""
    each = _best_of_each(found)
    best = next((candidate for candidate in each if not _is_broken(candidate)), None)
    if best is None:
        return None
    ruled = any(c.by_rules and c.core == best.core for c in found)
    trusted = ruled and _accounts_for_all(best, found)
    needed = _needed(best, trusted=trusted, leads=_leads(best, each))
    return best if best.likely >= needed else None


def _leads(best: Candidate, each: Sequence[Candidate]) -> bool:
    """Whether a plan is clearly likelier than any other and than no answer."""
    nothing = 1 - sum(candidate.likely for candidate in each)
    others = [candidate.likely for candidate in each if candidate is not best]
    return best.likely >= _LEAD * max([nothing, *others])


def _best_of_each(found: Sequence[Candidate]) -> list[Candidate]:
    """The best plan of those that find the same, if possible one that passes no words over."""
    best: dict[str, Candidate] = {}
    for candidate in found:
        first = best.setdefault(candidate.core, candidate)
        near = candidate.score >= first.score - _NEARLY_AS_GOOD
        if first.skipped and not first.by_rules and not candidate.skipped and near:
            best[candidate.core] = candidate
    return list(best.values())


def _accounts_for_all(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether no other plan that may be meant has a property or a value that words name and this
    one, made by the rules, leaves out.
    """
    missed = min(c.features.get(_UNANSWERED, 0.0) for c in found if c.core == candidate.core)
    better = any(
        other.likely >= _RIVALS
        and other.core != candidate.core
        and other.features.get(_UNANSWERED, 0.0) < missed
        and not _is_broken(other)
        for other in found
    )
    return not better and not _understood_elsewhere(candidate, found)


def _understood_elsewhere(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether another reading takes words that this one passes over for a value of the documents.

    Times do not count: people also speak of days when they speak of themselves.
    """
    return any(other.likely >= _DOUBT and understands(other, candidate) for other in found)


def understands(other: Candidate, candidate: Candidate) -> bool:
    """Whether a reading does what another does and takes words that it skips for a value."""
    if not set(other.skipped) < set(candidate.skipped):
        return False
    own, conditions = conditions_of(candidate.plan), conditions_of(other.plan)
    further = [c for c in conditions if c not in own and _names_a_value(c)]
    return bool(further) and all(c in conditions for c in own)


def _names_a_value(condition: BasicFilter) -> bool:
    is_text = isinstance(condition.query, str) and not condition.is_date
    beside_another = bool(condition.start_field or condition.end_field)
    return beside_another or (is_text and derived_field(condition.field) is None)


def _is_broken(candidate: Candidate) -> bool:
    """Whether a plan passes over a number or what is asked, or computes something else."""
    lacks = not _BROKEN.isdisjoint(candidate.features)
    asked = not candidate.by_rules and _asks_for_what_is_passed_over(candidate)
    return lacks or asked or any(map(is_number, candidate.skipped))


def _needed(candidate: Candidate, *, trusted: bool, leads: bool) -> float:
    """How likely a plan must be to be taken; `trusted` are those that the rules read."""
    content = sum(sort_of_word(word) == "content" for word in candidate.lacking)
    if trusted:
        if any(word.lower() in _TOTALS for word in candidate.lacking):
            return TAKEN_AGAINST_WORDS
        return TAKEN if content and not candidate.skipped else TAKEN_BY_RULES
    if not candidate.skipped and not candidate.lacking:
        return TAKEN_LEADING if leads else TAKEN
    if any(word.lower() in _DECISIVE for word in candidate.skipped):
        return TAKEN_AGAINST_WORDS
    return TAKEN_SKIPPING_SEVERAL if content > 1 else TAKEN_SKIPPING


def _asks_for_what_is_passed_over(candidate: Candidate) -> bool:
    """Whether the words passed over hold what is asked: a word of a question that wants a yes or a
    no (`is it safe to use …`), or the verb behind `who` (`who drove the truck?`).
    """
    passed = {w.lower(): sort_of_word(w) for w in (*candidate.skipped, *candidate.lacking)}
    asked = words(candidate.plan.query.lower())[:2]
    if len(asked) < 2:
        return False
    if asked[0] in _POLAR and asked[1] not in ("you", "we", "i", "there"):
        return "content" in passed.values()
    return asked[0] in ("who", "whom", "whose", "why") and asked[1] in passed


_POLAR = frozenset(
    """
    is are was were am do does did has have had can could should will would may must
    """.split()  # noqa: SIM905
)


def is_number(word: str) -> bool:
    """Whether a word that was passed over stands for a number; `single` says no more than `a`."""
    return word.lower() != "single" and numeral_at(tokenise(word), 0) is not None


def _worth_offering(found: Sequence[Candidate]) -> list[Candidate]:
    """The two likeliest plans, where nothing else is likely."""
    two = _best_of_each(found)[:2]
    return two if len(two) == 2 and sum(c.likely for c in two) >= OFFERED else []


_UNKNOWN = frozenset({"unknown_property", "unknown_value", "not_understood"})


def _only_unknown(refused: Invalid) -> bool:
    """Whether the rules refused only what the choices account for: words unknown to them."""
    return all(fault.type in _UNKNOWN for fault in refused.faults)


def undecided(
    found: Sequence[Candidate],
    refused: Invalid | None,
    loc: tuple[str, ...],
    question: str,
    before: Plan | None = None,
) -> Invalid:
    """The refusal where no plan is likely enough: what may be meant, or what was not understood.

    Choices are worded as changes of the plan `before` where there is one.
    """
    contradicts = refused is not None and refused.faults[0].type == "contradictory"
    few = [] if contradicts else _worth_offering(found)
    offered = choices_of((candidate.plan for candidate in few), before)
    if offered:
        meant = " or ".join(f"“{choice.words}”" for choice in offered)
        msg = f"“{question}” may mean {meant}: choose one, or say it in other words."
        passed = {word: None for c in few for word in c.skipped}
        if passed:
            listed = ", ".join(f"“{word}”" for word in passed)
            msg += f" Not understood: {listed}."
        if refused is not None and (passed or not _only_unknown(refused)):
            msg += f" {refused.detail}"
        fault = FieldFault(loc=list(loc), msg=msg, type="ambiguous", choices=offered)
        return Invalid([fault])
    if refused is not None:
        return refused
    best = found[0] if found else None
    if best is not None and best.skipped:
        listed = ", ".join(f"“{word}”" for word in best.skipped)
        were = "was" if len(best.skipped) == 1 else "were"
        msg = f"{listed} {were} not understood (in “{question}”)."
        return Invalid.at(loc, msg, "not_understood")
    msg = f"“{question}” may mean several things. Say it in other words, or one part at a time."
    return Invalid.at(loc, msg, "ambiguous")
