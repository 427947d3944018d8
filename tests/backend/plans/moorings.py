"""An invented collection of contracts that run on: berths of boats in some harbours."""

import random
from datetime import date, timedelta
from typing import Any

MOORINGS: list[dict[str, Any]] = [
    {"name": "contract_no", "field_type": "string", "description": "Number of the contract"},
    {"name": "skipper", "field_type": "string", "description": "Person who keeps the boat"},
    {"name": "harbour", "field_type": "string", "description": "Harbour with the berth"},
    {"name": "pier", "field_type": "string", "description": "Pier of the berth"},
    {"name": "hull", "field_type": "string", "description": "Boat type: ketch, sloop or yawl"},
    {"name": "rigger", "field_type": "string", "description": "Who rigged the boat"},
    {"name": "monthly_fee_eur", "field_type": "float", "description": "Berth fee in euros"},
    {"name": "fee_rise_pct", "field_type": "float", "description": "Yearly rise in percent"},
    {"name": "repairs_keur", "field_type": "float", "description": "Repairs in thousand euros"},
    {
        "name": "carried",
        "field_type": "int",
        "description": "Number of passengers of a trip",
    },
    {"name": "trip_hours", "field_type": "float", "description": "Length of the trip in hours"},
    {"name": "began_on", "field_type": "date", "description": "First day of the contract"},
    {"name": "ends_on", "field_type": "date", "description": "Day on which the contract expires"},
    {"name": "winter_berth", "field_type": "bool", "description": "Whether it may stay in winter"},
    {"name": "insured", "field_type": "bool", "description": "Whether there is an insurance"},
]


def moorings() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(41)
    records = []
    for i in range(60):
        began = date(2021, 1, 4) + timedelta(days=dice.randrange(1200))
        records.append(
            {
                "contract_no": f"MC-{100 + i}",
                "skipper": dice.choice(["Ada Finch", "Bo Lund", "Cy Marr", "Di Voss"]),
                "harbour": dice.choice(["Skerry", "Holm", "Brack", "Tarn"]),
                "pier": f"Pier {dice.randrange(1, 5)}",
                "hull": dice.choice(["ketch", "sloop", "yawl"]),
                "rigger": dice.choice(["Ole Berg", "Pia Quist"]),
                "monthly_fee_eur": float(dice.randrange(100, 3000, 50)),
                "fee_rise_pct": float(dice.choice([1, 2, 3, 4])),
                "repairs_keur": round(dice.uniform(0.1, 40), 1),
                "carried": dice.randrange(1, 3000),
                "trip_hours": float(dice.randrange(1, 90)),
                "began_on": began.isoformat(),
                "ends_on": (began + timedelta(days=dice.randrange(90, 1500))).isoformat(),
                "winter_berth": dice.random() < 0.5,
                "insured": dice.random() < 0.6,
            }
        )
    return records, [[f"Contract {record['contract_no']}"] for record in records]
