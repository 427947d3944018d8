"""What the words of a follow-up rule out, whatever they ask for: `no, the ones without a nurse`
takes something back, `who asked it` wants only who.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from backend.language.adjectives import SUPERLATIVES
from backend.language.tokens import Token
from backend.plans.requests.plan_state import PlanState

DROPPING = frozenset(
    ("drop", "remove", "without", "exclude", "excluding", "except", "omit", "skip", "hide",
     "delete", "discard")
)  # fmt: skip
"""Words behind which something stands that should go."""
STAYS = "everything: conditions stay"
"""The feature of an edit that is never meant if another one is possible."""
_CORRECTING = frozenset({"no", "nope", "nah", "sorry", "oops", "wrong", "wait"})
_THEIR = frozenset({"their", "its", "his", "her"})


@dataclass(frozen=True)
class Pointers:
    """How words relate to what was shown: `asked` is what `who`, `where` or `when` asks for; they
    `correct` if they begin with `no,`, and `drop` if with a word such as `without`; `theirs` points
    at the documents of what was shown, `there` at a place. `everything` asks about all documents.
    """

    words: tuple[str, ...]
    asked: frozenset[str]
    documents: bool
    everything: bool

    @property
    def correct(self) -> bool:
        return len(self.words) > 2 and self.words[0] in _CORRECTING and self.words[1] in ",-–:;"

    @property
    def drop(self) -> bool:
        return self.words[:1] != () and (
            self.words[0] in DROPPING or ("leave", "out") in pairwise(self.words[:2])
        )

    @property
    def there(self) -> bool:
        return "there" in [word for word in self.words if word.isalpha()][-1:]

    @property
    def theirs(self) -> bool:
        return self.documents and not _THEIR.isdisjoint(self.words)


def pointers_of(tokens: Sequence[Token], asked: frozenset[str], nouns: Set[int]) -> Pointers:
    """The pointers of some words; those at `nouns` name the documents."""
    words = tuple(token.lower for token in tokens)
    asks = words[:1] != () and words[0] in _ASKING
    near = {word for i in nouns for word in words[max(0, i - 2) : i]}
    everything = asks and not (_WIDEST.isdisjoint(words) and _ALL.isdisjoint(near))
    return Pointers(words, asked, bool(nouns), everything)


_ASKING = frozenset({"what", "which", "how", "who", "when", "where"})
_WIDEST = frozenset({"ever", "anywhere", "everywhere"})
_ALL = frozenset({"all", "any"})


def is_superlative(word: str) -> bool:
    return word in SUPERLATIVES or word.endswith("est")


def ruled_out(pointers: Pointers, was: PlanState, now: PlanState) -> Iterator[str]:
    """The features of an edit for what the words rule out, or want alone."""
    kept = all(condition in now.filters for condition in was.filters)
    new = [condition for condition in now.filters if condition not in was.filters]
    if pointers.correct and was.filters and kept and new:
        yield "correction: nothing goes"
    if pointers.everything and was.filters and kept and now.measures and not now.share:
        yield STAYS
    values = [c for c in new if c.query is not None and not (c.negate or c.range_filter)]
    if pointers.drop and kept and values:
        yield "dropped: kept instead"
    if pointers.theirs and was.keys and now.keys:
        yield "their documents: groups stay"
    if pointers.there and now.share and was.share is None and len(now.share) == len(now.filters):
        yield "there: the share is of everything"
    ends = {"min", "max"} & {m.func for m in now.measures if m not in was.measures}
    between = {"from", "to"} <= {*pointers.words}
    if ends and between and sum(map(is_superlative, pointers.words)) > 1:
        yield "from one end to the other: a figure"
    inside = {c.field for c in now.share or ()} if was.share else set()
    if any(c.field in inside and c not in (now.share or ()) for c in new):
        yield "share: the part narrows the whole"
    same = (was.filters, was.order, was.lines, was.keys) == (
        now.filters, now.order, now.lines, now.keys
    )  # fmt: skip
    alone = bool(pointers.asked) and pointers.asked == {*now.shown} and not was.shown
    if alone and same and now.gives == "docs":
        yield "asked of it"
