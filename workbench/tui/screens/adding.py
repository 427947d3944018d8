"""A screen on which files are added: by a key, or by dropping them onto the terminal."""

import asyncio

from textual import events, work

from workbench.sessions.gather import gather
from workbench.tui.dialogs.add_files import AddFiles
from workbench.tui.screens.frame import Frame
from workbench.tui.widgets.notice import Notice


class AddingFrame(Frame):
    """Asks which files to add and puts them into the upload queue."""

    def action_add(self) -> None:
        self._add("")

    @work(exclusive=True, group="paste")
    async def on_paste(self, event: events.Paste) -> None:
        """Files that are dropped onto the terminal arrive as pasted paths. A text may name a whole
        disk, so it is looked through beside the app.
        """
        if (await asyncio.to_thread(gather, event.text)).files:
            self._add(event.text)

    @work
    async def _add(self, text: str) -> None:
        docset, workspace = self.docset, self.workspace
        if workspace is None:
            return
        if docset is None:
            self.query_one(Notice).say("Open a DocSet first: press 1.", "warn")
            return
        sources = await self.app.push_screen_wait(AddFiles(docset.name, text))
        if sources:
            workspace.queue.add(docset.docset_id, sources)
            workspace.uploader.wake()
            self.show_uploads()

    def show_uploads(self) -> None:
        """Shows the queue after files were added to it."""
        self.workbench.action_go("uploads")
