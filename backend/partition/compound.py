"""Old Office files (compound files: a file system in a file), read with limits."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import olefile

from backend.partition.document import PartitionFailure

_MAX_STREAM = 200_000_000
_DAMAGED = (
    struct.error,
    IndexError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    OverflowError,
    EOFError,
)


class Compound:
    """The streams of one file, named with slashes."""

    def __init__(self, container: olefile.OleFileIO) -> None:
        self._container = container

    def __contains__(self, name: str) -> bool:
        return bool(self._container.exists(name))

    def read(self, name: str) -> bytes:
        """The bytes of a stream. Raises `PartitionFailure` (422): missing or far too large."""
        if name not in self:
            raise PartitionFailure(f"The file is damaged: its stream {name} is missing.", 422)
        if self._container.get_size(name) > _MAX_STREAM:
            raise PartitionFailure(f"The stream {name} of the file is too large.", 422)
        with self._container.openstream(name) as stream:
            return bytes(stream.read())

    def folders(self, prefix: str) -> list[str]:
        """Names of the topmost storages that begin with `prefix`, in order."""
        entries = self._container.listdir(streams=False, storages=True)
        return sorted({entry[0] for entry in entries if entry[0].startswith(prefix)})


@contextmanager
def opened(source: Path, kind: str) -> Iterator[Compound]:
    """The file at `source`; `kind` is its name in errors.

    Any error in the records of a damaged file becomes a `PartitionFailure` (422): the structures
    are full of offsets, and checking each would tell no more.
    """
    try:
        with olefile.OleFileIO(source) as container:
            yield Compound(container)
    except PartitionFailure:
        raise
    except (OSError, *_DAMAGED):
        raise PartitionFailure(f"The {kind} file is damaged and could not be read.", 422) from None
