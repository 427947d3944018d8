"""Splits text into the tokens of MiniLM: lower-case words without accents, and their pieces.

It gives the tokens of the published tokenizer, whose library brings 55 MB of dependencies. Its
speed does not matter: the network takes a hundred times as long.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Self

_CHUNK = re.compile(r"\w+|[^\w\s]")
_LONGEST = 100
"""A longer word counts as unknown."""
_IDEOGRAPH = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])"
)


class WordPieces:
    """The pieces of a vocabulary with their numbers; `special` ones are not split.

    Example: WordPieces.read(path.read_text()).tokens("A zebra", 256)
    """

    def __init__(self, vocabulary: Mapping[str, int], special: Sequence[str] = ("[UNK]",)) -> None:
        """Raises KeyError for a vocabulary without BERT's special tokens."""
        self._vocabulary = vocabulary
        self._unknown = vocabulary["[UNK]"]
        self._first, self.last = vocabulary["[CLS]"], vocabulary["[SEP]"]
        self._special = re.compile("(" + "|".join(map(re.escape, special)) + ")")
        self._pieces = lru_cache(20_000)(self._split)

    @classmethod
    def read(cls, file: str) -> Self:
        """From a `tokenizer.json` of BERT's form; ValueError or KeyError for another."""
        content = json.loads(file)
        special = [str(token["content"]) for token in content["added_tokens"]]
        return cls(content["model"]["vocab"], special or ["[UNK]"])

    def tokens(self, text: str, longest: int) -> list[int]:
        """At most `longest` tokens, including the start and end tokens."""
        out = [self._first]
        for number, part in enumerate(self._special.split(text)):
            if number % 2:
                out.append(self._vocabulary[part])
                continue
            for word in _words(part):
                out += self._pieces(word)
                if len(out) >= longest:
                    break
        return [*out[: longest - 1], self.last]

    def placed(self, text: str) -> tuple[list[int], list[int]]:
        """The tokens of a text without start and end tokens, and where in the text the word of each
        begins.

        Example: `pieces.placed("A zebra")` has 0 for the first token and 2 for the others.
        """
        tokens, starts = list[int](), list[int]()
        for match in _CHUNK.finditer(text):
            for word in _words(match[0]):
                own = self._pieces(word)
                tokens += own
                starts += [match.start()] * len(own)
        return tokens, starts

    def _split(self, word: str) -> tuple[int, ...]:
        """Greedily the longest known prefix, then the longest known continuation, to the end."""
        if len(word) > _LONGEST:
            return (self._unknown,)
        pieces, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                token = self._vocabulary.get(mark + word[start:end])
                if token is not None:
                    break
            else:
                return (self._unknown,)
            pieces.append(token)
            start = end
        return tuple(pieces)


def _words(text: str) -> list[str]:
    plain = "".join(map(_clean, text))
    if plain.isascii():
        plain = plain.lower()
    else:
        spaced = _IDEOGRAPH.sub(r" \1 ", plain)
        bare = (c for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) != "Mn")
        plain = "".join(
            map(str.lower, bare)
        )  # letter by letter, so that a final sigma is like any other
    return "".join(map(_apart, plain)).split()


@lru_cache(4_096)
def _clean(character: str) -> str:
    """Drops characters without a shape and normalises spaces."""
    if character in "\t\n\r":
        return " "
    if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    return " " if character.isspace() else character


@lru_cache(4_096)
def _apart(character: str) -> str:
    """Separates punctuation and other ASCII symbols."""
    sign = character.isascii() and not character.isalnum() and character.isprintable()
    if sign or unicodedata.category(character)[0] == "P":
        return f" {character} "
    return character
