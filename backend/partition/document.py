"""The result of a format reader, its input, and its failures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from backend.partition.encodings import decode, encoding_of, sure_encoding
from backend.partition.flow import Flow
from workbench.contract.elements import Element
from workbench.contract.errors import ServiceError
from workbench.contract.partition_options import PartitionOptions

MOST_PAGES = 20_000
"""Per file, unless the caller overrides it."""

Progress = Callable[[int, int], None]
"""`progress(pages_done, pages_total)`, called after each page."""

Describe = Callable[[Sequence[tuple[Image.Image, str | None]]], Sequence[str | None]]
"""Summarises pictures, given with their captions; None for a picture without a summary."""


class PartitionFailure(ServiceError):
    """A file that cannot be partitioned as asked; `status_code` is part of the answer's body.

    415 a kind of file that is not read, 422 a file of a known kind that cannot be read (encrypted,
    damaged, empty, over a limit), 400 pages or languages that do not exist.
    """

    def __init__(self, detail: str, status_code: int) -> None:
        super().__init__(detail)
        self.status = status_code

    @property
    def status_code(self) -> int:
        return self.status


@dataclass(frozen=True)
class Request:
    """The input of a reader for one file."""

    source: Path
    name: str
    options: PartitionOptions
    progress: Progress
    describe: Describe | None = None
    most_pages: int = MOST_PAGES
    flow: Flow = field(init=False)
    """Collects the output of formats without a layout; it survives a reader that fails."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "flow", Flow(self.options))

    def text(self) -> str:
        """The whole file as text; for formats that are text. A guess at the encoding is noted."""
        data = self.source.read_bytes()
        encoding = encoding_of(data)
        if sure_encoding(data) is None:
            self.flow.notes.append(
                f"the file does not say how its letters are encoded: read as {encoding}, which was"
                " guessed"
            )
        return decode(data, encoding)

    def check_pages(self, count: int, what: str) -> None:
        """Refuses (422) a file, `what` by name, of more pages than are read."""
        if count > self.most_pages:
            raise PartitionFailure(
                f"{what} has {count:,} pages, more than the {self.most_pages:,} that are read (the"
                " setting max_pages).",
                422,
            )


@dataclass
class Document:
    """Elements in reading order, before promotion of a title, thresholds and chunking."""

    elements: list[Element]
    page_count: int = 1
    notes: list[str] = field(default_factory=list)
    turned: dict[int, int] = field(default_factory=dict)
    """Pages whose boxes refer to the page rotated clockwise by this many degrees."""
    title: str = ""
    """The title in the file's metadata."""
