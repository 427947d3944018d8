"""The tour of `backend/__init__`: its routes name files that exist and that call each other."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import backend

ROOT = Path(__file__).parent.parent
_FILE = re.compile(r"^    ((?:backend|workbench)/\S+\.py) +(\S.*)$", re.MULTILINE)
_TITLE = re.compile(r"^(\w[\w ]*) \(.*\):$", re.MULTILINE)
_MODULE = re.compile(r"(?:backend|workbench)[\w.]+(?=:\w+$|$)")
_ENDPOINT = re.compile(r"(?:POST|PATCH) (/\w+/?)")
TITLES = ["Upload", "Question", "Feedback", "Hit to frame", "Cancel", "Key to screen"]
GLOSSARY = (
    "DocSet", "element", "property", "value", "confidence", "source", "evidence", "hit",
    "reading", "choice", "step", "coverage",
)  # fmt: skip


def _routes() -> dict[str, list[tuple[str, str]]]:
    """The files of each route with their remarks."""
    _, *parts = _TITLE.split(backend.__doc__ or "")
    return {
        title: [(m[1], m[2]) for m in _FILE.finditer(text)]
        for title, text in zip(parts[::2], parts[1::2], strict=True)
    }


def _file(module: str) -> str | None:
    path = module.replace(".", "/")
    return next((f for f in (f"{path}.py", f"{path}/__init__.py") if (ROOT / f).exists()), None)


@cache
def _uses(file: str) -> frozenset[str]:
    """The files that one imports, from packages too, or names as a job: `package.module:name`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value.split(":")[0] if _MODULE.match(node.value) else "")
    files = {path for name in names if name and (path := _file(name))}
    packages = {f for f in files if f.endswith("__init__.py") and f != file}
    return frozenset(files.union(*map(_uses, packages)))


@pytest.mark.parametrize("title", TITLES)
def test_each_file_of_a_route_is_used_by_one_before_it(title: str) -> None:
    first, *others = _routes()[title]
    before, endpoint = [first[0]], _ENDPOINT.search(first[1])
    for file, remark in others:
        crosses = file.startswith("backend/api/") and before[-1].startswith("workbench/")
        if crosses:  # over HTTP: both sides name the endpoint
            assert endpoint is not None
            for side in (before[-1], file):
                assert endpoint[1] in (ROOT / side).read_text(), f"{side} has no {endpoint[1]}"
        else:
            assert any(file in _uses(one) for one in before), f"nothing before {file} uses it"
        before.append(file)
        endpoint = _ENDPOINT.search(remark) or endpoint


def test_the_tour_has_its_routes_and_the_words_of_the_glossary() -> None:
    assert list(_routes()) == TITLES
    assert all(len(files) > 5 for files in _routes().values())
    for word in GLOSSARY:
        assert re.search(rf"^    {word} +\S", backend.__doc__ or "", re.MULTILINE), word
