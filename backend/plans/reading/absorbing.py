"""Removes words of a clause that add nothing to its links: talk, and nouns for the documents.

Nothing is dropped silently: a noun read as the documents and a verb that may carry meaning are
reported, and both are dropped only beside something that the collection knows.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.language.common_words import CARRIERS, LIGHT_VERBS
from backend.language.frequent_words import is_english
from backend.language.movements import same_way
from backend.language.nouns import singular
from backend.language.tokens import Token
from backend.language.units import measure_of
from backend.plans.reading.amounts import money, names_money
from backend.plans.reading.asides import without_asides
from backend.plans.reading.askers import with_person
from backend.plans.reading.hollow import passed_over
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.reading.verbs import LINKED, PREPOSITIONS, without_verbs
from backend.plans.reading.vocabulary import Meaning, Vocabulary

_SINGLE = frozenset({"every", "each", "which", "any", "what", "that", "this"})
_BEHIND = frozenset(
    """
    about above after among amongst and are at before behind below between by did do does during
    for from had has have having in is made of on or over per since that there to under until
    was we were when where which while who whose with within without
    """.split()  # noqa: SIM905
)


def absorbed(
    pieces: Sequence[Piece], tokens: Sequence[Token], vocabulary: Vocabulary
) -> tuple[list[Piece], list[str]]:
    """The pieces of one clause without light verbs, and with nouns for documents as `E`; notes."""
    made, notes = without_asides(pieces, tokens)
    for i, piece in enumerate(made):
        behind = tokens[piece.start - 1].lower if piece.start else ""
        heads = all(_precedes_noun(p) or p.tag in "Voxwci" for p in made[:i])
        heads = heads or behind in ("for", "of", "among")
        several = piece.tag == "P" and heads and _described_by_several(piece, tokens)
        around = [*made[:i], *made[i + 1 :]]
        if several and any(p.tag in LINKED for p in around):
            made[i] = replace(piece, tag="E", load=[])
            notes.append(f"took “{tokens[piece.start].text}” to mean the documents")
        elif any(p.tag in LINKED or p.tag in "#TX" for p in around) and _is_described_by(
            made, i, tokens, vocabulary
        ):
            made[i] = replace(piece, tag="E")
            notes.append(f"took “{tokens[piece.start].text}” to mean the documents")
        if _named_like(made, i, tokens) or _heads_relative(made, i, tokens, vocabulary):
            made[i] = replace(piece, tag="E", load=[])
            notes.append(f"took “{tokens[piece.start].text}” to mean the documents")
            continue
        if _is_end_of_span(made, i, tokens):
            made[i] = replace(piece, tag=" ", load=None)
            continue
        if piece.tag == "?" and (read := _beside_name(made, i, tokens)) is not None:
            made[i - 1 : i + 1] = read
            continue
        if piece.tag == "?" and (value := _same_way(made, i, tokens, vocabulary)) is not None:
            made[i] = value
            notes.append(f"took “{tokens[piece.start].text}” to mean {value.load[0][1]}")
            continue
        if piece.tag == "?" and _is_unheard_degree(made, i, tokens):
            made[i] = replace(piece, tag="X", load=(True, None))
            continue
        if piece.tag == "?" and _is_counted(made[:i], tokens[piece.start]):
            made[i] = replace(piece, tag=" ", load=None)
            continue
        amount = _amount(made, i, tokens, vocabulary) if piece.tag == "?" else None
        if amount is not None:
            made[i] = replace(piece, tag="P", load=[Meaning(amount, 1.0, False)])
            notes.append(f"took “{tokens[piece.start].text}” to be about {amount.label}")
            continue
        hollow, note = passed_over(piece, tokens, made) if piece.tag == "?" else (False, None)
        if hollow:
            made[i] = replace(piece, tag=" ", load=None)
            notes += [note] if note is not None else []
            continue
        if piece.tag == "?" and _names_documents(made, i, tokens, vocabulary):
            made[i] = replace(piece, tag="E", load=[])
            notes.append(f"took “{tokens[piece.start].text}” to mean the documents")
    made = with_person(made, tokens, vocabulary)
    kept, more_notes = without_verbs(
        [piece for piece in made if piece.tag != " "], tokens, vocabulary
    )
    return kept, [*notes, *more_notes]


def _is_end_of_span(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> bool:
    """`average days until done`: the words behind a number of days that name its end."""
    piece, before = pieces[i], pieces[i - 1] if i else None
    if piece.tag != "P" or before is None or before.tag != "P":
        return False
    span = before.load[0].prop
    timed = span.unit is not None and measure_of(span.unit.name) == "time"
    leads = tokens[piece.start - 1].lower in ("until", "till", "to", "before")
    return timed and leads and piece.load[0].prop.dated


def _beside_name(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> list[Piece] | None:
    """`pass rate`: the share of documents that passed."""
    before = pieces[i - 1] if i else None
    if before is None or {t.text for t in tokens[before.end : pieces[i].start]} - {"-"}:
        return None
    if before.tag == "V" and tokens[pieces[i].start].lower == "free":
        # "gluten free desserts"
        return [Piece("n", pieces[i].start, pieces[i].end), before]
    truth = before.tag == "P" and before.load[0].prop.kind == "bool"
    if tokens[pieces[i].start].lower not in _SHARES or not (truth or before.tag == "F"):
        return None
    return [replace(pieces[i], tag="%"), before]


def _same_way(
    pieces: Sequence[Piece], i: int, tokens: Sequence[Token], vocabulary: Vocabulary
) -> Piece | None:
    """`guidance was cut`, where the values of the guidance are Raised and Lowered."""
    before = pieces[i - 1] if i else None
    if before is None or before.tag != "P" or not before.load[0].prop.worded:
        return None
    field, word = before.load[0].prop.field, tokens[pieces[i].start].lower
    same = [value for value in vocabulary.values_of(field) if same_way(word, value)]
    return replace(pieces[i], tag="V", load=[(field, same[0])]) if len(same) == 1 else None


_SHARES = frozenset({"rate", "rates", "ratio", "quota", "share", "percentage", "proportion"})


def _is_unheard_degree(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> bool:
    """`dirtiest 5 samples by bacteria`: a superlative of an unknown adjective whose measure is
    named.
    """
    word = tokens[pieces[i].start].lower
    named = any(
        p.tag == "P" and p.load[0].prop.numeric and before.tag in "yb"
        for before, p in pairwise(pieces)
    )
    return len(word) > 5 and word.endswith("est") and is_english(word) and named


def _amount(
    pieces: Sequence[Piece], i: int, tokens: Sequence[Token], vocabulary: Vocabulary
) -> Property | None:
    """`how much money`, `that cost more than 800k`: a word for money beside a number or a total."""
    word = tokens[pieces[i].start].lower
    if not names_money(word):
        return None
    asked = any(p.tag in "NAX#Cey" for p in pieces)
    following = tokens[pieces[i].end].lower if pieces[i].end < len(tokens) else ""
    if following in ("by", "against") or (word in _BRINGING and following != "in"):
        return None  # "claims brought by nurses", "carriers brought fish"
    return money(vocabulary, word) if asked else None


_BRINGING = frozenset({"bring", "brought", "fetch", "fetched"})


_WHO = frozenset({"which", "that", "who", "whose", "where"})


def _heads_relative(
    pieces: Sequence[Piece], i: int, tokens: Sequence[Token], vocabulary: Vocabulary
) -> bool:
    """`repairs in which a valve was fitted`, `breakdowns happened under …`: a plural that is only
    part of a property's name, before a relative clause or a verb of happening.
    """
    piece = pieces[i]
    if piece.tag != "P" or not is_plural_word(tokens[piece.start].lower):
        return False
    words = [token.lower for token in tokens[piece.start : piece.end + 2]]
    size = piece.end - piece.start
    if size == 2 and words[1] in _HAPPENED:
        return tokens[piece.start].stem in vocabulary.nouns and piece.load[0].prop.dated
    asked = any(p.tag in "WyegsA#" for p in pieces[:i])
    behind = set(words[size:]) & _WHO if len(words) > size else set()
    whole = any(meaning.whole for meaning in piece.load)
    heads = all(_precedes_noun(p) or p.tag in "Voxwc" for p in pieces[:i])
    return size == 1 and bool(behind) and heads and not asked and not whole


_HAPPENED = frozenset({"happened", "occurred", "happen", "occur"})


def _named_like(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> bool:
    """`the five costliest projects`, although one contractor is called Westgate Projects: a plural
    that is only the last word of longer names means the documents.
    """
    piece = pieces[i]
    word = tokens[piece.start]
    if piece.tag != "V" or piece.end - piece.start != 1 or not is_plural_word(word.lower):
        return False
    whole = [value for _, value in piece.load if len(str(value).split()) == 1]
    others = any(p.tag in LINKED or p.tag in "XT" for j, p in enumerate(pieces) if j != i)
    heads = all(_precedes_noun(p) or p.tag == "X" for p in pieces[:i])
    last = all(singular(str(v).split()[-1]) == singular(word.lower) for _, v in piece.load)
    return word.text.islower() and not whole and others and heads and last


def _precedes_noun(piece: Piece) -> bool:
    """Whether a piece can precede a noun for the documents: `how many`, `insured`."""
    if piece.tag == "P":
        return bool(piece.load[0].prop.kind == "bool")
    return piece.tag in "WNXTL#%Gn&"


def _is_counted(before: Sequence[Piece], token: Token) -> bool:
    """`that enrolled more than 150 people`: the counted noun, in the property's own words."""
    if not before or before[-1].tag not in "Np":
        return False
    named = [piece for piece in before if piece.tag == "P"]
    return bool(named) and token.stem in named[-1].load[0].prop.described


def _described_by_several(piece: Piece, tokens: Sequence[Token]) -> bool:
    """Whether a plural occurs in several descriptions but in no name: `animals` if species, vet and
    owner are all described by them.
    """
    if piece.end - piece.start != 1 or not is_plural_word(tokens[piece.start].lower):
        return False
    best = piece.load[0]
    near = [m for m in piece.load if m.score > 0.95 * best.score]
    return len(near) > 1 and tokens[piece.start].stem not in {p for m in near for p in m.prop.parts}


def _is_described_by(
    pieces: Sequence[Piece], i: int, tokens: Sequence[Token], vocabulary: Vocabulary
) -> bool:
    """Whether a plural names only what a property belongs to, not what it contains: `rulings`
    beside `days_to_ruling`, `purchases` if a property says when they were made.
    """
    piece = pieces[i]
    if piece.tag != "P" or piece.end - piece.start != 1:
        return False
    token = tokens[piece.start]
    if not is_plural_word(token.lower) or (i > 0 and pieces[i - 1].tag in "yesdAR"):
        return False
    best = piece.load[0].score
    near = [m.prop for m in piece.load if m.score > 0.95 * best]
    return all(vocabulary.only_described_by(prop, token.lower) for prop in near)


def _names_documents(
    pieces: Sequence[Piece], i: int, tokens: Sequence[Token], vocabulary: Vocabulary
) -> bool:
    """Whether an unknown word in this clause can only be a name for the documents."""
    piece = pieces[i]
    word = tokens[piece.start].lower
    before = pieces[i - 1] if i else None
    counted = i > 1 and pieces[i - 1].tag == "N" and pieces[i - 2].tag == "C"
    if word in LIGHT_VERBS or (word in CARRIERS and before is not None and before.tag in "PVE"):
        return False
    if not any(p.tag in LINKED for j, p in enumerate(pieces) if j != i):
        return False
    after = pieces[i + 1 : i + 3]
    if len(after) == 2 and after[0].tag in "&|" and after[1].tag == "?":
        return False  # "rodents or insects"
    if (
        before is not None
        and before.tag == "#"
        and [p.tag for p in after] in (["e", "E"], ["e", "P"])
    ):
        # "the number of wheels per lorry" counts something in each document.
        noun = after[1].load[0].prop if after[1].tag == "P" else None
        if noun is None or noun.own or noun.key:
            return False
    leading = tokens[piece.start - 1].lower if piece.start else ""
    if not (is_plural_word(word) or leading in _SINGLE):
        return False
    # A word that occurs in some of the texts distinguishes documents, so it must not be dropped.
    if word in vocabulary.text_words:
        return False
    if counted:
        return True
    if any(p.tag == "E" for p in pieces) or (before is not None and before.tag in "AxnrRsyge?&|"):
        return False
    if leading in PREPOSITIONS and (before is None or before.tag not in "#%TX"):
        return False
    return _ends_there(pieces, i, tokens)


def _ends_there(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> bool:
    """Whether the noun ends its phrase, with nothing behind it that it could describe."""
    end = pieces[i].end
    if i + 1 == len(pieces) or end >= len(tokens):
        return True
    following = pieces[i + 1]
    steered = following.start == end and following.tag in "C,&|bsydXHgetnxRiI"
    participle = len(tokens[end].text) > 4 and tokens[end].lower.endswith(("ed", "ing"))
    return steered or participle or tokens[end].lower in _BEHIND | CARRIERS


def is_plural_word(word: str) -> bool:
    return word in _PLURALS or (
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    )


_PLURALS = frozenset({"people", "children", "men", "women", "mice", "sheep", "fish", "cattle"})
