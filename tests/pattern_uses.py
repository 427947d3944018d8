"""Which regular expressions the packages have, and with which methods they are used."""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import backend
import workbench

_METHODS = {"match", "fullmatch", "search", "sub", "subn", "finditer", "findall", "split"}
_ROOT = Path(__file__).parent.parent
_Name = tuple[str, str]
"""A module and a name in it."""


def patterns() -> Iterator[tuple[str, re.Pattern[Any], set[str]]]:
    """Name, pattern and methods of each pattern that a module or a collection in one has, and of
    those that are written where they are used. A pattern may come several times.
    """
    files = list(_files())
    uses = _uses(files)
    for module in _modules():
        for name, value in vars(module).items():
            for pattern in _within(value, 3):
                yield f"{module.__name__}.{name}", pattern, uses.get((module.__name__, name), set())
    for file, nodes in files:
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield from _written(file, node, node.func)


def _written(
    module: str, call: ast.Call, function: ast.Attribute
) -> Iterator[tuple[str, re.Pattern[Any], set[str]]]:
    """The pattern of a call such as `re.sub(r"\\s+", ...)`; its flags make no difference."""
    written = isinstance(call.args[0], ast.Constant) if call.args else False
    if written and function.attr in _METHODS and _is_re(function.value):
        yield f"{module}:{call.lineno}", re.compile(call.args[0].value), {function.attr}


def _is_re(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "re"


def _modules() -> Iterator[ModuleType]:
    for root in (backend, workbench):
        for found in pkgutil.walk_packages(root.__path__, root.__name__ + "."):
            if "__main__" not in found.name and ".migrations." not in found.name:
                yield importlib.import_module(found.name)


def _within(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, Collection) and not isinstance(value, str | bytes):
        for one in [*value, *(value.values() if isinstance(value, dict) else ())][:1000]:
            yield from _within(one, depth - 1)


def _files() -> Iterator[tuple[str, list[ast.AST]]]:
    """The name of each module, and all nodes of its tree."""
    for package in ("backend", "workbench"):
        for file in sorted((_ROOT / package).rglob("*.py")):
            parts = file.relative_to(_ROOT).with_suffix("").parts
            tree = ast.parse(file.read_text())
            yield ".".join(parts).removesuffix(".__init__"), list(ast.walk(tree))


def _uses(files: list[tuple[str, list[ast.AST]]]) -> dict[_Name, set[str]]:
    """The methods that each name is used with."""
    uses: dict[_Name, set[str]] = defaultdict(set)
    for module, nodes in files:
        imported = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        methods = _methods_in(nodes)
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                uses[imported.get(node.id, (module, node.id))] |= methods(node)
    return uses


def _methods_in(nodes: list[ast.AST]) -> Callable[[ast.Name], set[str]]:
    """Tells with which methods a name is used in a place of a module.

    A name that is looped over counts as used like the variable of the loop, one that is given to a
    function with every method, any other with all those that the module calls.
    """
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    owners = {id(node.value): node.attr for node in attributes}
    given = {id(one) for node in nodes if isinstance(node, ast.Call) for one in node.args}
    of_variable: dict[str, set[str]] = defaultdict(set)
    for attribute in attributes:
        if isinstance(attribute.value, ast.Name) and not _is_re(attribute.value):
            of_variable[attribute.value.id] |= {attribute.attr} & _METHODS
    here = set[str]().union(*of_variable.values())
    looped = {
        id(name): of_variable[node.target.id]
        for node in nodes
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name)
        for name in ast.walk(node.iter)
    }

    def methods(name: ast.Name) -> set[str]:
        if id(name) in owners:
            return {owners[id(name)]} & _METHODS
        if id(name) in looped:
            return looped[id(name)]
        return _METHODS if id(name) in given else here

    return methods
