"""Tables of collections in files, so that a new process need not read every document again.

The files have a table at one moment, which is brought up to date from the logs. They are only a
cache: missing, broken or foreign ones are ignored. If several servers share a database, one starts
from the table that another has published.
"""

import json
import logging
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from backend.plans.tables.collection import Collection, Mark, State
from backend.plans.tables.following import ALWAYS, Followed
from backend.plans.tables.segments import Segment, mapped, write_arrow, written
from backend.store.shared_files import SharedFiles
from workbench.contract.plan_columns import trust_fields
from workbench.contract.schema import Schema

_log = logging.getLogger(__name__)
_SHARED = "tables"
_FORM = 6
"""Incremented when the format of the files changes."""


@dataclass(frozen=True)
class Since:
    """What has changed since a table was saved: sequences removed, new and changed."""

    state: State
    sequences: frozenset[int] = frozenset()


class SavedTables:
    """The tables below `folder`: segments, named in a JSON file with the state of the table."""

    def __init__(self, folder: Path, shared: SharedFiles | None = None) -> None:
        self.folder = folder
        self._shared = shared or SharedFiles()

    def docset_ids(self) -> list[str]:
        """The DocSets with a saved table, newest first."""
        paths = sorted(self.folder.glob("*.json"), key=_age, reverse=True)
        return [str(body["docset_id"]) for path in paths if (body := _read(path)) is not None]

    def save(self, followed: Followed, since: Since | None = None) -> bool:
        """Saves a table in place of the older one, if it can; with `since` only what changed."""
        collection = followed.collection
        about = self._about(collection.docset_id)
        before = _read(about)
        base, changed = _base(before, followed, since)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            segments = written(self.folder, about.stem, collection.table, base, changed)
            draft = about.with_name(f"{about.name}.part")
            draft.write_text(json.dumps(_body(followed, segments)))
            os.replace(draft, about)
        except OSError as problem:
            _log.warning("the table of %s was not saved: %s", collection.docset_id, problem)
            return False
        for file in {one.file for one in _segments(before)} - {one.file for one in segments}:
            self._discard(file)
        self._publish(about, segments)
        return True

    def load(self, docset_id: str) -> Followed | None:
        """The saved table, of this server or of another; None if there is no usable one."""
        loaded = self._loaded(docset_id)
        if loaded is None and self._fetched(docset_id):
            loaded = self._loaded(docset_id)
        return loaded

    def _publish(self, about: Path, segments: list[Segment]) -> None:
        if not self._shared.enabled:
            return
        published = set(self._published(about))
        names = {_shared_name(segment) for segment in segments}
        for segment in segments:
            if _shared_name(segment) not in published and not self._publish_one(segment):
                return
        if self._shared.publish(f"{_SHARED}/{about.name}", about):
            self._shared.remove(published - names - {f"{_SHARED}/{about.name}"})

    def _publish_one(self, segment: Segment) -> bool:
        draft = self.folder / f"{segment.file}.parquet"
        try:
            pl.read_ipc(self.folder / segment.file).write_parquet(draft)
            return self._shared.publish(_shared_name(segment), draft)
        except (OSError, PolarsError) as problem:
            _log.warning("a table was not published: %s", problem)
            return False
        finally:
            self._discard(draft.name)

    def _fetched(self, docset_id: str) -> bool:
        about = self._about(docset_id)
        if not self._shared.fetch(f"{_SHARED}/{about.name}", about):
            return False
        return all(map(self._fetched_one, _segments(_read(about))))

    def _fetched_one(self, segment: Segment) -> bool:
        file = self.folder / segment.file
        draft = self.folder / f"{segment.file}.parquet"
        try:
            if not file.exists():
                if not self._shared.fetch(_shared_name(segment), draft):
                    return False
                write_arrow(pl.read_parquet(draft), file)
        except (OSError, PolarsError) as problem:
            _log.warning("a published table cannot be read: %s", problem)
            return False
        finally:
            self._discard(draft.name)
        return True

    def _published(self, about: Path) -> list[str]:
        names = self._shared.names(_SHARED)
        return [name for name in names if Path(name).name.startswith(about.stem)]

    def _loaded(self, docset_id: str) -> Followed | None:
        body = _read(self._about(docset_id))
        if body is None or body.get("form") != _FORM or body["docset_id"] != docset_id:
            return None
        try:
            files = tuple(self.folder / segment.file for segment in _segments(body))
            table = mapped(files)
        except (OSError, PolarsError) as problem:
            _log.warning("the saved table of %s cannot be read: %s", docset_id, problem)
            return None
        if table.columns != [*ALWAYS, *body["fields"], *trust_fields(body["fields"])]:
            _log.warning("the saved table of %s has other columns", docset_id)
            return None
        collection = Collection(
            docset_id, body["name"], Schema.model_validate(body["schema"]), _state(body), table,
            body["fields"], body["unreadable"], files=files,
        )  # fmt: skip
        return Followed(collection, body["type_counts"])

    def drop(self, docset_id: str) -> None:
        """Removes the table of a deleted DocSet."""
        about = self._about(docset_id)
        body = _read(about)
        about.unlink(missing_ok=True)
        for segment in _segments(body):
            self._discard(segment.file)
        self._shared.remove(self._published(about))

    def sweep(self) -> None:
        """Removes orphaned files: left by a crash, or in use when they were replaced."""
        bodies = map(_read, self.folder.glob("*.json"))
        named = {segment.file for body in bodies for segment in _segments(body)}
        for pattern in ("*.arrow", "*.part", "*.parquet"):
            for path in self.folder.glob(pattern):
                if path.name not in named:
                    self._discard(path.name)

    def _about(self, docset_id: str) -> Path:
        # Ids contain a colon, which some file systems refuse.
        return self.folder / f"{docset_id.replace(':', '-')}.json"

    def _discard(self, file: str) -> None:
        # Some systems refuse to remove a mapped file; the next sweep removes it.
        with suppress(OSError):
            (self.folder / Path(file).name).unlink(missing_ok=True)


def _shared_name(segment: Segment) -> str:
    return f"{_SHARED}/{segment.file.removesuffix('.arrow')}.parquet"


def _base(
    before: dict[str, Any] | None, followed: Followed, since: Since | None
) -> tuple[list[Segment], frozenset[int] | None]:
    """The segments to compare a table with, and the changed documents; None if unknown."""
    if before is None or since is None or before.get("form") != _FORM:
        return [], None
    same = before["fields"] == dict(followed.collection.fields) and _state(before) == since.state
    return _segments(before), since.sequences if same else None


def _body(followed: Followed, segments: list[Segment]) -> dict[str, Any]:
    collection = followed.collection
    return {
        "form": _FORM,
        "docset_id": collection.docset_id,
        "segments": [asdict(segment) for segment in segments],
        "name": collection.name,
        "schema": collection.schema.model_dump(mode="json"),
        "state": asdict(collection.state),
        "fields": dict(collection.fields),
        "unreadable": dict(collection.unreadable),
        "type_counts": {name: dict(types) for name, types in followed.type_counts.items()},
    }


def _segments(body: dict[str, Any] | None) -> list[Segment]:
    named = [Segment(**one) for one in (body or {}).get("segments", [])]
    # A name of a file that was published elsewhere must not lead out of the folder.
    return [Segment(Path(one.file).name, one.first, one.height) for one in named]


def _state(body: dict[str, Any]) -> State:
    state = body["state"]
    return State(state["described"], Mark(**state["operation"]), Mark(**state["change"]))


def _read(about: Path) -> dict[str, Any] | None:
    """The content of a JSON file, None if it is missing or unreadable."""
    try:
        body = json.loads(about.read_text())
    except (OSError, ValueError):
        return None
    return body if isinstance(body, dict) else None


def _age(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
