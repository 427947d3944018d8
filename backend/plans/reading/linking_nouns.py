"""Links other nouns for the documents: `shipments` for consignments, `jobs` for translations.

People choose their own names for documents. A plural, or a singular after `which` or `every`, that
the collection does not know and that stands where a sentence names its subject almost certainly
means the documents. The link has a cost, and the plan reports the interpretation.
"""

from collections.abc import Iterator, Sequence

from backend.language.common_words import CARRIERS, LIGHT_VERBS
from backend.language.nouns import singular
from backend.language.tokens import Token
from backend.language.units import unit_word
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.chart import Chart, Features
from backend.plans.reading.descriptions import KIND_WORDS
from backend.plans.reading.vocabulary import Vocabulary

GUESSED = "noun: guessed"
"""The feature of a noun that means the documents by its position alone."""

_KINDS = ("Prop", "Val", "Noun", "Flag", "Num", "Date", "Year", "Adjective", "Comparative",
          "Superlative", "Unit", "Bucket")  # fmt: skip
_SINGLE = frozenset({"every", "each", "which", "whose", "any", "what", "single"})
_APART = frozenset({"different", "distinct", "unique", "various", "separate"})
"""Words before values, not documents: `how many different places`."""
_JOINING = frozenset({"and", "or", "nor", "&", ",", "/"})
"""Coordinated nouns follow these: `dogs and cats`."""
_OF_KEYS = frozenset({"for", "in", "of", "by", "from", "at", "to", "within", "on", "with"})
_RELATIVE = frozenset({"where", "that", "which", "whose", "who", "with", "without"})
_MOST_BETWEEN = 3
_NEVER = KIND_WORDS | {"time", "times", "thing", "things", "way", "ways", "day", "days", "part",
                       "parts", "half", "rest", "answer", "answers", "question"}  # fmt: skip
"""Words in such positions that name nothing."""
_AHEAD = frozenset(
    """
    the all any every each which what these those our my their his her show list find give get see
    want need have many of us me single for among just only
    """.split()  # noqa: SIM905
)
_BEHIND = frozenset(
    """
    about above after among and are at before behind below between by did do does during for from
    had has have having in is made of on or over per since that there to under until was we were
    when where which who whose with within without not never still whom got came went
    """.split()  # noqa: SIM905
)


def link_other_nouns(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds possible nouns for the documents to a chart that has all other links."""
    linked = frozenset(
        i for kind in _KINDS for e in chart.edges(kind) for i in range(e.start, e.end)
    )
    for i, features in _guessed(tokens, linked, vocabulary):
        chart.add(i, i + 1, "Noun", None, features)


def guessed_nouns(chart: Chart) -> frozenset[int]:
    """The tokens linked in this way."""
    return frozenset(e.start for e in chart.edges("Noun") if (GUESSED, 1.0) in e.features)


def _guessed(
    tokens: Sequence[Token], linked: frozenset[int], vocabulary: Vocabulary
) -> Iterator[tuple[int, Features]]:
    for i, token in enumerate(tokens):
        if token.kind != "word" or i in linked or not _is_noun(tokens, i, linked):
            continue
        features = [("noun", 1.0), (GUESSED, 1.0)]
        if token.lower in vocabulary.text_words:
            features.append(("noun: guessed, in texts", 1.0))
        if any(t.stem in vocabulary.nouns for k, t in enumerate(tokens) if k != i):
            features.append(("noun: guessed beside another", 1.0))
        yield i, tuple(features)


def _in_front(tokens: Sequence[Token], i: int, linked: frozenset[int]) -> str:
    """The word before a noun and its links: `every` in `every Kestrel load`."""
    place = i - 1
    while place > 0 and place in linked and i - place <= _MOST_BETWEEN:
        place -= 1
    return tokens[place].lower if place >= 0 else ""


def _is_key(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word is a group key: `for each gender`, `per team`."""
    before = [token.lower for token in tokens[max(0, i - 2) : i]]
    return before[-1:] in (["per"], ["by"]) or (
        before[-1:] in (["each"], ["every"]) and before[:1] != before[-1:] and before[0] in _OF_KEYS
    )


def _is_noun(tokens: Sequence[Token], i: int, linked: frozenset[int]) -> bool:
    """Whether a word is the head of the request's subject: after a request, before a condition."""
    word = tokens[i].lower
    before = tokens[i - 1].lower if i else ""
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if (
        word in _NEVER
        or word in FUNCTION_WORDS
        or word in LIGHT_VERBS
        or word in CARRIERS
        or unit_word(word)
    ):
        return False
    if before in _APART or before in _JOINING or _is_key(tokens, i):
        return False
    opens = i == 0 and after is not None and after.lower in _RELATIVE
    if singular(word) == word and not opens and _in_front(tokens, i, linked) not in _SINGLE:
        return False
    ends = after is None or after.kind in ("sign", "number") or after.lower in _BEHIND
    return ends or before in _AHEAD
