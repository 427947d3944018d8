"""`pip install docset-workbench` without extras gives terminal app, commands, backend and files."""

import subprocess
import sys
from importlib.metadata import Distribution, PackagePath, packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests.test_licences import ALL, shipped

ROOT = Path(__file__).parent.parent
WITH_EXTRAS = {
    "backend.inference.language_agent",  # model
    "backend.store.object_blobs",  # cluster
    "backend.tasks.ray_bridge",  # cluster
}
"""Modules that are imported only where their extra is installed; all of the widgets are as well."""

SCRIPT = """
import importlib, pkgutil, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import backend, workbench
for package in (backend, workbench):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        skipped = ("__main__", "migrations", "widgets")
        if module.name not in WITH_EXTRAS and not set(skipped) & set(module.name.split(".")):
            importlib.import_module(module.name)
from workbench.frames import NodeOutput
rows = [{"state": "WA", "years": [2023]}, {"state": None, "years": None}]
for form in ("parquet", "arrow", "csv", "jsonl", "xlsx"):
    NodeOutput(["state", "years"], rows).write(f"{FOLDER}/x.{form}")
"""


def test_everything_but_the_extras_runs_without_them(tmp_path: Path) -> None:
    base = {canonicalize_name(package.metadata["Name"]) for package in shipped()}
    ours = {"docset-workbench"}
    missing = {
        module
        for module, owners in packages_distributions().items()
        if not {canonicalize_name(owner) for owner in owners} & (base | ours)
    } - {"backend", "workbench"}
    assert {"pyarrow", "pandas", "onnxruntime", "ipywidgets", "ray", "pytest"} <= missing
    given = {"MISSING": missing, "WITH_EXTRAS": WITH_EXTRAS, "FOLDER": str(tmp_path)}
    settings = "\n".join(f"{name} = {value!r}" for name, value in given.items())
    done = subprocess.run(
        [sys.executable, "-c", f"{settings}\n{SCRIPT}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.iterdir())) == 5


@pytest.mark.parametrize(("extras", "megabytes"), [((), 410), (ALL, 710)], ids=["base", "[all]"])
def test_the_packages_that_an_installation_brings_stay_small(
    extras: tuple[str, ...], megabytes: int
) -> None:
    sizes = {package.metadata["Name"]: size(package) for package in shipped(*extras)}
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:12]
    assert sum(sizes.values()) / 1e6 < megabytes, largest


def size(package: Distribution) -> int:
    """Bytes of the files of a package, without the bytecode that pip makes of them."""
    files = [file for file in package.files or () if file.suffix != ".pyc"]
    return sum(path.stat().st_size for path in map(_path, files) if path.is_file())


def _path(file: PackagePath) -> Path:
    return Path(str(file.locate()))
