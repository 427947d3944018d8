"""An invented collection: shipments of a wholesaler, each with several dates, amounts and towns."""

import random
from datetime import date, timedelta
from typing import Any

SHIPMENTS: list[dict[str, Any]] = [
    {"name": "shipment_no", "type": {"type": "string", "description": "Number of the shipment"}},
    {"name": "customer", "type": {"type": "string", "description": "Who ordered"}},
    {"name": "country", "type": {"type": "string", "description": "Country of the customer"}},
    {"name": "ordered_on", "type": {"type": "date", "description": "Day of the order"}},
    {"name": "shipped_on", "type": {"type": "date", "description": "Day it left the warehouse"}},
    {"name": "due_on", "type": {"type": "date", "description": "Day it was promised for"}},
    {"name": "total_amount", "type": {"type": "float", "description": "Amount to be paid"}},
    {"name": "paid_amount", "type": {"type": "float", "description": "Amount that was paid"}},
    {"name": "pallets", "type": {"type": "int", "description": "How many pallets"}},
    {"name": "origin_town", "type": {"type": "string", "description": "Town it left from"}},
    {"name": "target_town", "type": {"type": "string", "description": "Town it went to"}},
]
_TOWNS = ["Brno", "Gdynia", "Linz", "Turku"]


def shipments(count: int = 80) -> list[dict[str, Any]]:
    """Some are not shipped yet, of some nobody knows what was paid."""
    dice = random.Random(23)
    made = []
    for i in range(count):
        ordered = date(2022, 1, 3) + timedelta(days=dice.randrange(900))
        shipped = ordered + timedelta(days=dice.randrange(60))
        total = float(dice.randrange(100, 2000, 50))
        paid = dice.choice([total, total, total / 2, 0.0, total + 50])
        made.append(
            {
                "shipment_no": f"S{i:03d}",
                "customer": dice.choice(["Alder", "Birke", "Cedar", "Dogwood", "Elm"]),
                "country": dice.choice(["Austria", "Finland", "Poland"]),
                "ordered_on": ordered.isoformat(),
                "shipped_on": None if dice.random() < 0.15 else shipped.isoformat(),
                "due_on": (ordered + timedelta(days=30)).isoformat(),
                "total_amount": total,
                "paid_amount": None if dice.random() < 0.1 else paid,
                "pallets": dice.randrange(1, 6),
                "origin_town": dice.choice(_TOWNS),
                "target_town": dice.choice(_TOWNS),
            }
        )
    return made
