"""Calls about DocSets, their vectors and merged spellings."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from workbench.client.calls import STORAGE, Calls, as_json
from workbench.client.wire import EXTENSIONS, Call, segment
from workbench.contract.coverage import Merge
from workbench.contract.docsets import DocSetMetadata, DocSetUpdate, Page, SuggestedSchema
from workbench.contract.embeddings import EmbeddingChoice, EmbeddingState, ModelInfo
from workbench.contract.schema import Schema

_MERGES = TypeAdapter(list[Merge])


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

    # -- extensions: models of vectors, and spellings that count as one ------------------------

    async def models(self) -> list[ModelInfo]:
        """The embedding models of the server, with cost and licence."""
        answer = await self.wire.json(Call("GET", f"{EXTENSIONS}models"))
        return [ModelInfo.model_validate(item) for item in answer]

    async def embedding(self, docset_id: str) -> EmbeddingState:
        """The embedding identity of a DocSet, and whether it is available."""
        return await self.wire.model(
            Call("GET", _extension(docset_id, "embedding")), EmbeddingState
        )

    async def submit_embedding(self, docset_id: str, provider: str) -> str:
        """Recomputes all vectors with that provider; the task's result is an EmbeddingState."""
        body = as_json(EmbeddingChoice(provider=provider))
        return await self.submitted(Call("POST", _extension(docset_id, "embedding"), json=body))

    async def merged_values(self, docset_id: str) -> list[Merge]:
        """All merges of the DocSet, in the order they were made; the following return them too."""
        return await self._merges(Call("GET", _extension(docset_id, "merged-values")))

    async def merge_values(self, docset_id: str, merge: Merge) -> list[Merge]:
        """Counts all values of the merge as one from now on; documents keep their values."""
        return await self._merges(Call("POST", _extension(docset_id, "merged-values"), json=merge))

    async def undo_merge(self, docset_id: str, number: int) -> list[Merge]:
        """Removes the merge with that number in the list, from 0."""
        return await self._merges(
            Call("DELETE", f"{_extension(docset_id, 'merged-values')}/{number}")
        )

    async def _merges(self, call: Call) -> list[Merge]:
        merges: list[Merge] = await self.wire.parsed(call, _MERGES)
        return merges


def _extension(docset_id: str, name: str) -> str:
    return f"{EXTENSIONS}docsets/{segment(docset_id)}/{name}"


def _path(docset_id: str) -> str:
    return f"{STORAGE}/{segment(docset_id)}"
