"""Changing the fields of a node by hand."""

import json
from typing import Any

from pydantic import ValidationError
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Label

from backend.contract.plan_nodes import CATALOGUE, Node, typed
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.widgets.notice import Notice


class NodeEditor(Dialog[Node]):
    """Answers the changed node. An empty field takes its default."""

    def __init__(self, node: Node) -> None:
        super().__init__(f"{node.node_id} {node.node_type}", "enter saves  tab next  esc")
        self._node = node

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="fields", can_focus=False):
            for name in field_names(self._node):
                with Horizontal(classes="field"):
                    yield Label(Content.styled(name, "$dim"))
                    yield Input(as_text(self._node.extras.get(name)), name=name)
        yield Notice()

    def on_mount(self) -> None:
        inputs = self.query(Input)
        if inputs:
            inputs.first().focus()

    @on(Input.Submitted)
    def _save(self) -> None:
        fields = {str(field.name): as_value(field.value) for field in self.query(Input)}
        changed = self._node.with_fields(**fields)
        try:
            typed(changed)
        except ValidationError as error:
            faults = [f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors()]
            self.query_one(Notice).say("; ".join(faults), "bad")
            return
        self.dismiss(changed)


def field_names(node: Node) -> list[str]:
    """The fields of the node's kind, those that are set first, then unknown ones it carries."""
    kind = CATALOGUE.get(node.node_type)
    known = list(kind.fields.model_fields) if kind else []
    names = known + [name for name in node.extras if name not in known]
    return sorted(names, key=lambda name: node.extras.get(name) in (None, [], {}))


def as_text(value: Any) -> str:
    """A value as it is edited: text as it is, everything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_value(text: str) -> Any:
    """What was typed: JSON where it reads as such, else text; nothing for an empty field."""
    stripped = text.strip()
    if not stripped:
        return None
    try:
        return json.loads(stripped)
    except ValueError:
        return stripped
