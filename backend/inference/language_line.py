"""The connection to one language model: a thread with an event loop and limited concurrency.

All threads share it. At most `at_once` requests run at a time, and when the endpoint limits the
rate every request waits as long as it asks.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING

from backend.inference.language import Answer, Budget, LanguageModel, Missing, Question, Stopped, T
from backend.settings import LanguageEndpoint

if TYPE_CHECKING:
    from backend.inference.language_agent import Asking

# A token has three or more characters in nearly all languages and tokenizers; instructions, the
# answer's type and corrections take their share.
_CHARACTERS_PER_TOKEN = 3
_SHARE_OF_DATA = 0.7
_STOP_SECONDS = 0.1
"""How often a waiting caller checks whether the work was stopped."""


class LanguageLine(LanguageModel):
    """See the module. Its thread starts with the first question."""

    def __init__(self, endpoint: LanguageEndpoint) -> None:
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asking: Asking | None = None
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        return self._endpoint.model

    @property
    def room(self) -> int:
        tokens = max(self._endpoint.context - self._endpoint.answer, self._endpoint.context // 4)
        return int(tokens * _CHARACTERS_PER_TOKEN * _SHARE_OF_DATA)

    @property
    def at_once(self) -> int:
        return self._endpoint.at_once

    def new_budget(self, stopped: Callable[[], bool] = lambda: False) -> Budget:
        return Budget(self._endpoint.task_tokens, self._endpoint.task_seconds, stopped)

    def start(self, question: Question[T], budget: Budget) -> Future[Answer[T]]:
        loop, asking = self._open()
        return asyncio.run_coroutine_threadsafe(asking.ask(question, budget), loop)

    def ask(self, question: Question[T], budget: Budget) -> Answer[T]:
        answer = self.start(question, budget)
        while not budget.stopped():
            if wait([answer], timeout=_STOP_SECONDS).done:
                break
        else:
            answer.cancel()
        if answer.cancelled():
            raise Stopped("the work was stopped")
        return answer.result()

    def close(self) -> None:
        with self._lock:
            loop, asking, thread = self._loop, self._asking, self._thread
            self._loop = self._asking = self._thread = None
        if loop is None or asking is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(asking.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _open(self) -> "tuple[asyncio.AbstractEventLoop, Asking]":
        try:
            from backend.inference.language_agent import Asking
        except ImportError as error:
            install = "pip install 'docset-workbench[model]'"
            raise Missing(f"support for language models is not installed: {install}") from error
        with self._lock:
            if self._loop is None or self._asking is None:
                self._loop = asyncio.new_event_loop()
                self._asking = Asking(self._endpoint)
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="language model", daemon=True
                )
                self._thread.start()
            return self._loop, self._asking


def language_model(endpoint: LanguageEndpoint | None) -> LanguageModel | None:
    """The model behind an endpoint of the settings; None when none is set.

    Connects to nothing and loads nothing: the client library takes a second of CPU time to import,
    so that happens with the first question.
    """
    return None if endpoint is None else LanguageLine(endpoint)
