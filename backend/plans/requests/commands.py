"""The command of a clause of feedback: remove, replace, add, or simply state.

Steering words decide; their objects are looked up in the plan. A clause without a steering word is
read as a statement.
"""

import re
from dataclasses import replace
from itertools import pairwise

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import keys_of, measures_of
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    EitherFilter,
    ExtractField,
    Operation,
    RemoveFilter,
    RemoveLimit,
    RemoveSort,
    ReverseSort,
    SetGroup,
    SetMeasures,
    SetSource,
    ShareOf,
    Summarise,
    ToDocuments,
    WidenFilter,
)
from backend.plans.edits.wording import say_condition
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import negated
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.requests.additions import additions, unlimited
from backend.plans.requests.bag import Bag, refuse_left_over
from backend.plans.requests.exchanges import exchange
from backend.plans.requests.group_bounds import groups_kept
from backend.plans.requests.letting_in import any_time, let_in, of_all_of_it, says_any
from backend.plans.requests.parts import FILLING, bare_number, part, stated_in
from backend.plans.requests.relative_amounts import relative_amount
from backend.plans.requests.removals import removal
from backend.plans.requests.replacements import change, instead_of, now
from backend.plans.requests.short_requests import short_request
from backend.plans.requests.sparing import (
    all_but,
    all_but_value,
    any_but,
    kept_after_all,
    only_kept,
)
from backend.plans.requests.ungrouping import one_for_all, other_extreme

_WHOLE_LIST = re.compile(r"^[E,]*no?[LN]E?$")


def commands(clause: Clause, draft: Draft) -> list[Operation]:
    """The operations that a clause asks for; Unclear with the words that are left over."""
    clause = _by_another_key(_of_an_amount(clause), draft)
    shape = clause.shape
    grouped = bool(draft.on_spine("GroupBy", "TopK"))
    short = (
        relative_amount(clause, draft)
        or let_in(clause, draft)
        or one_for_all(clause, draft)
        or other_extreme(clause, draft)
        or short_request(clause, draft, grouped)
    )
    if short:
        return short
    if not clause.pieces:
        return of_all_of_it(clause, draft)
    not_only = clause.words(clause.pieces[:1]).lower() in ("not only", "not just")
    if _WHOLE_LIST.search(shape) or (not_only and re.fullmatch(r"w[LN]E?", shape)):
        return [RemoveLimit()]
    if clause.problem is not None:
        raise clause.problem
    if "%" in shape and grouped and not any(p.tag in "FPK" for p in clause.pieces):
        return [SetMeasures((Measure("share"),))]
    if "J" in shape:
        return _reversal(clause, draft)
    if shape.strip(FILLING) == "s" and says_any(clause, clause.pieces[-1]):
        return [RemoveSort()]
    if "I" in shape and [p.tag for p in _behind_mark(clause) if p.tag not in FILLING] == ["q"]:
        return [SetSource(None)]
    if "I" in shape:
        return _let_in(clause) or instead_of(clause, draft, grouped)
    spared = (
        any_but(clause, draft)
        or all_but(clause, draft)
        or all_but_value(clause, draft)
        or kept_after_all(clause, draft)
        or only_kept(clause, draft)
    )
    if spared:
        return spared
    if "r" in shape or ("x" in shape and "F" not in shape) or _negates_a_step(clause):
        return removal(clause, draft, grouped)
    spans = [p for p in clause.pieces if p.tag == "Y"]
    if shape.strip(FILLING) == "Y" and says_any(clause, spans[0]):
        return [any_time(clause, draft)]
    named = [p for p in clause.pieces if p.tag == "P"]
    if len(named) == 1 and shape.strip(FILLING) == "P" and says_any(clause, named[0]):
        field = clause.reader.any_property(named[0]).field
        if field in keys_of(draft) and draft.on_spine("Limit"):
            return [RemoveLimit()]
        if any(condition_of(node).field == field for node in document_filters(draft)):
            return [RemoveFilter(field=field, words=clause.text)]
        if field not in keys_of(draft):
            raise Unclear("no_change", clause.text, f"nothing limits {clause.words(named)}")
    if _one_more(clause, draft, grouped):
        return _added(clause, draft, grouped)
    if _names_another(clause, draft, grouped):
        if len(named) > 1:
            fields = tuple(clause.reader.any_property(piece).field for piece in named)
            return [SetGroup(Key(tuple(dict.fromkeys(fields))))]
        return exchange(clause, named, (), draft)
    if _either_of_those(clause, draft):
        return [EitherFilter()]
    if "c" in shape:
        return _again(change(clause, draft), draft)
    if "w" in shape:
        return _added(clause, draft, grouped)
    if "i" in shape:
        return _again(now(clause, draft), draft)
    if "u" in shape:
        return _summary(clause, draft)
    if "k" in shape:
        return _extraction(clause, draft)
    if _one_more_extreme(clause, grouped):
        return _added(clause, draft, grouped)
    more = set("KM#" if draft.on_spine("Aggregate") else "K") & set(shape)
    if clause.text.lower().startswith("and ") and more and grouped and "F" not in shape:
        return _added(clause, draft, grouped)
    if "%" in shape and not any(p.tag in "FP" for p in clause.pieces):
        refuse_left_over(Bag(clause, [p for p in clause.pieces if p.tag not in "%M#wAI"]))
        return [SetMeasures((Measure("share"),))] if grouped else [ShareOf(())]
    return _statement(clause, draft)


def _of_an_amount(clause: Clause) -> Clause:
    """`how much did they bring in`: an amount, nothing to bring into the plan."""
    if not clause.text.lower().startswith("how much"):
        return clause
    return replace(clause, pieces=tuple(piece for piece in clause.pieces if piece.tag != "w"))


def _by_another_key(clause: Clause, draft: Draft) -> Clause:
    """`rank the cities that way`, `have it by storeys`, beside groups of something else: a new
    group key, since the groups have no such number.
    """
    keys = keys_of(draft)
    if not keys or not draft.on_spine("Aggregate", "TopK"):
        return clause
    measured = {m.field for node in draft.on_spine("Aggregate") for m in measures_of(node)}
    made: list[Piece] = []
    for piece in clause.pieces:
        prop = _ordered_by(piece, clause)
        new = prop is not None and prop.field not in {*keys, *measured} and not prop.dated
        if new and prop is not None and (prop.worded or piece.tag == "B"):
            piece = replace(piece, tag="K", load=Key((prop.field,)))
        made.append(piece)
    return replace(clause, pieces=tuple(made))


def _ordered_by(piece: Piece, clause: Clause) -> Property | None:
    """The property by which a piece orders, if it is named."""
    if piece.tag == "B":
        return clause.reader.vocabulary.get(piece.load[0].prop.field)
    named = piece.tag == "H" and piece.load.named and piece.load.field
    return clause.reader.vocabulary.get(piece.load.field) if named else None


def _behind_mark(clause: Clause) -> list[Piece]:
    """The rejected side of `all reports instead of the vector search`."""
    place = clause.shape.index("I")
    named = any(piece.tag in "qPFK" for piece in clause.pieces[:place])
    return [] if named else list(clause.pieces[place + 1 :])


_ONE_MORE = re.compile(r"and (?:the |by |per |for each )?[^?]*$", re.IGNORECASE)


def _one_more(clause: Clause, draft: Draft, grouped: bool) -> bool:
    """`and Leeds`, `and the median`, `and town`: one more of something in the plan."""
    content = [p for p in clause.pieces if p.tag not in FILLING]
    steered = any(piece.tag in "oi" for piece in clause.pieces)
    if len(content) != 1 or steered or not _ONE_MORE.fullmatch(clause.text):
        return False
    match content[0].tag:
        case "F":
            new = content[0].load
            first = clause.reader.tokens[content[0].start].lower
            plain = new.match == "exact" and not (new.negate or new.range_filter or new.any_of)
            conditions = [condition_of(node) for node in document_filters(draft)]
            return (
                plain
                and first not in ("in", "for", "at", "with")
                and any(
                    c.field == new.field and c.match == "exact" and not isinstance(c.query, bool)
                    for c in conditions
                )
            )
        case "A":
            return bool(draft.on_spine("Aggregate"))
        case "P":
            return grouped and content[0].load[0].prop.kind != "bool"
    return False


def _one_more_extreme(clause: Clause, grouped: bool) -> bool:
    """`and the longest` beside the averages of groups: one more number."""
    content = [p for p in clause.pieces if p.tag not in FILLING]
    joined = clause.text.lower().startswith(("and ", "plus "))
    if not (joined and grouped) or [p.tag for p in content] != ["H"]:
        return False
    return content[0].load.extreme and content[0].load.field is not None


_WHAT_ABOUT = re.compile(r"^(?:and |now )?(?:what about|how about|the same|same)\b", re.IGNORECASE)
_ASKING = frozenset(
    ["list", "show", "which", "what", "name", "display", "give", "see", "with", "having", "have"]
)


def _names_another(clause: Clause, draft: Draft, grouped: bool) -> bool:
    """`town again`, `pupils?` beside groups or a number: another key or measure."""
    named = [p for p in clause.pieces if p.tag == "P"]
    if grouped and len(named) > 1 and re.fullmatch(r"P(?:,?&|,)P(?:(?:,?&|,)P)*", clause.shape):
        # "severity and cause" beside groups by one of the two
        properties = [clause.reader.any_property(piece) for piece in named]
        return any(prop.field in keys_of(draft) for prop in properties) and all(
            prop.kind in ("string", "array") for prop in properties
        )
    if len(named) != 1 or clause.shape.strip(FILLING) != "P":
        return False
    asked = _ASKING & {token.lower for token in clause.reader.tokens}
    if _WHAT_ABOUT.search(clause.text):
        asked = frozenset()
    prop = clause.reader.any_property(named[0])
    if asked or "o" in clause.shape or prop.kind == "bool":
        return False
    return grouped or (prop.numeric and bool(draft.on_spine("Aggregate")))


def _reversal(clause: Clause, draft: Draft) -> list[Operation]:
    """`reverse the order`, `the opposite: those without a courier`."""
    pieces = [p for p in clause.pieces if p.tag not in "J"]
    if any(p.tag == "I" for p in pieces):
        return commands(part(clause, pieces), draft)
    if any(p.tag == "F" for p in pieces):
        return exchange(clause, pieces, (), draft)
    fields = {m.prop.field for p in pieces if p.tag == "P" for m in p.load}
    for node in [] if draft.on_spine("Sort") else document_filters(draft):
        condition = condition_of(node)
        if condition.field in fields:
            return [ChangeFilter(negated(condition), condition)]
    refuse_left_over(Bag(clause, [p for p in pieces if p.tag not in "HcsMP#K"]))
    return [ReverseSort()]


def _let_in(clause: Clause) -> list[Operation]:
    """`all towns instead of Ashby`: removes the filter for it."""
    content = [p for p in clause.pieces if p.tag not in FILLING]
    if [p.tag for p in content] != ["P", "I", "F"] or not says_any(clause, content[0]):
        return []
    condition = content[-1].load
    if condition.field not in {m.prop.field for m in content[0].load}:
        return []
    return [RemoveFilter(condition=condition, words=clause.text)]


def _either_of_those(clause: Clause, draft: Draft) -> bool:
    """`make it jet or Ashby` in a plan that asks for both."""
    content = [p for p in clause.pieces if p.tag not in FILLING + "c"]
    parts = content[0].load.any_of if [p.tag for p in content] == ["F"] else None
    asked = {(part.field, str(part.query)) for part in parts or []}
    conditions = [condition_of(node) for node in document_filters(draft)]
    return len(conditions) == 2 and asked == {(c.field, str(c.query)) for c in conditions}


_NO_STEP = re.compile(r"nc?(?:[fksgluqKHL#AM]|P.*[fl]|C$)")


def _again(read: list[Operation] | Clause, draft: Draft) -> list[Operation]:
    return commands(read, draft) if isinstance(read, Clause) else read


def _negates_a_step(clause: Clause) -> bool:
    """`no sorting`, `without the filter`, `don't group`, `don't filter on weather`."""
    pairs = pairwise(clause.pieces)
    filters = any(
        a.tag == "n" and b.tag == "o" and clause.words([b]).lower().split()[0] in _RESTRICTING
        for a, b in pairs
    )
    return filters or _NO_STEP.search(clause.shape) is not None


_RESTRICTING = frozenset({"filter", "restrict", "limit", "narrow", "constrain"})


def _statement(clause: Clause, draft: Draft) -> list[Operation]:
    """Operations without a steering word."""
    content = [p for p in clause.pieces if p.tag not in FILLING]
    if not content and any(p.tag == "E" for p in clause.pieces):
        return [_everything(clause, draft)]
    if len(content) == 1 and content[0].tag == "N" and len(clause.pieces) <= 2:
        return bare_number(clause, content[0], draft)
    made = groups_kept(clause, content, draft) or stated_in(clause, draft)
    single = draft.on_spine("Count", "Aggregate") and not draft.on_spine("GroupBy", "Distinct")
    narrowed = bool(made) and all(isinstance(operation, AddFilter) for operation in made)
    if single and narrowed and _WHICH.match(clause.text):
        return [ToDocuments(), *made]
    return made


_WHICH = re.compile(
    r"(?:and |but |so )?(?:which|who) (?:ones|of (?:them|those|these))\b", re.IGNORECASE
)
_POINTED = re.compile(r"\b(?:of )?(?:them|those|these|it|that|this|full)\b", re.IGNORECASE)
_WHOLE = frozenset(
    {"all", "every", "everything", "everyone", "everybody", "full", "whole", "complete", "entire"}
)


def _everything(clause: Clause, draft: Draft) -> Operation:
    """`show all of them`: the whole list if there is a limit, else the documents themselves."""
    whole = not _WHOLE.isdisjoint(clause.text.lower().split())
    if whole and draft.on_spine("Limit"):
        return RemoveLimit()
    listed = draft.gives == "docs" and not draft.on_spine("Project", "GroupBy", "FieldIn")
    if whole and listed and document_filters(draft) and not _POINTED.search(clause.text):
        return RemoveFilter(every=True, words=clause.text)
    return ToDocuments()


def _added(clause: Clause, draft: Draft, grouped: bool) -> list[Operation]:
    """`also …`: an addition to the plan if possible, otherwise a plain statement."""
    operations, rest = additions(clause, draft, grouped)
    if rest is not None:
        operations += commands(rest, draft)
    return _or_else(clause, unlimited(clause, operations, draft), draft)


def _or_else(clause: Clause, operations: list[Operation], draft: Draft) -> list[Operation]:
    """`or a score below 50` beside a condition on something else: an alternative."""
    conditions = [condition_of(node) for node in document_filters(draft)]
    new = operations[0] if len(operations) == 1 else None
    if not clause.text.lower().startswith("or ") or not isinstance(new, (AddFilter, WidenFilter)):
        return operations
    if any(c.field == new.condition.field for c in conditions) or new.condition.negate:
        return operations
    if len(conditions) != 1:
        reason = f"“{clause.text}”: say which of the conditions it is an alternative to"
        stated = [say_condition(condition) for condition in conditions]
        raise Unclear("ambiguous", clause.text, reason, stated)
    return [AddFilter(new.condition), EitherFilter()]


def _summary(clause: Clause, draft: Draft) -> list[Operation]:
    rest = [p for p in clause.pieces if p.tag not in FILLING + "uR"]
    if rest:
        return stated_in(clause, draft)
    return [Summarise(clause.text)]


def _extraction(clause: Clause, draft: Draft) -> list[Operation]:
    """`extract the name of the pilot`: a new property read from the text."""
    first = next(p for p in clause.pieces if p.tag == "k")
    behind = [p for p in clause.pieces if p.start >= first.end and p.tag not in ",&"]
    if first.load != "LlmExtractEntity" or not behind:
        return stated_in(clause, draft)
    words = clause.words(behind)
    name = "_".join(part for part in words.lower().split() if part.isalnum())[:60] or "value"
    return [ExtractField(f"What is the {words}?", name)]
