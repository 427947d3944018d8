"""`workbench completion`: prints a script that completes words without the server."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from workbench.commands.catalogue import COMMANDS
from workbench.commands.common import print_json


@dataclass(frozen=True)
class Words:
    """What a command accepts: description, options, and the words of fixed choices."""

    sentence: str
    options: tuple[str, ...]
    choices: tuple[str, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=sorted(_SCRIPTS), help="the shell to complete for")
    parser.add_argument("--json", action="store_true", help="only the words, as JSON")
    parser.epilog = (
        "bash: source <(workbench completion bash)   zsh: the same with zsh   "
        "fish: workbench completion fish | source"
    )


def run(arguments: argparse.Namespace) -> int:
    words = all_words()
    if arguments.json:
        print_json({name: vars(command) for name, command in words.items()})
    else:
        print(_SCRIPTS[arguments.shell](words))
    return 0


def all_words() -> dict[str, Words]:
    """Every command with its words, in help order."""
    return {command.name: _words(command.module, command.sentence) for command in COMMANDS}


def _words(module: str, sentence: str) -> Words:
    parser = _Recorder()
    import_module(f"workbench.commands.{module}").add_arguments(parser)
    return Words(sentence, tuple(parser.options), tuple(dict.fromkeys(parser.choices)))


class _Recorder(argparse.ArgumentParser):
    """A parser that records the arguments added to it."""

    def __init__(self) -> None:
        self.options: list[str] = []
        self.choices: list[str] = []
        super().__init__(add_help=False)

    def add_argument(self, *names: str, **details: object) -> argparse.Action:
        """As in the base class; options are recorded by their long names."""
        self.options += [name for name in names if name.startswith("--")]
        choices = details.get("choices")
        if isinstance(choices, list | tuple | dict):
            self.choices += map(str, choices)
        return super().add_argument(*names, **details)  # type: ignore[arg-type]


def _bash(words: Mapping[str, Words]) -> str:
    cases = "\n".join(
        f'    {name}) words="{" ".join((*command.choices, *command.options, "--help"))}" ;;'
        for name, command in words.items()
    )
    return f"""_workbench() {{
  local words current="${{COMP_WORDS[COMP_CWORD]}}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{" ".join(words)} --help --version" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}}
complete -o filenames -F _workbench workbench"""


def _zsh(words: Mapping[str, Words]) -> str:
    commands = "\n".join(f"    '{name}:{_quoted(w.sentence)}'" for name, w in words.items())
    cases = "\n".join(
        f"    {name}) compadd -- {' '.join((*command.choices, *command.options, '--help'))} ;;"
        for name, command in words.items()
    )
    return f"""#compdef workbench
_workbench() {{
  local -a commands
  commands=(
{commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
{cases}
  esac
  _files
}}
compdef _workbench workbench"""


def _fish(words: Mapping[str, Words]) -> str:
    lines = []
    for name, command in words.items():
        condition = f"__fish_seen_subcommand_from {name}"
        lines.append(
            f"complete -c workbench -n __fish_use_subcommand -f -a {name}"
            f" -d '{_quoted(command.sentence)}'"
        )
        if command.choices:
            lines.append(f"complete -c workbench -n '{condition}' -a '{' '.join(command.choices)}'")
        lines += [
            f"complete -c workbench -n '{condition}' -l {option.removeprefix('--')}"
            for option in command.options
        ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """For single quotes in all three shells; a colon would end a word in zsh."""
    return text.replace("'", "").replace(":", ",")


_SCRIPTS: Mapping[str, Callable[[Mapping[str, Words]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
