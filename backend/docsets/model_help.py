"""What a language model does for a task: the server's side of `Report.ask`.

Workers have no network, so they ask the server, which asks the model. Questions are built here from
data: a worker that parsed a hostile file can have a schema read or a picture described, within the
budget of its task, and nothing else.

    properties   schema, voting, documents as windows -> ModelAnswers for each document
    pictures     PNG files and their captions -> a summary or null for each

A failure of the model is noted but does not fail the task: values come from the rules, and pictures
have deterministic summaries. After a rejection, or several failures in a row, the task continues
without the model.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from backend.extraction.agreement import ModelAnswers
from backend.extraction.citing import CitedValue, question
from backend.extraction.windows import Passage
from backend.inference.language import (
    Budget,
    LanguageModel,
    Missing,
    ModelError,
    OverBudget,
    Picture,
    Question,
    Rejected,
    Stopped,
    Usage,
)
from backend.tasks.pool import WorkerStopped
from backend.tasks.runner import TaskContext
from workbench.contract.schema import Schema

_VOTES = 3
_VOTING_TEMPERATURE = 0.7
_FAILURES_IN_A_ROW = 3
_FINAL = (Missing, Rejected, OverBudget)
"""After these errors the next question would fail too."""

_DESCRIBE = (
    "Describe the picture for somebody who cannot see it, in one to four sentences: what kind of"
    " picture it is, what it shows, and the numbers or words in it that matter. `caption` is what"
    " the document prints beside it. Say nothing that the picture does not show."
)

_In = TypeVar("_In")
_Out = TypeVar("_Out")


class Described(BaseModel):
    """The model's description of a picture."""

    summary: str = Field(min_length=1, max_length=2_000)


@dataclass(frozen=True)
class ModelHelp:
    """The configured models; each may be missing."""

    chat: LanguageModel | None = None
    vision: LanguageModel | None = None

    @property
    def wanted(self) -> dict[str, Any]:
        """What a job needs in order to ask: the characters a question has room for, and whether
        there is a vision model."""
        return {"room": self.chat.room if self.chat else 0, "eyes": self.vision is not None}

    def close(self) -> None:
        """Cancels running requests."""
        for model in (self.chat, self.vision):
            if model is not None:
                model.close()

    def for_task(self, context: TaskContext) -> "TaskHelp":
        """Help for one task, with its own budget."""

        def stopped() -> bool:
            return context.stopped

        return TaskHelp(_helper(self.chat, stopped), _helper(self.vision, stopped))


class TaskHelp:
    """Answers the questions of one task's jobs."""

    def __init__(self, chat: "_Helper | None", vision: "_Helper | None") -> None:
        self._chat = chat
        self._vision = vision

    def answer(self, kind: str, data: Any, blobs: Sequence[bytes]) -> Any:
        """See the module; None without such a model. Thread-safe."""
        try:
            if kind == "properties" and self._chat is not None:
                return self._properties(self._chat, data)
            if kind == "pictures" and self._vision is not None:
                return self._pictures(self._vision, data, blobs)
        except Stopped:
            raise WorkerStopped from None
        return None

    @property
    def message(self) -> str | None:
        """A message about the models' part in the task; None if they did nothing."""
        messages = [helper.message for helper in (self._chat, self._vision) if helper is not None]
        return " ".join(text for text in messages if text) or None

    def _properties(self, chat: "_Helper", data: Any) -> list[ModelAnswers]:
        schema = Schema.model_validate(data["schema"])
        samples = _VOTES if data["voting"] else 1
        return chat.each(lambda pieces: _read(chat, schema, pieces, samples), data["documents"])

    def _pictures(
        self, vision: "_Helper", captions: Sequence[str | None], files: Sequence[bytes]
    ) -> list[str | None]:
        return vision.each(
            lambda pair: _described(vision, *pair), zip(files, captions, strict=True)
        )


def _read(
    chat: "_Helper", schema: Schema, pieces: Sequence[Sequence[Passage]], samples: int
) -> ModelAnswers:
    """The values of one document, piece by piece until all are read; lists from all pieces."""
    temperature = _VOTING_TEMPERATURE if samples > 1 else 0.0
    results: list[dict[str, CitedValue]] = []
    note = None
    for _ in range(samples):
        sample: dict[str, CitedValue] = {}
        try:
            for passages in pieces:
                asked, read = question(schema, passages, temperature)
                _add(sample, read(chat.ask(asked)))
                if _complete(sample, schema):
                    break
        except Stopped:
            raise
        except ModelError as error:
            note = f"without the language model: {error.detail}"
            break
        results.append(sample)
    return ModelAnswers(samples=results, note=note)


def _add(sample: dict[str, CitedValue], more: dict[str, CitedValue]) -> None:
    for name, value in more.items():
        if name not in sample:
            sample[name] = value
        elif isinstance(value["value"], list):
            sample[name] = CitedValue(
                value=sample[name]["value"] + value["value"],
                element=sample[name]["element"],
                confidence=min(sample[name]["confidence"], value["confidence"]),
            )


def _complete(sample: dict[str, CitedValue], schema: Schema) -> bool:
    return all(prop.kind != "array" and prop.name in sample for prop in schema.properties)


def _described(vision: "_Helper", file: bytes, caption: str | None) -> str | None:
    asked = Question(_DESCRIBE, {"caption": caption}, Described, pictures=[Picture(file)])
    try:
        return " ".join(vision.ask(asked).summary.split())
    except Stopped:
        raise
    except ModelError:
        return None


_Model = TypeVar("_Model", bound=BaseModel)


class _Helper:
    """A model within the budget of one task, and the outcome of its questions."""

    def __init__(self, model: LanguageModel, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self._lock = threading.Lock()
        self._failures = 0
        self._in_a_row = 0
        self._last: ModelError | None = None
        self._gave_up = False

    def ask(self, asked: Question[_Model]) -> _Model:
        """The value of an answer. Counts failures, some of which end all further questions."""
        with self._lock:
            if self._gave_up and self._last is not None:
                self._failures += 1
                raise type(self._last)(self._last.detail)
        try:
            value = self._model.ask(asked, self._budget).value
        except Stopped:
            raise
        except ModelError as error:
            with self._lock:
                self._failures += 1
                self._in_a_row += 1
                self._last = error
                self._gave_up |= isinstance(error, _FINAL)
                self._gave_up |= self._in_a_row >= _FAILURES_IN_A_ROW
            raise
        with self._lock:
            self._in_a_row = 0
        return value

    def each(self, work: Callable[[_In], _Out], items: Iterable[_In]) -> list[_Out]:
        """Applies the work to each item, as many in parallel as the model supports."""
        with ThreadPoolExecutor(self._model.at_once) as pool:
            return list(pool.map(work, items))

    @property
    def message(self) -> str | None:
        spent = self._budget.spent
        if spent == Usage() and not self._failures:
            return None
        text = f"{self._model.name}: {spent.text}."
        if self._last is None:
            return text
        times = "once" if self._failures == 1 else f"{self._failures} times"
        return f"{text} Failed {times}: {self._last.detail}."


def _helper(model: LanguageModel | None, stopped: Callable[[], bool]) -> _Helper | None:
    return None if model is None else _Helper(model, model.new_budget(stopped))
