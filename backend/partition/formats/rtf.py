"""RTF: paragraphs, headings by outline level, lists and plain tables.

A single pass over control words; everything in groups marked as destinations we do not know (fonts,
pictures, fields' instructions) is skipped.
"""

import re
from dataclasses import dataclass, field

from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import Flow, cells_of_rows

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])"
    r"|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_SKIPPED = frozenset(
    """
    fonttbl colortbl stylesheet info pict object fldinst header footer headerl headerr headerf
    footerl footerr footerf listtable listoverridetable generator themedata colorschememapping
    datastore latentstyles xmlnstbl rsidtbl nonshppict bkmkstart bkmkend mmathPr pntext shpinst
    """.split()  # noqa: SIM905
)
_SIGNS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "tab": "\t", "line": "\n", "emspace": " ", "enspace": " ",
}  # fmt: skip
_CODE_PAGES = {437: "cp437", 850: "cp850", 932: "cp932", 936: "gbk", 949: "cp949", 950: "big5"}
_MAX_DEPTH = 500


@dataclass
class _Group:
    skip: bool = False
    fallback: int = 1
    """Characters that stand in for one Unicode character and are to be left out."""


@dataclass
class _State:
    flow: Flow
    encoding: str = "cp1252"
    text: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    in_table: bool = False
    listed: bool = False
    outline: int | None = None
    pending: int = 0


def read(request: Request) -> Document:
    flow = Flow(request.options)
    source = request.source.read_bytes().decode("latin-1")
    state = _State(flow)
    groups = [_Group()]
    for match in _TOKEN.finditer(source):
        word, number, code, symbol, brace, plain = match.groups()
        if brace == "{":
            if len(groups) > _MAX_DEPTH:
                raise PartitionFailure("The RTF is nested too deeply to be read.", 422)
            groups.append(_Group(groups[-1].skip, groups[-1].fallback))
        elif brace == "}":
            groups.pop()
            if not groups:
                break
        elif groups[-1].skip:
            continue
        elif word:
            _word(state, groups[-1], word, number)
        elif code:
            _put(state, bytes([int(code, 16)]).decode(state.encoding, "replace"))
        elif symbol == "*":
            groups[-1].skip = True
        elif symbol:
            _put(state, {"~": " ", "_": "-", "-": ""}.get(symbol, symbol))
        elif plain:
            _put(state, plain)
    _end_paragraph(state)
    _end_table(state)
    request.progress(1, 1)
    return Document(flow.elements)


def _put(state: _State, text: str) -> None:
    skipped = min(state.pending, len(text))
    state.pending -= skipped
    state.text.append(text[skipped:])


def _word(state: _State, group: _Group, word: str, number: str | None) -> None:
    value = int(number) if number else 0
    if word in _SKIPPED:
        group.skip = True
    elif word in _SIGNS:
        _put(state, _SIGNS[word])
    elif word == "u":
        state.text.append(_character(value))
        state.pending = group.fallback
    elif word == "uc":
        group.fallback = value
    elif word == "ansicpg":
        state.encoding = _CODE_PAGES.get(value, f"cp{value}" if 1250 <= value <= 1258 else "cp1252")
    elif word in ("par", "sect", "page"):
        _end_paragraph(state)
    elif word == "pard":
        state.in_table, state.listed, state.outline = False, False, None
    elif word == "intbl":
        state.in_table = True
    elif word in ("ls", "pnlvlblt", "pnlvlbody"):
        state.listed = True
    elif word == "outlinelevel":
        state.outline = value
    elif word == "cell":
        state.row.append("".join(state.text).strip())
        state.text = []
    elif word == "row":
        state.rows.append(state.row)
        state.row = []


def _character(value: int) -> str:
    code = value + 0x10000 if value < 0 else value
    return chr(code) if 0 < code < 0xD800 or 0xE000 <= code < 0x110000 else "\ufffd"


def _end_paragraph(state: _State) -> None:
    if state.in_table:
        state.text.append("\n")
        return
    text = "".join(state.text)
    state.text = []
    if not text.strip():
        return
    _end_table(state)
    if state.outline is not None and state.outline < 9:
        state.flow.heading(text, state.outline + 1)
    elif state.listed:
        state.flow.item(re.sub(r"^\s*[•·\-]\s*", "", text))
    else:
        state.flow.text(text)


def _end_table(state: _State) -> None:
    if state.rows:
        state.flow.table(cells_of_rows(state.rows, 1 if len(state.rows) > 1 else 0))
        state.rows = []
