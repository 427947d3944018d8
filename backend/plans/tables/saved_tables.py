"""Tables of collections in files, so that a new process need not read every document again.

A file holds the table as it was at one moment, to be brought up by the logs; it is only ever a
copy, and a missing, broken or foreign one is passed over.
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
from workbench.contract.ids import new_id
from workbench.contract.schema import Schema

_log = logging.getLogger(__name__)
_FORM = 3
"""Grows when files of an older form can no longer be read."""


class SavedTables:
    """The tables below `folder`: one Arrow IPC file each, named by the JSON file that tells its
    state.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def docset_ids(self) -> list[str]:
        """The DocSets with a table, the newest first."""
        found = sorted(self._folder.glob("*.json"), key=_age, reverse=True)
        told = (_told(path) for path in found)
        return [str(body["docset_id"]) for body in told if body is not None]

    def save(self, followed: Followed) -> None:
        """Writes a table in place of an older one."""
        collection = followed.collection
        about = self._about(collection.docset_id)
        before = _told(about)
        file = f"{about.stem}-{new_id('t').replace(':', '-')}.arrow"
        state = collection.state
        body = {
            "form": _FORM, "docset_id": collection.docset_id, "file": file,
            "name": collection.name, "schema": collection.schema.model_dump(mode="json"),
            "state": asdict(state), "fields": dict(collection.fields),
            "unreadable": dict(collection.unreadable),
            "looks": {name: dict(seen) for name, seen in followed.looks.items()},
        }  # fmt: skip
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with (self._folder / file).open("wb") as stream:
                collection.table.write_ipc(stream, compression="uncompressed")
                # After a power cut a file must not be there with holes in it.
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

    def load(self, docset_id: str) -> Followed | None:
        """The table as it was saved, None without a usable one."""
        body = _told(self._about(docset_id))
        if body is None or body.get("form") != _FORM or body["docset_id"] != docset_id:
            return None
        try:
            table = pl.read_ipc(self._folder / str(body["file"]))
        except (OSError, PolarsError) as problem:
            _log.warning("the saved table of %s is of no use: %s", docset_id, problem)
            return None
        if table.columns != [*ALWAYS, *body["fields"], *trust_columns(body["fields"])]:
            _log.warning("the saved table of %s is of another form", docset_id)
            return None
        state = body["state"]
        marks = (Mark(**state["operation"]), Mark(**state["change"]))
        collection = Collection(
            docset_id, body["name"], Schema.model_validate(body["schema"]),
            State(state["described"], *marks), table, body["fields"], body["unreadable"],
        )  # fmt: skip
        return Followed(collection, body["looks"])

    def drop(self, docset_id: str) -> None:
        """Removes the table of a DocSet that was deleted."""
        about = self._about(docset_id)
        body = _told(about)
        about.unlink(missing_ok=True)
        if body is not None:
            self._discard(str(body["file"]))

    def sweep(self) -> None:
        """Removes what no table is named by: left by a crash, or in use when it was replaced."""
        told = [_told(path) for path in self._folder.glob("*.json")]
        named = {str(body["file"]) for body in told if body is not None}
        for path in [*self._folder.glob("*.arrow"), *self._folder.glob("*.part")]:
            if path.name not in named:
                self._discard(path.name)

    def _about(self, docset_id: str) -> Path:
        # Ids hold a colon, which some file systems refuse.
        return self._folder / f"{docset_id.replace(':', '-')}.json"

    def _discard(self, file: str) -> None:
        # Some systems keep a file that is still mapped; it is left to the next sweep.
        with suppress(OSError):
            (self._folder / Path(file).name).unlink(missing_ok=True)


def _told(about: Path) -> dict[str, Any] | None:
    """What a JSON file tells, None when there is none or it cannot be read."""
    try:
        body = json.loads(about.read_text())
    except (OSError, ValueError):
        return None
    return body if isinstance(body, dict) else None


def _age(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
