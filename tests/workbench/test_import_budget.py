"""The packages an import may load: starting a command must not load a data-frame library."""

import subprocess
import sys

import pytest

FRAMES = {"pandas", "polars", "pyarrow", "numpy"}
SCREENS = {"textual", "ipywidgets", "anywidget", "IPython"}
NETWORK = {"httpx", "pydantic"}


def loaded(statement: str) -> set[str]:
    """The top-level packages in `sys.modules` after the statement, in a fresh interpreter."""
    code = f"{statement}\nimport sys\nprint(*sorted({{n.partition('.')[0] for n in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("statement", "forbidden"),
    [
        ("import workbench.cli", FRAMES | SCREENS | NETWORK | {"typing", "argparse"}),
        ("import workbench", FRAMES | SCREENS | NETWORK),
        ("import workbench.client.errors", FRAMES | SCREENS | {"httpx"}),
        ("import workbench; workbench.AsyncClient", FRAMES | SCREENS),
        ("import workbench; workbench.connect", FRAMES | SCREENS),
        ("import workbench.frames", FRAMES | SCREENS),
        ("import workbench.launch", FRAMES | SCREENS | {"httpx"}),
        ("import workbench.commands.running", FRAMES | SCREENS | NETWORK),
        (
            "import workbench.commands.running as c\n"
            "for command in c.COMMANDS: c.parsers(command.name)",
            FRAMES | SCREENS | {"httpx"},
        ),
    ],
)
def test_an_import_loads_nothing_that_it_does_not_need(statement, forbidden):
    assert loaded(statement) & forbidden == set()


def test_every_public_name_can_be_loaded_and_others_are_refused():
    import workbench
    import workbench.client

    for package in (workbench, workbench.client):
        assert all(getattr(package, name) is not None for name in package.__all__)
        assert set(package.__all__) <= set(dir(package))
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            _ = package.nothing


@pytest.mark.parametrize("form", ["parquet", "arrow", "csv", "jsonl", "xlsx"])
def test_a_frame_and_its_files_need_neither_pyarrow_nor_pandas(tmp_path, form):
    made = f"frame = Documents([]); repr(frame); frame.write({str(tmp_path / f'x.{form}')!r})"
    statement = f"from workbench.frames import Documents; {made}"
    assert loaded(statement) & {"pyarrow", "pandas"} == set()
