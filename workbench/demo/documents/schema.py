"""The schema of the sample reports, and the true values of a report."""

from typing import Any

from workbench.demo.documents.causes import CAUSES
from workbench.demo.documents.events import Event
from workbench.demo.documents.world import DAMAGE, OPERATIONS, PHASES, WEATHER


def _plain(name: str, kind: str, description: str, examples: list[Any]) -> dict[str, Any]:
    return {
        "name": name,
        "type": {"type": kind, "description": description, "examples": examples},
    }


def _choice(name: str, description: str, choices: tuple[str, ...]) -> dict[str, Any]:
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
        _choice("operation", "Kind of operation the flight was made for", OPERATIONS),
        _choice("phase", "Phase of flight in which the event occurred", PHASES),
        _choice("weather", "Meteorological conditions at the time", WEATHER),
        _plain("wind_speed", "int", "Wind speed in knots", [12]),
        _plain("visibility", "float", "Visibility in miles", [10.0]),
        _plain("injuries", "int", "Number of people injured, fatally or not", [2]),
        _plain("fatal", "bool", "Whether anyone was killed (fatal injuries)", [False]),
        _choice("damage", "Damage to the aircraft", DAMAGE),
        _plain("damage_cost", "float", "Estimated cost of the damage in USD", [184500.0]),
        _plain("pilot_hours", "int", "Total flight experience of the pilot in hours", [1250]),
        _choice("cause", "Category of the probable cause", tuple(cause.name for cause in CAUSES)),
    ]
}
"""Body of Create Docset's `schema` and of Extract Properties."""


def true_values(event: Event) -> dict[str, Any]:
    """The true value of each property of `DEMO_SCHEMA`; None where the report does not state it."""
    return {
        "report_number": event.number,
        "event_date": event.day.isoformat(),
        "state": event.state,
        "city": event.city,
        "aircraft_make": event.aircraft.make,
        "aircraft_model": event.aircraft.model,
        "operation": event.operation,
        "phase": event.phase,
        "weather": event.weather,
        "wind_speed": event.wind_speed,
        "visibility": event.visibility,
        "injuries": event.injuries,
        "fatal": event.fatal > 0,
        "damage": event.damage,
        "damage_cost": event.cost,
        "pilot_hours": event.pilot_hours,
        "cause": event.cause.name,
    }
