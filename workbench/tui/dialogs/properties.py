"""Which properties to read from every document: typed one by one, or suggested by the server."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, get_args

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, Static

from workbench.client.errors import WorkbenchError
from workbench.contract.docsets import DocumentGroup, SuggestedSchema
from workbench.contract.schema import SYNONYMS, PropertyKind, Schema, SchemaProperty
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice

_SPELLING = re.compile(r'\s*(?:"([^"]+)"|([^\s:]+))\s*:?\s*(\w+)?\s*(?:[-—:]\s*)?(.*)')


class PropertyList(LineList[SchemaProperty]):
    def key_of(self, row: SchemaProperty) -> str:
        return row.name

    def draw(self, row: SchemaProperty, index: int, width: int) -> Sequence[Line]:
        return (
            line(" ", Span(row.name, "strong"), "  ", Span(row.kind, "accent"), "  ",
                 dim(row.description or "")),
        )  # fmt: skip


class Properties(Dialog[Schema]):
    """Returns the schema to extract."""

    BINDINGS: ClassVar = [
        Binding("ctrl+g", "suggest", "Suggest", show=False, priority=True),
        Binding("ctrl+r", "start", "Extract", show=False, priority=True),
        Binding("ctrl+x", "drop", "Drop", show=False, priority=True),
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
    ]

    def __init__(
        self,
        docset: str,
        known: Schema | None,
        suggest: Callable[[Schema], Awaitable[SuggestedSchema]],
    ) -> None:
        super().__init__(
            f"Properties of {docset}", "enter add  ^g suggest  ^x remove  ^r extract  esc cancel"
        )
        self._rows = list(known.properties) if known else []
        self._suggest = suggest

    def body(self) -> ComposeResult:
        words = "Extracted from every document, now and whenever one is added."
        yield Static(as_content([line(dim(words)), line("Type  name kind description")]))
        yield Input(placeholder='state string two-letter code    or    "Accident date" date')
        kinds = " · ".join(kind for kind in get_args(PropertyKind) if kind != "custom")
        yield Static(as_content([line(dim(f"kinds  {kinds}"))]), id="kinds")
        yield PropertyList()
        yield Notice()

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        rows = self.query_one(PropertyList)
        rows.say(line(dim("None yet. Type one above, or press ^g for suggestions.")))
        rows.show_rows(self._rows)

    @on(Input.Submitted)
    def _add(self, event: Input.Submitted) -> None:
        try:
            made = read_property(event.value)
        except ValueError as error:
            self.query_one(Notice).say(str(error), "bad")
            return
        self._rows = [row for row in self._rows if row.name != made.name] + [made]
        event.input.clear()
        self.query_one(Notice).hush()
        self._show()
        self.query_one(PropertyList).move_to(made.name)

    def action_move(self, step: int) -> None:
        self.query_one(PropertyList).cursor += step

    def action_drop(self) -> None:
        name = self.query_one(PropertyList).current_key
        self._rows = [row for row in self._rows if row.name != name]
        self._show()

    @work(exclusive=True)
    async def action_suggest(self) -> None:
        notice = self.query_one(Notice)
        notice.say("Looking at some of the documents …")
        try:
            proposal = await self._suggest(Schema(properties=self._rows))
        except WorkbenchError as error:
            notice.say(str(error), "bad")
            return
        names = {row.name for row in self._rows}
        fresh = [row for row in proposal.properties if row.name not in names]
        self._rows += fresh
        words = f"{len(fresh)} suggested." if fresh else "No new suggestions."
        notice.say(words + kinds_in_words(proposal.groups), "warn" if proposal.groups else "good")
        self._show()

    def action_start(self) -> None:
        if self._rows:
            self.dismiss(Schema(properties=self._rows))


def kinds_in_words(groups: Sequence[DocumentGroup]) -> str:
    """The mixed kinds of documents, each by its words; empty for a single kind."""
    if not groups:
        return ""
    kinds = "; ".join(f"{len(group.doc_ids)} with “{', '.join(group.words)}”" for group in groups)
    return f" {len(groups)} kinds of documents are mixed: {kinds}. A DocSet for each reads better."


def read_property(text: str) -> SchemaProperty:
    """`name kind description`, the last two optional; ValueError with a sentence otherwise."""
    match = _SPELLING.fullmatch(text)
    if match is None:
        raise ValueError("Type a name, then a kind and a description if you like.")
    quoted, bare, kind, description = match.groups()
    if kind is not None and kind.lower() not in SYNONYMS:
        description, kind = f"{kind} {description}".strip(), None
    return SchemaProperty.model_validate(
        {"name": quoted or bare, "type": kind or "string", "description": description or None}
    )
