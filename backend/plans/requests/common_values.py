"""Reports words of most documents that are, or might be, values of a request.

`products` in a question about contracts may be the distributor that was read as PRODUCTS in one of
them, but it hardly is. So such a word is a value only beside its property or the noun for the
documents; the answer states it if it was read as a value, and if it might have been.
"""

from collections.abc import Iterator

from backend.language.tokens import tokenise
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.unused import reflected_words
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import BasicFilter, canonical_field, typed


def with_common_values(
    plan: Plan, request: str, vocabulary: Vocabulary, before: Plan | None = None
) -> Plan:
    """The plan with a remark for each value of such a word, and for each that was not taken.

    Values that the plan `before` tested are not reported again, nor those of properties that the
    request names.
    """
    asked = {token.stem for token in tokenise(request)}
    old = set(_tested(before)) if before is not None else set()
    common = [item for items in vocabulary.values.common.values() for item in items]
    lines = []
    for name, value in dict.fromkeys(_tested(plan)):
        prop = vocabulary.get(name)
        if prop is None or (name, value) not in common or (name, value) in old:
            continue
        if asked.isdisjoint(prop.parts):
            lines.append(f"read “{value}” as {prop.label}, although most documents have that word")
    words = dict(_values_by_word(request, vocabulary))
    used = reflected_words(plan, vocabulary.collection, words)
    lines += [_no_value(word, of) for word, of in words.items() if word not in used]
    return plan.with_warnings(lines) if lines else plan


def explained(refused: Invalid, request: str, vocabulary: Vocabulary) -> Invalid:
    """The refusal of a request, with a sentence for each such word in it."""
    lines = [_no_value(word, of) for word, of in _values_by_word(request, vocabulary)]
    if not lines or any(fault.choices for fault in refused.faults):
        return refused
    first, *others = refused.faults
    msg = " ".join([first.msg, *(f"{line[:1].upper()}{line[1:]}." for line in lines)])
    return Invalid([first.model_copy(update={"msg": msg}), *others])


def _no_value(word: str, named: str) -> str:
    return (
        f"most documents have the word “{word}”, so it alone is not read as a value,"
        f" but “{named}” is"
    )


def _values_by_word(request: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """The words of most documents in a request, in lower case, each with a value named fully."""
    for token in tokenise(request):
        for name, value in vocabulary.values.common.get(token.stem, ())[:1]:
            if (prop := vocabulary.get(name)) is not None:
                yield token.lower, f"{prop.label} is {value}"


def _tested(plan: Plan) -> Iterator[tuple[str, str]]:
    """The texts that filters look for, each with its field."""
    for node in plan.nodes.values():
        step = typed(node)
        if not isinstance(step, BasicFilter):
            continue
        for test in (step, *(step.any_of or [])):
            for value in [*(test.values or ()), test.query]:
                if isinstance(value, str):
                    yield canonical_field(test.field or step.field), value
