"""Links words for amounts without a named property: totals, revenue and spending, `in full`."""

from collections.abc import Sequence
from itertools import pairwise

from backend.language.tokens import Token
from backend.plans.reading.amounts import SIZES, extent, money, owed_amount, whole_amount
from backend.plans.reading.chart import Chart
from backend.plans.reading.linking_types import Degreed, MoneyOf, Owed
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.plan_nodes import Function


def amount_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds the links to a chart."""
    _whole_amount(chart, tokens, vocabulary)
    _averaged(chart, tokens, vocabulary)
    _in_full(chart, tokens, vocabulary)
    _money(chart, tokens, vocabulary)
    _size(chart, tokens, vocabulary)


_MONEY = {
    **dict.fromkeys(("revenue", "turnover", "takings", "earnings", "income", "earn", "earned"),
                    "earned"),
    **dict.fromkeys(("spend", "spending", "spent", "expenditure", "outlay", "pay", "pays",
                     "paying"), "spent"),
    **dict.fromkeys(("money", "cash"), "money"),
}  # fmt: skip
"""Words for sums of money, each with a word by which `amounts` finds the property."""


def is_sum(word: str) -> bool:
    """Whether a word is a sum of money and never the documents: `takings`."""
    return word in _MONEY


def _money(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    for i, token in enumerate(tokens):
        ahead = tokens[i + 1].lower if i + 1 < len(tokens) else ""
        brought = token.lower in _BRINGING and ahead == "in"
        word = "earned" if brought else _MONEY.get(token.lower)
        prop = None if word is None else money(vocabulary, word)
        if prop is not None and token.stem not in prop.parts:
            chart.add(
                i, i + 1 + brought, "Money", MoneyOf(prop), (("measure: amount unnamed", 1.0),)
            )
    for i, (how, much, verb) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        if (how.lower, much.lower) == ("how", "much") and verb.lower in _AUXILIARIES:
            prop = money(vocabulary)  # "how much did they receive"
            if prop is not None:
                loaded = MoneyOf(prop), (("measure: amount unnamed", 1.0),)
                chart.add(i, i + 2, "Money", *loaded)


_BRINGING = frozenset(("bring", "brings", "brought", "bringing"))
_AUXILIARIES = frozenset(
    ("did", "does", "do", "has", "have", "had", "was", "were", "went", "will", "would")
)


def _size(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """`the largest invoice`: by the number that says how large the documents are, unless another
    is named behind it.
    """
    for i, (token, following) in enumerate(pairwise(tokens)):
        high = SIZES.get(token.lower)
        if high is None or any(other.lower == "by" for other in tokens[i + 2 :]):
            continue
        if following.stem in vocabulary.nouns or vocabulary.values_at(tokens, i + 1)[0]:
            prop = extent(vocabulary, token.lower)
            if prop is not None:
                features = (("degree: size of the documents", 1.0),)
                chart.add(i, i + 1, "Superlative", Degreed(prop, high), features)


_ADDED_UP = (
    "total of", "sum of", "total for", "add up to", "adds up to", "amount to", "come to",
    "add up to in total", "amount to in total", "come to in total",
)  # fmt: skip


def _whole_amount(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """`the total of the invoices`, if there is only one candidate number."""
    for phrase in _ADDED_UP:
        words = phrase.split()
        for start in range(len(tokens) - len(words) + 1):
            if [token.lower for token in tokens[start : start + len(words)]] != words:
                continue
            prop = whole_amount(vocabulary)
            if prop is not None:
                measure = (Measure("sum", prop.field),)
                features = (("measure: amount unnamed", 1.0),)
                chart.add(start, start + len(words), "Measures", measure, features)


_AVERAGES: dict[str, Function] = {"average": "avg", "mean": "avg", "median": "median"}


def _averaged(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """`the average invoice`: of the number that says how large the documents are."""
    for i, (token, following) in enumerate(pairwise(tokens)):
        func = _AVERAGES.get(token.lower)
        if func is not None and following.stem in vocabulary.nouns:
            prop = whole_amount(vocabulary)
            if prop is not None:
                measure = (Measure(func, prop.field),)
                chart.add(i, i + 2, "Measures", measure, (("measure: amount unnamed", 1.0),))


_IN_FULL = (("in", "full"), ("fully",), ("completely",), ("entirely",))


def _in_full(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """`paid in full`: as much as the amount owed, if there is only one candidate."""
    words = tuple(token.lower for token in tokens)
    owed = owed_amount(vocabulary)
    for phrase in _IN_FULL:
        for start in range(len(tokens) - len(phrase) + 1):
            if owed is not None and words[start : start + len(phrase)] == phrase:
                chart.add(start, start + len(phrase), "InFull", Owed(owed))
