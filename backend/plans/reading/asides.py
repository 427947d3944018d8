"""Parts of a request about the person who asks, not about the documents: why, for what, by when.
`if it is not too much trouble`, `for the board meeting on Thursday`, `so that I can call her`.

Such a part is subordinate, mentions the asker or an occasion, and contains nothing that the
collection knows; it is bounded by punctuation or the ends of the request. Dropped parts are
reported. A part that could narrow the documents, such as `with good service` or `for children`, is
no aside.
"""

from collections.abc import Sequence

from backend.language.tokens import Token
from backend.language.units import measure_of
from backend.plans.reading.pieces import Piece, Quantity

_REASONS = frozenset(
    """
    if as since because though although so when while otherwise like unless whenever
    """.split()  # noqa: SIM905
)
_SUBJECTS = frozenset(
    """
    it you i we they that this possible my our he she there everyone somebody someone
    """.split()  # noqa: SIM905
)
_OWNERS = frozenset({"my", "our", "his", "her", "their", "your"})
_BEGINS = frozenset("oxrcwgslIT")
_ASKERS = frozenset({"i", "we", "my", "our"})
_ASKER = _ASKERS | frozenset({"me", "us", "myself", "ourselves", "mine", "ours"})
_WISHES = frozenset({"want", "need", "like", "love", "prefer", "wish", "looking", "mean", "meant",
                     "interested", "care", "said", "asked", "guess"})  # fmt: skip
_FOR = (("for",), ("before",), ("after",), ("during",), ("ahead", "of"), ("to", "prepare"),
        ("in", "preparation", "for"), ("as", "part", "of"), ("in", "time", "for"),
        ("because", "of"))  # fmt: skip
_DETERMINERS = frozenset(
    """
    the a an my our his her their this that next tomorrow today
    """.split()  # noqa: SIM905
)
OCCASIONS = frozenset(
    """
    agenda appendix application article assessment audience audit blog board book boss briefing
    brochure budget call campaign chart class client colleague committee conference contract course
    customer dashboard deadline debate diagram director dinner editor email essay event exam
    exhibition feature funder graph handout homework inspection interview invoice lawyer lecture
    lesson letter lunch magazine manager mayor meeting memo minister minutes newsletter newspaper
    paper pitch planning poster presentation press project proposal publication quarter records
    report research review seminar session sheet slide slides speech sponsor story study summary
    survey talk team tender thesis tour training visit visitors website weekend workshop
    """.split()  # noqa: SIM905
)
"""Uses of an answer and its audience: `for my presentation`."""
_TALK = (("quick", "one"), ("quick", "question"), ("one", "question"), ("just", "a", "thought"),
         ("silly", "question"), ("dumb", "question"), ("sorry", "to"), ("no", "rush"),
         ("no", "hurry"), ("out", "of", "curiosity"), ("to", "bother"))  # fmt: skip
_EMPTY = frozenset("?nwWzyoiRdhtERbclCe! ,&")
_MARKS = frozenset({",", ":", "(", ")", "–", "—"})


def without_asides(
    pieces: Sequence[Piece], tokens: Sequence[Token]
) -> tuple[list[Piece], list[str]]:
    """The pieces of a clause without asides, and the dropped words."""
    kept, notes = list(pieces), list[str]()
    if not pieces:
        return kept, notes
    first, last = pieces[0].start, pieces[-1].end
    while first > 0 and tokens[first - 1].kind == "word":
        first -= 1
    cuts = [i for i in range(first, last) if _is_mark(tokens, i)]
    for i in range(first, last):
        end = next((cut for cut in cuts if cut > i), last)
        opened = _opens(tokens, i, end, at_start=i == first or i - 1 in cuts)
        inside = [piece for piece in kept if i <= piece.start < end]
        if i == first and opened and end == last:
            inside = inside[: next((k for k, p in enumerate(inside) if p.tag in _BEGINS), 0)]
        if not opened or not inside or len(inside) == len(kept):
            continue
        if all(map(_says_nothing, inside)) and any(piece.tag == "?" for piece in inside):
            aside = " ".join(token.text for token in tokens[i : inside[-1].end])
            notes.append(f"ignored “{aside}”")
            kept = [piece for piece in kept if piece not in inside]
    return kept, notes


def _is_mark(tokens: Sequence[Token], i: int) -> bool:
    return tokens[i].text in _MARKS or (tokens[i].text == "-" and not tokens[i].joined)


def _says_nothing(piece: Piece) -> bool:
    """Whether a piece carries no fact; `in five minutes` is about the asker's day."""
    if piece.tag == "N" and isinstance(piece.load, Quantity):
        quantity = piece.load
        timed = quantity.unit is not None and measure_of(quantity.unit) == "time"
        return timed or (quantity.value == 1 and quantity.unit is None)
    if piece.tag == "P":
        return not any(meaning.whole for meaning in piece.load)
    return piece.tag in _EMPTY


def _opens(tokens: Sequence[Token], i: int, end: int, *, at_start: bool) -> bool:
    """Whether an aside begins at token `i`: a reason, a purpose, or the asker's day."""
    words = [token.lower for token in tokens[i:end]]
    following = words[1] if len(words) > 1 else ""
    if words[0] in _REASONS:
        return following in _SUBJECTS
    if words[:3] == ["in", "order", "to"]:
        return True
    if words[0] == "for" and following in _OWNERS:
        return True
    if at_start and (words[0] == "to" or any(tuple(words[: len(t)]) == t for t in _TALK)):
        return True
    if at_start and words[0] in _ASKERS and not _WISHES & set(words):
        return True
    opening = next((p for p in _FOR if tuple(words[: len(p)]) == p), None)
    noun = words[len(opening) :] if opening is not None else []
    # After punctuation any noun with an article qualifies; in mid-sentence only an occasion.
    if not set(noun) & OCCASIONS:
        return bool(noun) and at_start and noun[0] in _DETERMINERS
    return at_start or noun[0] in _DETERMINERS


def preamble(tokens: Sequence[Token], pieces: Sequence[Piece]) -> int:
    """The start of the request after a story that leads up to `I would like to know`; 0 if there is
    none.
    """
    for i in range(len(tokens) - 2, 0, -1):
        behind = _behind_wish(tokens, i)
        if behind is None and _asks_behind_story(tokens, i):
            behind = i
        if behind is None or behind >= len(tokens):
            continue
        story = [piece for piece in pieces if piece.start < i]
        if all(_says_nothing(piece) or piece.tag in "EY" for piece in story):
            return behind
    return 0


_TO_LEARN = frozenset(
    """
    know see find learn understand get have figure check hear read tell look ask
    """.split()  # noqa: SIM905
)
_WISHING = frozenset(["i", "we", "d", "would", "really", "just", "am", "be", "was", "been"])
_TO_WISH = frozenset({"like", "want", "need", "love", "prefer", "wish", "hoping", "try", "trying"})
_GIVING = frozenset({"list", "show", "give", "tell", "find"})


def _asks_behind_story(tokens: Sequence[Token], i: int) -> bool:
    """Whether a question begins at token `i` after a story of the asker: `I have been asked to find
    out how many …`, `the chair wants to know one thing from me: how many …`.
    """
    if tokens[i].lower not in _QUESTION:
        return False
    before = tokens[i - 1].lower
    reporting = before in (":", "—", "–") or before in _TO_REPORT
    return reporting and any(token.lower in _ASKER for token in tokens[:i])


_QUESTION = frozenset({"how", "which", "what", "who", "where", "when"})
_TO_REPORT = frozenset({"out", "know", "report", "say", "tell", "explain", "see", "learn", "me",
                        "wonder", "wondering", "ask", "asking", "asked", "check"})  # fmt: skip


def _behind_wish(tokens: Sequence[Token], i: int) -> int | None:
    """The token after a wish that begins at token `i`: `I need`, `would like to know`, `could you
    tell me`, `please list`.
    """
    words = [token.lower for token in tokens[i : i + 4]]
    before = tokens[i - 1].lower
    if words[0] in _TO_WISH and before in _WISHING and words[1:2] == ["to"]:
        return i + 3 if words[2:3] and words[2] in _TO_LEARN else None
    if words[0] in ("i", "we") and words[1:2] in (["need"], ["want"]) and words[2:3] != ["to"]:
        return i + 2
    if before == "and" and words[0] in ("need", "want") and words[1:2] != ["to"]:
        return i + 1 if any(token.lower in _ASKER for token in tokens[:i]) else None
    if words[0] in ("could", "can", "would") and words[1:2] == ["you"]:
        j = i + 2 + (words[2:3] == ["please"])
        return j + 1 if j < len(tokens) and tokens[j].lower in _GIVING else None
    if words[0] == "please" and words[1:2] and words[1] in _GIVING:
        return i + 2
    return None
