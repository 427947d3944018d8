"""More layouts of made documents: boxed forms, office letters, web pages, printouts, notices.

Labels stand in the same box as their values, above them, or nowhere; lines are kept as the
partitioner keeps them; dates, amounts, persons and numbers that nobody asks for stand beside those
that are asked for, labelled and set in the same way.
"""

import random
from collections.abc import Iterator

from tests.bench.made import values
from tests.bench.made.fields import FIELDS
from tests.bench.made.kinds import Kind
from tests.bench.made.layouts import Facts, Layout, filler, label, rest, sentence
from tests.bench.made.names import CITIES, LAST, NOUNS
from tests.bench.made.phrases import PLAIN, with_more
from tests.bench.made.sheet import Sheet
from tests.bench.made.values import Made, Style

_DECOYS = (
    ("Printed", "day"), ("Last viewed", "day"), ("Form rev.", "day"), ("Your letter of", "day"),
    ("Previous visit", "day"), ("Paid on", "day"), ("Entered", "day"), ("Next review", "day"),
    ("Reviewed by", "person"), ("Copy to", "person"), ("Typed by", "person"),
    ("Approved", "person"),
    ("Your ref.", "code"), ("Cost centre", "code"), ("Phone", "phone"), ("Account", "code"),
    ("Handling", "money"), ("Last year", "money"), ("Advance", "money"), ("Budget line", "code"),
    ("Agent", "firm"), ("Bank", "body"), ("Printer", "firm"), ("Copies", "count"),
    ("Page", "count"),
    ("Room", "count"), ("Branch", "city"), ("Remarks", "thing"), ("Status", "ailment"),
    ("Project", "topic"), ("Office", "address"), ("Motto", "topic"), ("Distance", "count"),
)  # fmt: skip
_ROLES = [
    "Director",
    "President",
    "Head of Section",
    "Clerk",
    "Secretary",
    "Treasurer",
    "Registrar",
]
_ASKS = ["What is it about?", "When?", "Who?", "How much?", "Where?", "What next?", "Good to know"]


def decoy(style: Style, rng: random.Random) -> tuple[str, str]:
    """A label and a value that belong to no property."""
    text, how = rng.choice(_DECOYS)
    if how == "code":
        return text, values.code("99/999", "AA-9999", "999999")(rng, style).written
    made = PLAIN[how] if how in PLAIN else values.maker(how, "")
    return text, made(rng, style).written


def _marked(facts: Facts, style: Style, rng: random.Random) -> Facts:
    """The facts, some of them with more behind the value."""
    return {
        name: with_more(made, rng, style) if rng.random() < 0.22 else made
        for name, made in facts.items()
    }


def _entries(
    kind: Kind, facts: Facts, stated: set[str], style: Style, rng: random.Random
) -> list[tuple[str, Made]]:
    """Labels with their values, decoys among them."""
    results = [(label(name, rng, style), facts[name]) for name in rest(facts, stated, rng)]
    for _ in range(rng.randrange(1, 7)):
        text, value = decoy(style, rng)
        results.insert(rng.randrange(len(results) + 1), (text, Made(value, value)))
    return results


def _headed(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> set[str]:
    """An issuer with its address, and a title, most often."""
    stated: set[str] = set()
    if kind.org in facts and rng.random() < 0.65:
        stated.add(kind.org)
        where = list(values.address(rng, style).lines)
        if rng.random() < 0.5:
            sheet.block([facts[kind.org].written, *where], 0.1, 0.5)
        else:
            sheet.text(
                rng.choice(["Title", "Section-header", "Text"]), facts[kind.org].written, size=14
            )
            sheet.text("Text", " · ".join([*where, values.phone(rng, style).written]), size=8)
    if kind.titled in facts and rng.random() < 0.4:
        stated.add(kind.titled)
        title = facts[kind.titled].written
        if rng.random() < 0.35:
            title = f"{rng.choice(kind.titles)}: {title}"
        sheet.text("Title", title, size=16)
    elif rng.random() < 0.8:
        title = rng.choice(kind.titles)
        sheet.text(
            rng.choice(["Title", "Section-header"]), title.upper() if style.capitals else title
        )
    return stated


def boxed(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """A form of boxes: in each a small label and below it the value."""
    facts = _marked(facts, style, rng)
    stated = _headed(sheet, kind, facts, style, rng)
    entries = _entries(kind, facts, stated, style, rng)
    upper, numbered = rng.random() < 0.5, rng.random() < 0.3
    boxes = []
    for at, (text, made) in enumerate(entries, 1):
        text = text.upper() if upper else text
        text = f"{at}. {text}" if numbered else text
        value = "\n".join(made.lines) if made.lines else made.written
        boxes.append(f"{text}\n{value}")
    while boxes:
        width = min(len(boxes), rng.choice([1, 2, 3, 4]))
        rows = [boxes[:width]]
        boxes = boxes[width:]
        if len(boxes) >= width and rng.random() < 0.6:
            rows.append(boxes[:width])
            boxes = boxes[width:]
        sheet.table(rows, header=rng.random() < 0.4)
    for _ in range(rng.randrange(0, 3)):
        sheet.text("Text", filler(rng, style, kind), size=7)


def _answered(facts: Facts, name: str, rng: random.Random) -> str:
    return sentence(name, facts[name], rng)


def office_letter(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """A letter: issuer, date, the address of who gets it, sentences, a name with its role."""
    stated = _headed(sheet, kind, facts, style, rng)
    if kind.date in facts and rng.random() < 0.5:
        stated.add(kind.date)
        day = facts[kind.date].written
    else:
        day = values.day(rng, style).written
    place = f"{rng.choice(CITIES)}, " if rng.random() < 0.3 else ""
    people = [n for n in facts if n not in stated and FIELDS[n].make is values.person]
    reader = facts[people[0]].written if people and rng.random() < 0.4 else ""
    if reader:
        stated.add(people[0])
    own = [
        reader or values.person(rng, style).written, *rng.choice([[], [rng.choice(_ROLES)]]),
        *rng.choice([[], [PLAIN["plain"](rng, style).written]]), *values.address(rng, style).lines,
    ]  # fmt: skip
    parts = [lambda: sheet.text("Text", place + day, 0.6, 0.92), lambda: sheet.block(own)]
    rng.shuffle(parts)
    for part in parts:
        part()
    sheet.text("Text", f"Dear {reader or rng.choice(LAST)},")
    texts = [_answered(facts, name, rng) for name in rest(facts, stated, rng)]
    texts += [filler(rng, style, kind) for _ in range(rng.randrange(2, 7))]
    rng.shuffle(texts)
    while texts:
        number = rng.choice([1, 2, 3, 4])
        part_of, texts = texts[:number], texts[number:]
        sheet.text("Text", " ".join(part_of))
    sheet.text("Text", rng.choice(["Sincerely,", "With kind regards", "Yours faithfully,"]))
    sheet.block([values.person(rng, style).written, rng.choice(_ROLES)])


def web_page(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """A page without places: labels and values as items in turn, or one after the other."""
    facts = _marked(facts, style, rng)
    sheet.text("Text", rng.choice(["Home | Search | Log out", "Start > List > Entry", "Menu"]))
    stated = _headed(sheet, kind, facts, style, rng)
    way = rng.randrange(4)
    if rng.random() < 0.6:
        sheet.text(
            "Section-header", rng.choice(["At a glance", "Details", "Key facts", "Overview"])
        )
    rows = []
    for text, made in _entries(kind, facts, stated, style, rng):
        if way == 0:
            sheet.text("List-item", text)
            sheet.text("List-item", made.written)
        elif way == 1:
            sheet.text("Text", f"{text} {made.written}")
        elif way == 2 and rng.random() < 0.5:
            sheet.text("Section-header", text)
            sheet.text("Text", made.written)
        else:
            rows.append([text, made.written])
    if rows:
        sheet.table(rows)
    for _ in range(rng.randrange(0, 4)):
        sheet.text("Text", filler(rng, style, kind))


def printout(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """Lines of an old printer: capitals, labels and values in a row, nothing between them."""
    entries = _entries(kind, facts, set(), style, rng)
    rows: list[str] = []
    mark = rng.choice([" ", " ", " : ", ": ", " .... "])
    while entries:
        number = rng.choice([1, 1, 2, 3])
        part, entries = entries[:number], entries[number:]
        rows.append(" ".join(f"{_cut(text, rng)}{mark}{made.written}" for text, made in part))
    rows = [row.upper() for row in rows] if rng.random() < 0.6 else rows
    while rows:
        number = rng.choice([1, 3, 5, 8])
        sheet.block(rows[:number], 0.08, 0.9)
        rows = rows[number:]


def _cut(text: str, rng: random.Random) -> str:
    """A label, now and then with its first word cut short."""
    first, _, others = text.partition(" ")
    if len(first) > 6 and rng.random() < 0.3:
        first = first[: rng.choice([3, 4])]
    return f"{first} {others}".strip()


def notice(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """Short texts below headings that ask, values in the middle of sentences."""
    stated = _headed(sheet, kind, facts, style, rng)
    names = rest(facts, stated, rng)
    for texts in _groups([_answered(facts, name, rng) for name in names], rng):
        if rng.random() < 0.6:
            sheet.text("Section-header", rng.choice(_ASKS))
        more = [filler(rng, style, kind)] if rng.random() < 0.5 else []
        whole = [*texts, *more]
        rng.shuffle(whole)
        sheet.text(rng.choice(["Text", "Text", "List-item"]), " ".join(whole))
    for _ in range(rng.randrange(0, 3)):
        text, value = decoy(style, rng)
        sheet.text(
            "Text", f"{text}: {value}. {rng.choice(NOUNS)} House, {rng.choice(CITIES)}", size=8
        )


def _groups(texts: list[str], rng: random.Random) -> Iterator[list[str]]:
    while texts:
        number = rng.choice([1, 2, 3])
        yield texts[:number]
        texts = texts[number:]


PAGES: dict[str, Layout] = {
    "boxed": boxed, "office letter": office_letter, "web page": web_page, "printout": printout,
    "notice": notice,
}  # fmt: skip
