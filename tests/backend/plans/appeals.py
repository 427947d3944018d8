"""An invented collection: appeals against what planning offices refused."""

import random
from datetime import date, timedelta
from typing import Any

APPEALS: list[dict[str, Any]] = [
    {"name": "appeal_no", "field_type": "string", "description": "Number of the appeal"},
    {"name": "council", "field_type": "string", "description": "Council that refused the plan"},
    {"name": "builder", "field_type": "string", "description": "Company that wanted to build"},
    {"name": "inspector", "field_type": "string", "description": "Who decided the appeal"},
    {"name": "procedure", "field_type": "string", "description": "written, hearing or inquiry"},
    {
        "name": "days_to_verdict",
        "field_type": "int",
        "description": "Days from lodging the appeal to the verdict",
    },
    {"name": "site_age_years", "field_type": "float", "description": "How long the site was used"},
    {"name": "minutes_overrun", "field_type": "int", "description": "Delay of the hearing"},
    {"name": "costs_eur", "field_type": "int", "description": "Costs awarded, empty if none"},
    {"name": "decided_on", "field_type": "date", "description": "Date of the decision"},
    {"name": "challenged_on", "field_type": "date", "description": "Empty if never challenged"},
    {"name": "succeeded", "field_type": "bool", "description": "Whether the appeal succeeded"},
]


def appeals() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(11)
    records = []
    for i in range(60):
        day = date(2022, 3, 1) + timedelta(days=dice.randrange(1100))
        challenged = day + timedelta(days=dice.randrange(5, 40))
        records.append(
            {
                "appeal_no": f"AP-{100 + i}",
                "council": dice.choice(["Thornby", "Ashmere", "St. Olave", "Wells Cross"]),
                "builder": dice.choice(["Harrow Homes", "Delgado & Sons", "Northfold"]),
                "inspector": dice.choice(["Ines van Dalen", "Owen Pryce", "Tara Quill"]),
                "procedure": dice.choice(["written", "hearing", "inquiry"]),
                "days_to_verdict": dice.randrange(40, 600),
                "site_age_years": round(dice.uniform(0.2, 40), 1),
                "minutes_overrun": dice.randrange(1, 240),
                "costs_eur": None if dice.random() < 0.4 else dice.randrange(500, 60000, 10),
                "decided_on": day.isoformat(),
                "challenged_on": challenged.isoformat() if dice.random() < 0.4 else None,
                "succeeded": dice.random() < 0.45,
            }
        )
    return records, [[f"Appeal {record['appeal_no']}"] for record in records]
