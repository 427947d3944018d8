"""An answer assembled from the texts that fit a question best, with their sources."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.client.errors import BadAnswer, ServerFailed
from workbench.contract.query import Evidence
from workbench.sessions.fitting import fitting_documents

if TYPE_CHECKING:
    from workbench.client import AsyncClient


_MOST = 100_000
"""The longest list of documents that the contract lets a question be limited to."""


@dataclass(frozen=True)
class DirectAnswer:
    """`names` are the file names of the documents that are cited, by id. `among` is how many
    documents fitted the condition that the answer was limited to; None without a condition.
    """

    text: str
    citations: tuple[Evidence, ...]
    names: dict[str, str]
    among: int | None = None


async def direct_answer(
    client: "AsyncClient", docset_id: str, question: str, *, where: str = ""
) -> DirectAnswer:
    """Asks the server, which reads only documents that fulfil the condition `where`.

    Raises Invalid for an unreadable condition, ServerFailed if the server breaks off, and BadAnswer
    for an empty answer, or if no document or too many match.
    """
    among = await fitting_documents(client, docset_id, where) if where else None
    if among is not None and not 0 < len(among) <= _MOST:
        raise BadAnswer(_cannot_answer(len(among)))
    text = ""
    sources: list[Any] = []
    cited: list[Any] = []
    async for event in client.stream_answer(docset_id, question, among=among):
        match event.name, event.data:
            case "rag_answer", str(words):
                text = words
            case "rag_source", dict(source):
                sources.append(source)
            case "citations", list(passages):
                cited = passages
            case "error", reason:
                raise ServerFailed(500, str(reason))
    if not text:
        raise BadAnswer("The documents do not answer that.")
    citations = tuple(Evidence.model_validate(item) for item in cited or sources)
    names = await _names(client, docset_id, citations)
    return DirectAnswer(text, citations, names, None if among is None else len(among))


def _cannot_answer(fitting: int) -> str:
    if not fitting:
        return "No document fits the filters, so there is nothing to answer from."
    return f"{fitting:,} documents fit the filters; an answer can use {_MOST:,} at most."


async def _names(
    client: "AsyncClient", docset_id: str, citations: tuple[Evidence, ...]
) -> dict[str, str]:
    names: dict[str, str] = {}
    for doc_id in dict.fromkeys(item.doc_id for item in citations):
        document = await client.document(docset_id, doc_id, include_elements=False)
        names[doc_id] = str(document.properties.get("path") or doc_id)
    return names
