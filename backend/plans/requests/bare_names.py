"""Reads bare property names that no other rule has claimed: values, fields, a condition."""

from collections.abc import Sequence

from backend.language.adjectives import PLAIN
from backend.language.common_words import is_past
from backend.language.nouns import singular
from backend.language.words import FUNCTION_WORDS, stem
from backend.plans.edits.operations import (
    AddFilter,
    ListValues,
    Operation,
    SetGroup,
    SetMeasures,
    SetSort,
    ShowFields,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.comparing import (
    HAVING,
    is_participle,
    known,
    lacking,
    one_is_had,
    stated,
)
from backend.plans.reading.phrasing import KEY
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.reading.rates import described_words
from backend.plans.reading.vocabulary import Meaning
from backend.plans.requests.bag import Bag, is_plural
from workbench.contract.plan_nodes import BasicFilter

_POINTING = frozenset({"this", "that", "these", "those"})
BEING = frozenset({"is", "are", "was", "were", "been", "be", "got", "gets"})


def named_properties(bag: Bag, operations: list[Operation]) -> list[Operation]:
    values = bag.take("U")
    if values:
        return [ListValues(piece.load) for piece in values[:1]]
    named = [piece for piece in bag.left if piece.tag == "P"]
    if not named:
        return []
    made: list[Operation] = []
    for piece in [piece for piece in named if _only_described_words(bag, piece)]:
        named = [other for other in named if other is not piece]
        bag.drop(piece)
    if (truth := _truth_alone(bag, named)) is not None:
        for piece in [p for p in named if p is not truth]:
            bag.drop(piece)
        named = [truth]
    if (asked := _asked_values(bag, named)) is not None:
        for piece in [p for p in named if p is not asked]:
            bag.clause.reader.assume(f"ignored “{bag.clause.words([piece])}”")
            bag.drop(piece)
        named = [asked]
    for piece in [piece for piece in named if _had(bag, piece)]:
        made.append(AddFilter(known(bag.property_of(piece))))
        named = [other for other in named if other is not piece]
        bag.drop(piece)
    if not named:
        return made
    for piece in [p for p in named if _happened(bag, p)]:
        if bag.property_of(piece).gaps:
            made.append(AddFilter(known(bag.property_of(piece))))
        named = [other for other in named if other is not piece]
        bag.drop(piece)
    for piece in _facts(bag, named, [*operations, *made]):
        made.append(AddFilter(_stated_truth(bag, piece)))
        named = [other for other in named if other is not piece]
        bag.drop(piece)
    if not named:
        return made
    props = [bag.property_of(piece) for piece in named]
    reader = bag.clause.reader
    _refuse_vague(bag, named, props, operations)
    conditions = [stated(reader, piece, prop) for piece, prop in zip(named, props, strict=True)]
    truths = all(prop.kind == "bool" for prop in props)
    if all(c is not None for c in conditions) and (truths or not _asks_values(bag)):
        made += [AddFilter(_stated_truth(bag, piece)) for piece in named]
        for piece in named:
            bag.drop(piece)
        return made
    for piece in named:
        bag.drop(piece)
    answered = bool(operations or made)
    headed = any(e.tag == "E" and e.end <= named[0].start for e in bag.left)
    counted = props[0].numeric or props[0].dated or bag.has("e")
    single = len({prop.field for prop in props}) == 1 and not counted
    if answered and len(props) == 1 and props[0].dated and _heads(bag, named[0]):
        reader.assume(f"took “{bag.clause.words(named)}” to mean the documents")
        return made
    if answered and single and not headed and _lists_values(bag, named[0]):
        return [*made, ListValues(props[0].field)]
    if pointed := [p for p in named if _word_before(bag, p) in _POINTING]:
        words = bag.clause.words(pointed)
        reason = f"“{words}”: which of them is meant is not understood"
        raise Unclear("not_understood", words, reason)
    if answered and (single or bag.has("o")) and (headed or not _asks_list(bag)):
        reader.assume(f"took “{bag.clause.words(named)}” to be the documents about them")
        return made
    _refuse_second_order(bag, named, operations)
    if single and any(isinstance(item, SetSort) and item.field != KEY for item in operations):
        words = bag.clause.words(named)
        reason = f"“{words}” has one line for each value, which nothing here orders"
        raise Unclear("not_understood", words, reason)
    each = props[0].own and reader.present is not None  # the name of each document of the plan
    if single and not (each or any(isinstance(o, (SetMeasures, SetGroup)) for o in operations)):
        return [*made, ListValues(props[0].field)]
    measured = {
        m.field for item in operations if isinstance(item, SetMeasures) for m in item.measures
    }
    if measured and all(prop.field in measured for prop in props):
        return made  # "how many portions do all batches make": of portions of a batch
    if measured and all(_belongs(bag, piece) for piece in named):
        reader.assume(f"took “{bag.clause.words(named)}” to mean the documents")
        return made
    if measured:
        # Showing fields of documents would discard the number that the same clause asks
        # for.
        words = ", ".join(f"“{bag.clause.words([piece])}”" for piece in named)
        reason = f"{words}: how it belongs to the number that is asked for is not understood"
        raise Unclear("not_understood", words, reason)
    return [*made, ShowFields(tuple(dict.fromkeys(prop.field for prop in props)))]


def _asked_values(bag: Bag, named: Sequence[Piece]) -> Piece | None:
    """`which tenants rent space from …`: the requested values, if the object of their verb is only
    a part of the name of a number.
    """
    first = bag.clause.pieces[0]
    if first.tag != "W" or len(named) < 2 or bag.has(",&K") or named[0].start != first.end:
        return None
    asked, *others = named
    tokens = bag.clause.reader.tokens
    whole = any(
        p.load[0].whole or not (p.load[0].prop.numeric or is_past(tokens[p.start].lower))
        for p in others
    )
    return asked if asked.load[0].prop.worded and not whole else None


def _truth_alone(bag: Bag, named: Sequence[Piece]) -> Piece | None:
    """`leases that give the tenant an option`: the only boolean whose description has all names."""
    truths = [piece for piece in named if piece.load[0].prop.kind == "bool"]
    single = len({piece.load[0].prop.field for piece in truths}) == 1
    if not single or len(named) < 2 or bag.has(",&KMA#") or _asks_values(bag):
        return None
    described = set(map(stem, described_words(bag.clause.reader, truths[0].load[0].prop)))
    others = [p for p in named if p not in truths]
    tokens = bag.clause.reader.tokens
    words = {token.stem for p in others for token in tokens[p.start : p.end]}
    return truths[0] if words <= described | FUNCTION_WORDS else None


def _only_described_words(bag: Bag, piece: Piece) -> bool:
    """`power cuts`: a word of descriptions and no name, before the noun for the documents."""
    reader = bag.clause.reader
    best: list[Meaning] = [m for m in piece.load if m.score > 0.95 * piece.load[0].score]
    stems = {token.stem for token in reader.tokens[piece.start : piece.end]}
    if len(best) < 2 or any(stems & set(m.prop.parts) for m in best):
        return False
    behind = next((p for p in bag.clause.pieces if p.start == piece.end), None)
    if behind is None or behind.tag != "E" or reader.present is not None:
        return False
    reader.assume(f"took “{bag.clause.words([piece, behind])}” to mean the documents")
    return True


def _refuse_second_order(bag: Bag, named: Sequence[Piece], operations: Sequence[Operation]) -> None:
    """`sort by rent and area`: refused, because a list has one order."""
    if not any(isinstance(item, SetSort) and item.field is not None for item in operations):
        return
    pieces = bag.clause.pieces
    for order, mark, other in zip(pieces, pieces[1:], pieces[2:], strict=False):
        if order.tag == "H" and mark.tag in "&," and other in named and order.load.named:
            words = bag.clause.words([order, other])
            reason = f"“{words}”: a list has one order; say by which of the two"
            raise Unclear("contradictory", words, reason)


def _belongs(bag: Bag, piece: Piece) -> bool:
    """`tenure of claimants whose claim was rejected`: a word for what a property belongs to."""
    vocabulary = bag.clause.reader.vocabulary
    word = bag.clause.reader.tokens[piece.start].lower
    return piece.end - piece.start == 1 and vocabulary.only_described_by(
        bag.property_of(piece), word
    )


def _had(bag: Bag, piece: Piece) -> bool:
    """Whether a property must have any value at all."""
    reader = bag.clause.reader
    if stated(reader, piece, bag.property_of(piece)) is not None:
        return False
    if one_is_had(reader, piece):
        return True
    before = reader.tokens[piece.start - 1].lower if piece.start else ""
    if before in BEING and bag.property_of(piece).gaps and _somebody(bag, piece):
        return True
    conditions = [] if reader.present is None else reader.present.on(bag.property_of(piece).field)
    return before in HAVING and any(c.exists is not None for c in conditions)


def _somebody(bag: Bag, piece: Piece) -> bool:
    """`where somebody is assigned`: any person."""
    before = bag.clause.reader.tokens[max(0, piece.start - 4) : piece.start]
    return any(token.lower in ("somebody", "someone", "anybody", "anyone") for token in before)


def _happened(bag: Bag, piece: Piece) -> bool:
    """`returned damaged`, `loans that were returned`: the date has any value."""
    tokens = bag.clause.reader.tokens
    narrowed = bag.clause.reader.present is not None and "o" in bag.clause.shape
    asked = any(token.lower == "when" for token in tokens) or (bag.has("W") and not narrowed)
    done = any(is_participle(token.lower) for token in tokens[piece.start : piece.end])
    before = tokens[piece.start - 1].lower if piece.start else ""
    if before in BEING and bag.clause.reader.present is None:
        asked = tokens[0].lower == "when"
    listed = bag.has("K&,") and before not in BEING
    return bag.property_of(piece).dated and done and not asked and not listed


def _heads(bag: Bag, piece: Piece) -> bool:
    """`departures delayed by …`: the plural at the start of a clause, unless it is `of` others."""
    tokens = bag.clause.reader.tokens
    of_others = piece.end < len(tokens) and tokens[piece.end].lower == "of"
    return bag.clause.pieces[0] is piece and is_plural(bag, piece) and not of_others


def _facts(bag: Bag, named: Sequence[Piece], operations: Sequence[Operation]) -> list[Piece]:
    """Booleans stated beside a subject: `the keeper found the queen`; in a list only names."""
    truths = [piece for piece in named if bag.property_of(piece).kind == "bool"]
    listed = bag.has(",&") or not operations or len(named) - len(truths) != 1
    if listed and len(truths) < len(named):
        # "species and outcome of cases with surgery": about the cases, not listed
        return [p for p in truths if _word_before(bag, p) in ("with", "without", "having")]
    return [] if listed or _asks_values(bag) else truths


def _lists_values(bag: Bag, piece: Piece) -> bool:
    """`boroughs visited by June`: boroughs recur, so their values are wanted."""
    reader = bag.clause.reader
    best: Meaning = piece.load[0]
    counts = reader.vocabulary.values.counts.get(best.prop.field, {})
    repeated = 0 < 2 * len(counts) <= sum(counts.values())
    plain = reader.present is None and _heads(bag, piece) and best.whole
    token = reader.tokens[piece.end - 1]
    named = singular(token.lower) in best.prop.label.split()
    return plain and repeated and named and token.stem not in reader.vocabulary.nouns


def _word_before(bag: Bag, piece: Piece) -> str:
    """The word before a piece and its article."""
    before = [token.lower for token in bag.clause.reader.tokens[: piece.start]]
    while before and before[-1] in ("a", "an", "the", "any"):
        before.pop()
    return before[-1] if before else ""


def _stated_truth(bag: Bag, piece: Piece) -> BasicFilter:
    """The condition in the name of a property, negated after `not`."""
    prop = bag.property_of(piece)
    place = bag.left.index(piece)
    before = bag.left[place - 1] if place else None
    if before is not None and before.tag == "n":
        bag.drop(before)
        return lacking(prop)
    condition = stated(bag.clause.reader, piece, prop)
    assert condition is not None
    return condition


_MORE = frozenset({"more", "less", "fewer", "higher", "lower", "bigger", "larger", "smaller"})


def _refuse_vague(
    bag: Bag, named: Sequence[Piece], props: Sequence[Property], operations: Sequence[Operation]
) -> None:
    """`more mites`, `high scores`: there is no exact bound to compare with."""
    reader = bag.clause.reader
    for piece, prop in zip(named, props, strict=True):
        behind = any(e.tag == "E" and e.start == piece.end for e in bag.left)
        before = reader.tokens[piece.start - 1].lower if piece.start else ""
        vague = prop.numeric and behind and stated(reader, piece, prop) is None
        compared = any(
            isinstance(item, AddFilter) and item.condition.field == prop.field
            for item in operations
        )
        plain = reader.tokens[piece.start].lower in PLAIN and not compared
        if vague or (prop.numeric and (before in _MORE or plain)):
            words = bag.clause.words([piece])
            reason = f"“{words}” says nothing exact: compare {prop.label} with a number"
            raise Unclear("ambiguous", words, reason)


def _asks_list(bag: Bag) -> bool:
    """`which cities …`, `list the cities …`: asks for values, not documents."""
    first = bag.clause.reader.tokens[bag.clause.pieces[0].start]
    start = bag.clause.pieces[0].start
    before = [token.lower for token in bag.clause.reader.tokens[:start]]
    return bag.clause.pieces[0].tag == "W" or first.lower in LISTS or bool(LISTS & set(before))


LISTS = frozenset({"list", "name", "enumerate", "all", "which", "what", "who"})


def _asks_values(bag: Bag) -> bool:
    """`what is the pilot experience of …`: asks for the value, not for documents that have one."""
    first = bag.clause.pieces[0] if bag.clause.pieces else None
    asked = first is not None and first.tag == "W" and bag.clause.words([first]).lower() == "what"
    counted = any(piece.tag in "M#A%" for piece in bag.clause.pieces)
    return asked and not bag.has("E") and not counted
