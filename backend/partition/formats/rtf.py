"""RTF: paragraphs, headings by outline level, lists, tables, pictures, notes and headers.

A single pass over control words; groups with a purpose we do not know (fonts, styles, instructions
of fields) are skipped. Pages end where breaks were set by hand.
"""

import binascii
import re
from dataclasses import dataclass, field

from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import Flow
from backend.partition.formats.edges import Row, cells_on_grid
from backend.partition.formats.rtf_formatting import USUAL_SIZE, Formatting
from backend.partition.formats.rtf_tables import Grid
from workbench.contract.elements import ElementKind

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])"
    r"|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_SKIPPED = frozenset(
    """
    fonttbl colortbl stylesheet info object fldinst listtable listoverridetable generator themedata
    colorschememapping datastore latentstyles xmlnstbl rsidtbl nonshppict bkmkstart bkmkend mmathPr
    shpinst nonesttables
    """.split()  # noqa: SIM905
)
_KINDS: dict[str, ElementKind] = {
    "footnote": "Footnote",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "Page-header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "Page-footer"),
}
"""Groups whose text is separate from the text around them."""
_SIGNS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "tab": "\t", "line": "\n", "emspace": " ", "enspace": " ",
}  # fmt: skip
_MARKERS = ("listtext", "pntext")
"""Groups with the bullet or number of an item, for programs that know no lists."""
_CODE_PAGES = {437: "cp437", 850: "cp850", 932: "cp932", 936: "gbk", 949: "cp949", 950: "big5"}
_NUMBERED = re.compile(r"\(?(\d{1,6})[.)]?$")
_BULLET = re.compile(r"^\s*[•·\-]\s*")
_PICTURES = ("pngblip", "jpegblip")
_MAX_DEPTH = 500
_LONGEST_NUMBER = len("-2147483648")


@dataclass
class _Group:
    skip: bool = False
    fallback: int = 1
    """The number of fallback characters to skip after a Unicode character."""
    kind: ElementKind | None = None
    outside: list[str] = field(default_factory=list)
    """The text around a separate group."""
    picture: list[str] | None = None
    """The digits of a picture."""
    is_file: bool = False
    """Whether they are a picture file, not the drawing commands of some program."""
    marker: bool = False
    """Whether it contains the bullet or number of an item."""
    bold: bool = False
    size: int = USUAL_SIZE
    """Of the letters, in half points."""


def read(request: Request) -> Document:
    reader = _Reader(request.flow)
    source = request.source.read_bytes().decode("latin-1")
    for match in _TOKEN.finditer(source):
        if not reader.token(*match.groups()):
            break
    reader.end()
    pages = reader.flow.page
    request.progress(pages, pages)
    return Document(reader.flow.elements, pages)


class _Reader:
    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.groups = [_Group()]
        self.encoding = "cp1252"
        self.codes = bytearray()
        self.text: list[str] = []
        self.notes: list[str] = []
        self.seen: set[str] = set()
        self.row: list[str] = []
        self.grid = Grid()
        self.rows: list[Row] = []
        self.in_table = self.listed = False
        self.level = 0
        self.marker = ""
        self.formatting = Formatting()
        self.outline: int | None = None
        self.pending = 0
        self.high = 0
        """The first half of a character beyond the basic plane."""

    def token(
        self,
        word: str | None,
        number: str | None,
        code: str | None,
        symbol: str | None,
        brace: str | None,
        plain: str | None,
    ) -> bool:
        """False after the last group."""
        group = self.groups[-1]
        if code and not group.skip:
            if self.pending:
                self.pending -= 1
            else:
                self.codes.append(int(code, 16))
            return True
        self._flush_codes()
        if brace == "{":
            if len(self.groups) > _MAX_DEPTH:
                raise PartitionFailure("The RTF is nested too deeply to be read.", 422)
            self.groups.append(_Group(group.skip, group.fallback, bold=group.bold, size=group.size))
        elif brace == "}":
            self.groups.pop()
            self._leave(group)
            return bool(self.groups)
        elif group.skip:
            # Pictures are marked as unknown to old programs.
            group.skip = word != "shppict"
        elif word:
            self._word(group, word, _parameter(number))
        elif symbol == "*":
            group.skip = True
        elif symbol:
            self._put({"~": " ", "_": "-", "-": ""}.get(symbol, symbol))
        elif plain:
            if group.picture is not None:
                group.picture.append(plain)
            else:
                self._put(plain)
        return True

    def end(self) -> None:
        self._flush_codes()
        self._end_paragraph()
        self._end_table()
        self.formatting.settle()

    def _put(self, text: str) -> None:
        skipped = min(self.pending, len(text))
        self.pending -= skipped
        self._add(text[skipped:])

    def _add(self, text: str) -> None:
        group = self.groups[-1]
        self.formatting.see(text, group.bold, group.size)
        self.text.append(text)

    def _unicode(self, value: int) -> None:
        code = value + 0x10000 if value < 0 else value
        if 0xDC00 <= code < 0xE000 and self.high:
            code = 0x10000 + ((self.high - 0xD800) << 10) + code - 0xDC00
        self.high = code if 0xD800 <= code < 0xDC00 else 0
        if not self.high:
            known = 0 < code < 0xD800 or 0xE000 <= code < 0x110000
            self._add(chr(code) if known else "\ufffd")

    def _flush_codes(self) -> None:
        """Letters of more than one byte come as several codes in a row."""
        if self.codes:
            self._add(self.codes.decode(self.encoding, "replace"))
            self.codes.clear()

    def _leave(self, group: _Group) -> None:
        if group.picture is not None and group.is_file:
            try:
                self.flow.image(None, binascii.unhexlify("".join(group.picture).strip()))
            except ValueError:
                self.flow.image()
        elif group.marker:
            self.marker = "".join(self.text).strip()
            self.text = group.outside
        elif group.kind is not None:
            text = "".join(self.text).strip()
            self.text = group.outside
            if group.kind == "Footnote":
                self.notes.append(text)
            elif text not in self.seen:
                self.seen.add(text)
                self.flow.add(group.kind, text)

    def _word(self, group: _Group, word: str, number: int | None) -> None:
        if word in _SKIPPED:
            group.skip = True
        elif word in _KINDS:
            group.kind, group.outside, self.text = _KINDS[word], self.text, []
        elif word in _MARKERS:
            group.marker, group.outside, self.text = True, self.text, []
        elif word == "b":
            group.bold = number != 0
        elif word == "fs":
            group.size = number or USUAL_SIZE
        elif word == "plain":
            group.bold, group.size = False, USUAL_SIZE
        elif word == "pict":
            group.picture = []
        elif word in _PICTURES:
            group.is_file = True
        elif word in _SIGNS:
            self._put(_SIGNS[word])
        elif word == "u":
            self._unicode(number or 0)
            self.pending = group.fallback
        elif word == "uc":
            group.fallback = number or 0
        elif word == "ansicpg":
            value = number or 0
            usual = f"cp{value}" if 1250 <= value <= 1258 else "cp1252"
            self.encoding = _CODE_PAGES.get(value, usual)
        else:
            self._layout(word, number)

    def _layout(self, word: str, number: int | None) -> None:
        if word in ("par", "sect"):
            self._end_paragraph()
        elif word == "page":
            self._end_paragraph()
            self._end_table()
            self.flow.page += 1
        elif word == "pard":
            self.in_table, self.listed, self.outline, self.level = False, False, None, 0
        elif word == "intbl":
            self.in_table = True
        elif word == "ls":
            self.listed = bool(number)
        elif word == "ilvl":
            self.level = min(8, max(0, number or 0))
        elif word == "outlinelevel":
            self.outline = number or 0
        elif word in ("nestcell", "nestrow"):
            self.text.append(" ")
        elif word == "cell":
            self.row.append(" ".join("".join(self.text).split()))
            self.text = []
        elif word == "row":
            self.rows.append(self.grid.row(self.row))
            self.row = []
        else:
            self.grid.word(word, number or 0)

    def _end_paragraph(self) -> None:
        if self.in_table or any(group.kind for group in self.groups):
            self.text.append("\n")
            return
        text, marker = "".join(self.text), self.marker
        self.text, self.marker = [], ""
        if text.strip():
            self._end_table()
            if self.outline is not None and self.outline < 9:
                self.flow.heading(text, min(6, self.outline + 1))
            elif self.listed or marker:
                self._item(text, marker)
            else:
                self.flow.text(text)
            if self.flow.elements:  # none where all of the text is hyphens that may be drawn
                self.formatting.end(self.flow.elements[-1])
        notes, self.notes = self.notes, []
        for note in notes:
            self.flow.add("Footnote", note)

    def _item(self, text: str, marker: str) -> None:
        number = _NUMBERED.match(marker)
        if marker and not number and marker[-1] in ".)":
            text = f"{marker} {text}"
        text = _BULLET.sub("", text)
        self.flow.item(text, self.level, int(number[1]) if number else None)

    def _end_table(self) -> None:
        if self.rows:
            self.flow.table(cells_on_grid(self.rows))
            self.rows = []
            self.formatting.end(None)


def _parameter(digits: str | None) -> int | None:
    """The number of a control word, which has 32 bits; a longer one is ignored."""
    return int(digits) if digits and len(digits) <= _LONGEST_NUMBER else None
