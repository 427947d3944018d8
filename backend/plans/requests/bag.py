"""The unprocessed pieces of a clause; whatever is left at the end was not understood."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.language.nouns import singular
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import stated
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter

IGNORABLE = frozenset(",&|yztbEeWRodhi")


@dataclass
class Bag:
    """The pieces of a clause that are still to be processed."""

    clause: Clause
    left: list[Piece]

    def take(self, tags: str) -> list[Piece]:
        """Removes and returns all pieces with these tags."""
        pieces = [piece for piece in self.left if piece.tag in tags]
        self.left = [piece for piece in self.left if piece.tag not in tags]
        return pieces

    def drop(self, piece: Piece) -> None:
        self.left = [other for other in self.left if other is not piece]

    def has(self, tags: str) -> bool:
        return any(piece.tag in tags for piece in self.left)

    def property_of(self, piece: Piece) -> Property:
        return self.clause.reader.any_property(piece)


_PEOPLE = frozenset({"people", "persons"})


def take_list(bag: Bag) -> Property | None:
    """Removes the only remaining list and returns its number of values: `people present`."""
    named = [p for p in bag.left if p.tag == "P" and bag.property_of(p).kind == "array"]
    if len(named) != 1:
        return None
    bag.drop(named[0])
    for piece in [p for p in bag.left if p.tag == "?" and p.end == named[0].start]:
        if bag.clause.words([piece]).lower() in _PEOPLE:  # "people present" are who was present
            bag.drop(piece)
    return bag.clause.reader.vocabulary.size_of(bag.property_of(named[0]).field)


def refuse_left_over(bag: Bag) -> None:
    """Unclear if content words are left; the kind says what they look like."""
    left = [piece for piece in bag.left if piece.tag not in IGNORABLE]
    if not left:
        return
    clause = bag.clause
    words = ", ".join(f"“{clause.words([piece])}”" for piece in left)
    unknown = [piece for piece in left if piece.tag == "?"]
    if unknown:
        # Comparisons and verbs beside an unknown word are not what was not understood.
        words = ", ".join(f"“{clause.words([piece])}”" for piece in unknown)
        _refuse_near_property(clause, unknown)
    named = {piece.tag for piece in clause.pieces}
    if unknown and named & set("KgysAXHM#"):
        names = [prop.label for prop in clause.reader.vocabulary.properties]
        raise Unclear("unknown_property", words, f"there is no property {words}", names)
    if unknown and (named & set("ox") or len(left) == len(clause.pieces)):
        raise Unclear("unknown_value", words, f"I don’t know {words}: no property or value matches")
    known = clause.reader.vocabulary.text_words
    text = " ".join(clause.words([piece]) for piece in unknown)
    spoken = unknown and all(word.lower() in known for word in text.split())
    were = "was" if len(unknown or left) == 1 else "were"
    hints = [f"about {text}, to search the text"] if spoken else []
    raise Unclear("not_understood", words, f"{words} {were} not understood", hints)


_MOST_VALUES = 12


def _refuse_near_property(clause: Clause, unknown: Sequence[Piece]) -> None:
    """`bad weather`: a word before a property that should be one of its values."""
    vocabulary = clause.reader.vocabulary
    for piece in unknown:
        named = [p for p in clause.pieces if p.tag == "P" and p.start == piece.end]
        if not named:
            continue
        prop = named[0].load[0].prop
        values = vocabulary.values_of(prop.field)
        if values and len(values) <= _MOST_VALUES:
            words = f"“{clause.words([piece])}”"
            reason = f"{prop.label} is never {words}"
            raise Unclear("unknown_value", words, reason, values)


def conditions_of(bag: Bag, pieces: Sequence[Piece]) -> list[BasicFilter]:
    """The conditions of filters and of bare properties such as `fatal`."""
    conditions: list[BasicFilter] = []
    for piece in pieces:
        if piece.tag == "F":
            conditions.append(piece.load)
        elif piece.tag == "P":
            condition = stated(bag.clause.reader, piece, bag.property_of(piece))
            if condition is not None:
                conditions.append(condition)
                bag.drop(piece)
                continue
            refuse_left_over(Bag(bag.clause, [piece]))
        bag.drop(piece)
    return conditions


def is_plural(bag: Bag, piece: Piece, *, with_verb: bool = False) -> bool:
    """Whether a piece names several things; `with_verb` if it ends with the question's verb."""
    tokens = bag.clause.reader.tokens[piece.start : piece.end]
    tokens = tokens[:-1] if with_verb and len(tokens) > 1 else tokens
    label = piece.load[0].prop.label.lower().split() if piece.tag == "P" and piece.load else []
    named = [token for token in tokens if singular(token.lower) in map(singular, label)]
    word = (named or tokens)[-1].lower  # "which landlord owns …"
    return word.endswith("s") and not word.endswith("ss")
