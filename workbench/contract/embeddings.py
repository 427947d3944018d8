"""Extension: the embedding models, and the one that a DocSet uses."""

from pydantic import BaseModel, ConfigDict, Field


class ModelInfo(BaseModel):
    """A provider of vectors.

    `identity` and `dimension` are null while they are unknown, `size` (bytes on disk) if nothing is
    stored. `ready` says whether it can be used now; if not, `detail` says what to do.
    """

    name: str
    ready: bool
    detail: str | None = None
    default: bool = Field(description="Whether new DocSets use it.")
    identity: str | None = None
    dimension: int | None = None
    size: int | None = None
    licence: str | None = None
    cost: str = Field(description="Its cost in time and space, in words.")


class EmbeddingChoice(BaseModel):
    """Body of a change of the model: the name of its provider."""

    provider: str = Field(min_length=1, max_length=40)


class EmbeddingState(BaseModel):
    """The embedding model of a DocSet. If `available` is false, vector and hybrid queries are
    refused and documents cannot be added; `detail` says what to do.
    """

    model_config = ConfigDict(protected_namespaces=())

    provider: str
    model: str
    revision: str
    dimension: int
    recipe: str
    identity: str
    available: bool
    detail: str | None = None
