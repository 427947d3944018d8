"""Words that mean nearly the same, in general English."""

from backend.plans.english.words import stem

# Words that mean nearly the same; each line is one meaning.
_SYNONYMS = """
death die dead kill fatal fatality casualty perish lethal deadly victim lose
injury injured hurt wounded wound harm
profit profitable earnings net income gain
loss losses deficit
revenue sales turnover
cost price expense expensive cheap amount pay paid charge fee bill fare
employee staff headcount worker workforce personnel people
boss ceo chief executive head leader
maker make manufacturer brand built producer vendor
place location city town
country nation
state region province
customer client buyer
supplier vendor seller provider
author writer written wrote
title name headline
topic subject theme
rating score grade stars
speed fast quick velocity
age old young
length long duration last short time period span
weight heavy mass light weigh
height tall high
size large big small
temperature hot cold warm
year annual
category kind type class
status state stage phase
experience experienced hours
date day when published publication issued happened
debt owe owed liability borrowing
growth grow grew increase rise
margin markup
outlook guidance forecast
seat passenger capacity
department division unit team
quantity number count volume
population inhabitants people residents
area surface
salary wage pay compensation income
diagnosis disease illness condition
doctor physician
patient
invoice bill
contract agreement
paid pay payment
due deadline expiry expire expiration
begin start
end finish close closing terminate
ship ship vessel boat
aircraft plane airplane
car vehicle automobile
company firm business corporation
school university college institution
weather meteorological
"""


def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _SYNONYMS.strip().splitlines():
        stems = {stem(word) for word in line.split()}
        for word in stems:
            found.setdefault(word, set()).update(stems)
    return {word: frozenset(others) for word, others in found.items()}


_MEANINGS = _groups()


def synonyms(word_stem: str) -> frozenset[str]:
    """Stems that mean nearly the same as this one, itself included."""
    return _MEANINGS.get(word_stem, frozenset({word_stem}))


_ENDINGS = (
    "ation", "ition", "ment", "ance", "ence", "ure", "age", "ion", "ing", "al", "er", "or", "ee",
    "e", "i",
)  # fmt: skip
_SHORTEST_ROOT = 4


def root(word_stem: str) -> str:
    """A stem without the ending that makes a noun of a verb: `treat` of `treatment`."""
    for ending in _ENDINGS:
        rest = word_stem.removesuffix(ending)
        if rest != word_stem and len(rest) >= _SHORTEST_ROOT:
            return rest
    return word_stem
