"""Counting tokens without any downloaded vocabulary.

`character_tokenizer` is exact. The other two are estimated the way byte-pair vocabularies behave on
running text: a blank belongs to the word after it, common short words are one token, longer words
about one per five letters (four for Hugging Face models, whose vocabularies are smaller), digits go
in groups of three, other signs and letters of scripts without blanks singly. On English prose the
estimate for OpenAI models is meant to lie a little above the true count, so that limits hold.
"""

import re
from collections.abc import Callable
from functools import partial

from backend.contract.partition_options import ChunkingOptions

_PIECES = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_|\n+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTERS = {"openai_tokenizer": 5, "huggingface_tokenizer": 4}

Counter = Callable[[str], int]


def counter(options: ChunkingOptions) -> Counter:
    """The function that counts tokens for these options."""
    if options.tokenizer == "character_tokenizer":
        return len
    return partial(_estimate, letters=_LETTERS[options.tokenizer])


def _estimate(text: str, letters: int) -> int:
    return sum(_cost(piece, letters) for piece in _PIECES.findall(text))


def _cost(piece: str, letters: int) -> int:
    if piece[0].isdigit():
        return -(-len(piece) // 3)
    if not piece[0].isalpha():
        return 1
    wide = len(_UNSPACED.findall(piece))
    narrow = len(piece) - wide
    # Letters outside of ASCII are split more finely.
    per_token = letters if piece.isascii() else max(2, letters - 2)
    return wide + (-(-narrow // per_token) if narrow > letters + 2 else int(narrow > 0))
