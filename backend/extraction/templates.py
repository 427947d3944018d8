"""The shape of values, learnt from examples: "AB-2021-0042" is capitals, digits and hyphens.

A shape with digits or punctuation finds values without a label. Patterns consist of character
classes only, so they run in linear time whatever the examples contain.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

_CLASSES = {"A": "[A-Z]", "a": "[a-z]", "9": r"\d"}
MAX_EXAMPLE = 80
_LONGEST = 2_000


def _class(char: str) -> str:
    if char.isdigit():
        return "9"
    if char.isalpha():
        return "A" if char.isupper() else "a"
    return char


def shape(text: str) -> tuple[tuple[str, int], ...]:
    """Runs of character classes with their lengths; other characters stand for themselves."""
    return tuple((kind, len(list(run))) for kind, run in groupby(_class(char) for char in text))


@lru_cache(maxsize=2_000)
def pattern(examples: tuple[str, ...]) -> re.Pattern[str] | None:
    """A pattern for values like the examples, or None if they have no distinctive shape.

    A shape is distinctive if it has a digit and at least two kinds of characters, or an "@".
    """
    choices = []
    for example in examples:
        text = example.strip()
        kinds = {_class(char) for char in text}
        telling = "9" in kinds and len(kinds) >= 2 and not re.fullmatch(r"[\d.,\s]+", text)
        if (
            not (telling or "@" in kinds)
            or not 3 <= len(text) <= MAX_EXAMPLE
            or text.count(" ") > 2
        ):
            continue
        if "@" in kinds:
            choices.append(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
        else:
            choices.append("".join(_run(kind, length) for kind, length in shape(text)))
    if not choices or len(choices) < len(examples) / 2:
        return None
    distinct = "|".join(dict.fromkeys(choices))
    return re.compile(rf"(?<![\w-])(?:{distinct})(?![\w-])")


def _run(kind: str, length: int) -> str:
    if kind not in _CLASSES:
        return re.escape(kind) * length
    low = length if length <= 1 else max(1, length - 1)
    return f"{_CLASSES[kind]}{{{low},{length + 2}}}"


def texts(examples: Iterable[object] | None) -> tuple[str, ...]:
    """The examples that are strings. Long ones show nothing and would delay every document."""
    strings = (example for example in examples or () if isinstance(example, str))
    return tuple(example for example in strings if len(example) <= _LONGEST)
