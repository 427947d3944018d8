"""A DocSet as an object: its content, and all calls on it."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from workbench.client import Ambiguous, AsyncClient, Mistake, UnknownName
from workbench.client.errors import fitting
from workbench.client.uploads import Options, Source
from workbench.contract.coverage import CERTAIN, Merge
from workbench.contract.docsets import DocSetMetadata, SuggestedSchema
from workbench.contract.embeddings import EmbeddingState
from workbench.contract.plan import Plan
from workbench.contract.plan_sources import moved_to
from workbench.contract.rereading import Change
from workbench.contract.schema import Schema, SchemaProperty
from workbench.contract.search import Completions, QueryType, ReturnType
from workbench.formats import counted
from workbench.frames.documents import Documents
from workbench.frames.elements import Elements
from workbench.frames.facets import Facets
from workbench.frames.hits import Hits
from workbench.frames.html import facts
from workbench.frames.reviews import Changes, ToReview
from workbench.frames.table_list import Tables
from workbench.nearest import suggestion
from workbench.objects.adding import Added, add_all, collect
from workbench.objects.arguments import several, text, whole
from workbench.objects.confidences import Confidences, confidences
from workbench.objects.contents import LARGEST_PAGE, all_documents, all_tables, one_document
from workbench.objects.correcting import wire_value
from workbench.objects.document import Document
from workbench.objects.engine import Engine
from workbench.objects.evidence import values_of
from workbench.objects.excerpt import Excerpt, excerpt_of
from workbench.objects.naming import document_id
from workbench.objects.plans import AmbiguousPlan, PlanDraft
from workbench.objects.reviewing import decide, open_changes, reread, values_to_review
from workbench.objects.run import Run
from workbench.objects.schemas import SchemaLike, schema_of
from workbench.objects.searching import first_hits, pages_of_hits, search_request
from workbench.objects.task import Task
from workbench.objects.why import Why
from workbench.sessions.correcting import correct
from workbench.sessions.evidence import EvidenceLine
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.rereading_setting import reread_by_itself
from workbench.sessions.wanting import wanted_of_empty

_POLL_SECONDS = 0.3


class DocSet:
    """One DocSet. Its metadata is as old as the last call; `refresh` updates it."""

    def __init__(self, engine: Engine, metadata: DocSetMetadata) -> None:
        self.engine = engine
        self.metadata = metadata

    # -- metadata -------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The id, which never changes."""
        return self.metadata.docset_id

    @property
    def name(self) -> str:
        """The name."""
        return self.metadata.name

    @property
    def schema(self) -> Schema:
        """The properties that are extracted from every document."""
        return self.metadata.schema_ or Schema(properties=[])

    def __len__(self) -> int:
        """The number of documents at the last update."""
        return self.metadata.size or 0

    def __bool__(self) -> bool:
        """Always true, even without documents."""
        return True

    def __repr__(self) -> str:
        return f"DocSet({self.name!r}, {counted(len(self), 'document')}, id {self.id!r})"

    def _repr_html_(self) -> str:
        properties = ", ".join(prop.name for prop in self.schema.properties)
        pairs = [
            ("id", self.id),
            ("documents", f"{len(self):,}"),
            ("properties", properties or None),
            ("created", f"{self.metadata.created_at:%Y-%m-%d %H:%M}"),
            ("read-only", "yes" if self.metadata.readonly else None),
        ]
        return facts(f"DocSet {self.name}", pairs)

    def refresh(self) -> "DocSet":
        """Updates name, size and schema.

        Example: len(docset.refresh())
        """
        self.metadata = self.engine.run(lambda client: client.docset(self.id))
        return self

    # -- documents ------------------------------------------------------------------------------

    def add(
        self,
        what: Source | Iterable[Source],
        *,
        name: str | None = None,
        options: Options | None = None,
        skip_known: bool = False,
        progress: bool = True,
    ) -> Added:
        """Adds `what`: files, folders, patterns such as `reports/*.pdf`, URLs or bytes; waits for
        all.

        `name` is the file name for bytes, `options` are partition options, `progress` shows a bar.
        Failures are reported in the result (`.failed`) and do not stop the others. `skip_known`
        skips files whose name and size match a document of the DocSet, which resumes an interrupted
        call.

        Example: docset.add("reports/*.pdf", skip_known=True)
        """
        from workbench.objects.progress import showing_additions

        files = collect(what, name)
        with showing_additions(files, wanted=progress) as shown:

            async def add(client: AsyncClient) -> Added:
                return await add_all(
                    *(client, self.id, files),
                    options=options,
                    skip_known=skip_known,
                    on_change=shown,
                )

            added = self.engine.run(add)
        self.refresh()
        return added

    def submit(
        self, source: Source, *, name: str | None = None, options: Options | None = None
    ) -> Task:
        """Sends one file, `source` (a path, URL or bytes with a `name`), without waiting for it.

        `options` are partition options; the task can be waited for and awaited.

        Example: docset.submit(b"A note.", name="note.txt").result()
        """
        return Task(
            self.engine,
            self.engine.run(
                lambda client: client.submit_document(self.id, source, name=name, options=options)
            ),
        )

    def documents(self, limit: int | None = None, *, confidence: bool = False) -> Documents:
        """The documents with their properties, oldest first; the first `limit` of them, or all.

        With `confidence` each property is followed by a column with its confidence, 0 to 1.
        Raises Mistake for a limit below 1.

        Example: docset.documents(confidence=True).to_polars()
        """
        if limit is not None:
            whole("limit", limit, 1)
        listed = self.engine.iterate(
            lambda client: client.documents(self.id, page_size=min(limit or 500, 500))
        )
        return Documents(list(islice(listed, limit)), self.schema, self._confidences(confidence))

    def document_pages(self, size: int = 500, *, confidence: bool = False) -> Iterator[Documents]:
        """The same, `size` documents at a time, each page fetched on demand: for more than fit into
        memory. `size` is at most 1,000, `confidence` as in `documents`.

        Example: for page in docset.document_pages(size=100): page.to_polars()
        """
        whole("size", size, 1, LARGEST_PAGE)
        return self._document_pages(size, self._confidences(confidence))

    def _document_pages(self, size: int, sure: Confidences | None) -> Iterator[Documents]:
        listed = self.engine.iterate(lambda client: client.documents(self.id, page_size=size))
        while page := list(islice(listed, size)):
            yield Documents(page, self.schema, sure)

    def _confidences(self, wanted: bool) -> Confidences | None:
        """The confidence of each value of the schema, if wanted."""
        if not wanted:
            return None
        names = [prop.name for prop in self.schema.properties]
        return self.engine.run(lambda client: confidences(client, self.id, names))

    def document(self, document: str) -> Document:
        """The document with the name or id `document`: its values, elements, tables and pages.

        Raises UnknownName with the nearest name, AmbiguousName when several documents have it.

        Example: docset.document("report-7.pdf").properties["state"]
        """
        return Document(
            self, self.engine.run(lambda client: one_document(client, self.id, document))
        )

    def elements(self, document: str | None = None, *, limit: int | None = None) -> Elements:
        """The elements of one `document`, by name or id, or of all; the first `limit`, or all.

        Example: docset.elements("report-7.pdf", limit=20)
        """
        if limit is not None:
            whole("limit", limit, 1)
        if document is not None:
            return Elements([self.document(document).body], limit)
        documents = self.engine.run(lambda client: all_documents(client, self.id, limit))
        return Elements(documents, limit)

    def element_pages(self) -> Iterator[Elements]:
        """The elements of one document after the other, fetched on demand.

        Example: for page in docset.element_pages(): page.to_polars()
        """
        for page in self.document_pages():
            for document in page:
                yield self.elements(document.doc_id)

    def tables(self, document: str | None = None, *, strict: bool = True) -> Tables:
        """The tables of one `document`, by its name or id, or of all documents.

        Without `strict` a column gets the type of most of its cells, with the text of the others in
        a separate column beside it. `.rows()` has the rows of all tables in one frame.

        Example: docset.tables("report-7.pdf")[0].to_polars()
        """
        if document is not None:
            return self.document(document).tables(strict=strict)
        return Tables(self.engine.run(lambda client: all_tables(client, self.id, strict)))

    def excerpt(self, document: str | EvidenceLine, element_id: str | None = None) -> Excerpt:
        """An element with a picture of its place on the page, for example of a hit.

        `document` is a name or id, or a line of `Run.why`, whose value is shown; `element_id`
        defaults to the first element. Raises LookupError if there is no such element.

        Example: docset.excerpt(run.why(0)[0])
        """
        originals, box = self.engine.workspace.originals, None
        if isinstance(document, EvidenceLine):
            value = document.value
            doc_id = document.doc_id
            element_id, box = (value.element_id, value.bbox) if value else (None, None)
        else:
            doc_id = self._doc_id(document)
        return self.engine.run(
            lambda client: excerpt_of(client, originals, self.id, doc_id, element_id, box)
        )

    def original(self, document: str) -> bytes:
        """The original file of a `document`, by its name or id.

        Example: docset.original("report-7.pdf")
        """
        doc_id = self._doc_id(document)
        return self.engine.run(lambda client: client.binary(self.id, doc_id))

    def delete_document(self, document: str) -> None:
        """Deletes a `document`, by its name or id. This cannot be undone.

        Example: docset.clone().delete_document("report-7.pdf")
        """
        doc_id = self._doc_id(document)
        self.engine.run(lambda client: client.delete_document(self.id, doc_id))
        self.refresh()

    def _doc_id(self, document: str) -> str:
        return self.engine.run(lambda client: document_id(client, self.id, document))

    # -- properties -----------------------------------------------------------------------------

    def extract(self, schema: SchemaLike, *, overwrite_corrections: bool = False) -> "DocSet":
        """Extracts further properties from every document; new documents will have them too.

        `schema` is a dictionary of names and types, a pydantic class, a dataclass or a `Schema`.
        People's corrections stay, unless `overwrite_corrections`.

        Raises Mistake for a misspelt type.

        Example: docset.extract({"city": str, "phase": ["Landing", "Climb"]})
        """
        wanted = schema_of(schema)
        if not self.engine.run(lambda client: wanted_of_empty(client, self.id, wanted)):
            self.engine.run(
                lambda client: client.extract_properties(
                    self.id, wanted, overwrite_corrections=overwrite_corrections
                )
            )
        return self.refresh()

    def evidence(
        self, document: str | None = None, *, properties: Sequence[str] | None = None
    ) -> Why:
        """The values of all documents, or of one `document` by name or id, each with confidence,
        source, and whether it was corrected. `properties` are all by default.

        Raises UnknownName for a property that the schema does not have.

        Example: docset.evidence("report-7.pdf", properties=["state"]).to_polars()
        """
        self._check_properties(properties)
        names = list(properties) if properties is not None else self._property_names()

        async def read(client: AsyncClient) -> Why:
            doc_id = None if document is None else await document_id(client, self.id, document)
            return await values_of(client, self.id, names, doc_id)

        return self.engine.run(read)

    def set_property(self, document: str, name: str, value: Any) -> "DocSet":
        """Corrects the `value` of the property `name` of a `document`, by its name or id.

        None means that there is no value.

        The value is recorded as a correction, which later extractions keep, except with
        `extract(…, overwrite_corrections=True)`.

        Raises UnknownName for a wrong document or property, Mistake for a value of another type.

        Example: docset.set_property("report-7.pdf", "state", "Alaska")
        """
        shape = self._check_property(name)
        wire = None if value is None else wire_value(name, value, shape)

        async def change(client: AsyncClient) -> None:
            doc_id = await document_id(client, self.id, document)
            await correct(client, self.id, doc_id, name, wire)

        self.engine.run(change)
        return self

    def to_review(
        self,
        properties: Sequence[str] | None = None,
        *,
        below: float | None = CERTAIN,
        limit: int = 100,
    ) -> ToReview:
        """The unchecked values, the least certain first, with their alternatives: of `properties`,
        or of all; at most `limit`.

        `below` leaves out values of at least that certainty; None includes all. Check them with
        `set_property`: setting a value to itself counts as a check.

        Raises UnknownName for a property that the schema does not have.

        Example: docset.to_review(["state"], below=None).to_polars()
        """
        whole("limit", limit, 1)
        self._check_properties(properties)
        return self.engine.run(
            lambda client: values_to_review(client, self.id, properties, below, limit)
        )

    def reread(self, properties: Sequence[str] | None = None) -> Changes:
        """Rereads all documents with the corrections so far, and returns the proposed changes.

        Nothing changes until it is accepted. `properties` default to the corrected ones.

        Raises Invalid when nothing was corrected, UnknownName for a wrong property.

        Example: docset.reread(["state"]).to_polars()
        """
        self._check_properties(properties)
        return self.engine.run(lambda client: reread(client, self.id, properties))

    def reread_after_corrections(self, wanted: bool = True) -> "DocSet":
        """Rereads the documents in the background after each correction; `wanted=False` turns that
        off.

        The resulting changes are proposed in `changes()`; nothing changes until it is accepted.

        Example: docset.reread_after_corrections()
        """
        self.metadata = self.engine.run(lambda client: reread_by_itself(client, self.id, wanted))
        return self

    def changes(self) -> Changes:
        """The open changes of the latest `reread`.

        Example: docset.changes().to_polars()
        """
        return self.engine.run(lambda client: open_changes(client, self.id))

    def accept_changes(self, changes: Iterable[Change] | None = None) -> int:
        """Accepts `changes`, some of `changes()`, which then count as checked; all by default.

        Returns how many it made.

        Example: docset.accept_changes(docset.changes()[:3])
        """
        return self.engine.run(lambda client: decide(client, self.id, "accept", changes))

    def refuse_changes(self, changes: Iterable[Change] | None = None) -> int:
        """Refuses `changes`, some of `changes()`, so that their values stay; all by default.

        Returns how many there were.

        Example: docset.refuse_changes(docset.changes()[:3])
        """
        return self.engine.run(lambda client: decide(client, self.id, "refuse", changes))

    def undo_changes(self) -> int:
        """Undoes all accepted changes of the latest `reread` in one step; returns their number.

        Example: docset.undo_changes()
        """
        return self.engine.run(lambda client: decide(client, self.id, "undo", None))

    def _property_names(self) -> list[str]:
        return [prop.name for prop in self.schema.properties]

    def _check_property(self, name: str) -> SchemaProperty:
        """The schema of a property; updated from the server before a name is rejected."""
        shape = self.schema.get(name) or self.refresh().schema.get(name)
        if shape is None:
            near = suggestion(name, self._property_names())
            raise UnknownName(f"There is no property {name!r}.{near}")
        return shape

    def _check_properties(self, names: Sequence[str] | None) -> None:
        several("properties", names)
        for name in names or ():
            self._check_property(name)

    def drop_properties(self, names: Sequence[str]) -> "DocSet":
        """Deletes the properties `names` from the schema and from every document.

        Raises Invalid, with similar names, when the DocSet has no such property.

        Example: docset.clone().drop_properties(["year"])
        """
        several("names", names)
        unknown = [name for name in names if self.schema.get(name) is None]
        if unknown:  # documents may have properties that the schema lacks
            self.engine.run(lambda client: client.facets(self.id, unknown, top=0))
        self.engine.run(lambda client: client.delete_properties(self.id, names))
        return self.refresh()

    def suggest(
        self,
        *,
        sample_ratio: float | None = None,
        instructions: str | None = None,
        doc_ids: Sequence[str] | None = None,
    ) -> SuggestedSchema:
        """Suggests properties worth extracting, from a sample of the documents; `instructions` are
        wishes in plain words.

        `sample_ratio` is the fraction of the documents in the sample, from 0 to 1; `doc_ids` names
        them instead. Where the documents are of several kinds, `groups` has the words, documents
        and properties of each.

        Example: docset.suggest(sample_ratio=0.5, instructions="dates and costs")
        """
        return self.engine.run(
            lambda client: client.suggest_properties(
                self.id,
                doc_ids=doc_ids,
                sample_ratio=sample_ratio,
                existing_schema=self.metadata.schema_,
                instructions=instructions,
            )
        )

    def merges(self) -> list[Merge]:
        """The spellings that count as one in answers, in the order they were merged.

        Example: docset.merges()
        """
        return self.engine.run(lambda client: client.merged_values(self.id))

    def merge(self, field: str, values: Sequence[str], into: str | None = None) -> list[Merge]:
        """Counts all `values` of the property `field` as `into` (default: the first of them) from
        now on.

        The documents keep their values. `run.merges` proposes merges; returns all of them.

        Example: docset.merge("state", ["Alaska", "AK"], into="AK")
        """
        several("values", values)
        listed = list(values)
        if not listed:
            raise Mistake("There is no value to merge.")
        with fitting():
            merge = Merge(field=field, values=listed, into=into if into is not None else listed[0])
        return self.engine.run(lambda client: client.merge_values(self.id, merge))

    def undo_merge(self, number: int) -> list[Merge]:
        """Removes one of `merges()`, `number` in the list from 0; returns the rest.

        Example: docset.undo_merge(0)
        """
        return self.engine.run(lambda client: client.undo_merge(self.id, number))

    # -- vectors --------------------------------------------------------------------------------

    def embedding(self) -> EmbeddingState:
        """The embedding model of its vectors, and whether it is available.

        Example: docset.embedding()
        """
        return self.engine.run(lambda client: client.embedding(self.id))

    def submit_model(self, model: str) -> Task:
        """Recomputes all vectors with `model`, one of `Workbench.models`.

        Searches use the old vectors until the new ones are complete.

        Example: docset.submit_model("static").result()
        """
        submit = self.engine.run(lambda client: client.submit_embedding(self.id, model))
        return Task(self.engine, submit)

    # -- questions ------------------------------------------------------------------------------

    def search(
        self,
        query: str | None = None,
        *,
        kind: QueryType = "hybrid",
        where: str | None = None,
        return_type: ReturnType = "doc",
        limit: int = 100,
        fields: Sequence[str] | None = None,
        embeddings: bool = False,
    ) -> Hits:
        """The best hits for `query`, at most `limit`.

        `where` is a filter such as `properties.entity.year >= 2020 AND properties.entity.state =
        "WA"`; it works alone as well. `fields` projects the answer by JSONPath. `kind` is
        `keyword` (the literal text), `lexical` (words, by BM25), `vector` (by meaning) or `hybrid`
        (both); `return_type` is `doc` or `element`; `embeddings` adds the vectors.

        Raises Mistake for an empty query, an unknown kind or a limit below 1, Invalid for a
        malformed filter.

        Example: docset.search("ice on the wing", where="year >= 2020", limit=10)
        """
        whole("limit", limit, 1)
        request = search_request(
            query,
            kind=kind,
            where=where,
            return_type=return_type,
            fields=fields,
            embeddings=embeddings,
        )
        schema = self.metadata.schema_
        return self.engine.run(lambda client: first_hits(client, self.id, schema, request, limit))

    def hit_pages(self, query: str | None = None, *, size: int = 500, **how: Any) -> Iterator[Hits]:
        """All hits for `query`, `size` at a time, each page fetched on demand.

        `how` are the arguments of `search` except `limit`; `size` is at most 1,000.

        Example: for page in docset.hit_pages("wind", size=100): page.to_polars()
        """
        whole("size", size, 1, LARGEST_PAGE)
        request = search_request(query, **how)
        schema = self.metadata.schema_
        return self.engine.iterate(
            lambda client: pages_of_hits(client, self.id, schema, request, size)
        )

    def facets(
        self,
        *fields: str,
        query: str | None = None,
        kind: QueryType = "hybrid",
        where: str | None = None,
        top: int = 20,
    ) -> Facets:
        """The most frequent values of all properties, or of `fields`, with histograms: one row per
        property, `.rows()` has one per value, `.plot()` draws them.

        Counts the documents that match a search of that `kind` for `query` under `where`, or all.
        `top` is the number of values of each, at most 1,000.

        Raises Mistake for an invalid kind or number, Invalid for a wrong property.

        Example: docset.facets("state", where="year >= 2020", top=5)
        """
        whole("top", top, 0, 1000)
        search = None
        if query is not None or where is not None:
            search = search_request(query, kind=kind, where=where)
        return Facets(
            self.engine.run(
                lambda client: client.facets(self.id, fields or None, search=search, top=top)
            )
        )

    def complete(self, where: str, cursor: int | None = None, *, limit: int = 20) -> Completions:
        """Completions of the filter `where`: properties, operators, values with counts.

        `cursor` counts characters from the start (default: the end); at most `limit` proposals.

        Example: docset.complete("sta").items
        """
        return self.engine.run(lambda client: client.complete(self.id, where, cursor, limit=limit))

    def ask(self, question: str) -> Run:
        """The answer to `question`, in plain words: the same as `plan(question).run()`.

        To correct the answer, `edit` the draft that `plan` returns.

        Raises Mistake for an empty question, Invalid for one that is not understood, and
        AmbiguousPlan for one with several readings, whose `choices` can be applied.

        Example: docset.ask("How many reports are there for each state?").to_polars()
        """
        return self.plan(question).run()

    def plan(self, question: str) -> PlanDraft:
        """A plan that answers `question`, in plain words; look at it, edit it, run it.

        Raises Mistake for an empty question, Invalid for one that is not understood, and
        AmbiguousPlan for one with several readings, whose `choices` can be applied.

        Example: docset.plan("How many reports are there for each state?")
        """
        text("The question", question)
        if not question.strip():
            raise Mistake("The question is empty.")
        sessions = self.engine.plans(self.id)

        def draft(session: PlanSession) -> PlanDraft:
            return PlanDraft(self, session, session.versions.pointer)

        try:
            return draft(self.engine.run(lambda _: sessions.ask(question)))
        except Ambiguous as error:
            raise AmbiguousPlan(
                error, lambda choice: draft(sessions.choose(question, choice))
            ) from None

    def take_plan(self, plan: Plan | Mapping[str, Any], question: str = "") -> PlanDraft:
        """A draft of an existing `plan`, from a file or another DocSet, for this one.

        `question` is the question it answers (default: its own).

        Example: docset.take_plan(plan.plan).run()
        """
        with fitting():
            given = plan if isinstance(plan, Plan) else Plan.model_validate(plan)
            read = moved_to(given, self.id)
        session = self.engine.plans(self.id).new(question or read.query)
        return PlanDraft(self, session, session.edit_by_hand(read).number)

    def plans(self) -> list[PlanDraft]:
        """The latest versions of earlier plans, most recently used first.

        Example: docset.plans()[0]
        """
        sessions = self.engine.plans(self.id)
        opened = (sessions.open(asked.id) for asked in sessions.asked() if asked.versions)
        return [PlanDraft(self, one, one.versions.pointer) for one in opened if one]

    # -- the DocSet itself ----------------------------------------------------------------------

    def clone(self) -> "DocSet":
        """An independent copy of the DocSet with all its documents.

        Example: docset.clone()
        """
        return DocSet(self.engine, self.engine.run(lambda client: client.clone_docset(self.id)))

    def rebuild_index(
        self, on_progress: Callable[[int, int], None] = lambda done, total: None
    ) -> "DocSet":
        """Rebuilds the index from the stored documents, and waits until it is ready.

        `on_progress` is called with the number of documents done, and of all.

        Example: docset.rebuild_index()
        """
        state = self.engine.run(lambda client: client.rebuild_index(self.id))
        while state.state == "building":
            on_progress(state.done, state.total)
            time.sleep(_POLL_SECONDS)
            state = self.engine.run(lambda client: client.index_state(self.id))
        on_progress(state.total, state.total)
        return self

    def set_readonly(self, readonly: bool = True) -> "DocSet":
        """Forbids all changes or, with `readonly=False`, allows them again.

        Example: docset.clone().set_readonly()
        """
        self.metadata = self.engine.run(lambda client: client.set_readonly(self.id, readonly))
        return self

    def delete(self) -> None:
        """Deletes the DocSet with all its documents. This cannot be undone.

        Example: docset.clone().delete()
        """
        self.engine.run(lambda client: client.delete_docset(self.id))
