"""Changing the fields of a step by hand, with proposals and faults while one types."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input, Label, Static

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import ENTITY, Node, bare_field
from workbench.contract.schema import Schema
from workbench.formats import counted
from workbench.sessions.field_names import INPUTS, field_label
from workbench.sessions.node_form import (
    FieldKind,
    FormField,
    about,
    faults,
    form,
    is_misfed,
    read,
)
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.lines import Line, Span, as_content, cut, dim, line, wrap
from workbench.tui.widgets.notice import Notice

_ROOM = 64
_LISTS: tuple[FieldKind, ...] = ("names", "values", "measures", "orders")
_VALUES: tuple[FieldKind, ...] = ("value", "values")
_WORDS: Mapping[FieldKind, str] = {
    "number": "a number",
    "property": "a property",
    "names": "a list, separated by commas",
    "values": "a list, separated by commas",
    "measures": "such as  avg damage as mean damage, count",
    "orders": "properties to sort by, such as  state, date down",
    "json": "JSON",
}


class FieldInput(Input):
    """One field; a suggestion is dimmed behind the cursor, → accepts it."""

    def __init__(self, field: FormField, editor: "NodeEditor") -> None:
        super().__init__(
            field.text,
            name=field.name,
            placeholder=field.default,
            suggester=FieldSuggester(field, editor),
            select_on_focus=False,
        )
        self.field = field


class FieldRow(Horizontal):
    """A field with its name, and beside it the name that plans have for it."""

    def __init__(self, field: FormField, editor: "NodeEditor") -> None:
        mark = ("*", "$secondary") if field.required else ("", "")
        wire = "" if field.label == field.name else f" {field.name}"
        super().__init__(
            Label(Content.assemble(field.label, mark, (wire, "$dim"))),
            FieldInput(field, editor),
            classes="field",
        )


class MoreFields(Static, can_focus=True):
    """Represents the hidden fields, and opens them."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("enter,space,down,right", "open", "Open", show=False)
    ]

    class Opened(Message):
        """A person wants to see all fields."""

    def __init__(self, fields: Sequence[FormField]) -> None:
        names = ", ".join(field.label for field in fields)
        words = f"▸ {counted(len(fields), 'more field')}  "
        super().__init__(as_content([cut(line(words, dim(names)), _ROOM)]), classes="more")

    def action_open(self) -> None:
        self.post_message(self.Opened())

    def on_click(self) -> None:
        self.action_open()


class FieldSuggester(Suggester):
    """Completes a word, or the last one of a list with commas."""

    def __init__(self, field: FormField, editor: "NodeEditor") -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._field, self._editor = field, editor

    async def get_suggestion(self, value: str) -> str | None:
        head, comma, last = value.rpartition(",") if self._field.kind in _LISTS else ("", "", value)
        typed = last.lstrip()
        if not typed:
            return None
        lead = head + comma + last[: len(last) - len(typed)]
        for choice in self._editor.choices(self._field):
            if choice.lower().startswith(typed.lower()) and choice != typed:
                return lead + typed + choice[len(typed) :]
        return None


class NodeEditor(Dialog[Node]):
    """Returns the changed step. `values` are the commonest of each property, by its bare name;
    `focus` is the field to begin with.

    A step that is invalid itself, or has missing inputs, is refused. Faults that it causes further
    on are reported, and can be fixed by the next change.
    """

    def __init__(
        self,
        plan: Plan,
        node_id: int,
        schema: Schema | None,
        values: Mapping[str, Sequence[Any]],
        *,
        focus: str | None = None,
    ) -> None:
        node = plan.node(node_id)
        title = f"Step {node_id} · {node.node_type}"
        super().__init__(title, "enter save  tab next  → complete  esc cancel")
        self._plan, self._node, self._schema, self._values = plan, node, schema, values
        self._kind = node.node_type
        self._start = focus
        fed = ", ".join(map(str, node.inputs))
        self._fields = [
            *form(plan, node_id, schema),
            FormField(
                INPUTS, "values", fed, "", False, _others(plan, node_id),
                field_label(INPUTS), usual=True,
            ),
        ]  # fmt: skip

    def body(self) -> ComposeResult:
        first, _, rest = about(self._node).partition(". ")
        others = [field for field in self._fields if not field.at_hand]
        if first:
            yield _explanation(first.rstrip(".") + ".")
        with VerticalScroll(classes="fields", can_focus=False):
            yield from (FieldRow(field, self) for field in self._fields if field.at_hand)
            if others:
                yield MoreFields(others)
            with Vertical(classes="others") as box:
                box.display = not others
                if rest:
                    yield _explanation(rest)
                yield from (FieldRow(field, self) for field in others)
        yield Static(id="wanted", classes="hint")
        yield Notice()

    def on_mount(self) -> None:
        inputs = list(self.query(FieldInput))
        wanted = next((field for field in inputs if field.name == self._start), inputs[0])
        if not wanted.field.at_hand:
            self._open_others()
        wanted.focus()

    @on(MoreFields.Opened)
    def _open_others(self) -> None:
        """Shows the fields that people seldom set, from here on with the others."""
        self.query_one(".others").display = True
        for more in self.query(MoreFields):
            more.display = False
        next(field for field in self.query(FieldInput) if not field.field.at_hand).focus()

    def choices(self, field: FormField) -> list[str]:
        """What may be proposed for a field: beside a property, values that documents hold."""
        if field.choices or field.kind not in _VALUES:
            return list(field.choices)
        name = bare_field(self._texts().get("field", ""))
        return [str(value) for value in self._values.get(name, ())]

    def _texts(self) -> dict[str, str]:
        return {str(field.name): field.value for field in self.query(FieldInput)}

    def _filled(self) -> Node:
        """The step as entered; inputs that are not numbers leave the connections unchanged."""
        texts = self._texts()
        pieces = [piece.strip() for piece in texts.pop(INPUTS, "").split(",") if piece.strip()]
        inputs = [int(piece) for piece in pieces if piece.isdecimal()]
        node = read(self._plan, self._node.node_id, texts, self._schema)
        return node.model_copy(update={INPUTS: inputs})

    def on_descendant_focus(self) -> None:
        self._show_hint()

    @on(Input.Changed)
    def _changed(self) -> None:
        self._show_hint()
        problems = faults(self._plan, self._filled(), self._schema)
        notice = self.query_one(Notice)
        notice.say(_problem_words(problems, self._kind), "warn") if problems else notice.hush()

    def _show_hint(self) -> None:
        if isinstance(self.focused, FieldInput):
            field = self.focused.field
            self.query_one("#wanted", Static).update(
                as_content([wanted_line(field, self.choices(field), self.focused.value)])
            )

    @on(Input.Submitted)
    def _save(self) -> None:
        changed = self._filled()
        problems = faults(self._plan, changed, self._schema)
        if problems.keys() - {"", INPUTS} or is_misfed(self._plan, changed):
            self.query_one(Notice).say(_problem_words(problems, self._kind), "bad")
        else:
            self.dismiss(changed)


def _others(plan: Plan, node_id: int) -> tuple[str, ...]:
    return tuple(str(other) for other in sorted(map(int, plan.nodes)) if other != node_id)


def _explanation(words: str) -> Static:
    return Static(as_content(wrap(line(dim(words)), _ROOM)), classes="about")


def _problem_words(problems: Mapping[str, str], kind: str) -> str:
    """The faults, with fields and properties named as in the form."""
    sentences = []
    for name, problem in problems.items():
        label = field_label(name, kind) if name else "in other steps"
        words = problem.removeprefix(f"{name} ").replace(ENTITY, "")
        sentences.append(f"{label}: {words}")
    return "; ".join(sentences)


def wanted_line(field: FormField, choices: Sequence[str], typed: str) -> Line:
    """What a field expects, and known values for it; first those that begin with the typed text."""
    words = "ids of the input steps" if field.name == INPUTS else ""
    if field.kind != "choice":
        words = words or _WORDS.get(field.kind, "")
    hint = line(Span(field.label or field.name, "strong"), dim(f"  {words}" if words else ""))
    begun = typed.rpartition(",")[2].strip().lower()
    listed = sorted(choices, key=lambda choice: not choice.lower().startswith(begun))
    return cut(line(hint, dim("  " if choices else ""), dim(" · ".join(listed))), _ROOM)
