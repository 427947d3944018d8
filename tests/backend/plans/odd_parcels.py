"""A collection of odd values: unknown, empty, very large, in other scripts, alike but for case."""

import random
from typing import Any

KINDS = {
    "parcel": "string", "weight": "float", "pieces": "int", "serial": "int", "city": "string",
    "grade": "string", "sent": "date", "seen": "datetime", "fragile": "bool", "tags": "array",
    "never": "float",
}  # fmt: skip
DERIVED = {
    "sent.weekday": "choice", "sent.month_of_year": "choice", "seen.days_since.sent": "float",
    "seen.hour": "int", "weight.minus.pieces": "float", "weight.share_of.pieces": "float",
}  # fmt: skip
"""Fields that are worked out from others."""

SCHEMA: list[dict[str, Any]] = [
    {"name": name, "type": {"type": "array", "item_type": {"type": "string"}}}
    if kind == "array"
    else {"name": name, "field_type": kind}
    for name, kind in KINDS.items()
]
CITIES = ["Öl", "öl", "ÖLAND", "Łódź", "łódź port", "東京", "", 'o\'Brien "Q"', "a_b%c", "ΣΑΣ"]
TAGS = ["red", "Red", "blue", "", "ice 冰"]
LARGE = 2**53
WEIGHTS = [-3.5, -0.0, 0.0, 0.1, 0.2, 0.3, 2.0, 7.25, 1234567.5, 0.001]


def parcels(count: int = 90) -> list[dict[str, Any]]:
    """Records of the collection; a property may be missing, null or empty."""
    dice = random.Random(11)

    def perhaps(value: Any) -> Any:
        return None if dice.random() < 0.2 else value

    made = [
        {
            "parcel": f"P{number}",
            "weight": perhaps(dice.choice(WEIGHTS)),
            "pieces": perhaps(dice.randrange(-2, 5)),
            "serial": perhaps(LARGE + dice.randrange(-2, 4)),
            "city": perhaps(dice.choice(CITIES)),
            "grade": perhaps(dice.choice("AaB")),
            "sent": perhaps(f"202{dice.randrange(3)}-{dice.choice(['01', '06', '12'])}-"
                            f"{dice.choice(['01', '15', '28'])}"),
            "seen": perhaps(f"2021-0{dice.randrange(1, 4)}-15T{dice.choice(['00', '10', '23'])}"
                            ":30:00"),
            "fragile": perhaps(dice.random() < 0.5),
            "tags": perhaps([dice.choice(TAGS) for _ in range(dice.randrange(4))]),
            "never": None,
        }
        for number in range(count)
    ]  # fmt: skip
    for record in made[::7]:
        del record["never"]
    return made
