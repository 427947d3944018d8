"""Three invented collections: recipes, invoices and satellites."""

import random
from typing import Any

RECIPES: list[dict[str, Any]] = [
    {"name": "recipe_id", "field_type": "string", "description": "Unique identifier"},
    {"name": "dish", "field_type": "string", "description": "Name of the dish"},
    {"name": "cuisine", "field_type": "string", "description": "Cuisine, such as Thai or Greek"},
    {"name": "difficulty", "field_type": "string", "description": "Easy, Medium or Hard"},
    {"name": "cooking_minutes", "field_type": "int", "description": "Cooking time in minutes"},
    {"name": "servings", "field_type": "int", "description": "How many people it feeds"},
    {"name": "calories", "field_type": "int", "description": "Energy per serving in kcal"},
    {"name": "vegetarian", "field_type": "bool", "description": "Whether it is free of meat"},
    {"name": "rating", "field_type": "float", "description": "Average score given by readers"},
    {"name": "author", "field_type": "string", "description": "Who wrote the recipe"},
    {"name": "published_on", "field_type": "date", "description": "Day of publication"},
    {"name": "allergen_count", "field_type": "int", "description": "Number of allergens"},
]

INVOICES: list[dict[str, Any]] = [
    {"name": "invoice_number", "field_type": "string", "description": "Unique number"},
    {"name": "supplier", "field_type": "string", "description": "Company that sent the invoice"},
    {"name": "supplier_country", "field_type": "string", "description": "Country of the supplier"},
    {"name": "customer_country", "field_type": "string", "description": "Country of the customer"},
    {"name": "amount_keur", "field_type": "float", "description": "Amount in thousands of euros"},
    {"name": "vat_pct", "field_type": "float", "description": "Value added tax in percent"},
    {"name": "issued_on", "field_type": "date", "description": "Day on which it was issued"},
    {"name": "due_on", "field_type": "date", "description": "Day on which payment is due"},
    {"name": "paid", "field_type": "bool", "description": "Whether it has been paid"},
    {"name": "payment_method", "field_type": "string", "description": "Transfer, Card or Cheque"},
    {"name": "line_items", "field_type": "int", "description": "Number of lines"},
    {"name": "approver", "field_type": "string", "description": "Who approved it"},
]

SATELLITES: list[dict[str, Any]] = [
    {"name": "satellite_id", "field_type": "string", "description": "Catalogue number"},
    {"name": "operator", "field_type": "string", "description": "Organisation that runs it"},
    {"name": "orbit", "field_type": "string", "description": "LEO (low), MEO (medium) or GEO"},
    {"name": "purpose", "field_type": "string", "description": "Purpose of the mission"},
    {"name": "launch_site", "field_type": "string", "description": "Where it was launched"},
    {"name": "launch_date", "field_type": "date", "description": "Date of launch"},
    {"name": "mass_kg", "field_type": "float", "description": "Mass at launch in kilograms"},
    {"name": "cost_musd", "field_type": "float", "description": "Cost in millions of US dollars"},
    {"name": "altitude_km", "field_type": "float", "description": "Mean altitude in kilometres"},
    {"name": "active", "field_type": "bool", "description": "Whether it still works"},
    {"name": "failures", "field_type": "int", "description": "Number of failed components"},
    {"name": "status", "field_type": "string", "description": "Operational, Retired or Lost"},
]


def recipes() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(11)
    cuisines = ["Thai", "Greek", "Mexican", "Northern Thai", "Ethiopian", "French"]
    dishes = ["Green Curry", "Moussaka", "Mole Poblano", "Khao Soi", "Doro Wat", "Ratatouille"]
    stories = [
        "Toast the spices in a dry pan until they smell nutty.",
        "Leave the dough overnight so that it can rise slowly.",
        "Simmer the beans over a low flame for hours.",
        "Grill the peppers until the skin turns black.",
    ]
    records, texts = [], []
    for i in range(60):
        kind = i % len(cuisines)
        records.append(
            {
                "recipe_id": f"R{i:03d}",
                "dish": dishes[kind],
                "cuisine": cuisines[kind],
                "difficulty": dice.choice(["Easy", "Medium", "Hard"]),
                "cooking_minutes": dice.randrange(10, 200, 5),
                "servings": dice.choice([1, 2, 4, 6, 8]),
                "calories": dice.randrange(150, 1200),
                "vegetarian": dice.random() < 0.4,
                "rating": None if i % 10 == 3 else round(dice.uniform(1, 5), 1),
                "author": dice.choice(["Ana Duarte", "Bram Kok", "Chidi Obi", "Dana Weiss"]),
                "published_on": f"{dice.randint(2019, 2024)}-{dice.randint(1, 12):02d}-15",
                "allergen_count": dice.choice([0, 0, 1, 2, 3]),
            }
        )
        texts.append([f"Recipe R{i:03d}: {dishes[kind]}.", stories[i % 4], "Serve the dish warm."])
    return records, texts


def invoices() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(7)
    suppliers = ["Norda Steel", "Pergamon Paper", "Quill & Sons", "Rasmus Freight", "Sable Optics"]
    countries = ["Germany", "Portugal", "Poland", "Guinea", "Papua New Guinea"]
    notes = [
        "The goods arrived damaged.",
        "Delivery was two weeks late.",
        "All goods are in order.",
    ]
    records, texts = [], []
    for i in range(70):
        month, year = dice.randint(1, 12), dice.choice([2022, 2023, 2024])
        records.append(
            {
                "invoice_number": f"INV-{i:04d}",
                "supplier": dice.choice(suppliers),
                "supplier_country": dice.choice(countries),
                "customer_country": dice.choice(["Germany", "Norway", "Chile"]),
                "amount_keur": round(dice.uniform(0.2, 900), 1),
                "vat_pct": dice.choice([0.0, 7.0, 19.0, 23.0]),
                "issued_on": f"{year}-{month:02d}-{dice.randint(1, 28):02d}",
                "due_on": f"{year + (month == 12)}-{month % 12 + 1:02d}-10",
                "paid": dice.random() < 0.6,
                "payment_method": dice.choice(["Transfer", "Card", "Cheque"]),
                "line_items": dice.randint(1, 30),
                "approver": None if i % 7 == 0 else dice.choice(["Kim Lund", "Leo Marsh"]),
            }
        )
        texts.append([f"Invoice INV-{i:04d}", f"This invoice is for goods. {notes[i % 3]}"])
    return records, texts


def satellites() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(3)
    operators = ["Aurora Space", "Borealis", "Cosmolink", "Delta Orbital"]
    sites = ["Kourou", "Baikonur", "Cape Canaveral", "Vandenberg", "Mahia"]
    ends = ["A battery cell overheated.", "Debris struck a solar panel.", "No anomaly was noted."]
    records, texts = [], []
    for i in range(80):
        orbit = dice.choice(["LEO", "MEO", "GEO"])
        records.append(
            {
                "satellite_id": f"S-{i}",
                "operator": dice.choice(operators),
                "orbit": orbit,
                "purpose": dice.choice(
                    ["Weather", "Navigation", "Communications", "Earth imaging"]
                ),
                "launch_site": dice.choice(sites),
                "launch_date": f"{dice.randint(2010, 2025)}-{dice.randint(1, 12):02d}-"
                f"{dice.randint(1, 28):02d}",
                "mass_kg": round(dice.uniform(50, 6000), 1),
                "cost_musd": round(dice.uniform(5, 2500), 1) if i % 9 else None,
                "altitude_km": {"LEO": 550.0, "MEO": 20200.0, "GEO": 35786.0}[orbit],
                "active": dice.random() < 0.7,
                "failures": dice.choice([0, 0, 0, 1, 2, 4]),
                "status": dice.choice(["Operational", "Retired", "Lost"]),
            }
        )
        texts.append([f"Satellite S-{i} report", f"The satellite was launched. {ends[i % 3]}"])
    return records, texts
