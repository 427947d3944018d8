"""Forms without rules: labels in one column, their values in the next, in one or more such pairs.

Rows of a table say the same about different things, so a column contains one type of value. A form
says different things about one thing: a number below a name below a date. This distinguishes the
two, since their formatting is much the same. Each label forms one line with its value.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from backend.partition.page import Line, Rect, Rule, hull
from backend.partition.tables.chunks import Chunk, text_of
from backend.partition.tables.grid import is_value
from backend.partition.tables.shelf import Shelf

_LEVEL = 0.6
"""In font sizes: the tolerance for the positions of labels, and of values."""
_APART = 2.6
"""In font sizes: white space between two fields of one block."""
_MORE = 0.9
"""In font sizes: how much that exceeds the usual space."""
_WRAPPED = 0.6
"""In font sizes: white space between two lines of one value."""
_FEWEST = 3
"""Minimum fields of a form."""
_ONE_KIND = 0.75
"""Share of values of one type from which a column belongs to a table."""
_COLONS = 0.7
"""Share of labels with colons from which the types of the values do not matter."""
_OTHERS = 0.2
"""Share of rows at the same positions that begin with something other than a label."""
_LONGEST_LABEL, _MOST_WORDS = 40, 6
_LONGEST_VALUE, _LONGEST_TEXT = 60, 120
_ABBREVIATED = 6
"""Letters; shorter labels are in capitals beside others that are not."""
_SHORTER = 0.75
"""Labels are this short relative to values in words alone."""
_NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*[.)]?|\(?[a-z]\))\s+(?=[^\W\d])")
_OWN = re.compile(r"^[^\W\d][^:]*:\s")
"""A value that begins with a label of its own."""
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_DATE = re.compile(
    r"^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|^\d{1,2}:\d\d\b|"
    r"^(?:[^\W\d]+ )?\d{1,2}\.? [^\W\d]{3,9}\.? \d{4}\b|^[^\W\d]{3,9} \d{1,2}, \d{4}\b"
)
_AMOUNT = re.compile(r"^[^\w(-]*+[(-]?(?:[A-Z]{3} )?\d[\d.,'  ]*+\)?\s*+(?:%|[^\W\d]\S{0,5})?$")


@dataclass(eq=False)
class Field:
    """A label and its value; either may have several lines."""

    label: Chunk
    value: Chunk
    box: Rect

    @property
    def size(self) -> float:
        return max(self.label[0].style.size, 1.0)

    def add(self, label: Chunk, value: Chunk) -> None:
        self.label, self.value = self.label + label, self.value + value
        self.box = hull([word.box for word in self.label + self.value])

    def line(self) -> Line:
        """The field as one line; the break separates a value from a label without a colon."""
        line = Line.of(self.label + self.value)
        label, value = (" ".join(word.text for word in part) for part in (self.label, self.value))
        line.text = f"{label} {value}" if label.endswith(":") else f"{label}\n{value}"
        line.single = True
        return line


@dataclass(eq=False)
class _Column:
    """Fields whose labels begin or end at one position and whose values do at another."""

    start: float
    edge: float
    """The end of the first label."""
    middle: float
    """The start of the first value."""
    end: float
    """The end of the first value."""
    fields: list[Field] = field(default_factory=list)
    others: int = 0
    """Rows at the same positions that do not begin with a label."""

    def takes(self, label: Chunk, value: Chunk) -> bool:
        slack = _LEVEL * max(label[0].style.size, value[0].style.size)
        starts_alike = abs(label[0].box.x0 - self.start) < slack
        left = starts_alike or abs(label[-1].box.x1 - self.edge) < slack
        starts = abs(value[0].box.x0 - self.middle) < slack
        return left and (starts or abs(value[-1].box.x1 - self.end) < slack)

    @property
    def box(self) -> Rect:
        return hull([one.box for one in self.fields])

    @property
    def width(self) -> float:
        return self.middle - self.start


def find_fields(words: Shelf, rules: list[Rule], *, tables: bool) -> list[Line]:
    """The fields of the forms on a page, a line for each, from the top; `rules` are horizontal.
    `tables` tells whether the words may be those of tables.
    """
    chunked = [[chunk for chunk, _ in row] for row in words.chunks]
    boxes = [hull([box for _, box in row]) for row in words.chunks]
    longest = _LONGEST_VALUE if tables else _LONGEST_TEXT
    columns = [column for column in _columns(chunked, longest) if len(column.fields) > 1]
    columns = [one for one in columns if not _leads_to_labels(one, columns)]
    pools = [_blocks(column, chunked, boxes) for column in columns]
    forms = _forms(pools) if tables else _short_forms(pools)
    forms = [form for form in forms if not _is_ruled(form, rules)]
    if not forms:
        return []
    _add_wrapped(forms, chunked)
    fields = [one for form in forms for one in form.fields]
    return [one.line() for one in sorted(fields, key=lambda one: (one.box.y0, one.box.x0))]


def _columns(rows: list[list[Chunk]], longest: int) -> list[_Column]:
    """The fields of rows that contain nothing else, by their positions."""
    columns: list[_Column] = []
    for label, value, whole in _pairs(rows):
        home = next((column for column in columns if column.takes(label, value)), None)
        if not whole or not is_label(label) or len(text_of(value)) > longest:
            if home is not None and not text_of(label)[:1].islower():
                home.others += 1
            continue
        if home is None:
            places = label[0].box.x0, label[-1].box.x1, value[0].box.x0, value[-1].box.x1
            home = _Column(*places)
            columns.append(home)
        home.fields.append(Field(label, value, hull([word.box for word in label + value])))
    return columns


def _pairs(rows: list[list[Chunk]]) -> Iterator[tuple[Chunk, Chunk, bool]]:
    """Neighbours in each row, in pairs, and whether the row has nothing else but one text in front
    of labels that are formatted as such, like a line of an address.
    """
    for row in rows:
        first = len(row) % 2
        whole = len(row) > 1 and all(is_label(chunk) for chunk in row[first::2])
        pairs = list(zip(row[first::2], row[first + 1 :: 2], strict=True))
        if first and not (whole and all(_is_set_apart(*pair) for pair in pairs)):
            whole, pairs = False, list(zip(row[::2], row[1::2], strict=False))
        for label, value in pairs:
            yield label, value, whole


def _is_set_apart(label: Chunk, value: Chunk) -> bool:
    """Whether a label has a colon or is formatted differently from its value."""
    one, other = label[0].style, value[0].style
    return label[-1].text.endswith(":") or (one.bold, one.color) != (other.bold, other.color)


def _leads_to_labels(column: _Column, columns: list[_Column]) -> bool:
    """Whether the texts beside the first ones are labels themselves, so that these are headings."""
    slack = _LEVEL * column.fields[0].size
    return any(
        other is not column
        and len(other.fields) > len(column.fields)
        and abs(other.start - column.middle) < slack
        for other in columns
    )


def _blocks(column: _Column, rows: list[list[Chunk]], boxes: list[Rect]) -> list[_Column]:
    """The fields of a column, split at wide white space, without the totals right above."""
    whites = [below.box.y0 - above.box.y1 for above, below in pairwise(column.fields)]
    usual = sorted(whites)[len(whites) // 2]
    out: list[_Column] = []
    for one in column.fields:
        last = out[-1].fields[-1] if out else None
        most = min(_APART, max(0.0, usual / one.size) + _MORE) * one.size
        if last is None or one.box.y0 - last.box.y1 > most:
            out.append(replace(column, fields=[]))
        out[-1].fields.append(one)
    for block in out:
        block.fields = block.fields[_totals(block, rows, boxes) :]
    return [block for block in out if block.fields]


def _totals(block: _Column, rows: list[list[Chunk]], boxes: list[Rect]) -> int:
    """The number of first fields that are totals of a table right above."""
    first = block.fields[0]
    for row, box in zip(rows, boxes, strict=True):
        near = -0.3 * first.size < first.box.y0 - box.y1 < first.size
        if near and len(row) > 2 and abs(row[-1][-1].box.x1 - first.box.x1) < _LEVEL * first.size:
            kinds = [_kind(text_of(one.value)) == "amount" for one in block.fields]
            return kinds.index(False) if False in kinds else len(kinds)
    return 0


def _forms(pools: list[list[_Column]]) -> list[_Column]:
    """The blocks that are forms: by the types of their values, or by similarity to another form."""
    pools = [[block for block in pool if not _has_head(block)] for pool in pools]
    sure = [block for pool in pools if _is_form(pool) for block in pool]
    blocks = [block for pool in pools for block in pool]
    return [block for block in blocks if any(_alike(block, form) for form in sure)]


def _is_form(pool: list[_Column]) -> bool:
    fields = [one for block in pool for one in block.fields]
    if len(fields) < _FEWEST or pool[0].others > _OTHERS * len(fields):
        return False
    labels, values = _texts(fields)
    if len(set(labels)) < 0.8 * len(labels) or _have_own_labels(values):
        return False
    if sum(label.endswith(":") for label in labels) > _COLONS * len(labels):
        return True
    if all(one.value[0].style.bold and not one.label[0].style.bold for one in fields):
        return True  # tables stress their labels
    kinds = Counter(map(_kind, values))
    return max(kinds.values()) <= _ONE_KIND * len(fields)


def _is_plain(label: str) -> bool:
    """Whether a label has no digits and is no piece of a sentence."""
    return not label.endswith((",", ";")) and not any(map(str.isdigit, label))


def _texts(fields: list[Field]) -> tuple[list[str], list[str]]:
    """Labels and values."""
    return [text_of(one.label) for one in fields], [text_of(one.value) for one in fields]


def _have_own_labels(values: list[str]) -> bool:
    """Whether most values begin with a label of their own: they are beside an address."""
    return sum(bool(_OWN.search(value)) for value in values) > 0.5 * len(values)


def _short_forms(pools: list[list[_Column]]) -> list[_Column]:
    """What is no table: the forms of a few fields, wholly or in blocks that are."""
    return [
        block
        for pool in pools
        for whole in (_is_short_form(pool),)
        for block in pool
        if whole or _is_short_form([block])
    ]


def _is_short_form(pool: list[_Column]) -> bool:
    """Whether what is no table is a form of a few fields: labels without digits, beside values of
    which half have some or nearly all are longer.
    """
    fields = [one for block in pool for one in block.fields]
    labels, values = _texts(fields)
    if pool[0].others > _OTHERS * len(fields) or len(set(labels)) < len(labels) or len(labels) < 2:
        return False
    if not all(map(_is_plain, labels)) or _have_own_labels(values):
        return False
    if len({label.isupper() for label in labels if len(label) > _ABBREVIATED}) > 1:
        return False  # labels over their values
    numbered = sum(any(map(str.isdigit, value)) for value in values)
    longer = sum(len(a) < _SHORTER * len(b) for a, b in zip(labels, values, strict=True))
    return 2 * numbered >= len(fields) or (
        len(fields) >= _FEWEST and longer >= (1 - _OTHERS) * len(fields)
    )


def _alike(block: _Column, form: _Column) -> bool:
    """Whether a block is the form or is formatted like it, beside it or elsewhere on the page."""
    if block is form:
        return True
    one, other = block.fields[0], form.fields[0]
    same = _look(one) == _look(other) and block.others <= _OTHERS * len(block.fields)
    level = abs(block.width - form.width) < one.size
    kinds = Counter(_kind(text_of(each.value)) for each in block.fields)
    several = len(kinds) > 1 or len(block.fields) <= _FEWEST
    return same and (level or (several and block.box.overlap_y(form.box) > 0))


def _look(one: Field) -> tuple[bool, bool, bool]:
    return one.label[0].style.bold, one.value[0].style.bold, text_of(one.label).endswith(":")


def _is_ruled(block: _Column, rules: list[Rule]) -> bool:
    """Whether a rule separates rows of a block, which makes it a table."""
    top, bottom = block.fields[0].box.mid_y, block.fields[-1].box.mid_y
    return any(
        top < rule.at < bottom and rule.start < block.start + 1 and rule.end > block.middle + 1
        for rule in rules
    )


def _has_head(block: _Column) -> bool:
    """Whether the first row is formatted differently from the rest: the header of a table."""
    styles = [_look(one)[:2] for one in block.fields]
    return len(styles) > 1 and styles[0] == (True, True) and (True, True) not in styles[1:]


def _add_wrapped(forms: list[_Column], rows: list[list[Chunk]]) -> None:
    """Adds the further lines of values, and of labels continued in lower case, and the fields in
    rows that have something else as well.
    """
    used = {id(w) for form in forms for one in form.fields for w in one.label + one.value}
    for row in rows:
        chunks = [chunk for chunk in row if id(chunk[0]) not in used]
        for at, chunk in enumerate(chunks):
            _add_to_field(forms, chunk, chunks[at - 1] if at else None)


def _add_to_field(forms: list[_Column], chunk: Chunk, before: Chunk | None) -> None:
    box, size = hull([word.box for word in chunk]), chunk[0].style.size
    for form in forms:
        under_value = abs(box.x0 - form.middle) < _LEVEL * size
        under_label = abs(box.x0 - form.start) < _LEVEL * size and box.x1 < form.middle
        under_label = under_label and text_of(chunk)[:1].islower()
        if not under_value and not under_label:
            continue
        labelled = before is not None and abs(before[0].box.x0 - form.start) < _LEVEL * size
        if under_value and before is not None and labelled:
            within = form.fields[0].box.y0 < box.y0 < form.fields[-1].box.y1
            if within and is_label(before):
                form.fields.append(Field(before, chunk, hull([w.box for w in before + chunk])))
                return
            continue
        for one in form.fields:
            near = -0.3 * size < box.y0 - one.box.y1 < _WRAPPED * size
            level = under_value and box.overlap_y(one.box) > 0.5 * box.height
            above = one.value if under_value else one.label
            same = above[0].style.bold == chunk[0].style.bold
            if same and (near or (level and box.y0 > one.box.y0 + 0.5 * size)):
                one.add(*(([], chunk) if under_value else (chunk, [])))
                return


def is_label(chunk: Chunk) -> bool:
    """Whether words may be a label: few, with letters, and neither a number nor a year."""
    if len(chunk) > _MOST_WORDS + 1:
        return False  # one may be a number in front
    return _reads_as_label(text_of(chunk))


@lru_cache(maxsize=4096)
def _reads_as_label(text: str) -> bool:
    text = _NUMBERED.sub("", text)
    if len(text) > _LONGEST_LABEL or len(text.split()) > _MOST_WORDS:
        return False
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    named = not text[:1].islower() or text[1:2].isupper()
    worded = letters > 1 and letters > 2 * digits and named
    return worded and not _YEAR.search(text) and not is_value(text)


def _kind(text: str) -> str:
    if _DATE.match(text):
        return "date"
    if _AMOUNT.match(text):
        return "amount"
    return "mixed" if any(map(str.isdigit, text)) else "words"
