"""Rules typed with letters, as in the printouts of older programs: rows of hyphens or equals signs,
upright bars above each other. They become rules, so that everything else treats them as drawn.
"""

from backend.partition.page import Rule, Word
from backend.partition.tables.columns import stretches
from backend.partition.tables.grid import rows_in_order

_DASHES, _BARS = frozenset("-=─━═"), frozenset("|│")
_JOINTS = frozenset("+┼├┤┬┴┌┐└┘") | _BARS
_LEAST, _LONG = 3, 10
"""Dashes of a rule, and of one beside a heading."""


def without_typed_rules(words: list[Word]) -> tuple[list[Word], list[Rule]]:
    """The other words, and the rules."""
    if not any(_is_flat(word.text) for word in words):
        return words, []
    rules: list[Rule] = []
    typed: set[Word] = set()
    for row in rows_in_order(words):
        flat = [word for word in row if _is_flat(word.text)]
        rest = [word for word in row if not _is_flat(word.text) and not _is_bar(word)]
        if not flat or (rest and not _is_heading(rest, flat)):
            continue
        typed.update(word for word in row if word in flat or _is_bar(word))
        rules += [Rule(True, word.box.mid_y, word.box.x0, word.box.x1) for word in flat]
    for bar in [word for word in words if rules and _is_bar(word) and word not in typed]:
        half = bar.box.height / 2
        rules.append(Rule(False, bar.box.mid_x, bar.box.y0 - half, bar.box.y1 + half))
        typed.add(bar)
    return [word for word in words if word not in typed], rules


def _is_flat(text: str) -> bool:
    dashes = sum(map(_DASHES.__contains__, text))
    return dashes >= _LEAST and all(letter in _DASHES or letter in _JOINTS for letter in text)


def _is_bar(word: Word) -> bool:
    return word.text in _BARS


def _is_heading(words: list[Word], flat: list[Word]) -> bool:
    """Whether a row is one text between or beside long rules."""
    long = any(len(word.text) >= _LONG for word in flat)
    return long and len(stretches(words, 1.1 * words[0].style.size)) == 1
