"""An invented collection: jobs of a workshop that repairs what people bring."""

import random
from datetime import date, timedelta
from typing import Any

REPAIRS: list[dict[str, Any]] = [
    {"name": "job_no", "field_type": "string", "description": "Number of the repair job"},
    {"name": "town", "field_type": "string", "description": "Town where the customer lives"},
    {"name": "item", "field_type": "string", "description": "What was repaired"},
    {"name": "mechanic", "field_type": "string", "description": "Who did the repair"},
    {"name": "parts_cost_eur", "field_type": "float", "description": "Cost of parts in euros"},
    {"name": "labour_hours", "field_type": "float", "description": "Hours of work"},
    {"name": "is_fixed", "field_type": "bool", "description": "Whether the item works again"},
    {"name": "brought_in", "field_type": "date", "description": "Day on which it was brought in"},
    {"name": "rating", "field_type": "float", "description": "Rating by the customer from 1 to 5"},
    {"name": "visits", "field_type": "int", "description": "How often the customer had to come"},
    {"name": "warranty", "field_type": "bool", "description": "Whether it was under warranty"},
]


def repairs() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(7)
    records = []
    for i in range(60):
        day = date(2022, 1, 5) + timedelta(days=dice.randrange(1200))
        records.append(
            {
                "job_no": f"J{i:03d}",
                "town": dice.choice(["Halden", "Moss", "Larvik", "Skien"]),
                "item": dice.choice(["bicycle", "toaster", "lamp", "radio", "kettle"]),
                "mechanic": dice.choice(["Anna Roos", "Bilal Aydin", "Cleo Marsh"]),
                "parts_cost_eur": float(dice.randrange(0, 120, 2)),
                "labour_hours": round(dice.uniform(0.2, 6), 1),
                "is_fixed": dice.random() < 0.7,
                "brought_in": day.isoformat(),
                "rating": None if dice.random() < 0.2 else round(dice.uniform(1, 5), 1),
                "visits": dice.choice([1, 1, 2, 3, 4]),
                "warranty": dice.random() < 0.3,
            }
        )
    return records, [[f"Job {record['job_no']}"] for record in records]
