"""Questions to shards and their answers as messages: plain values, and arrays as bytes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from backend.search.ranking import Ranking
from backend.tasks.messages import Message

Arrays = Mapping[str, npt.NDArray[Any] | None]


def packed(kind: str, plain: Mapping[str, Any], arrays: Arrays) -> Message:
    """A message; arrays that are None are left out."""
    given = {name: array for name, array in arrays.items() if array is not None}
    forms = {name: [array.dtype.str, *array.shape] for name, array in given.items()}
    return Message(kind, {**plain, "arrays": forms}, [one.tobytes() for one in given.values()])


def array_in(message: Message, name: str) -> npt.NDArray[Any] | None:
    """An array of a message; None when it was left out."""
    forms = message.data["arrays"]
    if name not in forms:
        return None
    dtype, *shape = forms[name]
    blob = message.blobs[list(forms).index(name)]
    return np.frombuffer(blob, dtype=dtype).reshape(shape)


def packed_ranking(ranking: Ranking, plain: Mapping[str, Any] | None = None) -> Message:
    """A ranking as an answer."""
    return packed("result", plain or {}, {"keys": ranking.keys, "scores": ranking.scores})


def joined(answers: Sequence[Message], name: str) -> npt.NDArray[Any]:
    """The arrays of that name in all answers, one after the other."""
    return np.concatenate([array_in(answer, name) for answer in answers])
