"""Statements in front of a question: `The harbour office in Ashby called. Which boats lie there?`

What `there`, `they`, `their` or `than that` refer to is put in their place; a statement that names
nothing by which documents are chosen is left out, and reported. Otherwise the text stays whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from backend.language.common_words import is_past
from backend.language.talk_words import ASKERS, FINITE
from backend.language.tokens import Token, tokenise
from backend.plans.reading.assembly import naming_edges, plain_text
from backend.plans.reading.focus import NARROWS, ends_sentence, wishes
from backend.plans.reading.linking_nouns import GUESSED
from backend.plans.reading.vocabulary import Vocabulary

_THERE = re.compile(r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbeen )\bthere\b"
                    r"(?! (?:is|are|was|were|has|have)\b)", re.IGNORECASE)  # fmt: skip
_ARE_THERE = re.compile(r"^(?P<before>(?:which|what) .*\b(?:is|are|was|were) )there(?=[?.!\s]*$)",
                        re.IGNORECASE)  # fmt: skip
"""`Which boats are there?` behind the name of a place."""
_THEN = re.compile(r"(?<=\w )(?:back )?(?:then|at that time)(?=\s*[?.!]*$)", re.IGNORECASE)
_THEIRS = re.compile(r"\b(?:their|its|his)\b(?= \w)", re.IGNORECASE)
_THEY = re.compile(
    r"\b(?:(?:did|does|do|has|have|had) (?:they|he|she|it)"
    r"|(?:by|from|for|of|with|to|at) (?:them|him|her))\b(?! \w+ed by)",
    re.IGNORECASE,
)
_THAN_THAT = re.compile(r"(?<=\bthan )(?:that|this)\b(?:(?! \w)|(?= (?:and|or)\b))", re.IGNORECASE)
_THEREFORE = re.compile(
    r"^(?:(?:before|for|after|because of|in) (?:that|this)|so|therefore|hence)\b,? ", re.IGNORECASE
)
_REQUESTS = frozenset(
    """
    how what which who whom whose where when why list show give tell count find name sort rank order
    group compare compute calculate get fetch please can could would will do does did is are was
    were has have and or but not
    """.split()  # noqa: SIM905
)
_SUBJECTS = frozenset("the a an our my this his her their".split()) | ASKERS  # noqa: SIM905
_LONGEST = 24


@dataclass(frozen=True)
class _Named:
    """What statements name: values, times and amounts as they are written, and whether they name
    the documents themselves.
    """

    values: tuple[str, ...]
    times: tuple[str, ...]
    amounts: tuple[str, ...]
    subject: str
    documents: bool


def in_context(
    text: str, vocabulary: Vocabulary, today: date
) -> tuple[str, tuple[str, ...]] | None:
    """The question behind statements, with what they say in it, and the statements; None if there
    are none, or if they may choose documents in another way.
    """
    plain = plain_text(text)
    tokens = tokenise(plain)
    sentences = list(_sentences(tokens, plain))
    if len(sentences) < 2 or len(tokens) > 4 * _LONGEST:
        return None
    *statements, asked = sentences
    if not all(_states(tokens, one) for one in statements) or _says(tokens, asked):
        return None
    question = _THEREFORE.sub("", plain[tokens[asked.start].start :])
    lead = plain[: tokens[asked.start].start].strip()
    named = _named(lead, vocabulary, today)
    meant = _resolved(question, named)
    if meant is None and _is_idle(question, named):
        meant = question
    return None if meant is None else (meant, (lead.rstrip(" .!"),))


def _sentences(tokens: Sequence[Token], text: str) -> Iterator[range]:
    start = 0
    for i in range(len(tokens)):
        if ends_sentence(tokens, i, text):
            yield range(start, i + 1)
            start = i + 1
    if start < len(tokens):
        yield range(start, len(tokens))


def _states(tokens: Sequence[Token], sentence: range) -> bool:
    """Whether a sentence says that something is so, and asks for nothing."""
    words = [tokens[i].lower for i in sentence if tokens[i].kind == "word"]
    if not words or tokens[sentence[-1]].text == "?" or len(sentence) > _LONGEST:
        return False
    if words[0] in _REQUESTS or not NARROWS.isdisjoint(words) or wishes(words):
        return False
    verb = not FINITE.isdisjoint(words[1:]) or any(map(is_past, words[1:]))
    return verb or words[0] in _SUBJECTS


def _says(tokens: Sequence[Token], sentence: range) -> bool:
    """Whether a sentence begins with its subject and has a verb."""
    words = [tokens[i].lower for i in sentence if tokens[i].kind == "word"]
    begins = words[:1] and words[0] in _SUBJECTS | {"they", "it", "he", "she", "there"}
    return bool(begins) and not FINITE.isdisjoint(words) and not wishes(words)


def _named(lead: str, vocabulary: Vocabulary, today: date) -> _Named:
    tokens = tokenise(lead)
    edges = list(naming_edges(lead, vocabulary, today))

    def written(*kinds: str) -> tuple[str, ...]:
        spans = [(e.start, e.end) for e in edges if e.kind in kinds]
        widest = [a for a in spans if not any(a != b and _within(a, b) for b in spans)]
        places = sorted(set(widest))
        return tuple(lead[tokens[a].start : tokens[b - 1].end] for a, b in places)

    times = tuple(time for time in written("Date", "Year") if any(map(str.isdigit, time)))
    return _Named(
        values=written("Val"),
        times=times,
        amounts=tuple(text for text in written("Num") if not any(text in time for time in times)),
        subject=_subject(lead, tokens),
        documents=any(e.kind == "Noun" and (GUESSED, 1.0) not in e.features for e in edges),
    )


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _subject(lead: str, tokens: Sequence[Token]) -> str:
    """The noun at the beginning with its article: `the harbour office` called."""
    if not tokens or tokens[0].lower not in ("the", "our"):
        return ""
    verbs = (i for i, t in enumerate(tokens) if i > 1 and (t.lower in FINITE or is_past(t.lower)))
    end = next(verbs, 0)
    return f"the {lead[tokens[1].start : tokens[end - 1].end]}" if 1 < end <= 4 else ""


def _resolved(question: str, named: _Named) -> str | None:
    """The question with the only thing that its pronouns can refer to in their place; None if
    statements name more than that.
    """
    thing = named.values[0] if len(named.values) == 1 else ""
    thing = f"the {thing}" if thing.islower() else thing
    if not named.values and not named.documents:
        thing = named.subject
    placed = question
    if thing and thing.lower() not in question.lower():
        bare = thing.removeprefix("the ")
        placed = _ARE_THERE.sub(lambda m: f"{m['before']}at {thing}", placed)
        placed = _THERE.sub(lambda _: f"at {thing}", placed, count=1)
        placed = _THEIRS.sub(lambda _: f"the {bare}", placed, count=1)
        placed = _THEY.sub(lambda m: f"{m[0].rsplit(' ', 1)[0]} {thing}", placed, count=1)
    dated = measured = placed
    if named.times:
        first, last = named.times[0], named.times[-1]
        time = f"in {first}" if first == last else f"from {first} to {last}"
        dated = measured = _THEN.sub(lambda _: time, placed, count=1)
    if len(named.amounts) == 1:
        measured = _THAN_THAT.sub(lambda _: named.amounts[0], dated, count=1)
    left = (
        (named.values and placed == question and not _all_in(named.values, question))
        or (named.times and dated == placed)
        or (named.amounts and measured == dated)
    )
    return None if left or measured == question else measured


def _all_in(values: Sequence[str], question: str) -> bool:
    return all(value.lower() in question.lower() for value in values)


def _is_idle(question: str, named: _Named) -> bool:
    """Whether statements name nothing that the question does not name too."""
    more = named.times or named.amounts or named.documents
    return _all_in(named.values, question) and not (more or _refers(question))


def _refers(question: str) -> bool:
    return any(p.search(question) for p in (_THERE, _ARE_THERE, _THEN, _THEY, _THAN_THAT))
