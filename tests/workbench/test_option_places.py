"""Options of a command may stand before, between and after its arguments."""

import pytest

from workbench.commands.running import parsed


@pytest.mark.parametrize(
    "words",
    [
        "search NAME ice --limit 2",
        "search NAME --limit 2 ice",
        "search --limit 2 NAME ice",
        "search NAME --limit 2 -- ice",
    ],
)
def test_a_search_finds_its_words_wherever_the_options_stand(words: str) -> None:
    arguments = parsed(words.split())
    found = arguments.command, arguments.docset, arguments.query, arguments.limit
    assert found == ("search", "NAME", "ice", 2)


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        ("add NAME a.pdf --quiet b.pdf", "files", ["a.pdf", "b.pdf"]),
        ("docsets create --yes NAME", "docset", "NAME"),
        ("models use --json minilm NAME", "docset", "NAME"),
    ],
)
def test_so_do_commands_whose_last_argument_may_be_missing(
    words: str, name: str, value: object
) -> None:
    assert getattr(parsed(words.split()), name) == value


def test_an_unknown_option_is_refused_with_the_usage_of_its_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        parsed(["search", "NAME", "ice", "--no-such"])
    assert "usage: workbench search" in capsys.readouterr().err
