"""From feedback to an edited plan, clause by clause, with a report on each.

Feedback is never ignored: a clause is applied, or reported with its reason; if none could be
applied, the whole request is refused and the plan is unchanged.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property, partial

from backend.language.tokens import word_count
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import keys_of, measures_of
from backend.plans.edits.lifting import lift_queries
from backend.plans.edits.operations import (
    AddFilter,
    EitherFilter,
    Operation,
    SetLimit,
    WidenFilter,
    op_name,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause, halves, plain_request, read_clauses, read_part
from backend.plans.reading.history_requests import (
    TO_THE_BEGINNING,
    is_redo,
    steps_back,
    steps_back_first,
)
from backend.plans.reading.present import Present
from backend.plans.reading.repairing import with_signed_values
from backend.plans.reading.second_reading import linked, without_company
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.reading.whole_requests import fresh_start, is_approval, is_both, is_either
from backend.plans.requests.all_again import all_again_first, asks_for_all, last_restriction
from backend.plans.requests.as_share import asks_for_share_of_theirs, share_of_theirs
from backend.plans.requests.asked_of_texts import of_texts
from backend.plans.requests.assisting import assist
from backend.plans.requests.choose import Candidate, ignoring
from backend.plans.requests.commands import commands
from backend.plans.requests.contrary import Contrary, refuse_contrary
from backend.plans.requests.deciding import guessed, undecided
from backend.plans.requests.edit_agreement import agreeing_edits, foresee_edit
from backend.plans.requests.follow_ups import Asked, chosen_edit, edit_candidates, guessed_edits
from backend.plans.requests.further_exclusions import excludes_further, written_out
from backend.plans.requests.impossible import refuse_endless, refuse_impossible
from backend.plans.requests.journal import Journal, marked
from backend.plans.requests.losses import losses
from backend.plans.requests.of_the_list import of_the_list
from backend.plans.requests.offering import Meaning, finished, with_choices
from backend.plans.requests.outlook import Outlook
from backend.plans.requests.percentages import (
    asks_for_percent,
    form_asked,
    has_shares,
    is_in_percent,
    with_percent,
)
from backend.plans.requests.plan_state import state_of
from backend.plans.requests.planner import plan_question, questions
from backend.plans.requests.proposing import Proposer
from backend.plans.requests.replacements import pointed_at
from backend.plans.requests.report import in_words, not_understood, refusal
from backend.plans.requests.sentences import asking_sentence
from backend.plans.requests.sql import sql_plan
from backend.plans.requests.standing import remarks_of, with_standing
from backend.plans.tables.collection import Collection
from workbench.contract.errors import Invalid
from workbench.contract.plan import AppliedClause, EditReport, Plan, RefusedClause
from workbench.contract.plan_diff import diff
from workbench.contract.plan_nodes import canonical_field
from workbench.contract.plan_validation import validate

_LOC = ("body", "feedback")
MOST_WORDS = 200
"""Maximum words of feedback; reading many clauses takes quadratic time."""
_DISPLAY = re.compile(r"\b(?:list|show|display|see|view|give|all|everything)\b", re.IGNORECASE)


@dataclass
class _Work:
    """`meant` has the operations of clauses whose meaning was chosen, `unclear` the problems of
    refused clauses, `done` the applied changes.
    """

    draft: Draft
    report: EditReport = field(default_factory=EditReport)
    lines: list[str] = field(default_factory=list)
    meant: Mapping[str, Sequence[Operation]] = field(default_factory=dict)
    unclear: dict[str, Unclear] = field(default_factory=dict)
    done: list[Operation] = field(default_factory=list)


def edit_plan(
    before: Plan,
    feedback: str,
    collection: Collection,
    vocabulary: Vocabulary,
    journal: Journal,
    now: float,
    proposer: Proposer | None = None,
) -> Plan:
    """The plan after the feedback; Invalid at `body.feedback` if nothing of it was applied.

    The error has choices if its readings are known. `proposer` is asked about clauses that the
    rules do not understand. Undo and redo create no history: the text of their plan ends with its
    line in the journal.
    """
    if word_count(feedback) > MOST_WORDS:
        reason = f"feedback of more than {MOST_WORDS} words is not read: say one change at a time"
        raise Invalid.at(_LOC, f"{reason}. Nothing was changed.", "out_of_scope")
    refuse_impossible(feedback, vocabulary, _LOC)
    if (made := sql_plan(feedback, vocabulary, now, _LOC, fragments=False)) is not None:
        return _started_over(before, made, feedback)
    refuse_endless(feedback, _LOC)
    request = plain_request(feedback)
    steps = steps_back(request) or steps_back(feedback)
    if steps:
        return _gone_back(before, request, collection, journal, steps)
    if is_redo(request):
        return _made_again(before, request, collection, journal)

    def edited_from(earlier: Plan, wish: str) -> Plan:
        again = partial(_from_earlier, before, request=request)
        try:
            edited = edit_plan(earlier, wish, collection, vocabulary, journal, now, proposer)
        except Invalid as refused:
            raise finished(refused, again, before) from refused
        return again(with_standing(edited, earlier, remarks_of(earlier), wish, collection))

    steps, wish = steps_back_first(request)
    if steps:
        earlier = _steps_ago(before, collection, journal, steps)[0]
        return edited_from(earlier, wish)
    if is_approval(feedback) or is_approval(request):
        report = EditReport(applied=[AppliedClause(clause=feedback.strip(), op="approve")])
        return _reported(before, before, report, ["kept the plan as it is"])
    in_percent = form_asked(request, vocabulary)
    if in_percent is not None and has_shares(before):
        return _restated(before, feedback, percent=in_percent)
    if asks_for_share_of_theirs(request, vocabulary):
        of_theirs = share_of_theirs(state_of(lift_queries(Draft.of(before))))
        if of_theirs:
            shared = _by_operations(before, feedback, *of_theirs)
            return with_percent(shared, percent=True) if is_in_percent(before) else shared
    if is_both(request):
        return _with_the_last(before, request, collection, journal)
    if asks_for_all(request) or asks_for_all(feedback):
        unwanted = last_restriction(_history(before, collection, journal))
        if unwanted:
            return _by_operations(before, feedback, *unwanted)
    if more := all_again_first(request) or all_again_first(feedback):
        unwanted = last_restriction(_history(before, collection, journal))
        if unwanted:
            return edited_from(_by_operations(before, feedback, *unwanted), more)
    several = len(document_filters(Draft.of(before))) > 1
    if several and (is_either(request) or is_either(feedback)):
        return _by_operations(before, feedback, EitherFilter())
    rest = fresh_start(request)
    if rest is not None:
        question = rest or before.query or ""
        anew = partial(_started_over, before, feedback=feedback)
        try:
            fresh = plan_question(question, collection, vocabulary, now, proposer, _LOC)
        except Invalid as refused:
            raise finished(refused, anew, before) from refused
        return anew(fresh)
    percent = is_in_percent(before)
    fractions = with_percent(before, percent=False) if percent else before
    percent = percent or asks_for_percent(feedback, vocabulary)

    def restated(after: Plan) -> Plan:
        if not percent:
            return after
        report = after.edit or EditReport()
        after = with_percent(after, percent=True)
        report = report.model_copy(update={"diff": diff(before, after)})
        return after.model_copy(update={"edit": report})

    try:
        after = _decided(fractions, feedback, collection, vocabulary, now, proposer)
    except Invalid as refused:
        raise finished(refused, restated, before) from refused
    return restated(after)


def _restated(before: Plan, feedback: str, *, percent: bool) -> Plan:
    """The plan with its shares in percent or as fractions."""
    after = with_percent(before, percent=percent)
    form = "in percent" if percent else "as fractions"
    if after == before:
        problem = Unclear("no_change", feedback, f"the plan gives its shares {form} already")
        raise not_understood([refusal(feedback, problem)], _LOC, feedback)
    report = EditReport(applied=[AppliedClause(clause=feedback.strip(), op="set_percent")])
    return _reported(before, after, report, [f"shares {form}"])


def _decided(
    before: Plan, feedback: str, collection: Collection, vocabulary: Vocabulary, now: float,
    proposer: Proposer | None,
) -> Plan:  # fmt: skip
    """The likeliest edit; Invalid with the possible readings if none is likely enough."""
    understood = _candidates(before, feedback, collection, vocabulary, now)
    candidates, refused = understood.candidates, understood.refused
    best = chosen_edit(candidates, refused)
    if best is None:
        best = _without_talk(before, feedback, collection, vocabulary, now)
    partly = best is not None and best.plan.edit is not None and best.plan.edit.not_applied
    if proposer is not None and (best is None or partly):
        return rules_edit(before, feedback, collection, Meaning(vocabulary), now, proposer)
    if best is None:
        problem = undecided(candidates, refused, _LOC, feedback, before)
        if any(fault.choices for fault in problem.faults):
            raise problem
        raise guessed(understood.guesses(), _LOC, feedback, before) or problem
    after = state_of(Draft.of(best.plan))
    lost = losses(best.features, understood.asked.was, after)
    report = (best.plan.with_warnings(lost).edit) or EditReport()
    report.diff = diff(before, best.plan)
    return best.plan.model_copy(update={"edit": report})


@dataclass(frozen=True)
class _Understood:
    """All possible edits of a follow-up, the refusal of the rules, if any, and the prediction."""

    asked: Asked
    found: list[Candidate]
    refused: Invalid | None
    outlook: Outlook | None

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The likeliest edit first."""
        return agreeing_edits(self.found, self.outlook)

    def guesses(self) -> list[Candidate]:
        """The same with edits that do what the network predicts."""
        if self.outlook is None:
            return []
        further = guessed_edits(self.asked, self.found, self.outlook)
        return agreeing_edits([*self.found, *further], self.outlook)


def _candidates(
    before: Plan, feedback: str, collection: Collection, vocabulary: Vocabulary, now: float
) -> _Understood:
    ruled: Plan | None = None
    refused: Invalid | None = None
    further, feedback = excludes_further(feedback), written_out(feedback)
    feedback = with_signed_values(feedback, vocabulary)
    try:
        ruled = rules_edit(before, feedback, collection, Meaning(vocabulary), now)
    except Contrary:
        raise
    except Invalid as refusal_of_rules:
        refused = refusal_of_rules
    today = datetime.fromtimestamp(now, UTC).date()
    asked = Asked(before, feedback, collection, vocabulary, today, further)
    fresh = questions(feedback, collection, vocabulary, now)
    found = edit_candidates(asked, ruled, fresh)
    return _Understood(asked, found, refused, foresee_edit(feedback, before, found, vocabulary))


def _without_talk(
    before: Plan, feedback: str, collection: Collection, vocabulary: Vocabulary, now: float
) -> Candidate | None:
    """The edit of the only sentence that is no talk, if all its words are used."""
    parts = asking_sentence(feedback, vocabulary, datetime.fromtimestamp(now, UTC).date())
    if parts is None:
        return None
    asking, talk = parts
    best = chosen_edit(_candidates(before, asking, collection, vocabulary, now).candidates)
    return None if best is None or best.skipped else ignoring(best, talk)


def rules_edit(
    before: Plan,
    feedback: str,
    collection: Collection,
    meaning: Meaning,
    now: float,
    proposer: Proposer | None = None,
    *,
    offering: bool = True,
) -> Plan:
    """The plan after each clause of the feedback, as the rules read it. `offering` allows a refusal
    with choices; reading a choice does not offer further ones.
    """
    request = plain_request(feedback)
    vocabulary = meaning.vocabulary
    today = datetime.fromtimestamp(now, UTC).date()
    work = _Work(lift_queries(Draft.of(before)), meant=meaning.operations)
    clauses = read_clauses(feedback, vocabulary, today, _present(work.draft), split_commands=True)
    if not any(clause.pieces for clause in clauses) and _DISPLAY.search(feedback):
        shown = read_clauses("the documents", vocabulary, today, Present(), split_commands=True)
        clauses = [replace(clause, text=request) for clause in shown]
    _do_all(clauses, work, before.query, vocabulary)
    helped = assist(work.draft, work.report.not_applied, proposer, collection, before.query)
    work.draft = helped.draft
    work.report.applied.extend(helped.applied)
    work.report.not_applied = helped.refused
    work.report.warnings.extend(helped.warnings)
    work.lines.extend(helped.lines)
    if not work.report.applied and not _as_wished(work.report):
        refused = not_understood(work.report.not_applied, _LOC, feedback)
        if not offering:
            raise refused

        def read(meant: Meaning) -> Plan:
            return rules_edit(before, feedback, collection, meant, now, offering=False)

        raise with_choices(refused, work.unclear, vocabulary, read, before)
    after = work.draft.as_plan(before)
    verdict = validate(after, collection.fields)
    if verdict.faults:
        raise Invalid.at(
            _LOC,
            f"“{feedback}” would make a plan that cannot run: {verdict.faults[0].msg}. Nothing was"
            " changed.",
            "contradictory",
        )
    work.report.warnings.extend(fault.msg for fault in verdict.warnings)
    return _reported(before, after, work.report, work.lines)


def _with_the_last(before: Plan, request: str, collection: Collection, journal: Journal) -> Plan:
    """The plan with what the last edit replaced included again."""
    earlier = journal.before(collection.docset_id, before)
    draft = Draft.of(before)
    now = [condition_of(node) for node in document_filters(draft)]
    then = (
        [] if earlier is None else [condition_of(n) for n in document_filters(Draft.of(earlier[0]))]
    )
    gone = [c for c in then if c not in now and any(c.field == other.field for other in now)]
    if len(gone) != 1:
        reason = f"“{request}”: the last edit replaced no condition that could come back"
        raise Invalid.at(_LOC, f"{reason}. Nothing was changed.", "no_such_node")
    return _by_operations(before, request, WidenFilter(gone[0]))


def _by_operations(before: Plan, request: str, *operations: Operation) -> Plan:
    """The plan after all operations of a request."""
    draft, report, lines = lift_queries(Draft.of(before)), EditReport(), list[str]()
    try:
        for operation in operations:
            draft, node_id, line = apply(draft, operation, before.query)
            applied = AppliedClause(clause=request.strip(), op=op_name(operation), node=node_id)
            report.applied.append(applied)
            lines.append(line)
    except Unclear as problem:
        raise not_understood([refusal(request, problem)], _LOC, request) from problem
    return _reported(before, draft.as_plan(before), report, lines)


def _started_over(before: Plan, fresh: Plan, feedback: str) -> Plan:
    """A new plan in place of the old one, which undo restores."""
    report = fresh.edit or EditReport()
    report.applied.insert(0, AppliedClause(clause=feedback.strip(), op="start_over"))
    steps = [node.description or node.node_type for node in fresh.nodes.values()]
    after = fresh.model_copy(update={"query": before.query})
    return _reported(before, after, report, ["started over", *steps])


def _as_wished(report: EditReport) -> bool:
    """Whether the plan already does everything requested: reported, but no mistake."""
    left = report.not_applied
    return bool(left) and all(item.kind == "no_change" for item in left)


def _do_all(clauses: Sequence[Clause], work: _Work, question: str, vocabulary: Vocabulary) -> None:
    place = 0
    while place < len(clauses):
        pair = clauses[place : place + 2]
        pointed = pointed_at(pair[0], pair[1], work.draft) if len(pair) == 2 else None
        if pointed is not None:
            _do_clause(pointed, work, question, vocabulary)
            place += 2
            continue
        _do_clause(pair[0], work, question, vocabulary)
        place += 1


def _do_clause(clause: Clause, work: _Work, question: str, vocabulary: Vocabulary) -> None:
    """Applies one clause, or its parts if it is not understood as a whole."""
    try:
        _refuse_second_order(clause, work)
        if clause.text in work.meant:
            _apply_all(work.meant[clause.text], clause, work, question)
        else:
            _apply_clause(clause, work, question)
        return
    except Unclear as problem:
        failed = refusal(clause.text, problem)
        work.unclear[clause.text] = problem
    # Half of a contradiction is no better.
    whole = ("contradictory", "out_of_scope", "no_change")
    if failed.kind not in whole and _applied_again(clause, work, question):
        return
    denied = failed.kind == "ambiguous" and "n" in clause.shape
    parts = [] if failed.kind in whole or denied or not clause.pieces else halves(clause)
    outcomes: list[RefusedClause] = []
    applied = 0
    reader = clause.reader
    pieces = [p for p in clause.pieces if p.tag != " "]
    for start, end in parts:
        part = read_part(
            reader.text, reader.tokens, linked(clause), start, end, vocabulary, reader.today,
            reader.present, {},
        )  # fmt: skip
        if not part.pieces or len(part.pieces) == len(pieces):
            continue
        try:
            _apply_clause(part, work, question)
            applied += 1
        except Unclear as problem:
            outcomes.append(refusal(part.text, problem))
    work.report.not_applied.extend(outcomes if applied else [failed])


_THEN_BY = re.compile(r"(?:and |,)*then (?:by|on|for|in order of)\b", re.IGNORECASE)


def _refuse_second_order(clause: Clause, work: _Work) -> None:
    """`…, then by area`, after another order in the same request."""
    last = work.report.applied[-1:]
    if _THEN_BY.match(clause.text) and any(item.op == "set_sort" for item in last):
        reason = f"“{clause.text}”: a list has one order, that by what was named first"
        raise Unclear("out_of_scope", clause.text, reason)


def _applied_again(clause: Clause, work: _Work, question: str) -> bool:
    """Whether the clause could be applied without words that only accompany the others."""
    for again in without_company(clause):
        with suppress(Unclear):
            _apply_clause(again, work, question)
            return True
    return False


def _apply_clause(clause: Clause, work: _Work, question: str) -> None:
    """Applies all operations of a clause, or none."""
    clause, result = _wished(clause, work.draft)
    operations = [_of_several(_latest(op, clause, work.draft), clause) for op in result]
    if not operations:
        raise Unclear("not_understood", clause.text, f"“{clause.text}” was not understood")
    _apply_all(operations, clause, work, question)


def _wished(clause: Clause, draft: Draft) -> tuple[Clause, Sequence[Operation]]:
    """The operations of a clause, if necessary with a phrase to look for in the texts."""

    def read(part: Clause) -> list[Operation]:
        return commands(part, draft)

    try:
        operations = read(clause)
    except Unclear as problem:
        if problem.kind in ("contradictory", "out_of_scope", "no_change"):
            raise
        again = of_texts(clause, None, read)
        if again is None:
            raise
        return again
    return of_texts(clause, operations, read) or (clause, operations)


def _apply_all(operations: Sequence[Operation], clause: Clause, work: _Work, question: str) -> None:
    refuse_contrary(work.done, operations, clause.text, _LOC)
    draft = work.draft
    operations = of_the_list(operations, draft, clause.reader.tokens)
    applied: list[AppliedClause] = []
    lines: list[str] = []
    for place, operation in enumerate(operations):
        try:
            draft, node_id, line = apply(draft, operation, question)
        except Unclear as problem:
            ahead, behind = operations[:place], operations[place + 1 :]
            problem.readings = [[*ahead, *one, *behind] for one in problem.readings]
            raise
        applied.append(AppliedClause(clause=clause.text, op=op_name(operation), node=node_id))
        lines.append(line)
    if draft.used() == work.draft.used():
        reason = "the plan does this already, so nothing changed"
        raise Unclear("no_change", clause.text, reason)
    work.draft = draft
    work.done.extend(operations)
    work.report.applied.extend(applied)
    work.lines.extend(lines)
    for note in clause.reader.assumptions:
        if note not in work.report.warnings:
            work.report.warnings.append(note)


def _latest(operation: Operation, clause: Clause, draft: Draft) -> Operation:
    """`The last five` of a list ordered by date are the latest, whatever its direction."""
    sorts = draft.on_spine("Sort")
    if not isinstance(operation, SetLimit) or operation.end != "last" or not sorts:
        return operation
    prop = clause.reader.vocabulary.get(canonical_field(str(sorts[-1].extras.get("field"))))
    latest_first = prop is not None and prop.dated and bool(sorts[-1].extras.get("descending"))
    return replace(operation, end="first") if latest_first else operation


def _of_several(operation: Operation, clause: Clause) -> Operation:
    """A property with several values can match two conditions: neither replaces the other."""
    if not isinstance(operation, AddFilter):
        return operation
    prop = clause.reader.vocabulary.get(operation.condition.field)
    return replace(operation, together=prop is not None and prop.kind == "array")


def _present(draft: Draft) -> Present:
    """What the plan uses, which resolves ambiguous words."""
    names: set[str] = set()
    for node in draft.used():
        for key in ("field", "distinct_field"):
            if isinstance(name := node.extras.get(key), str):
                names.add(canonical_field(name))
    computed = [item.field for node in draft.of_type("Aggregate") for item in measures_of(node)]
    names.update(field for field in computed if field is not None)
    filters = tuple(map(condition_of, document_filters(draft)))
    orders = [str(node.extras.get("field")) for node in draft.on_spine("Sort")]
    order = canonical_field(orders[-1]) if orders else None
    return Present(frozenset(names), filters, tuple(keys_of(draft)), order)


def _gone_back(
    before: Plan, request: str, collection: Collection, journal: Journal, steps: int
) -> Plan:
    """The plan `steps` edits ago, or the first one of its history."""
    earlier, line, gone = _steps_ago(before, collection, journal, steps)
    if gone == 0 or (gone < steps and steps != TO_THE_BEGINNING):
        had = f"Only {gone} edits led to this plan" if gone else "There is nothing to undo"
        raise Invalid.at(_LOC, f"{had}. Nothing was changed.", "nothing_to_undo")
    after = earlier.model_copy(update={"query": before.query})
    report = _with_remarks_of(earlier, AppliedClause(clause=request, op="undo"))
    edits = "the last edit" if gone == 1 else f"the last {gone} edits"
    after = _reported(before, after, report, [f"went back to the plan before {edits}"])
    return _at_line(after, line)


def _steps_ago(
    plan: Plan, collection: Collection, journal: Journal, steps: int
) -> tuple[Plan, int, int]:
    """The plan `steps` edits ago or the first known one, its line, and the number of edits."""
    line, gone = 0, 0
    while gone < steps and (earlier := journal.before(collection.docset_id, plan)) is not None:
        plan, line = earlier
        plan = _at_line(plan, line)
        gone += 1
    return plan, line, gone


def _history(plan: Plan, collection: Collection, journal: Journal) -> Iterator[Plan]:
    """The plan and those that it was made from, the newest first."""
    yield plan
    while (earlier := journal.before(collection.docset_id, plan)) is not None:
        plan = _at_line(*earlier)
        yield plan


def _from_earlier(before: Plan, after: Plan, request: str) -> Plan:
    """Presents an edit of an earlier plan as an edit of the current one."""
    report = after.edit or EditReport()
    report.applied.insert(0, AppliedClause(clause=request, op="undo"))
    lines = ["went back first", *(after.llm_plan or "").splitlines()]
    after = after.model_copy(update={"query": before.query})
    report.diff = diff(before, after)
    return after.model_copy(update={"edit": report, "llm_plan": "\n".join(lines)})


def _made_again(before: Plan, request: str, collection: Collection, journal: Journal) -> Plan:
    """Restores the plan after the edit that was undone last."""
    result = journal.after(collection.docset_id, before)
    if result is None:
        raise Invalid.at(_LOC, "There is nothing to redo for this plan.", "nothing_to_undo")
    later, number = result
    after = later.model_copy(update={"query": before.query})
    report = _with_remarks_of(later, AppliedClause(clause=request, op="redo"))
    return _at_line(_reported(before, after, report, ["made the edit again"]), number)


def _with_remarks_of(plan: Plan, applied: AppliedClause) -> EditReport:
    """The report of a request that restores a plan: what was remarked about it holds again."""
    remarks = remarks_of(plan)
    return EditReport(
        applied=[applied], not_applied=remarks.not_applied, warnings=remarks.warnings,
        unused=remarks.unused,
    )  # fmt: skip


def _reported(before: Plan, after: Plan, report: EditReport, lines: list[str]) -> Plan:
    report.diff = diff(before, after)
    return after.model_copy(update={"edit": report, "llm_plan": in_words(report, lines)})


def _at_line(plan: Plan, line: int) -> Plan:
    """The plan marked with the line of the journal that led to it."""
    return plan.model_copy(update={"llm_plan": marked(plan.llm_plan or "", line)})
