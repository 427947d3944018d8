"""An invented collection: archaeological digs, whose properties are described at some length."""

import random
from datetime import date, timedelta
from typing import Any

DIGS: list[dict[str, Any]] = [
    {"name": "dig_id", "field_type": "string", "description": "Unique identifier of the dig"},
    {"name": "site", "field_type": "string", "description": "Name of the site"},
    {"name": "country", "field_type": "string", "description": "Country of the site"},
    {"name": "funder", "field_type": "string", "description": "Body that paid for it (sponsor)"},
    {"name": "lead", "field_type": "string", "description": "Archaeologist who directed the dig"},
    {"name": "culture", "field_type": "string", "description": "Find type: Roman, Norse or Celtic"},
    {"name": "state", "field_type": "string", "description": "State: Open, Closed or Sealed"},
    {"name": "opened_on", "field_type": "date", "description": "Day on which it was opened"},
    {"name": "monthly_cost_eur", "field_type": "float", "description": "Base cost per month, EUR"},
    {"name": "cost_growth_pct", "field_type": "float", "description": "Yearly growth in percent"},
    {
        "name": "value_keur",
        "field_type": "float",
        "description": "Value of the finds in thousands of euros",
    },
    {
        "name": "trench_days",
        "field_type": "int",
        "description": "Days taken to excavate the trench, empty while it is open",
    },
    {"name": "lab_hours", "field_type": "float", "description": "Hours spent in the laboratory"},
    {
        "name": "volunteers",
        "field_type": "int",
        "description": "Number of volunteers (helpers) who got a meal",
    },
    {
        "name": "quit_pct",
        "field_type": "float",
        "description": "Share of volunteers who left early, in percent",
    },
    {"name": "watch_weeks", "field_type": "int", "description": "Length of the watch in weeks"},
    {"name": "exceptions", "field_type": "int", "description": "Number of exceptions to the rules"},
    {
        "name": "permit_renewable",
        "field_type": "bool",
        "description": "Whether the funder has an option to extend the permit",
    },
    {"name": "prize_won_eur", "field_type": "float", "description": "Prize for the report, EUR"},
    {"name": "patron", "field_type": "string", "description": "Patron that won the right to dig"},
    {"name": "max_noise_dba", "field_type": "int", "description": "Highest noise allowed, in dBA"},
    {"name": "pipe_in", "field_type": "float", "description": "Pipe laid, in inches"},
    {"name": "depth_ft", "field_type": "float", "description": "Depth in feet"},
    {"name": "guarded", "field_type": "bool", "description": "Whether the country guarded it"},
    {
        "name": "press_day",
        "field_type": "bool",
        "description": "Whether reporters or other guests got a meal",
    },
]


def digs() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(41)
    records = []
    for i in range(64):
        state = dice.choice(["Open", "Closed", "Closed", "Sealed"])
        records.append(
            {
                "dig_id": f"D-{i:03d}",
                "site": dice.choice(["Long Barrow", "Hill Fort", "Salt Pans", "Old Quay"]),
                "country": dice.choice(["Norway", "Germany", "Spain", "Ireland"]),
                "funder": dice.choice(["Aldus Trust", "Bryn Fund", "Corda Society"]),
                "lead": dice.choice(["Ines Marsh", "Oskar Lund", "Tilda Ray"]),
                "culture": dice.choice(["Roman", "Norse", "Celtic"]),
                "state": state,
                "opened_on": (date(2020, 1, 1) + timedelta(dice.randrange(1400))).isoformat(),
                "monthly_cost_eur": float(dice.randrange(2_000, 40_000, 250)),
                "cost_growth_pct": round(dice.uniform(0, 9), 1),
                "value_keur": round(dice.uniform(5, 2_500), 1),
                "trench_days": None if state == "Open" else dice.randrange(10, 200),
                "lab_hours": round(dice.uniform(5, 300), 1),
                "volunteers": dice.randrange(0, 90),
                "quit_pct": round(dice.uniform(0, 30), 1),
                "watch_weeks": dice.randrange(4, 60),
                "exceptions": dice.randrange(0, 6),
                "permit_renewable": dice.random() < 0.5,
                "prize_won_eur": float(dice.randrange(100, 900)),
                "patron": dice.choice(["Vale House", "Wick Hall"]),
                "max_noise_dba": dice.choice([40, 50, 60]),
                "pipe_in": float(dice.randrange(2, 12)),
                "depth_ft": float(dice.randrange(2, 40)),
                "guarded": dice.random() < 0.5,
                "press_day": dice.random() < 0.4,
            }
        )
    return records, [[f"Report on dig {record['dig_id']}"] for record in records]
