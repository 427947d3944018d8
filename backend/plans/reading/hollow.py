"""Words that never carry a condition: talk, adverbs of manner and time, shorthand.

A word that names a thing, such as a noun after `with`, is never one of these: it stays unknown, so
that a request is not answered without it. Words dropped only because of their form are reported.
"""

from collections.abc import Sequence

from backend.language.adjectives import PLAIN
from backend.language.frequent_words import is_english
from backend.language.tokens import Token
from backend.language.units import unit_word
from backend.plans.reading.pieces import Piece

_TALK = frozenset(
    """
    ah aha alas altogether anyhow apparently asap ask asked asking atm basically bit boss btw bunch
    cheers completely cool couple curious currently dear dunno eh else em er fellow folks forgot fyi
    gonna gotta guys ha handy heard hm hmm hmmm honestly hopefully huh idk imo interested just kinda
    keen lol lot lots luckily maybe mhm moment nah nope ok okay oops ought overall perhaps pretty
    quick quickly r remember rn simply somehow somewhere soon sorry squarely sure tbh thereof today
    together totally u ur ummm usual wait wanna whatsoever whenever wonder wondered wondering
    wonders worth wow ya yay yo yup
    """.split()  # noqa: SIM905
)
_ADVERBS = frozenset(
    """
    somewhat likewise nonetheless nevertheless henceforth meanwhile therefore thus hence anyways
    sometime
    indeed nevertheless outright thereafter beforehand alike hitherto otherwise nowadays duh gosh
    gee yikes whoa oopsie mate
    """.split()  # noqa: SIM905
)
"""Dropped and reported like adverbs in `ly`: adverbs of degree and connection, exclamations."""
_TIMES = frozenset({"daily", "hourly", "early", "nightly", "biweekly", "fortnightly"})
_NOUN_FOLLOWS = frozenset(
    """
    a an the with without in at of by per from for on to no any every each called named
    """.split()  # noqa: SIM905
)
_SHORT = 2


def passed_over(
    piece: Piece, tokens: Sequence[Token], near: Sequence[Piece]
) -> tuple[bool, str | None]:
    """Whether an unknown word is empty here, and the note that reports it.

    `near` are the other pieces of the clause.
    """
    token = tokens[piece.start]
    word = token.lower
    before = tokens[piece.start - 1].lower if piece.start else ""
    shared = word in ("other", "others", "another") and any(p.tag == "@" for p in near)
    following = tokens[piece.end].lower if piece.end < len(tokens) else ""
    another = word == "another" and any(p.tag == "P" and p.start == piece.end for p in near)
    if word in ("over", "across") and following in ("all", "the", "every", "both", "our"):
        return True, None
    if word in _TALK or shared or another:
        return True, None
    if before == "in" and _is_known_unit(word, near):
        return True, None
    if word in PLAIN and any(p.tag == "C" for p in near) and any(p.tag == "N" for p in near):
        return True, f"“{token.text}” was read as part of the number"
    adverb = word not in _TIMES and is_english(word) and _is_of_manner(word)
    adverb = adverb or (word in _ADVERBS and before not in _NOUN_FOLLOWS)
    shorthand = len(word) <= _SHORT and token.text.islower() and before not in _NOUN_FOLLOWS
    if piece.end - piece.start == 1 and token.kind == "word" and (adverb or shorthand):
        return True, f"ignored “{token.text}”, which adds nothing"
    return False, None


def _is_of_manner(word: str) -> bool:
    """Whether a word is an adverb made of an adjective: `quickly`, `simply`, but not `smelly`."""
    if not word.endswith("ly"):
        return False
    made_of = (word[:-2], word[:-1] + "e", word[:-3] + "y", word[:-2] + "ic", word[:-4])
    return any(len(other) > 2 and is_english(other) for other in made_of)


def _is_known_unit(word: str, near: Sequence[Piece]) -> bool:
    """`in metres`, if a nearby property has that unit."""
    unit = unit_word(word)
    units = {m.prop.unit.name for p in near if p.tag == "P" for m in p.load if m.prop.unit}
    return unit is not None and unit in units
