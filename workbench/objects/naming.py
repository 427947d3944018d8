"""Finds a document by its name or id, and tells ids from names. An id comes before a name."""

import re

from workbench.client import AmbiguousName, AsyncClient, NotFound, UnknownName
from workbench.nearest import suggestion
from workbench.objects.arguments import text

_ID = re.compile(r"[a-z]{2,8}:[a-z]{1,2}-\w+")
_LARGEST_PAGE = 1000


def is_like_id(name_or_id: str) -> bool:
    """Whether it has the form of an id; names may have it too."""
    return _ID.fullmatch(name_or_id) is not None


async def document_id(client: AsyncClient, docset_id: str, name_or_id: str) -> str:
    """The id of the document that has this name or id.

    Raises UnknownName with the nearest name, AmbiguousName when several documents have it.
    """
    text("The name or id of a document", name_or_id)
    if is_like_id(name_or_id) and await _is_id(client, docset_id, name_or_id):
        return name_or_id
    listed = client.documents(docset_id, name=name_or_id, page_size=_LARGEST_PAGE)
    ids = [one.doc_id async for one in listed if one.name == name_or_id]
    if len(ids) > 1:
        raise AmbiguousName(
            f"{len(ids)} documents are called {name_or_id!r}; choose one by its id: "
            f"{', '.join(ids[:10])}."
        )
    if ids:
        return ids[0]
    if await _is_id(client, docset_id, name_or_id):
        return name_or_id
    every = client.documents(docset_id, page_size=_LARGEST_PAGE)
    names = [one.name async for one in every]
    raise UnknownName(f"There is no document {name_or_id!r}.{suggestion(name_or_id, names)}")


async def _is_id(client: AsyncClient, docset_id: str, doc_id: str) -> bool:
    if not doc_id:
        return False
    try:
        await client.document(docset_id, doc_id, include_elements=False)
    except NotFound:
        return False
    return True
