"""Properties for a DocSet, whether it has documents yet or not."""

from typing import TYPE_CHECKING

from workbench.contract.docsets import DocSetUpdate
from workbench.contract.schema import Schema

if TYPE_CHECKING:
    from workbench.client import AsyncClient


async def wanted_of_empty(client: "AsyncClient", docset_id: str, schema: Schema) -> bool:
    """Gives a DocSet without documents the properties of those to come; whether it has none.

    By the contract an extraction from no documents changes nothing, so it would be lost.
    """
    docset = await client.docset(docset_id)
    if docset.size:
        return False
    names = {prop.name for prop in schema.properties}
    known = docset.schema_.properties if docset.schema_ is not None else []
    former = [prop for prop in known if prop.name not in names]
    update = DocSetUpdate(schema_=Schema(properties=[*former, *schema.properties]))
    await client.update_docset(docset_id, update)
    return True
