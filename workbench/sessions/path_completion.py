"""Completes a path while it is typed, as shells do."""

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

_LOOKED_AT = 20_000
"""The maximum number of names of a folder that are examined."""


@dataclass(frozen=True)
class PathChoices:
    """`names` are the sorted continuations of `folder`, folders with a slash."""

    folder: str
    typed: str
    names: tuple[str, ...] = ()

    @property
    def completed(self) -> str:
        """The text with as much of the name as all choices share."""
        shared = self.names[0] if self.names else ""
        while not all(name.startswith(shared) for name in self.names):
            shared = shared[:-1]
        # Names that differ in case from what was typed may share less than was typed.
        return self.folder + (shared if len(shared) >= len(self.typed) else self.typed)


def path_choices(text: str) -> PathChoices:
    """The possible continuations of the path in `text`. Hidden files appear only if the name begins
    with a dot; `~` is the home folder. Case is ignored if nothing matches exactly. Unreadable
    folders have no choices.
    """
    if text == "~":
        return PathChoices("", "~", ("~/",))
    folder, slash, typed = text.rpartition("/")
    place = Path(folder + slash) if folder or slash else Path()
    try:
        with os.scandir(place.expanduser()) as entries:
            seen = [
                entry.name + ("/" if entry.is_dir() else "")
                for entry in islice(entries, _LOOKED_AT)
                if typed.startswith(".") or not entry.name.startswith(".")
            ]
    except (OSError, ValueError, RuntimeError):  # the last two: no folder can have this name
        seen = []
    exact = [name for name in seen if name.startswith(typed)]
    alike = [name for name in seen if name.lower().startswith(typed.lower())]
    return PathChoices(folder + slash, typed, tuple(sorted(exact or alike, key=str.casefold)))
