"""Sample documents for somebody who has none yet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias


@dataclass(frozen=True)
class SampleSet:
    """A DocSet to be made, and the files to add to it."""

    name: str
    schema: Mapping[str, Any]
    properties: Mapping[str, Any]
    files: tuple[Path, ...]


WriteSamples: TypeAlias = Callable[[Path], SampleSet]
"""Writes the files into a folder."""
