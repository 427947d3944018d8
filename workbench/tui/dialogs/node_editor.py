"""Changing the fields of a step by hand, with proposals and faults while one types."""

from collections.abc import Mapping, Sequence
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, Label, Static

from backend.contract.errors import FieldFault
from backend.contract.plan import Plan
from backend.contract.plan_columns import Columns
from backend.contract.plan_nodes import Node
from workbench.sessions.node_fields import FormField, choices_for, faults_of, filled, form_of
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.lines import Line, Span, as_content, cut, dim, line
from workbench.tui.widgets.notice import Notice

_ROOM = 64
_FOR_LATER = ("arity", "type_mismatch")
"""Faults of what feeds a step, which the next change by hand may set right."""


class FieldInput(Input):
    """One field; what is proposed for it stands dim behind the cursor, → takes it."""

    def __init__(self, field: FormField, choices: "FieldSuggester") -> None:
        super().__init__(field.text, name=field.name, suggester=choices, select_on_focus=False)
        self.field = field


class FieldSuggester(Suggester):
    """Completes a word, or the last one of a list with commas."""

    def __init__(self, editor: "NodeEditor", field: FormField) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._editor, self._field = editor, field

    async def get_suggestion(self, value: str) -> str | None:
        head, comma, last = value.rpartition(",") if self._field.is_list else ("", "", value)
        typed = last.lstrip()
        if not typed:
            return None
        lead = head + comma + last[: len(last) - len(typed)]
        for choice in self._editor.choices(self._field.name):
            if choice.lower().startswith(typed.lower()) and choice != typed:
                return lead + typed + choice[len(typed) :]
        return None


class NodeEditor(Dialog[Node]):
    """Answers the changed step. `columns` are the fields of the documents, `values` their commonest
    values by bare name; `focus` is the field to begin with.

    A step that is wrong in itself is not taken.
    """

    def __init__(
        self,
        plan: Plan,
        node: Node,
        columns: Columns | None,
        values: Mapping[str, Sequence[Any]],
        *,
        focus: str | None = None,
    ) -> None:
        title = f"{node.node_id} {node.node_type}"
        super().__init__(title, "enter saves  tab next  → takes the proposal  esc")
        self._plan, self._node = plan, node
        self._columns, self._values = columns, values
        self._start = focus
        self._fields = form_of(node)

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="fields", can_focus=False):
            for field in self._fields:
                with Horizontal(classes="field"):
                    mark = ("*", "$secondary") if field.required else ("", "")
                    yield Label(Content.assemble((field.name, "$dim"), mark))
                    yield FieldInput(field, FieldSuggester(self, field))
        yield Static(id="wanted", classes="hint")
        yield Notice()

    def on_mount(self) -> None:
        inputs = list(self.query(FieldInput))
        wanted = [field for field in inputs if field.name == self._start]
        (wanted or inputs)[0].focus()

    def choices(self, name: str) -> list[str]:
        """What may be proposed for a field, as the form stands now."""
        return choices_for(name, self._filled(), self._plan, self._columns, self._values)

    def _filled(self) -> Node:
        return filled(self._node, {str(f.name): f.value for f in self.query(FieldInput)})

    def _faults(self) -> list[FieldFault]:
        return faults_of(self._plan, self._filled(), self._columns)

    def on_descendant_focus(self) -> None:
        self._tell_wanted()

    @on(Input.Changed)
    def _changed(self) -> None:
        self._tell_wanted()
        faults = self._faults()
        notice = self.query_one(Notice)
        notice.say(_told(faults), "warn") if faults else notice.hush()

    def _tell_wanted(self) -> None:
        if isinstance(self.focused, FieldInput):
            choices = self.choices(str(self.focused.name))
            self.query_one("#wanted", Static).update(
                as_content([_wanted(self.focused.field, choices)])
            )

    @on(Input.Submitted)
    def _save(self) -> None:
        faults = self._faults()
        if any(fault.type not in _FOR_LATER for fault in faults):
            self.query_one(Notice).say(_told(faults), "bad")
        else:
            self.dismiss(self._filled())


def _told(faults: Sequence[FieldFault]) -> str:
    return "; ".join(fault.msg for fault in faults)


def _wanted(field: FormField, choices: Sequence[str]) -> Line:
    """What belongs into a field, and what is known that fits."""
    words = line(Span(field.name, "strong"), dim(f"  {field.wanted}" if field.wanted else ""))
    if not choices or field.wanted == " or ".join(choices):
        return cut(words, _ROOM)
    return cut(line(words, dim("  · "), dim(" · ".join(choices))), _ROOM)
