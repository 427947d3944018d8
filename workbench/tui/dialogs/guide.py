"""A page of the guide: first the one about the current screen, with links to the others."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Markdown

from workbench.guide import TOPICS, page
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.dialogs.dialog import Dialog

PAGES: Mapping[str, str] = {
    "docsets": "terminal",
    "documents": "properties",
    "uploads": "formats",
    "tasks": "operation",
    "search": "search",
    "plans": "questions",
    "settings": "settings",
    "evidence": "questions",
    "review": "properties",
    "changes": "properties",
    "viewer": "properties",
}
"""The page about each screen."""
_REMARKS = re.compile(r"<!--.*?-->\n?", re.DOTALL)


class GuideDialog(Dialog[None]):
    shape = "-tall"
    BINDINGS: ClassVar = [Binding("p", "pages", "Pages", show=False)]

    def __init__(self, about: Screen[Any]) -> None:
        self.topic = PAGES.get(getattr(about, "place", ""), "terminal")
        super().__init__(f"Guide: {self.topic}", "↑ ↓ scroll  p other pages  esc close")

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="scroll"):
            yield Markdown(_text(self.topic), open_links=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    @work
    async def action_pages(self) -> None:
        choices = [Choice(topic, topic, answers) for topic, answers in TOPICS.items()]
        chosen = await self.app.push_screen_wait(Choose("Guide", choices, current=self.topic))
        if chosen:
            await self.turn_to(chosen[0])

    @on(Markdown.LinkClicked)
    async def _follow(self, event: Markdown.LinkClicked) -> None:
        """A link to another page opens it; an address is shown, because nothing is opened here."""
        name, _, anchor = event.href.partition("#")
        topic = name.removesuffix(".md")
        if topic in TOPICS:
            await self.turn_to(topic)
        elif name:
            self.notify(event.href, title="Address")
        if anchor and (topic in TOPICS or not name):
            self.query_one(Markdown).goto_anchor(anchor)

    async def turn_to(self, topic: str) -> None:
        """Shows another page from its beginning."""
        self.topic = topic
        self.query_one(".dialog").border_title = Content(f"Guide: {topic}")
        await self.query_one(Markdown).update(_text(topic))
        self.query_one(VerticalScroll).scroll_home(animate=False)


def _text(topic: str) -> str:
    """The page without the markers of generated parts."""
    return _REMARKS.sub("", page(topic))
