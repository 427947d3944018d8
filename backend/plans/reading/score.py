"""The weights by which readings are compared: one table, fitted on questions that people asked.

`python -m tests.bench.fit_readings` makes `weights.json` beside this file. A feature that it does
not name counts what `PRIORS` say, or nothing.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

PRIORS: Mapping[str, float] = {
    "skip: light": -0.02,
    "skip: function": -0.1,
    "skip: verb": -0.5,
    "skip: content": -2.5,
    "skip: number": -4.0,
    "skip: quoted": -5.0,
    "skip: steering": -1.5,
    "skip: linked": -0.5,
    "skip: beyond what plans do": -9.0,
    "skip: talk": -0.2,
    "skip talk: other content": -1.5,
    "chunk": -0.35,
    "property: whole name": 0.6,
    "property: all but weak words": 0.3,
    "property: part missing": -1.2,
    "property: head missing": -0.3,
    "property: missing part is the documents": 0.5,
    "property: words": 0.2,
    "property: synonyms": -0.5,
    "property: described": -0.4,
    "property: shared words": -0.2,
    "property: described in other words": -0.8,
    "relative to another": 1.5,
    "property: only described": -0.6,
    "property: only weak": -0.4,
    "property: nouns": -0.1,
    "property: by what its description begins with": 0.7,
    "value: words": 0.3,
    "value: as held": 0.2,
    "value: capital": 0.3,
    "value: quoted": 1.0,
    "value: common word": -2.0,
    "value: noun": -1.0,
    "value: names a property": -0.7,
    "value: code": -0.2,
    "value: part": -0.7,
    "value: part by a name": 0.5,
    "value: part of several": -0.3,
    "value: part by common words": -1.2,
    "noun": -0.3,
    "noun: named": 0.3,
    "noun: guessed": -0.2,
    "noun: of descriptions": -0.7,
    "noun: guessed, in texts": -1.0,
    "noun: guessed beside another": -1.5,
    "degree: named": 0.3,
    "degree: alike": -0.3,
    "degree: date": -0.5,
    "degree: age": 0.6,
    "bare word": -0.5,
    "Cond: Vals": -0.5,
    "Cond: Flag": -0.4,
    "Measures: HowMany Prop": -0.6,
    "Measures: HowMany Props": -0.5,
    "Measures: HowMany Prop Noun?": -0.3,
    "Sort: Dir": -0.5,
    "Sort: Alpha": -0.5,
    "request: column dropped": -1.5,
    "request: key from columns": -0.2,
    "request: several conditions on one property": -1.0,
    "request: date unnamed": -0.3,
    "request: several dates": -1.5,
    "request: no document named": -0.2,
    "request: everything": -1.0,
    "two properties": 2.5,
    "part of a date": 0.7,
    "several orders": 1.5,
    "share": 1.0,
    "flag: across": 0.7,
    "compared values": 1.0,
    "date: described in other words": 0.35,
    "ratio of totals": 2.0,
    "ratio of totals: bare": 0.5,
    "beside the average": 1.5,
    "excluded": 1.0,
    "not yet": 1.0,
    "several numbers": 0.5,
    "number of the only property": 0.3,
    "is a number of the only property": -0.5,
    "country code": 1.0,
    "what somebody has": 1.0,
    "words: Overall": -0.3,
    "extreme of one document": 1.0,
    "request: date as in key": 0.3,
    "share: further conditions": -0.7,
    "newest": 1.0,
    "state: still": 0.5,
    "any period ~ bucket": -3.0,
    "value known": -0.8,
    "money taken or spent": 0.7,
    "request: average or total left out": -2.0,
    "answer: dates added up": -9.0,
    "deadline": 1.0,
    "date: named": 0.7,
    "date: described": 0.4,
    "date: another is": -1.0,
    "property: the name of another": -1.5,
    "property: part of a name, the name of another": -1.0,
    "median lacks what it asks for": -2.0,
    "period lacks what it asks for": -2.5,
    "key: date unnamed": -0.2,
    "key: several dates": -0.7,
    "key: named date": -0.3,
    "key: date as in condition": 0.5,
    "newest: apart from the noun": -0.3,
    "ask when": 0.7,
    "best first": 1.0,
    "first: number apart": 0.7,
    "for each time": 1.0,
    "total of the best": 0.5,
    "amounts in time": 0.3,
    "answer: rates added up": -5.0,
    "several dates in a row": 1.0,
    "throughout a time": 1.0,
    "request: several times on one property": -2.0,
    "within a margin": 1.5,
    "passes over several orders": -2.0,
    "passes over two properties": -2.0,
    "passes over a part of a date": -2.5,
    "measure: amount unnamed": -0.3,
    "sum of: no sum is computed": -2.0,
    "how much: nothing is computed": -2.0,
    "about a number: no range is read": -4.0,
    "begins with: no beginning is tested": -4.0,
    "begins with a word": 1.0,
    "property: generic word": -0.1,
    "derived: date unnamed": -0.3,
    "derived: several dates": -0.7,
    "then ~ Sort then": 1.5,
    "then lacks what it asks for": -2.0,
    "answer: empty": -2.0,
    "answer: groups of one": -2.5,
    "answer: all documents": -1.0,
    "source: model": 0.7,
    "source: model too": 1.0,
    "model: answer without sense": -4.5,
    "model: lacks what is certain": -4.5,
    "model: lacks what is asked for": -4.5,
}
"""What a feature is worth before anything is fitted."""


EDIT_PRIORS: Mapping[str, float] = {
    "chart: behind the best": -1.0,
    "skip: content": -2.0,
    "skip: number": -3.0,
    "skip: quoted": -4.0,
    "skip: steering": -1.5,
    "skip: verb": -0.7,
    "answer: empty": -3.0,
    "source: rules": 1.0,
    "source: both": 2.5,
    "rules: a clause left out": -1.0,
    "rules: words no reading explains": -1.0,
    "fresh": -1.0,
    "plan lacks a number": -2.0,
    "plan lacks a quotation": -2.0,
    "promise: unwanted stays": -1.5,
    "answer: groups of one": -1.5,
    "answer: the same documents": -2.5,
    "answer: a limit that cuts nothing": -3.0,
    "order by a further date": -1.2,
    "order by the key ~ superlative": -1.5,
    "now documents ~ same figure": -2.0,
    "all conditions gone ~ same figure": -1.0,
    "time: the first date": 0.5,
    "unanswered: value": -3.5,
    "unanswered: property": -2.5,
    "promise: lacks condition": -1.5,
    "promise: lacks figure": -0.7,
    "promise: lacks of": -1.5,
    "promise: lacks number": -1.0,
    "unasked: condition": -1.0,
    "unasked: hinted condition": -1.0,
    "unasked: condition gone": -4.0,
    "unasked: key": -2.5,
    "unasked: hinted key": -1.0,
    "unasked: figure": -2.0,
    "unasked: hinted figure": -1.0,
    "unasked: avg": -2.0,
    "unasked: median": -2.0,
    "unasked: sum": -1.0,
    "unasked: max": -1.0,
    "unasked: min": -1.0,
    "unasked: count": -4.0,
    "unasked: another date": -2.5,
    "one of no order": -1.5,
    "a step is a bound": -3.0,
    "unasked: documents": -1.5,
    "unasked: limit": -1.5,
    "unasked: limit gone": -3.0,
    "unasked: order by this": -1.0,
    "unasked: hinted order": -1.0,
    "unasked: order": -2.5,
    "unasked: column": -2.0,
    "unasked: hinted column": -1.5,
    "of those: a condition goes": -4.0,
    "superlative of size by a date": -3.0,
    "superlative of size by no number": -3.0,
    "points at the answer": 1.5,
    "new question that points back": -3.5,
    "new question about everything": -2.0,
    "instead: what is to go stays": -3.0,
    "unanswered: avg": -3.0,
    "unanswered: median": -3.0,
    "unanswered: each": -2.5,
    "unanswered: share": -1.5,
}
"""The same for what is done about follow-ups and feedback."""


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """The fitted table over the priors."""
    return {**PRIORS, **_fitted("weights.json")}


@lru_cache(maxsize=1)
def edit_weights() -> Mapping[str, float]:
    """The table for follow-ups and feedback: what a reading changes in a plan, beside its words."""
    return {**EDIT_PRIORS, **_fitted("edit_weights.json")}


def _fitted(name: str) -> dict[str, float]:
    path = Path(__file__).with_name(name)
    read: dict[str, float] = json.loads(path.read_text()) if path.exists() else {}
    return read


def total(features: Mapping[str, float], table: Mapping[str, float]) -> float:
    """What features are worth together."""
    return sum(table.get(name, 0.0) * amount for name, amount in features.items())


def summed(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Features with what they amount to."""
    results: dict[str, float] = {}
    for name, amount in parts:
        results[name] = results.get(name, 0.0) + amount
    return results
