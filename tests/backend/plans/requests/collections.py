"""Three invented collections: clinical trials, property leases, inspections of ships."""

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

Record = dict[str, Any]
Schema = list[dict[str, Any]]


def _schema(*lines: tuple[str, str, str]) -> Schema:
    names = ("name", "field_type", "description")
    return [dict(zip(names, line, strict=True)) for line in lines]


TRIALS = _schema(
    ("trial_id", "string", "Registry number of the trial"),
    ("sponsor", "string", "Organisation that pays for the trial"),
    ("phase", "string", "Phase I, Phase II or Phase III"),
    ("condition", "string", "Disease under study"),
    ("country", "string", "Country in which it takes place"),
    ("participants", "int", "How many people were enrolled"),
    ("dropout_pct", "float", "Share of people who left early, in percent"),
    ("budget_musd", "float", "Budget in millions of US dollars"),
    ("started_on", "date", "Day on which the first person was treated"),
    ("duration_weeks", "int", "Length of the treatment in weeks"),
    ("randomised", "bool", "Whether people were assigned by chance"),
    ("adverse_events", "int", "Number of serious adverse events"),
    ("investigator", "string", "Principal investigator"),
    ("status", "string", "Recruiting, Completed or Terminated"),
)

LEASES = _schema(
    ("lease_id", "string", "Unique identifier"),
    ("tenant", "string", "Who rents the unit"),
    ("building", "string", "Name of the building"),
    ("city", "string", "City of the building"),
    ("use", "string", "Office, Retail, Warehouse or Residential"),
    ("floor_area_sqm", "float", "Floor area in square metres"),
    ("monthly_rent_eur", "float", "Rent per month in euros"),
    ("signed_on", "date", "Day on which it was signed"),
    ("term_months", "int", "Length of the lease in months"),
    ("furnished", "bool", "Whether the unit comes with furniture"),
    ("parking_spaces", "int", "Number of parking spaces"),
    ("deposit_eur", "float", "Deposit in euros"),
    ("agent", "string", "Broker who arranged it"),
    ("energy_class", "string", "Energy class from A to D"),
)

INSPECTIONS = _schema(
    ("inspection_no", "string", "Number of the report"),
    ("ship", "string", "Name of the ship"),
    ("ship_type", "string", "Tanker, Bulk Carrier, Ferry or Container Ship"),
    ("flag", "string", "State in which the ship is registered"),
    ("port", "string", "Port of the inspection"),
    ("inspected_on", "date", "Day of the inspection"),
    ("deficiencies", "int", "Number of deficiencies found"),
    ("detained", "bool", "Whether the ship was held in port"),
    ("gross_tonnage", "int", "Size of the ship in gross tons"),
    ("age_years", "int", "Age of the ship in years"),
    ("fine_kusd", "float", "Fine in thousands of US dollars"),
    ("inspector", "string", "Who carried out the inspection"),
    ("risk", "string", "Low, Standard or High"),
    ("crew_size", "int", "People in the crew"),
)


def _day(dice: random.Random) -> str:
    return (date(2019, 1, 1) + timedelta(days=dice.randrange(2650))).isoformat()


def _perhaps(dice: random.Random, value: Any, chance: float) -> Any:
    return value if dice.random() < chance else None


_TALES = {
    "trials": ["Two patients reported a rash.", "Samples were frozen on arrival.",
               "The placebo was repackaged.", "Visits took place by telephone."],
    "leases": ["The roof was renovated last spring.", "The lift is out of order.",
               "Utilities are billed apart.", "A balcony faces the courtyard."],
    "inspections": ["Lifeboats were missing equipment.", "The fire pump leaked.",
                    "Charts were out of date.", "Oily water was found in the bilge."],
}  # fmt: skip


def trials() -> list[Record]:
    dice = random.Random(101)
    return [
        {
            "trial_id": f"TR{1000 + i}",
            "sponsor": dice.choice(["Novaria", "Helix Labs", "Orbis Pharma", "Kestrel Bio"]),
            "phase": dice.choice(["Phase I", "Phase II", "Phase III"]),
            "condition": dice.choice(["Asthma", "Migraine", "Psoriasis", "Type 2 Diabetes"]),
            "country": dice.choice(["Spain", "Japan", "Brazil", "Canada", "Poland"]),
            "participants": dice.randrange(20, 900),
            "dropout_pct": round(dice.uniform(0, 40), 1),
            "budget_musd": round(dice.uniform(0.3, 30), 2),
            "started_on": _day(dice),
            "duration_weeks": dice.randrange(4, 105),
            "randomised": dice.random() < 0.6,
            "adverse_events": max(0, dice.randrange(-4, 15)),
            "investigator": _perhaps(dice, dice.choice(["Dr Amara", "Dr Lindqvist"]), 0.7),
            "status": dice.choice(["Recruiting", "Completed", "Terminated"]),
        }
        for i in range(60)
    ]


def leases() -> list[Record]:
    dice = random.Random(202)
    return [
        {
            "lease_id": f"L-{500 + i}",
            "tenant": dice.choice(["Bluebird Books", "Fenwick and Sons", "Casa Verde", "Orlo"]),
            "building": dice.choice(["Harbour House", "Mill Court", "Station Yard"]),
            "city": dice.choice(["Lyon", "Ghent", "Porto", "Leipzig"]),
            "use": dice.choice(["Office", "Retail", "Warehouse", "Residential"]),
            "floor_area_sqm": float(dice.randrange(30, 1500)),
            "monthly_rent_eur": float(dice.randrange(400, 20000)),
            "signed_on": _day(dice),
            "term_months": dice.randrange(6, 121),
            "furnished": dice.random() < 0.4,
            "parking_spaces": dice.randrange(0, 9),
            "deposit_eur": _perhaps(dice, float(dice.randrange(500, 40000)), 0.75),
            "agent": _perhaps(dice, dice.choice(["Meridian", "Keystone"]), 0.6),
            "energy_class": dice.choice("ABCD"),
        }
        for i in range(60)
    ]


def inspections() -> list[Record]:
    dice = random.Random(303)
    return [
        {
            "inspection_no": f"IR-{7000 + i}",
            "ship": dice.choice(["Aurora", "Golden Wind", "Nordic Star", "Sea Pearl", "Tundra"]),
            "ship_type": dice.choice(["Tanker", "Bulk Carrier", "Ferry", "Container Ship"]),
            "flag": dice.choice(["Panama", "Malta", "Norway", "Liberia"]),
            "port": dice.choice(["Rotterdam", "Antwerp", "Busan", "Durban"]),
            "inspected_on": _day(dice),
            "deficiencies": dice.randrange(0, 30),
            "detained": dice.random() < 0.35,
            "gross_tonnage": dice.randrange(800, 120000),
            "age_years": dice.randrange(0, 40),
            "fine_kusd": _perhaps(dice, round(dice.uniform(1, 300), 1), 0.6),
            "inspector": _perhaps(dice, dice.choice(["Okafor", "Brandt", "Silva"]), 0.8),
            "risk": dice.choice(["Low", "Standard", "High"]),
            "crew_size": dice.randrange(5, 60),
        }
        for i in range(60)
    ]


def texts(name: str, records: list[Record]) -> list[list[str]]:
    """For each record its title and two sentences."""
    dice = random.Random(name)
    tale = _TALES[name]
    return [[f"Report {i}", *dice.sample(tale, 2)] for i in range(len(records))]


SCHEMAS: dict[str, Schema] = {"trials": TRIALS, "leases": LEASES, "inspections": INSPECTIONS}
RECORDS: dict[str, Callable[[], list[Record]]] = {
    "trials": trials,
    "leases": leases,
    "inspections": inspections,
}
