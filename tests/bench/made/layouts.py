"""Layouts of made documents: the same facts as form, lines, prose, letter, scan, boxes or table."""

import random
from collections.abc import Callable

from tests.bench.made import values
from tests.bench.made.fields import FIELDS
from tests.bench.made.kinds import Kind
from tests.bench.made.names import CITIES, GOODS, LAST, NOUNS
from tests.bench.made.sheet import Sheet
from tests.bench.made.values import Made, Style

Facts = dict[str, Made]
Layout = Callable[[Sheet, Kind, Facts, Style, random.Random], None]

_FILLER = (
    "This document was produced electronically and is valid without signature.",
    "Please keep it for your records and quote the reference in all correspondence.",
    "If any provision is held invalid, the remaining provisions stay in full force and effect.",
    "Neither party shall be liable for delay caused by events beyond its reasonable control.",
    "Any notice shall be given in writing and sent by registered mail to the address above.",
    "The {noun} programme was set up by {firm} in {year} and has {count} members.",
    "As reported by {person} on {day}, work at the {noun} site in {city} goes on.",
    "Payments received after {day} are not included. Late payments are charged {percent} a month.",
    "For comparison, the amount of the previous period was {money}.",
    "Complaints must be made within {duration} of receipt and addressed to {firm}.",
    "Opening hours are from 8:00 to 17:30, Monday to Friday.",
    "Copies go to {person} and {firm}. The original stays with the office in {city}.",
    "Nothing herein shall be read as a waiver of any right, whether under section {count} or not.",
    "Confidential material shall be returned within {duration} after a request in writing.",
    "See section {count} of the general terms of {year}, which form part of this document.",
    "Goods sold are not returnable. Thank you, please come again.",
    "Page {count} of {count}",
    "As used herein, “{noun} {thing}” means all {thing} that {firm} holds on {day} or later.",
    "The {thing} shall be kept for {duration} and then destroyed, unless {person} asks for them.",
    "Within {duration} of a written request, all {thing} are to be handed over in {city}.",
    "“Affiliate” means any person that controls a party or is controlled by it.",
    "“Business Day” means a day other than a Saturday or Sunday on which banks are open in {city}.",
    "The other party may object within {duration}; otherwise the change is deemed accepted.",
    "Section {count} applies in like manner to any successor of {firm}.",
    "No failure to exercise any right under this document is a waiver of it.",
    "For {duration} after the end of the project the staff of {firm} shall not be hired.",
    "Any claim is barred after {duration} from the day on which it arose.",
    "{person}, an officer of {firm}, confirmed this on {day}.",
    "The Parties agree to negotiate in good faith in {place}.",
    "Disputes are first referred to the {noun} Committee, then to the courts of {place}.",
    "{firm}, a {place} corporation, is not a party hereto.",
    "An invoice over {money} was settled on {day}.",
)
_THINGS = ("Records", "Materials", "Samples", "Data", "Drawings", "Tools", "Notes", "Goods")
_TOTALS = ("subtotal", "tax", "total")


def filler(rng: random.Random, style: Style, kind: Kind) -> str:
    """A sentence that holds values which belong to no property."""
    return rng.choice(_FILLER).format(
        noun=rng.choice(NOUNS), city=rng.choice(CITIES), year=rng.randrange(1960, 2020),
        count=rng.randrange(1, 30), firm=values.firm(rng, style).written,
        person=values.person(rng, style).written, day=values.day(rng, style).written,
        percent=values.percent(rng, style).written, money=values.money(rng, style).written,
        duration=values.duration(rng, style).written, thing=rng.choice(_THINGS),
        place=values.state(rng, style).written,
    )  # fmt: skip


def label(name: str, rng: random.Random, style: Style) -> str:
    text = rng.choice(FIELDS[name].labels)
    return text.upper() if style.capitals else text


def sentence(name: str, made: Made, rng: random.Random) -> str:
    """A sentence that tells the value, or a label and the value where there is none."""
    sentences = FIELDS[name].sentences
    if made.true in (True, False) and FIELDS[name].kind == "bool":
        return rng.choice(FIELDS[name].stated_per[bool(made.true)])
    if not sentences:
        return (
            f"{label(name, rng, Style('long', False, '$', 'USD', False, False))}: {made.written}."
        )
    return rng.choice(sentences).format(v=made.written)


def head(
    sheet: Sheet,
    kind: Kind,
    facts: Facts,
    style: Style,
    rng: random.Random,
    *,
    letter: bool = False,
) -> set[str]:
    """What stands at the top without a label; returns what it told."""
    stated: set[str] = set()
    chance = 0.9 if letter else 0.6
    if kind.org in facts and rng.random() < chance:
        org = facts[kind.org].written
        lines = list(facts["head_address"].lines) if "head_address" in facts else []
        big = rng.choice([10, 12, 16])
        if lines and rng.random() < 0.85:
            stated |= {kind.org, "head_address"}
            extra = rng.choice(
                [
                    "",
                    f"Tel: {values.phone(rng, style).written}",
                    f"({rng.randrange(10**6)}-{rng.choice('XKM')})",
                ]
            )
            joined = rng.choice([", ", " "]).join(lines)
            way = rng.randrange(4)
            if way == 0:
                sheet.text("Text", f"{org} {joined} {extra}".strip(), 0.08, 0.5)
            elif way == 1:
                sheet.text(rng.choice(["Title", "Section-header", "Text"]), org, 0.2, 0.8, big)
                for line in [*lines, *([extra] if extra else [])]:
                    sheet.text("Text", line, 0.25, 0.75)
            elif way == 2:
                sheet.text(rng.choice(["Section-header", "Text"]), org, 0.2, 0.8, big)
                sheet.text(
                    "Text",
                    f"{extra} {joined}" if extra.startswith("(") else f"{joined} {extra}".strip(),
                    0.2,
                    0.8,
                )
            else:
                sheet.text("Page-header", f"{org} | {joined}")
        else:
            stated.add(kind.org)
            sheet.text(
                rng.choice(["Title", "Section-header", "Text", "Page-header"]), org, 0.1, 0.6, big
            )
        if rng.random() < 0.25:
            sheet.text(
                "Text",
                rng.choice(
                    [
                        "www.example.com",
                        "Original",
                        "Copy",
                        "Customer copy",
                        f"{rng.randrange(10**5)}",
                    ]
                ),
            )
    if kind.titled in facts and rng.random() < 0.85:
        stated.add(kind.titled)
        sheet.text("Title", facts[kind.titled].written, size=rng.choice([14, 18, 22]))
        if rng.random() < 0.4:
            sheet.text("Text", rng.choice(kind.titles))
    elif rng.random() < 0.85:
        title = rng.choice(kind.titles)
        number = f" {facts['doc_no'].written}" if "doc_no" in facts and rng.random() < 0.25 else ""
        if number:
            stated.add("doc_no")
        day = ""
        if kind.date in facts and rng.random() < 0.15:
            stated.add(kind.date)
            day = f"{rng.choice([' of ', ' dated ', ' vom ', ', '])}{facts[kind.date].written}"
        text = title.upper() if rng.random() < 0.4 else title
        sheet.text(
            rng.choice(["Title", "Section-header"]),
            text + number + day,
            0.2,
            0.8,
            rng.choice([12, 16]),
        )
    if kind.date in facts and kind.date not in stated and rng.random() < (0.7 if letter else 0.35):
        stated.add(kind.date)
        place = f"{rng.choice(CITIES)}, " if rng.random() < 0.25 else ""
        sheet.text("Text", place + facts[kind.date].written, 0.6, 0.92)
    if rng.random() < 0.25:
        sheet.text("Text", filler(rng, style, kind))
    return stated


def goods(sheet: Sheet, facts: Facts, style: Style, rng: random.Random, *, scan: bool) -> set[str]:
    """A table or lines of goods; the totals stand below, in their table or beside it."""
    rows = []
    for name in rng.sample(GOODS, rng.randrange(1, 6)):
        each, number = round(rng.uniform(1, 90), 2), rng.randrange(1, 9)
        rows.append([name, str(number), style.amount(each), style.amount(round(each * number, 2))])
    sums = [name for name in _TOTALS if name in facts]
    extra = (
        [
            ["Rounding", style.amount(0.02)],
            ["Cash", style.amount(facts["total"].true + 5)],
            ["Change", style.amount(5)],
        ]
        if "total" in facts and rng.random() < 0.6
        else []
    )
    below = [[label(name, rng, style), facts[name].written] for name in sums]
    if rng.random() < 0.3:
        below.append(["Total quantity", str(len(rows))])
    if scan:
        for name, number, each, amount in rows:
            if rng.random() < 0.5:
                sheet.text("Text", f"{name} {number} x {each} {amount}", 0.1, 0.9)
            else:
                sheet.beside([(name, 0.1, 0.5), (amount, 0.7, 0.9)])
        for text, amount in below + extra:
            if rng.random() < 0.4:
                sheet.text("Text", f"{text} {amount}", 0.1, 0.9)
            else:
                sheet.beside([(text, 0.1, 0.45), (amount, 0.7, 0.9)])
    elif rng.random() < 0.5:
        sheet.table(
            [
                ["Description", "Qty", "Price", "Amount"],
                *rows,
                *[[text, "", "", amount] for text, amount in below + extra],
            ],
            header=True,
        )
    else:
        sheet.table([["Item", "Quantity", "Unit price", "Total"], *rows], header=True)
        if below:
            sheet.table(below + extra)
    return set(sums)


def rest(facts: Facts, stated: set[str], rng: random.Random) -> list[str]:
    names = [name for name in facts if name not in stated]
    if rng.random() < 0.5:
        rng.shuffle(names)
    return names


def form(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    stated = head(sheet, kind, facts, style, rng)
    if kind.items:
        stated |= set(_TOTALS) & facts.keys()
    names = rest(facts, stated, rng)
    width = rng.choice([1, 1, 2])
    colon = rng.choice(["", ":"])
    cells = [[label(name, rng, style) + colon, facts[name].written] for name in names]
    if rng.random() < 0.3:
        cells.insert(
            0,
            [
                rng.choice(["Remarks", "Copies", "Language", "Version"]),
                rng.choice(["none", "2", "n/a", "-"]),
            ],
        )
    if kind.pair and all(name in facts for name in kind.pair) and rng.random() < 0.3:
        cells.insert(0, ["Parties", "; ".join(facts[name].written for name in kind.pair)])
    if width == 2 and len(cells) % 2:
        cells.append(["", ""])
    rows = [
        [text for pair in cells[at : at + width] for text in pair]
        for at in range(0, len(cells), width)
    ]
    cut = rng.randrange(1, len(rows)) if len(rows) > 4 and rng.random() < 0.4 else len(rows)
    for part in (rows[:cut], rows[cut:]):
        if part:
            if rng.random() < 0.3:
                sheet.text(
                    "Section-header",
                    rng.choice(["Details", "Data", "Further particulars", "General"]),
                )
            sheet.table(part)
    if kind.items:
        goods(sheet, facts, style, rng, scan=False)
    for _ in range(rng.randrange(0, 4)):
        sheet.text("Text", filler(rng, style, kind))


def lines(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    stated = head(sheet, kind, facts, style, rng)
    if kind.items:
        stated |= set(_TOTALS) & facts.keys()
    mark = rng.choice([": ", ": ", " : ", ": ", " - ", ":"])
    item = rng.choice(["Text", "Text", "List-item"])
    names = rest(facts, stated, rng)
    while names:
        number = rng.choice([1, 1, 1, 2, 3])
        part, names = names[:number], names[number:]
        sheet.text(
            item,
            rng.choice([" ", "   "]).join(
                f"{label(n, rng, style)}{mark}{facts[n].written}" for n in part
            ),
        )
    if kind.items:
        goods(sheet, facts, style, rng, scan=rng.random() < 0.3)
    for _ in range(rng.randrange(0, 4)):
        sheet.text("Text", filler(rng, style, kind))


def boxes(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """Labels with their value below, or both in one cell of a form."""
    stated = head(sheet, kind, facts, style, rng)
    if kind.items:
        stated |= set(_TOTALS) & facts.keys()
    names = rest(facts, stated, rng)
    way = rng.randrange(3)
    while names:
        number = min(len(names), rng.choice([1, 2, 3, 3]))
        part, names = names[:number], names[number:]
        pairs = [(label(name, rng, style), facts[name].written) for name in part]
        if way == 0:
            sheet.columns(pairs, rng.choice([8, 10]))
        elif way == 1:
            sheet.table([[f"{text} {value}" for text, value in pairs]])
        else:
            sheet.table(
                [[text for text, _ in pairs], [value for _, value in pairs]],
                header=rng.random() < 0.5,
            )
    if kind.items:
        goods(sheet, facts, style, rng, scan=False)
    for _ in range(rng.randrange(0, 3)):
        sheet.text("Text", filler(rng, style, kind))


_OPENINGS = (
    "This {title} {day}{link} {first} {and_} {second}.",
    "THIS {TITLE} (this “Agreement”) {day}{link} {first}, {and_} {second}. "
    "Each of them is a “Party”, together they are the “Parties”.",
    "{first} {and_} {second} (together the “Parties”) {enter} {day}as follows.",
    "The undersigned, {first}, {and_} {second}, hereby agree on this {title}.",
    "This {title} {day}sets out what {first} has agreed with {second}.",
    "WHEREAS {first} wishes to deal with {second}, the parties conclude this {title}.",
    "By this {title} {first} and {second} agree to the terms below.",
)
_TAILS = (
    "", "", ", a {place} corporation", ", a company organised in {place}", ", an individual",
    ", having its office at {address}", ", with its principal place of business at {address}",
    ", a {place} limited liability company with offices in {city}", " of {address}",
    ", on behalf of itself and its affiliates",
)  # fmt: skip


def _party(written: str, name: str, style: Style, rng: random.Random) -> str:
    """A party with what is said of it, and the role it has in the text."""
    tail = rng.choice(_TAILS).format(
        place=values.state(rng, style).written, address=values.address(rng, style).written,
        city=rng.choice(CITIES),
    )  # fmt: skip
    if rng.random() < 0.15:
        return written + tail
    role = rng.choice(FIELDS[name].labels).lstrip("0123456789. ")
    if rng.random() < 0.3:
        role = rng.choice(["Company", "Recipient", "First Party", "Provider", written.split()[0]])
    left, right = rng.choice([("“", "”"), ('"', '"')])
    if rng.random() < 0.2:
        return f"{written}{tail}, {rng.choice(['hereinafter', 'as'])} {left}{role}{right},"
    lead = rng.choice(["the ", "", "hereinafter ", "hereinafter referred to as the "])
    return f"{written}{tail} ({lead}{left}{role}{right})"


def opening(kind: Kind, facts: Facts, style: Style, rng: random.Random) -> tuple[str, set[str]]:
    """The sentence that names both parties."""
    stated: set[str] = set()
    if not kind.pair or not all(name in facts for name in kind.pair):
        return "", stated
    stated |= set(kind.pair)
    day = ""
    form = rng.choice(_OPENINGS + _OPENINGS[:2] * 2)
    if kind.date in facts and "{day}" in form and rng.random() < 0.85:
        stated.add(kind.date)
        lead = rng.choice(
            ["is made as of ", "is entered into on ", "dated ", "dated as of ", "effective as of ",
             "is made and entered into this "]
        )  # fmt: skip
        day = f"{lead}{facts[kind.date].written} "
        if rng.random() < 0.3:
            day += "(the “Effective Date”) "
    first, second = (_party(facts[name].written, name, style, rng) for name in kind.pair)
    title = rng.choice(kind.titles)
    text = form.format(
        title=title, TITLE=title.upper(), day=day, first=first, second=second,
        link=rng.choice(["by and between", "between", "by and among", "made between"]),
        and_=rng.choice(["and", "and", "of the one part, and"]),
        enter=rng.choice(["contract", "agree", "have agreed"]),
    )  # fmt: skip
    return text, stated


def prose(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    stated = set()
    if rng.random() < 0.6:
        stated = head(sheet, kind, facts, style, rng)
    first, more = opening(kind, facts, style, rng)
    if first:
        sheet.text("Text", first)
        stated |= more
    if kind.titled in facts and kind.titled not in stated:
        sheet.text("Title", facts[kind.titled].written, size=16)
        stated.add(kind.titled)
    texts = [
        sentence(name, facts[name], rng) for name in rest(facts, stated, rng) if name != "signer"
    ]
    most = rng.choice([6, 12, 12, 50])
    texts += [filler(rng, style, kind) for _ in range(rng.randrange(most // 2, most))]
    rng.shuffle(texts)
    numbered = rng.random() < 0.4
    at = 0
    while texts:
        number = rng.choice([1, 2, 3, 4])
        part, texts = texts[:number], texts[number:]
        at += 1
        text = " ".join(part)
        sheet.text("List-item" if numbered else "Text", f"{at}. {text}" if numbered else text)
        if rng.random() < 0.15:
            sheet.text(
                "Section-header", rng.choice(["General", "Miscellaneous", "Terms", "Background"])
            )
    signatures(sheet, kind, facts, style, rng)


def signatures(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """The parties at the end, each with a name below."""
    parties = [facts[name].written for name in kind.pair if name in facts]
    names = [
        facts["signer"].written
        if "signer" in facts and at == 0
        else values.person(rng, style).written
        for at in range(2)
    ]
    if parties and rng.random() < 0.7:
        sheet.text("Text", "IN WITNESS WHEREOF the parties have signed.")
        for party, name in zip(parties, names, strict=False):
            sheet.text(
                rng.choice(["Text", "Section-header"]),
                party.upper() if rng.random() < 0.5 else party,
            )
            sheet.text("Text", f"By: /s/ {name}" if rng.random() < 0.5 else "By: ______________")
            sheet.text("Text", f"Name: {name}")
            sheet.text(
                "Text", f"Title: {rng.choice(['Director', 'CEO', 'Vice President', 'Manager'])}"
            )
    elif "signer" in facts:
        sheet.text("Text", f"Signed by: {facts['signer'].written}")


def letter(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    stated = head(sheet, kind, facts, style, rng, letter=True)
    other = values.person(rng, style)
    first, more = opening(kind, facts, style, rng)
    first = first if rng.random() < 0.6 else ""
    sheet.text("Text", f"{other.written} {values.address(rng, style).written}", 0.08, 0.4)
    if first:
        stated |= more
    sheet.text("Text", f"Dear {rng.choice(['Sir or Madam', rng.choice(LAST), 'all'])},")
    texts = [
        sentence(name, facts[name], rng) for name in rest(facts, stated, rng) if name != "signer"
    ]
    texts += [filler(rng, style, kind) for _ in range(rng.randrange(1, 5))]
    rng.shuffle(texts)
    if first:
        texts.insert(0, first)
    while texts:
        number = rng.choice([2, 3, 4])
        part, texts = texts[:number], texts[number:]
        sheet.text("Text", " ".join(part))
    sheet.text("Text", "Yours sincerely")
    sheet.text(
        "Text", facts["signer"].written if "signer" in facts else values.person(rng, style).written
    )


def scan(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """As OCR reads a slip: no tables, labels and values apart, lines run together."""
    stated = head(sheet, kind, facts, style, rng, letter=rng.random() < 0.7)
    items = kind.items and rng.random() < 0.85
    if items:
        stated |= set(_TOTALS) & facts.keys()
    for name in rest(facts, stated, rng):
        text, value = label(name, rng, style), facts[name].written
        way = rng.randrange(4)
        if way == 0:
            sheet.text("Text", f"{text}{rng.choice([': ', ':', ' ', ' : '])}{value}", 0.1, 0.9)
        elif way == 1:
            sheet.beside([(text, 0.1, 0.35), (rng.choice(["", ":", ": "]) + value, 0.4, 0.9)])
        elif way == 2:
            code = values.code("999999")(rng, style).written
            more = rng.choice([filler(rng, style, kind), code])
            sheet.text("Text", f"{text} {value} {more}"[:150], 0.1, 0.9)
        else:
            sheet.text(
                "Text",
                f"{value}"
                if FIELDS[name].kind == "date" and name == kind.date
                else f"{text} {value}",
                0.1,
                0.9,
            )
    if items:
        goods(sheet, facts, style, rng, scan=True)
    for _ in range(rng.randrange(1, 4)):
        sheet.text("Text", filler(rng, style, kind))


def yearly(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """Amounts in a table of two years, this one first; the rest as lines."""
    stated = head(sheet, kind, facts, style, rng)
    amounts = [name for name in facts if FIELDS[name].kind == "float" and name not in stated]
    last = int(facts["year_end"].true[:4]) if "year_end" in facts else 2020
    rows = [["", str(last), str(last - 1)]]
    for name in amounts:
        now = facts[name].true
        rows.append(
            [
                label(name, rng, style),
                style.amount(now),
                style.amount(round(now * rng.uniform(0.7, 1.2), 2)),
            ]
        )
    rows.insert(
        rng.randrange(1, len(rows) + 1), ["Other items", style.amount(12.5), style.amount(11)]
    )
    sheet.table(rows, header=True)
    for name in rest(facts, stated | set(amounts), rng):
        sheet.text("Text", sentence(name, facts[name], rng))
    sheet.text("Text", filler(rng, style, kind))


def headings(sheet: Sheet, kind: Kind, facts: Facts, style: Style, rng: random.Random) -> None:
    """Some facts as lines, the others each below a heading of its own."""
    stated = head(sheet, kind, facts, style, rng)
    if kind.items:
        stated |= set(_TOTALS) & facts.keys()
    number = 0
    for name in rest(facts, stated, rng):
        made = facts[name]
        prose = FIELDS[name].kind in ("string", "array") and len(made.written) > 30
        if rng.random() < (0.9 if prose else 0.3):
            number += 1
            mark = f"{number}. " if rng.random() < 0.4 else ""
            sheet.text("Section-header", mark + label(name, rng, style), size=12)
            if made.lines and name == "steps":
                for line in made.lines:
                    sheet.text("List-item", line)
            else:
                sheet.text("Text", made.written)
                if rng.random() < 0.3:
                    sheet.text("Text", filler(rng, style, kind))
        elif rng.random() < 0.5:
            sheet.text("Text", sentence(name, made, rng))
        else:
            sheet.text("Text", f"{label(name, rng, style)}: {made.written}")
    if kind.items:
        goods(sheet, facts, style, rng, scan=False)


LAYOUTS: dict[str, Layout] = {
    "form": form, "lines": lines, "boxes": boxes, "prose": prose, "letter": letter, "scan": scan,
    "headings": headings,
}  # fmt: skip
