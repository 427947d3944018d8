"""Turns text into stems, for elements and for queries.

Words are runs of letters and digits, folded in case and accents and stemmed in the DocSet's
language. In scripts written without spaces, each character and each pair of neighbours is a word.
A compound with a short part also counts as one word: "email" or "PA28" finds "e-mail" and "PA-28".
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from backend.language.words import INVISIBLE
from backend.search.lexical.stopwords import STOP_WORDS

LANGUAGES: Final = frozenset(
    (
        "arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian",
        "italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "tamil",
        "turkish",
    )
)  # fmt: skip
"""Languages with a stemmer; words of others are indexed unstemmed."""

_WITH_STOP_LIST: Final = LANGUAGES - {"arabic", "english", "greek", "romanian", "tamil", "turkish"}
_LONGEST_WORD = 100
_MOST_TERMS = 400
_SHORT_PART = 2
_OPENING = 2000
"""Characters of an element that feedback reads."""

# Han, kana, Hangul, and the south-east Asian scripts without word breaks.
UNSPACED: Final = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_UNSPACED_RUN = re.compile(UNSPACED)
# Signs inside words at which the tokenizer would break the word: accents without a composed letter,
# Hebrew and Arabic points, viramas and dots of Indic scripts, tone marks of Thai, Lao, Burmese and
# Khmer, soft hyphens, spaces without width and joiners.
_INNER_SIGNS = re.compile(
    f"[\u00ad\u200b{INVISIBLE}\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
    "\u093c\u094d\u09bc\u09cd\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c4d\u0cbc\u0ccd\u0d4d"
    "\u0e47-\u0e4e\u0ec8-\u0ecd\u1037\u1039\u103a\u17c9-\u17d3\u200c\u200d\ufe0f]+"
)
# Tried only where a word begins: tried at each letter, a long word takes the square of its time.
_COMPOUND = re.compile(r"(?<![^\W_])[^\W_]++(?:-[^\W_]++)+")
_THOUSANDS = re.compile(r",(?<=\d,)(?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W_]+")
_SIGNS: Final = {place: " " for place in range(128) if not chr(place).isalnum()}


@dataclass(frozen=True)
class Words:
    """An element as indexed: its prepared text and the stop words in it."""

    key: int
    text: str
    common: tuple[str, ...]

    @property
    def opening(self) -> str:
        """The part of the text that feedback reads."""
        return self.text[:_OPENING]


def words_of(key: int, text: str, language: str) -> Words:
    """Prepares an element for the index."""
    prepared = prepare(text)
    return Words(key, prepared, tuple(sorted(common_words(prepared, language))))


def prepare(text: str) -> str:
    """Prepares element text for the analyzer: composed, with unspaced scripts cut into words."""
    if text.isascii():
        return _joined(text)
    return _UNSPACED_RUN.sub(_singles_and_pairs, _joined(composed(text)))


def prepare_query(text: str) -> str:
    """The same for a query, where pairs replace the single characters they contain."""
    if text.isascii():
        return _joined(text)
    return _UNSPACED_RUN.sub(_pairs, _joined(composed(text)))


def composed(text: str) -> str:
    """One spelling per letter, and no signs inside words."""
    text = _INNER_SIGNS.sub("", unicodedata.normalize("NFKC", text))
    # Tantivy turns a dotted capital I into an i and a stray dot.
    return text.replace("\u2010", "-").replace("\u0130", "I")


def query_terms(text: str, language: str) -> dict[str, int]:
    """The stems of a query with their counts, without stop words; at most 400."""
    stems = analyzer(language).analyze(prepare_query(text))
    return dict(Counter(stems).most_common(_MOST_TERMS))


def common_words(text: str, language: str) -> frozenset[str]:
    """The stop words in a prepared text.

    They are indexed in a separate field, which only a query of nothing else searches: among the
    stems they would distort element lengths and relevance.
    """
    if language == "english":
        return STOP_WORDS.intersection(_english_words(text.lower()))
    if language not in _WITH_STOP_LIST:
        return frozenset()
    every, uncommon = _with_and_without(language)
    return frozenset(every.analyze(text)).difference(uncommon.analyze(text))


@cache
def analyzer(language: str) -> TextAnalyzer:
    """From prepared text to stems, without stop words."""
    builder = _uncommon(language)
    if language == "english":
        # The English stemmer ignores accents; others need them, so they fold afterwards.
        return builder.filter(Filter.stemmer("english")).build()
    if language in LANGUAGES:
        builder = builder.filter(Filter.stemmer(language))
    return builder.filter(Filter.ascii_fold()).build()


def _english_words(text: str) -> list[str]:
    # Three times as fast as the regular expression.
    return text.translate(_SIGNS).split() if text.isascii() else _WORD.findall(text)


@cache
def _with_and_without(language: str) -> tuple[TextAnalyzer, TextAnalyzer]:
    return _words().build(), _uncommon(language).build()


def _words() -> TextAnalyzerBuilder:
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST_WORD))
    return builder.filter(Filter.lowercase())


def _uncommon(language: str) -> TextAnalyzerBuilder:
    if language == "english":
        stop_words = Filter.custom_stopword(sorted(STOP_WORDS))
        return _words().filter(Filter.ascii_fold()).filter(stop_words)
    if language in _WITH_STOP_LIST:
        return _words().filter(Filter.stopword(language))
    return _words()


def _joined(text: str) -> str:
    """Drops commas between thousands, and adds compounds with a short part as one word."""
    if "," in text:
        text = _THOUSANDS.sub("", text)
    if "-" not in text:
        return text
    wholes = [whole for word in text.split() if "-" in word for whole in _wholes(word)]
    return " ".join([text, *wholes]) if wholes else text


def _wholes(word: str) -> Iterator[str]:
    for compound in _COMPOUND.findall(word):
        parts = compound.split("-")
        if min(map(len, parts)) <= _SHORT_PART and not all(map(str.isdigit, parts)):
            yield "".join(parts)


def _singles_and_pairs(run: re.Match[str]) -> str:
    text = run[0]
    return f" {' '.join(text)} {_joined_pairs(text)} "


def _pairs(run: re.Match[str]) -> str:
    return f" {_joined_pairs(run[0]) or run[0]} "


def _joined_pairs(text: str) -> str:
    return " ".join(text[at : at + 2] for at in range(len(text) - 1))
