"""Pages that begin with the name of the one who issues them: above a title of its own it is part of
a letterhead; where no other title follows, it is the title.
"""

import random

from tests.bench.typeset import words as w
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
    Table,
    Title,
)

_BODIES = (
    "{city} County Hospital", "Town of {city}", "{city} Port Authority", "University of {city}",
    "{stem} Credit Union", "{city} Housing Association", "Ministry of Trade, {city}",
    "{stem} Water Board", "{city} District Council", "{stem} School", "{city} Sailing Club",
    "{stem} Institute for Testing", "Office of the Registrar, {city}", "{stem} & {noun}",
)  # fmt: skip
_PAPERS = (
    "Statement of account", "Discharge summary", "Test report {code}", "Invoice {code}",
    "Pay slip for March {year}", "Application for membership", "Certificate of analysis",
    "Notice of assessment", "Delivery note {code}", "Annual return {year}", "Purchase order {code}",
    "Balance sheet as at 31 March {year}", "Confirmation of booking", "MEMORANDUM", "Reminder",
    "Data sheet {code}", "Inspection record", "Quotation {code}", "Rent review {year}",
)  # fmt: skip
_SHORT = (
    "Results", "Details", "Notes", "Conditions", "Please note", "Messages", "Year to date",
    "Summary", "Advice", "Payment", "Opinion", "Method", "History", "Next steps", "Costs",
)  # fmt: skip


def issuer(rng: random.Random) -> str:
    if rng.random() < 0.4:
        return w.firm(rng)
    place = {"city": w.city(rng), "stem": w.noun(rng), "noun": w.noun(rng)}
    name = rng.choice(_BODIES).format(**place)
    return name.upper() if rng.random() < 0.15 else name


def contact(rng: random.Random) -> list[str]:
    """Lines of a letterhead below its name."""
    number = f"{rng.randrange(10, 99)} {rng.randrange(100, 999)} {rng.randrange(1000, 9999)}"
    lines = rng.choice(
        [
            w.address(rng),
            [", ".join(w.address(rng))],
            [f"P.O. Box {rng.randrange(1, 400)}, {w.city(rng)} {rng.randrange(1000, 99999)}"],
            [
                f"{w.noun(rng)} department,"
                f" {rng.choice(['ward', 'room', 'floor'])} {rng.randrange(1, 9)}"
            ],
            [f"{w.city(rng)}, {w.day(rng)}"],
            [],
        ]
    )
    more = rng.choice(
        [
            [f"Telephone {number}"],
            [f"Tel. +{number} · www.{w.noun(rng).lower()}.example"],
            [f"office@{w.noun(rng).lower()}.example"],
            [f"Company number {rng.randrange(10**6, 10**8)}"],
            [],
            [],
        ]
    )
    return [*lines, *more]


def letterhead(rng: random.Random) -> Made:
    """The issuer and its address above the title of the paper."""
    first = rng.choice([0.0, 1.0, 1.0, 1.2, 1.4, 1.7, 2.0])
    name, centred = issuer(rng), rng.random() < 0.35
    head: Block = Lines([name, *contact(rng)], centred=centred, first=first)
    if rng.random() < 0.3:
        head = Beside(Lines([name], first=first), Lines(contact(rng) or [w.day(rng)]))
    blocks: list[Block] = [head]
    if rng.random() < 0.3:
        blocks.append(Lines([w.person(rng), *w.address(rng)]))
    blocks.append(Title(_filled(rng, rng.choice(_PAPERS))))
    names = rng.sample(w.POOLS["form"], 8)
    blocks.append(
        Pairs([[(names.pop(), w.code(rng))] for _ in range(rng.randrange(2, 5))])
        if rng.random() < 0.6
        else Para(w.text(rng))
    )
    blocks += _sections(rng, rng.choice([0, 1, 2, 3, 4]))
    if rng.random() < 0.5:
        blocks.append(signature(rng))
    return Made("letterhead", blocks, _look(rng))


def society(rng: random.Random) -> Made:
    """The issuer is the title, what the paper is follows in a line of text."""
    line = rng.choice(
        [
            f"Minutes of the meeting held on {w.day(rng)} at 7.30 pm",
            f"Prices for members and shops, valid from {w.day(rng)}",
            f"Newsletter no. {rng.randrange(1, 90)}, {w.day(rng)}",
            f"Programme for {w.day(rng)}, {w.city(rng)}",
            w.phrase(rng),
        ]
    )
    title = rng.choice([issuer, lambda rng: f"The {w.noun(rng)} {w.noun(rng)}"])(rng)
    blocks: list[Block] = [Title(title), Lines([line], centred=rng.random() < 0.5)]
    if rng.random() < 0.5:
        blocks.append(Para(w.text(rng)))
    return Made("society", [*blocks, *_sections(rng, rng.choice([2, 3, 4, 5]))], _look(rng))


def correspondence(rng: random.Random) -> Made:
    """A letter whose only heading is its subject, or that has none."""
    name = issuer(rng)
    blocks: list[Block] = [
        Lines(
            [name, *(contact(rng) or w.address(rng))],
            centred=rng.random() < 0.4,
            first=rng.choice([1.0, 1.3, 1.6, 2.0]),
        ),
        Lines([w.person(rng), *w.address(rng)]),
        Para(w.day(rng)),
        Para(f"Dear {w.person(rng)},"),
    ]
    if rng.random() < 0.6:
        blocks.append(
            Head(w.topic(rng) if rng.random() < 0.5 else f"{w.phrase(rng)}, {w.code(rng)}")
        )
    blocks += [Para(w.text(rng)) for _ in range(3)]
    blocks.append(Para(rng.choice(["Yours faithfully,", "Kind regards", "Yours sincerely"])))
    blocks.append(signature(rng))
    if rng.random() < 0.4:
        blocks.append(
            Para(f"{name}. Registered in {w.city(rng)}, no. {rng.randrange(10**5, 10**7)}")
        )
    return Made(
        "correspondence", blocks, _look(rng, heads=rng.choice(["bold", "bold", "underlined"]))
    )


def signature(rng: random.Random) -> Lines:
    role = rng.choice(["Director", "Secretary", "Head of Claims", "Chief Engineer", "Treasurer"])
    first = rng.choice([0.0, 0.0, 1.0])
    return Lines(
        [w.person(rng), f"{role}, {w.firm(rng)}" if rng.random() < 0.3 else role], first=first
    )


def court(rng: random.Random) -> Made:
    """The court and the parties above the title of an order."""
    name = f"in the {rng.choice(['circuit', 'district', 'superior'])} court of {w.city(rng)} county"
    first = rng.choice([0.0, 1.0, 1.0, 1.1])
    blocks: list[Block] = [Lines([name.upper()], centred=True, first=first)]
    if rng.random() < 0.5:
        place = f"{rng.choice(['State of', 'Division of'])} {w.city(rng)}".upper()
        blocks.append(Lines([place], centred=True, first=first))
    parties = [
        f"{w.firm(rng).upper()},",
        "Plaintiff,",
        "v.",
        f"{w.person(rng).upper()},",
        "Defendant.",
    ]
    case = [f"Case No. {w.code(rng)}", f"Hearing: {w.day(rng)}", f"Hon. {w.person(rng)}"]
    blocks.append(Beside(Lines(parties), Lines(case)))
    blocks.append(
        Title(
            rng.choice(
                ["ORDER ON MOTION TO DISMISS", "COMPLAINT", "NOTICE OF APPEAL", "FINAL JUDGMENT"]
            )
        )
    )
    blocks.append(Para(w.text(rng, 2, 4)))
    for number, topic in zip(("I.", "II.", "III."), w.topics(rng, 3), strict=True):
        if rng.random() < 0.8:
            blocks.append(Head(f"{number} {topic.upper()}"))
        blocks.append(Para(w.text(rng, 2, 4)))
    blocks.append(Lines([w.person(rng), "Circuit Judge"]))
    title = rng.choice(["caps-bold", "plain-centred", "centred", "caps-bold"])
    return Made(
        "court", blocks, _look(rng, title=title, heads=rng.choice(["bold", "plain", "centred"]))
    )


def _sections(rng: random.Random, count: int) -> list[Block]:
    out: list[Block] = []
    numbered = rng.random() < 0.2
    for number, name in enumerate(rng.sample(_SHORT, count), 1):
        out.append(Head(f"{number}. {name}" if numbered else name))
        kind = rng.randrange(4)
        if kind == 0:
            rows: list[list[str | None]] = [["Item", "Number", "Amount"]]
            rows += [[w.thing(rng), w.code(rng), w.cents(rng)] for _ in range(rng.randrange(2, 6))]
            out.append(Table(rows, 1, rng.choice(["grid", "head", "none", "lines"])))
        elif kind == 1:
            out.append(Items([w.phrase(rng) for _ in range(3)]))
        out.append(Para(w.text(rng)))
    return out


def _filled(rng: random.Random, text: str) -> str:
    return text.format(code=w.code(rng), year=rng.randrange(2001, 2027))


def _look(rng: random.Random, **fixed: object) -> Look:
    chosen: dict[str, object] = {
        "font": rng.choice(["serif", "sans"]),
        "size": rng.choice([9.0, 10.0, 10.5, 11.0]),
        "heads": rng.choice(["bold", "bold", "small", "ruled", "caps", "centred"]),
        "title": rng.choice(["large", "large", "centred", "caps-bold"]),
    }
    return Look(**{**chosen, **fixed})  # type: ignore[arg-type]


ISSUED = {
    "letterhead": letterhead, "society": society, "correspondence": correspondence, "court": court,
}  # fmt: skip
