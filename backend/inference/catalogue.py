"""Describes each embedding provider: availability, cost and licence."""

from dataclasses import dataclass
from typing import Final

from backend.inference.embeddings import ProviderMissing
from backend.inference.providers import PROVIDERS, Embedders
from workbench.contract.embeddings import ModelInfo


@dataclass(frozen=True)
class _Note:
    cost: str
    licence: str | None = None


_NOTES: Final = {
    "static": _Note("built in; thousands of texts a second", "MIT"),
    "minilm": _Note(
        "84 MB to download, 24 MB on disk; 10 to 50 ms of CPU time per text, 110 MB of memory"
        " per process; better at meaning than static",
        "Apache-2.0",
    ),
    "endpoint": _Note("depends on the server; document texts are sent to it"),
    "none": _Note("no vectors: only lexical and keyword queries"),
}


def models(embedders: Embedders, default: str) -> list[ModelInfo]:
    """All providers; `default` is that of new DocSets. Sends no request to an endpoint."""
    return [_model(embedders, name, name == default) for name in PROVIDERS]


def _model(embedders: Embedders, name: str, default: bool) -> ModelInfo:
    note = _NOTES[name]
    model = ModelInfo(name=name, ready=False, default=default, licence=note.licence, cost=note.cost)
    try:
        identity = embedders.identity(name)
    except ProviderMissing as error:
        return model.model_copy(update={"detail": str(error)})
    if identity is None:
        return model.model_copy(update={"ready": True})
    known = {"ready": True, "identity": identity.text, "dimension": identity.dimension}
    return model.model_copy(update={**known, "size": embedders.size(name)})
