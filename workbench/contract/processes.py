"""How one of our processes starts another: the same interpreter, the same installed code, and never
a folder named `backend` or `workbench` that happens to lie in the user's working directory.
"""

import os
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

PACKAGE_ROOT = Path(__file__).resolve().parents[2]
"""The folder of `backend` and `workbench`."""


def python_module(name: str, *arguments: str) -> list[str]:
    """The command that runs a module. `-P` keeps the working directory off the import path.

    >>> python_module("backend.main", "serve")[1:]
    ['-P', '-m', 'backend.main', 'serve']
    """
    return [sys.executable, "-P", "-m", name, *arguments]


def importable(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment, with our packages on `PYTHONPATH` if they are not installed."""
    child = dict(environment)
    if str(PACKAGE_ROOT) not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        known = child.get("PYTHONPATH")
        child["PYTHONPATH"] = os.pathsep.join([str(PACKAGE_ROOT), *([known] if known else [])])
    return child
