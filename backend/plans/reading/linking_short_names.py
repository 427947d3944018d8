"""Links everyday words that only one property can match: `number` for the key, `amount` for the
only amount, `nothing went wrong` if one list records problems, `the fines` for the documents if
each has a fine.
"""

from collections.abc import Sequence

from backend.language.nouns import singular
from backend.language.tokens import Token
from backend.language.words import stem
from backend.plans.reading.amounts import whole_amount
from backend.plans.reading.chart import Chart
from backend.plans.reading.properties import KEY_WORDS, Property
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.plan_nodes import BasicFilter

_LISTING = frozenset({",", "and", "&", ".", ":", "-", ";", "with", "by", "of"})
"""A bare column name is surrounded by these or by an end of the text."""
_TROUBLES = frozenset(
    map(
        stem,
        [
            "complaint",
            "defect",
            "fault",
            "flaw",
            "incident",
            "issue",
            "mishap",
            "problem",
            "trouble",
        ],
    )
)
_WENT_WRONG = {
    "nothing went wrong": False, "nothing was wrong": False, "nothing is wrong": False,
    "nothing to report": False, "nothing happened": False, "without incident": False,
    "without a hitch": False, "without trouble": False, "something went wrong": True,
    "anything went wrong": True, "something was wrong": True, "things went wrong": True,
}  # fmt: skip
_GUESSED = (("property", 1.0), ("property: short name", 1.0))


def short_name_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds the links to a chart."""
    words = [token.lower for token in tokens]
    for i, word in enumerate(words):
        if (prop := _bare_column(words, i, vocabulary)) is not None:
            chart.add(i, i + 1, "Prop", prop, _GUESSED)
        if word != singular(word) and _heads(words, i) and _is_of_each(word, vocabulary):
            chart.add(i, i + 1, "Noun", None, (("noun", 1.0), ("noun: named for an amount", 1.0)))
    text = f" {' '.join(words)} "
    troubles = [p for p in vocabulary.properties if p.kind == "array" and _TROUBLES & _stems(p)]
    for phrase, wrong in _WENT_WRONG.items() if len(troubles) == 1 else ():
        if f" {phrase} " in text:
            start = len(text[: text.index(f" {phrase} ")].split())
            condition = BasicFilter(field=troubles[0].field, exists=wrong)
            chart.add(start, start + len(phrase.split()), "Flag", condition,
                      (("state word", 1.0), ("went wrong", 1.0)))  # fmt: skip


def _stems(prop: Property) -> set[str]:
    return {*prop.parts, *prop.described}


def _bare_column(words: Sequence[str], i: int, vocabulary: Vocabulary) -> Property | None:
    """The key for `number` and `id`, the only amount for `amount`, where a column is possible."""
    behind = words[i + 1] if i + 1 < len(words) else "."
    if behind not in _LISTING - {"of", "with"}:
        return None
    if words[i] == "amount":
        return whole_amount(vocabulary)
    keys = [prop for prop in vocabulary.properties if prop.key]
    return keys[0] if words[i] in KEY_WORDS - {"no", "key"} and len(keys) == 1 else None


def _heads(words: Sequence[str], i: int) -> bool:
    """Whether a word is in a position that names the documents: `which fines`, `how many of
    the …`.
    """
    front = [word for word in words[:i] if word not in ("the", "all", "our", "these", "those")]
    return front[-1:] in (["which"], ["of"], ["many"], ["every"]) or not front


def _is_of_each(word: str, vocabulary: Vocabulary) -> bool:
    """Whether a plural names an amount that each document has once: `fines`."""
    named = [p for p in vocabulary.properties if stem(word) in p.parts and not p.dated]
    one = [p for p in named if singular(word) in p.label.lower().split()]
    return len(one) == len(named) == 1 and one[0].unit is not None and len(one[0].parts) == 1
