"""Shell completion offers exactly what the commands accept."""

import json
import shutil
import subprocess

import pytest

from workbench.cli import main
from workbench.commands.catalogue import COMMANDS
from workbench.commands.completion import all_words


def test_every_command_its_options_and_choices_are_known(capsys):
    assert main(["completion", "bash", "--json"]) == 0
    words = json.loads(capsys.readouterr().out)
    assert list(words) == [command.name for command in COMMANDS]
    assert "--where" in words["search"]["options"]
    assert {"create", "delete"} <= set(words["docsets"]["choices"])
    assert "hybrid" in words["search"]["choices"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_that_names_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name in all_words():
        assert name in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [(["sea"], "search"), (["docsets", "cl"], "clone"), (["search", "--wh"], "--where")],
)
def test_bash_completes_with_it(typed, expected, capsys):
    main(["completion", "bash"])
    script = capsys.readouterr().out
    line = " ".join(["workbench", *typed])
    probe = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(typed)}; _workbench;"
        ' printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, check=True)
    assert expected in done.stdout.split()


def test_every_command_with_output_has_a_json_form():
    silent = {"lab", "serve", "stop", "worker"}  # they open, run or end something and print nothing
    for name, words in all_words().items():
        if name not in silent:
            assert "--json" in words.options, name
