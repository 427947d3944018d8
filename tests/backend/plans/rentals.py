"""An invented collection of things that go out and come back: rentals of instruments."""

import random
from datetime import date, timedelta
from typing import Any

RENTALS: list[dict[str, Any]] = [
    {"name": "rental_id", "field_type": "string", "description": "Identifier of the rental"},
    {"name": "instrument", "field_type": "string", "description": "Instrument that was rented"},
    {"name": "maker", "field_type": "string", "description": "Workshop that made it"},
    {"name": "maker_country", "field_type": "string", "description": "Country of the workshop"},
    {"name": "clerk", "field_type": "string", "description": "Person who handed it out"},
    {"name": "built_in", "field_type": "int", "description": "Year in which it was built"},
    {"name": "starts_on", "field_type": "date", "description": "First day of the rental"},
    {"name": "ends_on", "field_type": "date", "description": "Last day, empty if still running"},
    {"name": "price_eur", "field_type": "float", "description": "Price of the rental in euros"},
    {"name": "insured_eur", "field_type": "float", "description": "Insured sum in euros"},
    {"name": "length_cm", "field_type": "float", "description": "Length in cm"},
    {"name": "strings_broken", "field_type": "int", "description": "Strings broken on return"},
    {"name": "is_closed", "field_type": "bool", "description": "Whether the file is closed"},
    {"name": "extras", "field_type": "array", "description": "What was lent with it"},
    {"name": "rating", "field_type": "float", "description": "Rating, missing if not yet rated"},
]


def rentals() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(29)
    records = []
    for i in range(70):
        start = date(2022, 1, 3) + timedelta(dice.randrange(800))
        end = start + timedelta(dice.randrange(20, 400))
        records.append(
            {
                "rental_id": f"K-{i:03d}",
                "instrument": dice.choice(["violin", "cello", "harp", "flute"]),
                "maker": dice.choice(["Bauer", "Lindholm", "Mori", "Petit"]),
                "maker_country": dice.choice(["Germany", "Norway", "Japan", "Poland"]),
                "clerk": dice.choice(["Ada Brandt", "Ben Osei", "Carla Nunes"]),
                "built_in": dice.randrange(1890, 2015),
                "starts_on": start.isoformat(),
                "ends_on": None if dice.random() < 0.2 else end.isoformat(),
                "price_eur": float(dice.randrange(20, 900, 10)),
                "insured_eur": float(dice.randrange(500, 1_500_000, 500)),
                "length_cm": round(dice.uniform(30, 190), 1),
                "strings_broken": dice.choice([0, 0, 0, 1, 2, 12]),
                "is_closed": dice.random() < 0.6,
                "extras": dice.sample(["bow", "case", "stand"], dice.choice([0, 1, 2])),
                "rating": None if dice.random() < 0.25 else round(dice.uniform(1, 5), 1),
            }
        )
    return records, [[f"Rental {record['rental_id']}"] for record in records]
