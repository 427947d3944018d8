"""The documents behind a number, or those that it leaves out, with a line for each of their values,
read window by window as a person scrolls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.contract.coverage import DocumentEvidence, ValueEvidence, field_words
from workbench.contract.query import Evidence, QueryResult
from workbench.formats import cited, value_words

if TYPE_CHECKING:
    from workbench.client import AsyncClient
    from workbench.client.plans import EvidenceState

PASSAGE = "passage"
"""The property name of passages, which have none."""
_WINDOW = 100
_MOST_IDS = 2_000


@dataclass(frozen=True)
class EvidenceLine:
    """A value of a document, None if the step used none; `first` marks a document's first line."""

    doc_id: str
    name: str
    value: ValueEvidence | None
    first: bool
    deleted: bool = False

    @property
    def key(self) -> str:
        value = self.value
        return f"{self.doc_id}\0{value.field if value else ''}\0{value.element_id if value else ''}"

    @property
    def is_passage(self) -> bool:
        """Whether it is a passage that decided a question in words, not a value."""
        return self.value is not None and self.value.field == PASSAGE

    @property
    def page(self) -> int:
        return (self.value.page if self.value else None) or 1

    @property
    def why(self) -> str:
        """Why the value was not used, or is not the one that was; empty for one that was."""
        return ", ".join(filter(None, (self._unused(), self.since)))

    @property
    def since(self) -> str:
        """What happened to the document or its value since the run; empty if nothing did."""
        if self.deleted:
            return "document deleted since"
        if self.value is None or not self.value.changed:
            return ""
        before = value_words(self.value.before, self.value.field)
        return f"changed since, was {before}" if before else "changed since, was unknown"

    def _unused(self) -> str:
        if self.value is None or self.value.state == "used":
            return ""
        name = field_words(self.value.field)
        return f"no {name}" if self.value.state == "missing" else "doubtful"


class EvidenceTrail:
    """The documents behind step `node_id` of a run, or behind one `row` of it. `state` selects
    those that were used, or those left out for their value of `field`.

    `citations` are passages that the answer cites; they follow the values of their document.
    `question` is the one that a step judged them by, if any.
    """

    def __init__(
        self,
        client: "AsyncClient",
        query_id: str,
        node_id: int,
        *,
        row: int | None = None,
        field: str | None = None,
        state: "EvidenceState" = "used",
        citations: Sequence[Evidence] = (),
        question: str = "",
    ) -> None:
        self.question = question
        self.client = client
        self.query_id = query_id
        self.node_id = node_id
        self.row = row
        self.field = field
        self.state = state
        self.lines: list[EvidenceLine] = []
        self.total = 0
        self._documents = 0
        self._cited: dict[str, list[Evidence]] = {}
        for passage in citations:
            self._cited.setdefault(passage.doc_id, []).append(passage)

    @property
    def complete(self) -> bool:
        """Whether all documents are here."""
        return 0 < self.total <= self._documents

    @property
    def documents(self) -> int:
        """How many documents are here."""
        return self._documents

    async def more(self, limit: int | None = None) -> None:
        """Fetches at most `limit` further documents. MissingExtension if the server cannot."""
        window = await self.client.run_evidence(
            self.query_id,
            self.node_id,
            row=self.row,
            field=self.field,
            state=self.state,
            offset=self._documents,
            limit=limit or _WINDOW,
        )
        self.total = window.total
        self._documents += len(window.documents)
        self.lines += [line for item in window.documents for line in self._lines(item)]

    async def document_ids(self) -> list[str]:
        """The ids of the documents, of the first 2,000 if there are more."""
        before = -1
        while not self.complete and before < self._documents < _MOST_IDS:
            before = self._documents
            await self.more()
        return list(dict.fromkeys(line.doc_id for line in self.lines))[:_MOST_IDS]

    def _lines(self, document: DocumentEvidence) -> list[EvidenceLine]:
        values: list[ValueEvidence | None] = list(document.values)
        values += map(_passage, self._cited.get(document.doc_id, ()))
        return [
            EvidenceLine(
                document.doc_id, document.name, value, first=place == 0, deleted=document.deleted
            )
            for place, value in enumerate(values or [None])
        ]


def passages_of(row: Mapping[str, Any], answer: QueryResult | None) -> list[Evidence]:
    """The passages that the answer cites, then those that a row was judged by; each text once."""
    judged: list[Evidence] = []
    for column in ("citations", "evidence"):
        content = row.get(column)
        for item in content if isinstance(content, list) else ():
            passage = cited(item)
            if passage is not None:
                judged.append(Evidence.model_validate({"bbox": [0, 0, 1, 1], "page": 1, **passage}))
    judged.sort(key=lambda one: -(one.score or 0))
    once: dict[tuple[str, str], Evidence] = {}
    for one in [*(answer.citations if answer is not None else ()), *judged]:
        once.setdefault((one.doc_id, " ".join(one.text.split())), one)
    return list(once.values())


def _passage(passage: Evidence) -> ValueEvidence:
    """A passage that decided a question in words, as a value without a property."""
    return ValueEvidence(
        field=PASSAGE,
        value=None,
        state="used",
        confidence=passage.score,
        page=passage.page,
        bbox=passage.bbox,
        element_id=passage.element_id,
        quote=passage.text,
    )
