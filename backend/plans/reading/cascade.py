"""A cascade of rules that turns pieces of a request into larger pieces.

A rule is a regular expression over the one-letter tags of the pieces and a builder for its matches.
Rules run in order, each over the whole request; a builder may decline. Any piece left at the end
counts as not understood, so nothing is dropped silently.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from backend.language.tokens import Token
from backend.plans.reading.pieces import Piece
from backend.plans.reading.present import Present
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Meaning, Vocabulary
from workbench.contract.plan import FaultKind


class Unclear(Exception):
    """Words that cannot be acted upon. `words` is the part of the request, `reason` a sentence.

    `readings` are the possible lists of operations, if known.
    """

    def __init__(
        self,
        kind: FaultKind,
        words: str,
        reason: str,
        suggestions: Sequence[str] = (),
        readings: Sequence[Sequence[Any]] = (),
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.words = words
        self.reason = reason
        self.suggestions = list(suggestions)
        self.readings = list(readings)


@dataclass
class Reader:
    """The context that builders see besides their pieces. `present` is the current plan, None for a
    question.

    `assumptions` collects decisions that the request does not state.
    """

    vocabulary: Vocabulary
    text: str
    tokens: Sequence[Token]
    today: date
    present: Present | None = None
    assumptions: list[str] = field(default_factory=list)

    @property
    def in_use(self) -> frozenset[str]:
        """The fields that the plan uses, which resolve ambiguous words."""
        fields = frozenset[str]() if self.present is None else self.present.fields
        return fields.difference(self.vocabulary.meant[1:]).union(self.vocabulary.meant[:1])

    def words(self, pieces: Sequence[Piece]) -> str:
        """The part of the request that some pieces cover."""
        if not pieces:
            return ""
        start, end = min(p.start for p in pieces), max(p.end for p in pieces)
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def assume(self, note: str) -> None:
        if note not in self.assumptions:
            self.assumptions.append(note)

    def choose(self, piece: Piece, fits: Callable[[Property], bool]) -> Property | None:
        """The property that a piece means among those that fit; Unclear if several fit equally
        well.
        """
        meanings: list[Meaning] = [m for m in piece.load if fits(m.prop)]
        if not meanings or meanings[0].score < _FAR * piece.load[0].score:
            return None
        best = [m for m in meanings if m.score > 0.95 * meanings[0].score]
        if len(best) > 1:
            used = [m for m in best if m.prop.field in self.in_use]
            best = used if len(used) == 1 else best
        if len(best) > 1:
            names = [m.prop.label for m in best]
            words = self.words([piece])
            raise Unclear("ambiguous", words, f"“{words}” may mean {_either(names)}", names)
        return best[0].prop

    def any_property(self, piece: Piece) -> Property:
        """The property that a piece means, whatever its type."""
        chosen = self.choose(piece, lambda prop: True)
        if chosen is None:
            words = self.words([piece])
            raise Unclear("unknown_property", words, f"there is no property “{words}”")
        return chosen


_FAR = 0.4
"""How far below the best meaning another may score and still be chosen for its type."""


def _either(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


Builder = Callable[[Reader, list[Piece]], "Piece | list[Piece] | None"]


@dataclass(frozen=True)
class Rule:
    """`pattern` matches tags; `build` turns the matched pieces into new ones, or declines with
    None.
    """

    pattern: re.Pattern[str]
    build: Builder


def rule(pattern: str, build: Builder) -> Rule:
    return Rule(re.compile(pattern), build)


def reduce(pieces: Sequence[Piece], rules: Sequence[Rule], reader: Reader) -> list[Piece]:
    """The pieces after all rules."""
    current = list(pieces)
    for each in rules:
        place = 0
        while True:
            match = each.pattern.search("".join(piece.tag for piece in current), place)
            if match is None:
                break
            matched = current[match.start() : match.end()]
            made = each.build(reader, matched)
            if made is None or not matched:
                place = match.start() + 1
                continue
            new = made if isinstance(made, list) else [made]
            current[match.start() : match.end()] = new
            place = match.start() + max(1, len(new))
    return current


def cover(tag: str, pieces: Sequence[Piece], load: object) -> Piece:
    """A new piece that covers all tokens of the old ones."""
    return Piece(tag, min(p.start for p in pieces), max(p.end for p in pieces), load)


def merged_names(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """Several words for one property: `people were killed`. None if they name different ones."""
    named = [piece for piece in pieces if piece.tag == "P"]
    if pieces[-1].end - pieces[0].start > 6:
        return None
    scores = [{m.prop.field: m for m in piece.load} for piece in named]
    shared = [field for field in scores[0] if all(field in other for other in scores[1:])]
    best = [max(piece.load, key=lambda m: m.score).prop.field for piece in named]
    if not shared or (len(set(best)) > 1 and len(shared) != 1 and not set(best) & set(shared)):
        return None
    results = [
        replace(scores[0][field], score=sum(other[field].score for other in scores))
        for field in shared
    ]
    whole = [m for piece in named for m in piece.load if m.whole and m.prop.field not in shared]
    if whole:
        return None
    return cover("P", pieces, sorted(results, key=lambda m: -m.score))


def tagged(pieces: Sequence[Piece], tags: str) -> list[Piece]:
    return [piece for piece in pieces if piece.tag in tags]
