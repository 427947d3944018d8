"""Minutes of meetings of three committees of an invented town, as Markdown and DOCX.

Awkward on purpose: the date of the next meeting and of the last minutes stand beside the date of
the meeting; the committee's name varies ("Committee on Finance"); apologies stand beside those
present; "No motions were carried" is the number 0; amounts refused stand beside those approved.
"""

from __future__ import annotations

from datetime import date

from tests.golden.common import Document, Same, Schema, head, items, pairs, para, prop, table, word
from tests.golden.common import title as big

NOUN = "minutes"

SCHEMA: Schema = [
    prop("committee", "string", "Committee or board that met", ["Finance Committee"]),
    prop("meeting_date", "date", "Date of the meeting", ["2022-01-18"]),
    prop("chair", "string", "Person who chaired the meeting", ["Ilse Marden"]),
    prop("location", "string", "Place of the meeting", ["Town Hall", "Online"]),
    prop("attendees", "array", "Members present, with the chair", ["Owen Tarrant"]),
    prop("approved_amount", "float", "Money approved at the meeting, in dollars", ["12500"]),
    prop("quorum", "bool", "Whether there was a quorum", ["yes", "no"]),
    prop("motions_carried", "int", "Number of motions carried", ["3", "0"]),
]

SAME: Same = {
    "committee": {
        "Finance Committee": ("Committee on Finance", "FINANCE CTTEE"),
        "Parks Board": ("Parks and Recreation Board", "PARKS BOARD"),
        "Library Trustees": ("Board of Library Trustees", "Trustees of the Library"),
    },
    "location": {
        "Town Hall": ("Town Hall, Room 2", "town hall"),
        "Central Library": ("Central Library, Reading Room",),
        "Riverside Pavilion": (),
        "Online": ("by video conference", "Online (video)"),
    },
}

MARDEN, TARRANT, SANDHU, FERRAND = "Ilse Marden", "Owen Tarrant", "Priya Sandhu", "Luc Ferrand"
VALE, OKAFOR, LUNDE, HALLORAN = "Gordon Vale", "Mina Okafor", "Teresa Lunde", "Piet Halloran"
BROOK, IYER, PENN, AUMONT = "Hanna Brook", "Samuel Iyer", "Dora Penn", "Felix Aumont"


def _doc(
    name: str, content: bytes | str, truth: tuple[object, ...], **written: tuple[str, ...]
) -> Document:
    names = [str(entry["name"]) for entry in SCHEMA]
    data = content.encode("utf-8") if isinstance(content, str) else content
    return Document(f"minutes_{name}", data, dict(zip(names, truth, strict=True)), written)


def documents() -> list[Document]:
    """The fifteen sets of minutes."""
    return [
        _doc(
            "01.md",
            """# Minutes of the Finance Committee

**Date:** January 18, 2022
**Place:** Town Hall, Room 2
**Chair:** Ilse Marden
**Present:** Ilse Marden, Owen Tarrant, Priya Sandhu, Luc Ferrand
**Quorum:** yes

1. The minutes of December 14, 2021 were approved.
2. The purchase of a plough for $12,500 was approved.
3. A new form for expense claims was adopted.

Motions carried: 3. The next meeting is on March 15, 2022.
""",
            (
                "Finance Committee",
                date(2022, 1, 18),
                MARDEN,
                "Town Hall",
                [MARDEN, TARRANT, SANDHU, FERRAND],
                12500.0,
                True,
                3,
            ),
            quorum=("**Quorum:** yes",),
        ),
        _doc(
            "02.docx",
            word(
                [
                    big("Parks and Recreation Board"),
                    para("Minutes of the meeting held on 9 February 2022, Riverside Pavilion"),
                    table(
                        ("Role", "Name"),
                        ("Chair", "Gordon Vale"),
                        ("Member", "Mina Okafor"),
                        ("Member", "Teresa Lunde"),
                    ),
                    para("Apologies: Piet Halloran. A quorum was present."),
                    items(
                        "Repair of the bandstand: $8,000 approved.",
                        "Request of the tennis club for $3,500: refused.",
                        "Opening hours for the summer: adopted.",
                    ),
                    para("Motions carried: 2"),
                ]
            ),
            (
                "Parks Board",
                date(2022, 2, 9),
                VALE,
                "Riverside Pavilion",
                [VALE, OKAFOR, LUNDE],
                8000.0,
                True,
                2,
            ),
            committee=("Parks and Recreation Board",),
            quorum=("A quorum was present",),
        ),
        _doc(
            "03.md",
            """Library Trustees - Minutes
==========================

The trustees met on Thursday, February 24, 2022 at the Central Library. Hanna Brook took the
chair. Present were Hanna Brook, Samuel Iyer, Dora Penn and Felix Aumont, so there was a quorum.

The trustees heard a report on borrowing (41,200 loans in 2021). One motion was carried: to extend
the opening hours on Saturdays. No money was asked for.

The next meeting will be on May 26, 2022.
""",
            (
                "Library Trustees",
                date(2022, 2, 24),
                BROOK,
                "Central Library",
                [BROOK, IYER, PENN, AUMONT],
                None,
                True,
                1,
            ),
            quorum=("there was a quorum",),
            motions_carried=("One motion was carried",),
        ),
        _doc(
            "04.md",
            """# FINANCE CTTEE

| Item | |
|---|---|
| Meeting | 2022-03-15, 18:30 |
| Venue | Town Hall |
| Chaired by | Ilse Marden |
| In attendance | Ilse Marden; Owen Tarrant; Priya Sandhu |
| Absent | Luc Ferrand |
| Quorum reached | Yes |
| Total approved | $40,250.75 |
| Motions carried | 4 |
| Next meeting | 2022-06-21 |

The sum covers the resurfacing of Mill Road. A further $9,000 for lighting was deferred.
""",
            (
                "Finance Committee",
                date(2022, 3, 15),
                MARDEN,
                "Town Hall",
                [MARDEN, TARRANT, SANDHU],
                40250.75,
                True,
                4,
            ),
            committee=("FINANCE CTTEE",),
            quorum=("Quorum reached | Yes",),
        ),
        _doc(
            "05.docx",
            word(
                [
                    big("Parks Board"),
                    para("Minutes, April 13, 2022"),
                    pairs(
                        ("In the chair", "Gordon Vale"),
                        ("Members present", "Gordon Vale, Teresa Lunde"),
                        ("Members absent", "Mina Okafor, Piet Halloran"),
                    ),
                    para(
                        "There was no quorum. The members talked about the playground plans. No "
                        "motions were carried. The plans come back on July 13, 2022."
                    ),
                ]
            ),
            ("Parks Board", date(2022, 4, 13), VALE, None, [VALE, LUNDE], None, False, 0),
            quorum=("There was no quorum",),
            motions_carried=("No motions were carried",),
        ),
        _doc(
            "06.md",
            """# Board of Library Trustees

Meeting of 26 May 2022, Central Library, Reading Room

- Chairperson: Samuel Iyer
- Attendees: Samuel Iyer, Dora Penn
- Excused: Hanna Brook

## Decisions

- Purchase of 60 audio books, cost $1,900: approved.

Number of motions carried: 1
""",
            (
                "Library Trustees",
                date(2022, 5, 26),
                IYER,
                "Central Library",
                [IYER, PENN],
                1900.0,
                None,
                1,
            ),
        ),
        _doc(
            "07.docx",
            word(
                [
                    big("Minutes - Committee on Finance"),
                    pairs(
                        ("Held on", "06/21/2022"),
                        ("Held at", "Online (video)"),
                        ("Presiding", "Owen Tarrant"),
                        ("Present", "Owen Tarrant, Priya Sandhu, Luc Ferrand"),
                        ("Quorum", "Yes"),
                    ),
                    head("Decisions"),
                    para("1. Audit fees of $6,300 approved. Carried."),
                    para("2. Write-off of small claims. Carried."),
                    para("Motions carried in all: 2. Next meeting: 09/20/2022."),
                ]
            ),
            (
                "Finance Committee",
                date(2022, 6, 21),
                TARRANT,
                "Online",
                [TARRANT, SANDHU, FERRAND],
                6300.0,
                True,
                2,
            ),
            committee=("Committee on Finance",),
            quorum=("Quorum: Yes",),
        ),
        _doc(
            "08.md",
            """# Minutes of the Parks and Recreation Board

Held at the Riverside Pavilion on Wednesday, 13 July 2022, at 7 p.m.

Mina Okafor was in the chair. Gordon Vale, Teresa Lunde and Piet Halloran were also present. The
chair noted that a quorum was present.

The board approved $27,400 for the playground. It also approved the design, the calendar, the
dog rules and the tree plan. Five motions were carried.

Correction to the minutes of April 13, 2022: none.
""",
            (
                "Parks Board",
                date(2022, 7, 13),
                OKAFOR,
                "Riverside Pavilion",
                [OKAFOR, VALE, LUNDE, HALLORAN],
                27400.0,
                True,
                5,
            ),
            committee=("Parks and Recreation Board",),
            quorum=("a quorum was present",),
            motions_carried=("Five motions were carried",),
        ),
        _doc(
            "09.docx",
            word(
                [
                    big("Finance Committee"),
                    para(
                        "The committee met at the town hall on September 20, 2022. Ilse Marden "
                        "presided. Present: Ilse Marden, Luc Ferrand. Because of illness the "
                        "quorum was not reached, and the budget was only discussed."
                    ),
                    para("The draft budget of $1,210,000 will be tabled again in October."),
                ]
            ),
            (
                "Finance Committee",
                date(2022, 9, 20),
                MARDEN,
                "Town Hall",
                [MARDEN, FERRAND],
                None,
                False,
                None,
            ),
            location=("town hall",),
            quorum=("quorum was not reached",),
        ),
        _doc(
            "10.md",
            """# Trustees of the Library

**When:** Sept. 29, 2022
**Where:** Central Library
**Who came:** Hanna Brook, Dora Penn, Felix Aumont
**Quorum:** yes

We approved $750 for chairs. Motions carried: 1.
""",
            (
                "Library Trustees",
                date(2022, 9, 29),
                None,
                "Central Library",
                [BROOK, PENN, AUMONT],
                750.0,
                True,
                1,
            ),
            committee=("Trustees of the Library",),
            meeting_date=("Sept. 29, 2022",),
            quorum=("**Quorum:** yes",),
        ),
        _doc(
            "11.docx",
            word(
                [
                    big("PARKS BOARD"),
                    table(
                        ("Subject", "Record"),
                        ("Date of meeting", "12 Oct 2022"),
                        ("Place", "by video conference"),
                        ("Chair", "Gordon Vale"),
                        ("Quorum", "Yes"),
                        ("Approved", "$15,000 (bridge over Otter Creek)"),
                        ("Motions carried", "3"),
                        ("Minutes approved on", "9 Nov 2022"),
                    ),
                    para("The list of those present is kept by the clerk."),
                ]
            ),
            ("Parks Board", date(2022, 10, 12), VALE, "Online", None, 15000.0, True, 3),
            location=("by video conference",),
            quorum=("Quorum Yes",),
        ),
        _doc(
            "12.md",
            """# Minutes of the Finance Committee (special meeting)

**Place:** Town Hall
**Chair:** Ilse Marden
**Present:** Ilse Marden, Owen Tarrant, Priya Sandhu, Luc Ferrand
**Quorum:** yes

1. Emergency repair of the boiler, $5,120: approved.
2. The contractor was chosen.

Motions carried: 2.
""",
            (
                "Finance Committee",
                None,
                MARDEN,
                "Town Hall",
                [MARDEN, TARRANT, SANDHU, FERRAND],
                5120.0,
                True,
                2,
            ),
            quorum=("**Quorum:** yes",),
        ),
        _doc(
            "13.docx",
            word(
                [
                    big("Library Trustees - notes of the meeting"),
                    para(
                        "Date: January 26, 2023. Chair: Hanna Brook. With her: Samuel Iyer and "
                        "Dora Penn. Felix Aumont sent his apologies."
                    ),
                    para(
                        "The trustees approved $3,400 for the repair of the roof. The director "
                        "will present the yearly report on April 27, 2023."
                    ),
                ]
            ),
            (
                "Library Trustees",
                date(2023, 1, 26),
                BROOK,
                None,
                [BROOK, IYER, PENN],
                3400.0,
                None,
                None,
            ),
        ),
        _doc(
            "14.md",
            """Parks Board minutes
-------------------

Meeting date: 2023-02-08
Meeting place: Town Hall
Meeting chair: Mina Okafor
Members in the room: Mina Okafor, Teresa Lunde
Members excused: Gordon Vale, Piet Halloran
Quorum: no

Under the emergency rule the members present approved $9,950 for storm damage.
Motions carried: 2
""",
            (
                "Parks Board",
                date(2023, 2, 8),
                OKAFOR,
                "Town Hall",
                [OKAFOR, LUNDE],
                9950.0,
                False,
                2,
            ),
            quorum=("Quorum: no",),
        ),
        _doc(
            "15.docx",
            word(
                [
                    big("Committee on Finance"),
                    pairs(
                        ("Held on", "03/21/2023"),
                        ("Held at", "Town Hall"),
                        ("Presiding", "Owen Tarrant"),
                        ("Present", "Owen Tarrant, Priya Sandhu, Luc Ferrand, Ilse Marden"),
                        ("Quorum", "Yes"),
                    ),
                    head("Decisions"),
                    para("1. New server, $18,600: carried."),
                    para("2. Fee schedule for permits: carried."),
                    para("3. Appointment of the auditor: carried."),
                    para("4. Sale of the old depot: lost."),
                    para("Motions carried in all: 3. Next meeting: 05/16/2023."),
                ]
            ),
            (
                "Finance Committee",
                date(2023, 3, 21),
                TARRANT,
                "Town Hall",
                [TARRANT, SANDHU, FERRAND, MARDEN],
                18600.0,
                True,
                3,
            ),
            committee=("Committee on Finance",),
            quorum=("Quorum: Yes",),
        ),
    ]
