"""Calls about the vectors of DocSets and embedding models; all of them extensions."""

from workbench.client.calls import Calls, as_json
from workbench.client.wire import EXTENSIONS, Call, segment
from workbench.contract.embeddings import EmbeddingChoice, EmbeddingState, ModelInfo


class EmbeddingCalls(Calls):
    async def models(self) -> list[ModelInfo]:
        """The embedding models of the server, with cost and licence."""
        answer = await self.wire.json(Call("GET", f"{EXTENSIONS}models"))
        return [ModelInfo.model_validate(item) for item in answer]

    async def embedding(self, docset_id: str) -> EmbeddingState:
        """The embedding identity of a DocSet, and whether it is available."""
        return await self.wire.model(Call("GET", _path(docset_id)), EmbeddingState)

    async def submit_embedding(self, docset_id: str, provider: str) -> str:
        """Recomputes all vectors with that provider; the task's result is an EmbeddingState."""
        body = as_json(EmbeddingChoice(provider=provider))
        return await self.submitted(Call("POST", _path(docset_id), json=body))


def _path(docset_id: str) -> str:
    return f"{EXTENSIONS}docsets/{segment(docset_id)}/embedding"
