"""Replaces colloquial verbs with a particle by a plain verb.

>>> plain_verbs("what turned up late?", lambda verb, particle: verb == "arrive")
'what arrived late?'
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

_MEANT = """
arrive: turn up, show up, roll up, roll in, come in, get here, get in
pay: pay off, settle up, cough up
depart: set off, set out, head off
return: send back, bring back, hand back, give back, take back, come back
submit: hand in, send in, put in, turn in
happen: take place, come about
cancel: call off
postpone: put off, put back
repair: patch up, fix up
record: write down, note down, jot down, put down
collect: pick up
establish: set up
hire: take on
leave: go away
expire: run out
end: run out
issue: draw up
draft: draw up
last: hold out, hold up, keep going
"""
_PAST = {
    "come": ("came",), "get": ("got",), "send": ("sent",), "bring": ("brought",), "pay": ("paid",),
    "give": ("gave", "given"), "take": ("took", "taken"), "put": (), "set": (),
    "write": ("wrote", "written"), "go": ("went", "gone"), "hold": ("held",), "keep": ("kept",),
    "leave": ("left",), "run": ("ran",), "draw": ("drew", "drawn"),
}  # fmt: skip
_DOUBLED = frozenset({"get", "put", "set", "jot", "cancel", "submit"})


def plain_verbs(text: str, known: Callable[[str, str], bool]) -> str:
    """The text with such verbs as one word each. `known(verb, particle)` says whether the documents
    use the plain verb and not the particle.
    """
    for pattern, verb, particle in _PATTERNS:
        if pattern.search(text) and known(verb, particle):
            text = pattern.sub(partial(_as, verb), text)
    return text


def _as(verb: str, match: re.Match[str]) -> str:
    """The plain verb in the form of the original one."""
    form = next(name for name, word in match.groupdict().items() if word)
    return {"ing": _ing(verb), "s": verb + "s", "past": _past(verb)[0], "base": verb}[form]


def _base(verb: str) -> str:
    return verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")


def _ing(verb: str) -> str:
    return _base(verb) + "ing"


def _past(verb: str) -> tuple[str, ...]:
    return _PAST[verb] if verb in _PAST else (_base(verb) + "ed",)


def _patterns() -> Iterator[tuple[re.Pattern[str], str, str]]:
    for line in _MEANT.strip().splitlines():
        verb, _, phrases = line.partition(": ")
        for phrase in phrases.split(", "):
            spoken, particle = phrase.split()
            past = "|".join(_past(spoken))
            forms = [f"(?P<ing>{_ing(spoken)})", f"(?P<s>{spoken}s)", f"(?P<base>{spoken})"]
            forms += [f"(?P<past>{past})"] if past else []
            yield (
                re.compile(rf"\b(?:{'|'.join(forms)}) {particle}\b", re.IGNORECASE),
                verb,
                particle,
            )


_PATTERNS = tuple(_patterns())
