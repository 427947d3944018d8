"""Reads unclear glyphs of a PDF from their shapes: pieces of lines with them are read by OCR.

If the other letters of a word agree with what OCR reads at its place, the word is a vote for the
unclear glyph. If a code stands for one glyph, a few words settle it for the whole document; if it
may stand for several, each word is read separately.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from PIL import Image

from backend.partition import ocr
from backend.partition.lines import rows, segments
from backend.partition.page import PageContent, Word, hull
from backend.partition.pdf.unclear import FIRST, Glyph, UnclearGlyphs
from backend.partition.resampling import Pixels

_ROUNDS = (1, 4, 4)
"""Words read for one glyph of a page: mostly the first one settles it. The last round covers
adjacent unclear glyphs of which an earlier one resolved one.
"""
_MOST_SAMPLES = 16
"""Words read for one glyph of a document."""
_MOST_WORDS = 300
"""Maximum number of words per page."""
_BLANK = 2
"""Words in which OCR reads nothing in place of a symbol, after which it is not able to."""
_SHARE, _LARGE_SHARE, _ENOUGH = 0.6, 0.8, 3
"""The votes that must agree, those for words unreadable by themselves, and the minimum."""
_SURE = 30
"""With this many agreeing votes no more words are read."""
_PROOF = 3
"""The number of known letters and digits that makes a single word sufficient."""
_AROUND = 1
"""Words are read with up to this many neighbours on either side: OCR guesses less with context."""
_ASTRAY = 0.2
"""The tolerance for the position of a word, as a share of the letters of a piece."""
_MARGIN = 0.15
"""In font sizes: white space around a piece."""
_MOST_LETTERS = 4
LOST = "\ufffd"
"""Replaces an unreadable letter."""
_UNCLEAR = re.compile(f"[{chr(FIRST)}-\U0010ffff]")


def mend(
    content: PageContent,
    glyphs: UnclearGlyphs,
    shown: Callable[[], Image.Image],
    notes: list[str],
) -> None:
    """Replaces the unclear glyphs in the words of a page by letters.

    `shown` renders the page if it is needed. An unreadable letter becomes `LOST`; `notes` gets a
    remark for people about those.
    """
    if not glyphs:
        return
    unclear = [word for word in content.words if _UNCLEAR.search(word.text)]
    try:
        if unclear:
            shapes = _Shapes(content, glyphs, shown)
            for most in _ROUNDS:
                shapes.look_at(_samples(unclear, glyphs, most))
            shapes.look_at(_unread(unclear, glyphs))
    finally:
        # No private code may remain, whatever happens to the reader.
        lost = sum(_fill(word, glyphs) for word in (*unclear, *content.angled))
        content.words = [word for word in content.words if word.text.strip()]
    if lost:
        letters = "1 letter" if lost == 1 else f"{lost} letters"
        notes.append(
            f"page {content.number}: {letters} for which the file has no text could not be read"
            f" and {'is' if lost == 1 else 'are'} shown as {LOST}; text_mode ocr_standard reads"
            " the page from its picture"
        )


@dataclass
class _Piece:
    """Neighbouring words of a line, and those among them to be resolved."""

    words: list[Word]
    asked: list[int] = field(default_factory=list)


@dataclass
class _Shapes:
    """The picture of a page."""

    content: PageContent
    glyphs: UnclearGlyphs
    shown: Callable[[], Image.Image]

    def look_at(self, words: list[Word]) -> None:
        """Reads words and records the letters of their unclear glyphs."""
        if not words:
            return
        for piece in self._pieces(words):
            asked = [at for at in piece.asked if _is_legible(piece.words[at].text, self.glyphs)]
            if asked:
                ((text, _),) = ocr.recognized([self._cut(piece)])
            for at in asked:
                _compare(piece.words, at, text, self.glyphs)

    def _pieces(self, words: list[Word]) -> list[_Piece]:
        asked = {id(word) for word in words}
        pieces: list[_Piece] = []
        for line in self._lines:
            end = 0
            for at, word in enumerate(line):
                if id(word) not in asked:
                    continue
                if at >= end:
                    start, end = max(0, at - _AROUND), at + _AROUND + 1
                    pieces.append(_Piece(line[start:end]))
                pieces[-1].asked.append(at - start)
        return pieces

    @cached_property
    def _lines(self) -> list[list[Word]]:
        return [line.words for line in segments(rows(self.content.words), [])]

    @cached_property
    def _upright(self) -> Image.Image:
        """The picture rotated like the words of the page."""
        picture, turn = self.shown(), self.content.turn
        return picture.rotate(-turn, expand=True) if turn else picture

    def _cut(self, piece: _Piece) -> Pixels:
        width, height = self._upright.size
        scale, white = width / self.content.width, _MARGIN * piece.words[0].style.size
        box = hull([word.box for word in piece.words])
        x0, x1 = round(scale * (box.x0 - white)), round(scale * (box.x1 + white))
        y0, y1 = round(scale * box.y0), round(scale * box.y1)
        x0, y0 = min(max(0, x0), width - 1), min(max(0, y0), height - 1)
        return ocr.pixels_of(self._upright.crop((x0, y0, max(x0 + 1, x1), max(y0 + 1, y1))))


def _compare(words: list[Word], at: int, read: str, glyphs: UnclearGlyphs) -> None:
    """Records the votes of a word that was read."""
    text = words[at].text
    groups = _groups(text, glyphs)
    for char in set(_open(text, glyphs)):
        glyphs.of(char).samples += 1
    before, whole = (len(" ".join(word.text for word in part)) for part in (words[:at], words))
    place = before / max(1, whole)
    answers = _answers("".join(_pattern(group, glyphs) for group in groups), read, place)
    if answers is None:
        return
    following = (answer.strip() for answer in answers)
    parts: list[str] = []
    for group in groups:
        if not _open(group, glyphs):
            parts.append(group)
        elif len(group) > 1:
            shown, answer = "".join(glyphs.of(char).shown for char in group), next(following)
            parts.append(answer if len(answer) > len(shown) else shown)
        else:
            glyph = glyphs.of(group)
            parts.append(_decided(glyph, next(following)))
            glyph.votes[parts[-1]] += 1
            _settle(glyph, _known(text))
    if all(parts):
        glyphs.words[text] = "".join(parts)


def _answers(pattern: str, read: str, place: float) -> Iterable[str] | None:
    """The letters for the unclear groups in the match nearest to `place`, a share of the text."""
    best, least = None, _ASTRAY
    for match in re.finditer(rf"(?<!\S){pattern}(?!\S)", read, re.IGNORECASE):
        astray = abs(match.start() / max(1, len(read)) - place)
        if astray < least:
            best, least = match.groups(), astray
    return best


def _samples(words: list[Word], glyphs: UnclearGlyphs, most: int) -> list[Word]:
    """At most `most` words for each unresolved glyph, those with the most known letters first."""
    by_char: defaultdict[str, list[Word]] = defaultdict(list)
    for word in sorted(words, key=lambda word: -_known(word.text)):
        groups = _groups(word.text, glyphs)
        beside = any(len(_open(group, glyphs)) > 1 for group in groups)
        if word.text in glyphs.words or beside or not _known(word.text):
            continue
        for char in set(_open(word.text, glyphs)):
            if not glyphs.of(char).several:
                by_char[char].append(word)
    samples: dict[str, Word] = {}
    for char, holders in by_char.items():
        free = _MOST_SAMPLES - glyphs.of(char).samples
        samples |= {word.text: word for word in holders[: max(0, min(most, free))]}
    return list(samples.values())


def _unread(words: list[Word], glyphs: UnclearGlyphs) -> list[Word]:
    """Different words with glyphs that stay unclear."""
    different = {
        word.text: word
        for word in words
        if word.text not in glyphs.words
        and _known(word.text)
        and any(glyphs.of(char).several for char in _open(word.text, glyphs))
    }
    return list(different.values())[:_MOST_WORDS]


def _groups(text: str, glyphs: UnclearGlyphs) -> list[str]:
    """The text split into single characters, with adjacent unresolved glyphs as one."""
    groups: list[str] = []
    before = False
    for char in text:
        unread = bool(_open(char, glyphs))
        if unread and before:
            groups[-1] += char
        else:
            groups.append(char)
        before = unread
    return groups


def _open(text: str, glyphs: UnclearGlyphs) -> list[str]:
    return [char for char in _UNCLEAR.findall(text) if glyphs.of(char).letters is None]


def _is_legible(text: str, glyphs: UnclearGlyphs) -> bool:
    """Whether OCR may read the unclear glyphs of a word: none of them is a symbol that other words
    are printed with nothing in place of. What it reads there then is a guess.
    """
    unread = list(map(glyphs.of, _open(text, glyphs)))
    return bool(unread) and not any(
        glyph.shown and glyph.votes.total() == glyph.votes[""] >= _BLANK for glyph in unread
    )


def _known(text: str) -> int:
    return sum(char.isalnum() and char.isascii() for char in text)


def _pattern(group: str, glyphs: UnclearGlyphs) -> str:
    if _open(group, glyphs):
        return rf"(\S{{0,{_MOST_LETTERS * len(group)}}}?|\s)"
    known = group if group < chr(FIRST) else glyphs.of(group).letters or ""
    return re.escape(known) if known.isalnum() else r"\W{0,2}"


def _decided(glyph: Glyph, read: str) -> str:
    """The accepted letters: no digits for letters, nor one letter for another."""
    if len(read) > 1:
        return read if read.isalpha() else glyph.shown
    foreign = glyph.shown and ord(glyph.shown) >= 0x180
    return read if foreign or not glyph.shown else glyph.shown


def _settle(glyph: Glyph, known: int) -> None:
    """Accepts a majority if one code is one glyph; `known` letters confirm the last word."""
    total = glyph.votes.total() - glyph.votes[""]
    letters, count = max(glyph.votes.items(), key=lambda vote: (bool(vote[0]), vote[1]))
    agreed = count >= _SHARE * total and (total > 1 or known >= _PROOF)
    if letters and agreed and (not glyph.several or count == total >= _SURE):
        glyph.letters = letters


def _fill(word: Word, glyphs: UnclearGlyphs) -> int:
    """Replaces unclear glyphs by letters; returns how many are unresolved."""
    known = _known(word.text)
    text = glyphs.words.get(word.text, word.text)
    lost = 0
    parts: list[str] = []
    for char in text:
        letters = char if char < chr(FIRST) else _best(glyphs.of(char))
        if letters in ("", LOST) and known:
            lost += 1
            letters = LOST
        parts.append(letters)
    word.text = "".join(parts)
    return lost


def _best(glyph: Glyph) -> str:
    if glyph.letters is not None:
        return glyph.letters
    if set(glyph.votes) == {""} and not glyph.shown:
        # Printed as nothing in every word: a space.
        return " "
    letters, count = (glyph.votes.most_common(1) or [("", 0)])[0]
    sure = count >= _ENOUGH and count >= _LARGE_SHARE * glyph.votes.total()
    return letters if sure else glyph.shown
