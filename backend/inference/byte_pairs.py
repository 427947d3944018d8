"""Splits text into the tokens of the static vectors: byte pairs as in SentencePiece.

Stored document vectors are sums over these tokens, so every text must get the tokens of the
published tokenizer. This module reads the tokenizer's file itself: the usual library brings 55 MB
of dependencies, for access to a model hub.
"""

import json
import re
from heapq import heapify, heappop, heappush

SPACE = "▁"
_Pair = tuple[int, int]


class BytePairs:
    """The vocabulary and merges of a `tokenizer.json` that prepends a space to its input.

    Example: BytePairs(path.read_bytes()).tokens("a zebra")
    """

    def __init__(self, file: bytes) -> None:
        """Raises ValueError or KeyError for a file in another format."""
        content = json.loads(file)
        model = content["model"]
        self.vocabulary: dict[str, int] = model["vocab"]
        known = self.vocabulary
        self._merges: dict[_Pair, tuple[int, int]] = {}
        for rank, pair in enumerate(model["merges"]):
            left, right = pair.split(" ") if isinstance(pair, str) else pair
            self._merges[known[left], known[right]] = rank, known[left + right]
        self._bytes = [known[f"<0x{value:02X}>"] for value in range(256)]
        special = [str(token["content"]) for token in content["added_tokens"]]
        self._special = re.compile("(" + "|".join(map(re.escape, special)) + ")")

    def tokens(self, text: str) -> list[int]:
        """The tokens of a text, without start and end tokens. Special tokens spelled out in the
        text count as such, and the text behind one gets a space before it.
        """
        if not text:
            return []
        out: list[int] = []
        for number, part in enumerate(self._special.split(text)):
            if number % 2:
                out.append(self.vocabulary[part])
            elif part:
                out += self._merged(self._characters(SPACE + part.replace(" ", SPACE)))
        return out

    def _characters(self, text: str) -> list[int]:
        tokens: list[int] = []
        for character in text:
            token = self.vocabulary.get(character)
            if token is not None:
                tokens.append(token)
            else:
                tokens += [self._bytes[value] for value in character.encode(errors="replace")]
        return tokens

    def _merged(self, tokens: list[int]) -> list[int]:
        """Merges the leftmost pair of the lowest rank until no pair can be merged."""
        merges, end = self._merges, len(tokens)
        after = [*range(1, end), -1]
        before = [*range(-1, end - 1)]
        waiting: list[tuple[int, int, int, int]] = []
        for place in range(end - 1):
            pair = tokens[place], tokens[place + 1]
            if pair in merges:
                waiting.append((merges[pair][0], place, *pair))
        heapify(waiting)
        while waiting:
            _, place, left, right = heappop(waiting)
            other = after[place]
            if tokens[place] != left or other < 0 or tokens[other] != right:
                continue  # one of the two has been merged since
            tokens[place], tokens[other] = merges[left, right][1], -1
            after[place] = following = after[other]
            if following >= 0:
                before[following] = place
            for first, second in ((before[place], place), (place, following)):
                if first >= 0 and second >= 0:
                    pair = tokens[first], tokens[second]
                    if pair in merges:
                        heappush(waiting, (merges[pair][0], first, *pair))
        return [token for token in tokens if token >= 0]
