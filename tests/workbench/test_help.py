"""`workbench help` lists the pages of the guide and shows one."""

import argparse
import json

import pytest

from workbench.commands import help
from workbench.commands.common import CommandFailed
from workbench.guide import TOPICS, NoSuchPage, page


def _run(topic: str | None, *, as_json: bool = False) -> int:
    return help.run(argparse.Namespace(topic=topic, json=as_json))


def test_without_a_topic_every_page_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(None) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(TOPICS)


def test_a_page_is_printed_unformatted_without_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("questions") == 0
    assert capsys.readouterr().out == page("questions")


def test_programs_get_pages_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(None, as_json=True) == 0
    assert json.loads(capsys.readouterr().out) == TOPICS
    assert _run("search", as_json=True) == 0
    assert json.loads(capsys.readouterr().out) == {"topic": "search", "text": page("search")}


def test_an_unknown_page_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(CommandFailed, match="terminal, notebooks"):
        _run("nope")
    with pytest.raises(NoSuchPage):
        page("../README")
