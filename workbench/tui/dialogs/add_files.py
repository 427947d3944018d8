"""Naming files to upload: typed, pasted or dropped onto the terminal."""

import asyncio
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Input, Static

from workbench.sessions.gather import Gathered, gather, split_words
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.formats import byte_size, plural
from workbench.tui.lines import Line, Span, as_content, dim, line

_SHOWN = 6


class AddFiles(Dialog[list[Path | str]]):
    """Shows what the text means while it is typed; answers paths and http addresses."""

    def __init__(self, docset: str, text: str = "") -> None:
        super().__init__(f"Add to {docset}", "enter adds  esc")
        self._text = text
        self._gathered = Gathered((), ())
        self._addresses: list[str] = []

    def body(self) -> ComposeResult:
        words = "A file, a folder, a pattern (~/reports/**/*.pdf) or a web address."
        yield Static(as_content([line(dim(words)), line(dim("Files can be dropped here too."))]))
        yield Input(self._text, placeholder="path")
        yield Static(id="found", classes="hint")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._look(event.value)

    @work(exclusive=True)
    async def _look(self, text: str) -> None:
        await asyncio.sleep(0.15)  # a folder is read once the typing rests
        await self._read(text)

    async def _read(self, text: str) -> None:
        words = split_words(text)
        self._addresses = [word for word in words if word.startswith(("http://", "https://"))]
        paths = "\n".join(word for word in words if word not in self._addresses)
        self._gathered, sizes = await asyncio.to_thread(_measured, paths)
        self.query_one("#found", Static).update(
            as_content(_found(self._gathered, sizes, self._addresses))
        )

    @on(Input.Submitted)
    async def _submitted(self, event: Input.Submitted) -> None:
        self.workers.cancel_node(self)
        await self._read(event.value)
        sources: list[Path | str] = [*self._gathered.files, *self._addresses]
        if sources:
            self.dismiss(sources)


def _measured(text: str) -> tuple[Gathered, dict[Path, int]]:
    gathered = gather(text)
    sizes = {}
    for path in gathered.files:
        try:
            sizes[path] = path.stat().st_size
        except OSError:  # it vanished meanwhile; the queue will say so
            continue
    return gathered, sizes


def _found(gathered: Gathered, sizes: dict[Path, int], addresses: list[str]) -> list[Line]:
    """What the text leads to, in a few lines."""
    files = gathered.files
    lines: list[Line] = []
    if files:
        total = byte_size(sum(sizes.values()))
        lines.append(line(Span(plural(len(files), "file"), "accent"), dim(f"  {total}")))
        lines += [line("  ", dim(str(path))) for path in files[:_SHOWN]]
        if len(files) > _SHOWN:
            lines.append(line(dim(f"  … and {len(files) - _SHOWN:,} more")))
    lines += [
        line(Span(address, "accent"), dim("  fetched by the server")) for address in addresses
    ]
    lines += [line(Span("! ", "warn"), problem) for problem in gathered.problems]
    return lines or [line(dim("Nothing named yet."))]
