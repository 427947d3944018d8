"""Asks all shards at once. A shard that does not answer is an error, never a smaller answer."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from backend.search.docset import DocSet
from backend.search.docset_indexes import PATIENCE, IndexName
from backend.search.operations import Mark
from backend.search.port import Passed
from backend.search.shards.wire import Arrays, packed
from backend.search.share import Share, shares
from backend.tasks.messages import Message
from backend.tasks.outcomes import result_of
from backend.tasks.pool import Refusal, WorkerStopped
from workbench.contract.errors import Unavailable
from workbench.contract.search import IndexState

_WAIT: Final = PATIENCE + 5
"""The most seconds for an answer; a shard itself gives up after PATIENCE."""
_AGAIN = 2.0
_DOCSETS = 64
"""DocSets whose counts of terms are remembered, and how many terms of each."""
_TERMS = 50_000


class Hosts(Protocol):
    """Where the shards are."""

    def ask(self, shard: int, question: Message) -> "Awaited":
        """Asks one shard. PlaceLost when it cannot be reached."""
        ...


class Awaited(Protocol):
    """An answer that is on its way. Either `result` or `cancel` is called."""

    def result(self, timeout: float) -> Message:
        """The answer. PlaceLost or TimeoutError when there is none within `timeout` seconds."""
        ...

    def cancel(self) -> object:
        """Nobody wants the answer any more."""
        ...


ArraysOf = Callable[[Share], Arrays]
"""The arrays of a question to the shard with that share."""


class Shards:
    """All `count` shards, which have the DocSets of at least `least` documents."""

    def __init__(self, hosts: Hosts, count: int, least: int) -> None:
        self.least = least
        self._hosts = hosts
        self._shares = shares(count)
        self._lock = threading.Lock()
        self._counts: dict[str, tuple[Mark, TermCounts]] = {}

    def ask(
        self, kind: str, plain: Mapping[str, Any], arrays: ArraysOf = lambda _: {}
    ) -> list[Message]:
        """The answers of all shards, in order; Passed or Unavailable as soon as one fails."""
        asked: list[Awaited] = []
        latest = time.monotonic() + _WAIT
        try:
            for share in self._shares:
                asked.append(self._hosts.ask(share.place, packed(kind, plain, arrays(share))))
            answers = [one.result(max(0.0, latest - time.monotonic())) for one in asked]
        except (WorkerStopped, TimeoutError):
            raise Unavailable(
                "A shard of the index of this DocSet is starting. Nothing is lost; try again in a"
                " moment.",
                _AGAIN,
            ) from None
        finally:
            for one in asked:
                one.cancel()
        return [_result(answer) for answer in answers]

    def at(self, docset: DocSet) -> "Moment":
        """The shards of a DocSet at its newest operation."""
        return Moment(self, docset.docset_id, docset.newest, self._counts_at(docset))

    def _counts_at(self, docset: DocSet) -> "TermCounts":
        with self._lock:
            mark, counts = self._counts.pop(docset.docset_id, (None, TermCounts()))
            if mark != docset.newest:
                counts = TermCounts()
            self._counts[docset.docset_id] = docset.newest, counts
            if len(self._counts) > _DOCSETS:
                del self._counts[next(iter(self._counts))]
            return counts

    def forget(self, docset_id: str) -> None:
        """Deletes the indexes of a DocSet; they are built again when needed."""
        with self._lock:
            self._counts.pop(docset_id, None)
        self.ask("forget", {"docset": docset_id})

    def drop(self, docset_id: str) -> None:
        """Removes everything kept for a deleted DocSet."""
        self.ask("drop", {"docset": docset_id})

    def state(self, docset_id: str) -> IndexState:
        """The state of the word index, as that of the shard with the most left to do."""
        answers = self.ask("state", {"docset": docset_id})
        states = [
            IndexState(state=one.data["state"], done=one.data["done"], total=one.data["total"])
            for one in answers
        ]
        return max(states, key=lambda one: (one.state != "ready", one.total - one.done))


class TermCounts:
    """How many of the `total` elements in all shards have a term, at one operation of the log."""

    def __init__(self) -> None:
        self.total = 0
        self.rarities: dict[str, float] = {}
        """What `Rarities` has made of the counts."""
        self._known: dict[tuple[str, str], int] = {}

    def of(self, field: str, terms: Sequence[str]) -> dict[str, int]:
        """The counts of those of the terms that are known."""
        known = {term: self._known.get((field, term)) for term in terms}
        return {term: count for term, count in known.items() if count is not None}

    def keep(self, field: str, counts: Mapping[str, int], total: int) -> None:
        """Remembers counts of more terms."""
        self.total = total
        if len(self._known) < _TERMS:
            self._known |= {(field, term): count for term, count in counts.items()}


@dataclass(frozen=True)
class Moment:
    """The shards of one DocSet at one operation of its log."""

    shards: Shards
    docset_id: str
    mark: Mark
    counts: TermCounts

    def ask(self, kind: str, arrays: ArraysOf = lambda _: {}, **plain: Any) -> list[Message]:
        """See `Shards.ask`."""
        mark = [self.mark.sequence, self.mark.doc_id]
        return self.shards.ask(kind, {"docset": self.docset_id, "at": mark, **plain}, arrays)

    def follow(self, name: IndexName) -> None:
        """Returns when the index has followed the log up to this operation. Errors of `ask`."""
        self.ask("ready", name=name)


def _result(answer: Message) -> Message:
    if answer.kind == "passed":
        raise Passed
    try:
        return result_of(answer)
    except Refusal as error:
        if error.status == Unavailable.status:
            raise Unavailable(error.detail, _AGAIN) from None
        raise
