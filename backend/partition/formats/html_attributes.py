"""Cuts HTML tags with very many attributes.

The parser compares each attribute of a tag with all those before it; a tag of 700 kB took it twenty
seconds.
"""

import re

_MOST = 500
"""The most attributes that a tag keeps."""
_LONG = 50_000
"""Pages of fewer characters are too short for it to matter."""
_SHORT = 2 * _MOST
"""The least characters that so many attributes take."""
_OPENING = re.compile(r"<[A-Za-z][^\s>/]*")
_STEP = re.compile(r"""[\s/]+|>|=\s*(?:"|'|[^\s"'>][^\s>]*)?|[^\s/>=]+""")
"""Between attributes, the end of the tag, a value or the beginning of one, a name."""


def with_few_attributes(markup: str) -> str:
    """The page with a limited number of attributes in each tag."""
    if len(markup) < _LONG:
        return markup
    kept: list[str] = []
    place = copied = 0
    while opening := _OPENING.search(markup, place):
        place, cut = _end_of_tag(markup, opening.end())
        if cut is not None:
            kept.append(markup[copied:cut])
            copied = place
    return "".join([*kept, markup[copied:]])


def _end_of_tag(markup: str, place: int) -> tuple[int, int | None]:
    """Where the tag ends, before its `>`, and where its first surplus attribute begins."""
    if _is_short(markup[place : place + _SHORT].partition(">")):
        return place, None
    names, cut = 0, None
    while step := _STEP.match(markup, place):
        text = step[0]
        if text == ">":
            break
        place = step.end()
        if text[0] == "=" and text[1:].strip() in ("'", '"'):
            closing = markup.find(text[-1], place)
            place = len(markup) if closing < 0 else closing + 1
        elif text[0] not in "= \t\r\n\f/":
            names += 1
            if names == _MOST + 1:
                cut = step.start()
    return place, cut


def _is_short(rest: tuple[str, str, str]) -> bool:
    """Whether the tag ends so soon that it cannot have many attributes."""
    inside, end, _ = rest
    return bool(end) and inside.count('"') % 2 == 0 and "'" not in inside
