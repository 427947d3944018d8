"""Ctrl+c ends every command quietly with status 130, at whatever moment it comes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PRESSED_AT_IMPORT = """
import signal, sys

class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Pressed())
sys.argv[1:] = ["serve"]
"""


def interrupted(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "WORKBENCH_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("module", ["workbench.commands.running", "argparse", "workbench.harmless"])
def test_a_command_that_is_still_loading_ends_quietly(tmp_path: Path, module: str) -> None:
    pressed = PRESSED_AT_IMPORT.format(module=module)
    done = interrupted(f"{pressed}\nfrom workbench.cli import main\nsys.exit(main())", tmp_path)
    assert done.returncode == 130
    assert done.stderr == "Interrupted. The server finishes what it has accepted.\n"


@pytest.mark.parametrize("module", ["backend.main", "sqlalchemy", "backend.plans.service"])
def test_a_server_that_is_still_loading_ends_quietly(tmp_path: Path, module: str) -> None:
    run = "import runpy\nrunpy.run_module('backend', run_name='__main__')"
    done = interrupted(f"{PRESSED_AT_IMPORT.format(module=module)}\n{run}", tmp_path)
    assert (done.returncode, done.stderr) == (130, "")


def test_a_server_that_answers_ends_quietly_with_all_its_processes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "workbench.cli", "serve"],
            env={**os.environ, "WORKBENCH_DATA_DIR": str(tmp_path / "data")},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        while "listening" not in log.read_text():
            assert process.poll() is None
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.1)
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does
        assert process.wait(30) == 130
    finally:
        process.kill()
        process.wait()
    assert "Traceback" not in log.read_text()
