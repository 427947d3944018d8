"""RTF: paragraphs, headings by outline level, lists, plain tables, pictures, notes and headers.

A single pass over control words; groups with a purpose we do not know (fonts, styles, instructions
of fields) are skipped. Pages end where breaks were set by hand.
"""

import binascii
import re
from dataclasses import dataclass, field

from backend.contract.elements import ElementKind
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import Flow, cells_of_rows

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])"
    r"|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_SKIPPED = frozenset(
    """
    fonttbl colortbl stylesheet info object fldinst listtable listoverridetable generator themedata
    colorschememapping datastore latentstyles xmlnstbl rsidtbl nonshppict bkmkstart bkmkend mmathPr
    pntext shpinst
    """.split()  # noqa: SIM905
)
_TOLD: dict[str, ElementKind] = {
    "footnote": "Footnote",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "Page-header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "Page-footer"),
}
"""Groups whose text is told apart from the text around them."""
_SIGNS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "tab": "\t", "line": "\n", "emspace": " ", "enspace": " ",
}  # fmt: skip
_CODE_PAGES = {437: "cp437", 850: "cp850", 932: "cp932", 936: "gbk", 949: "cp949", 950: "big5"}
_PICTURES = ("pngblip", "jpegblip")
_MAX_DEPTH = 500


@dataclass
class _Group:
    skip: bool = False
    fallback: int = 1
    """Characters that stand in for one Unicode character and are to be left out."""
    told: ElementKind | None = None
    outside: list[str] = field(default_factory=list)
    """The text around a group that is told apart."""
    picture: list[str] | None = None
    """The digits of a picture."""
    is_file: bool = False
    """Whether they are a picture file, not the drawing commands of some program."""


def read(request: Request) -> Document:
    reader = _Reader(Flow(request.options))
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
        self.rows: list[list[str]] = []
        self.in_table = self.listed = False
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
            self.groups.append(_Group(group.skip, group.fallback))
        elif brace == "}":
            self.groups.pop()
            self._leave(group)
            return bool(self.groups)
        elif group.skip:
            # Pictures are marked as unknown to old programs.
            group.skip = word != "shppict"
        elif word:
            self._word(group, word, int(number) if number else None)
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

    def _put(self, text: str) -> None:
        skipped = min(self.pending, len(text))
        self.pending -= skipped
        self.text.append(text[skipped:])

    def _unicode(self, value: int) -> None:
        code = value + 0x10000 if value < 0 else value
        if 0xDC00 <= code < 0xE000 and self.high:
            code = 0x10000 + ((self.high - 0xD800) << 10) + code - 0xDC00
        self.high = code if 0xD800 <= code < 0xDC00 else 0
        if not self.high:
            known = 0 < code < 0xD800 or 0xE000 <= code < 0x110000
            self.text.append(chr(code) if known else "\ufffd")

    def _flush_codes(self) -> None:
        """Letters of more than one byte come as several codes in a row."""
        if self.codes:
            self.text.append(self.codes.decode(self.encoding, "replace"))
            self.codes.clear()

    def _leave(self, group: _Group) -> None:
        if group.picture is not None and group.is_file:
            try:
                self.flow.image(None, binascii.unhexlify("".join(group.picture).strip()))
            except ValueError:
                self.flow.image()
        elif group.told is not None:
            text = "".join(self.text).strip()
            self.text = group.outside
            if group.told == "Footnote":
                self.notes.append(text)
            elif text not in self.seen:
                self.seen.add(text)
                self.flow.add(group.told, text)

    def _word(self, group: _Group, word: str, number: int | None) -> None:
        if word in _SKIPPED:
            group.skip = True
        elif word in _TOLD:
            group.told, group.outside, self.text = _TOLD[word], self.text, []
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
            self.in_table, self.listed, self.outline = False, False, None
        elif word == "intbl":
            self.in_table = True
        elif word in ("ls", "pnlvlblt", "pnlvlbody"):
            self.listed = True
        elif word == "outlinelevel":
            self.outline = number or 0
        elif word == "cell":
            self.row.append("".join(self.text).strip())
            self.text = []
        elif word == "row":
            self.rows.append(self.row)
            self.row = []

    def _end_paragraph(self) -> None:
        if self.in_table or any(group.told for group in self.groups):
            self.text.append("\n")
            return
        text = "".join(self.text)
        self.text = []
        if text.strip():
            self._end_table()
            if self.outline is not None and self.outline < 9:
                self.flow.heading(text, min(6, self.outline + 1))
            elif self.listed:
                self.flow.item(re.sub(r"^\s*[•·\-]\s*", "", text))
            else:
                self.flow.text(text)
        notes, self.notes = self.notes, []
        for note in notes:
            self.flow.add("Footnote", note)

    def _end_table(self) -> None:
        if self.rows:
            self.flow.table(cells_of_rows(self.rows, 1 if len(self.rows) > 1 else 0))
            self.rows = []
