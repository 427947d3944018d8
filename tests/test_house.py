"""The rules of the house: style, types, layers, sizes, run with all other tests."""

import shutil
import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
SOURCES = [
    path for part in ("backend", "workbench", "tests") for path in ROOT.glob(f"{part}/**/*.py")
]
PARTS_OF = {
    "workbench.objects.document": "workbench.objects.docset",
    "workbench.objects.plans": "workbench.objects.docset",
    "workbench.objects.awaited_workbench": "workbench.objects.workbench",
    "workbench.tui.screens.frame": "workbench.tui.app",
}
"""Modules whose objects name the object that they belong to: they import its class as a type."""


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["importlinter.cli"],
    ],
    ids=["lint", "format", "types", "layers"],
)
def test_the_code_keeps_its_rules(command: list[str]) -> None:
    module, *arguments = command
    if module == "importlinter.cli":
        call = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    else:
        call = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _imports(*, types: bool) -> dict[str, set[str]]:
    """The imports between our modules, those within functions included."""
    graph = grimp.build_graph(
        "backend", "workbench", cache_dir=None, exclude_type_checking_imports=not types
    )
    return {one: set(graph.find_modules_directly_imported_by(one)) for one in graph.modules}


def test_no_imports_form_a_circle() -> None:
    """An import within a function or for a type would only hide a circle."""
    imports = _imports(types=True)
    for part, whole in PARTS_OF.items():
        imports[part].remove(whole)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_parts_import_the_whole_only_as_a_type() -> None:
    imports = _imports(types=False)
    assert [part for part, whole in PARTS_OF.items() if whole in imports[part]] == []


def test_the_top_level_has_only_the_parts_of_the_project() -> None:
    """Others are left by a run in the repository: its data folder, a database, a log."""
    parts = {"backend", "notebooks", "tests", "workbench"}
    parts |= {"CHANGELOG.md", "LICENSE", "README.md", "constraints.txt", "pyproject.toml"}
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no checkout of git, or no git")
    # Whoever owns the checkout: a gate may run as somebody else.
    call = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    tops = {name.partition("/")[0] for name in done.stdout.split("\0") if name}
    assert sorted(top for top in tops - parts if not top.startswith(".")) == []


def test_no_source_file_is_larger_than_thirty_kilobytes() -> None:
    large = [path.name for path in SOURCES if path.stat().st_size > 30_000]
    assert large == []


def test_each_dependency_has_its_reason_and_its_pin() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    project = tomllib.loads(text)["project"]
    pins = (ROOT / "constraints.txt").read_text().lower()
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["notebook"], *extras["model"], *extras["ocr"]]
    for requirement in wanted:
        line = next(line for line in text.splitlines() if f'"{requirement}"' in line)
        assert "#" in line, f"{requirement} has no reason"
        name = requirement.split(">")[0].split("=")[0].split("[")[0].strip().lower()
        assert f"\n{name}==" in "\n" + pins, f"{name} is not pinned"


def test_the_list_of_setting_names_is_complete() -> None:
    from backend.settings import Settings
    from workbench.contract.setting_names import SETTING_NAMES

    assert Settings.model_fields.keys() == SETTING_NAMES


def test_each_setting_is_explained() -> None:
    from backend.settings import LanguageEndpoint, Models, Settings

    unexplained = [
        name
        for block in (Settings, Models, LanguageEndpoint)
        for name, field in block.model_fields.items()
        if not field.description
    ]
    assert unexplained == []
