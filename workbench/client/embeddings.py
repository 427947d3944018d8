"""Calls about the vectors of DocSets and the models that make them; all of them extensions."""

from workbench.client.calls import Calls, as_json
from workbench.client.wire import EXTENSIONS, Call, segment
from workbench.contract.embeddings import EmbeddingChoice, EmbeddingState, ModelInfo


class EmbeddingCalls(Calls):
    async def models(self) -> list[ModelInfo]:
        """What can make vectors on the server, and what each takes."""
        answer = await self.wire.json(Call("GET", f"{EXTENSIONS}models"))
        return [ModelInfo.model_validate(item) for item in answer]

    async def embedding(self, docset_id: str) -> EmbeddingState:
        """Whose vectors a DocSet has, and whether more can be made."""
        return await self.wire.model(Call("GET", _path(docset_id)), EmbeddingState)

    async def submit_embedding(self, docset_id: str, provider: str) -> str:
        """Has all vectors made anew by that provider; the task's result is an EmbeddingState."""
        body = as_json(EmbeddingChoice(provider=provider))
        return await self.submitted(Call("POST", _path(docset_id), json=body))


def _path(docset_id: str) -> str:
    return f"{EXTENSIONS}docsets/{segment(docset_id)}/embedding"
