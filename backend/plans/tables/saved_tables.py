"""Tables of collections in files, so that a new process need not read every document again.

A file has the table at one moment and is brought up to date from the logs. It is only a cache: a
missing, broken or foreign one is ignored. Where several servers share a database, one starts from
the table that another has published.
"""

import json
import logging
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from backend.plans.tables.collection import Collection, Mark, State
from backend.plans.tables.following import ALWAYS, Followed
from backend.plans.tables.trust import trust_columns
from backend.store.shared_files import SharedFiles
from workbench.contract.ids import new_id
from workbench.contract.schema import Schema

_log = logging.getLogger(__name__)
_SHARED = "tables"
_FORM = 4
"""Incremented when the format of the files changes."""


class SavedTables:
    """The tables below `folder`: an Arrow IPC file each, named in the JSON file with its state."""

    def __init__(self, folder: Path, shared: SharedFiles | None = None) -> None:
        self._folder = folder
        self._shared = shared or SharedFiles()

    def docset_ids(self) -> list[str]:
        """The DocSets with a saved table, newest first."""
        paths = sorted(self._folder.glob("*.json"), key=_age, reverse=True)
        return [str(body["docset_id"]) for path in paths if (body := _read(path)) is not None]

    def save(self, followed: Followed) -> None:
        """Writes a table and removes the older one."""
        collection = followed.collection
        about = self._about(collection.docset_id)
        before = _read(about)
        file = f"{about.stem}-{new_id('t').replace(':', '-')}.arrow"
        state = collection.state
        body = {
            "form": _FORM, "docset_id": collection.docset_id, "file": file,
            "name": collection.name, "schema": collection.schema.model_dump(mode="json"),
            "state": asdict(state), "fields": dict(collection.fields),
            "unreadable": dict(collection.unreadable),
            "type_counts": {name: dict(types) for name, types in followed.type_counts.items()},
        }  # fmt: skip
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with (self._folder / file).open("wb") as stream:
                collection.table.write_ipc(stream, compression="uncompressed")
                # Otherwise a power cut could leave a file with holes.
                os.fsync(stream.fileno())
            part = self._folder / f"{file}.part"
            part.write_text(json.dumps(body))
            os.replace(part, about)
        except OSError as problem:
            _log.warning("the table of %s was not saved: %s", collection.docset_id, problem)
            self._discard(file)
            return
        if before is not None:
            self._discard(str(before["file"]))
        self._publish(about, self._folder / file)

    def load(self, docset_id: str) -> Followed | None:
        """The saved table, of this server or of another; None without a usable one."""
        loaded = self._loaded(docset_id)
        if loaded is None and self._fetched(docset_id):
            loaded = self._loaded(docset_id)
        return loaded

    def _publish(self, about: Path, table: Path) -> None:
        if self._shared.enabled and self._shared.publish(_shared_name(table), table):
            self._shared.publish(_shared_name(about), about)
            new = {_shared_name(table), _shared_name(about)}
            self._shared.remove(set(self._published(about)) - new)

    def _fetched(self, docset_id: str) -> bool:
        about = self._about(docset_id)
        if not self._shared.fetch(_shared_name(about), about):
            return False
        body = _read(about) or {}
        table = self._folder / Path(str(body.get("file"))).name
        return self._shared.fetch(_shared_name(table), table)

    def _published(self, about: Path) -> list[str]:
        names = self._shared.names(_SHARED)
        return [name for name in names if Path(name).name.startswith(about.stem)]

    def _loaded(self, docset_id: str) -> Followed | None:
        body = _read(self._about(docset_id))
        if body is None or body.get("form") != _FORM or body["docset_id"] != docset_id:
            return None
        try:
            table = pl.read_ipc(self._folder / str(body["file"]))
        except (OSError, PolarsError) as problem:
            _log.warning("the saved table of %s cannot be read: %s", docset_id, problem)
            return None
        if table.columns != [*ALWAYS, *body["fields"], *trust_columns(body["fields"])]:
            _log.warning("the saved table of %s has other columns", docset_id)
            return None
        state = body["state"]
        marks = (Mark(**state["operation"]), Mark(**state["change"]))
        collection = Collection(
            docset_id, body["name"], Schema.model_validate(body["schema"]),
            State(state["described"], *marks), table, body["fields"], body["unreadable"],
        )  # fmt: skip
        return Followed(collection, body["type_counts"])

    def drop(self, docset_id: str) -> None:
        """Removes the table of a deleted DocSet."""
        about = self._about(docset_id)
        body = _read(about)
        about.unlink(missing_ok=True)
        if body is not None:
            self._discard(str(body["file"]))
        self._shared.remove(self._published(about))

    def sweep(self) -> None:
        """Removes files that no table names: left by a crash, or in use when they were replaced."""
        bodies = map(_read, self._folder.glob("*.json"))
        named = {str(body["file"]) for body in bodies if body is not None}
        for path in [*self._folder.glob("*.arrow"), *self._folder.glob("*.part")]:
            if path.name not in named:
                self._discard(path.name)

    def _about(self, docset_id: str) -> Path:
        # Ids contain a colon, which some file systems refuse.
        return self._folder / f"{docset_id.replace(':', '-')}.json"

    def _discard(self, file: str) -> None:
        # Some systems refuse to remove a mapped file; the next sweep removes it.
        with suppress(OSError):
            (self._folder / Path(file).name).unlink(missing_ok=True)


def _shared_name(file: Path) -> str:
    return f"{_SHARED}/{file.name}"


def _read(about: Path) -> dict[str, Any] | None:
    """The content of a JSON file, None when it is missing or cannot be read."""
    try:
        body = json.loads(about.read_text())
    except (OSError, ValueError):
        return None
    return body if isinstance(body, dict) else None


def _age(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
