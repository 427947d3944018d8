"""An invented collection of caves: lists of finds, steps of danger, marks, what is still unsold."""

import random
from datetime import date, timedelta
from typing import Any

CAVES: list[dict[str, Any]] = [
    {"name": "cave", "field_type": "string", "description": "Name of the cave"},
    {"name": "massif", "field_type": "string", "description": "Mountains it lies in"},
    {"name": "danger", "field_type": "string", "description": "low, medium, high or extreme"},
    {"name": "rock", "field_type": "string", "description": "limestone, gypsum or lava"},
    {"name": "guide", "field_type": "string", "description": "Who leads the tours"},
    {"name": "length_km", "field_type": "float", "description": "Length of the passages in km"},
    {"name": "descent_m", "field_type": "int", "description": "Deepest point in metres"},
    {"name": "guano_t", "field_type": "float", "description": "Guano dug out in tonnes"},
    {
        "name": "guano_price",
        "field_type": "float",
        "description": "Price in euros per tonne, empty if unsold",
    },
    {
        "name": "trader",
        "field_type": "string",
        "description": "Who took the guano, empty while it is still unsold",
    },
    {"name": "air_mark", "field_type": "float", "description": "Air, 1.0 to 5.0, 1.0 is the best"},
    {"name": "surveyed_on", "field_type": "date", "description": "Day of the last survey"},
    {
        "name": "closed_on",
        "field_type": "date",
        "description": "Day of the early closure, empty if not closed",
    },
    {"name": "finds", "field_type": "array", "description": "What was found inside"},
    {"name": "flooded", "field_type": "bool", "description": "Whether it was under water"},
]


def caves() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(41)
    names = [f"{a} {b}" for a in ("Otter", "Raven", "Amber", "Echo", "Moon", "Salt")
             for b in ("Hole", "Gallery", "Shaft", "Chasm")]  # fmt: skip
    records = []
    for i, name in enumerate(names):
        sold = dice.random() < 0.7
        surveyed = date(2023, 1, 9) + timedelta(dice.randrange(700))
        closed = surveyed + timedelta(dice.randrange(20, 300))
        record = {
            "cave": name,
            "massif": dice.choice(["Karun", "Velmo", "Istra"]),
            "danger": ["low", "medium", "high", "extreme"][i * 7 % 4],
            "rock": ["limestone", "gypsum", "lava"][i % 3],
            "guide": dice.choice(["Una Prek", "Toma Ilic", "Sara Dov"]),
            "length_km": round(dice.uniform(0.2, 30), 1),
            "descent_m": dice.randrange(10, 900),
            "guano_t": round(dice.uniform(1, 80), 1),
            "guano_price": float(dice.randrange(50, 400)) if sold else None,
            "trader": dice.choice(["Hallo Feeds", "Brug"]) if sold else None,
            "air_mark": dice.choice([1.0, 1.5, 2.0, 2.5, 3.0, 4.5]) if i % 6 else None,
            "surveyed_on": surveyed.isoformat(),
            "closed_on": closed.isoformat() if dice.random() < 0.4 else None,
            "finds": dice.sample(["bones", "beads", "flint", "coins"], i % 5),
            "flooded": i % 4 == 1,
        }
        records.append({key: value for key, value in record.items() if value is not None})
    return records, [[f"{record['cave']} in the {record['massif']}"] for record in records]
