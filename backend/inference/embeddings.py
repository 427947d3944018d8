"""Embedding of texts behind one interface, and the identity that binds vectors to their maker.

    static     token vectors that ship with the wordllama wheel; nothing is downloaded
    minilm     a small network, installed on request
    endpoint   a server that speaks the OpenAI protocol
    none       no vectors: such a DocSet answers lexical and keyword queries only

Vectors of different identities are never compared. A DocSet keeps the identity it was created
with until all its vectors have been made anew by another. `backend.inference.providers` knows
what is installed and set; here are the types, and the two providers that are always there.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from workbench.contract.errors import Unavailable

Matrix = npt.NDArray[np.float32]


LONGEST_TEXT = 8_000
"""Characters that are embedded: of a longer text the beginning, which says what it is about."""


class ProviderMissing(LookupError):
    """No installed provider makes vectors of this identity; the message says what to do."""


class ProviderFailed(Unavailable):
    """A provider that is there could not make vectors this time; trying again may help."""


@dataclass(frozen=True)
class Identity:
    """Who makes the vectors: provider, model, revision, length, and how text is prepared."""

    provider: str
    model: str
    revision: str
    dimension: int
    recipe: str

    @property
    def text(self) -> str:
        """The canonical form, the key of stored vectors (below 200 characters)."""
        return f"{self.provider}/{self.model}@{self.revision}/{self.dimension}/{self.recipe}"

    def wire(self) -> dict[str, Any]:
        """The JSON object kept with a DocSet."""
        return asdict(self)

    @classmethod
    def parse(cls, data: dict[str, Any]) -> "Identity":
        """From what `wire` gave. ValueError when parts are missing."""
        try:
            return cls(
                provider=str(data["provider"]),
                model=str(data["model"]),
                revision=str(data["revision"]),
                dimension=int(data["dimension"]),
                recipe=str(data["recipe"]),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not an embedding identity: {data!r}") from error


NONE = Identity(provider="none", model="", revision="", dimension=0, recipe="")


class Embedder(Protocol):
    """Turns texts into vectors. Safe to call from several threads."""

    @property
    def identity(self) -> Identity: ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Shape (texts, dimension): L2-normalised rows, zeros for texts without words."""
        ...


class NoEmbedder:
    """The provider `none`: rows of length nought."""

    identity = NONE

    def embed(self, texts: Sequence[str]) -> Matrix:
        return np.zeros((len(texts), 0), dtype=np.float32)


def has_words(text: str) -> bool:
    """Whether there is anything in the text that a vector could stand for."""
    return any(map(str.isalnum, text))


@cache
def embedder_for(provider: str) -> Embedder:
    """A provider that is always there, by its name; ProviderMissing for any other name."""
    if provider == "none":
        return NoEmbedder()
    if provider == "static":
        # Imported late: its weights and tokenizer cost 60 ms that a backend without vectors can
        # spare.
        from backend.inference.static import StaticEmbedder

        return StaticEmbedder.installed()
    raise ProviderMissing(f"no embedding provider is called {provider!r}")
