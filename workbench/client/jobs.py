"""Calls that extract properties from the documents of a DocSet, or delete them."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.client.calls import Calls, as_json
from workbench.client.errors import fitting
from workbench.client.wire import Call
from workbench.contract.docsets import JobResult, PropertyNames
from workbench.contract.schema import Schema

_NOW = "/v1/jobs/"
_LATER = "/v1/async/submit/jobs/"


class JobCalls(Calls):
    async def extract_properties(
        self,
        docset_id: str,
        schema: Schema | Mapping[str, Any],
        *,
        overwrite_corrections: bool = False,
    ) -> JobResult:
        """Extracts the properties from every document and adds them to the DocSet's schema.

        People's corrections stay unless `overwrite_corrections` is set.
        """
        call = _extract(_NOW, docset_id, schema, overwrite_corrections)
        return await self.wire.model(call, JobResult)

    async def submit_extract_properties(
        self,
        docset_id: str,
        schema: Schema | Mapping[str, Any],
        *,
        overwrite_corrections: bool = False,
    ) -> str:
        return await self.submitted(_extract(_LATER, docset_id, schema, overwrite_corrections))

    async def delete_properties(self, docset_id: str, names: Sequence[str]) -> JobResult:
        """Removes the values from every document and the properties from the schema."""
        return await self.wire.model(_delete(_NOW, docset_id, names), JobResult)

    async def submit_delete_properties(self, docset_id: str, names: Sequence[str]) -> str:
        return await self.submitted(_delete(_LATER, docset_id, names))


def _extract(
    prefix: str, docset_id: str, schema: Schema | Mapping[str, Any], overwrite: bool
) -> Call:
    params = {"docset_id": docset_id}
    if overwrite:
        params["overwrite_corrections"] = "true"
    path = f"{prefix}extract-properties"
    return Call("POST", path, params=params, json=as_json(schema), patient=True)


@fitting()
def _delete(prefix: str, docset_id: str, names: Sequence[str]) -> Call:
    params = {"docset_id": docset_id}
    path = f"{prefix}delete-properties"
    return Call("POST", path, params=params, json=PropertyNames(names=list(names)), patient=True)
