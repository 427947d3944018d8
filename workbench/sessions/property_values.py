"""All values of a property, even if they are too many to send at once.

The server lists the commonest values with their counts. The others are looked up by their
beginning, with the completion of the filter language.
"""

from typing import TYPE_CHECKING, Any

from workbench.contract.search import Facet, SearchRequest
from workbench.sessions.facet_choices import read_literal

if TYPE_CHECKING:
    from workbench.client import AsyncClient

MOST = 1000
"""Values of each property that are fetched together."""
_LOOKED_UP = 50


async def listed_values(
    client: "AsyncClient",
    docset_id: str,
    fields: list[str] | None = None,
    *,
    search: SearchRequest | None = None,
) -> list[Facet]:
    """The facets of `fields`, or of all properties, each with up to `MOST` values."""
    return await client.facets(docset_id, fields, search=search, top=MOST)


async def values_beginning(
    client: "AsyncClient", docset_id: str, field: str, text: str
) -> list[tuple[Any, int | None]]:
    """Values of `field` that begin with `text`, in any case, and how many documents have each."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    written = f'{field} = "{escaped}'
    completions = await client.complete(docset_id, written, len(written), limit=_LOOKED_UP)
    return [
        (read_literal(item.text), item.count) for item in completions.items if item.kind == "value"
    ]


def is_incomplete(facet: Facet) -> bool:
    """Whether the property has values that the facet does not list."""
    return facet.distinct > len(facet.values)
