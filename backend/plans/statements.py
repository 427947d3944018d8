"""What a clause asks for when it commands nothing special: filters, groups, numbers, orders.

Questions are read this way, and so is feedback that just says what is wanted. The pieces of the
clause are taken up one kind after the other; whatever is left at the end was not understood.
"""

from collections.abc import Sequence
from dataclasses import replace

from backend.contract.plan_nodes import Aggregation
from backend.plans.bag import Bag, refuse_left_over
from backend.plans.cascade import Unclear
from backend.plans.clauses import Clause
from backend.plans.comparing import lacking, negated, stated
from backend.plans.groupings import extremes, grouped_numbers
from backend.plans.linking import Piece
from backend.plans.operations import (
    AddFilter,
    ListValues,
    Operation,
    ShowFields,
    Summarise,
)
from backend.plans.orders import orders_and_limits
from backend.plans.shares import differences, shares
from backend.plans.text_wishes import about_texts, searches


def statements(
    clause: Clause, *, grouped: bool, question: bool, present: Sequence[Aggregation] = ()
) -> list[Operation]:
    """The operations that a clause asks for, in the order they are to be applied.

    `grouped` says that the plan has groups already, `present` which numbers it computes, `question`
    that there is no plan yet. Raises Unclear with the words that are left over.
    """
    if clause.problem is not None:
        raise clause.problem
    bag = Bag(clause, _exclusions(clause.pieces))
    found: list[Operation] = []
    found += _out_of_scope(bag)
    found += searches(bag)
    found += about_texts(bag, question)
    summaries = bag.take("u!") if bag.has("u") else []
    found += shares(bag)
    found += differences(bag)
    found += _filters(bag)
    found += extremes(bag, grouped)
    found += grouped_numbers(bag, grouped, question, present)
    found += orders_and_limits(bag, grouped, question)
    found += _named(bag, found)
    if found:
        bag.take("lf" if question else "l")
    if summaries:
        found.append(Summarise(clause.text))
    refuse_left_over(bag)
    return found


def _exclusions(pieces: Sequence[Piece]) -> list[Piece]:
    """`in Kansas, not Arkansas`: what follows is excluded when it replaces nothing."""
    made = list(pieces)
    for i, piece in enumerate(made):
        following = made[i + 1 : i + 2]
        if piece.tag == "I" and piece.load == "not" and following and following[0].tag == "F":
            made[i + 1] = replace(following[0], load=negated(following[0].load))
            made[i] = replace(piece, tag=",")
    return made


def _out_of_scope(bag: Bag) -> list[Operation]:
    for piece in [] if bag.has("u") else bag.left:
        if piece.tag == "!":
            words = bag.clause.words([piece])
            reason = (
                f"“{words}” is nothing a query plan can do: plans find, count and compare documents"
            )
            raise Unclear("out_of_scope", words, reason)
    return []


def _filters(bag: Bag) -> list[Operation]:
    _refuse_open_alternatives(bag)
    found = bag.take("F")
    for piece in [p for p in bag.left if p.tag == "P"]:
        beside = [
            f for f in found if abs(f.end - piece.start) <= 1 or abs(piece.end - f.start) <= 1
        ]
        if any(f.load.field in {m.prop.field for m in piece.load} for f in beside):
            bag.drop(piece)
    if any(piece.load.is_date or _is_year(bag, piece) for piece in found) and not bag.has("MA#K"):
        bag.take("Y")
    return [AddFilter(piece.load) for piece in found]


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


def _named(bag: Bag, found: list[Operation]) -> list[Operation]:
    values = bag.take("U")
    if values:
        return [ListValues(piece.load) for piece in values[:1]]
    named = [piece for piece in bag.left if piece.tag == "P"]
    if not named:
        return []
    props = [bag.property_of(piece) for piece in named]
    reader = bag.clause.reader
    conditions = [stated(reader, p, prop) for p, prop in zip(named, props, strict=True)]
    for piece, prop in zip(named, props, strict=True):
        vague = prop.numeric and any(e.tag == "E" and e.start == piece.end for e in bag.left)
        if vague and stated(reader, piece, prop) is None:
            words = bag.clause.words([piece])
            reason = f"“{words}” says nothing exact: compare {prop.label} with a number"
            raise Unclear("ambiguous", words, reason)
    for piece in named:
        bag.drop(piece)
    if all(condition is not None for condition in conditions) and not _asks_values(bag):
        negative = bool(bag.take("n"))
        told = [lacking(p) for p in props] if negative else [c for c in conditions if c is not None]
        return [AddFilter(condition) for condition in told]
    if len(props) == 1 and not (props[0].numeric or props[0].dated) and not bag.has("e"):
        if found and not _asks_list(bag):
            words = bag.clause.words(named)
            bag.clause.reader.assume(f"took “{words}” to be the documents about them")
            return []
        return [ListValues(props[0].field)]
    return [ShowFields(tuple(dict.fromkeys(prop.field for prop in props)))]


def _asks_list(bag: Bag) -> bool:
    """`which cities …`, `list the cities …`: the values are wanted, not documents."""
    first = bag.clause.reader.tokens[bag.clause.pieces[0].start]
    start = bag.clause.pieces[0].start
    before = [token.lower for token in bag.clause.reader.tokens[:start]]
    return bag.clause.pieces[0].tag == "W" or first.lower in _LISTS or bool(_LISTS & set(before))


_LISTS = frozenset({"list", "name", "enumerate", "all", "which", "what", "who"})


def _asks_values(bag: Bag) -> bool:
    """`what is the pilot experience of …`: the value is wanted, not that there is one."""
    first = bag.clause.pieces[0] if bag.clause.pieces else None
    asked = first is not None and first.tag == "W" and bag.clause.words([first]).lower() == "what"
    return asked and not bag.has("E")
