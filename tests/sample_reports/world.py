"""The invented country of the sample reports: its states, towns, aircraft and operators.

No place, maker or agency here exists. "Calder" is part of "North Calder" on purpose, to catch
careless filters.
"""

from typing import NamedTuple

AGENCY = "Aldermere Flight Safety Office"
AGENCY_SHORT = "AFS"

STATES: dict[str, tuple[str, ...]] = {
    "Calder": ("Wrenfield", "Stonebridge Falls", "Port Linden"),
    "North Calder": ("Elk Hollow", "Tarn Creek", "Dunmarsh"),
    "Marrowmere": ("Saltwick", "Greyhaven", "Osier Point"),
    "Tesmark": ("Coldwater Junction", "Brannock", "Pinewell"),
    "Ilvane": ("Corvo Beach", "Mira Alta", "Brisa"),
    "Westerly": ("Amber Mesa", "Redgate", "Quarry Flats"),
    "Osmund": ("Larkham", "Three Mills", "Fenwick Cross"),
    "Sorrel": ("Heron Lake", "Vessing", "Port Sorrel"),
    "Highmoor": ("Snowdale", "Upper Ashby", "Kestrel Ridge"),
    "Delmara": ("Cape Adair", "Mangrove Bay", "Tidewell"),
}


class Aircraft(NamedTuple):
    """A type of aircraft; `price` in USD, `seats` including the crew."""

    make: str
    model: str
    engine: str
    seats: int
    price: int
    helicopter: bool = False


AIRCRAFT: tuple[Aircraft, ...] = (
    Aircraft("Halberd", "H-20 Swift", "a 160 hp four-cylinder piston engine", 4, 240_000),
    Aircraft("Halberd", "H-44 Courier", "two 285 hp piston engines", 6, 610_000),
    Aircraft("Tarnfield", "Skylark 180", "a 180 hp four-cylinder piston engine", 4, 310_000),
    Aircraft("Tarnfield", "Rover 210", "a 235 hp six-cylinder piston engine", 6, 420_000),
    Aircraft("Ostrel", "OS-5", "a 100 hp light piston engine", 2, 145_000),
    Aircraft("Lyndham", "Dove II", "a 115 hp four-cylinder piston engine", 2, 120_000),
    Aircraft("Pellerin", "P-72 Commuter", "two 1,100 shp turboprop engines", 19, 4_800_000),
    Aircraft("Rookwood", "R2 Heron", "a 420 shp turboshaft engine", 5, 1_350_000, helicopter=True),
)

OPERATIONS = ("Private", "Instruction", "Charter", "Cargo", "Aerial work")
PHASES = ("Taxi", "Takeoff", "Climb", "Cruise", "Maneuvering", "Approach", "Landing")
WEATHER = ("Visual", "Instrument")
DAMAGE = ("None", "Minor", "Substantial", "Destroyed")

INVESTIGATORS = (
    "R. Oakhurst", "M. Delacourt-Vane", "T. Ibbotsen", "S. Quillfeather",
    "L. Marchbanks", "P. Aronsgard", "E. Thackery-Lund",
)  # fmt: skip
