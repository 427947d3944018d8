"""Decides when words name a property, and which one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from backend.language.common_words import FREE
from backend.language.lexicon import phrases
from backend.language.nouns import singular
from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS, stem
from backend.plans.reading.pieces import Piece, Reading
from backend.plans.reading.vocabulary import Meaning, Vocabulary

_LONGEST_NAME = 5
_INSIDE_NAMES = frozenset({"of", "the", "-", "in", "for"})
_SHOWN = frozenset({"all", "me", "us", "the", "only", "just", "them", "it", "every", "everything"})
_SHOWING = frozenset({"see", "show", "list", "view", "print"})


def names(tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> Iterator[Reading]:
    """The properties that the words from token `i` on can name."""
    if tokens[i].kind != "word" or tokens[i].lower in _INSIDE_NAMES:
        return
    stems: list[str] = []
    reaching = False
    alone: Meaning | None = None
    for j in range(i, min(len(tokens), i + _LONGEST_NAME)):
        if tokens[j].lower in _INSIDE_NAMES or (j > i and tokens[j].lower == "to"):
            reaching = reaching or tokens[j].lower == "to"
            continue
        if tokens[j].kind not in ("word", "number"):
            return
        if j > i and tokens[j].lower in ("when", "where", "who"):
            return
        if j > i and (_begins_value(tokens, j, vocabulary) or _begins_bound(tokens, j)):
            return
        stems += [stem(part) for part in tokens[j].text.split("_") if part]
        meanings = vocabulary.meanings(stems)
        if not meanings and j == i and any(stems[0] in p.weak for p in vocabulary.properties):
            continue  # "kind of volcano"
        if not meanings:
            return
        if tokens[j].lower == "per" and j > i:
            continue  # "hours per week per contract"
        if tokens[i].lower in ("number", "count", "total") and j > i:
            meanings = [m for m in meanings if m.prop.numeric]
        meanings = _spelt(tokens[i], meanings, alone=j == i)
        if not meanings:
            return
        best = meanings[0].score
        rivals = [m for m in meanings if m.score > 0.95 * best]
        if j == i and len(rivals) > 1 and (same := _same_form(tokens[i], rivals)):
            meanings = [*same, *(m for m in meanings if m not in same)]
            meanings[0] = replace(meanings[0], score=meanings[0].score / 0.9)
            rivals = meanings[:1]
        noun = tokens[i].stem if j > i and tokens[i].stem in vocabulary.nouns else None
        if noun is not None and all(noun not in m.prop.parts for m in rivals):
            continue
        if not meanings or _only_a_noun(tokens[j], i == j, rivals, vocabulary):
            continue
        whole = rivals[0].whole
        stated_aside = tokens[j].stem in rivals[0].prop.aside & {*rivals[0].prop.parts}
        if j == i:
            alone = rivals[0] if whole else None
        elif (
            alone is not None
            and rivals[0].prop is not alone.prop
            and not _named_by(stems[0], rivals)
        ):
            return  # "which lab reports": a whole name, and a verb
        if reaching and not whole and not stated_aside:
            return  # `change price to cost` names two things, `days to settle` one
        if i == j and tokens[i].lower in _SHOWING:
            begins = i == 0 and len(tokens) > 1 and tokens[1].lower in _SHOWN
            if begins or not _spelt_so(tokens[i], rivals):
                continue
        if i == j and _is_rather_steering(tokens[i], rivals):
            continue
        if i == j and tokens[i].lower == "times" and not rivals[0].whole:
            continue  # "how many times"
        if i == j and _is_rather_value(tokens[i], rivals, vocabulary):
            continue
        name = Piece("P", i, j + 1, meanings)
        yield Reading(j + 1 - i, 4.5 if whole and len(rivals) == 1 else 2, name)


def _spelt(token: Token, meanings: list[Meaning], *, alone: bool) -> list[Meaning]:
    """The meanings whose name contains the exact noun, if there are any: an `auditor` is the
    `lead_auditor` and not a part of the `audit_hours`.
    """
    word = singular(token.lower)
    if not word.endswith(("er", "or", "ist", "ee", "ant")):
        return meanings
    spelt = [m for m in meanings if word in map(singular, m.prop.label.lower().split())]
    return spelt if spelt or not alone else meanings


def _same_form(token: Token, rivals: Sequence[Meaning]) -> list[Meaning]:
    """The only meaning whose name contains the exact plural: `bids` are the `bids_received`, not
    the `winning_bid`.
    """
    plural = singular(token.lower) != token.lower
    same = [m for m in rivals if token.lower in m.prop.label.lower().split()]
    return same if plural and len(same) == 1 else []


def _named_by(word: str, rivals: Sequence[Meaning]) -> bool:
    """Whether a stem is part of the name of the best meaning."""
    return word in rivals[0].prop.parts


def _is_rather_value(token: Token, rivals: Sequence[Meaning], vocabulary: Vocabulary) -> bool:
    """Whether a word in no property name is a form of a value: `purchased` for `purchase`."""
    named = any(token.stem in {*m.prop.parts, *m.prop.weak, *m.prop.suffix} for m in rivals)
    return not named and vocabulary.is_value(token.stem)


def _is_rather_steering(token: Token, rivals: Sequence[Meaning]) -> bool:
    """Whether a word that excludes or compares only shares its stem with a name: `except` beside a
    property called `exceptions`.
    """
    phrase = phrases().get((token.lower,))
    steers = phrase is not None and phrase[0] in ("x", "n", "C")
    named = [singular(word) for m in rivals for word in m.prop.label.lower().split()]
    return steers and singular(token.lower) not in named


def _spelt_so(token: Token, rivals: Sequence[Meaning]) -> bool:
    """Whether a property has that exact name: `list`; `let me see` names no `seeing`."""
    return any(token.lower in meaning.prop.label.lower().split() for meaning in rivals)


def must_name(before: Sequence[Piece], tokens: Sequence[Token], i: int) -> bool:
    """`per person`: a group key must be a known name, even if the word means little elsewhere."""
    if not before or before[-1].tag != "e" or before[-1].end != i:
        return False
    return tokens[i - 1].lower == "per" and tokens[i].lower not in FUNCTION_WORDS


def names_weakly(before: Sequence[Piece], tokens: Sequence[Token], i: int) -> bool:
    """Whether a word such as `kind` or `value` must name a property here: `per kind`, `by state and
    kind`, `average gold amount`.
    """
    if tokens[i].kind != "word":
        return False
    if before[-1].tag == "V":
        return next((piece.tag for piece in reversed(before) if piece.tag != "V"), "") == "A"
    listed = before[-1].tag in "&," and len(before) > 2 and before[-3].tag in "ye"
    return before[-1].tag in "ysAXde" or listed


def _begins_value(tokens: Sequence[Token], j: int, vocabulary: Vocabulary) -> bool:
    """Whether a value that is no property begins at token `j`: `running time of shorts`."""
    length, _ = vocabulary.values_at(tokens, j)
    return length > 1 or (length == 1 and not vocabulary.names_part(tokens[j].stem))


def _begins_bound(tokens: Sequence[Token], j: int) -> bool:
    """Whether a comparison such as `no later than` begins at token `j`."""
    words = tuple(token.lower for token in tokens[j : j + 3])
    return words[:1] == ("no",) and any(words[:n] in phrases() for n in (2, 3))


def _only_a_noun(
    token: Token, single: bool, rivals: Sequence[Meaning], vocabulary: Vocabulary
) -> bool:
    """Whether a single word more likely names the documents, as `accident` beside
    `accident_number`, or is too common to name a property that it only describes.
    """
    if not single:
        return False
    if token.lower in FREE:
        return not any(token.stem in meaning.prop.parts for meaning in rivals)
    if token.stem in vocabulary.common and len(rivals) > 1:
        return True
    if singular(token.lower) in vocabulary.noun_words:
        best = rivals[0].prop
        return (
            len(rivals) > 1 or best.key or best.own or singular(best.label) != singular(token.lower)
        )
    if len(rivals) > 1 and vocabulary.is_alike_noun(token.stem, rivals):
        return True
    if token.stem not in vocabulary.nouns:
        return False
    first = rivals[0]
    return len(rivals) > 1 or not first.whole or bool(first.prop.weak) or first.prop.own
