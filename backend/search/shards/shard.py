"""One shard: answers questions about its share of the documents of any DocSet.

Each question names the operation of the log at which it is to be answered, and the shard follows
the log up to there first. The kind of an answer is `result`, or `passed` if the shard is long past
that operation, or else as for a job that fails.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np

from backend.inference.providers import Embedders
from backend.search.docset_indexes import IndexName
from backend.search.lexical.feedback import rarity
from backend.search.lexical.searching import FoundWords, TantivyReader
from backend.search.literal import LiteralReader, Sizes
from backend.search.operations import Mark
from backend.search.port import IndexDamaged, Passed, Reader, Vectors
from backend.search.shards.wire import array_in, packed, packed_ranking
from backend.search.share import Share
from backend.search.views import Views
from backend.store.database import Database
from backend.store.shared_files import SharedFiles
from backend.tasks.messages import Message
from backend.tasks.outcomes import message_of
from workbench.contract.errors import ServiceError

_log = logging.getLogger(__name__)
PUBLISH_EVERY = 60.0
"""Seconds between two checks for indexes that have grown."""
NO_DATA: Mapping[str, Any] = {}


class Shard:
    """The indexes of one share, below the folder `root`. Thread-safe."""

    def __init__(self, database: Database, root: Path, shared: SharedFiles, share: Share) -> None:
        self._views = Views(database, root, Embedders(), shared, share=share)
        self._closed = threading.Event()

    def keep(self) -> None:
        """Publishes indexes that have grown, in the background, for successors to start from."""
        threading.Thread(target=self._publish, name="publishing", daemon=True).start()

    def ask(self, question: Message) -> Message:
        """Answers a question; raises nothing."""
        try:
            return self._answer(question)
        except Passed:
            return Message("passed")
        except ServiceError as error:
            return message_of(error)
        except Exception as error:
            _log.exception("a question to a shard failed")
            return message_of(error)

    def close(self) -> None:
        """Closes the indexes; their files stay."""
        self._closed.set()
        self._views.close()

    def _answer(self, question: Message) -> Message:
        docset_id = str(question.data["docset"])
        match question.kind:
            case "forget":
                self._views.forget(docset_id)
            case "drop":
                self._views.drop(docset_id)
            case "state":
                return packed("result", self._views.state(docset_id).model_dump(), {})
            case kind:
                name, answer = _ANSWERS[kind]
                name = name or question.data["name"]
                at = Mark(*question.data["at"])
                if (reader := self._views.former(docset_id, name, at)) is not None:
                    with suppress(IndexDamaged):  # the other way it is built again
                        return answer(reader, question)
                return self._views.answer(
                    docset_id, (name,), lambda view: answer(view.readers[name], question), at=at
                )
        return packed("result", NO_DATA, {})

    def _publish(self) -> None:
        work = self._views.sweep
        while True:
            try:
                work()
                work = self._views.publish
            except Exception:  # the database may be away for a while
                _log.exception("a shard could not be published; it is tried again")
            if self._closed.wait(PUBLISH_EVERY):
                return


def _keys(reader: Reader[Any], _question: Message) -> Message:
    return packed("result", NO_DATA, {"keys": reader.keys()})


def _ready(_reader: Reader[Any], _question: Message) -> Message:
    return packed("result", NO_DATA, {})


def _frequencies(reader: TantivyReader, question: Message) -> Message:
    total, counts = reader.frequencies(question.data["field"], question.data["terms"])
    return packed("result", {"total": total, "counts": counts}, {})


def _words(reader: TantivyReader, question: Message) -> Message:
    matches = _found(reader, question)
    ranking = matches.best(question.data["limit"])
    openings = matches.openings(ranking.keys) if question.data["with_openings"] else []
    return packed_ranking(ranking, {"openings": openings})


def _openings(reader: TantivyReader, question: Message) -> Message:
    matches = _found(reader, question)
    matches.best(question.data["limit"])
    keys = array_in(question, "keys")
    assert keys is not None
    return packed("result", {"openings": matches.openings(keys)}, {})


def _found(reader: TantivyReader, question: Message) -> FoundWords:
    """The matches of a question, whose weights include the rarity in all shards. Tantivy multiplies
    by the rarity in this one, so that is divided out.
    """
    data = question.data

    def weights(name: str) -> dict[str, float] | None:
        if data[name] is None:
            return None
        terms = list(data[name])
        total, counts = reader.frequencies(data["field"], terms)
        pairs = zip(terms, counts, strict=True)
        return {term: data[name][term] / rarity(count, total) for term, count in pairs}

    own = weights("own")
    assert own is not None
    return reader.matches(
        data["field"], own, array_in(question, "allowed"), better=weights("better")
    )


def _sizes(reader: LiteralReader, question: Message) -> Message:
    matches = reader.matches(question.data["query"], array_in(question, "allowed"))
    return packed("result", {"sizes": astuple(matches.sizes)}, {})


def _literal(reader: LiteralReader, question: Message) -> Message:
    unscored = reader.matches(question.data["query"], array_in(question, "allowed"))
    matches = unscored.scored(Sizes(*question.data["sizes"]))
    return packed_ranking(matches.best(question.data["limit"]))


def _near(reader: Vectors, question: Message) -> Message:
    vector = array_in(question, "vector")
    assert vector is not None
    matches = reader.search(vector, array_in(question, "allowed"))
    return packed_ranking(matches.best(question.data["limit"]))


def _vectors(reader: Vectors, question: Message) -> Message:
    wanted = array_in(question, "keys")
    assert wanted is not None
    keys, matrix = reader.vectors_of(wanted)
    return packed("result", NO_DATA, {"keys": keys, "matrix": np.ascontiguousarray(matrix)})


_ANSWERS: dict[str, tuple[IndexName | None, Callable[[Any, Message], Message]]] = {
    "ready": (None, _ready),
    "keys": (None, _keys),
    "frequencies": ("lexical", _frequencies),
    "words": ("lexical", _words),
    "openings": ("lexical", _openings),
    "sizes": ("keyword", _sizes),
    "literal": ("keyword", _literal),
    "near": ("vector", _near),
    "vectors": ("vector", _vectors),
}
"""Questions about one index. Where it is None, the question names the index."""
