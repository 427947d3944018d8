"""Features of an edit: its changes to a plan, beside the words that asked for it.

How often a change is the meaning of `only`, `instead` or `them` is fitted; nothing is decided here.
Features do not depend on how an edit was produced, so all candidates are compared alike.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from backend.language.numerals import numeral_at
from backend.language.tokens import Token
from backend.plans.reading.edit_words import marks_of
from backend.plans.reading.phrasing import KEY
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.cues import stored_values
from backend.plans.requests.plan_state import PlanState
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import BasicFilter


@dataclass(frozen=True)
class Wording:
    """The words of a follow-up, and what they imply about its relation to the plan."""

    tokens: Sequence[Token]
    marks: frozenset[str]
    dated: frozenset[str]
    """The date fields."""


_BESIDE = "condition beside one of the field"
_WIDER = frozenset({_BESIDE, "condition changed: more values"})
_KEEPING = frozenset({"also", "only", "of those", "them", "not", "drop"})
"""Marks of words that keep what the plan has."""
_LONG = 8
"""A request with more words than this is assumed to be complete by itself."""


def wording_of(tokens: Sequence[Token], vocabulary: Vocabulary) -> Wording:
    """The words with their marks."""
    features = set(marks_of(tokens))
    if any(token.stem in vocabulary.nouns for token in tokens):
        features.add("names documents")
    if sum(token.kind != "sign" for token in tokens) > _LONG:
        features.add("long")
    dated = frozenset(prop.field for prop in vocabulary.properties if prop.dated)
    return Wording(tokens, frozenset(features), dated)


def changes(
    wording: Wording, before: Plan, was: PlanState, after: Plan, now: PlanState, *, fresh: bool
) -> dict[str, float]:
    """Features of an edit beside the words of the request."""
    signs = ["fresh", f"fresh {now.kind()}"] if fresh else list(_signs(was, now, wording.dated))
    tokens, marks = wording.tokens, wording.marks
    kind = was.kind()
    features = {sign: 1.0 for sign in signs}
    features |= {f"{sign} ~ {mark}": 1.0 for sign in signs for mark in marks}
    features |= {f"{sign} ~ was {kind}": 1.0 for sign in signs}
    another = _BESIDE in signs and marks & {"and begins", "about"}
    if (another or ("same" in marks and _WIDER & set(signs))) and not marks & _KEEPING:
        features["what about another value: both are wanted"] = 1.0
    features["number of changes"] = float(len(signs))
    features |= _missing(tokens, before, after)
    return features


def _missing(tokens: Sequence[Token], before: Plan, after: Plan) -> dict[str, float]:
    """Numbers and quotations of the request that the edit neither adds to the plan nor removes."""
    values = stored_values(after) | stored_values(before)
    numbers = [token.text.lstrip("$€£").replace(",", "") for token in tokens
               if token.kind == "number"]  # fmt: skip
    numbers += [str(int(number)) for number in map(partial(_spelt, tokens), range(len(tokens)))
                if number is not None]  # fmt: skip
    quoted = [token.lower for token in tokens if token.kind == "quoted"]
    features = {
        "plan lacks a number": float(sum(text not in values for text in numbers)),
        "plan lacks a quotation": float(sum(text not in values for text in quoted)),
    }
    return {name: amount for name, amount in features.items() if amount}


def _spelt(tokens: Sequence[Token], i: int) -> float | None:
    """The number spelled out at a token, from two on: `one` is seldom a number."""
    if tokens[i].kind != "word" or (i and _spelt(tokens, i - 1) is not None):
        return None
    number = numeral_at(tokens, i)
    return number.value if number is not None and number.value > 1 else None


def _signs(was: PlanState, now: PlanState, dated: frozenset[str]) -> Iterator[str]:
    yield from _of_filters(was.filters, now.filters)
    if was.kind() != now.kind():
        yield f"now {now.kind()}"
        yield f"{was.kind()} to {now.kind()}"
    if was.keys != now.keys:
        yield _change("keys", was.keys, now.keys)
    if was.measures != now.measures and was.measures and now.measures:
        funcs = [m.func for m in was.measures] != [m.func for m in now.measures]
        more = len(now.measures) > len(was.measures)
        yield "measures added" if more else ("function changed" if funcs else "measured other")
    if was.counted != now.counted:
        yield _change("counted", was.counted, now.counted)
    if was.bounds != now.bounds:
        yield _change("bound", was.bounds, now.bounds)
    if was.order != now.order:
        yield _change("order", was.order, now.order)
    elif _way(was) != _way(now):
        yield "order turned"
    if now.order is not None and (was.order != now.order or _way(was) != _way(now)):
        yield "order down" if _way(now) else "order up"
        if now.keys:
            by_key = now.order in (*now.keys, KEY)
            yield "order by the key" if by_key else "order by a figure"
        if now.order in dated:
            yield "latest first" if _way(now) else "earliest first"
        if not now.limited:
            yield "order without limit"
    if was.lines != now.lines:
        yield _change("limit", was.lines, now.lines)
        if now.lines == 1:
            yield "limit one"
    if was.shown != now.shown:
        yield _change("shown", was.shown, now.shown)
    if was.share != now.share and was.share is not None and now.share is not None:
        yield "share of others"


def _change(name: str, before: object, after: object) -> str:
    if not before:
        return f"{name} new"
    return f"{name} changed" if after else f"{name} gone"


def _of_filters(was: Sequence[BasicFilter], now: Sequence[BasicFilter]) -> Iterator[str]:
    gone = [c for c in was if c not in now]
    new = [c for c in now if c not in was]
    fields_gone, fields_new = {c.field for c in gone}, {c.field for c in new}
    for field in sorted(fields_gone & fields_new):
        old = next(c for c in gone if c.field == field)
        condition = next(c for c in new if c.field == field)
        yield f"condition changed: {_difference(old, condition)}"
    for field in sorted(fields_new - fields_gone):
        condition = next(c for c in new if c.field == field)
        beside = any(c.field == field for c in was)
        yield _BESIDE if beside else "condition new"
        if condition.negate or condition.exists is False:
            yield "condition new: denied"
        if condition.any_of:
            yield "condition new: either"
    if left := len(fields_gone - fields_new):
        yield "condition gone"
        if left > 1:
            yield "conditions gone"
    if not now and was:
        yield "all conditions gone"


def _difference(old: BasicFilter, new: BasicFilter) -> str:
    if old.negate != new.negate:
        return "opposite"
    if old.range_filter != new.range_filter:
        return "another sort"
    if old.range_filter:
        bounds = [(old.start, new.start), (old.end, new.end)]
        if sum(a != b for a, b in bounds) == 2:
            return "both bounds"
        added = any(a is None and b is not None for a, b in bounds)
        return "bound added" if added else "a bound"
    before, after = _values(old), _values(new)
    if before < after:
        return "more values"
    return "fewer values" if after < before else "other values"


def _values(condition: BasicFilter) -> set[str]:
    values = [*(condition.values or []), condition.query]
    return {str(value) for value in values if value is not None}


def _way(state: PlanState) -> object:
    sorts = state.draft.on_spine("Sort")
    return bool(sorts[-1].extras.get("descending")) if sorts else None


def crossed(signs: Iterable[str], marks: Iterable[str]) -> dict[str, float]:
    """Features alone and combined with each mark."""
    listed = list(marks)
    return {sign: 1.0 for sign in signs} | {f"{s} ~ {m}": 1.0 for s in signs for m in listed}
