"""The part of a text that asks, without a surrounding letter, sentences and clauses about the
asker, and the frame in front (`the board requests a list of`).

Everything that may narrow the documents stays: names of properties, values, numbers and documents,
and words such as `only` or `those`. Text before a question narrows it less often than text behind
it. All omitted text is returned for the report.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from backend.language.adjectives import SUPERLATIVES
from backend.language.common_words import DOCUMENT_NOUNS
from backend.language.numerals import numeral_at
from backend.language.phrasal_verbs import plain_verbs
from backend.language.question_phrases import plain_question
from backend.language.synonyms import root, synonyms
from backend.language.talk_words import (
    ASKERS,
    COURTESY,
    FINITE,
    PURPOSES,
    letter,
    request_frame,
    without_orders_inside,
)
from backend.language.tokens import LETTER, Token, tokenise
from backend.language.words import FUNCTION_WORDS, stem
from backend.plans.reading.asides import OCCASIONS
from backend.plans.reading.assembly import named_places, plain_text
from backend.plans.reading.letters import with_letters
from backend.plans.reading.vocabulary import Vocabulary

_ENDS = frozenset(".!?")
_MARKS = frozenset(",;:–—()!?")
_ABBREVIATED = frozenset(
    """
    no nr nbr max min avg approx incl excl etc vs dept est tel ext fig vol resp prof dr mr mrs ms st
    inc ltd corp co jan feb mar apr jun jul aug sep sept oct nov dec eg ie ca cf num qty pct
    """.split()  # noqa: SIM905
)
NARROWS = frozenset(
    """
    only except excluding exclude besides instead ones those whose both neither either skip drop
    ignore ignored disregard disregarded counting provided restricted limited must should per
    each every
    """.split()  # noqa: SIM905
)
"""A part with one of these is never talk, whatever its position."""
_NARROWS_BEHIND = NARROWS | frozenset(
    """
    not no without with where which that just too also other others same rest but they them these
    their nor than if as unless while whom he she him her enough
    """.split()  # noqa: SIM905
)
"""The same for parts behind the words that ask."""
_WISHES = frozenset("want need mean meant prefer like love care interested looking".split())  # noqa: SIM905
_OF_WISHES = frozenset("it this to you your help for".split())  # noqa: SIM905
_OPENING = frozenset(
    """
    in for with by among amongst of on at during concerning regarding about from per without within
    near under over between since before after until behind against like
    """.split()  # noqa: SIM905
)
_OF_ONE_DAY = frozenset(
    """
    today tonight tomorrow yesterday weekend week monday tuesday wednesday thursday friday saturday
    sunday day days morning afternoon evening night hour hours minute minutes time moment year
    """.split()  # noqa: SIM905
)
"""Times that people also use to talk about themselves."""
_GREETINGS = [
    ["good", "morning"], ["good", "day"], ["good", "afternoon"], ["good", "evening"],
    ["good", "night"], ["good", "luck"], ["kind", "regards"], ["best", "regards"],
]  # fmt: skip
_ANSWER = (
    r"(?:one |single |plain |bare )?"
    r"(?:figure|number|amount|total|answer|value|sum|list|result|count|percentage|one)"
)
_FORM = re.compile(
    r"(?:(?:so|and|please|i need|i want|we need|give me|show me) )*(?:only|just) (?:the |that |a )?"
    rf"{_ANSWER}(?: please| will do| is (?:fine|enough))?"
    rf"|{_ANSWER} (?:only|alone)(?: please)?"
    r"|(?:just |only )?(?:each|every) (?:name|one|value) (?:only |just )?once(?: only)?(?: please)?"
    r"|(?:(?:give|show|tell)(?: me| us)? |state |and )?"
    r"(?:both numbers|the number (?:for|of) (?:both|each)(?: of (?:the two|them|these))?)"
    r"(?: please)?"
    r"|(?:only|just) the names(?: please)?|names only(?: please)?"
    rf"|(?:the |a )?{_ANSWER}(?: alone)?"
    r" (?:is (?:enough|fine|all i need)|will do|suffices|would do)"
    r"|(?:(?:just|please|only|so|and) )*(?:show|list|give|send|name|tell)(?: me| us)?"
    r"(?: just| only)? (?:those|these|them|it|that one|that|this)(?: \w+)?(?: please)?"
)
"""The form of the answer, which the question itself implies: `just the figure`, `show me those`."""
_LONGEST = 24


@dataclass(frozen=True)
class _Part:
    """A clause as a range of tokens, with its sentence."""

    start: int
    end: int
    sentence: int
    enclosed: bool = False


def focused(text: str, vocabulary: Vocabulary, today: date) -> tuple[str, tuple[str, ...]] | None:
    """The asking part of a text, and the parts left out; None if nothing can be left out."""
    body, left_out = letter(text)
    plain = plain_text(body)
    tokens = with_letters(tokenise(plain), vocabulary)
    parts = _parts_of(tokens, plain)
    if len(parts) > 1:
        named = named_places(plain, vocabulary, today)
        talk = _talk(tokens, parts, named)
        kept = [part for part, is_talk in zip(parts, talk, strict=True) if not is_talk]
        if kept and len(kept) < len(parts):
            left_out += tuple(
                _written(plain, tokens, part) for part, out in zip(parts, talk, strict=True) if out
            )
            plain = _joined(plain, tokens, parts, talk)
    asked = plain_verbs(plain_question(without_orders_inside(plain)), _known_verbs(vocabulary))
    frame = request_frame(asked)
    if frame and _says_nothing(frame, vocabulary, today):
        asked = asked[len(frame) :]
        left_out += (frame.strip(),)
    if not asked.strip() or (asked == plain_text(text) and not left_out):
        return None
    return asked.strip(), left_out


def _known_verbs(vocabulary: Vocabulary) -> Callable[[str, str], bool]:
    """Tests whether a verb or a synonym names or describes a property, and its particle
    does not.
    """

    def known(verb: str, particle: str) -> bool:
        if any(stem(particle) in prop.description_stems for prop in vocabulary.properties):
            return False
        roots = set(map(root, synonyms(stem(verb))))
        return any(
            not roots.isdisjoint(map(root, (*prop.parts, *prop.described)))
            for prop in vocabulary.properties
        )

    return known


def _says_nothing(frame: str, vocabulary: Vocabulary, today: date) -> bool:
    """Whether a frame names nothing in the collection, apart from words for lists."""
    return not named_places(frame, vocabulary, today)


# -- parts


def _parts_of(tokens: Sequence[Token], text: str) -> list[_Part]:
    """The clauses of a text, in order."""
    found: list[_Part] = []
    start = sentence = depth = 0
    for i, token in enumerate(tokens):
        ends = ends_sentence(tokens, i, text)
        mark = token.kind == "sign" and (token.text in _MARKS or _is_dash(tokens, i))
        if not (ends or mark):
            continue
        end = i + (token.text in ".!?" or token.text == ")")
        if start < i:
            found.append(_Part(start, end, sentence, enclosed=depth > 0))
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        start = i + 1
        sentence += ends
    if start < len(tokens):
        found.append(_Part(start, len(tokens), sentence))
    return found


def _is_dash(tokens: Sequence[Token], i: int) -> bool:
    token = tokens[i]
    spaced = i + 1 < len(tokens) and not tokens[i + 1].joined
    return token.text == "-" and not token.joined and spaced


def ends_sentence(tokens: Sequence[Token], i: int, text: str) -> bool:
    token = tokens[i]
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following is not None and "\n" in text[token.end : following.start]:
        return True
    if token.kind != "sign" or token.text not in _ENDS or following is None or following.joined:
        return False
    before = tokens[i - 1].lower if i else ""
    short = token.text == "." and (len(before) == 1 or before in _ABBREVIATED)
    return not short


def _written(text: str, tokens: Sequence[Token], part: _Part) -> str:
    return text[tokens[part.start].start : tokens[part.end - 1].end].strip(" ,.;:!?()")


def _joined(
    text: str, tokens: Sequence[Token], parts: Sequence[_Part], talk: Sequence[bool]
) -> str:
    """The text without the parts that are talk."""
    pieces: list[str] = []
    for i, part in enumerate(parts):
        if talk[i]:
            continue
        following = parts[i + 1] if i + 1 < len(parts) else None
        last = len(text) if following is None else tokens[following.start].start
        piece = text[tokens[part.start].start : last]
        if following is not None and talk[i + 1]:
            piece = piece.rstrip(" ,;:(–—-") + " "
        if part.enclosed or (i and parts[i - 1].enclosed and talk[i - 1]):
            piece = piece.lstrip(" ,.;:!?")
        pieces.append(piece)
    return "".join(pieces).strip()


# -- what is talk


def _talk(tokens: Sequence[Token], parts: Sequence[_Part], named: frozenset[int]) -> list[bool]:
    """For each part whether it is talk. In a sentence that says nothing all parts are; otherwise
    the first and the last parts, and those in parentheses, may be.
    """
    speaking = {part.sentence for part in parts if _speaks(tokens, part)}
    meant = [_means(tokens, part, named, part.sentence in speaking) for part in parts]
    talk = [False] * len(parts)
    if not any(meant):
        return talk
    first = meant.index(True)
    last = len(meant) - 1 - meant[::-1].index(True)
    sentences: dict[int, list[int]] = defaultdict(list)
    for i, part in enumerate(parts):
        sentences[part.sentence].append(i)
    for places in sentences.values():
        if any(meant[i] for i in places):
            continue
        whole = _Part(parts[places[0]].start, parts[places[-1]].end, parts[places[0]].sentence)
        if _is_sentence_of_talk(tokens, whole, leads=places[0] < first):
            for i in places:
                talk[i] = True
    for i, part in enumerate(parts):
        if meant[i] or talk[i]:
            continue
        chained = i > 0 and talk[i - 1]
        if i < first:
            talk[i] = _is_opening_talk(tokens, part, chained=chained)
        elif i > last or part.enclosed:
            talk[i] = _is_closing_talk(tokens, part) or (part.enclosed and chained)
    return talk


def _speaks(tokens: Sequence[Token], part: _Part) -> bool:
    """Whether a part is about the asker, or an exclamation."""
    words = _words(tokens, part)
    spoken = not (ASKERS | COURTESY).isdisjoint(words)
    return spoken or tokens[part.end - 1].text == "!"


def _means(tokens: Sequence[Token], part: _Part, named: frozenset[int], in_speech: bool) -> bool:
    """Whether a part names something, has a number, or is too long to be empty. `in_speech`: its
    sentence is about the asker, whose times are not those of the documents.
    """
    places = range(part.start, part.end)
    if part.start and _ENDS_OF_LISTS.intersection(_words(tokens, part)[-1:]):
        return True  # "dearest first", "dearest at the top" is an order
    if part.start and _FORM.fullmatch(" ".join(_words(tokens, part))):
        return False
    kinds = {tokens[i].kind for i in places}
    if not kinds.isdisjoint(("number", "day", "quoted")) or part.end - part.start > _LONGEST:
        return True
    if any(tokens[i].lower in SUPERLATIVES and _counts(tokens, i - 1) for i in places):
        return True
    light = DOCUMENT_NOUNS | FUNCTION_WORDS | (_OF_ONE_DAY if in_speech else frozenset())
    return any(
        i in named
        and (tokens[i].kind == LETTER or tokens[i].lower not in light)
        and not _greets(tokens, i)
        for i in places
    )


_ENDS_OF_LISTS = frozenset({"first", "last", "top", "head"})


def _counts(tokens: Sequence[Token], i: int) -> bool:
    """Whether a token is a number in words: "the five longest"."""
    return i >= 0 and numeral_at(tokens, i) is not None


def _greets(tokens: Sequence[Token], i: int) -> bool:
    """`good` in `good morning`, `kind` in `kind regards`."""
    words = [token.lower for token in tokens[i : i + 2]]
    return words in _GREETINGS


def _words(tokens: Sequence[Token], part: _Part) -> list[str]:
    return [t.lower for t in tokens[part.start : part.end] if t.kind == "word"]


def _is_sentence_of_talk(tokens: Sequence[Token], part: _Part, *, leads: bool) -> bool:
    words = _words(tokens, part)
    set_of = set(words)
    if not leads and _FORM.fullmatch(" ".join(words)):
        return True
    if not words or wishes(words) or not NARROWS.isdisjoint(words):
        return False
    addressed = bool(set_of & (ASKERS | COURTESY)) or tokens[part.end - 1].text == "!"
    if leads:
        return addressed or bool(set_of & FINITE) or _is_lower(tokens, part)
    if words[0] in ASKERS | {"it", "that", "this"} | COURTESY and "only" not in words:
        return True
    if not _NARROWS_BEHIND.isdisjoint(words):
        return False
    return addressed or bool(set_of & FINITE) or _has_clipped_verb(tokens, part)


def _is_lower(tokens: Sequence[Token], part: _Part) -> bool:
    """Whether no word but the first is capitalised."""
    return all(t.text[:1].islower() for t in tokens[part.start + 1 : part.end] if t.kind == "word")


def _has_clipped_verb(tokens: Sequence[Token], part: _Part) -> bool:
    """`Kettle's on`: the clipped clause ends with an adverb of place."""
    words = _words(tokens, part)
    return len(words) > 1 and words[-1] in ("on", "off", "up", "out", "over", "way", "back")


def _is_opening_talk(tokens: Sequence[Token], part: _Part, *, chained: bool) -> bool:
    words = _words(tokens, part)
    if not words or wishes(words) or not NARROWS.isdisjoint(words):
        return False
    if any(pair in (("how", "many"), ("how", "much")) for pair in pairwise(words)):
        return False
    if chained or not COURTESY.isdisjoint(words):
        return True
    if any(tuple(words[: len(purpose)]) == purpose for purpose in PURPOSES):
        return True
    if words[0] in ("for", "before", "after", "during") and words[-1] in OCCASIONS:
        return True
    if words[0] in _OPENING and words[0] not in ASKERS:
        return False
    return not ASKERS.isdisjoint(words)


def _is_closing_talk(tokens: Sequence[Token], part: _Part) -> bool:
    words = _words(tokens, part)
    if _FORM.fullmatch(" ".join(words)):
        return True
    if not words or wishes(words) or not NARROWS.isdisjoint(words):
        return False
    if words[:2] in (["if", "you"], ["when", "you"], ["if", "it"], ["so", "i"], ["so", "we"]):
        return _NARROWS_BEHIND.isdisjoint(set(words[2:]) - {"not", "too", "no", "that"})
    if not _NARROWS_BEHIND.isdisjoint(words):
        return False
    return not (ASKERS | COURTESY).isdisjoint(words)


def wishes(words: Sequence[str]) -> bool:
    """`I want those with tattoos`, but not `I need it for a meeting`."""
    for i, word in enumerate(words):
        if word in _WISHES and not (set(words[i + 1 : i + 2]) & _OF_WISHES):
            return i + 1 < len(words)
    return False
