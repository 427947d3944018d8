"""Whether a DocSet is reread by itself after each correction: a property of the DocSet."""

from workbench.client import AsyncClient
from workbench.contract.docsets import DocSetMetadata, DocSetUpdate
from workbench.contract.rereading import REREAD_AFTER_CORRECTIONS


def rereads_by_itself(docset: DocSetMetadata) -> bool:
    return (docset.properties or {}).get(REREAD_AFTER_CORRECTIONS) is True


async def reread_by_itself(client: AsyncClient, docset_id: str, wanted: bool) -> DocSetMetadata:
    """Turns automatic rereading on or off, and nothing else. Raises the client's errors."""
    kept = (await client.docset(docset_id)).properties or {}
    update = DocSetUpdate(properties={**kept, REREAD_AFTER_CORRECTIONS: wanted})
    return await client.update_docset(docset_id, update)
