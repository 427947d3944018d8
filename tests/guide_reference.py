"""The reference of the library, made from its docstrings."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from workbench.frames import Facets, Frame, Hits, TableFrame
from workbench.objects import (
    DocSet,
    DocSets,
    Document,
    Excerpt,
    Page,
    PlanChanges,
    PlanChoice,
    PlanDraft,
    Run,
    Task,
    Workbench,
    connect,
)

CLASSES: tuple[type, ...] = (
    Workbench, DocSets, DocSet, Document, Page, Excerpt, PlanDraft, PlanChanges, PlanChoice, Run,
    Task, Frame, Facets, Hits, TableFrame,
)  # fmt: skip


def public(kind: type) -> Iterator[tuple[str, Callable[..., Any], bool]]:
    """The public calls and properties of a class, and whether it is a property."""
    for name, member in vars(kind).items():
        function = member.fget if isinstance(member, property) else member
        if not name.startswith("_") and inspect.isfunction(function):
            yield name, function, isinstance(member, property)


def reference() -> str:
    """Every class with its calls and properties, in the order of the code."""
    parts = ["## connect", *_call("connect", connect)]
    for kind in CLASSES:
        parts += [f"## {kind.__name__}", *_text(kind)]
        for name, function, is_property in public(kind):
            parts += _property(name, function) if is_property else _call(name, function)
    return "\n\n".join(part for part in parts if part)


def _call(name: str, function: Callable[..., Any]) -> list[str]:
    source = _source(function)
    given = source.args
    given.args = [one for one in given.args if one.arg != "self"]
    returns = f" -> {_plain(source.returns)}" if source.returns else ""
    spaced = re.sub(r"(: [^=,]+)=", r"\1 = ", _plain(given))
    return [f"**`{name}({spaced}){returns}`**", *_text(function)]


def _property(name: str, function: Callable[..., Any]) -> list[str]:
    returns = _source(function).returns
    kind = f": {_plain(returns)}" if returns else ""
    return [f"**`{name}{kind}`**", *_text(function)]


def _text(documented: object) -> list[str]:
    """A docstring with its example as code."""
    text, _, example = (inspect.getdoc(documented) or "").partition("\n\nExample: ")
    example = re.sub(r"^(for .*?\)): ", r"\1:\n    ", example)
    return [text, f"```python\n{example}\n```" if example else ""]


@cache
def _source(function: Callable[..., Any]) -> ast.FunctionDef:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    return node


def _plain(node: ast.AST) -> str:
    """Types as they are read: without the quotes that only Python needs."""
    for part in ast.walk(node):
        for field in ("annotation", "returns"):
            quoted = getattr(part, field, None)
            if isinstance(quoted, ast.Constant) and isinstance(quoted.value, str):
                setattr(part, field, ast.parse(quoted.value, mode="eval").body)
    text = ast.unparse(node)
    return text.strip("'") if isinstance(node, ast.Constant) else text
