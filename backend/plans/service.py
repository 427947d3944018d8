"""The entry point to plans: generate, edit and run them, and inspect runs.

Everything is synchronous and may be called from several threads; the database orders writes.
"""

import time
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from backend.inference.language import LanguageModel
from backend.inference.providers import Embedders
from backend.language.words import single_spaced, words
from backend.plans.edits.agreed import with_agreed
from backend.plans.edits.kin import with_kin
from backend.plans.edits.opensearch import query_faults
from backend.plans.reading.vocabulary import TextWords, Vocabulary, read_vocabulary, words_of_texts
from backend.plans.requests.asked_currencies import with_asked_currencies
from backend.plans.requests.common_values import explained, with_common_values
from backend.plans.requests.doubted_values import (
    left_out,
    may_be_doubtful,
    with_doubted,
    with_doubts,
)
from backend.plans.requests.editor import edit_plan
from backend.plans.requests.foreign_figures import in_english_figures
from backend.plans.requests.impossible import refuse_endless, refuse_impossible
from backend.plans.requests.journal import Journal, mark_of, marked
from backend.plans.requests.list_sizes import refuse_unasked_sizes
from backend.plans.requests.margins import with_margins
from backend.plans.requests.offering import finished
from backend.plans.requests.plan_limits import within_plan_limits
from backend.plans.requests.planner import direct_plan, plan_question
from backend.plans.requests.proposing import Proposer
from backend.plans.requests.report import with_remarks_in_words
from backend.plans.requests.sql import is_sql, sql_plan
from backend.plans.requests.standing import remarks_of, with_standing
from backend.plans.requests.unused import reflected_words, unused_in, with_unused
from backend.plans.running import answering
from backend.plans.running.allowance import Allowance, RunLimits
from backend.plans.running.behind import Asked, Behind, as_read, unknown_field, without_usable
from backend.plans.running.carried import sweep_carried
from backend.plans.running.children import Children, Observers
from backend.plans.running.estimates import estimated
from backend.plans.running.execution import Listeners, RunRequest, ShowList, answer, execute
from backend.plans.running.nearness import embedder_of
from backend.plans.running.passages import StoredTexts, full_text
from backend.plans.running.retrieval import Retrieval
from backend.plans.running.run_comparison import Window
from backend.plans.running.run_record import RunRecord
from backend.plans.running.runs import Runs
from backend.plans.running.stage import Stage
from backend.plans.running.weight import is_heavy, memory_of
from backend.plans.tables.collection import Collection
from backend.plans.tables.collections import Collections
from backend.plans.tables.narrowing import fields_in_use
from backend.store.database import Database
from backend.store.shared_files import SharedFiles
from backend.tasks.headroom import reserved
from workbench.contract.coverage import CONFIDENCE_LIMIT
from workbench.contract.derived_fields import sources_of
from workbench.contract.errors import FieldFault, Invalid, NotFound
from workbench.contract.ids import new_id
from workbench.contract.inner_properties import declared_kinds, outer_name
from workbench.contract.plan import EditReport, EditRequest, NodeEstimate, Plan, Query
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_columns import stored_field
from workbench.contract.plan_nodes import ENTITY, bare_field, canonical_field
from workbench.contract.plan_sources import other_docsets
from workbench.contract.plan_validation import validate, walk
from workbench.contract.query import (
    Event,
    NodeWindow,
    QueryResult,
    RunComparison,
    RunTrace,
)

Emit = Callable[[Event], None]

_QUESTION_LOC = ("body", "query")
_FEEDBACK_LOC = ("body", "feedback")
_KEPT = 8
_SAMPLE = 60
"""Documents that are read to find the nouns for the documents of a collection."""


@dataclass(frozen=True)
class _Listeners:
    """Receivers of the events of a run. `later` receives those of a list lazily, if it is set."""

    emit: Emit | None
    later: answering.Later | None

    def shown(self, stage: Stage) -> ShowList | None:
        """Passes a list on as lazy events."""
        if (later := self.later) is None:
            return None
        return lambda relation: later(answering.windows(relation, stage.collection))


class PlanService:
    """Plans of all DocSets. `runs_dir` has the results of steps, `tables_dir` the tables of large
    DocSets; `clock` returns seconds since 1970.

    `model` is asked about words that the rules do not understand; without one such words are
    refused. `embedders` compare texts with questions. `limits` apply to each run. Other servers
    read results and tables from `shared`. Values below `confidence_limit` stay out of answers
    unless a DocSet or a request overrides it.
    """

    def __init__(
        self,
        database: Database,
        search: Retrieval,
        runs_dir: Path,
        tables_dir: Path,
        clock: Callable[[], float] = time.time,
        model: LanguageModel | None = None,
        embedders: Embedders | None = None,
        limits: RunLimits | None = None,
        confidence_limit: float = CONFIDENCE_LIMIT,
        shared: SharedFiles | None = None,
    ) -> None:
        self._database = database
        self._search = search
        self._embedders = embedders or Embedders()
        self._clock = clock
        self._limits = limits
        self._proposer = None if model is None else Proposer(model)
        self._collections = Collections(
            database, tables_dir, confidence_limit=confidence_limit, shared=shared
        )
        self._runs_dir = runs_dir
        self._runs = Runs(database, runs_dir, shared)
        self._children = Children(limits or RunLimits())
        self._journal = Journal(database)
        self._vocabularies: dict[str, Vocabulary] = {}
        self._texts: dict[str, tuple[list[str], TextWords]] = {}

    def start(self) -> None:
        """Begins to follow the documents of DocSets that are in use."""
        self._collections.start()
        self._children.start()

    def tidy(self) -> None:
        """Ends processes that have been idle for a while."""
        self._children.tidy()

    def close(self) -> None:
        self._children.close()
        self._collections.close()

    def recover(self, *, alone: bool) -> None:
        """Ends the runs that a crash interrupted and removes those of deleted DocSets; call it
        before the first run. `alone` means that no other process uses the database.
        """
        self._runs.recover(self._clock(), alone=alone)
        sweep_carried(self._runs_dir)
        self._journal.recover()

    def collection(self, docset_id: str, account_id: str) -> Collection:
        """The documents of a DocSet as the table that plans run over."""
        return self._collections.open(docset_id, account_id)

    def generate(self, query: Query, account_id: str) -> Plan:
        """The plan that answers `query.query`. Invalid if nothing of it is understood."""
        vocabulary = self._vocabulary(query.docset_id, account_id)
        collection = vocabulary.collection
        try:
            plan = self._made(query.query or "", vocabulary, self._proposer)
        except Invalid as refused:
            raise finished(refused, lambda plan: estimated(plan, collection)) from refused
        return estimated(plan, collection)

    def edit(self, request: EditRequest, account_id: str) -> Plan:
        """The plan after the feedback, with a report. Invalid if nothing could be applied."""
        query = request.query
        vocabulary = self._vocabulary(query.docset_id, account_id)
        collection = vocabulary.collection
        before = repaired(query.plan, collection)
        earlier = EditReport() if query.plan is None else remarks_of(query.plan)
        before = with_remarks_in_words(before, earlier)
        if query.query:
            before = before.model_copy(update={"query": single_spaced(query.query)})
        self._journal.confirm(query.docset_id, before)

        def read(feedback: str) -> Plan:
            plan = edit_plan(
                before, feedback, collection, vocabulary, self._journal, self._clock(),
                self._proposer,
            )  # fmt: skip
            if not is_sql(plan):
                refuse_unasked_sizes(plan, feedback, vocabulary, _FEEDBACK_LOC, before)
            return plan

        def done(plan: Plan, *, offered: bool = False) -> Plan:
            """The edited plan for the answer, with its line in the journal."""
            if not is_sql(plan):
                plan = with_kin(plan, collection.fields, vocabulary.values.counts, before)
                plan = with_asked_currencies(plan, request.feedback, vocabulary, before)
                plan = with_common_values(plan, request.feedback, vocabulary, before)
                plan = with_margins(plan, request.feedback, before)
            plan = with_agreed(plan, collection)
            plan = with_standing(plan, before, earlier, request.feedback, collection)
            plan = with_remarks_in_words(plan, plan.edit)
            if mark_of(plan) is None:
                line = mark_of(before)
                if plan_hash(before) != plan_hash(plan):
                    words = None if offered else request.feedback
                    line = self._journal.record(query.docset_id, before, plan, words, self._clock())
                if line is not None:
                    text = marked(plan.llm_plan or "", line)
                    plan = plan.model_copy(update={"llm_plan": text})
            return estimated(plan, collection)

        feedback = single_spaced(request.feedback)
        try:
            with within_plan_limits(feedback, _FEEDBACK_LOC):
                after = in_english_figures(feedback, read, _FEEDBACK_LOC, before)
        except Invalid as refused:
            clearer = explained(refused, feedback, vocabulary)
            raise finished(clearer, partial(done, offered=True), before) from refused
        return done(after)

    def _made(self, text: str, vocabulary: Vocabulary, proposer: Proposer | None) -> Plan:
        """The plan that answers a question in SQL or in English."""
        question = single_spaced(text)
        refuse_impossible(question, vocabulary, _QUESTION_LOC)
        with within_plan_limits(question, _QUESTION_LOC):
            read = sql_plan(question, vocabulary, self._clock())
            if read is None:
                refuse_endless(question, _QUESTION_LOC)
                read = self._planned(question, vocabulary, proposer)
            agreed = with_agreed(read, vocabulary.collection)
            return with_remarks_in_words(agreed, agreed.edit) if agreed is not read else read

    def _planned(self, question: str, vocabulary: Vocabulary, proposer: Proposer | None) -> Plan:
        """The plan that answers a question, with the kin of its values and its unused words."""
        collection = vocabulary.collection
        now = self._clock()

        def complete(plan: Plan) -> Plan:
            plan = with_kin(plan, collection.fields, vocabulary.values.counts)
            plan = with_asked_currencies(plan, question, vocabulary)
            plan = with_common_values(plan, question, vocabulary)
            plan = with_margins(plan, question)
            return finished_report(plan)

        def finished_report(plan: Plan) -> Plan:
            plan = with_unused(plan, vocabulary)
            return with_remarks_in_words(plan, plan.edit)

        def plan_with(known: Vocabulary) -> Plan:
            def read(text: str) -> Plan:
                plan = plan_question(text, known.collection, known, now, proposer)
                refuse_unasked_sizes(plan, text, known, _QUESTION_LOC, None)
                return plan

            return in_english_figures(question, read, _QUESTION_LOC)

        def plan_with_doubted(left: Set[str]) -> Plan | None:
            """The plan with doubtful values, if one of these words is part of one."""
            doubting = with_doubted(vocabulary, self._text_words(collection)) if left else None
            if doubting is None or not may_be_doubtful(left, vocabulary, doubting):
                return None
            with suppress(Invalid):
                found = plan_with(doubting)
                doubted = with_doubts(found, vocabulary, doubting)
                return finished_report(doubted) if doubted != found else None
            return None

        try:
            plan = plan_with(vocabulary)
        except Invalid as refused:
            asked = {word.lower() for word in words(question)}
            if (doubted := plan_with_doubted(asked)) is not None:
                return doubted
            if any(fault.choices for fault in refused.faults):
                raise finished(refused, complete) from refused
            raise explained(refused, question, vocabulary) from refused
        return plan_with_doubted(left_out(plan, vocabulary)) or complete(plan)

    def validate(self, plan: Plan, docset_id: str, account_id: str) -> list[FieldFault]:
        """All faults of a plan; empty when it can run."""
        return faults_of(plan, self._collections.open(docset_id, account_id))

    def estimate(self, plan: Plan, docset_id: str, account_id: str) -> list[NodeEstimate]:
        """The estimated cost of each step of a valid plan; Invalid with all faults otherwise."""
        collection = self._collections.open(docset_id, account_id)
        return estimated(repaired(plan, collection), collection).estimates or []

    def run(
        self,
        query: Query,
        account_id: str,
        emit: Emit,
        cancelled: Callable[[], bool],
        *,
        until_node: int | None = None,
        later: answering.Later | None = None,
    ) -> QueryResult:
        """Answers a question or runs a plan, up to `until_node` when given.

        Events go to `emit` in the order of the contract, `complete` last. Those of a list go to
        `later` if it is set, which may read them after this has returned; the result is then
        without the list. A failure is raised without an event, RunCancelled when `cancelled`
        returns true.
        """
        emit(Event("status", "reading the collection"))
        made = self._run(query, account_id, _Listeners(emit, later), cancelled, until_node)
        return made if isinstance(made, QueryResult) else QueryResult.model_validate_json(made)

    def run_written(
        self,
        query: Query,
        account_id: str,
        cancelled: Callable[[], bool],
        until_node: int | None = None,
    ) -> bytes:
        """Like `run`, without events; the answer as JSON."""
        made = self._run(query, account_id, _Listeners(None, None), cancelled, until_node)
        return made.model_dump_json().encode() if isinstance(made, QueryResult) else made

    def trace(self, query_id: str, account_id: str) -> RunTrace:
        """A stored run."""
        trace = self._runs.trace(query_id, account_id)
        labels = {} if trace.plan is None else answering.labels_of(trace.plan)
        return trace.model_copy(update={"labels": labels})

    def node_output(
        self, query_id: str, node_id: int, account_id: str, offset: int = 0, limit: int = 100
    ) -> NodeWindow:
        """A window of the rows of a step."""
        return self._runs.window(query_id, node_id, account_id, offset, limit)

    def documents_behind(
        self, query_id: str, node_id: int, account_id: str, asked: Asked
    ) -> Behind:
        """The documents behind a step of a run, or those that it had to leave out."""
        trace = self._runs.trace(query_id, account_id)
        if trace.plan is None or str(node_id) not in trace.plan.nodes:
            raise NotFound(f"The run {query_id} has no step {node_id}.")
        collection = self._collections.open(trace.docset_id, account_id, trace.confidence_limit)
        upstream = cut(trace.plan, node_id)
        if asked.state == "used":
            ids = self._runs.documents_behind(query_id, node_id, asked.row)
        else:
            if asked.field is None:
                msg = "Name the field whose values are missing or doubtful."
                raise Invalid.at(("query", "field"), msg, "missing")
            before = trace.plan.node(node_id).inputs
            reached = [self._runs.documents_behind(query_id, n, None) for n in before]
            ids = without_usable(reached, asked.field, collection)
        named = [asked.field] if asked.field else fields_in_use(nearest_first(upstream))
        window = ids.slice(asked.offset, asked.limit).to_list()
        sources = [node.node_id for node in upstream.nodes.values() if not node.inputs]
        names = [name for name in map(canonical_field, named) if name.startswith(ENTITY)]
        read = self._runs.as_read(query_id, sources, window, names)
        fields = _shown_fields(names, read.columns, collection)
        known = any(source in collection.fields for name in names for source in sources_of(name))
        if asked.field is not None and names and not fields and not known:
            raise unknown_field(asked.field)
        shown = list(dict.fromkeys(name for name, _ in fields.values()))
        then = as_read(read, collection, fields)
        limit = collection.rules.limit
        return Behind(trace.docset_id, window, len(ids), shown, limit, then)

    def compare_runs(
        self, before: str, after: str, account_id: str, offset: int = 0, limit: int = 100
    ) -> RunComparison:
        """How the answers of two runs differ."""
        return self._runs.compare(before, after, account_id, Window(offset, limit))

    def drop(self, docset_id: str) -> None:
        """Removes the runs and the history of a deleted DocSet."""
        self._runs.drop(docset_id)
        self._journal.drop(docset_id)
        self._collections.drop(docset_id)
        self._vocabularies.pop(docset_id, None)
        self._texts.pop(docset_id, None)

    def _vocabulary(self, docset_id: str, account_id: str) -> Vocabulary:
        """The words of a collection in its current state, computed once for each state."""
        collection, values = self._collections.open_with_values(docset_id, account_id)
        kept = self._vocabularies.get(docset_id)
        if kept is None or kept.collection.digest != collection.digest:
            kept = read_vocabulary(collection, values, self._text_words(collection))
            self._vocabularies.pop(docset_id, None)
            self._vocabularies[docset_id] = kept
            for oldest in list(self._vocabularies)[:-_KEPT]:
                self._vocabularies.pop(oldest, None)
                self._texts.pop(oldest, None)
        return kept

    def _text_words(self, collection: Collection) -> TextWords:
        """The words in the texts of the first documents, read again when these change."""
        contents = collection.table.get_column("content_id").head(_SAMPLE).to_list()
        kept = self._texts.get(collection.docset_id)
        if kept is None or kept[0] != contents:
            passages = StoredTexts(self._database).of(contents)
            kept = contents, words_of_texts(full_text(p) for p in passages.values())
            self._texts[collection.docset_id] = kept
        return kept[1]

    def _run(
        self,
        query: Query,
        account_id: str,
        listeners: _Listeners,
        cancelled: Callable[[], bool],
        until_node: int | None,
    ) -> QueryResult | bytes:
        """The answer, as JSON if it comes from a worker process."""
        emit = listeners.emit or _ignore
        plan, collection = self._plan_to_run(query, account_id, cancelled)
        if until_node is not None:
            plan = cut(plan, until_node)
        stage = self._stage(query, collection, cancelled)
        order = RunRequest(
            new_id("q"),
            plan,
            plan.query or query.query or "",
            rag_mode=query.rag_mode,
            summarize=query.summarize_result,
            unused=self._unused(plan, collection, query, account_id),
        )
        self._runs.begin(order.query_id, query.docset_id, account_id, plan, self._clock())
        answering.announce(order.query_id, plan, emit)
        record = RunRecord(self._runs, order.query_id, collection, fields_in_use(plan), self._clock)
        if not is_heavy(plan, collection):
            # Polars ends the process when an allocation fails.
            with reserved(memory_of(plan, collection)) as is_free:
                if is_free:
                    with record.ended():
                        relation, account = execute(order, stage, record, emit)
                        record.succeed(account)
                    shown = Listeners(emit, listeners.shown(stage))
                    return answer(order, relation, account, stage, shown)
        observers = Observers(record, listeners.emit, listeners.later)
        folder = self._runs.folder_of(order.query_id)
        with record.ended():
            return self._children.run(account_id, order, stage, folder, observers)

    def _plan_to_run(
        self, query: Query, account_id: str, cancelled: Callable[[], bool]
    ) -> tuple[Plan, Collection]:
        """The plan of a query, generated if it has none, and the collection to run it over."""
        limit = query.confidence_limit
        collection = self._collections.open(query.docset_id, account_id, limit)
        if query.plan is not None:
            return with_agreed(repaired(query.plan, collection), collection), collection
        if query.rag_mode:
            return direct_plan(query.query or "", collection), collection
        vocabulary = self._vocabulary(query.docset_id, account_id)
        proposer = self._proposer and replace(self._proposer, stopped=cancelled)
        plan = self._made(query.query or "", vocabulary, proposer)
        return plan, vocabulary.collection if limit is None else collection

    def _unused(
        self, plan: Plan, collection: Collection, query: Query, account_id: str
    ) -> list[str]:
        """The words of the question that the plan, perhaps changed by hand, does not reflect."""
        if query.plan is None:
            return plan.edit.unused if plan.edit is not None else []
        if mark_of(plan) == 0:
            if is_sql(plan) or not unused_in(plan, collection):
                return []
            report = with_unused(plan, self._vocabulary(query.docset_id, account_id)).edit
            return report.unused if report is not None else []
        unused = remarks_of(plan).unused
        used = reflected_words(plan, collection, unused)
        return [word for word in unused if word.lower() not in used]

    def _stage(self, query: Query, collection: Collection, cancelled: Callable[[], bool]) -> Stage:
        return Stage(
            collection,
            StoredTexts(self._database),
            self._search,
            cancelled,
            include=query.doc_inclusion_list,
            exclude=query.doc_exclusion_list or [],
            embedder=partial(embedder_of, query.docset_id, self._database, self._embedders),
            allowance=Allowance(self._limits),
        )


def _ignore(_event: Event) -> None:
    return None


def _shown_fields(
    names: Sequence[str], read: Sequence[str], collection: Collection
) -> dict[str, tuple[str, str | None]]:
    """The bare name of the property behind each field that the collection has, or had when a run
    `read` it; the evidence of a part of an object is that of the object, beside the part.
    """
    declared = declared_kinds(collection.schema)
    fields: dict[str, tuple[str, str | None]] = {}
    for name in names:
        was_stored = name in read and sources_of(name) == (name,)
        stored = stored_field(name, collection.fields) or (name if was_stored else None)
        if stored is not None:
            bare = bare_field(stored)
            fields[stored] = outer_name(bare, declared) or (bare, None)
    return fields


def faults_of(plan: Plan, collection: Collection) -> list[FieldFault]:
    """All faults of a plan over a collection, in the order of its steps."""
    faults = validate(plan, collection.fields).faults + query_faults(plan, collection.fields)
    faults += other_docsets(plan, collection.docset_id)
    order = {key: place for place, key in enumerate(sorted(plan.nodes, key=_number))}
    return sorted(faults, key=lambda fault: order.get(str([*fault.loc, "", "", "", ""][3]), -1))


def _number(key: str) -> int:
    return int(key) if key.isdecimal() else -1


def repaired(plan: Plan | None, collection: Collection) -> Plan:
    """A valid plan without steps that nothing uses; Invalid with all faults otherwise."""
    if plan is None:
        raise Invalid.at(("body", "query", "plan"), "The plan is missing.", "missing")
    if faults := faults_of(plan, collection):
        raise Invalid(faults)
    return plan.model_copy(
        update={
            "nodes": {str(i): plan.node(i) for i in sorted(walk(plan))},
            "edit": None,
            "estimates": None,
        }
    )


def cut(plan: Plan, node_id: int) -> Plan:
    """The part of a plan that ends at one step."""
    if str(node_id) not in plan.nodes:
        raise Invalid.at(("until_node",), f"The plan has no step {node_id}.", "no_such_node")
    shorter = plan.model_copy(update={"result_node": node_id})
    return shorter.model_copy(
        update={"nodes": {str(i): plan.node(i) for i in sorted(walk(shorter))}}
    )


def nearest_first(plan: Plan) -> Plan:
    """The plan with its result step in front: the values behind a number should come before those
    that it was grouped and filtered by.
    """
    steps = reversed(walk(plan))
    return plan.model_copy(update={"nodes": {str(i): plan.node(i) for i in steps}})
