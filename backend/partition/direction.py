"""Right-to-left scripts: recognising them, and putting the words of a line in reading order."""

import re
from itertools import groupby

_LEFTWARD = re.compile("[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_OTHER = re.compile(r"[^\W\d_]")


def is_leftward(text: str) -> bool:
    """Whether most letters belong to a right-to-left script."""
    if text.isascii():
        return False
    leftward = len(_LEFTWARD.findall(text))
    return 2 * leftward > len(_OTHER.findall(text)) if leftward else False


def in_reading_order(words: list[str]) -> list[str]:
    """The words of a line, which come from left to right, as they are read: a line of a leftward
    script from its right end, with the numbers and foreign words in it from left to right."""
    leftward = is_leftward("".join(words))
    if not leftward and not any(map(is_leftward, words)):
        return words
    runs = [(own, list(run)) for own, run in groupby(words, key=is_leftward)]
    if leftward:
        runs.reverse()
    return [word for own, run in runs for word in (reversed(run) if own else run)]
