"""Asks language models questions with typed answers, behind one interface.

A question has instructions, which are ours, and data, which comes from documents. The data reaches
the model as JSON that it is instructed never to obey, and its answer has to fit a pydantic type.
Every request counts against a `Budget`, even when the answer is unusable.

    ModelError       no usable answer; the message says why, `spent` what it cost
    ├── Missing      the packages for language models are not installed
    ├── Rejected     the endpoint rejects the key, model name or content, or a quota is used up
    ├── Unreachable  no connection, an outage or a rate limit that outlasted the retries
    ├── TooSlow      no answer in time
    ├── Stopped      the calling task was stopped
    ├── CutShort     the answer was truncated at its maximum length
    ├── WrongShape   every answer had another shape or failed its check
    └── OverBudget   the budget is used up, or would be

Their messages contain no key, address or part of a document. Callers fall back to the built-in
engines and report that.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Usage:
    """Requests, tokens, and money if the settings have prices.

    `estimated` when the endpoint reported no token counts, so that they are derived from the texts.
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
        """For display: `3 requests, 4,210 tokens, 0.0123`."""
        requests = f"{self.requests:,} request" + ("" if self.requests == 1 else "s")
        about = "about " if self.estimated else ""
        cost = "" if self.cost is None else f", {self.cost:.4f}"
        return f"{requests}, {about}{self.tokens:,} tokens{cost}"


class ModelError(Exception):
    """See the module. The message is a sentence for people."""

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
    """The limits of a task's use of a model, and its use so far. Thread-safe.

    `tokens` covers all requests together; `seconds` count from now. Code that waits for an answer
    polls `stopped` and gives up when it returns true.
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
    """A picture attached to a question: file content and media type."""

    data: bytes
    media_type: str = "image/png"


@dataclass(frozen=True)
class Question(Generic[T]):
    """A question to a model.

    `data` is any JSON value. `check` returns None or a fault of an answer of the right shape, which
    is sent back to the model for another try. `tries` counts answers. `temperature` above zero
    makes repeated answers differ, for voting.
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
    """A value of the requested type, the model that gave it, and what it cost."""

    value: T
    model: str
    spent: Usage


class LanguageModel(Protocol):
    """A language model. Thread-safe; only `ask` and `close` block."""

    @property
    def name(self) -> str:
        """The model's name, to show and to store with its answers."""
        ...

    @property
    def room(self) -> int:
        """Characters of data that fit a question, with room for instructions."""
        ...

    @property
    def at_once(self) -> int:
        """The useful number of parallel questions."""
        ...

    def new_budget(self, stopped: Callable[[], bool] = lambda: False) -> Budget:
        """A budget for one task, from the settings; `stopped` returns whether it was stopped."""
        ...

    def start(self, question: Question[T], budget: Budget) -> "Future[Answer[T]]":
        """Asks without waiting; cancelling the future ends the request."""
        ...

    def ask(self, question: Question[T], budget: Budget) -> Answer[T]:
        """Asks and waits. ModelError when there is no usable answer."""
        ...

    def close(self) -> None:
        """Cancels running requests."""
        ...
