"""Publishes built indexes for other servers: one that has none starts from the published one.

The files of an index never change, except small JSON files, whose text is in the manifest. The
manifest is published after the files that it names; those of the previous manifest stay until the
next one, for servers that are still fetching them. A fetched index is brought up to date from the
log, and rejected if its mark belongs to another history.
"""

import json
import logging
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from backend.store.shared_files import SharedFiles

_log = logging.getLogger(__name__)
_VERSION = 1
_TEXT = ".json"
_AT_ONCE = 4
"""Files that are fetched at a time: one alone does not fill the way to an object store."""


@dataclass(frozen=True)
class Manifest:
    """The published state of one index: files with their sizes, texts of JSON files, and the last
    operation in it. `before` are the files of the previous manifest.
    """

    sequence: int
    files: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    before: Sequence[str] = ()
    version: int = _VERSION


class Published:
    """The published indexes of DocSets; `name` is that of a DocSet's folder, `part` of an index."""

    def __init__(self, shared: SharedFiles, scratch: Path) -> None:
        """`scratch` is a folder for temporary files."""
        self._shared = shared
        self._scratch = scratch
        self._newest: dict[str, int] = {}

    @property
    def enabled(self) -> bool:
        """Whether there may be other servers."""
        return self._shared.enabled

    def known(self, name: str) -> int:
        """The last operation in the index that this server knows to be published; 0 without one."""
        return self._newest.get(name, 0)

    def newest(self, name: str, part: str) -> int:
        """The last operation in the index that any server has published; 0 without one."""
        manifest = self._manifest(name, part)
        self._newest[name] = manifest.sequence if manifest else 0
        return self._newest[name]

    def fetch(self, name: str, part: str, folder: Path) -> bool:
        """Replaces the folder by the published index; returns whether there was one."""
        manifest = self._manifest(name, part)
        if manifest is None:
            return False
        draft = self._scratch / f"{name}.fetched.{part}"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        try:
            if not self._fetched(_place(name, part), draft, manifest.files):
                return False
            for file, text in manifest.texts.items():
                (draft / file).write_text(text, encoding="utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            folder.parent.mkdir(parents=True, exist_ok=True)
            draft.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        _log.info("%s of %s come from another server", part, name)
        return True

    def publish(self, name: str, part: str, folder: Path, sequence: int) -> None:
        """Publishes the files of a folder, which must not change meanwhile."""
        before = self._manifest(name, part) or Manifest(0)
        texts = {path.name: path.read_text("utf-8") for path in folder.glob(f"*{_TEXT}")}
        files = {
            path.name: path.stat().st_size for path in folder.iterdir() if path.suffix != _TEXT
        }
        known = {*before.files, *before.before}
        for file in files:
            place = f"{_place(name, part)}/{file}"
            if file not in known and not self._shared.publish(place, folder / file, constant=True):
                return
        manifest = Manifest(sequence, files, texts, list(before.files))
        draft = folder.with_suffix(".manifest")
        draft.write_text(json.dumps(asdict(manifest)), encoding="utf-8")
        if self._shared.publish(_manifest_name(name, part), draft):
            self._newest[name] = sequence
            dropped = set(before.before) - files.keys() - before.files.keys()
            self._shared.remove(f"{_place(name, part)}/{file}" for file in dropped)
        draft.unlink()

    def drop(self, name: str) -> None:
        """Removes the published files of a deleted DocSet."""
        self._newest.pop(name, None)
        self._shared.remove(self._shared.names(f"indexes/{name}"))

    def _fetched(self, place: str, folder: Path, files: Mapping[str, int]) -> bool:
        """Fetches files, several at a time; False when one of them is not as it was published."""

        def is_there(file: str) -> bool:
            target = folder / file
            there = self._shared.fetch(f"{place}/{file}", target, constant=True)
            return there and target.stat().st_size == files[file]

        with ThreadPoolExecutor(_AT_ONCE) as threads:
            return all(threads.map(is_there, files))

    def _manifest(self, name: str, part: str) -> Manifest | None:
        target = self._scratch / f"{name}.manifest.{part}"
        if not self._shared.fetch(_manifest_name(name, part), target):
            return None
        try:
            body = json.loads(target.read_text(encoding="utf-8"))
            manifest = Manifest(**body)
        except (ValueError, TypeError):
            return None
        finally:
            target.unlink(missing_ok=True)
        plain = all(Path(file).name == file for file in (*manifest.files, *manifest.texts))
        return manifest if plain and manifest.version == _VERSION else None


def _place(name: str, part: str) -> str:
    return f"indexes/{name}/{part}"


def _manifest_name(name: str, part: str) -> str:
    return f"indexes/{name}/{part}.manifest"
