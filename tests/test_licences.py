"""Whoever installs the workbench gets only software under permissive licences.

Walks the requirements of the project (with the extra `all`, without the tools of its developers)
through what is installed, and reads what each package says of its own licence.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ALL = ("notebook", "model", "ocr")
PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
PERMISSIVE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Python-2\.0|HPND|Unlicense|zlib|CC0|CNRI"
    r"|Zope|Public Domain|MPL|Mozilla)|provided 'as-is', without any express",  # zlib's own words
    re.IGNORECASE,
)
STRICT = re.compile(r"\b(A?GPL|GNU|LGPL|Lesser General|EUPL|SSPL|Commons Clause)", re.IGNORECASE)


def shipped(*extras: str) -> Iterator[Distribution]:
    """Every distribution that an installation of the project with those extras brings along."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    waiting = [Requirement(line) for line in project["dependencies"]]
    for extra in extras:
        waiting += [Requirement(line) for line in project["optional-dependencies"][extra]]
    seen: set[str] = set()
    while waiting:
        wanted = waiting.pop()
        key = f"{canonicalize_name(wanted.name)}{sorted(wanted.extras)}"
        if key in seen:
            continue
        seen.add(key)
        try:
            package = distribution(wanted.name)
        except PackageNotFoundError:
            continue  # for another system
        yield package
        waiting += [
            needed
            for needed in map(Requirement, package.requires or ())
            if needed.marker is None
            or any(needed.marker.evaluate({"extra": extra}) for extra in (*wanted.extras, ""))
        ]


def licence(package: Distribution) -> str:
    """What the package says: its expression, else its classifiers, else its own words."""
    metadata = package.metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or ()
        if line.startswith("License :: ") and not line.endswith("OSI Approved")
    ]
    words = metadata.get("License") or ""
    return " / ".join(classifiers) or " ".join(words.split())[:200] or _file(package)


def _file(package: Distribution) -> str:
    """The beginning of the licence file, for packages that say it only there."""
    for path in package.files or ():
        if path.name.lower().startswith(("license", "licence", "copying")):
            return " ".join(path.read_text().split())[:200]
    return ""


def test_everything_that_is_installed_with_the_workbench_has_a_permissive_licence() -> None:
    licences = {package.metadata["Name"]: licence(package) for package in shipped(*ALL)}
    assert len(licences) > 60, "the walk has lost its way"
    strict = {name: words for name, words in licences.items() if _refused(words)}
    assert not strict, strict


def _refused(words: str) -> bool:
    # "A or B" leaves the choice; anything else binds as a whole.
    choices = re.split(r"\bOR\b", words) if "(" not in words else [words]
    return not any(PERMISSIVE.search(one) and not STRICT.search(one) for one in choices)
