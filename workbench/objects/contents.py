"""Documents with all their contents, fetched a few at a time."""

import asyncio

from workbench.client import AsyncClient
from workbench.contract.documents import Document
from workbench.frames.tables import TableFrame, tables_of
from workbench.objects.naming import document_id

LARGEST_PAGE = 1000
_AT_ONCE = 8


async def one_document(client: AsyncClient, docset_id: str, name_or_id: str) -> Document:
    """A document with its elements, by name or id.

    Raises UnknownName with the nearest name, AmbiguousName when several documents have it.
    """
    doc_id = await document_id(client, docset_id, name_or_id)
    return await client.document(docset_id, doc_id, include_original_elements=True)


async def all_tables(client: AsyncClient, docset_id: str, strict: bool) -> list[TableFrame]:
    """The tables of every document."""
    tables: list[TableFrame] = []
    ids = [item.doc_id async for item in client.documents(docset_id, page_size=LARGEST_PAGE)]
    for start in range(0, len(ids), _AT_ONCE):
        some = await asyncio.gather(
            *(
                client.document(
                    docset_id, doc_id, include_elements=False, include_original_elements=True
                )
                for doc_id in ids[start : start + _AT_ONCE]
            )
        )
        tables += [table for document in some for table in tables_of(document, strict=strict)]
    return tables


async def all_documents(
    client: AsyncClient, docset_id: str, elements: int | None
) -> list[Document]:
    """Every document with its elements; stops early once there are `elements` of them."""
    documents: list[Document] = []
    count = 0
    ids = [item.doc_id async for item in client.documents(docset_id, page_size=LARGEST_PAGE)]
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        documents += await asyncio.gather(*(client.document(docset_id, doc_id) for doc_id in some))
        count += sum(len(document.elements) for document in documents[start:])
        if elements is not None and count >= elements:
            break
    return documents
