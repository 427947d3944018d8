"""Fields of made documents, from `fields.txt`: how a schema names them, how documents tell them."""

from dataclasses import dataclass
from pathlib import Path

from tests.bench.made import phrases
from tests.bench.made.values import Maker, maker


@dataclass(frozen=True)
class Field:
    """A field: its type, how its value is made, and the ways to name, describe and tell it."""

    kind: str
    make: Maker
    names: list[str]
    descriptions: list[str]
    labels: list[str]
    sentences: list[str]
    choices: list[str]
    stated_per: dict[bool, list[str]]
    """Sentences that say yes, and those that say no."""


def _read() -> dict[str, Field]:
    fields: dict[str, Field] = {}
    blocks: list[tuple[str, str, dict[str, str]]] = []
    text = Path(__file__).with_name("fields.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("  "):
            key, _, value = line.strip().partition(" ")
            blocks[-1][2][key] = value
        elif line and not line.startswith("#"):
            name, _, kind = line.partition(": ")
            blocks.append((name, kind, {}))
    for name, kind, parts in blocks:
        how, _, with_ = parts["make"].partition(" ")
        ways = [parts.get(part, "") for part in ("name", "told", "label", "said")]
        names, descriptions, labels, sentences = ([w for w in way.split("|") if w] for way in ways)
        choices = with_.split("|") if kind == "choice" else []
        answers = {True: parts.get("yes", "").split("|"), False: parts.get("no", "").split("|")}
        make = maker(how, with_)
        fields[name] = Field(kind, make, names, descriptions, labels, sentences, choices, answers)
    return fields


def _read_wide() -> dict[str, Field]:
    """The fields of `wide.txt`, each on a line of its own."""
    fields: dict[str, Field] = {}
    for line in Path(__file__).with_name("wide.txt").read_text("utf-8").splitlines():
        if not line or line[0] in "#[" or line.startswith(" "):
            continue
        key, kind, how, names, descriptions, labels, sentences = line.split(" ~ ")
        yes, _, no = sentences.partition(" // ")
        answers = {True: yes.split("|"), False: no.split("|")} if no else {}
        made, _, with_ = how.partition(" ")
        choices = with_.split("|") if kind == "choice" else []
        fields[key] = Field(
            kind, _wide_maker(made, with_), names.split("|"), descriptions.split("|"),
            labels.split("|"), [] if no else sentences.split("|"), choices, answers,
        )  # fmt: skip
    return fields


def _wide_maker(how: str, options: str) -> Maker:
    if how == "several":
        return phrases.several(*options.split("|"))
    return phrases.PLAIN.get(how) or maker(how, options)


FIELDS = _read() | _read_wide()
