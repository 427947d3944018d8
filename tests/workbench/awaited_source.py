"""Writes the modules of awaited objects from the synchronous ones: one source, two faces.

Run `python -m tests.workbench.awaited_source` after a change of a public call.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "workbench" / "objects"
FILE = FOLDER / "awaited.py"
"""Its rules of format are those of the project."""
TARGETS = {
    "awaited_run": ("Run", "Task"),
    "awaited": ("DocSet", "Document", "PlanDraft"),
}
"""The modules with their classes; each may use those of the ones before it."""
OBJECTS = {
    "DocSet": "docset",
    "Document": "document",
    "PlanDraft": "plans",
    "Run": "run",
    "Task": "task",
}
"""The classes with the modules they stand in."""
LOCAL = {
    "DocSet": {"take_plan", "plans", "__len__", "__bool__", "__repr__", "_repr_html_"},
    "Document": {"tables", "__repr__", "_repr_html_"},
    "PlanDraft": {"remarks", "replace", "refuse", "accept", "undo", "redo", "versions", "__sub__",
                  "__str__", "__repr__", "_repr_html_"},
    "Run": {"remarks", "words", "title", "__repr__", "_repr_html_", "__len__"},
    "Task": {"__repr__"},
}  # fmt: skip
"""Calls that ask no server; they are not awaited."""
DUNDER = {"__getitem__", "__len__"}
HEAD = '''"""The same objects to be awaited. What asks the server is awaited, all else is not.

Made by `tests/workbench/awaited_source.py` from the synchronous objects; change those instead.
A call that is cancelled goes on at the server, as it does when a cell is stopped.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any

'''


def source(target: str) -> str:
    """The text of one of the modules."""
    classes = TARGETS[target]
    body = "\n\n".join(_class(name, OBJECTS[name]) for name in classes)
    imports = {line for name in classes for line in _imports(OBJECTS[name])}
    lines = [f"from workbench.objects.{m} import {n}" for n, m in OBJECTS.items()]
    lines += [
        f"from workbench.objects.{module} import Async{name}"
        for module, names in TARGETS.items()
        for name in names
        if module != target
    ]
    lines.append("from workbench.objects.plans import PlanChanges")
    lines.append("from workbench.objects.awaiting import Frames, awaited, drafted, each")
    used = set(re.findall(r"\w+", body))
    imported = [line for line in {*imports, *lines} if line.split()[-1] in used or "," in line]
    return _formatted(HEAD + "\n".join(sorted(imported)) + "\n\n" + body + "\n")


def _class(name: str, module: str) -> str:
    tree = ast.parse((ROOT / f"workbench/objects/{module}.py").read_text("utf-8"))
    node = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)
    base = "(Frames)" if name == "Run" else ""
    lines = [f"class Async{name}{base}:", f'    """`{name}`, awaited."""', ""]
    lines += [f"    def __init__(self, sync: {name}) -> None:", "        self.sync = sync"]
    if base:
        lines.append("        super().__init__(sync)")
    lines.append("")
    for attribute, kind in _attributes(node).items():
        made = _wrapped(f"self.sync.{attribute}", kind)
        lines += ["    @property", f"    def {attribute}(self) -> {_async(kind)}:"]
        lines += [f'        """As `{name}` has it."""', f"        return {made}", ""]
    for function in node.body:
        if isinstance(function, ast.FunctionDef) and _shown(name, function.name):
            lines += ["    " + line for line in _method(name, function)] + [""]
    if name == "Task":
        lines += ["    def __await__(self) -> Any:", "        return self.sync.__await__()", ""]
        lines += ["    def __aiter__(self) -> AsyncIterator[TaskProgress]:",
                  "        return each(self.sync.__iter__)"]  # fmt: skip
    return "\n".join(lines)


def _attributes(node: ast.ClassDef) -> dict[str, str]:
    """The public attributes that the class is made with, and their types."""
    made = next(n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
    kinds = {a.arg: ast.unparse(a.annotation).strip("'") for a in made.args.args if a.annotation}
    found: dict[str, str] = {}
    for line in made.body:
        target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        if not isinstance(target, ast.Attribute) or target.attr.startswith("_"):
            continue
        if isinstance(line, ast.AnnAssign):
            found[target.attr] = ast.unparse(line.annotation)
        elif isinstance(line, ast.Assign) and isinstance(line.value, ast.Name):
            found[target.attr] = kinds[line.value.id]
        elif isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
            found[target.attr] = ast.unparse(line.value.func)
    return {name: kind for name, kind in found.items() if name != "engine"}


def _shown(kind: str, name: str) -> bool:
    return not name.startswith("_") or name in LOCAL[kind] or name in DUNDER


def _method(kind: str, function: ast.FunctionDef) -> list[str]:
    is_property = any(
        isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list
    )
    returns = ast.unparse(function.returns).replace("'", "") if function.returns else "None"
    arguments = (
        ast.unparse(function.args).replace("'DocSet'", "DocSet").replace("'PlanDraft'", "PlanDraft")
    )
    for name in OBJECTS:
        arguments = arguments.replace(f": {name}", f': "Async{name}"')
    passed = _passed(function)
    text = (ast.get_docstring(function) or "").partition("\n\nExample:")[0]
    text = text.replace("AmbiguousPlan", "AsyncAmbiguousPlan")
    doc = (
        ['    """' + text.replace("\n", "\n        ").replace("\n        \n", "\n\n") + '"""']
        if text
        else []
    )
    if doc and "\n" in doc[0]:
        doc[0] = doc[0].removesuffix('"""') + '\n        """'
    target = f"self.sync.{function.name}"
    if is_property:
        return ["@property", f"def {function.name}(self) -> {_async(returns)}:", *doc,
                f"    return {_wrapped(target, returns)}"]  # fmt: skip
    if returns.startswith("Iterator["):
        made = returns.replace("Iterator", "AsyncIterator", 1)
        call = f"each({', '.join([target, *passed])})"
        return [f"def {function.name}({arguments}) -> {made}:", *doc, f"    return {call}"]
    local = function.name in LOCAL[kind]
    if returns == "PlanDraft" and not local:
        passed = ["AsyncPlanDraft", target, *passed]
        call = f"return await drafted({', '.join(passed)})"
        return [f"async def {function.name}({arguments}) -> {_async(returns)}:", *doc,
                f"    {call}"]  # fmt: skip
    call = (
        f"{target}({', '.join(passed)})"
        if local
        else f"await awaited({', '.join([target, *passed])})"
    )
    head = "def" if local else "async def"
    result = call if returns == "None" else f"return {_wrapped(call, returns)}"
    return [f"{head} {function.name}({arguments}) -> {_async(returns)}:", *doc, f"    {result}"]


def _passed(function: ast.FunctionDef) -> list[str]:
    given = function.args
    names = [_unwrapped(a) for a in given.args[1:]]
    if given.vararg:
        names.append(f"*{given.vararg.arg}")
    names += [f"{a.arg}={_unwrapped(a)}" for a in given.kwonlyargs]
    if given.kwarg:
        names.append(f"**{given.kwarg.arg}")
    return names


def _unwrapped(argument: ast.arg) -> str:
    kind = ast.unparse(argument.annotation).strip("'") if argument.annotation else ""
    return f"{argument.arg}.sync" if kind in OBJECTS else argument.arg


def _async(returns: str) -> str:
    inner = returns.removeprefix("list[").removesuffix("]")
    return returns.replace(inner, f'"Async{inner}"') if inner in OBJECTS else returns


def _wrapped(call: str, returns: str) -> str:
    if returns in OBJECTS:
        return f"Async{returns}({call})"
    inner = returns.removeprefix("list[").removesuffix("]")
    return f"[Async{inner}(one) for one in {call}]" if inner in OBJECTS else call


def _imports(module: str) -> set[str]:
    """Every `from … import name` of a module, a line for each name."""
    tree = ast.parse((ROOT / f"workbench/objects/{module}.py").read_text("utf-8"))
    return {
        f"from {node.module} import {name.name}{f' as {name.asname}' if name.asname else ''}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "collections.abc"
        and node.module != "typing"
        for name in node.names
    }  # fmt: skip


def _formatted(text: str) -> str:
    for command in (["check", "--fix-only", "-q", "--select", "I,F401,UP"], ["format", "-q"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(FILE), "-"],
            input=text, capture_output=True, text=True, check=True, cwd=ROOT,
        )  # fmt: skip
        text = done.stdout
    return text


if __name__ == "__main__":
    for target in TARGETS:
        (FOLDER / f"{target}.py").write_text(source(target), "utf-8")
