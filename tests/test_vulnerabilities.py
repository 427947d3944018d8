"""No version that we pin has a vulnerability that is publicly known.

Asks the network. Where pip-audit or the network is missing the run says so: what was not looked at
must not look like what was found in order.
"""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PINS = Path(__file__).parent.parent / "constraints.txt"
_SECONDS = 120


def audited(output: str) -> tuple[int, list[str], list[str]]:
    """From the JSON of pip-audit: how many were looked at, which were not, what was found."""
    packages: list[dict[str, Any]] = json.loads(output)["dependencies"]
    left_out = [package["name"] for package in packages if "skip_reason" in package]
    results = [
        f"{package['name']} {package['version']}: {one['id']}"
        for package in packages
        for one in package.get("vulns", ())
    ]
    return len(packages) - len(left_out), left_out, results


def test_no_pinned_version_has_a_known_vulnerability() -> None:
    if importlib.util.find_spec("pip_audit") is None:
        pytest.skip("known vulnerabilities were not looked up: pip-audit is not installed")
    command = [sys.executable, "-m", "pip_audit", "-r", str(PINS), "--no-deps", "--disable-pip"]
    quiet = ["--progress-spinner", "off", "--format", "json"]
    try:
        done = subprocess.run([*command, *quiet], capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        pytest.skip(f"known vulnerabilities were not looked up: no answer in {_SECONDS} s")
    if not done.stdout.startswith("{"):
        last = (done.stderr.strip() or "pip-audit said nothing").splitlines()[-1]
        pytest.skip(f"known vulnerabilities were not looked up: {last}")
    count, left_out, vulnerable = audited(done.stdout)
    assert not vulnerable
    if not count:
        pytest.skip("known vulnerabilities were not looked up: the list cannot be reached")
    if left_out:
        pytest.skip(f"{count} looked up and in order; not in the list: {', '.join(left_out)}")


def test_a_package_that_was_not_looked_up_hides_no_vulnerability_of_another() -> None:
    report = {
        "dependencies": [
            {"name": "a", "skip_reason": "Dependency not found on PyPI and could not be audited"},
            {"name": "b", "version": "1", "vulns": [{"id": "CVE-2026-1", "fix_versions": ["2"]}]},
            {"name": "c", "version": "3", "vulns": []},
        ]
    }
    assert audited(json.dumps(report)) == (2, ["a"], ["b 1: CVE-2026-1"])
