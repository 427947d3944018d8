"""How text becomes stems, for elements and for queries.

Words are runs of letters and digits, folded in case and accents, and stemmed in the DocSet's
language. Scripts written without spaces have no such runs: there each character and each pair of
neighbours is a word.
"""

import re
import unicodedata
from collections import Counter
from functools import cache
from typing import Final

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from backend.search.lexical.stopwords import STOP_WORDS

LANGUAGES: Final = frozenset(
    (
        "arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian",
        "italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "tamil",
        "turkish",
    )
)  # fmt: skip
"""Languages with stems; words of others are searched as they are."""

_WITH_STOP_LIST: Final = LANGUAGES - {"arabic", "english", "greek", "romanian", "tamil", "turkish"}
_LONGEST_WORD = 100
_MOST_TERMS = 400

# Han, kana, Hangul, and the scripts of south-east Asia that do not mark words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def prepare(text: str) -> str:
    """Text of an element, ready for the analyzer: composed, unspaced scripts cut into words."""
    if text.isascii():
        return text
    return _UNSPACED.sub(_singles_and_pairs, unicodedata.normalize("NFKC", text))


def prepare_query(text: str) -> str:
    """The same for a query, in which pairs say more than the single characters that they hold."""
    if text.isascii():
        return text
    return _UNSPACED.sub(_pairs, unicodedata.normalize("NFKC", text))


def query_terms(text: str, language: str) -> dict[str, int]:
    """The stems to look for and how often the query says each; at most 400.

    Very common words are left out unless there is nothing else. Empty when the query holds no word.
    """
    prepared = prepare_query(text)
    stems = _query_analyzer(language).analyze(prepared) or analyzer(language).analyze(prepared)
    return dict(Counter(stems).most_common(_MOST_TERMS))


def words_of(text: str, stems: frozenset[str], language: str) -> list[str]:
    """The words of a text, as it spells them, whose stem is among `stems`; each once, in order."""
    prepared = prepare(text)
    found = (
        prepared[token.char_offset_from : token.char_offset_to]
        for token in analyzer(language).pre_tokenize(prepared).tokens
        if token.text in stems
    )
    return list(dict.fromkeys(found))


@cache
def analyzer(language: str) -> TextAnalyzer:
    """The analyzer of elements."""
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST_WORD))
    return _stemmed(builder.filter(Filter.lowercase()), language).build()


@cache
def _query_analyzer(language: str) -> TextAnalyzer:
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST_WORD))
    builder = builder.filter(Filter.lowercase())
    if language == "english":
        builder = builder.filter(Filter.custom_stopword(sorted(STOP_WORDS)))
    elif language in _WITH_STOP_LIST:
        builder = builder.filter(Filter.stopword(language))
    return _stemmed(builder, language).build()


def _stemmed(builder: TextAnalyzerBuilder, language: str) -> TextAnalyzerBuilder:
    """English stems ignore accents; other stemmers need them, so they are folded afterwards."""
    if language == "english":
        return builder.filter(Filter.ascii_fold()).filter(Filter.stemmer("english"))
    if language in LANGUAGES:
        builder = builder.filter(Filter.stemmer(language))
    return builder.filter(Filter.ascii_fold())


def _singles_and_pairs(run: re.Match[str]) -> str:
    text = run[0]
    return f" {' '.join(text)} {_joined_pairs(text)} "


def _pairs(run: re.Match[str]) -> str:
    return f" {_joined_pairs(run[0]) or run[0]} "


def _joined_pairs(text: str) -> str:
    return " ".join(text[at : at + 2] for at in range(len(text) - 1))
