"""Reviewing values in a notebook, the least certain first: one click or key each, with the page and
its box in view; then the changes that reading the documents again proposes.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import traitlets

from workbench.client.errors import Refusal
from workbench.contract.coverage import CERTAIN
from workbench.contract.rereading import Change
from workbench.contract.review import ReviewGuess, ReviewValue
from workbench.formats import confidence_words, value_words
from workbench.frames.html import Markup, image, joined, tag
from workbench.objects import DocSet
from workbench.pages.raster import page_png
from workbench.sessions.correcting import read
from workbench.sessions.page_sources import PageSource, PageSources
from workbench.sessions.proposed_changes import ProposedChanges
from workbench.sessions.rereading_setting import reread_by_itself, rereads_by_itself
from workbench.sessions.review_session import ReviewSession, choices_of
from workbench.widgets.message import Message, gone
from workbench.widgets.view import View, script

_WIDTH = 900  # pixels; twice what is shown, for sharp screens
_AHEAD = 4


class Reviewer(View):
    """`properties` and `doc_ids` filter the values; `below` is a confidence, None for all."""

    _esm = script("sheet", "reviewer")
    quiet = frozenset({"choose", "none", "skip", "back", "look"})
    progress = traitlets.Dict().tag(sync=True)
    value = traitlets.Dict().tag(sync=True)
    options: traitlets.List[Any] = traitlets.List().tag(sync=True)
    shown_choice = traitlets.Int(0).tag(sync=True)
    page = traitlets.Dict().tag(sync=True)
    picture = traitlets.Bytes(b"").tag(sync=True)
    boxes: traitlets.List[Any] = traitlets.List().tag(sync=True)
    changes = traitlets.Dict().tag(sync=True)
    always = traitlets.Bool(False).tag(sync=True)
    """Whether the DocSet is reread by itself after each correction."""

    def __init__(
        self,
        docset: DocSet,
        properties: Sequence[str] | None = None,
        *,
        doc_ids: Sequence[str] | None = None,
        below: float | None = CERTAIN,
    ) -> None:
        self._docset = docset
        client = docset.engine.client
        self._session = ReviewSession(
            client, docset.id, fields=properties, doc_ids=doc_ids, below=below
        )
        self._proposed = ProposedChanges(client, docset.id)
        self._sources = PageSources(docset.engine.workspace.originals, docset.id)
        self._drawn: tuple[str, int] | None = None
        super().__init__(
            {
                "choose": self._choose,
                "none": self._none,
                "type": self._type,
                "skip": self._skip,
                "back": self._back,
                "look": self._look,
                "reread": self._reread,
                "always": self._always,
                "accept": self._accept,
                "refuse": self._refuse,
                "undo": self._undo,
            }
        )
        self.start(self._open())

    def snapshot(self) -> Markup:
        if not self.value:
            return tag("div", self.progress.get("words") or "Nothing to review.")
        heading = f"{self.value['field']} · {self.value['name']} · {self.progress['words']}"
        options = joined(
            tag("div", f"{one['key']}  {one['words']}  {one['sure']}") for one in self.options
        )
        alt = f"Page {self.page['number']} of {self.value['name']}"
        paper = image(self.picture, alt, style="max-width:60%") if self.picture else None
        return tag("div", tag("div", heading, style="font-weight:600"), options, paper)

    async def finish(self) -> int:
        """Sends the decisions; returns how many values they changed."""
        await self._deliver()
        return self._session.changed

    # -- the values -----------------------------------------------------------------------------

    async def _open(self) -> None:
        self.always = rereads_by_itself(await self._session.client.docset(self._docset.id))
        await self._session.reach()
        await self._show()

    async def _show(self) -> None:
        """Shows the value at once; its page follows, and the next ones are prefetched."""
        session = self._session
        if session.current is None and not session.at_end:
            await session.reach()
        value = session.current
        with self.hold_sync():
            self.progress = {
                "words": _progress(session),
                "share": session.position / session.total if session.total else 0.0,
                "ended": session.at_end,
                "changed": session.changed,
            }
            self.value = {} if value is None else _about(value, self._description(value))
            self.options = [] if value is None else _options(session, value)
            self.shown_choice = 0
        if value is not None:
            await self._show_page(0)
        if session.current is value:
            await session.reach()
            self._sources.prefetch(session.upcoming(_AHEAD))

    def _description(self, value: ReviewValue) -> str:
        shape = self._docset.schema.get(value.field)
        return (shape.description or "") if shape else ""

    async def _show_page(self, place: int) -> None:
        """The page of a choice, or of the best guess if the choice has no source."""
        value = self._session.current
        if value is None:
            return
        guesses = choices_of(value)
        guess = guesses[place] if place < len(guesses) else value
        if guess.page is None:
            guess = next((one for one in value.alternatives if one.page), guess)
        source = await self._sources.get(value.doc_id)
        if self._session.current is not value:
            return  # the person has moved on
        await self._draw(value, guess, source)

    async def _draw(self, value: ReviewValue, guess: ReviewGuess, source: PageSource) -> None:
        number = guess.page or 1
        key = value.doc_id, number
        picture = self.picture
        if key != self._drawn:
            drawn = number <= source.pages
            picture = (
                await asyncio.to_thread(page_png, source.data, number, _WIDTH) if drawn else b""
            )
        self._drawn = key
        with self.hold_sync():
            self.picture = picture
            self.page = {
                "number": number,
                "of": source.pages,
                "box": guess.bbox,
                "element": guess.element_id or "",
            }
            self.boxes = [
                {"id": e.id, "kind": e.type, "text": e.text_representation or ""}
                for e in source.elements
            ]

    # -- deciding -------------------------------------------------------------------------------

    async def _go_on(self, moved: bool) -> None:
        if moved:
            self.start(self._deliver(), quiet=True)
            await self._show()

    async def _deliver(self) -> None:
        while self._session.unsent:
            try:
                await self._session.send()
            except Refusal as refusal:  # of one decision, which was dropped
                self.trouble = str(refusal)

    async def _choose(self, message: Message, _: Sequence[bytes]) -> None:
        value = self._session.current
        if value is not None:
            chosen = message.item("place", choices_of(value))
            await self._go_on(self._session.decide(chosen.value))

    async def _none(self, _: Message, __: Sequence[bytes]) -> None:
        await self._go_on(self._session.decide(None))

    async def _type(self, message: Message, _: Sequence[bytes]) -> None:
        value = self._session.current
        if value is not None:
            await self._go_on(self._session.decide(read(message.text("text"), value.kind)))

    async def _skip(self, _: Message, __: Sequence[bytes]) -> None:
        await self._go_on(self._session.skip())

    async def _back(self, _: Message, __: Sequence[bytes]) -> None:
        await self._go_on(self._session.back())

    async def _look(self, message: Message, _: Sequence[bytes]) -> None:
        self.shown_choice = message.item("place", range(len(self.options)))
        await self._show_page(self.shown_choice)

    # -- changes --------------------------------------------------------------------------------

    async def _reread(self, _: Message, __: Sequence[bytes]) -> None:
        await self._deliver()
        self.changes = {"words": "Reading the documents again …", "items": []}
        try:
            await self._proposed.start()
            await self._proposed.finished(
                lambda reading: setattr(
                    self,
                    "changes",
                    {"words": f"{reading.documents:,} documents read again …", "items": []},
                )
            )
        finally:
            self._show_changes()

    async def _always(self, message: Message, _: Sequence[bytes]) -> None:
        """Turns automatic rereading after each correction on or off."""
        client, wanted = self._session.client, message.flag("wanted")
        self.always = rereads_by_itself(await reread_by_itself(client, self._docset.id, wanted))

    async def _accept(self, message: Message, _: Sequence[bytes]) -> None:
        await self._proposed.accept(self._meant(message))
        await self._changes_again()

    async def _refuse(self, message: Message, _: Sequence[bytes]) -> None:
        await self._proposed.refuse(self._meant(message))
        await self._changes_again()

    async def _undo(self, _: Message, __: Sequence[bytes]) -> None:
        await self._proposed.undo()
        await self._changes_again()

    def _meant(self, message: Message) -> list[Change] | None:
        if not message.has("id"):
            return None
        wanted = message.number("id")
        meant = [one for one in self._proposed.changes if one.change_id == wanted]
        if not meant:
            raise gone()
        return meant

    async def _changes_again(self) -> None:
        await self._proposed.refresh()
        self._show_changes()

    def _show_changes(self) -> None:
        reading = self._proposed.reading
        if reading is None:
            self.changes = {}
            return
        self.changes = {
            "words": f"{reading.open:,} open · {reading.accepted:,} accepted",
            "accepted": reading.accepted,
            "items": [_change(one) for one in self._proposed.changes],
        }


def _progress(session: ReviewSession) -> str:
    """`34 of 210 · 12 changed`."""
    if not session.total:
        return "Nothing to review: every value is certain enough, or was checked."
    changed = f" · {session.changed:,} changed" if session.changed else ""
    if session.at_end:
        return f"Done: {session.checked:,} of {session.total:,} checked{changed}"
    return f"{session.position + 1:,} of {session.total:,}{changed}"


def _about(value: ReviewValue, description: str) -> dict[str, Any]:
    return {
        "field": value.field,
        "name": value.name,
        "kind": value.kind,
        "description": description,
    }


def _options(session: ReviewSession, value: ReviewValue) -> list[dict[str, Any]]:
    """The possible values, with their keys and the words they were read from."""
    decision = session.decision
    options = []
    for place, guess in enumerate(choices_of(value)):
        words = value_words(guess.value, value.field)
        before, match, after = _split_at(guess.quote or "", words)
        options.append(
            {
                "key": "enter" if place == 0 else str(place),
                "words": f"{words} {guess.unit or ''}".strip() or "no value",
                "none": guess.value is None,
                "sure": confidence_words(guess.confidence),
                "page": guess.page,
                "quote": [before, match, after],
                "chosen": decision is not None and decision.value == guess.value,
            }
        )
    return options


def _split_at(quote: str, words: str) -> tuple[str, str, str]:
    """The quote in three pieces, the value in the middle."""
    at = quote.lower().find(words.lower()) if words else -1
    if at < 0:
        return quote, "", ""
    return quote[:at], quote[at : at + len(words)], quote[at + len(words) :]


def _change(change: Change) -> dict[str, Any]:
    return {
        "id": change.change_id,
        "name": change.name,
        "field": change.field,
        "before": value_words(change.before.value, change.field) or "no value",
        "after": value_words(change.after.value, change.field) or "no value",
        "sure": confidence_words(change.after.confidence),
        "page": change.after.page,
        "quote": change.after.quote or "",
    }
