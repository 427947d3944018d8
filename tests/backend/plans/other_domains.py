"""Two more invented collections: sailings of ferries and cases of an animal clinic."""

import random
from datetime import date, timedelta
from typing import Any

SAILINGS: list[dict[str, Any]] = [
    {"name": "sailing_id", "field_type": "string", "description": "Sailing identifier"},
    {"name": "route", "field_type": "string", "description": "Route the ferry sails"},
    {"name": "vessel", "field_type": "string", "description": "Name of the ferry"},
    {"name": "captain", "field_type": "string", "description": "Captain on duty"},
    {"name": "sailed_on", "field_type": "date", "description": "Day of departure"},
    {"name": "delay_minutes", "field_type": "int", "description": "Delay on arrival in minutes"},
    {"name": "passengers", "field_type": "int", "description": "People on board"},
    {"name": "wave_height_m", "field_type": "float", "description": "Height of waves in metres"},
    {"name": "wind_knots", "field_type": "float", "description": "Wind speed in knots"},
    {"name": "ticket_price_nok", "field_type": "float", "description": "Price of a ticket"},
    {"name": "cancelled", "field_type": "bool", "description": "Whether it was cancelled"},
    {"name": "weather", "field_type": "string", "description": "Weather at sea"},
    {"name": "causes", "field_type": "array", "description": "Causes of delay"},
]

CASES: list[dict[str, Any]] = [
    {"name": "case_ref", "field_type": "string", "description": "Reference of the case"},
    {"name": "species", "field_type": "string", "description": "Kind of animal"},
    {"name": "vet", "field_type": "string", "description": "Who treated the animal"},
    {"name": "owner_town", "field_type": "string", "description": "Town where the owner lives"},
    {"name": "admitted_on", "field_type": "date", "description": "Day of admission"},
    {"name": "stay_days", "field_type": "int", "description": "Nights spent in the clinic"},
    {"name": "weight_kg", "field_type": "float", "description": "Body weight in kilograms"},
    {"name": "bill_eur", "field_type": "float", "description": "Invoice total in euros"},
    {"name": "body_temp_c", "field_type": "float", "description": "Temperature in degrees Celsius"},
    {"name": "surgery", "field_type": "bool", "description": "Whether there was an operation"},
    {"name": "insured", "field_type": "bool", "description": "Whether the owner is insured"},
    {"name": "medication", "field_type": "string", "description": "Medicine prescribed"},
    {"name": "outcome", "field_type": "string", "description": "Outcome of the treatment"},
]


def sailings() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(5)
    records = [
        {
            "sailing_id": f"F{i}",
            "route": dice.choice(["Bergen-Stavanger", "Oslo-Kiel", "Turku-Visby"]),
            "vessel": dice.choice(["Nordlys", "Havila", "Fjordprins"]),
            "captain": dice.choice(["Inge Dahl", "Mona Berg", "Per Lie"]),
            "sailed_on": (date(2022, 1, 1) + timedelta(dice.randrange(900))).isoformat(),
            "delay_minutes": dice.choice([0, 0, 5, 12, 30, 75]),
            "passengers": dice.randrange(20, 600),
            "wave_height_m": round(dice.uniform(0, 6), 1),
            "wind_knots": round(dice.uniform(0, 50), 1),
            "ticket_price_nok": dice.choice([99.0, 199.0, 349.0]),
            "cancelled": dice.random() < 0.2,
            "weather": dice.choice(["storm", "calm", "fog"]),
            "causes": dice.sample(["engine", "crew", "ice"], dice.choice([0, 1, 2])),
        }
        for i in range(50)
    ]
    return records, [[f"Sailing F{i}"] for i in range(50)]


def cases() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(9)
    records = [
        {
            "case_ref": f"C-{i}",
            "species": dice.choice(["dog", "cat", "rabbit", "parrot"]),
            "vet": dice.choice(["Dr Lena Roth", "Dr Omar Aziz", "Dr Finn Wolf"]),
            "owner_town": dice.choice(["Graz", "Linz", "Wels"]),
            "admitted_on": (date(2021, 1, 1) + timedelta(dice.randrange(1200))).isoformat(),
            "stay_days": dice.randrange(0, 14),
            "weight_kg": round(dice.uniform(0.1, 60), 1),
            "bill_eur": round(dice.uniform(30, 4000), 2),
            "body_temp_c": round(dice.uniform(36, 41), 1),
            "surgery": dice.random() < 0.4,
            "insured": dice.random() < 0.5,
            "medication": dice.choice(["antibiotics", "painkiller", "none"]),
            "outcome": dice.choice(["recovered", "died", "referred"]),
        }
        for i in range(60)
    ]
    return records, [[f"Case C-{i}"] for i in range(60)]
