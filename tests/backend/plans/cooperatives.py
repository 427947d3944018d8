"""An invented collection: quarterly figures of cooperatives with a year of their own."""

import random
from datetime import date, timedelta
from typing import Any

COOPERATIVES: list[dict[str, Any]] = [
    {"name": "sheet_id", "field_type": "string", "description": "Unique identifier"},
    {"name": "cooperative", "field_type": "string", "description": "Name of the cooperative"},
    {"name": "branch", "field_type": "string", "description": "Branch of trade"},
    {"name": "chairman", "field_type": "string", "description": "Elected head"},
    {"name": "business_year", "field_type": "int", "description": "Business year of the sheet"},
    {"name": "quarter", "field_type": "string", "description": "Quarter, Q1 to Q4"},
    {"name": "printed_on", "field_type": "date", "description": "Day of printing"},
    {"name": "turnover_keur", "field_type": "float", "description": "Turnover, thousands of EUR"},
    {
        "name": "result_keur",
        "field_type": "float",
        "description": "Profit or loss in thousands",
    },
    {"name": "growth_pct", "field_type": "float", "description": "Growth of turnover in percent"},
    {"name": "gross_margin_pct", "field_type": "float", "description": "Gross margin in percent"},
    {"name": "members", "field_type": "int", "description": "Number of members"},
    {"name": "mishaps", "field_type": "int", "description": "Number of deaths and other mishaps"},
    {
        "name": "dues",
        "field_type": "string",
        "description": "Fees: Raised or Lowered",
    },
    {"name": "checked", "field_type": "bool", "description": "Whether the sheet was checked"},
]


def cooperatives() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(53)
    heads = {"Alder Dairy": "Una Frost", "Birch Mill": "Per Holm", "Cove Fishers": "Ada Quist"}
    records = []
    for i in range(72):
        name = dice.choice(list(heads))
        year, quarter = dice.randrange(2020, 2024), dice.randrange(1, 5)
        printed = date(year, 3 * quarter, 20) + timedelta(dice.randrange(20, 60))
        records.append(
            {
                "sheet_id": f"S-{i:03d}",
                "cooperative": name,
                "branch": {"A": "Food", "B": "Food", "C": "Fish"}[name[0]],
                "chairman": heads[name],
                "business_year": year,
                "quarter": f"Q{quarter}",
                "printed_on": printed.isoformat(),
                "turnover_keur": round(dice.uniform(80, 900), 1),
                "result_keur": round(dice.uniform(-60, 120), 1),
                "growth_pct": round(dice.uniform(-9, 12), 1),
                "gross_margin_pct": round(dice.uniform(2, 45), 1),
                "members": dice.randrange(40, 4000),
                "mishaps": dice.choice([0, 0, 1, 2, 5]),
                "dues": dice.choice(["Raised", "Lowered"]),
                "checked": dice.random() < 0.4,
            }
        )
    return records, [[f"Sheet {record['sheet_id']}"] for record in records]
