"""Reunites separated words that belong together, and splits words that contain two.

`leave Texas out` means `exclude Texas`, `break it down by state` groups; `unaudited` is `not
audited` if the collection records what is audited.
"""

from collections.abc import Sequence
from dataclasses import replace

from backend.language.spelling import NEGATING
from backend.language.tokens import Token
from backend.language.words import stem
from backend.plans.reading.vocabulary import Vocabulary

_TAKING = frozenset(
    """
    leave leaving take taking filter filtering throw cut rule weed drop keep keeping
    """.split()  # noqa: SIM905
)
_PARTING = frozenset({"break", "breaking", "split", "divide"})
_MEANT: dict[str, tuple[frozenset[str], str]] = {
    "out": (_TAKING, "exclude"),
    "down": (_PARTING, "group"),
    "up": (_PARTING, "group"),
    "off": (frozenset({"leave", "leaving", "take", "taking", "cross", "strike"}), "exclude"),
    "around": (frozenset({"turn", "switch", "flip", "swap"}), "reverse"),
    "round": (frozenset({"turn", "switch", "flip", "swap"}), "reverse"),
    "away": (
        frozenset({"take", "taking", "throw", "throwing", "put", "clear", "leave", "leaving"}),
        "drop",
    ),
    "aside": (frozenset({"put", "set", "putting", "leave", "leaving"}), "exclude"),
    "in": (frozenset({"bring", "throw", "let", "put"}), "include"),
    "back": (frozenset({"bring", "put", "add"}), "include"),
}
_AFTER_PHRASE = frozenset({"too", "again", "as", ".", "please", ",", ";", "and", "in", "now"})
_GAP = 6
_BEFORE_VERBS = frozenset(
    """
    and or but then to please also now just only not you we i can could should would let us me
    instead rather
    """.split()  # noqa: SIM905
)
_MOVING = frozenset(
    """
    bump bumping bring bringing push pushing move moving raise raising lower lowering lift lifting
    take taking crank turn pull pulling drop dropping reduce reducing increase increasing shift
    cut cutting put putting ratchet tighten loosen
    """.split()  # noqa: SIM905
)
_LIFTING = frozenset(
    """
    bring bringing crank lift lifting pull pulling ratchet
    """.split()  # noqa: SIM905
)
_STEERED_TO = frozenset({"up", "down"})
_GRAMMAR = frozenset(map(stem, ("group", "sort", "order", "filter", "limit")))


def reunited(tokens: Sequence[Token]) -> list[Token]:
    """Tokens with a verb and its separated particle merged into the verb they mean."""
    made = list(tokens)
    for i, token in enumerate(tokens):
        for j in range(i + 2, min(len(tokens), i + _GAP + 1)):
            verbs, meant = _MEANT.get(tokens[j].lower, (frozenset[str](), ""))
            if tokens[j - 1].lower in verbs and _commands(tokens, j - 1):
                break  # "drop the limit and leave out Leeds": it belongs to the nearer verb
            if token.lower in verbs and _ends(tokens, j):
                made[i] = replace(token, text=meant)
                made[j] = replace(tokens[j], text="the")
                break
            if token.lower in _MOVING and _commands(tokens, i) and _moves_to(tokens, j):
                # "bump the minimum up to 40"
                made[j] = replace(tokens[j], text="the")
                if token.lower in _LIFTING:
                    made[i] = replace(token, text="move")
                break
            hyphen = tokens[j].text == "-" and tokens[j].joined
            if tokens[j].kind == "sign" and not hyphen and not _abbreviates(tokens, j):
                break
    return made


def _moves_to(tokens: Sequence[Token], j: int) -> bool:
    """Whether a particle gives the direction in which a bound moves to a number: `up to 40`."""
    behind = [token.lower for token in tokens[j + 1 : j + 2]]
    return tokens[j].lower in _STEERED_TO and behind == ["to"]


def _commands(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word is a verb here: `and leave`, but not `the text filter`."""
    return i == 0 or tokens[i - 1].kind == "sign" or tokens[i - 1].lower in _BEFORE_VERBS


def _abbreviates(tokens: Sequence[Token], j: int) -> bool:
    """Whether a full stop follows an abbreviation in a name: `St. Agatha`."""
    named = j + 1 < len(tokens) and tokens[j + 1].text[0].isupper()
    return tokens[j].text == "." and named and len(tokens[j - 1].text) <= _SHORT


_SHORT = 3


def _ends(tokens: Sequence[Token], j: int) -> bool:
    """Whether a particle ends its phrase, unlike in `in Texas` or `down by 5`."""
    if tokens[j].lower in ("in", "back"):
        return j + 1 == len(tokens) or tokens[j + 1].lower in _AFTER_PHRASE
    return True


def loosened(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[Token]:
    """Tokens with the `un` and `non` of `unaudited` split off if the rest names a property."""
    names = {part for prop in vocabulary.properties for part in prop.parts}
    names |= {word for p in vocabulary.properties if p.kind == "bool" for word in p.described}
    names |= {w for p in vocabulary.properties if p.dated and p.gaps for w in p.described}
    results: list[Token] = []
    for token in tokens:
        whole = token.kind != "word" or token.lower in vocabulary.states
        rest = "" if whole else _without_negation(token, names)
        if rest:
            middle = token.start + len(token.text) - len(rest)
            results.append(Token("not", "word", token.start, middle))
            results.append(Token(rest, "word", middle, token.end, True))
        else:
            results.append(token)
    return results


def _without_negation(token: Token, names: set[str]) -> str:
    """A word without its `un`, `non` and the like; nothing if they are part of it."""
    if stem(token.text) in names:
        return ""
    cut = [token.text[len(p) :] for p in NEGATING if token.lower.startswith(p)]
    named = next((rest for rest in cut if len(rest) > 3 and stem(rest) in names), "")
    steers = token.lower.startswith("un") and cut and stem(cut[0]) in _GRAMMAR
    return named or (cut[0] if steers else "")
