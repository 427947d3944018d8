"""The same objects to be awaited. What asks the server is awaited, all else is not.

Made by `tests/workbench/awaited_source.py` from the synchronous objects; change those instead.
A call that is cancelled goes on at the server, as it does when a cell is stopped.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any

from workbench.client.uploads import Options, Source
from workbench.contract.coverage import CERTAIN, Merge
from workbench.contract.docsets import DocSetMetadata, SuggestedSchema
from workbench.contract.documents import Document as Body
from workbench.contract.embeddings import EmbeddingState
from workbench.contract.plan import EditReport, Plan
from workbench.contract.plan_diff import NodeChange
from workbench.contract.plan_nodes import Node
from workbench.contract.rereading import Change
from workbench.contract.schema import Schema
from workbench.contract.search import Completions, QueryType, ReturnType
from workbench.frames.documents import Documents
from workbench.frames.elements import Elements
from workbench.frames.facets import Facets
from workbench.frames.hits import Hits
from workbench.frames.html import Markup
from workbench.frames.reviews import Changes, ToReview
from workbench.frames.table_list import Tables
from workbench.objects.adding import Added
from workbench.objects.awaited_run import AsyncRun, AsyncTask
from workbench.objects.awaiting import awaited, drafted, each
from workbench.objects.docset import DocSet
from workbench.objects.document import Document
from workbench.objects.excerpt import Excerpt
from workbench.objects.page import Page
from workbench.objects.plans import PlanChanges, PlanDraft
from workbench.objects.schemas import SchemaLike
from workbench.objects.why import Why
from workbench.sessions.plan_session import PlanSession


class AsyncDocSet:
    """`DocSet`, awaited."""

    def __init__(self, sync: DocSet) -> None:
        self.sync = sync

    @property
    def metadata(self) -> DocSetMetadata:
        """As `DocSet` has it."""
        return self.sync.metadata

    @property
    def id(self) -> str:
        """The id, which never changes."""
        return self.sync.id

    @property
    def name(self) -> str:
        """The name."""
        return self.sync.name

    @property
    def schema(self) -> Schema:
        """The properties that are read from every document."""
        return self.sync.schema

    def __len__(self) -> int:
        """Documents at the last look."""
        return self.sync.__len__()

    def __bool__(self) -> bool:
        """A DocSet without documents is a DocSet all the same."""
        return self.sync.__bool__()

    def __repr__(self) -> str:
        return self.sync.__repr__()

    def _repr_html_(self) -> str:
        return self.sync._repr_html_()

    async def refresh(self) -> "AsyncDocSet":
        """Asks again for name, size and schema."""
        return AsyncDocSet(await awaited(self.sync.refresh))

    async def add(
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

        `name` is that of bytes, `options` are those of the partitioner, `progress` shows a bar.
        What fails is told in the answer (`.failed`) and stops nothing else. `skip_known` leaves out
        files that a document of the DocSet has the name and size of: so an addition that was broken
        off is taken up again.
        """
        return await awaited(
            self.sync.add,
            what,
            name=name,
            options=options,
            skip_known=skip_known,
            progress=progress,
        )

    async def submit(
        self, source: Source, *, name: str | None = None, options: Options | None = None
    ) -> "AsyncTask":
        """Sends one file, `source` (a path, URL or bytes with a `name`), and does not wait for it.

        `options` are those of the partitioner; the task can be waited for and awaited.
        """
        return AsyncTask(await awaited(self.sync.submit, source, name=name, options=options))

    async def documents(self, limit: int | None = None, *, confidence: bool = False) -> Documents:
        """The documents with their properties, oldest first; the first `limit` of them, or all.

        With `confidence` each property is followed by a column of how sure its values are, 0 to 1.
        Raises Mistake for a limit below 1.
        """
        return await awaited(self.sync.documents, limit, confidence=confidence)

    def document_pages(
        self, size: int = 500, *, confidence: bool = False
    ) -> AsyncIterator[Documents]:
        """The same, `size` documents at a time, each page fetched when it is asked for: for more
        than fit into memory. `size` is at most 1,000, `confidence` as in `documents`.
        """
        return each(self.sync.document_pages, size, confidence=confidence)

    async def document(self, document: str) -> "AsyncDocument":
        """The document with the name or id `document`: its values, elements, tables and pages.

        Raises UnknownName with the nearest name, AmbiguousName when several documents have it.
        """
        return AsyncDocument(await awaited(self.sync.document, document))

    async def elements(self, document: str | None = None, *, limit: int | None = None) -> Elements:
        """The elements of one `document`, by name or id, or of all; the first `limit`, or all."""
        return await awaited(self.sync.elements, document, limit=limit)

    def element_pages(self) -> AsyncIterator[Elements]:
        """The elements of one document after the other, fetched when they are asked for."""
        return each(self.sync.element_pages)

    async def tables(self, document: str | None = None, *, strict: bool = True) -> Tables:
        """The tables of one `document`, by its name or id, or of all documents.

        Without `strict` a column has the type of most of its cells, and the text of the others
        stands in a column beside it. `.rows()` are the rows of all tables in one frame.
        """
        return await awaited(self.sync.tables, document, strict=strict)

    async def excerpt(self, document: str, element_id: str | None = None) -> Excerpt:
        """An element as it stands on its page, with a picture of the place: of a hit, for instance.

        `document` is a name or id; without `element_id` the first element. Raises LookupError when
        there is no such element.
        """
        return await awaited(self.sync.excerpt, document, element_id)

    async def original(self, document: str) -> bytes:
        """The file as it was added, of a `document` by its name or id."""
        return await awaited(self.sync.original, document)

    async def delete_document(self, document: str) -> None:
        """Deletes a `document`, by its name or id. There is no way back."""
        await awaited(self.sync.delete_document, document)

    async def extract(
        self, schema: SchemaLike, *, overwrite_corrections: bool = False
    ) -> "AsyncDocSet":
        """Reads further properties from every document; new documents will have them too.

        `schema` is a dictionary of names and types, a pydantic class, a dataclass or a `Schema`.
        Values that were corrected by hand stay, unless `overwrite_corrections`.

        Raises Mistake for a misspelt type.
        """
        return AsyncDocSet(
            await awaited(self.sync.extract, schema, overwrite_corrections=overwrite_corrections)
        )

    async def evidence(
        self, document: str | None = None, *, properties: Sequence[str] | None = None
    ) -> Why:
        """The values of all documents, or of one `document` by name or id: how sure each is, where
        it stands, and whether it was corrected by hand. `properties` are all by default.

        Raises UnknownName for a property that the schema does not have.
        """
        return await awaited(self.sync.evidence, document, properties=properties)

    async def set_property(self, document: str, name: str, value: Any) -> "AsyncDocSet":
        """Corrects the `value` of the property `name` of a `document`, by its name or id.

        None says that nothing is known.

        The value is recorded as corrected by hand, and no later extraction overwrites it unless
        it is asked to (`extract(…, overwrite_corrections=True)`).

        Raises UnknownName for a wrong document or property, Mistake for a value of another type.
        """
        return AsyncDocSet(await awaited(self.sync.set_property, document, name, value))

    async def to_review(
        self,
        properties: Sequence[str] | None = None,
        *,
        below: float | None = CERTAIN,
        limit: int = 100,
    ) -> ToReview:
        """The values that nobody has checked, the least certain first, with their alternatives: of
        `properties`, or of all; at most `limit`.

        `below` leaves out values of that certainty and more; None asks for all. Check them with
        `set_property`: a value that is set to what it is counts as checked.

        Raises UnknownName for a property that the schema does not have.
        """
        return await awaited(self.sync.to_review, properties, below=below, limit=limit)

    async def reread(self, properties: Sequence[str] | None = None) -> Changes:
        """Reads all documents again with what was corrected, and answers what would change.

        Nothing changes until it is accepted. `properties` are those that were corrected.

        Raises Invalid when nothing was corrected, UnknownName for a wrong property.
        """
        return await awaited(self.sync.reread, properties)

    async def changes(self) -> Changes:
        """The changes of the latest `reread` that are neither accepted nor refused."""
        return await awaited(self.sync.changes)

    async def accept_changes(self, changes: Iterable[Change] | None = None) -> int:
        """Makes `changes`, some of `changes()`, which then count as checked; all by default.

        Answers how many it made.
        """
        return await awaited(self.sync.accept_changes, changes)

    async def refuse_changes(self, changes: Iterable[Change] | None = None) -> int:
        """Leaves the values of `changes`, some of `changes()`, as they are; all by default.

        Answers how many they were.
        """
        return await awaited(self.sync.refuse_changes, changes)

    async def undo_changes(self) -> int:
        """Takes back all accepted changes of the latest `reread` as one step; how many it undid."""
        return await awaited(self.sync.undo_changes)

    async def drop_properties(self, names: Sequence[str]) -> "AsyncDocSet":
        """Deletes the properties `names` from the schema and from every document.

        Raises Invalid, with the nearest right name, when the DocSet has no such property.
        """
        return AsyncDocSet(await awaited(self.sync.drop_properties, names))

    async def suggest(
        self,
        *,
        sample_ratio: float | None = None,
        instructions: str | None = None,
        doc_ids: Sequence[str] | None = None,
    ) -> SuggestedSchema:
        """Properties worth extracting, from a look at the documents; `instructions` are wishes in
        plain words.

        `sample_ratio` is the part of the documents that is looked at, from 0 to 1; `doc_ids` names
        them instead. Where the documents are of several kinds, `groups` has the words, documents
        and properties of each.
        """
        return await awaited(
            self.sync.suggest, sample_ratio=sample_ratio, instructions=instructions, doc_ids=doc_ids
        )

    async def merges(self) -> list[Merge]:
        """The spellings that count as one in answers, in the order they were merged."""
        return await awaited(self.sync.merges)

    async def merge(
        self, field: str, values: Sequence[str], into: str | None = None
    ) -> list[Merge]:
        """Counts all `values` of the property `field` as `into` (default: the first of them) from
        now on.

        The documents keep what was read. `run.merges` proposes merges; answers with all of them.
        """
        return await awaited(self.sync.merge, field, values, into)

    async def undo_merge(self, number: int) -> list[Merge]:
        """Takes back one of `merges()`, `number` in the list from 0; answers with the rest."""
        return await awaited(self.sync.undo_merge, number)

    async def embedding(self) -> EmbeddingState:
        """Whose vectors it has, and whether more can be made."""
        return await awaited(self.sync.embedding)

    async def submit_model(self, model: str) -> "AsyncTask":
        """Has all vectors made anew with `model`, one of `Workbench.models`.

        Searches use the old vectors until the new ones are complete.
        """
        return AsyncTask(await awaited(self.sync.submit_model, model))

    async def search(
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
        filter that cannot be read.
        """
        return await awaited(
            self.sync.search,
            query,
            kind=kind,
            where=where,
            return_type=return_type,
            limit=limit,
            fields=fields,
            embeddings=embeddings,
        )

    def hit_pages(
        self, query: str | None = None, *, size: int = 500, **how: Any
    ) -> AsyncIterator[Hits]:
        """All hits for `query`, `size` at a time, each page fetched when it is asked for.

        `how` is what `search` takes besides `limit`; `size` is at most 1,000.
        """
        return each(self.sync.hit_pages, query, size=size, **how)

    async def facets(
        self,
        *fields: str,
        query: str | None = None,
        kind: QueryType = "hybrid",
        where: str | None = None,
        top: int = 20,
    ) -> Facets:
        """The commonest values of all properties, or of `fields`, with histograms: one row for each
        property, `.rows()` has one for each value, `.plot()` draws them.

        Counted are the documents that a search of that `kind` for `query` under `where` finds, or
        all. `top` is the number of values of each, at most 1,000.

        Raises Mistake for a kind or number that cannot be meant, Invalid for a wrong property.
        """
        return await awaited(
            self.sync.facets, *fields, query=query, kind=kind, where=where, top=top
        )

    async def complete(
        self, where: str, cursor: int | None = None, *, limit: int = 20
    ) -> Completions:
        """What may come next in the filter `where`: properties, operators, values with counts.

        `cursor` counts characters from the start (default: the end); at most `limit` proposals.
        """
        return await awaited(self.sync.complete, where, cursor, limit=limit)

    async def plan(self, question: str) -> "AsyncPlanDraft":
        """A plan that answers `question`, in plain words; look at it, edit it, run it.

        Raises Mistake for an empty question, Invalid for one that is not understood, and for one
        that may mean several things AsyncAmbiguousPlan, whose `choices` can be applied.
        """
        return await drafted(AsyncPlanDraft, self.sync.plan, question)

    def take_plan(self, plan: Plan | Mapping[str, Any], question: str = "") -> "AsyncPlanDraft":
        """A draft of `plan`, from a file for instance, for this DocSet.

        `question` is what it answers (default: its own).
        """
        return AsyncPlanDraft(self.sync.take_plan(plan, question))

    def plans(self) -> list["AsyncPlanDraft"]:
        """The plans of earlier questions as they were left, the last touched first."""
        return [AsyncPlanDraft(one) for one in self.sync.plans()]

    async def clone(self) -> "AsyncDocSet":
        """A copy of the DocSet with all its documents; neither changes with the other."""
        return AsyncDocSet(await awaited(self.sync.clone))

    async def rebuild_index(
        self, on_progress: Callable[[int, int], None] = lambda done, total: None
    ) -> "AsyncDocSet":
        """Has the index built anew from the stored documents, and waits until it is ready.

        `on_progress` hears how many documents of how many are in it.
        """
        return AsyncDocSet(await awaited(self.sync.rebuild_index, on_progress))

    async def set_readonly(self, readonly: bool = True) -> "AsyncDocSet":
        """Allows no changes any more, or, with `readonly=False`, allows them again."""
        return AsyncDocSet(await awaited(self.sync.set_readonly, readonly))

    async def delete(self) -> None:
        """Deletes the DocSet with all its documents. There is no way back."""
        await awaited(self.sync.delete)


class AsyncDocument:
    """`Document`, awaited."""

    def __init__(self, sync: Document) -> None:
        self.sync = sync

    @property
    def docset(self) -> "AsyncDocSet":
        """As `Document` has it."""
        return AsyncDocSet(self.sync.docset)

    @property
    def body(self) -> Body:
        """As `Document` has it."""
        return self.sync.body

    @property
    def id(self) -> str:
        """The id, which never changes."""
        return self.sync.id

    @property
    def name(self) -> str:
        """The file name it was added under."""
        return self.sync.name

    @property
    def properties(self) -> Mapping[str, Any]:
        """The values that were read from it, by name; `evidence()` says how sure they are."""
        return self.sync.properties

    @property
    def pages(self) -> int:
        """How many pages it has; 1 for files without pages."""
        return self.sync.pages

    @property
    def remarks(self) -> Sequence[str]:
        """What of the file could not be read, or was read in another way; empty as a rule."""
        return self.sync.remarks

    @property
    def elements(self) -> Elements:
        """Its elements (titles, paragraphs, tables, pictures) in reading order, as a frame."""
        return self.sync.elements

    @property
    def text(self) -> str:
        """The text of all elements in reading order, with a blank line between them."""
        return self.sync.text

    def tables(self, *, strict: bool = True) -> Tables:
        """Its tables, each a frame. Without `strict` a column has the type of most of its cells,
        and the text of the others stands in a column beside it.
        """
        return self.sync.tables(strict=strict)

    async def page(self, number: int = 1, *, width: int = 1000, boxes: bool = False) -> Page:
        """Page `number`, from 1: its picture, `width` pixels wide (at most 4,000), and its
        elements.

        With `boxes` the elements are outlined. Files without pages have one, without a picture.

        Raises Mistake for a page that it does not have.
        """
        return await awaited(self.sync.page, number, width=width, boxes=boxes)

    async def evidence(self, *, properties: Sequence[str] | None = None) -> Why:
        """Its values: how sure each is, where it stands, and whether it was corrected by hand.

        `properties` are all by default. Raises UnknownName for one that the schema lacks.
        """
        return await awaited(self.sync.evidence, properties=properties)

    async def original(self) -> bytes:
        """The file as it was added."""
        return await awaited(self.sync.original)

    def __repr__(self) -> str:
        return self.sync.__repr__()

    def _repr_html_(self) -> str:
        return self.sync._repr_html_()


class AsyncPlanDraft:
    """`PlanDraft`, awaited."""

    def __init__(self, sync: PlanDraft) -> None:
        self.sync = sync

    @property
    def docset(self) -> "AsyncDocSet":
        """As `PlanDraft` has it."""
        return AsyncDocSet(self.sync.docset)

    @property
    def session(self) -> PlanSession:
        """As `PlanDraft` has it."""
        return self.sync.session

    @property
    def number(self) -> int:
        """As `PlanDraft` has it."""
        return self.sync.number

    @property
    def question(self) -> str:
        """The question as it was asked."""
        return self.sync.question

    @property
    def plan(self) -> Plan:
        """The plan itself, in the contract's form."""
        return self.sync.plan

    @property
    def report(self) -> EditReport | None:
        """What became of each clause of the feedback that led to this version."""
        return self.sync.report

    @property
    def unused(self) -> list[str]:
        """Words of the question that the plan does not reflect."""
        return self.sync.unused

    def __repr__(self) -> str:
        return self.sync.__repr__()

    def _repr_html_(self) -> Markup:
        return self.sync._repr_html_()

    def __str__(self) -> str:
        """The plan as lines of text, one for each step."""
        return self.sync.__str__()

    def remarks(self) -> list[str]:
        """Which words are not used and what was left out of the request (`✗`), and what was
        assumed (`!`).
        """
        return self.sync.remarks()

    async def edit(self, feedback: str) -> "AsyncPlanDraft":
        """The plan changed by `feedback`, a sentence; look at `.report` for what was not
        understood.

        Raises Invalid when nothing of it was understood, and for what may mean several things
        AsyncAmbiguousPlan, whose `choices` can be applied. This draft stays as it is in any case.
        """
        return await drafted(AsyncPlanDraft, self.sync.edit, feedback)

    def replace(self, node: Node) -> "AsyncPlanDraft":
        """The plan with `node` instead of the step of the same id."""
        return AsyncPlanDraft(self.sync.replace(node))

    @property
    def changes(self) -> PlanChanges:
        """What the feedback behind this version proposed, refused changes included."""
        return self.sync.changes

    def refuse(self, change: NodeChange) -> "AsyncPlanDraft":
        """A version without `change`, one of the `changes`; the others stay."""
        return AsyncPlanDraft(self.sync.refuse(change))

    def accept(self, change: NodeChange) -> "AsyncPlanDraft":
        """Accepts `change`, one of the `changes`; a refused one comes back in a new version."""
        return AsyncPlanDraft(self.sync.accept(change))

    def undo(self) -> "AsyncPlanDraft":
        """The version that this one was made from."""
        return AsyncPlanDraft(self.sync.undo())

    def redo(self) -> "AsyncPlanDraft":
        """The version that was last made from this one."""
        return AsyncPlanDraft(self.sync.redo())

    @property
    def understood(self) -> str:
        """What the plan does, in one sentence."""
        return self.sync.understood

    def versions(self) -> list["AsyncPlanDraft"]:
        """Every version of this question's plan, in the order they were made."""
        return [AsyncPlanDraft(one) for one in self.sync.versions()]

    def __sub__(self, before: "AsyncPlanDraft") -> PlanChanges:
        return self.sync.__sub__(before.sync)

    async def run(
        self, until: int | None = None, *, confidence_limit: float | None = None
    ) -> "AsyncRun":
        """Runs the plan, or the part of it that leads to the step `until`.

        Values of less confidence than `confidence_limit` (0 to 1) stay out of the answer and are
        counted as doubtful; None means the limit of the DocSet, 0 uses every value.
        """
        return AsyncRun(await awaited(self.sync.run, until, confidence_limit=confidence_limit))
