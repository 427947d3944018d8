"""The public API: types, names, and docstring examples that run."""

import ast
import inspect
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.backend_process import BackendProcess
from tests.guide_reference import CLASSES, public
from tests.sample_reports import write_reports
from workbench.client import NotFound
from workbench.objects import AmbiguousPlan

ROOT = Path(__file__).parent.parent.parent
SCRIPT = Path(__file__).with_name("every_call.py")
_EXAMPLE = re.compile(r"Example: (.+)")


CALLS = [
    pytest.param(kind, name, function, is_property, id=f"{kind.__name__}.{name}")
    for kind in CLASSES
    for name, function, is_property in public(kind)
]


@pytest.mark.parametrize(("kind", "name", "function", "is_property"), CALLS)
def test_every_public_call_has_a_docstring(kind, name, function, is_property):
    text = inspect.getdoc(function)
    assert text and text[0].isupper() and "." in text
    if not is_property and name not in ("left_out", "title"):
        assert _EXAMPLE.search(text), f"{kind.__name__}.{name} has no example"


@pytest.mark.parametrize(("kind", "name", "function", "is_property"), CALLS)
def test_every_parameter_is_documented(kind, name, function, is_property):
    text = inspect.getdoc(function) or ""
    given = [one for one in inspect.signature(function).parameters if one != "self"]
    assert [one for one in given if not re.search(rf"`{one}[`=]", text)] == []


def test_every_public_call_is_in_the_script_that_mypy_and_pyright_check():
    used = {node.attr for node in ast.walk(ast.parse(SCRIPT.read_text("utf-8")))
            if isinstance(node, ast.Attribute)}  # fmt: skip
    missing = {name for kind in CLASSES for name, _, _ in public(kind)} - used
    assert missing == set()


def test_pyright_passes_strictly_on_that_script(tmp_path):
    """From another folder, so that types come only from what is shipped."""
    (tmp_path / "every_call.py").write_text(SCRIPT.read_text("utf-8"), "utf-8")
    # pyarrow ships no types, so its values are unknown.
    unknown = ("Member", "Variable", "Argument", "Parameter", "Lambda")
    settings = {
        "typeCheckingMode": "strict",
        "extraPaths": [str(ROOT)],
        "reportMissingTypeStubs": False,
        "reportMissingImports": False,
    } | {f"reportUnknown{kind}Type": False for kind in unknown}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath",
               sys.executable, "every_call.py"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == 1
    wrong = [f"{one['range']['start']['line'] + 1}: {one['message']}"
             for one in report["generalDiagnostics"] if one["severity"] == "error"]  # fmt: skip
    assert wrong == [], "\n".join(wrong)


def test_the_types_are_shipped_and_the_version_is_that_of_the_project():
    assert (ROOT / "workbench" / "py.typed").exists() and (ROOT / "backend" / "py.typed").exists()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert wb.__version__ == project["version"]
    assert "__version__" in wb.__all__ and "__version__" in dir(wb)


# -- examples -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def names(
    backend: BackendProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """The names used by the examples."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "reports").mkdir()
    written = [document.path for document in write_reports(folder, count=8)]
    pdf = next(path for path in written if path.suffix == ".pdf")
    pdf.rename(folder / "reports" / "report-7.pdf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_DATA_DIR", str(backend.folder))
        patch.delenv("WORKBENCH_API_KEY", raising=False)
        patch.chdir(folder)
        with wb.connect() as client:
            for other in client.docsets:
                if other.name == "reports":  # the backend serves other tests, too
                    other.delete()
            docset = client.docsets.create(
                "reports", schema={"state": str, "year": int, "wind_speed": int}
            )
            rest = [path for path in written if path.exists()]
            docset.add([folder / "reports", *rest], progress=False)
            docset.merge("state", ["AK", "Alaska"])  # one to undo
            plan = docset.plan("How many reports are there for each state?")
            dated = plan.edit("only those with a year of at least 1990")
            both = dated.edit("only those with a wind speed of at least 1")
            with pytest.raises(AmbiguousPlan) as refused:
                both.edit("remove the filter")
            task = docset.submit(b"A first note.", name="first.txt")
            task.result()
            yield {
                "wb": wb, "client": client, "docset": docset, "plan": plan, "task": task,
                "edited": plan.edit("only those with a wind speed of at least 1"),
                "run": plan.run(), "hits": docset.search("wind", limit=5),
                "table": docset.tables("report-7.pdf")[0],
                "document": docset.document("report-7.pdf"), "ambiguous": refused.value,
            }  # fmt: skip
            docset.delete()


EXAMPLES = [
    pytest.param(match[1], id=f"{kind.__name__}.{name}")
    for kind in CLASSES
    for name, function, _ in public(kind)
    if (match := _EXAMPLE.search(inspect.getdoc(function) or ""))
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_example_of_a_call_runs(example: str, names: dict[str, Any]):
    ended = NotFound if "cancel(" in example else ()  # a short task may have ended before
    with suppress(ended):
        exec(compile(example, "<example>", "exec"), dict(names))
