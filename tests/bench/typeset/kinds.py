"""What stands on pages of each kind; every call makes another page."""

import random
from collections.abc import Callable

from tests.bench.typeset import words as w
from tests.bench.typeset.issuers import ISSUED
from tests.bench.typeset.model import (
    Beside,
    Block,
    Head,
    Items,
    Lines,
    Look,
    Made,
    Pairs,
    Para,
    Receipt,
    Table,
    Title,
)

_FORM = w.POOLS["form"]
_SECTIONS = w.POOLS["sections"]
_LEDGER = w.POOLS["ledger"]
_RATIOS = w.POOLS["ratios"]


def accident(rng: random.Random) -> Made:
    look = _look(rng, colon=True, label=rng.choice(["bold", "plain", "bold"]))
    blocks: list[Block] = [
        Title(rng.choice(["Accident Report", "Incident Summary", "Factual Report", "Claim Record"]))
    ]
    names = rng.sample(_FORM, 30)
    for head in rng.sample(_SECTIONS, 3):
        blocks.append(Head(head))
        rows = []
        for _ in range(rng.randrange(3, 7)):
            rows.append(
                [(names.pop(), _value(rng)), (names.pop(), _value(rng))]
                if len(names) > 1
                else [("Note", w.code(rng)), ("Entry", w.code(rng))]
            )
        blocks.append(Pairs(rows, ruled=rng.random() < 0.3))
        if rng.random() < 0.5:
            blocks.append(Para(w.text(rng)))
    return Made("accident", blocks, look)


def _value(rng: random.Random) -> str:
    return rng.choice([
        lambda: str(rng.randrange(1, 99)), lambda: w.day(rng), lambda: w.person(rng),
        lambda: w.city(rng), lambda: w.code(rng), 
        lambda: rng.choice(["None", "Yes", "No", "N/A", "1 Serious", "Unknown", "Minor"]),
        lambda: w.firm(rng), lambda: f"{rng.randrange(1, 40)} knots / {rng.randrange(100, 360)}°",
        lambda: f"{rng.randrange(20, 70)}, {rng.choice(['Male', 'Female'])}", lambda: "",
        lambda: w.phrase(rng),
    ])()  # fmt: skip


def blocks_of_pairs(rng: random.Random) -> Made:
    look = _look(rng, colon=rng.random() < 0.6, label=rng.choice(["bold", "plain", "small"]))
    names = rng.sample(_FORM, 14)
    left = Pairs([[(names.pop(), _value(rng) or "None")] for _ in range(rng.randrange(3, 7))])
    right = Pairs([[(names.pop(), _value(rng) or "None")] for _ in range(rng.randrange(3, 7))])
    blocks: list[Block] = [
        Lines([w.firm(rng), *w.address(rng)]),
        Title(
            rng.choice(["Work Order", "Service Certificate", "Delivery Note", "Membership Record"])
        ),
        Beside(left, right) if rng.random() < 0.6 else left,
        Para(w.text(rng)),
        _goods(rng, rng.choice(["grid", "head", "none", "lines"])),
        Para(w.text(rng)),
    ]
    return Made("pairs", blocks, look)


def _goods(rng: random.Random, look: str) -> Table:
    rows: list[list[str | None]] = [["Item", "Description", "Qty", "Price", "Amount"]]
    rows += [
        [w.code(rng), w.thing(rng), str(rng.randrange(1, 40)), w.cents(rng), w.cents(rng)]
        for _ in range(rng.randrange(3, 9))
    ]
    return Table(rows, 1, look)


def two_tables(rng: random.Random) -> Made:
    def small(heads: list[str]) -> Table:
        rows: list[list[str | None]] = [list(heads)]
        rows += [[w.thing(rng), w.amount(rng), w.amount(rng)] for _ in range(rng.randrange(4, 8))]
        return Table(rows, 1, "none")

    blocks: list[Block] = [
        Head(w.topic(rng)),
        Para(w.text(rng, 3, 6)),
        Beside(small(["Product", "Units", "Returns"]), small(["Region", "Orders", "Stock"])),
        Head(w.topic(rng)),
        Para(w.text(rng)),
        Para(w.text(rng)),
    ]
    return Made("beside", blocks, _look(rng))


def statement(rng: random.Random, rows: int = 0) -> Made:
    years = [str(rng.randrange(2005, 2024) - k) for k in (0,)]
    first = int(years[0])
    ends = rng.choice(["December 31,", "June 30,", "September 30,"])
    three = rng.random() < 0.5
    columns = [str(first - k) for k in range(3 if three else 2)]
    head: list[list[str | None]] = []
    kind = rng.randrange(3)
    if kind == 0:
        head = [
            ["", f"Years ended {ends.rstrip(',')}", *[None] * (len(columns) - 1)],
            ["", *columns],
        ]
    elif kind == 1:
        head = [["", *[f"{ends} {year}" for year in columns]]]
    else:
        head = [["(In thousands)", *columns]]
    names = rng.sample(_LEDGER, 12) if not rows else (_LEDGER * 4)[:rows]
    sections: list[int] = []
    body: list[list[str | None]] = []
    for at, name in enumerate(names):
        if at in (0, 6) or (rows and at % 12 == 0):
            sections.append(len(head) + len(body))
            body.append(
                [
                    rng.choice(
                        [
                            "Assets:",
                            "Revenues:",
                            "Liabilities",
                            "Operating activities:",
                            "Expenses:",
                        ]
                    ),
                    *[""] * len(columns),
                ]
            )
        body.append([name, *[_money(rng, dollar=at in (0, 5, 11)) for _ in columns]])
    if rng.random() < 0.4:
        for ratio in rng.sample(_RATIOS, 2):
            body.append([ratio, *[f"{rng.randrange(10, 600) / 10} %" for _ in columns]])
    kind_of = rng.choice(
        [
            "CONSOLIDATED BALANCE SHEETS",
            "CONSOLIDATED STATEMENTS OF INCOME",
            "Consolidated Statements of Cash Flows",
        ]
    )
    blocks: list[Block] = [
        Title(w.firm(rng) if rng.random() < 0.4 else kind_of),
        Lines(["(Dollars in millions, except per share amounts)"], centred=True),
        Table(
            head + body,
            len(head),
            rng.choice(["none", "totals"]),
            money=True,
            sections=tuple(sections),
        ),
        Para("The accompanying notes are an integral part of these statements."),
    ]
    return Made("statement", blocks, _look(rng, title="centred", size=9.5))


def _money(rng: random.Random, *, dollar: bool) -> str:
    if rng.random() < 0.06:
        return "—"
    number = w.amount(rng)
    text = f"({number})" if rng.random() < 0.25 else number
    return f"$ {text}" if dollar else text


def long_statement(rng: random.Random) -> Made:
    made = statement(rng, rows=60)
    return Made("long", made.blocks, made.look)


def contract(rng: random.Random) -> Made:
    style = rng.choice(["caps", "plain", "underlined"])
    roman = ["I.", "II.", "III.", "IV.", "V.", "VI.", "VII."]
    number = rng.choice(
        [
            lambda at: f"{at + 1}.",
            lambda at: f"ARTICLE {roman[at][:-1]}.",
            lambda at: f"Section {at + 1}.",
        ]
    )
    title = rng.choice(
        [
            "SERVICE AGREEMENT",
            "LEASE AGREEMENT",
            "MASTER SUPPLY AGREEMENT",
            "NON-DISCLOSURE AGREEMENT",
            "LOAN AND SECURITY AGREEMENT",
        ]
    )
    blocks: list[Block] = [
        Title(title),
        Para(
            f"This Agreement is made on {w.day(rng)} "
            f"between {w.firm(rng)} (the “Company”) and {w.firm(rng)} (the “Supplier”)."
        ),
    ]
    for at, topic in enumerate(w.topics(rng, 5)):
        blocks.append(Head(f"{number(at)} {topic.upper() if style == 'caps' else topic}"))
        for clause in range(rng.randrange(1, 3)):
            text = w.text(rng, 2, 4)
            blocks.append(Para(f"{at + 1}.{clause + 1} {text}" if rng.random() < 0.4 else text))
    look = _look(
        rng, title=rng.choice(["plain-centred", "plain-centred", "caps-bold"]), heads=style
    )
    return Made("contract", blocks, look)


def resume(rng: random.Random) -> Made:
    blocks: list[Block] = [
        Title(w.person(rng)),
        Lines([*w.address(rng), f"{w.noun(rng).lower()}@example.org"], centred=rng.random() < 0.5),
    ]
    for section in ("Experience", "Education", "Skills"):
        blocks.append(Head(section.upper() if rng.random() < 0.5 else section))
        if section == "Skills":
            blocks.append(Items([w.phrase(rng) for _ in range(4)]))
            continue
        for _ in range(rng.randrange(2, 4)):
            start = rng.randrange(1995, 2018)
            blocks.append(
                Receipt(
                    [(f"{w.firm(rng)}, {w.city(rng)}", f"{start} – {start + rng.randrange(1, 6)}")]
                )
            )
            blocks.append(Items([w.sentence(rng) for _ in range(2)]))
    return Made("resume", blocks, _look(rng, heads=rng.choice(["bold", "ruled", "caps"])))


def receipt(rng: random.Random) -> Made:
    rows = [(w.thing(rng), w.cents(rng)) for _ in range(rng.randrange(5, 12))]
    blocks: list[Block] = [
        Lines([w.firm(rng), *w.address(rng)], centred=True),
        Lines([f"Date {w.day(rng)}", f"Ticket {w.code(rng)}"]),
        Receipt(rows),
        Receipt([("Subtotal", w.cents(rng)), ("Sales tax", w.cents(rng)), ("TOTAL", w.cents(rng))]),
        Lines(["Thank you for your visit"], centred=True),
    ]
    look = Look(font=rng.choice(["mono", "sans"]), size=9, width=rng.choice([226.0, 280.0]))
    return Made("receipt", blocks, look)


def yearbook(rng: random.Random) -> Made:
    blocks: list[Block] = [Title(f"The {w.noun(rng)} Yearbook {rng.randrange(1960, 2020)}")]
    for topic in w.topics(rng, 4):
        blocks += [Head(topic), Para(w.text(rng, 3, 6)), Para(w.text(rng, 2, 5))]
    return Made(
        "yearbook", blocks, _look(rng, columns=2, heads=rng.choice(["bold", "caps", "centred"]))
    )


def paper(rng: random.Random) -> Made:
    blocks: list[Block] = [
        Title(f"On {w.phrase(rng).lower()} near {w.city(rng)}"),
        Lines([", ".join(w.person(rng) for _ in range(3))], centred=True),
    ]
    for at, topic in enumerate(w.topics(rng, 4)):
        blocks += [Head(f"{at + 1} {topic}"), Para(w.text(rng, 4, 8)), Para(w.text(rng, 3, 6))]
        if at == 1:
            blocks.append(_results(rng, "head"))
    return Made("paper", blocks, _look(rng, columns=rng.choice([1, 2])))


def _results(rng: random.Random, look: str) -> Table:
    rows: list[list[str | None]] = [["Group", "Mean", "SD", "n"]]
    rows += [
        [
            w.noun(rng),
            f"{rng.randrange(100, 999) / 100}",
            f"{rng.randrange(10, 99) / 100}",
            str(rng.randrange(5, 90)),
        ]
        for _ in range(5)
    ]
    return Table(rows, 1, look)


def lab(rng: random.Random) -> Made:
    names = rng.sample(_FORM, 6)
    rows: list[list[str | None]] = [["Test", "Result", "Unit", "Reference Range"]]
    for test in rng.sample(
        w.POOLS["tests"],
        9,
    ):
        low = rng.randrange(1, 90)
        rows.append(
            [
                test,
                f"{rng.randrange(10, 999) / 10}",
                rng.choice(["mmol/L", "mg/dL", "g/L", "U/L"]),
                f"{low} - {low + rng.randrange(5, 40)}",
            ]
        )
    blocks: list[Block] = [
        Title("Laboratory Report"),
        Pairs(
            [
                [(names.pop(), _value(rng) or "None"), (names.pop(), _value(rng) or "None")]
                for _ in range(3)
            ]
        ),
        Head("Chemistry"),
        Table(rows, 1, rng.choice(["none", "head", "lines", "grid"])),
        Head("Comments"),
        Para(w.text(rng)),
    ]
    return Made("lab", blocks, _look(rng, label=rng.choice(["bold", "plain"])))


def minutes(rng: random.Random) -> Made:
    blocks: list[Block] = [
        Title(
            rng.choice(
                [
                    "MINUTES OF THE REGULAR MEETING",
                    "NOTICE OF SPECIAL MEETING",
                    "Agenda and Minutes",
                ]
            )
        ),
        Lines([w.firm(rng), w.day(rng)], centred=True),
        Pairs(
            [
                [("Present", w.person(rng))],
                [("Absent", w.person(rng))],
                [("Recorded by", w.person(rng))],
            ]
        ),
    ]
    for topic in w.topics(rng, 4):
        blocks += [Head(topic.upper()), Para(w.text(rng))]
    blocks.append(Items([w.sentence(rng) for _ in range(3)]))
    return Made(
        "minutes", blocks, _look(rng, heads="caps", title=rng.choice(["plain-centred", "large"]))
    )


def release(rng: random.Random) -> Made:
    name = w.firm(rng)
    first = rng.randrange(2005, 2022)
    rows: list[list[str | None]] = [
        ["", "Three months ended", None, "Six months ended", None],
        ["", str(first), str(first - 1), str(first), str(first - 1)],
    ]
    rows += [
        [entry, *[_money(rng, dollar=at == 0) for _ in range(4)]]
        for at, entry in enumerate(rng.sample(_LEDGER, 7))
    ]
    blocks: list[Block] = [
        Title(f"{name} Reports Results for the Second Quarter of {first}"),
        Para(f"{w.city(rng).upper()}, {w.day(rng)} — {w.text(rng)}"),
        Items([w.sentence(rng) for _ in range(3)]),
        Head(w.topic(rng)),
        Para(w.text(rng)),
        Table(rows, 2, rng.choice(["none", "totals", "head"]), money=True),
        Head("About the Company"),
        Para(w.text(rng)),
    ]
    return Made("release", blocks, _look(rng))


def parts(rng: random.Random) -> Made:
    rows: list[list[str | None]] = [["Part No.", "Description", "Remarks", "Stock"]]
    rows += [
        [
            w.code(rng),
            w.thing(rng),
            w.sentence(rng) if rng.random() < 0.5 else w.phrase(rng),
            str(rng.randrange(0, 900)),
        ]
        for _ in range(9)
    ]
    blocks: list[Block] = [
        Head(w.topic(rng)),
        Para(w.text(rng)),
        Table(rows, 1, rng.choice(["none", "head", "lines", "grid"])),
        Head(w.topic(rng)),
        Para(w.text(rng)),
    ]
    return Made("parts", blocks, _look(rng))


def notice(rng: random.Random) -> Made:
    """Addresses, names and short texts next to each other that are no tables."""

    def side() -> Block:
        kind = rng.randrange(6)
        if kind > 3:
            rows: list[list[str | None]] = [[w.noun(rng), "Count"]] if kind == 4 else []
            rows += [[w.thing(rng), w.amount(rng)] for _ in range(rng.randrange(3, 8))]
            return Table(rows, int(kind == 4), "none")
        if kind == 0:
            return Lines([w.person(rng), w.firm(rng), *w.address(rng)])
        if kind == 1:
            return Para(w.text(rng, 1, 4))
        if kind == 2:
            return Lines([w.person(rng) for _ in range(rng.randrange(3, 9))])
        return Items([w.phrase(rng) for _ in range(rng.randrange(2, 6))])

    blocks: list[Block] = [Title(w.topic(rng))]
    for topic in w.topics(rng, 3):
        right: Block = Beside(side(), side()) if rng.random() < 0.4 else side()
        blocks += [Head(topic), Beside(side(), right), Para(w.text(rng))]
    return Made("notice", blocks, _look(rng))


def balance(rng: random.Random) -> Made:
    """Two halves of a balance sheet beside each other."""

    def half() -> Table:
        first = rng.randrange(2001, 2024)
        rows: list[list[str | None]] = [["", str(first), str(first - 1)]]
        rows += [
            [name, _money(rng, dollar=at == 0), _money(rng, dollar=at == 0)]
            for at, name in enumerate(rng.sample(_LEDGER, rng.randrange(5, 8)))
        ]
        return Table(rows, 1, rng.choice(["none", "totals"]), money=True)

    blocks: list[Block] = [Title(w.firm(rng)), Head("Balance Sheet"), Beside(half(), half())]
    return Made("balance", [*blocks, Para(w.text(rng))], _look(rng, size=8.5, font="sans"))


def timetable(rng: random.Random) -> Made:
    """Times of buses by stop, or lessons by day: columns that are hardly ever of one kind."""
    if rng.random() < 0.5:
        times = range(rng.randrange(4, 8))
        rows: list[list[str | None]] = [["", *(rng.choice(["", "SD", "NS", "A"]) for _ in times)]]
        rows += [
            [f"{w.noun(rng)} {w.noun(rng)}", *(_clock(rng) for _ in times)]
            for _ in range(rng.randrange(4, 10))
        ]
        if rng.random() < 0.5:
            at = rng.randrange(2, len(rows[0]))
            words = ["and", "every", "30 min.", "until"]
            for number, row in enumerate(rows[1:]):
                row[at] = words[number] if number < len(words) else ""
    else:
        days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"][: rng.randrange(3, 6)]
        rows = [[rng.choice(["Period", "Time", "Hour"]), *days]]
        rows += [
            [f"{hour}.00–{hour}.45", *(w.noun(rng) for _ in days)]
            for hour in range(8, 8 + rng.randrange(4, 8))
        ]
    blocks: list[Block] = [Title(w.topic(rng)), Para(w.text(rng, 1, 2))]
    blocks += [Table(rows, 1, rng.choice(["none", "none", "head"])), Para(w.text(rng, 1, 2))]
    return Made("timetable", blocks, _look(rng))


def _clock(rng: random.Random) -> str:
    hour, minute = rng.randrange(5, 23), rng.randrange(0, 60)
    return rng.choice([f"{hour:02}{minute:02}", f"{hour:02}{minute:02}", "—"])


def programme(rng: random.Random) -> Made:
    """Times, what happens and who speaks, without a head."""
    blocks: list[Block] = [Title(w.topic(rng)), Para(w.text(rng, 1, 2))]
    for topic in w.topics(rng, 2):
        rows: list[list[str | None]] = [
            [f"{hour:02}:{rng.choice(['00', '15', '30'])}", w.phrase(rng),
             w.person(rng) if rng.random() < 0.75 else ""]
            for hour in range(8, 8 + rng.randrange(4, 10))
        ]  # fmt: skip
        blocks += [Head(topic), Table(rows, 0, "none")]
    return Made("programme", [*blocks, Head(w.topic(rng)), Para(w.text(rng))], _look(rng))


def survey(rng: random.Random) -> Made:
    """Boxes to tick in rows of questions, and results with units and flags."""
    marks = rng.choice([["Very", "Fairly", "Not very", "Not at all"], ["Yes", "No", "Partly"]])
    rows: list[list[str | None]] = [[w.phrase(rng), *marks]]
    rows += [[w.phrase(rng), *("o" for _ in marks)] for _ in range(rng.randrange(3, 8))]
    heads: list[list[str | None]] = [["Test", "Result", "Unit", "Reference range", "Flag"]]
    heads += [
        [w.noun(rng), str(rng.randrange(1, 300)), rng.choice(["g/l", "mmol/l", "U/l", "%"]),
         f"{rng.randrange(1, 40)} – {rng.randrange(41, 300)}", rng.choice(["", "", "H", "L"])]
        for _ in range(rng.randrange(4, 9))
    ]  # fmt: skip
    blocks: list[Block] = [
        Title(w.topic(rng)), Para(w.text(rng, 1, 2)), Table(rows, 1, "none"),
        Head(w.topic(rng)), Table(heads, 1, rng.choice(["none", "none", "head"])),
        Para(w.text(rng)),
    ]  # fmt: skip
    return Made("survey", blocks, _look(rng))


def blank(rng: random.Random) -> Made:
    """A form that nobody has filled in: labels alone on their lines are no headings."""
    names = rng.sample(_FORM, 24)
    blocks: list[Block] = [Title(rng.choice(["Application", "Registration Form"]))]
    for topic in w.topics(rng, 3):
        blocks.append(Head(topic))
        ending = rng.choice(["", "", ":"])
        blocks += [Para(f"{names.pop()}{ending}") for _ in range(rng.randrange(3, 7))]
    return Made("blank", blocks, _look(rng, heads=rng.choice(["bold", "caps", "ruled", "centred"])))


def letter(rng: random.Random) -> Made:
    """Greetings and signatures are no headings."""
    blocks: list[Block] = [
        Lines([w.firm(rng), *w.address(rng)], centred=rng.random() < 0.4),
        Para(w.day(rng)),
        Lines([w.person(rng), *w.address(rng)]),
        Para(f"Dear {w.person(rng)},"),
        *[Para(w.text(rng)) for _ in range(3)],
        Para(rng.choice(["Sincerely,", "Yours faithfully,", "Kind regards"])),
        Lines([w.person(rng), rng.choice(["Director", "Head of Claims", "Secretary"])]),
    ]
    if rng.random() < 0.4:
        blocks.insert(4, Head(f"Re: {w.topic(rng)}"))
    return Made("letter", blocks, _look(rng))


def specs(rng: random.Random) -> Made:
    """Labels and values in two columns that read as a table, without colons."""
    names = rng.sample(_FORM, 22)
    blocks: list[Block] = [Title(w.thing(rng))]
    for topic in w.topics(rng, 2):
        rows: list[list[str | None]] = [
            [names.pop(), _value(rng) or w.code(rng)] for _ in range(rng.randrange(4, 11))
        ]
        blocks += [Head(topic), Table(rows, 0, rng.choice(["none", "none", "lines", "grid"]))]
        blocks.append(Para(w.text(rng)))
    return Made("specs", blocks, _look(rng))


def _look(rng: random.Random, **fixed: object) -> Look:
    chosen: dict[str, object] = {
        "font": rng.choice(
            ["serif", "sans", "serif", "mono"] if rng.random() < 0.4 else ["serif", "sans"]
        ),
        "size": rng.choice([9.0, 10.0, 10.5, 11.0]),
        "heads": rng.choice(["bold", "bold", "caps", "ruled", "centred", "underlined", "small"]),
        "title": rng.choice(["large", "large", "centred", "caps-bold"]),
        "spread": rng.choice([0.8, 1.0, 1.0, 1.5]),
    }
    return Look(**{**chosen, **fixed})  # type: ignore[arg-type]


KINDS: dict[str, Callable[[random.Random], Made]] = {
    "accident": accident, "pairs": blocks_of_pairs, "beside": two_tables, "statement": statement,
    "long": long_statement, "contract": contract, "resume": resume, "receipt": receipt,
    "yearbook": yearbook, "paper": paper, "lab": lab, "minutes": minutes, "release": release,
    "parts": parts, "notice": notice, "specs": specs, "balance": balance,
    "blank": blank, "letter": letter, "timetable": timetable, "programme": programme,
    "survey": survey, **ISSUED,
}  # fmt: skip
