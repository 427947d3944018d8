"""Naming files to upload: typed, pasted or dropped onto the terminal."""

import asyncio
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Input, Static

from workbench.formats import counted
from workbench.sessions.gather import Gathered, gather, split_words
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.formats import byte_size
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.path_input import PathInput

_SHOWN = 6
_LISTED = 10


class AddFiles(Dialog[list[Path | str]]):
    """Previews the matching files while the text is typed; returns paths and http addresses."""

    def __init__(self, docset: str, text: str = "") -> None:
        super().__init__(f"Add to {docset}", "tab complete  enter add  esc cancel")
        self._text = text
        self._gathered = Gathered((), ())
        self._addresses: list[str] = []
        self._warned = ""

    def body(self) -> ComposeResult:
        words = "A file, a folder, a pattern (~/reports/**/*.pdf) or a web address."
        yield Static(as_content([line(dim(words)), line(dim("You can also drop files here."))]))
        yield PathInput(self._text, placeholder="path")
        yield Static(id="found", classes="hint")
        yield Notice()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self.query_one(Notice).hush()
        self._preview(event.value)

    @work(exclusive=True)
    async def _preview(self, text: str) -> None:
        await asyncio.sleep(0.15)  # a folder is read once the typing rests
        await self._read(text)

    @on(PathInput.Several)
    def _several(self, event: PathInput.Several) -> None:
        """Lists the possible continuations of the unfinished path instead of its matches."""
        self.workers.cancel_node(self)
        names = event.choices.names
        more = [line(dim(f"… {len(names) - _LISTED:,} more"))] if len(names) > _LISTED else []
        listed = [line("  ", name) for name in names[:_LISTED]]
        self.query_one("#found", Static).update(as_content([*listed, *more]))

    async def _read(self, text: str, *, entered: bool = False) -> None:
        words = split_words(text)
        self._addresses = [word for word in words if word.startswith(("http://", "https://"))]
        paths = "\n".join(word for word in words if word not in self._addresses)
        self._gathered, sizes = await asyncio.to_thread(_measured, paths)
        self.query_one("#found", Static).update(
            as_content(_matches(self._gathered, sizes, self._addresses, entered=entered))
        )

    @on(Input.Submitted)
    async def _submitted(self, event: Input.Submitted) -> None:
        self.workers.cancel_node(self)
        await self._read(event.value, entered=True)
        sources: list[Path | str] = [*self._gathered.files, *self._addresses]
        if self._gathered.problems and sources and self._warned != event.value:
            self._warned = event.value  # what leads nowhere must be seen before the rest is added
            self.query_one(Notice).say(
                "Press enter again to add only the files that exist.", "warn"
            )
        elif sources:
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


def _matches(
    gathered: Gathered, sizes: dict[Path, int], addresses: list[str], *, entered: bool
) -> list[Line]:
    """The files that the text matches, in a few lines; no match is an error once entered."""
    files = gathered.files
    lines: list[Line] = []
    if files:
        total = byte_size(sum(sizes.values()))
        lines.append(line(Span(counted(len(files), "file"), "accent"), dim(f"  {total}")))
        lines += [line("  ", dim(str(path))) for path in files[:_SHOWN]]
        if len(files) > _SHOWN:
            lines.append(line(dim(f"  … and {len(files) - _SHOWN:,} more")))
    lines += [
        line(Span(address, "accent"), dim("  fetched by the server")) for address in addresses
    ]
    if entered:
        lines += [line(Span("✗ ", "bad"), problem) for problem in gathered.problems]
        return lines or [line(Span("✗ ", "bad"), "Type a path first.")]
    return lines or [line(dim("No file matches yet." if gathered.problems else ""))]
