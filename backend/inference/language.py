"""Asking a language model a question with a typed answer, behind one interface.

A question has instructions, which are ours, and data, which is what documents say: it reaches the
model as JSON that it is told never to obey, and whatever it answers has to fit a pydantic type.
What a model costs is counted against a `Budget`, also where it gives no answer that can be used.

    ModelError       no answer that can be used; the sentence says why, `spent` what it cost
    ├── Missing      the packages that talk to a model are not installed
    ├── Rejected     the endpoint refuses: its key, its model's name, a quota, the content
    ├── Unreachable  no connection, an outage or a rate limit that outlasted the tries
    ├── TooSlow      no answer in time
    ├── Stopped      the work that asked was stopped
    ├── CutShort     the answer reached its greatest length before its end
    ├── WrongShape   every answer had another shape, or was complained of
    └── OverBudget   what the work may spend on a model is used up, or would be

None of them holds a key, an address or a part of a document. Callers fall back on the built-in
engines and say so.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from backend.settings import LanguageEndpoint

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Usage:
    """What was spent: requests, tokens, and money where the settings name prices.

    `estimated` says that an endpoint counted no tokens, so that they are reckoned from the texts.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            sum(costs) if costs else None,
            self.estimated or other.estimated,
        )

    @property
    def text(self) -> str:
        """For people: `3 requests, 4,210 tokens, 0.0123`."""
        requests = f"{self.requests:,} request" + ("" if self.requests == 1 else "s")
        about = "about " if self.estimated else ""
        cost = "" if self.cost is None else f", {self.cost:.4f}"
        return f"{requests}, {about}{self.tokens:,} tokens{cost}"


class ModelError(Exception):
    """See the module. The text is a sentence for people."""

    def __init__(self, detail: str, spent: Usage = Usage()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.spent = spent


class Missing(ModelError): ...


class Rejected(ModelError): ...


class Unreachable(ModelError): ...


class TooSlow(ModelError): ...


class Stopped(ModelError): ...


class CutShort(ModelError): ...


class WrongShape(ModelError): ...


class OverBudget(ModelError): ...


class Budget:
    """What a piece of work may spend on a model, and what it has spent. For any thread.

    `tokens` of all requests together, `seconds` from now on. Who waits for an answer asks
    `stopped` from time to time and gives up when it says so.
    """

    def __init__(
        self,
        tokens: int,
        seconds: float,
        stopped: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stopped = stopped
        self._tokens = tokens
        self._end = clock() + seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._spent = Usage()

    @property
    def spent(self) -> Usage:
        with self._lock:
            return self._spent

    @property
    def tokens_left(self) -> int:
        return self._tokens - self.spent.tokens

    @property
    def seconds_left(self) -> float:
        return self._end - self._clock()

    def spend(self, usage: Usage) -> None:
        with self._lock:
            self._spent += usage


@dataclass(frozen=True)
class Picture:
    """A picture that goes with a question: the bytes of a file and its media type."""

    data: bytes
    media_type: str = "image/png"


@dataclass(frozen=True)
class Question(Generic[T]):
    """What is asked.

    `data` is any JSON value. `check` looks at an answer of the right shape and returns what is
    wrong with it, which the model is told so that it answers again, or None. `tries` counts
    answers. `temperature` above nought makes repeated answers differ, for voting.
    """

    instructions: str
    data: Any
    output_type: type[T]
    pictures: Sequence[Picture] = ()
    check: Callable[[T], str | None] | None = None
    tries: int = 3
    temperature: float = 0.0


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A value of the type that was asked for, which model gave it, and what that took."""

    value: T
    model: str
    spent: Usage


class LanguageModel(Protocol):
    """A model to ask. For any thread; nothing of it blocks but `ask` and `close`."""

    @property
    def name(self) -> str:
        """The model's name, to show and to keep with what it said."""
        ...

    @property
    def room(self) -> int:
        """Characters of data that fit a question, with some to spare for instructions."""
        ...

    @property
    def at_once(self) -> int:
        """How many questions are worth asking at the same time."""
        ...

    def new_budget(self, stopped: Callable[[], bool] = lambda: False) -> Budget:
        """What the settings let one task spend; `stopped` tells when the task was stopped."""
        ...

    def start(self, question: Question[T], budget: Budget) -> "Future[Answer[T]]":
        """Asks without waiting; cancelling the future ends the request."""
        ...

    def ask(self, question: Question[T], budget: Budget) -> Answer[T]:
        """Asks and waits. Raises a ModelError when there is no answer that can be used."""
        ...

    def close(self) -> None:
        """Ends what is under way."""
        ...


def language_model(endpoint: LanguageEndpoint | None) -> LanguageModel | None:
    """The model behind an endpoint of the settings; None where none is set.

    Connects to nothing and loads nothing: what talks to models takes a second of processor time
    to import, so that is done with the first question.
    """
    if endpoint is None:
        return None
    from backend.inference.language_line import LanguageLine

    return LanguageLine(endpoint)
