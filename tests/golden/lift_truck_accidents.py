"""Accident reports about lift trucks: one-page PDF forms, memos and letters by many authors.

Awkward on purpose: the date of the report stands beside the date of the accident; clock times
stand beside hours of experience; the state is written "CA", "California" or "State of
California"; the phase carries a detail ("LOADING - DOCK"); a maker's name has two spellings.
"""

from __future__ import annotations

from datetime import date

from tests.golden.common import (
    Block,
    Document,
    Same,
    Schema,
    form,
    head,
    pairs,
    para,
    pdf,
    prop,
    small,
    table,
)
from tests.golden.common import title as big

NOUN = "accident reports"

PHASES = ("Loading", "Unloading", "Travel", "Stacking", "Parking")

SCHEMA: Schema = [
    prop("report_number", "string", "Number of the report", ["LT-2021-014"]),
    prop("accident_date", "date", "Date the accident happened (not of the report)", ["2021-03-09"]),
    prop("state", "string", "US state in which the accident happened", ["California", "TX"]),
    prop("phase", "choice", "Phase of operation in which it happened", ["Loading"], PHASES),
    prop("manufacturer", "string", "Manufacturer of the lift truck", ["Norlift", "Hokuto"]),
    prop("operator_hours", "float", "Operator's experience on this truck, in hours", ["1240"]),
    prop("injured", "int", "Number of persons injured", ["0", "2"]),
    prop("operator_certified", "bool", "Whether the operator held a valid certificate", ["yes"]),
]

SAME: Same = {
    "state": {
        "California": ("CA", "State of California", "Calif."),
        "Texas": ("TX", "State of Texas"),
        "Ohio": ("OH", "State of Ohio"),
        "Georgia": ("GA", "State of Georgia"),
    },
    "manufacturer": {
        "Norlift": ("NORLIFT", "Norlift Inc."),
        "Bassett & Crane": ("Bassett and Crane",),
        "Hokuto": ("HOKUTO",),
        "Vanterra": ("Vanterra Lift Systems",),
    },
}


def _doc(
    number: int,
    content: bytes,
    truth: tuple[object, ...],
    **written: tuple[str, ...],
) -> Document:
    names = [str(entry["name"]) for entry in SCHEMA]
    return Document(
        f"accident_{number:02d}.pdf", content, dict(zip(names, truth, strict=True)), written
    )


def _agency_form(rows: list[tuple[str, str]], story: str) -> list[Block]:
    return [
        big("LIFT TRUCK ACCIDENT REPORT"),
        small("Form LT-7. Complete one form per accident. Print clearly."),
        form(*rows),
        head("DESCRIPTION OF ACCIDENT"),
        para(story),
    ]


def documents() -> list[Document]:
    """The sixteen reports."""
    out = [
        _doc(
            1,
            pdf(
                _agency_form(
                    [
                        ("REPORT NO.", "LT-2021-014"),
                        ("DATE OF REPORT", "03/12/2021"),
                        ("DATE OF ACCIDENT", "03/09/2021"),
                        ("TIME (24 H)", "14:35"),
                        ("CITY", "Stockton"),
                        ("STATE", "CA"),
                        ("PHASE OF OPERATION", "LOADING"),
                        ("TRUCK MAKE", "NORLIFT"),
                        ("OPERATOR HOURS, THIS TYPE", "1,240"),
                        ("PERSONS INJURED", "1"),
                        ("OPERATOR CERTIFIED", "YES"),
                        ("WEATHER", "CLEAR"),
                    ],
                    "The forks struck the trailer sill and a pallet of bottled water fell. A dock "
                    "worker bruised a foot. The truck had 8,310 hours on its meter.",
                )
            ),
            ("LT-2021-014", date(2021, 3, 9), "California", "Loading", "Norlift", 1240.0, 1, True),
            state=("CA",),
            operator_certified=("OPERATOR CERTIFIED YES",),
        ),
        _doc(
            2,
            pdf(
                [
                    big("Accident Report LT-2021-022"),
                    pairs(
                        ("Prepared on", "21 June 2021"),
                        ("Accident date", "17 June 2021, 06:10"),
                        ("Site", "Gulf Freight Terminal, Houston, Texas"),
                        ("Phase", "Travel"),
                        ("Make / model", "Hokuto FB25"),
                        ("Operator experience on type", "310.5 h"),
                        ("Injuries", "0"),
                        ("Certificate valid", "Yes"),
                    ),
                    para(
                        "While driving along aisle 12 the truck clipped a rack upright. Speed was "
                        "about 9 km/h. Damage to the rack is estimated at $1,800."
                    ),
                ],
                font="Times-Roman",
                paper="a4",
            ),
            ("LT-2021-022", date(2021, 6, 17), "Texas", "Travel", "Hokuto", 310.5, 0, True),
            operator_certified=("Certificate valid: Yes",),
        ),
        _doc(
            3,
            pdf(
                [
                    big("Bay Area Cold Storage - Safety Office"),
                    para("Report LT-2021-031, filed November 5, 2021"),
                    para(
                        "On November 2, 2021, at about 2230 hours, a Norlift Inc. reach truck "
                        "tipped on the ramp of our Oakland warehouse, State of California, while "
                        "unloading a refrigerated container."
                    ),
                    para(
                        "Two persons were injured and taken to hospital for observation. The "
                        "operator was not certified for reach trucks. His experience on the type "
                        "could not be established from our records."
                    ),
                    para("Signed: R. Tolliver, Safety Officer"),
                ]
            ),
            (
                "LT-2021-031",
                date(2021, 11, 2),
                "California",
                "Unloading",
                "Norlift",
                None,
                2,
                False,
            ),
            state=("State of California",),
            injured=("Two persons were injured",),
            operator_certified=("not certified",),
        ),
        _doc(
            4,
            pdf(
                _agency_form(
                    [
                        ("REPORT NO.", "LT-2022-003"),
                        ("DATE OF REPORT", "01/31/2022"),
                        ("DATE OF ACCIDENT", "01/25/2022"),
                        ("TIME (24 H)", "09:05"),
                        ("CITY", "Toledo"),
                        ("STATE", "OH"),
                        ("PHASE OF OPERATION", "STACKING - HIGH RACK"),
                        ("TRUCK MAKE", "VANTERRA"),
                        ("OPERATOR HOURS, THIS TYPE", "86"),
                        ("PERSONS INJURED", "1"),
                        ("OPERATOR CERTIFIED", ""),
                        ("WEATHER", "N/A - INDOORS"),
                    ],
                    "A load of tiles slid from level 4. An order picker was cut by fragments. "
                    "All 86 hours had been gained in the preceding 90 days.",
                )
            ),
            ("LT-2022-003", date(2022, 1, 25), "Ohio", "Stacking", "Vanterra", 86.0, 1, None),
            state=("OH",),
        ),
        _doc(
            5,
            pdf(
                [
                    big("INCIDENT SUMMARY"),
                    table(
                        ("Item", "Entry"),
                        ("Reference", "LT-2022-009"),
                        ("Occurred", "11-APR-2022"),
                        ("Reported", "13-APR-2022"),
                        ("State", "TX"),
                        ("Equipment maker", "Bassett and Crane"),
                        ("Operating phase", "Loading - dock"),
                        ("Experience of operator (hrs on type)", "2,015"),
                        ("Number injured", "None"),
                        ("Licence / certificate", "Held, valid to 30-SEP-2023"),
                    ),
                    para("A dock leveller dropped under the truck. No cargo was lost."),
                ],
                font="Courier",
                size=9,
            ),
            (
                "LT-2022-009",
                date(2022, 4, 11),
                "Texas",
                "Loading",
                "Bassett & Crane",
                2015.0,
                0,
                True,
            ),
            state=("TX",),
            manufacturer=("Bassett and Crane",),
            injured=("None",),
            operator_certified=("Held, valid",),
        ),
        _doc(
            6,
            pdf(
                [
                    para("MEMO"),
                    pairs(
                        ("To", "Regional Safety Board"),
                        ("From", "Plant 4, Fresno"),
                        ("Date", "August 2, 2022"),
                        ("Subject", "Lift truck accident of July 30, 2022 (report LT-2022-017)"),
                    ),
                    para(
                        "Three employees were injured when a Norlift counterbalance truck, "
                        "traveling with a raised load, overturned at the north gate at 4:45 p.m. "
                        "Our plant is in California, so the state notice was sent the same day."
                    ),
                    para(
                        "The operator had 45 hours on this truck and 2 years with the company. He "
                        "did not hold a valid certificate: it had lapsed on May 31, 2022."
                    ),
                    pairs(("Phase of operation", "Travel - with load")),
                ],
                font="Times-Roman",
                size=11,
            ),
            ("LT-2022-017", date(2022, 7, 30), "California", "Travel", "Norlift", 45.0, 3, False),
            injured=("Three employees were injured",),
            operator_certified=("did not hold a valid certificate",),
        ),
        _doc(
            7,
            pdf(
                [
                    big("Near miss / accident notification"),
                    pairs(
                        ("When", "Sept. 5, 2022, 11:20 am"),
                        ("Where", "Savannah, Georgia"),
                        ("Truck", "Hokuto FD30"),
                        ("Anyone hurt?", "No (0 injured)"),
                        ("Operator certified?", "Yes"),
                        ("Operator hours on this truck", "560"),
                    ),
                    para("Parked truck rolled backwards into a fence; parking brake not set."),
                    pairs(("Phase", "Parking"), ("Notification sent", "Sept. 6, 2022")),
                ],
                separator="|",
            ),
            (None, date(2022, 9, 5), "Georgia", "Parking", "Hokuto", 560.0, 0, True),
            accident_date=("Sept. 5, 2022",),
            operator_certified=("Operator certified? Yes",),
        ),
        _doc(
            8,
            pdf(
                [
                    big("Report of a lift truck accident"),
                    para("No. LT-2022-028"),
                    para(
                        "The accident happened on 19 December 2022 at 07:50 in the goods yard of a "
                        "customer, during loading of a flatbed lorry. The machine was made by "
                        "Vanterra Lift Systems. One person was injured (driver of the lorry, "
                        "broken wrist)."
                    ),
                    para(
                        "The operator is certified and has 1,875 hours of experience on this "
                        "machine, of which 210 hours in the last 90 days. This report was closed "
                        "on 9 January 2023."
                    ),
                ],
                paper="a4",
            ),
            ("LT-2022-028", date(2022, 12, 19), None, "Loading", "Vanterra", 1875.0, 1, True),
            injured=("One person was injured",),
            operator_certified=("operator is certified",),
        ),
        _doc(
            9,
            pdf(
                _agency_form(
                    [
                        ("REPORT NO.", "LT-2023-002"),
                        ("DATE OF REPORT", "01/20/2023"),
                        ("DATE OF ACCIDENT", "01/14/2023"),
                        ("TIME (24 H)", "1640"),
                        ("CITY", "Dayton"),
                        ("STATE", "OHIO"),
                        ("PHASE OF OPERATION", "TRAVEL"),
                        ("TRUCK MAKE", "NORLIFT"),
                        ("OPERATOR HOURS, THIS TYPE", "UNKNOWN"),
                        ("PERSONS INJURED", ""),
                        ("OPERATOR CERTIFIED", "Y"),
                        ("WEATHER", "SNOW"),
                    ],
                    "The truck skidded on snow between halls B and C and hit a bollard. "
                    "Medical information is withheld.",
                )
            ),
            ("LT-2023-002", date(2023, 1, 14), "Ohio", "Travel", "Norlift", None, None, True),
            operator_certified=("OPERATOR CERTIFIED Y",),
        ),
        _doc(
            10,
            pdf(
                [
                    big("Accident Report LT-2023-006"),
                    pairs(
                        ("Prepared on", "3 March 2023"),
                        ("Accident date", "28 February 2023, 13:15"),
                        ("Site", "Panhandle Feed Co., Amarillo, State of Texas"),
                        ("Phase", "LOADING - TRAILER"),
                        ("Make / model", "Norlift 5000 series"),
                        ("Operator experience on type", "12.5 h"),
                        ("Injuries", "1"),
                        ("Certificate valid", "No"),
                    ),
                    para("The trainee drove off the edge of the dock plate. He hurt his back."),
                ],
                font="Times-Roman",
                paper="a4",
            ),
            ("LT-2023-006", date(2023, 2, 28), "Texas", "Loading", "Norlift", 12.5, 1, False),
            state=("State of Texas",),
            operator_certified=("Certificate valid: No",),
        ),
        _doc(
            11,
            pdf(
                [
                    big("INCIDENT SUMMARY"),
                    table(
                        ("Item", "Entry"),
                        ("Reference", "LT-2023-011"),
                        ("Occurred", "08-MAY-2023"),
                        ("Reported", "08-MAY-2023"),
                        ("State", "CALIFORNIA"),
                        ("Equipment maker", "not recorded"),
                        ("Operating phase", "Stacking"),
                        ("Experience of operator (hrs on type)", "730"),
                        ("Number injured", "0"),
                        ("Licence / certificate", "under review"),
                    ),
                    para("A mast chain parted while a pallet was being placed at 5.2 m height."),
                ],
                font="Courier",
                size=9,
            ),
            ("LT-2023-011", date(2023, 5, 8), "California", "Stacking", None, 730.0, 0, None),
        ),
        _doc(
            12,
            pdf(
                [
                    big("Lone Star Logistics"),
                    head("Letter report LT-2023-015"),
                    para("Dallas, Texas, July 5, 2023"),
                    para(
                        "Dear members of the board, we report that on June 21, 2023 at 10 o'clock "
                        "a hired lift truck dropped two drums while unloading a barge in "
                        "Galveston, Texas. Two workers suffered injuries to the eyes; both are "
                        "back at work."
                    ),
                    para(
                        "The driver, who holds a valid certificate, had been on this truck for 94 "
                        "hours. The hire firm has not told us who made the truck."
                    ),
                ],
                size=11,
            ),
            ("LT-2023-015", date(2023, 6, 21), "Texas", "Unloading", None, 94.0, 2, True),
            injured=("Two workers",),
            operator_certified=("holds a valid certificate",),
        ),
        _doc(
            13,
            pdf(
                [
                    big("Near miss / accident notification"),
                    pairs(
                        ("Report no.", "LT-2023-019"),
                        ("When", "Aug. 16, 2023, 8:00 am"),
                        ("Where", "Hall 3, east bay"),
                        ("Truck", "Norlift 3000"),
                        ("Anyone hurt?", "No (0 injured)"),
                        ("Operator certified?", "Yes"),
                        ("Operator hours on this truck", "4,100"),
                    ),
                    para("Fork tip pierced a drum of cleaning agent during loading of a van."),
                    pairs(("Phase", "Loading"), ("Notification sent", "Aug. 18, 2023")),
                ],
                separator="|",
            ),
            ("LT-2023-019", date(2023, 8, 16), None, "Loading", "Norlift", 4100.0, 0, True),
            accident_date=("Aug. 16, 2023",),
            operator_certified=("Operator certified? Yes",),
        ),
        _doc(
            14,
            pdf(
                [
                    para("MEMO"),
                    pairs(
                        ("To", "Regional Safety Board"),
                        ("From", "Port Services"),
                        ("Date", "October 9, 2023"),
                        ("Subject", "Lift truck accident of October 3, 2023 (LT-2023-024)"),
                    ),
                    para(
                        "A Bassett & Crane yard truck struck a light pole in Long Beach, CA, at "
                        "21:15. The operator, with 22 hours on the truck, was not certified. "
                        "Whether anybody "
                        "was hurt is still being clarified with the agency that employs the crew."
                    ),
                    pairs(("Phase of operation", "Travel - empty")),
                ],
                font="Times-Roman",
                size=11,
            ),
            (
                "LT-2023-024",
                date(2023, 10, 3),
                "California",
                "Travel",
                "Bassett & Crane",
                22.0,
                None,
                False,
            ),
            state=("CA",),
            operator_certified=("not certified",),
        ),
        _doc(
            15,
            pdf(
                _agency_form(
                    [
                        ("REPORT NO.", "LT-2023-030"),
                        ("DATE OF REPORT", "12/15/2023"),
                        ("DATE OF ACCIDENT", "12/12/2023"),
                        ("TIME (24 H)", "23:50"),
                        ("CITY", "Akron"),
                        ("STATE", "OH"),
                        ("PHASE OF OPERATION", "NOT DETERMINED"),
                        ("TRUCK MAKE", "NORLIFT"),
                        ("OPERATOR HOURS, THIS TYPE", "655"),
                        ("PERSONS INJURED", "4"),
                        ("OPERATOR CERTIFIED", "YES"),
                        ("WEATHER", "N/A"),
                    ],
                    "Gas from a leaking fuel cylinder ignited near the truck. Four persons were "
                    "treated for burns.",
                )
            ),
            ("LT-2023-030", date(2023, 12, 12), "Ohio", None, "Norlift", 655.0, 4, True),
            state=("OH",),
            operator_certified=("OPERATOR CERTIFIED YES",),
        ),
        _doc(
            16,
            pdf(
                [
                    big("Report of a lift truck accident"),
                    para(
                        "This report was written on February 20, 2024 from the statements of two "
                        "colleagues. The day of the accident is not known."
                    ),
                    para(
                        "A Vanterra truck scraped a parked car at our Calif. depot (San Diego) "
                        "when unloading the morning delivery at 05:30. Nobody was injured. The "
                        "operator is certified; how long he has driven this truck is not recorded."
                    ),
                ],
                paper="a4",
            ),
            (None, None, "California", "Unloading", "Vanterra", None, 0, True),
            state=("Calif.",),
            injured=("Nobody was injured",),
            operator_certified=("operator is certified",),
        ),
    ]
    return out
