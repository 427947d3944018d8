"""The demo runs with nothing but what an installation brings.

An environment is put together from the installed files of the distributions that `pip install`
would choose, without our tools for development. So a package that nothing declares is missing, and
so are files that did not get into the wheel.
"""

import json
import os
import shutil
import subprocess
import sys
import venv
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from tests.test_licences import ALL, shipped

STARTS = "import sys; from workbench.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def wheel() -> Distribution:
    """What is installed of ours; skips where that is no wheel of this version."""
    try:
        ours = distribution("docset-workbench")
    except PackageNotFoundError:
        pytest.skip("the workbench is not installed")
    tops = {file.parts[0] for file in ours.files or ()}
    if not {"backend", "workbench", "docset_workbench_vectors"} <= tops:
        pytest.skip("what is installed is no wheel of this version: pip install '.[dev]'")
    return ours


def environment(folder: Path, packages: list[Distribution]) -> Path:
    """A virtual environment with the files of these packages; returns its Python."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    place = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    for package in packages:
        for file in package.files or ():
            target = place / file
            source = Path(str(file.locate()))
            if ".." not in file.parts and "__pycache__" not in file.parts and source.is_file():
                _link(source, target)
                # As pip does; compiling everything in each process takes most of its time.
                if source.suffix == ".py":
                    compiled = Path(cache_from_source(str(source)))
                    if compiled.is_file():
                        _link(compiled, target.parent / "__pycache__" / compiled.name)
    return python


def _link(source: Path, target: Path) -> None:
    """A second name for a file: a symbolic link would lead imports back to where it points."""
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copy2(source, target)


@pytest.mark.parametrize("extras", [(), ALL], ids=["without extras", "[all]"])
def test_the_demo_runs_with_a_plain_installation(
    wheel: Distribution, tmp_path: Path, extras: tuple[str, ...]
) -> None:
    python = environment(tmp_path / "venv", [wheel, *shipped(*extras)])
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    bare = {**kept, "PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*command: str) -> str:
        done = subprocess.run(
            [python, "-c", STARTS, *command],
            cwd=home, env=bare, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    try:
        demo = json.loads(run("demo", "--no-app", "--count", "3", "--json"))
        assert (demo["created"], demo["added"], demo["documents"]) == (True, 3, 3)
        hits = json.loads(run("search", demo["docset_id"], "icing on the wing", "--json"))
        assert {hit["name"].rpartition(".")[2] for hit in hits} <= {"pdf", "docx", "html"}
        asked = run("ask", demo["docset_id"], "How many accidents were there in each state?")
        head, *rows = [line.split("\t") for line in asked.splitlines()]
        assert head == ["state", "count"] and sum(int(count) for _, count in rows) == 3
    finally:
        run("stop")
