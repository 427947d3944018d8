"""Decides whether a plan is accepted, several are offered, or the question is refused."""

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import name

from backend.language.common_words import FREE
from backend.language.words import words
from backend.plans.reading.sorts import DECISIVE, is_number, sort_of_word
from backend.plans.requests.choose import BROKEN, UNANSWERED, Candidate, conditions_of, together
from backend.plans.requests.counted_guesses import HEAD_BEFORE
from backend.plans.requests.cues import UNORDERED
from backend.plans.requests.offering import choices_of
from backend.plans.requests.shares_of_totals import passes_over_the_whole
from workbench.contract.derived_fields import derived_field
from workbench.contract.errors import FieldFault, Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.plan_validation import names_in

ACCEPTED = 0.55
"""The minimum probability of a plan that is accepted without asking."""
ACCEPTED_BY_RULES = 0.35
"""The same for plans of the rules, which themselves refuse unexplained words."""
ACCEPTED_BY_RULES_ALONE = 0.25
"""The same by the score alone, if no network applies."""
ACCEPTED_LEADING = 0.3
"""The same if all others are far less likely."""
ACCEPTED_LEADING_SKIPPING = 0.4
"""The same if it skips verbs only."""
_FAR = 2.0
"""How many times likelier than all others such a plan is."""
ACCEPTED_SKIPPING = 0.65
"""The same if content words were skipped."""
ACCEPTED_SKIPPING_SEVERAL = 0.75
"""The same if several content words were skipped, or the name of a property."""
ACCEPTED_AGAINST_WORDS = 0.97
"""The same if a word was skipped that says how to compute, compare or group, or that negates."""
_NEVER = math.inf
_NO_LEAD = frozenset({"answer: empty", "source: model"})
"""Plans that are not accepted for their lead: those that find nothing, and those of a model, beside
which no other is likely.
"""
_CLOCK = frozenset({"hours", "minutes", "seconds"})
"""Units that a plan which counts days does not have."""
_TOTALS = frozenset({"total", "altogether"})
_DOUBT = 0.02
"""The minimum probability of a reading that casts doubt on another with more skipped words."""
_RIVALS = 0.1
"""The minimum probability of a plan that casts doubt on another with unanswered names."""
OFFERED = 0.5
"""The minimum total probability of the plans in an offer."""
_OFFERED_EACH, _MOST_OFFERED = 0.05, 4
"""The minimum probability of each of them, and their maximum number."""
GUESSED = 0.4
"""The minimum probability of a guess, or of a single plan, for an offer."""


def chosen(
    found: Sequence[Candidate], by_rules: float = ACCEPTED_BY_RULES, refused: Invalid | None = None
) -> Candidate | None:
    """The plan to accept, None if no plan is likely enough; `by_rules` is the threshold for one
    that the rules read, `refused` is their refusal.
    """
    ruled = [c for c in found if c.by_rules]
    best = _best_of_each(found)
    for place, candidate in enumerate(best):
        if any({*other.skipped} < {*candidate.skipped} for other in best[:place]):
            continue  # a likelier one passes over less
        if _is_about_something_else(candidate, found):
            continue
        trusted = any(map(candidate.alike, ruled)) and _accounts_for_all(candidate, found)
        needed = _needed(candidate, by_rules if trusted else None)
        if together(candidate, found) >= needed_leading(candidate, found, needed, refused):
            return candidate
    return None


def _is_about_something_else(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether only another probable plan explains the noun after `which`: `which ship needed a
    pilot most often` is not about pilots.
    """
    asked = words(candidate.plan.query.lower())[:2]
    noun = asked[1] if len(asked) > 1 and asked[0] == "which" else ""
    grouped = any(node.node_type == "GroupBy" for node in candidate.plan.nodes.values())
    return (
        grouped
        and noun in map(str.lower, candidate.lacking)
        and any(
            c.likely >= _RIVALS
            and not candidate.alike(c)
            and noun not in map(str.lower, (*c.lacking, *c.skipped))
            for c in found
        )
    )


def needed_leading(
    candidate: Candidate, found: Sequence[Candidate], otherwise: float, refused: Invalid | None
) -> float:
    """The threshold for a plan that is far likelier than all others and leaves out no more than
    verbs; `otherwise` is that for all others, and where the rules `refused` more than unknown
    words.
    """
    sorts = {sort_of_word(word) for word in candidate.skipped}
    rivals = (c.likely for c in found if not candidate.alike(c))
    if (
        otherwise == _NEVER
        or not (refused is None or _only_unknown(refused))
        or not _NO_LEAD.isdisjoint(candidate.features)
        or not sorts <= {"verb", "function", "light"}
        or candidate.likely < _FAR * max(rivals, default=0.0)
    ):
        return otherwise
    return min(otherwise, ACCEPTED_LEADING_SKIPPING if sorts else ACCEPTED_LEADING)


def _best_of_each(found: Sequence[Candidate]) -> list[Candidate]:
    """The best reading of each answer, in the order of `found`: the likeliest, unless another
    shows what is asked for: the date in `date of the latest lease`.
    """
    best: list[Candidate] = []
    for candidate in found:
        place = next((i for i, one in enumerate(best) if candidate.alike(one)), None)
        if place is None:
            best.append(candidate)
            continue
        read = set(best[place].skipped).difference(candidate.skipped)
        if read and read == {_head(candidate.plan.query)}:
            best[place] = candidate
    return best


def _head(question: str) -> str | None:
    """What a question without a verb asks for: `date` in `the date of the latest lease`."""
    first = words(question)[:HEAD_BEFORE]
    before = first.index("of") - 1 if "of" in first else -1
    return first[before] if before >= 0 and first[before].lower() not in FREE else None


def _accounts_for_all(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether no probable plan uses a named property or value that this one of the rules lacks."""
    missed = min(c.features.get(UNANSWERED, 0.0) for c in found if candidate.alike(c))
    better = any(
        other.likely >= _RIVALS
        and not candidate.alike(other)
        and other.features.get(UNANSWERED, 0.0) < missed
        and not any(map(is_number, other.skipped))
        for other in found
    )
    return not better and not _understood_elsewhere(candidate, found)


def _understood_elsewhere(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether another reading takes words that this one skips as a value of the documents.

    Times do not count: people also mention days when they talk about themselves.
    """
    return any(other.likely >= _DOUBT and understands(other, candidate) for other in found)


def understands(other: Candidate, candidate: Candidate) -> bool:
    """Whether a reading does what another does and takes words that it skips as a value."""
    if not set(other.skipped) < set(candidate.skipped):
        return False
    own, conditions = conditions_of(candidate.plan), conditions_of(other.plan)
    further = [c for c in conditions if c not in own and _names_a_value(c)]
    return bool(further) and all(c in conditions for c in own)


def _names_a_value(condition: BasicFilter) -> bool:
    is_text = isinstance(condition.query, str) and not condition.is_date
    beside_another = bool(condition.start_field or condition.end_field)
    return beside_another or (is_text and derived_field(condition.field) is None)


def _needed(candidate: Candidate, by_rules: float | None) -> float:
    """The threshold for a plan; `by_rules` if the rules read it. A plan that skips a number or a
    word in another script, or does not compute what is asked for, is never accepted.
    """
    passed = candidate.skipped
    if not BROKEN.isdisjoint(candidate.features) or any(map(is_number, passed)):
        return _NEVER
    if any(map(is_foreign, passed)):
        return _NEVER
    if _asks_for_what_is_passed_over(candidate) or _narrows(candidate):
        return _NEVER
    if passes_over_the_whole(candidate):
        return _NEVER
    if _counts_the_unknown(candidate):
        return _NEVER
    if by_rules is not None:
        missed = any(word.lower() in _TOTALS for word in candidate.lacking)
        return ACCEPTED_AGAINST_WORDS if missed else by_rules
    if not candidate.skipped and not candidate.lacking:
        return ACCEPTED
    if any(word.lower() in DECISIVE for word in passed) or any(
        word.lower() in _CLOCK for word in candidate.lacking
    ):
        return ACCEPTED_AGAINST_WORDS
    if candidate.features.get(UNANSWERED):
        return ACCEPTED_SKIPPING_SEVERAL
    several = sum(sort_of_word(word) == "content" for word in candidate.lacking) > 1
    return ACCEPTED_SKIPPING_SEVERAL if several else ACCEPTED_SKIPPING


def _counts_the_unknown(candidate: Candidate) -> bool:
    """Whether what is counted, as in `complaints per route`, is hardly a name of the documents."""
    return any(not _is_of_a_step(word, candidate.plan) for word in candidate.guesses)


def _is_of_a_step(word: str, plan: Plan) -> bool:
    """Whether a word begins like one in the name of a property that a plan uses: `decisions per
    month` by the month in which it was `decided_on`.
    """
    named = {part for name in names_in(plan) for part in _NAMED.findall(name.lower())}
    return any(part[:_BEGINNING] == word[:_BEGINNING] for part in named)


_NAMED = re.compile(r"[^\W\d_]+")
_BEGINNING = 4


def _narrows(candidate: Candidate) -> bool:
    """Whether a skipped word says which documents are meant: `the purple ones`."""
    asked = words(candidate.plan.query.lower())
    passed = {word.lower() for word in candidate.skipped if sort_of_word(word) == "content"}
    return any(one == "ones" and before in passed for before, one in pairwise(asked))


def _asks_for_what_is_passed_over(candidate: Candidate) -> bool:
    """Whether the skipped words contain the question itself: the word of a yes/no question (`is it
    safe to use …`), or the verb after `who` (`who drove the truck?`).
    """
    passed = {w.lower(): sort_of_word(w) for w in (*candidate.skipped, *candidate.lacking)}
    asked = words(candidate.plan.query.lower())[:2]
    if len(asked) < 2:
        return False
    if asked[0] in _POLAR and asked[1] not in ("you", "we", "i", "there"):
        return "content" in passed.values()
    names = asked[0] in ("who", "whom", "whose", "why")
    return names and passed.get(asked[1]) in ("verb", "content")


_POLAR = frozenset(
    """
    is are was were am do does did has have had can could should will would may must
    """.split()  # noqa: SIM905
)


def is_foreign(word: str) -> bool:
    """Whether a word is in another script: such words are not fillers."""
    return any(letter.isalpha() and "LATIN" not in name(letter, "LATIN") for letter in word)


def _worth_offering(found: Sequence[Candidate], *, alone: bool) -> list[Candidate]:
    """The likeliest plans, if likely enough together; one alone only if it may stand `alone`."""
    few = [c for c in _best_of_each(found)[:_MOST_OFFERED] if c.likely >= _OFFERED_EACH]
    if len(few) == 1:
        likely = alone and few[0].likely >= GUESSED
        return few if likely and not few[0].skipped else []
    return few if sum(c.likely for c in few) >= OFFERED else []


def _either(sentences: Sequence[str]) -> str:
    """`“…”, “…” or “…”`."""
    *others, last = [f"“{sentence}”" for sentence in sentences]
    return f"{', '.join(others)} or {last}" if others else last


_UNKNOWN = frozenset({"unknown_property", "unknown_value", "not_understood"})


def _only_unknown(refused: Invalid) -> bool:
    """Whether the rules refused only words that the choices explain."""
    return all(fault.type in _UNKNOWN for fault in refused.faults)


def undecided(
    found: Sequence[Candidate],
    refused: Invalid | None,
    loc: tuple[str, ...],
    question: str,
    before: Plan | None = None,
) -> Invalid:
    """The refusal if no plan is likely enough: the possible readings, or what was not understood.

    With a plan `before`, choices are worded as changes of it.
    """
    contradicts = refused is not None and refused.faults[0].type == "contradictory"
    few = [] if contradicts else _worth_offering(found, alone=refused is None)
    offered = choices_of((candidate.plan for candidate in few), before, least=1)
    if offered:
        meant = _either([choice.words for choice in offered])
        choose = "choose one" if len(offered) > 1 else "choose it"
        msg = f"“{question}” may mean {meant}: {choose}, or say it in other words."
        passed = {word: None for c in few for word in c.skipped}
        if passed:
            listed = ", ".join(f"“{word}”" for word in passed)
            msg += f" Not understood: {listed}."
        if refused is not None and (passed or not _only_unknown(refused)):
            msg += f" {refused.detail}"
        fault = FieldFault(loc=list(loc), msg=msg, type="ambiguous", choices=offered)
        return Invalid([fault])
    if refused is not None:
        return refused
    if any(UNORDERED in candidate.features for candidate in found):
        msg = f"“{question}” asks for the best, but not by what: name the property to order by."
        return Invalid.at(loc, msg, "ambiguous")
    best = found[0] if found else None
    if best is not None and best.skipped:
        listed = ", ".join(f"“{word}”" for word in best.skipped)
        were = "was" if len(best.skipped) == 1 else "were"
        msg = f"{listed} {were} not understood (in “{question}”)."
        return Invalid.at(loc, msg, "not_understood")
    how = "say it in other words, or one part at a time"
    msg = f"“{question}” was not understood as a whole: {how}."
    return Invalid.at(loc, msg, "not_understood")


def guessed(
    found: Sequence[Candidate], loc: tuple[str, ...], question: str, before: Plan | None = None
) -> Invalid | None:
    """The refusal that offers the likeliest plans if the first is a guess: no words name a part of
    it, so it is never applied unasked. None if no guess is likely enough.
    """
    few = _best_of_each(found)[:2]
    best = few[0] if few else None
    if best is None or not best.foreseen or best.likely < GUESSED or _needed(best, None) == _NEVER:
        return None
    offered = choices_of((c.plan for c in few), before)
    if not offered:
        return None
    meant = _either([choice.words for choice in offered])
    msg = f"“{question}” is understood in part. Is {meant} meant? Choose it, or rephrase."
    return Invalid([FieldFault(loc=list(loc), msg=msg, type="ambiguous", choices=offered)])
