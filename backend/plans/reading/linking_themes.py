"""Links phrases that no property answers to the texts: `visits where a hose had burst`, `visits
that mention aphids`.

Such a phrase goes beyond the properties and contains words of the texts, but no numbers, dates,
comparisons or names. Whether it is better read in another way is up to the score.
"""

from collections.abc import Iterator, Sequence

from backend.language.common_words import LIGHT_VERBS, is_past
from backend.language.lexicon import LONGEST_PHRASE, phrases
from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.chart import Chart, Features
from backend.plans.reading.linking_meanings import BY_MEANING
from backend.plans.reading.linking_nouns import GUESSED
from backend.plans.reading.linking_types import Theme
from backend.plans.reading.vocabulary import Vocabulary

_SAYING = "R"
"""The tag of words such as `about` and `mention` in the lexicon."""
_EXACT = ("Num", "Date", "Year", "Quote", "Comparative", "Superlative")
_RELATIVE = frozenset("whose where who which that when".split())  # noqa: SIM905
_WHICH = frozenset("which whom whose".split())  # noqa: SIM905
_BEFORE_WHICH = frozenset("in on at of for from with by during to about".split())  # noqa: SIM905
_TAIL = frozenset(
    ", in from for of at on since before after during by per grouped sorted and with".split()  # noqa: SIM905
)
"""Exact terms at the end of a phrase begin with these."""


def theme_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds such phrases to a chart that has all other links."""
    if not vocabulary.text_words:
        return
    exact = _places(chart, _EXACT) | {
        i for i in _places(chart, ("Val",)) if tokens[i].text[:1].isupper()
    }
    known = _named(chart)
    for start, begin, feature in _beginnings(chart, tokens):
        for end in _ends(tokens, begin):
            if not exact.isdisjoint(range(begin, end)):
                continue
            content = [i for i in range(begin, end) if _carries(tokens[i], vocabulary)]
            unknown = [i for i in content if i not in known]
            stated = [i for i in content if tokens[i].stem in vocabulary.text_stems]
            if not unknown or not set(unknown) & set(stated):
                continue
            features: Features = (
                ("theme", 1.0),
                (feature, 1.0),
                ("theme: known words", float(len(content) - len(unknown))),
                ("theme: words of no text", float(len(set(unknown) - set(stated)))),
            )
            theme = Theme(_words(tokens[begin:end]), feature == _SPOKEN)
            chart.add(start, end, "Theme", theme, _some(features))


_SPOKEN, _CLAUSE, _BARE = "theme: spoken of", "theme: clause", "theme: bare verb"


def _some(features: Features) -> Features:
    return tuple((name, amount) for name, amount in features if amount)


def _places(chart: Chart, kinds: Sequence[str]) -> frozenset[int]:
    return frozenset(i for k in kinds for e in chart.edges(k) for i in range(e.start, e.end))


def _named(chart: Chart) -> frozenset[int]:
    """The tokens that name properties, values or the documents, and are not only guessed to."""
    edges = [e for kind in ("Prop", "Val", "Flag", "Noun") for e in chart.edges(kind)]
    sure = [e for e in edges if all(name not in (GUESSED, BY_MEANING) for name, _ in e.features)]
    return frozenset(i for e in sure for i in range(e.start, e.end))


def _beginnings(chart: Chart, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Where such a phrase and what it says may begin."""
    heads = {e.end for e in chart.edges("Noun")}
    asked = bool(tokens) and tokens[0].lower in ("which", "what")
    for i, token in enumerate(tokens[:-1]):
        following = tokens[i + 1].lower
        if i and _says(tokens, i):
            yield i, i, _SPOKEN
            if tokens[i - 1].lower in _RELATIVE:
                yield i - 1, i, _SPOKEN
        if not i or tokens[i - 1].kind != "word":
            continue
        if token.lower in _BEFORE_WHICH and following in _WHICH:
            yield i, i + (1 if following == "whose" else 2), _CLAUSE
        elif token.lower in _RELATIVE:
            yield i, i if token.lower == "whose" else i + 1, _CLAUSE
        elif asked and i in heads and (is_past(token.lower) or token.lower in LIGHT_VERBS):
            yield i, i, _BARE


def _says(tokens: Sequence[Token], i: int) -> bool:
    words = tuple(token.lower for token in tokens[i : i + LONGEST_PHRASE])
    return any(phrases().get(words[:n], ("",))[0] == _SAYING for n in range(1, len(words) + 1))


def _ends(tokens: Sequence[Token], begin: int) -> Iterator[int]:
    """Where it may end: at the end of the text, or before exact terms."""
    last = len(tokens)
    while last > begin and tokens[last - 1].kind == "sign":
        last -= 1
    yield last
    for i in range(last - 1, begin + 1, -1):
        if tokens[i].lower in _TAIL:
            yield i


def _carries(token: Token, vocabulary: Vocabulary) -> bool:
    plain = token.kind == "word" and token.lower not in FUNCTION_WORDS | LIGHT_VERBS
    return plain and token.stem not in vocabulary.nouns


def _words(tokens: Sequence[Token]) -> str:
    spaced = ("" if token.kind == "sign" else " " for token in tokens)
    return "".join(s + token.text for s, token in zip(spaced, tokens, strict=True)).strip()
