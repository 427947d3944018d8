"""Completes and corrects unknown words: parts of values, abbreviations, typing errors."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from backend.language.common_words import CARRIERS, PAST_FORMS
from backend.language.frequent_words import is_english
from backend.language.lexicon import phrases
from backend.language.nouns import singular
from backend.language.shorthand import full_words
from backend.language.spelling import nearest_word
from backend.language.tokens import Token, expand, tokenise
from backend.language.units import unit_word
from backend.language.words import stem
from backend.plans.reading.letters import signed_values
from backend.plans.reading.pieces import Piece
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.tables.value_index import FieldValue
from workbench.contract.plan_nodes import BasicFilter, bare_field

_MOST_MEANT = 10


def complete(
    tokens: Sequence[Token], pieces: Sequence[Piece], vocabulary: Vocabulary
) -> tuple[list[Piece], dict[int, str]]:
    """Pieces in which unknown parts of a value are replaced by that value, and notes by token.

    A word of a longer value matches, and so does its beginning; all matching values of a field are
    meant. Long values such as addresses are searched for names.
    """
    made, notes = list(pieces), dict[int, str]()
    for i, piece in enumerate(made):
        token = tokens[piece.start]
        if (line := _in_lines(made, i, tokens, vocabulary)) is not None:
            notes[piece.start] = f"looked for “{line.query}” in {bare_field(line.field)}"
            continue
        if piece.tag == "o" and _describes(i, made, tokens, vocabulary):
            piece = made[i] = replace(piece, tag="?")
        if piece.tag != "?" or len(singular(token.text)) < 3 or piece.end - piece.start != 1:
            continue
        whole = len(singular(token.text)) > 3 or token.text[0].isupper()
        stored = vocabulary.holding(singular(token.lower)) if whole else []
        near = [p for p in made[max(0, i - 1) : i + 2] if p.tag == "P"]
        named = {m.prop.field for p in near for m in p.load}
        stored = [item for item in stored if item[0] in named] or stored
        fields = {field for field, _ in stored}
        prop = vocabulary.get(next(iter(fields))) if len(fields) == 1 else None
        if prop is not None and prop.own and len(stored) > _MOST_MEANT:
            # many titles contain the word
            condition = BasicFilter(field=prop.field, query=token.text, match="contains")
            made[i] = replace(piece, tag="F", load=condition)
            notes[piece.start] = f"looked for “{token.text}” in {prop.label}"
        elif stored and len(fields) == 1 and len(stored) <= _MOST_MEANT:
            made[i] = replace(piece, tag="V", load=stored)
            _take_in(made, i, tokens, stored)
            values = " or ".join(str(value) for _, value in stored)
            notes[piece.start] = f"read “{token.text}” as {values}"
        elif not stored and (short := vocabulary.abbreviated(token.lower)) is not None:
            made[i] = replace(piece, tag="P", load=[short])
            notes[piece.start] = f"read “{token.text}” as {short.prop.label}"
    return made, notes


def _in_lines(
    pieces: list[Piece], i: int, tokens: Sequence[Token], vocabulary: Vocabulary
) -> BasicFilter | None:
    """The condition that long values contain the unknown name at `i`, which it replaces.

    All words of the name must occur in values of one property, at least one of them long.
    """
    name = list(_name_from(pieces, i, tokens))
    lines = vocabulary.values.lines
    fields = [{*lines.get(singular(token.lower), ())} for token in name]
    common = set.intersection(*fields) if fields else set()
    prop = vocabulary.get(next(iter(common))) if len(common) == 1 else None
    if prop is None:
        return None
    words = " ".join(token.text for token in name)
    condition = BasicFilter(field=prop.field, query=words, match="contains")
    pieces[i] = replace(pieces[i], tag="F", load=condition)
    for k in range(i + 1, i + len(name)):
        pieces[k] = replace(pieces[k], tag=" ", load=None)
    return condition


def _name_from(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> Iterator[Token]:
    """The words of a name from a position on: unknown ones that are capitalised or not English.

    A name in most documents, such as that of their town, is read as a noun for them.
    """
    for piece in pieces[i:]:
        token = tokens[piece.start]
        capital, english = piece.start and token.text[0].isupper(), is_english(token.lower)
        noun = piece.tag == "E" and capital and not english
        if piece.end - piece.start != 1 or not (piece.tag == "?" or noun):
            return
        if token.kind != "word" or (english and not capital):
            return
        yield token


_COMPOUND = re.compile(r"(?<![\w-])([a-z]{2,})-([a-z]{2,})(?![\w-])", re.IGNORECASE)


def with_compounds(text: str, vocabulary: Vocabulary) -> str:
    """A text with compounds spelled as in the collection: `call-outs`."""

    def written(match: re.Match[str]) -> str:
        joined = match[1] + match[2]
        known = stem(joined.lower())
        as_one = known in vocabulary.nouns or vocabulary.names_part(known)
        return joined if as_one else match[0]

    return _COMPOUND.sub(written, text)


_SIGNED = re.compile(r"(?<![\w“”\"])\w{1,4}[+\-−*#](?![\w“”\"])")


def with_signed_values(text: str, vocabulary: Vocabulary) -> str:
    """A text with quotation marks around values that end with a sign: blood group `O-`."""

    def quoted(match: re.Match[str]) -> str:
        value = match[0].replace("−", "-")
        return f"“{value}”" if signed_values(value, vocabulary) else match[0]

    return _SIGNED.sub(quoted, text)


def mended_text(text: str, vocabulary: Vocabulary) -> tuple[str, list[str]]:
    """A text with abbreviations expanded and typing errors corrected, and a note for each error."""
    full = full_words(with_compounds(with_signed_values(text, vocabulary), vocabulary))
    notes: dict[str, str] = {}
    slips: dict[str, str] = {}
    for token in tokenise(expand(full)):
        if token.kind != "word" or token.text in slips or _is_known(token, vocabulary):
            continue
        spelling = nearest_word(token.lower, vocabulary.spellings)
        if spelling is None or singular(spelling) == singular(token.lower):
            continue
        if token.text[0].isupper() and spelling.lower() not in vocabulary.spellings:
            continue  # Boeing is a name, not a typing error for “being”
        slips[token.text] = spelling
        notes[token.text] = f"read “{token.text}” as “{spelling}”"
    for slip, spelling in slips.items():
        full = re.sub(rf"(?<!\w){re.escape(slip)}(?!\w)", spelling, full)
    return full, list(notes.values())


def _is_known(token: Token, vocabulary: Vocabulary) -> bool:
    """Whether a word is correct: known to the collection, its texts, the grammar or English."""
    word = token.lower
    values = vocabulary.values
    named = singular(word) in values.phrases or singular(word) in values.parts
    listed = word in vocabulary.text_words | CARRIERS | PAST_FORMS or (word,) in phrases()
    irregular = not word.startswith(token.stem) and is_english(token.stem)  # "began"
    spoken = is_english(word) or irregular or unit_word(word) is not None
    return listed or named or spoken or vocabulary.names_part(token.stem)


def _take_in(
    pieces: list[Piece], i: int, tokens: Sequence[Token], values: Sequence[FieldValue]
) -> None:
    """Adds unknown words before part of a value that belong to it: `Le` in `Le Goff`."""
    parts = {singular(word) for _, value in values for word in str(value).lower().split()}
    k = i
    while k and pieces[k - 1].tag == "?" and pieces[k - 1].end == pieces[k].start:
        if singular(tokens[pieces[k - 1].start].lower) not in parts:
            break
        k -= 1
        pieces[k] = replace(pieces[k], tag=" ", load=None)


def _describes(
    i: int, pieces: Sequence[Piece], tokens: Sequence[Token], vocabulary: Vocabulary
) -> bool:
    """Whether a participle such as `restricted` only describes documents here: it is part of a
    value and precedes a noun or another such word.
    """
    piece = pieces[i]
    token = tokens[piece.start]
    single = piece.end - piece.start == 1 and token.lower.endswith("ed")
    if not single or not vocabulary.values.parts.get(token.lower):
        return False
    following = pieces[i + 1].tag if i + 1 < len(pieces) else ""
    bare = piece.end < len(tokens) and tokens[piece.end].lower not in ("to", "by", "on")
    return following in ("E", "P", "&", "|", "?") and bare


def mend(
    tokens: Sequence[Token], pieces: Sequence[Piece], vocabulary: Vocabulary
) -> tuple[list[Token], dict[int, str]]:
    """Tokens with typing errors corrected, and a note for each by position.

    Only unknown words are corrected: none of the collection, its texts, the grammar, or English.
    """
    mended = list(tokens)
    notes: dict[int, str] = {}
    for piece in pieces:
        if piece.tag != "?" or piece.end - piece.start != 1:
            continue
        token = tokens[piece.start]
        if token.lower in vocabulary.text_words | CARRIERS | PAST_FORMS or is_english(token.text):
            continue
        spelling = nearest_word(token.lower, vocabulary.spellings)
        named = piece.start > 0 and token.text[0].isupper()
        if named and spelling is not None and spelling.lower() not in vocabulary.spellings:
            # Boeing is a name, not a typing error for “being”
            continue
        if spelling is not None and singular(spelling) != singular(token.lower):
            mended[piece.start] = replace(token, text=spelling)
            notes[piece.start] = f"read “{token.text}” as “{spelling}”"
    return mended, notes
