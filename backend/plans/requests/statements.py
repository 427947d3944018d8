"""Clauses without a special command: filters, groups, numbers, orders.

Questions are read this way, and so is feedback that just states the wish. The pieces of the clause
are processed by kind; whatever is left at the end was not understood.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from backend.language.words import stem, words
from backend.plans.edits.merging import excludes
from backend.plans.edits.operations import (
    AddFilter,
    KeepGroups,
    ListValues,
    Operation,
    SameAs,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    Summarise,
)
from backend.plans.edits.wording import say_condition, say_key
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import negated
from backend.plans.reading.likeness import Likeness
from backend.plans.reading.phrasing import KEY, Key, Measure
from backend.plans.reading.pieces import Piece
from backend.plans.requests.bag import Bag, refuse_left_over
from backend.plans.requests.bare_names import BEING, LISTS, named_properties
from backend.plans.requests.group_bounds import counted_groups
from backend.plans.requests.groupings import (
    extremes,
    firsts_of_groups,
    grouped_numbers,
    without_any,
)
from backend.plans.requests.orders import orders_and_limits
from backend.plans.requests.shares import differences, rates, shares
from backend.plans.requests.text_wishes import about_texts, searches
from workbench.contract.plan_nodes import ENTITY, Aggregation, Function


def statements(
    clause: Clause, *, grouped: bool, question: bool, present: Sequence[Aggregation] = ()
) -> list[Operation]:
    """The operations that a clause asks for, in the order of application.

    `grouped` means that the plan has groups already, `present` are the numbers it computes,
    `question` means that there is no plan yet. Raises Unclear with the words that are left over.
    """
    if clause.problem is not None:
        raise clause.problem
    bag = Bag(clause, _exclusions(_figures(clause.pieces, present) if grouped else clause.pieces))
    if question:
        _drop_auxiliary(bag)
        _count_by_number(bag)
    operations: list[Operation] = []
    operations += _out_of_scope(bag)
    _drop_subjects(bag)
    operations += _likenesses(bag)
    operations += searches(bag)
    operations += about_texts(bag)
    summaries = bag.take("u!") if bag.has("u") else []
    operations += shares(bag, grouped)
    operations += rates(bag)
    operations += differences(bag)
    operations += without_any(bag)
    operations += _filters(bag)
    _drop_described_function(bag, operations)
    operations += counted_groups(bag)
    operations += firsts_of_groups(bag)
    operations += extremes(bag, grouped)
    operations += grouped_numbers(bag, grouped, question, present)
    operations += orders_and_limits(bag, grouped, question)
    operations += named_properties(bag, operations)
    if operations:
        bag.take("lf" if question else "l")
    operations = _listed_in_order(operations)
    if question and not grouped:
        operations = _measured_last(operations)
    if summaries:
        operations.append(Summarise(clause.text))
    refuse_left_over(bag)
    return _beside_the_order(_of_one_kind(operations, clause))


def _of_one_kind(operations: list[Operation], clause: Clause) -> list[Operation]:
    """Refuses two kinds of groups in one clause, of which the second would replace the first:
    `which member has the highest fee per branch`.
    """
    keys = dict.fromkeys(o.key for o in operations if isinstance(o, SetGroup) and not o.add)
    if len(keys) > 1:
        named = " and ".join(map(say_key, keys))
        reason = f"“{clause.text}” asks for groups by {named}: say it one part at a time"
        raise Unclear("not_understood", clause.text, reason)
    return operations


def _beside_the_order(operations: list[Operation]) -> list[Operation]:
    """`which branch has the most loans, and what is its average fee`: a number behind an order of
    groups is given beside the one that orders them.
    """
    ordered = [i for i, o in enumerate(operations) if isinstance(o, SetSort) and o.measure]
    return [
        replace(operation, add=True)
        if isinstance(operation, SetMeasures) and ordered and i > ordered[0]
        else operation
        for i, operation in enumerate(operations)
    ]


def _drop_described_function(bag: Bag, operations: Sequence[Operation]) -> None:
    """`waiting over 30 minutes on average`, if the property itself is an average."""
    if not bag.has("A"):
        return
    reader = bag.clause.reader
    fields = {item.condition.field for item in operations if isinstance(item, AddFilter)}
    described = reader.vocabulary.collection.schema.properties
    texts = [p.description or "" for p in described if f"{ENTITY}{p.name}" in fields]
    stems = {stem(word) for text in texts for word in words(text)}
    for piece in [p for p in bag.left if p.tag == "A"]:
        if stems & {token.stem for token in reader.tokens[piece.start : piece.end]}:
            bag.drop(piece)


def _figures(pieces: Sequence[Piece], present: Sequence[Aggregation]) -> list[Piece]:
    """`the biggest loan per bank` beside the smallest loan of each: a number, not an order."""
    extremes = {item.field for item in present if item.func in ("min", "max")}
    made = list(pieces)
    for i, piece in enumerate(pieces):
        order = piece.load
        if piece.tag != "H" or not order.extreme or order.measure or order.field not in extremes:
            continue
        func: Function = "min" if order.descending is False else "max"
        made[i] = replace(piece, tag="M", load=Measure(func, order.field))
    return made


def _measured_last(operations: list[Operation]) -> list[Operation]:
    """`average price of the 10 oldest lots`: measures what order and limit leave."""
    measures = [item for item in operations if isinstance(item, SetMeasures)]
    cut = any(isinstance(item, SetLimit) and not item.per for item in operations)
    if not cut or any(isinstance(item, (SetGroup, KeepGroups)) for item in operations):
        return operations
    if not any(isinstance(item, SetSort) and item.field is not None for item in operations):
        return operations
    return [*(item for item in operations if not isinstance(item, SetMeasures)), *measures]


def _listed_in_order(operations: list[Operation]) -> list[Operation]:
    """`list the cities alphabetically`: sorts the values."""
    listed = [item for item in operations if isinstance(item, ListValues)]
    sorts = [item for item in operations if isinstance(item, SetSort) and item.field == KEY]
    if not listed or not sorts:
        return operations
    return [*(item for item in operations if item not in sorts), *sorts]


def _drop_auxiliary(bag: Bag) -> None:
    """`do we have …`, `could you also tell me …`: no commands in a question."""
    for piece in [p for p in bag.left if p.tag in "cw"]:
        word = bag.clause.words([piece]).lower()
        if word in ("put in", "bring in", "let in", "throw in"):
            bag.drop(piece)  # "in which a valve was put in"
            continue
        beside = any(p.tag in "FKMHLZUPE#" and p.end <= piece.start for p in bag.left)
        asked = _WHO_DID & {t.lower for t in bag.clause.reader.tokens[: piece.start]}
        joins = word in ("too", "also", "as well")
        if (
            joins
            or (piece.tag == "c" and word == "do")
            or (piece.tag == "w" and (asked or not beside))
        ):
            bag.drop(piece)


def _count_by_number(bag: Bag) -> None:
    """`number of tickets by floor`: the few values of a whole number become group keys, although a
    list would be sorted by them.
    """
    counted = any(p.tag == "#" or (p.tag == "M" and p.load.field is None) for p in bag.left)
    table = bag.clause.reader.vocabulary.collection.table
    for piece in [p for p in bag.left if p.tag == "B"]:
        prop = bag.property_of(piece)
        if counted and prop.kind == "int" and 2 * table[prop.field].n_unique() <= len(table):
            place = bag.left.index(piece)
            bag.left[place] = replace(piece, tag="K", load=Key((prop.field,)))


_WHO_DID = frozenset({"did", "does", "do"})


def _exclusions(pieces: Sequence[Piece]) -> list[Piece]:
    """`in Kansas, not Arkansas`: excludes the second if it replaces nothing."""
    made = list(pieces)
    for i, piece in enumerate(made):
        following = made[i + 1 : i + 2]
        if piece.tag == "I" and piece.load == "not" and following and following[0].tag == "F":
            made[i + 1] = replace(following[0], load=negated(following[0].load))
            made[i] = replace(piece, tag=",")
    return made


def _out_of_scope(bag: Bag) -> list[Operation]:
    first = [token.lower for token in bag.clause.reader.tokens[:2]]
    if len(first) == 2 and first[0] in _DEEDS and first[1] in _POINTING:
        words = bag.clause.text
        raise Unclear("out_of_scope", words, f"“{words}” {_BEYOND}")
    for piece in [] if bag.has("u") else bag.left:
        if piece.tag == "!":
            words = bag.clause.words([piece])
            raise Unclear("out_of_scope", words, f"“{words}” {_BEYOND}")
    return []


_BEYOND = "is nothing a query plan can do: plans find, count and compare documents"
_DEEDS = frozenset(
    """
    pay refund reimburse hire fire arrest invite contact phone repair fix close reopen sue charge
    reject fine evict punish inform warn
    """.split()  # noqa: SIM905
)
_POINTING = frozenset({"the", "all", "them", "these", "those", "every", "everyone", "him", "her"})
"""The object of a verb that instructs somebody: `pay the claims`."""


def _likenesses(bag: Bag) -> list[Operation]:
    """Documents that share something with another; `other` excludes that one."""
    operations: list[Operation] = []
    tokens = {token.lower for token in bag.clause.reader.tokens}
    for piece in [p for p in bag.left if p.tag == "@" and p.load is not None]:
        like: Likeness = piece.load
        bag.drop(piece)
        operations.append(SameAs(like.field, like.of))
        if tokens & {"other", "others", "another"}:
            operations.append(AddFilter(negated(like.of)))
    return operations


def _filters(bag: Bag) -> list[Operation]:
    _refuse_open_alternatives(bag)
    pieces = bag.take("F")
    for piece in [p for p in bag.left if p.tag == "P"]:
        beside = [f for f in pieces if abs(f.end - piece.start) <= 1 or _leads_to(bag, piece, f)]
        fields = {m.prop.field for m in piece.load}
        if any(f.load.field in fields or _measures(bag, f, piece) for f in beside):
            bag.drop(piece)
    _refuse_contradictions(bag, pieces)
    if any(piece.load.is_date or _is_year(bag, piece) for piece in pieces) and not bag.has("MA#KH"):
        bag.take("Y")
    return [AddFilter(piece.load, together=_of_several(bag, piece)) for piece in pieces]


def _leads_to(bag: Bag, piece: Piece, condition: Piece) -> bool:
    """Whether only an article and a preposition separate the two: `used as an office`."""
    between = bag.clause.reader.tokens[piece.end : condition.start]
    near = abs(piece.end - condition.start) <= 1
    return near or (piece.end < condition.start and {t.lower for t in between} <= _LEADING)


_LEADING = frozenset({"a", "an", "the", "as", "in", "at", "by", "for", "from", "to", "of", "is"})


def _measures(bag: Bag, condition: Piece, piece: Piece) -> bool:
    """`over 60 hours of teaching`: the unit belongs to the number by its own description."""
    prop = bag.clause.reader.vocabulary.get(condition.load.field)
    token = bag.clause.reader.tokens[piece.start]
    of = bag.clause.reader.tokens[piece.start - 1].lower == "of" if piece.start else False
    return of and prop is not None and prop.numeric and token.stem in prop.described


def _of_several(bag: Bag, piece: Piece) -> bool:
    """Whether a condition is on a property with several values at once."""
    prop = bag.clause.reader.vocabulary.get(piece.load.field)
    return prop is not None and prop.kind == "array"


def _refuse_contradictions(bag: Bag, pieces: Sequence[Piece]) -> None:
    """Refuses contradictory conditions of one clause on a property."""
    for one, other in combinations(pieces, 2):
        if excludes(one.load, other.load) and not _of_several(bag, one):
            both = f"{say_condition(one.load)} and {say_condition(other.load)}"
            words = bag.clause.words([one, other])
            reason = f"{both}: both cannot hold, so nothing would be found; say “or” to allow both"
            raise Unclear("contradictory", words, reason)


def _refuse_open_alternatives(bag: Bag) -> None:
    """An `or` between conditions that could not be joined must not be read as `and`."""
    places = [i for i, piece in enumerate(bag.left) if piece.tag == "|"]
    for i in places:
        before = any(piece.tag == "F" for piece in bag.left[:i])
        after = [piece for piece in bag.left[i + 1 :] if piece.tag == "F"]
        if before and after:
            words = bag.clause.words([bag.left[i], after[0]])
            raise Unclear("not_understood", words, f"“{words}”: say the alternatives side by side")


def _is_year(bag: Bag, piece: Piece) -> bool:
    prop = bag.clause.reader.vocabulary.get(piece.load.field)
    return prop is not None and prop.is_year


def _drop_subjects(bag: Bag) -> None:
    """`where the ship was detained`: the subject of a boolean, if it is no value."""
    tokens = bag.clause.reader.tokens
    about_documents = any(piece.tag in "EM" for piece in bag.clause.pieces)
    about_documents = about_documents or bag.clause.reader.present is not None
    for piece, fact in pairwise([piece for piece in bag.left if piece.tag not in "oWE"]):
        if piece.tag != "P" or not about_documents:
            continue
        # "has no option": the verb is part of the negation
        opened = tokens[fact.start : fact.start + (fact.tag == "F")]
        between = {token.lower for token in [*tokens[piece.end : fact.start], *opened]}
        if between & BEING and fact.tag == "F" and fact.load.exists is not None:
            # "whose grain is still unsold"
            bag.drop(piece)
        if piece.load[0].prop.numeric:
            if between & BEING and not piece.load[0].whole and fact.tag in "PF":
                bag.drop(piece)  # "the space is used as an office", where spaces are counted
            continue
        truth = fact.tag == "P" and fact.load[0].prop.kind == "bool"
        placed = {token.lower for token in tokens[max(0, piece.start - 2) : piece.start]}
        stated = fact.tag == "F" and (isinstance(fact.load.query, bool) or "where" in placed)
        reported = between & BEING or (between & _HAVING and not _listed_first(bag, piece))
        if reported and (truth or stated):
            bag.drop(piece)


_HAVING = frozenset({"has", "have", "had", "having", "holds", "hold", "enjoys", "enjoy", "got"})


def _listed_first(bag: Bag, piece: Piece) -> bool:
    """`which tenants have an option`: asks for the values, not for documents."""
    present = bag.clause.reader.present
    tokens = bag.clause.reader.tokens
    phrase = {token.lower for token in tokens[bag.clause.pieces[0].start - 1 : piece.start]}
    return present is None or bool(phrase & LISTS)
