"""Embedding of texts behind one interface, and the identity that binds vectors to their provider.

    static     token vectors that ship with our wheel; nothing is downloaded
    minilm     a small network, installed on request
    endpoint   a server that speaks the OpenAI protocol
    none       no vectors: such a DocSet answers lexical and keyword queries only

Vectors of different identities are never compared. A DocSet keeps its identity until all its
vectors have been recomputed with another. This module has the types; `backend.inference.providers`
knows the providers that are built in, installed and configured.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from workbench.contract.errors import Unavailable

Matrix = npt.NDArray[np.float32]

# Requests run side by side: two BLAS threads that wait for each other on two busy cores take 70
# times as long as one.
threadpool_limits(1, user_api="blas")

LONGEST_TEXT = 8_000
"""Characters that are embedded; of a longer text only the beginning, which introduces its subject.
"""


class ProviderMissing(LookupError):
    """No installed provider has this identity; the message says what to do."""


class ProviderFailed(Unavailable):
    """A provider failed to compute vectors this time; a retry may help."""


@dataclass(frozen=True)
class Identity:
    """What determines the vectors: provider, model, revision, length, and text preparation."""

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
        """Parses the output of `wire`. ValueError when parts are missing."""
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


def has_words(text: str) -> bool:
    """Whether the text has any letters or digits to embed."""
    return any(map(str.isalnum, text))
