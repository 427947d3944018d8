"""What a question asks about the texts: a phrase after a verb of saying, or a clause that no
property answers. `leases in Denver whose tenant fell behind with the rent`.

The phrase becomes one piece, so that none of its words is read as a property or a value. Exact
terms at the end, such as `in Denver`, `by region`, are not part of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backend.language.common_words import CARRIERS, FREE, LIGHT_VERBS, PAST_FORMS
from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.absorbing import is_plural_word
from backend.plans.reading.clauses import Clause, read_part
from backend.plans.reading.linking import link
from backend.plans.reading.pieces import Piece
from backend.plans.reading.repairing import complete
from backend.plans.reading.verbs import PREPOSITIONS
from backend.plans.reading.vocabulary import Vocabulary

THEME = '"'
"""The tag of a phrase to look for in the texts; it carries the phrase."""
_EXACT = frozenset("NDCAXMHKLTSQ#%qkus=@x")
"""Tags that make a phrase exact: numbers, comparisons, orders, quoted words."""
_WHO = frozenset({"which", "whom", "whose"})
_RELATIVE = frozenset({"whose", "where", "who", "which", "that", "when"})
_HAVING = frozenset({"with", "without", "having"})
_DETERMINERS = frozenset({"the", "a", "an", "its", "their", "this", "that", "any", "some"})
_OTHERS = frozenset({"another", "other", "others", "else"})
_LEADING = frozenset(
    """
    in from for of at on since before after during between with by per under over within through
    until and
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Theme:
    """Tokens `start` to `end`, of which those from `begin` on are the phrase.

    `weak` if only words of the texts show that the texts are meant: `leases with mould`; `spoken`
    after a verb of saying; `tailed` if exact terms follow. `fields` are the properties that it
    names; `plain` means that its other words are empty by themselves.
    """

    start: int
    begin: int
    end: int
    weak: bool = False
    spoken: bool = False
    tailed: bool = False
    plain: bool = False
    fields: frozenset[str] = frozenset()


def themed(clause: Clause) -> Iterator[tuple[Clause, Theme]]:
    """The clause with a phrase as a question about the texts; the longest phrase first."""
    reader = clause.reader
    tokens = reader.tokens
    start, end = clause.span
    linked, notes = complete(
        tokens, link(tokens, reader.vocabulary, reader.today), reader.vocabulary
    )
    pieces = [piece for piece in linked if start <= piece.start < end and piece.tag != " "]
    for theme in _themes(tokens, pieces, start, end):
        inside = [p for p in pieces if theme.begin <= p.start < theme.end]
        if not _may_be_stated(inside, tokens, theme, reader.vocabulary):
            continue
        phrase = reader.words([Piece(THEME, theme.begin, theme.end)])
        before = [piece for piece in pieces if piece.start < theme.start]
        before, denied = _undenied(before)
        phrase = _denial(phrase, theme) if denied else phrase
        before, called = _with_documents(before, theme, tokens)
        behind = [piece for piece in pieces if piece.start >= theme.end]
        kept = [*before, Piece(THEME, theme.start, theme.end, phrase), *behind]
        kept_notes = {
            i: note for i, note in notes.items() if not theme.start <= i < theme.end
        } | called
        again = read_part(
            reader.text, tokens, kept, start, end, reader.vocabulary, reader.today,
            reader.present, kept_notes,
        )  # fmt: skip
        named = {m.prop.field for piece in inside if piece.tag == "P" for m in piece.load}
        unknown = [tokens[piece.start].lower for piece in inside if piece.tag == "?"]
        plain = all(word in CARRIERS | FREE for word in unknown)
        yield again, replace(theme, fields=frozenset(named), plain=plain)


def _themes(
    tokens: Sequence[Token], pieces: Sequence[Piece], start: int, end: int
) -> Iterator[Theme]:
    """Possible phrases about the texts, longest first."""
    ends = {piece.end for piece in pieces if piece.tag in "Ioi"}
    while end > start and (tokens[end - 1].kind == "sign" or end in ends):
        end -= 1
    last = _tail(tokens, pieces, start, end)
    for begin in range(start, end):
        theme = _beginning(tokens, pieces, start, begin)
        if theme is not None and theme.begin < last:
            yield replace(theme, end=last, tailed=last < end)


def _beginning(
    tokens: Sequence[Token], pieces: Sequence[Piece], start: int, i: int
) -> Theme | None:
    """The theme that begins at token `i`, without its end."""
    token = tokens[i]
    here = next((piece for piece in pieces if piece.start == i), None)
    if here is not None and here.tag == "R":
        return Theme(i, i, i, spoken=True)
    headed = any(piece.end <= i for piece in pieces)
    following = tokens[i + 1].lower if i + 1 < len(tokens) else ""
    if not headed or i == start:
        return None
    if token.lower in PREPOSITIONS and following in _WHO:
        return Theme(i, i + (1 if following == "whose" else 2), i)
    behind = tokens[i - 1]
    if token.lower in _RELATIVE and behind.kind == "word":
        verb = next((piece for piece in pieces if piece.start == i + 1), None)
        begin = i if token.lower == "whose" else i + 1
        return Theme(i, begin, i, spoken=verb is not None and verb.tag == "R")
    noun = next((piece for piece in pieces if piece.end == i and piece.tag == "E"), None)
    if noun is None:
        return None
    if token.lower in _HAVING:
        return Theme(i, i, i, weak=True)
    asked = any(piece.tag == "W" and piece.end <= noun.start for piece in pieces)
    asked = asked and not (here is not None and here.tag in "ER")
    verb_form = token.lower.endswith(("ed", "ing")) or token.lower in PAST_FORMS
    if asked or (here is not None and here.tag == "?" and verb_form):
        return Theme(i, i, i)
    return None


def _tail(tokens: Sequence[Token], pieces: Sequence[Piece], start: int, end: int) -> int:
    """The token at which exact terms begin: `in Denver since 2020`."""
    last = end
    for i in range(end - 1, start, -1):
        inside = [piece for piece in pieces if i <= piece.start < last]
        if any(piece.tag in "?R" for piece in inside):
            break
        leads = tokens[i].lower in _LEADING
        if leads and _is_exact_end(tokens, inside, i, last):
            last = i
        elif last < end and [piece.tag for piece in inside] in (["g"], ["s"]):
            last = i  # "grouped by utility"
        elif tokens[i].text == "," and last < end and last == i + 1:
            last = i
    return last


def _is_exact_end(tokens: Sequence[Token], inside: Sequence[Piece], i: int, end: int) -> bool:
    """Whether a preposition begins exact terms: a literal value, a date, a number, a group key or
    an order; not `with the rent` or `by the utility`.
    """
    determined = i + 1 < end and tokens[i + 1].lower in _DETERMINERS
    for piece in inside:
        if piece.tag == "V":
            written = any(token.text[:1].isupper() for token in tokens[piece.start : piece.end])
            if written or not determined:
                return True
        elif piece.tag in "DN":
            return True
        elif piece.tag in "yeXTs" and not determined:
            return any(other.tag in "PE" for other in inside)
        elif piece.tag == "P" and tokens[i].lower in ("and", "with", "without"):
            return bool(piece.load[0].prop.kind == "bool")
    return False


def _may_be_stated(
    inside: Sequence[Piece], tokens: Sequence[Token], theme: Theme, vocabulary: Vocabulary
) -> bool:
    """Whether the texts can answer a phrase: it goes beyond the properties, is not exact, and some
    of its words occur in them.
    """
    if not inside or any(piece.tag in _EXACT for piece in inside):
        return False
    named = [tokens[piece.start] for piece in inside if piece.tag == "V"]
    if any(token.text[:1].isupper() for token in named):
        return False
    unknown = [tokens[p.start] for p in inside if p.tag == "?" or _is_common(p, tokens, vocabulary)]
    unknown = [token for token in unknown if token.lower not in _OTHERS]
    if theme.spoken:
        return bool(unknown) and not _only_leads(tokens, inside)
    content = [
        token
        for token in tokens[theme.begin : theme.end]
        if token.kind == "word"
        and token.lower not in FUNCTION_WORDS | LIGHT_VERBS
        and token.stem not in vocabulary.nouns
    ]
    heard = [token for token in content if token.stem in vocabulary.text_stems]
    if any(token.text[:1].isupper() and token not in heard for token in unknown):
        return False
    if theme.weak:
        return bool(unknown) and all(token in heard for token in unknown)
    return bool(unknown) and bool(heard) and not _unheard_quality(tokens, theme, unknown, heard)


def _is_common(piece: Piece, tokens: Sequence[Token], vocabulary: Vocabulary) -> bool:
    """Whether a word is read as the documents only because most texts contain it."""
    return piece.tag == "E" and tokens[piece.start].stem in vocabulary.common - vocabulary.nouns


def _only_leads(tokens: Sequence[Token], inside: Sequence[Piece]) -> bool:
    """`caused by collisions that mention injuries`: known words that introduce another phrase."""
    unknown = next((piece.start for piece in inside if piece.tag == "?"), 0)
    before = [p for p in inside if p.start < unknown]
    linked = [p for p in before if p.tag in "VP"]
    marked = [t.lower in _RELATIVE for t in tokens[linked[0].end : unknown]] if linked else []
    return any(marked)


def _unheard_quality(
    tokens: Sequence[Token], theme: Theme, unknown: Sequence[Token], heard: Sequence[Token]
) -> bool:
    """`whose moon phase is full`: a missing property that no text mentions either."""
    phrase = tokens[theme.begin : theme.end]
    being = next((i for i, token in enumerate(phrase) if token.lower in _BEING), 0)
    if phrase[0].lower != "whose" or not being:
        return False
    return any(token in unknown and token not in heard for token in phrase[:being])


_BEING = frozenset({"is", "are", "was", "were"})


def _undenied(before: list[Piece]) -> tuple[list[Piece], bool]:
    """The text before a phrase, without a word that negates it."""
    nouns = len(before) - 1
    while nouns >= 0 and before[nouns].tag == "E":
        nouns -= 1
    if nouns < 0 or before[nouns].tag not in "nxr":
        return before, False
    return [*before[:nouns], *before[nouns + 1 :]], True


def _denial(text: str, theme: Theme) -> str:
    """The negation of a phrase."""
    return f"not {text}" if theme.spoken else f"it is not said that {text}"


def _with_documents(
    before: list[Piece], theme: Theme, tokens: Sequence[Token]
) -> tuple[list[Piece], dict[int, str]]:
    """`agreements that mention leaks`: an unknown plural as the subject of the phrase means the
    documents, and so does one that is only part of property names.
    """
    head = before[-1] if before else None
    if head is None or any(piece.tag == "E" for piece in before):
        return before, {}
    part = head.tag == "P" and not any(meaning.whole for meaning in head.load)
    word = tokens[head.start]
    single = head.end - head.start == 1 and is_plural_word(word.lower)
    others = any(piece.tag in "?P" for piece in before[:-1])
    if not (head.tag == "?" or part) or others or not single or word.text[1:].isupper():
        return before, {}
    note = f"took “{word.text}” to mean the documents"
    return [*before[:-1], replace(head, tag="E", load=[])], {head.start: note}
