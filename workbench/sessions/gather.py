"""Finds the files named in typed, dropped or pasted text.

This file alone decides which words are paths: quoted or escaped paths as terminals paste them,
`file://` addresses, `~`, folders (recursively, without hidden files and links that lead outside)
and glob patterns. A file that several paths lead to is added once. Unreadable files, broken links,
pipes and devices are reported.
"""

import glob
import os
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit

from workbench.contract.location import data_dir
from workbench.nearest import close_to

_LOOKED_AT = 2_000
"""How many names of a folder are compared with one that does not exist."""
_LIKENESS = 0.8
_NO_NAME = (ValueError, RuntimeError)
"""Raised for text that cannot name a file: with a zero byte, or `~` and an unknown user."""
_LONGEST, _SHOWN = 4_096, 60
"""The longest path of Linux, in characters, and how much of a longer one is shown."""
LIMIT = 50_000
"""The maximum number of files from one text."""


@dataclass(frozen=True)
class Gathered:
    """Files in the order named, each once, and a sentence for each name that led nowhere."""

    files: tuple[Path, ...]
    problems: tuple[str, ...]


def gather(text: str, *, base: Path | None = None) -> Gathered:
    """The files that `text` names; relative paths start at `base` (default: the working folder)."""
    return gather_all(split_words(text), base=base)


def gather_all(paths: Iterable[str], *, base: Path | None = None) -> Gathered:
    """The same for paths and patterns that are already separate."""
    folder = base or Path.cwd()
    places: dict[Path, Path] = {}
    problems: list[str] = []
    for word in paths:
        if len(word) > _LONGEST:
            problems.append(f"{word[:_SHOWN]}… is too long for a path.")
            continue
        known = len(problems)
        matches: list[Path] = []
        try:
            matches += _files_of(word, folder, problems)
            if not matches and len(problems) == known:
                problems.append(_why_nothing(word, folder))
        except OSError as error:  # too long for a name, or in a folder that is closed to us
            problems.append(f"{word} cannot be read: {error.strerror}.")
        except _NO_NAME:
            problems.append(f"There is no file {word}.")
        for path in matches:
            places.setdefault(path.resolve(), path)
        if len(places) > LIMIT:
            problems.append(f"More than {LIMIT:,} files: only the first {LIMIT:,} were added.")
            break
    return Gathered(tuple(places.values())[:LIMIT], tuple(problems))


def split_words(text: str) -> list[str]:
    """The separate paths of a text: one per line, or several on a line with quotes or escapes.

    A line that is an existing path is used as a whole, so names with spaces need no quotes.
    """
    words: list[str] = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if _exists(line):
            words.append(line)
            continue
        try:
            words.extend(shlex.split(line))
        except ValueError:  # an apostrophe in a name, no quoting meant
            words.append(line)
    return words


def _exists(line: str) -> bool:
    try:
        return Path(line).expanduser().exists()
    except (OSError, *_NO_NAME):
        return False


def _path(word: str, folder: Path) -> Path:
    if word.startswith("file://"):
        word = unquote(urlsplit(word).path)
    path = Path(word).expanduser()
    return path if path.is_absolute() else folder / path


def _files_of(word: str, folder: Path, problems: list[str]) -> Iterable[Path]:
    """The files a word leads to; what leads nowhere on the way is added to `problems`."""
    if not word:  # it would mean the working folder
        problems.append("The name of the file is empty.")
        return
    path = _path(word, folder)
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from _inside(path, problems)
    elif glob.has_magic(word):
        is_meant = _meant_by(_fixed_part(path))
        for match in sorted(map(Path, glob.iglob(str(path), recursive=True))):
            if match.is_file() and is_meant(match):
                yield match
            elif (problem := _no_file(match, _fixed_part(path))) is not None:
                problems.append(problem)


def _inside(folder: Path, problems: list[str]) -> Iterable[Path]:
    is_meant = _meant_by(folder)

    def unreadable(error: OSError) -> None:
        problems.append(f"The folder {error.filename} cannot be read: {error.strerror}.")

    paths: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if Path(place, name).is_symlink()]
        paths += [Path(place, name) for name in names + links if not name.startswith(".")]
    for path in sorted(paths):
        if path.is_file() and is_meant(path):
            yield path
        elif (problem := _no_file(path, folder)) is not None:
            problems.append(problem)


def _no_file(path: Path, folder: Path) -> str | None:
    """Why a name in a folder is left out; None for files, folders and links that stay inside."""
    if _leads_nowhere(path):
        return _dangling(path)
    if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
        return f"The link {path} leads out of the folder and was not followed."
    if path.is_file() or path.is_dir() or not path.exists():
        return None
    return f"{path} is not a file."


def _leads_nowhere(path: Path) -> bool:
    return path.is_symlink() and not path.exists()


def _dangling(path: Path) -> str:
    return f"The link {path} leads nowhere."


def _fixed_part(pattern: Path) -> Path:
    """The folder that a pattern begins with, before its first part with a wildcard."""
    parts = pattern.parts
    fixed = next((i for i, part in enumerate(parts) if glob.has_magic(part)), len(parts))
    return Path(*parts[:fixed])


def _meant_by(folder: Path) -> Callable[[Path], bool]:
    """Decides whether a folder's name includes a file: not if a link leads out of the folder, and
    not if it is in the server's data folder, which may be inside and has the access token.
    """
    real, ours = folder.resolve(), data_dir().resolve()
    holds_ours = ours.is_relative_to(real)

    def is_meant(path: Path) -> bool:
        place = path.resolve()
        return place.is_relative_to(real) and not (holds_ours and place.is_relative_to(ours))

    return is_meant


def _why_nothing(word: str, folder: Path) -> str:
    path = _path(word, folder)
    if path.is_dir():
        return f"The folder {word} contains no files."
    if _leads_nowhere(path):
        return _dangling(path)
    if path.exists():
        return f"{word} is not a file."
    if glob.has_magic(word):
        return f"No file matches {word}."
    if not path.parent.is_dir():
        return f"There is no file {word}."
    names = islice((entry.name for entry in path.parent.iterdir()), _LOOKED_AT)
    near = close_to(path.name, names, _LIKENESS)
    return f"There is no file {word}.{f' Did you mean {near[0]}?' if near else ''}"
