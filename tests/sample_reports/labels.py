"""The facts of an event as labels and values, in three wordings.

The wordings differ so that extraction has to match "Wind speed", "Wind" and "Wind (knots)" by
meaning. Each also has harder values: a town and its state in one cell, a number with a unit, a
total beside a part of it, and dates that are not the date of the event.
"""

from collections.abc import Callable
from datetime import date

from tests.sample_reports.events import Event

DateStyle = Callable[[date], str]
Fact = tuple[str, str]


def _money(cost: float | None, style: str) -> str:
    return "not stated" if cost is None else style.format(cost)


def _plain(event: Event, date_of: DateStyle) -> list[Fact]:
    wind = (
        f"{event.wind_speed} knots from {event.wind_from}°" if event.wind_speed else "not recorded"
    )
    return [
        ("Report number", event.number),
        ("Date of event", date_of(event.day)),
        ("Local time", event.clock),
        ("City", event.city),
        ("State", event.state),
        ("Aircraft make", event.aircraft.make),
        ("Aircraft model", event.aircraft.model),
        ("Registration", event.registration),
        ("Operation", event.operation),
        ("Phase of flight", event.phase),
        ("Weather conditions", event.weather),
        ("Wind speed", wind),
        ("Visibility", f"{event.visibility:g} miles"),
        ("Persons on board", str(event.aboard)),
        ("Injuries", f"{event.injuries} ({event.fatal} fatal)" if event.injuries else "None"),
        ("Aircraft damage", event.damage),
        ("Estimated cost of damage", _money(event.cost, "${:,.0f}")),
        ("Pilot's total experience", f"{event.pilot_hours:,} hours"),
        ("Cause category", event.cause.name),
        ("Published", date_of(event.published)),
    ]


def _terse(event: Event, date_of: DateStyle) -> list[Fact]:
    gust = f", gusting {event.gust}" if event.gust else ""
    wind = f"{event.wind_from:03d}° at {event.wind_speed} kt{gust}" if event.wind_speed else "n/a"
    return [
        ("Report No.", event.number),
        ("Occurred on", f"{date_of(event.day)}, {event.clock} local time"),
        ("Location", f"{event.city}, {event.state}"),
        ("Manufacturer", event.aircraft.make),
        ("Model", event.aircraft.model),
        ("Marks", event.registration),
        ("Kind of flight", event.operation),
        ("Flight phase", event.phase),
        ("Conditions", f"{event.weather} meteorological"),
        ("Wind", wind),
        ("Visibility", f"{event.visibility:g} mi"),
        ("Injured persons", str(event.injuries)),
        ("Fatal injuries", "Yes" if event.fatal else "No"),
        ("Damage", event.damage),
        ("Cost estimate", _money(event.cost, "USD {:,.2f}")),
        ("Flight hours of pilot", f"{event.pilot_hours:,} ({event.type_hours:,} on type)"),
        ("Cause", event.cause.name),
        ("Investigator", event.investigator),
    ]


def _form(event: Event, date_of: DateStyle) -> list[Fact]:
    wind = str(event.wind_speed) if event.wind_speed else "not recorded"
    return [
        ("Number", event.number),
        ("Event date", date_of(event.day)),
        ("Time (local)", event.clock),
        ("State", event.state),
        ("Nearest town", event.city),
        ("Make", event.aircraft.make),
        ("Model", event.aircraft.model),
        ("Registration", event.registration),
        ("Type of operation", event.operation),
        ("Phase", event.phase),
        ("Meteorological conditions", event.weather),
        ("Wind (knots)", wind),
        ("Visibility (miles)", f"{event.visibility:g}"),
        ("Fatal / total injuries", f"{event.fatal} / {event.injuries}"),
        ("Damage to aircraft", event.damage),
        ("Damage cost (USD)", _money(event.cost, "{:,.0f}")),
        ("Pilot experience (hours)", str(event.pilot_hours)),
        ("Cause", event.cause.name),
        ("Issued", date_of(event.published)),
        ("Investigator in charge", event.investigator),
    ]


FACTS: tuple[Callable[[Event, DateStyle], list[Fact]], ...] = (_plain, _terse, _form)
