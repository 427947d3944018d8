"""An invented collection: visits to greenhouses, with a remark on what was seen in each."""

import random
from typing import Any

GREENHOUSES: list[dict[str, Any]] = [
    {"name": "visit_no", "field_type": "string", "description": "Number of the visit"},
    {"name": "grower", "field_type": "string", "description": "Name of the grower"},
    {"name": "town", "field_type": "string", "description": "Town in which the greenhouse stands"},
    {"name": "crop", "field_type": "string", "description": "Main crop, such as Peppers or Roses"},
    {"name": "visited_on", "field_type": "date", "description": "Day of the visit"},
    {"name": "area_sqm", "field_type": "int", "description": "Area under glass in square metres"},
    {
        "name": "wage_eur",
        "field_type": "float",
        "description": "Wage of a picker per hour in euros",
    },
    {"name": "heated", "field_type": "bool", "description": "Whether the greenhouse is heated"},
]

REMARKS = {
    "pest": [
        "Whitefly sat under most of the leaves.",
        "Aphids had been brought in with young plants.",
    ],
    "water": [
        "A hose had burst in the night and the paths stood under water.",
        "The pump was broken, and the seedlings had dried out.",
    ],
    "injury": ["One of the pickers had cut her hand on a pane and was taken to a doctor."],
    "wages": ["The hired hands told us that the grower had not paid them since spring."],
    "nothing": ["Everything was in good order.", "Nothing worth a remark was seen."],
}


def greenhouses() -> tuple[list[dict[str, Any]], list[list[str]]]:
    dice = random.Random(7)
    records, texts = [], []
    kinds = list(REMARKS)
    for i in range(60):
        records.append(
            {
                "visit_no": f"GV-{300 + i}",
                "grower": dice.choice(["Anke Visser", "Ole Brandt", "Rosa Lund"]),
                "town": dice.choice(["Westland", "Almere", "Venlo"]),
                "crop": dice.choice(["Peppers", "Roses", "Cucumbers"]),
                "visited_on": f"202{dice.randrange(1, 5)}-0{dice.randrange(1, 10)}-11",
                "area_sqm": dice.randrange(300, 9000),
                "wage_eur": round(dice.uniform(9, 19), 2),
                "heated": dice.random() < 0.5,
            }
        )
        remark = dice.choice(REMARKS[kinds[i % len(kinds)]])
        texts.append([f"Visit GV-{300 + i}", f"We came without notice. {remark}"])
    return records, texts
