"""A request as clauses, each a list of pieces reduced as far as possible.

Sentences end a clause. Commas and "and" do so only before a command word, since otherwise "Texas
and Virginia" would be split.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from backend.language.shorthand import written_out
from backend.language.tokens import Token, expand, single_marks, tokenise
from backend.plans.reading.absorbing import absorbed
from backend.plans.reading.asides import preamble
from backend.plans.reading.cascade import Reader, Unclear, merged_names, reduce, rule
from backend.plans.reading.contrasts import contrasted
from backend.plans.reading.counted_documents import COUNTED_RULES
from backend.plans.reading.letters import with_letters
from backend.plans.reading.likeness import LIKENESS_RULES
from backend.plans.reading.linking import link
from backend.plans.reading.ordering import PHRASE_RULES
from backend.plans.reading.particles import loosened, reunited
from backend.plans.reading.periods import PERIOD_RULES
from backend.plans.reading.phrasing import BOUND_RULES, COUNT_RULES, MEASURE_RULES
from backend.plans.reading.pieces import Piece
from backend.plans.reading.predicates import JOINING_RULES, LATER_RULES, RELATIVE_RULES, RULES
from backend.plans.reading.present import Present
from backend.plans.reading.repairing import complete, mend
from backend.plans.reading.rivals import RIVAL_RULES
from backend.plans.reading.settling import SETTLING_RULES
from backend.plans.reading.stages import staged
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.reading.whole_requests import without_courtesies

_ALL_RULES = (
    rule(r"P[PE]*P", merged_names),
    *PERIOD_RULES,
    *RELATIVE_RULES,
    *COUNTED_RULES,
    *RIVAL_RULES,
    *MEASURE_RULES,
    *BOUND_RULES,
    *RULES,
    *COUNT_RULES,
    *LIKENESS_RULES,
    *PHRASE_RULES,
    *LATER_RULES,
    *JOINING_RULES,
)
_BEGINS_COMMAND = "oxrwcgslTuJ#kqI"
_SENTENCE_END = frozenset(".;?!")


@dataclass(frozen=True)
class Clause:
    """A clause as written, its reduced pieces, and their reader.

    `problem` is the reason why a reduction failed, in which case the pieces are unreduced. `among`
    means that it only concerns the results of the clause before. `span` are its tokens.
    """

    text: str
    pieces: tuple[Piece, ...]
    reader: Reader
    problem: Unclear | None = None
    among: bool = False
    span: tuple[int, int] = (0, 0)

    @property
    def shape(self) -> str:
        return "".join(piece.tag for piece in self.pieces)

    def words(self, pieces: Sequence[Piece]) -> str:
        return self.reader.words(pieces)


def plain_request(text: str) -> str:
    """The request with abbreviations expanded and courtesies removed."""
    return _wish(text)[0]


def _wish(text: str) -> tuple[str, list[str]]:
    """Like `plain_request`, with the frames that were removed."""
    return without_courtesies(expand(written_out(single_marks(" ".join(text.split())))))


def read_clauses(
    text: str, vocabulary: Vocabulary, today: date, present: Present | None, *, split_commands: bool
) -> list[Clause]:
    """The clauses of a request."""
    text, frames = _wish(text)
    tokens = loosened(reunited(with_letters(tokenise(text), vocabulary)), vocabulary)
    period = None if present is None else present.period
    pieces = link(tokens, vocabulary, today, period)
    tokens, pieces, passed = _without_preamble(tokens, pieces)
    pieces, notes = complete(tokens, pieces, vocabulary)
    mended, repairs = mend(tokens, pieces, vocabulary)
    if repairs:
        tokens = mended
        pieces, again = complete(tokens, link(tokens, vocabulary, today, period), vocabulary)
        notes = {**again, **repairs}
    if passed is not None:
        notes[0] = "; ".join(filter(None, (passed, notes.get(0))))
    if split_commands and pieces and pieces[0].tag == "|":
        # "or Texas" as a request of its own adds an alternative; "or rather Texas" corrects.
        following = tokens[pieces[0].end : pieces[0].end + 1]
        other = following and following[0].lower in _REPLACING
        pieces = [replace(pieces[0], tag="i" if other else "w"), *pieces[1:]]
    stages = None if split_commands else staged(tokens, pieces)
    if stages is not None:
        first, second = (
            read_part(text, tokens, part, start, end, vocabulary, today, present, notes)
            for part, start, end in (
                (pieces, stages.start, stages.end),
                (stages.asked, stages.asked[0].start, len(tokens)),
            )
        )
        return [first, replace(second, among=True)]
    clauses: list[Clause] = []
    for start, end in _spans(tokens, pieces, split_commands):
        clauses.append(
            read_part(text, tokens, pieces, start, end, vocabulary, today, present, notes)
        )
    kept = [clause for clause in clauses if clause.pieces] or clauses[: int(split_commands)]
    for clause in kept[:1]:
        for frame in frames:
            clause.reader.assume(f"ignored “{frame}”")
    return kept


def read_part(
    text: str,
    tokens: Sequence[Token],
    pieces: Sequence[Piece],
    start: int,
    end: int,
    vocabulary: Vocabulary,
    today: date,
    present: Present | None,
    notes: Mapping[int, str],
) -> Clause:
    """The clause of tokens `start` to `end`; `notes` are keyed by their token."""
    reader = Reader(vocabulary, text, tokens, today, present)
    for place, note in notes.items():
        if start <= place < end:
            reader.assume(note)
    inside = [piece for piece in pieces if start <= piece.start < end]
    inside, absorbed_notes = absorbed(inside, tokens, vocabulary)
    for note in absorbed_notes:
        reader.assume(note)
    while inside and inside[0].tag in ",&|":
        inside = inside[1:]
    while inside and inside[-1].tag in ",&|":
        inside = inside[:-1]
    shown = text[tokens[start].start : tokens[end - 1].end].strip(" ,;") if end > start else ""
    if present is not None:
        inside = contrasted(inside, reader)
    inside = reduce(inside, SETTLING_RULES, reader)
    try:
        made = tuple(reduce(inside, _ALL_RULES, reader))
        return Clause(shown, made, reader, span=(start, end))
    except Unclear as problem:
        return Clause(shown, tuple(inside), reader, problem, span=(start, end))


def halves(clause: Clause) -> list[tuple[int, int]]:
    """Token spans at which a clause that was not understood could be split."""
    marks = [p for p in clause.pieces if p.tag in ",&" and p.end - p.start == 1]
    inner = [p for p in marks if clause.pieces[0].start < p.start < clause.pieces[-1].end]
    starts = [clause.pieces[0].start, *(p.end for p in inner)]
    ends = [*(p.start for p in inner), clause.pieces[-1].end]
    return [(a, b) for a, b in zip(starts, ends, strict=True) if a < b] if inner else []


def _spans(
    tokens: Sequence[Token], pieces: Sequence[Piece], split_commands: bool
) -> list[tuple[int, int]]:
    cuts = [0]
    for i, token in enumerate(tokens):
        if _ends_sentence(tokens, i) and not any(p.start < i < p.end - 1 for p in pieces):
            cuts.append(i + 1)
        elif split_commands and token.lower in ("then", "afterwards") and i:
            cuts.append(i)
    if split_commands:
        for piece, following in pairwise(pieces):
            if piece.tag in ",&" and following.tag in _BEGINS_COMMAND:
                if _joins(pieces, piece, following):
                    continue
                cuts.append(piece.start)
            elif piece.tag in ",&" and _starts_anew(tokens, piece, following):
                cuts.append(piece.start)
    edges = [*sorted(set(cuts)), len(tokens)]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _ends_sentence(tokens: Sequence[Token], i: int) -> bool:
    """Whether a full stop ends a sentence and not an initial as in `A. Novak`."""
    token = tokens[i]
    if token.kind != "sign" or token.text not in _SENTENCE_END or i + 1 == len(tokens):
        return False
    initial = i > 0 and len(tokens[i - 1].text) == 1 and tokens[i - 1].text.isupper()
    return not (token.text == "." and initial and tokens[i + 1].text[0].isupper())


def _starts_anew(tokens: Sequence[Token], mark: Piece, following: Piece) -> bool:
    """Whether another command follows a mark even without a command word: `…, any city`, `by state
    instead, and the lowest …`.
    """
    if following.tag == "P":
        return following.start > 0 and tokens[following.start - 1].lower in ("any", "whatever")
    if following.tag == "N":
        # "sculptures instead of paintings, and give me 5"
        words = [token.lower for token in tokens[max(0, following.start - 2) : following.start]]
        return words in (["give", "me"], ["show", "me"], ["give", "us"], ["show", "us"])
    swapped = mark.start > 0 and tokens[mark.start - 1].lower == "instead"
    return swapped and following.tag in "XA"


def _joins(pieces: Sequence[Piece], mark: Piece, following: Piece) -> bool:
    """Whether a mark before a command word joins and does not separate: `not only X but also Y`,
    `sort by state and count`, `first and last`.
    """
    before = [piece for piece in pieces if piece.end <= mark.start]
    if not before:
        return True
    if following.tag == "w" and any(p.tag == "w" for p in before):
        return True
    if following.tag == "w" and following is pieces[-1]:
        return True
    if following.tag == "I":
        # "by state, instead of city" is one command, unless another follows
        return not any(p.tag in ",c" and p.start > following.start for p in pieces)
    if following.tag in "#T":
        return before[-1].tag in "sygOT"
    return following.tag in "ks" and before[0].tag in "rn"


_REPLACING = frozenset(["rather", "let", "better", "maybe", "perhaps", "say", "actually", "make"])
"""Words that mark a second thought after `or`."""


def _without_preamble(
    tokens: list[Token], pieces: list[Piece]
) -> tuple[list[Token], list[Piece], str | None]:
    """The request without a preceding story, and a note about what was dropped."""
    start = preamble(tokens, pieces)
    if not start:
        return tokens, pieces, None
    kept = [
        replace(piece, start=piece.start - start, end=piece.end - start)
        for piece in pieces
        if piece.start >= start
    ]
    meaningful = any(piece.tag == "?" for piece in pieces if piece.start < start)
    text = " ".join(token.text for token in tokens[:start])
    return tokens[start:], kept, f"ignored “{text}”" if meaningful else None
