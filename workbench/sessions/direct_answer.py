"""An answer put together from the texts that fit a question best, and where they stand."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from backend.contract.query import Evidence
from workbench.client.errors import BadAnswer, ServerFailed

if TYPE_CHECKING:
    from workbench.client import AsyncClient


@dataclass(frozen=True)
class DirectAnswer:
    """`names` are the file names of the documents that are cited, by id."""

    text: str
    citations: tuple[Evidence, ...]
    names: dict[str, str]


async def direct_answer(client: "AsyncClient", docset_id: str, question: str) -> DirectAnswer:
    """Asks the server. Raises ServerFailed when it breaks off, BadAnswer when it says nothing."""
    text = ""
    sources: list[Any] = []
    cited: list[Any] = []
    async for event in client.stream_answer(docset_id, question):
        match event.name, event.data:
            case "rag_answer", str(said):
                text = said
            case "rag_source", dict(source):
                sources.append(source)
            case "citations", list(found):
                cited = found
            case "error", reason:
                raise ServerFailed(500, str(reason))
    if not text:
        raise BadAnswer("The server found nothing to say to that.")
    citations = tuple(Evidence.model_validate(item) for item in cited or sources)
    return DirectAnswer(text, citations, await _names(client, docset_id, citations))


async def _names(
    client: "AsyncClient", docset_id: str, citations: tuple[Evidence, ...]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for doc_id in dict.fromkeys(item.doc_id for item in citations):
        document = await client.document(docset_id, doc_id, include_elements=False)
        found[doc_id] = str(document.properties.get("path") or doc_id)
    return found
