"""Finds clauses unrelated to the documents: greetings, reasons for asking.

A clause that names no property, value, number or date and asks for nothing is talk if it is about
people, is a statement, or consists of a word or two at the beginning. One that might narrow the
documents, such as `, painted purple`, is not. Skipping talk costs less, and is still reported.
"""

from collections.abc import Sequence, Set

from backend.language.tokens import Token

_MARKS = frozenset(",;.!?:–—()")
_PERSONS = frozenset(
    "i we me us my our you your she he her him his they them their mine myself everyone".split()  # noqa: SIM905
)
_FINITE = frozenset("is are was were be been am does do did has have had will would can".split())  # noqa: SIM905
_GREETING = 2
"""At most this many words at the beginning, followed by punctuation, may be a greeting."""


def clauses_of(tokens: Sequence[Token]) -> list[range]:
    """The tokens between punctuation; a hyphen inside a word does not separate."""
    starts = [0]
    for i, token in enumerate(tokens):
        dash = token.text == "-" and not token.joined
        if token.kind == "sign" and (token.text in _MARKS or dash):
            starts.append(i + 1)
    ends = [*(start - 1 for start in starts[1:]), len(tokens)]
    return [range(a, b) for a, b in zip(starts, ends, strict=True) if a < b]


def talk(tokens: Sequence[Token], meant: Set[int]) -> dict[int, str]:
    """The tokens of clauses that name nothing, with the kind of the clause: person, finite,
    greeting, other. `meant` are tokens that the collection knows.
    """
    clauses = clauses_of(tokens)
    results: dict[int, str] = {}
    for clause in clauses if len(clauses) > 1 else ():
        kinds = {tokens[i].kind for i in clause}
        if meant.isdisjoint(clause) and kinds.isdisjoint(("number", "day", "quoted")):
            kind = _kind(tokens, clause)
            results |= dict.fromkeys(clause, kind)
    return results


def _kind(tokens: Sequence[Token], clause: range) -> str:
    words = [tokens[i].lower for i in clause if tokens[i].kind == "word"]
    if not _PERSONS.isdisjoint(words):
        return "person"
    if not _FINITE.isdisjoint(words):
        return "finite"
    return "greeting" if clause.start == 0 and len(words) <= _GREETING else "other"


def speaks_to_somebody(tokens: Sequence[Token]) -> bool:
    """Whether a sentence is about people, is a statement, or is a greeting."""
    return _kind(tokens, range(len(tokens))) != "other"


def about_the_asker(tokens: Sequence[Token]) -> frozenset[int]:
    """The tokens of clauses whose subject is the asker: `I have her on the phone`."""
    return frozenset(
        i
        for clause in clauses_of(tokens)
        if any(tokens[k].lower in ("i", "we") for k in clause)
        for i in clause
    )
