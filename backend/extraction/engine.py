"""Extraction: the values of a schema's properties in one document, with source and confidence.

Candidates come from independent `extractors`; this module alone picks the winner, sets its
confidence, applies validators and retries, and falls back to defaults.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from backend.extraction.contradictions import out_of_order
from backend.extraction.currencies import with_currencies
from backend.extraction.declared import with_declared
from backend.extraction.document import Document
from backend.extraction.extracted import Extracted, Guess
from backend.extraction.groups import Group
from backend.extraction.stated_scales import in_full, takes_scale
from backend.extraction.targets import Target, targets
from backend.extraction.validators import passes
from backend.extraction.value_faults import default_of
from backend.extraction.weighed import GIVEN, Weighed
from backend.extraction.weighing import weighed
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

WORTH_A_LOOK = 0.15
"""Below this confidence a guess is not even an alternative."""
WORTH_A_VOTE = 0.02
"""Below this confidence a losing guess is not reported."""
STATED = 0.55
"""The minimum fit of a label whose value says that there is none; such a statement is hard to
misread.
"""
CHOSEN = 0.85
"""The same where "none" may be one of the choices."""
TOSS, CHOICE_TOSS = 0.15, 0.33
"""Candidates whose confidence differs by less than this are a toss-up, and neither is given. A text
may mention all choices, so the best one has to be twice as likely.
"""
MAX_OTHERS = 5


def extract(
    elements: Sequence[Element],
    schema: Schema,
    *,
    voting: bool = False,
    day_first: bool | None = None,
) -> dict[str, Extracted]:
    """Extracts every property of the schema; a property without a confident value gets its default
    or None.

    Values below `GIVEN` are reported only as alternatives. With `voting` losing guesses are
    reported as well. `day_first` is the order of day and month in related documents, if known.
    Confidence is the share of such values that are right; a default has confidence 0. Faulty
    validators raise `ExpressionError`; `schema_faults` reports them beforehand.
    """
    if not schema.properties:
        return {}  # reading a document takes far longer than finding nothing in it
    document = Document(elements, usual_order=day_first)
    extracted = _extracted(compiled(schema), document, voting)
    return with_declared(extracted, schema, elements)


def compiled(schema: Schema) -> list[Target]:
    """The targets of a schema, cached between documents: they remember which labels fit."""
    return _compiled(schema.model_dump_json())


def _extracted(wanted: Sequence[Target], document: Document, voting: bool) -> dict[str, Extracted]:
    running = weighed(wanted, document, _inner_values, voting=voting)
    read = {one.target.name: _chosen(one, document, voting) for one in running}
    result = with_currencies(read, wanted, document)
    values = {name: (one.value, one.confidence) for name, one in result.items() if one.confidence}
    for name in set(out_of_order(wanted, values)):
        result[name] = _withdrawn(result[name], next(t for t in wanted if t.name == name))
    return result


def _withdrawn(one: Extracted, target: Target) -> Extracted:
    """Replaces a contradicted value by the default; the value stays an alternative."""
    lost = Guess(one.value, one.confidence, one.page, one.bbox, one.element, one.unit)
    alternatives = [lost, *one.alternatives][:MAX_OTHERS]
    others = [lost, *one.others][:MAX_OTHERS] if one.others else []
    return Extracted(default_of(target.shape), 0.0, others=others, alternatives=alternatives)


@lru_cache(maxsize=32)
def _compiled(schema_json: str) -> list[Target]:
    return targets(Schema.model_validate_json(schema_json).properties)


def _chosen(one: Weighed, document: Document, voting: bool) -> Extracted:
    """The likeliest value that passes the validators, if it is likely enough."""
    shape = one.target.shape
    factors = document.scales if takes_scale(one.target) else {}
    ranked = _ranked(one)
    if _stated_absent(ranked, CHOSEN if shape.kind == "choice" else STATED):
        one, ranked = Weighed(one.target, [], []), []
    losers: list[Guess] = []
    given: Guess | None = None
    for _ in range(1 + max((v.n_retries for v in shape.validators), default=0)):
        best = next((pair for pair in ranked if not pair[0].absent), None)
        if best is None:
            break
        guess = _guess(*best, factors)
        if passes(guess.value, shape.validators):
            given = guess if guess.confidence >= GIVEN and (voting or _clear(one, ranked)) else None
            break
        losers.append(guess)
        one = one.without(best[0])
        ranked = _ranked(one)
    losers += [
        _guess(*pair, factors) for pair in ranked if pair[1] >= WORTH_A_VOTE and not pair[0].absent
    ]
    losers = sorted((loser for loser in losers if loser != given), key=lambda g: -g.confidence)
    alternatives = [loser for loser in losers if loser.confidence >= WORTH_A_LOOK][:MAX_OTHERS]
    others = [loser for loser in losers if loser.confidence >= WORTH_A_VOTE][:MAX_OTHERS]
    others = others if voting else []
    if given is None:
        return Extracted(default_of(shape), 0.0, others=others, alternatives=alternatives)
    return Extracted(
        given.value, given.confidence, given.page, given.bbox, given.element, given.unit,
        others, alternatives,
    )  # fmt: skip


def _stated_absent(ranked: Sequence[tuple[Group, float]], least: float) -> bool:
    """Whether the document states the absence of a value more clearly than any value."""
    if not ranked:
        return False
    absent = max((group.score for group, _ in ranked if group.absent), default=0.0)
    present = max((group.score for group, _ in ranked if not group.absent), default=0.0)
    likeliest = ranked[0][0].absent and ranked[0][1] >= GIVEN
    return likeliest or (absent >= least and absent > present)


def _clear(one: Weighed, ranked: Sequence[tuple[Group, float]]) -> bool:
    """Whether the likeliest value has a clear lead over the next; lists may overlap."""
    if one.opinion is None:
        return True
    present = [chance for group, chance in ranked if not group.absent]
    least = CHOICE_TOSS if one.target.shape.kind == "choice" else TOSS
    return len(present) < 2 or present[0] - present[1] >= least


def _ranked(one: Weighed) -> list[tuple[Group, float]]:
    """Values with their probability, the likeliest first; ties keep the order of the document."""
    return sorted(zip(one.groups, one.confidences, strict=True), key=lambda pair: -pair[1])


def _inner_values(inner: Sequence[Target], document: Document) -> dict[str, Guess]:
    """The values of an object's properties, validated."""
    extracted = _extracted(inner, document, voting=False)
    return {name: guess for name, guess in extracted.items() if guess.element is not None}


def _guess(group: Group, confidence: float, factors: Mapping[int, float]) -> Guess:
    """A value at its place; `factors` scale the amounts of tables in thousands or millions."""
    element, page, bbox = group.place()
    value = in_full(group.value, element, factors)
    return Guess(value, round(min(confidence, 0.99), 3), page, bbox, element, group.unit)
