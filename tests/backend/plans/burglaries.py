"""An invented collection: burglaries, with a sentence of prose each."""

import random
from datetime import date, timedelta
from typing import Any

BURGLARIES: list[dict[str, Any]] = [
    {"name": "case_no", "field_type": "string", "description": "Number of the case"},
    {"name": "quarter", "field_type": "string", "description": "Quarter of the town"},
    {"name": "premises_type", "field_type": "string", "description": "Type of the premises"},
    {"name": "goods", "field_type": "string", "description": "What was taken"},
    {"name": "officer", "field_type": "string", "description": "Officer who led the inquiry"},
    {
        "name": "loss_kgbp",
        "field_type": "float",
        "description": "Value of what was taken in thousands of pounds sterling",
    },
    {"name": "intruders", "field_type": "int", "description": "Number of intruders seen"},
    {"name": "papers", "field_type": "int", "description": "Number of papers in the case file"},
    {
        "name": "response_min",
        "field_type": "float",
        "description": "Average time until help arrived, in minutes",
    },
    {"name": "cleared_pct", "field_type": "float", "description": "Part of the loss got back"},
    {"name": "happened_on", "field_type": "date", "description": "Day of the burglary"},
    {
        "name": "closed_early",
        "field_type": "bool",
        "description": "Whether the inquiry was shut before its time",
    },
    {"name": "alarm", "field_type": "bool", "description": "Whether the place had an alarm"},
]

STORIES = [
    "A barking dog woke the neighbours and the men ran away.",
    "The camera above the door filmed two people in masks.",
    "A former employee was questioned, since nothing had been forced.",
    "Nobody heard anything, and the door was found open in the morning.",
]


def burglaries() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(23)
    records, texts = [], []
    for i in range(60):
        day = date(2021, 1, 5) + timedelta(days=dice.randrange(1200))
        record = {
            "case_no": f"BU-{400 + i}",
            "quarter": dice.choice(["Harbour", "Mill Hill", "Old Town"]),
            "premises_type": dice.choice(["Shop", "Flat", "Warehouse"]),
            "goods": dice.choice(["Tools", "Owner's Boat", "Boats", "Cash"]),
            "officer": dice.choice(["Nora Field", "Abel Stone", "Ida Marsh"]),
            "loss_kgbp": round(dice.uniform(0.5, 900), 1),
            "intruders": dice.randrange(1, 6),
            "papers": dice.randrange(0, 40),
            "response_min": round(dice.uniform(3, 90), 1),
            "cleared_pct": round(dice.uniform(0, 100), 1),
            "happened_on": day.isoformat(),
            "closed_early": dice.random() < 0.4,
            "alarm": dice.random() < 0.5,
        }
        records.append(record)
        story = STORIES[i % len(STORIES)]
        texts.append([f"Case {record['case_no']}", f"A burglary. {story} An officer came."])
    return records, texts
