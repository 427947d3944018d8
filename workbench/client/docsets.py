"""Calls about DocSets."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from workbench.client.calls import STORAGE, Calls, as_json
from workbench.client.wire import Call, segment
from workbench.contract.docsets import DocSetMetadata, DocSetUpdate, Page, SuggestedSchema
from workbench.contract.schema import Schema


class DocSetCalls(Calls):
    async def create_docset(
        self,
        name: str,
        *,
        schema: Schema | Mapping[str, Any] | None = None,
        properties: Mapping[str, Any] | None = None,
        prompts: Mapping[str, str] | None = None,
        embedding: str | None = None,
    ) -> DocSetMetadata:
        """Creates an empty DocSet. Names need not be unique.

        `embedding` names the provider of its vectors; the default comes from the server's settings.
        """
        body = {
            "name": name,
            "schema": as_json(schema),
            "properties": properties,
            "prompts": prompts,
        }
        if embedding is not None:  # an extension that other servers need not know
            body["embedding"] = embedding
        return await self.wire.model(Call("POST", STORAGE, json=body), DocSetMetadata)

    def docsets(
        self, *, name_eq: str | None = None, page_size: int = 100
    ) -> AsyncIterator[DocSetMetadata]:
        """Every DocSet of the account, or those with exactly that name."""
        params = {"page_size": page_size, "name_eq": name_eq}
        return self.items_of(Page[DocSetMetadata], STORAGE, params)

    async def docset(self, docset_id: str) -> DocSetMetadata:
        return await self.wire.model(Call("GET", _path(docset_id)), DocSetMetadata)

    async def update_docset(self, docset_id: str, update: DocSetUpdate) -> DocSetMetadata:
        """Replaces the fields set in `update`."""
        body = {
            "name": update.name,
            "properties": update.properties,
            "schema": as_json(update.schema_),
            "prompts": update.prompts,
        }
        return await self.wire.model(Call("PATCH", _path(docset_id), json=body), DocSetMetadata)

    async def set_readonly(self, docset_id: str, readonly: bool) -> DocSetMetadata:
        path = f"{_path(docset_id)}/readonly/{int(readonly)}"
        return await self.wire.model(Call("POST", path), DocSetMetadata)

    async def clone_docset(self, docset_id: str) -> DocSetMetadata:
        """Creates an independent copy."""
        return await self.wire.model(Call("POST", f"{_path(docset_id)}/clone"), DocSetMetadata)

    async def delete_docset(self, docset_id: str) -> DocSetMetadata:
        """Deletes the DocSet with all its documents; returns its last state."""
        return await self.wire.model(Call("DELETE", _path(docset_id)), DocSetMetadata)

    async def suggest_properties(
        self,
        docset_id: str,
        *,
        doc_ids: Sequence[str] | None = None,
        sample_ratio: float | None = None,
        existing_schema: Schema | None = None,
        instructions: str | None = None,
    ) -> SuggestedSchema:
        """Suggests properties worth extracting, from a sample of the documents, and the kinds of
        documents where they are mixed.

        `instructions` in plain words add, keep or drop some: "dates and costs", "no addresses".
        """
        body: dict[str, Any] = {
            "doc_ids": None if doc_ids is None else list(doc_ids),
            "sample_ratio": sample_ratio,
            "existing_schema": as_json(existing_schema),
        }
        if instructions is not None:
            body["instructions"] = instructions
        path = f"{_path(docset_id)}/suggest-properties"
        return await self.wire.model(Call("POST", path, json=body, patient=True), SuggestedSchema)


def _path(docset_id: str) -> str:
    return f"{STORAGE}/{segment(docset_id)}"
