"""The facts of an invented event, drawn from one random stream.

Reports state these facts in different words; only this file decides them.
"""

import random
from dataclasses import dataclass
from datetime import date, timedelta

from tests.sample_reports.causes import CAUSES, Cause
from tests.sample_reports.world import (
    AGENCY_SHORT,
    AIRCRAFT,
    INVESTIGATORS,
    OPERATIONS,
    STATES,
    Aircraft,
)

FIRST_DAY = date(2019, 1, 5)
DAYS = 6 * 365


@dataclass(frozen=True)
class Event:
    """The facts. Speeds in knots, visibility in miles, temperatures in °C, `cost` in USD.

    `wind_speed` and `cost` are None where the report states that they are unknown.
    """

    number: str
    day: date
    minute: int
    published: date
    state: str
    city: str
    airport: str
    aircraft: Aircraft
    registration: str
    operation: str
    phase: str
    cause: Cause
    weather: str
    wind_from: int
    wind_speed: int | None
    gust: int | None
    visibility: float
    temperature: int
    dew_point: int
    aboard: int
    fatal: int
    serious: int
    minor: int
    damage: str
    cost: float | None
    pilot_hours: int
    type_hours: int
    investigator: str

    @property
    def injuries(self) -> int:
        """People injured, including those killed."""
        return self.fatal + self.serious + self.minor

    @property
    def clock(self) -> str:
        return f"{self.minute // 60:02d}:{self.minute % 60:02d}"


def draw_events(count: int, seed: int) -> list[Event]:
    """`count` events by date; equal arguments give equal events."""
    rng = random.Random(seed)
    days = sorted(FIRST_DAY + timedelta(days=rng.randrange(DAYS)) for _ in range(count))
    serial: dict[int, int] = {}
    events = []
    bag: list[Cause] = []
    for day in days:
        if not bag:  # each cause is drawn once before any is drawn again
            bag = rng.sample(CAUSES, len(CAUSES))
        serial[day.year] = serial.get(day.year, rng.randrange(4, 30)) + rng.randrange(1, 19)
        number = f"{AGENCY_SHORT}-{day.year}-{serial[day.year]:04d}"
        events.append(_draw(rng, day, number, bag.pop()))
    return events


def _draw(rng: random.Random, day: date, number: str, cause: Cause) -> Event:
    fleet = [craft for craft in AIRCRAFT if craft.helicopter == cause.helicopter]
    if cause.name == "Carburetor icing":
        fleet = [craft for craft in fleet if craft.seats <= 6]
    aircraft = rng.choice(fleet)
    operation = _operation(rng, aircraft)
    state = rng.choice(list(STATES))
    city = rng.choice(STATES[state])
    instrument = rng.random() < max(cause.weather, 0.2)
    wind = rng.randrange(17, 29) if cause.windy else rng.randrange(3, 16)
    aboard = _aboard(rng, aircraft, operation)
    damage, fatal, serious, minor = _harm(rng, cause, aboard)
    temperature = round(12 - 11 * _coldness(day) + rng.gauss(0, 4))
    pilot_hours = rng.randrange(38, 380) if operation == "Instruction" else rng.randrange(210, 9800)
    return Event(
        number=number,
        day=day,
        minute=rng.randrange(6 * 60, 21 * 60),
        published=day + timedelta(days=rng.randrange(120, 420)),
        state=state,
        city=city,
        airport=f"{city} {rng.choice(('Municipal Airport', 'Regional Airport', 'Field'))}",
        aircraft=aircraft,
        registration=f"AL-{''.join(rng.choices('ABCDEFGHJKLMNPRSTUVWXYZ', k=3))}",
        operation=operation,
        phase=rng.choice(cause.phases),
        cause=cause,
        weather="Instrument" if instrument else "Visual",
        wind_from=rng.randrange(1, 37) * 10,
        wind_speed=None if rng.random() < 0.06 else wind,
        gust=wind + rng.randrange(6, 14) if cause.windy else None,
        visibility=rng.choice((0.5, 1.5, 2.0, 2.5)) if instrument else float(rng.randrange(6, 16)),
        temperature=temperature,
        dew_point=temperature - rng.randrange(0, 3 if instrument else 12),
        aboard=aboard,
        fatal=fatal,
        serious=serious,
        minor=minor,
        damage=damage,
        cost=_cost(rng, aircraft, damage),
        pilot_hours=pilot_hours,
        type_hours=int(pilot_hours * rng.uniform(0.05, 0.7)),
        investigator=rng.choice(INVESTIGATORS),
    )


def _operation(rng: random.Random, aircraft: Aircraft) -> str:
    if aircraft.seats > 6:
        return rng.choice(("Charter", "Cargo"))
    if aircraft.helicopter:
        return rng.choice(("Aerial work", "Charter"))
    return rng.choices(OPERATIONS, weights=(5, 4, 1, 1, 1))[0]


def _aboard(rng: random.Random, aircraft: Aircraft, operation: str) -> int:
    if operation in ("Cargo", "Instruction", "Aerial work"):
        return rng.randrange(1, 3)
    return rng.randrange(1, aircraft.seats + 1)


def _harm(rng: random.Random, cause: Cause, aboard: int) -> tuple[str, int, int, int]:
    """The damage, and the numbers of people killed, seriously injured and slightly injured."""
    force = cause.severity * rng.uniform(0.55, 1.35)
    fatal = serious = minor = 0
    for _ in range(aboard):
        harm = force * rng.uniform(0.5, 1.3)
        fatal += harm > 0.72
        serious += 0.45 < harm <= 0.72
        minor += 0.25 < harm <= 0.45
    if fatal or force > 0.8:
        return "Destroyed", fatal, serious, minor
    if force > 0.17:
        return "Substantial", fatal, serious, minor
    return ("Minor" if force > 0.05 else "None"), fatal, serious, minor


def _cost(rng: random.Random, aircraft: Aircraft, damage: str) -> float | None:
    if damage == "None" or rng.random() < 0.05:
        return None
    low, high = {"Minor": (0.01, 0.05), "Substantial": (0.12, 0.45), "Destroyed": (0.9, 1.05)}[
        damage
    ]
    return float(round(aircraft.price * rng.uniform(low, high), -2))


def _coldness(day: date) -> float:
    """1 in mid January, -1 in mid July."""
    distance = abs(day.timetuple().tm_yday - 197) / 182.5
    return 2 * distance - 1
