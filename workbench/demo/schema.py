"""The schema of the sample reports."""

from typing import Any


def _plain(name: str, kind: str, description: str, examples: list[Any]) -> dict[str, Any]:
    return {
        "name": name,
        "type": {"type": kind, "description": description, "examples": examples},
    }


def _choice(name: str, description: str, *choices: str) -> dict[str, Any]:
    return {
        "name": name,
        "type": {"type": "choice", "description": description, "choices": list(choices)},
    }


DEMO_SCHEMA: dict[str, Any] = {
    "properties": [
        _plain("report_number", "string", "Number of the report", ["AFS-2021-0042"]),
        _plain("event_date", "date", "Date on which the event occurred", ["2021-06-30"]),
        _plain("state", "string", "State where the event occurred", ["Calder", "Highmoor"]),
        _plain("city", "string", "City or town nearest to the event", ["Wrenfield", "Saltwick"]),
        _plain("aircraft_make", "string", "Maker of the aircraft", ["Halberd", "Tarnfield"]),
        _plain("aircraft_model", "string", "Model of the aircraft", ["H-20 Swift", "OS-5"]),
        _choice(
            "operation",
            "Kind of operation the flight was made for",
            "Private",
            "Instruction",
            "Charter",
            "Cargo",
            "Aerial work",
        ),
        _choice(
            "phase",
            "Phase of flight in which the event occurred",
            "Taxi",
            "Takeoff",
            "Climb",
            "Cruise",
            "Maneuvering",
            "Approach",
            "Landing",
        ),
        _choice(
            "weather",
            "Meteorological conditions at the time",
            "Visual",
            "Instrument",
        ),
        _plain("wind_speed", "int", "Wind speed in knots", [12]),
        _plain("visibility", "float", "Visibility in miles", [10.0]),
        _plain("injuries", "int", "Number of people injured, fatally or not", [2]),
        _plain("fatal", "bool", "Whether anyone was killed (fatal injuries)", [False]),
        _choice("damage", "Damage to the aircraft", "None", "Minor", "Substantial", "Destroyed"),
        _plain("damage_cost", "float", "Estimated cost of the damage in USD", [184500.0]),
        _plain("pilot_hours", "int", "Total flight experience of the pilot in hours", [1250]),
        _choice(
            "cause",
            "Category of the probable cause",
            "Fuel exhaustion",
            "Bird strike",
            "Loss of control in crosswind",
            "Carburetor icing",
            "Landing gear failure",
            "Runway excursion",
            "Wire strike",
            "Engine power loss",
            "Ground collision",
            "Controlled flight into terrain",
            "Hard landing",
            "Tail rotor failure",
        ),
    ]
}
"""Body of Create Docset's `schema` and of Extract Properties."""
