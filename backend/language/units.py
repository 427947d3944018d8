"""Units of measure: the words that name them, and conversion.

The unit of a property comes from a suffix of its name or from words of its description. Scales
(million) and percent also count as units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from backend.language.words import stem

SCALES: dict[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "thousands": 1e3, "k": 1e3, "million": 1e6,
    "millions": 1e6, "mio": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "billions": 1e9, "bn": 1e9,
    "b": 1e9, "trillion": 1e12, "tn": 1e12, "dozen": 12.0, "lakh": 1e5, "lakhs": 1e5,
    "crore": 1e7, "crores": 1e7,
}  # fmt: skip

# Each measure lists its units with their size in terms of the first one.
_MEASURES: dict[str, dict[str, float]] = {
    "speed": {"kt": 1, "mph": 0.868976, "kmh": 0.539957, "mps": 1.943844, "fps": 0.592484},
    "bytes": {"byte": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "pb": 1e15},
    "length": {"m": 1, "km": 1e3, "cm": 0.01, "mm": 1e-3, "ft": 0.3048, "in": 0.0254,
               "mi": 1609.344, "nmi": 1852, "yd": 0.9144},
    "mass": {"kg": 1, "g": 1e-3, "mg": 1e-6, "t": 1e3, "lb": 0.45359237, "oz": 0.028349523},
    "time": {"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "day": 86400, "week": 604800,
             "fortnight": 1209600, "month": 2629746, "year": 31556952},
    "area": {"m2": 1, "km2": 1e6, "ha": 1e4, "acre": 4046.8564, "sqft": 0.09290304},
    "volume": {"l": 1, "ml": 1e-3, "gal": 3.785411784},
    "money": {"usd": 1, "eur": 1, "gbp": 1, "chf": 1, "sek": 1, "nok": 1, "dkk": 1, "pln": 1,
              "czk": 1, "huf": 1, "jpy": 1, "cny": 1, "inr": 1, "krw": 1, "cad": 1, "aud": 1,
              "nzd": 1, "sgd": 1, "hkd": 1, "brl": 1, "mxn": 1, "zar": 1, "myr": 1,
              "thb": 1, "idr": 1},
    "power": {"w": 1, "kw": 1e3, "mw": 1e6, "hp": 745.7},
    "share": {"pct": 1},
    "temperature": {"degc": 1, "degf": 5 / 9, "kelvin": 1, "deg": 1},
}  # fmt: skip

_WORDS: dict[str, str] = {
    "knot": "kt", "knots": "kt", "kt": "kt", "kts": "kt", "mph": "mph", "kmh": "kmh", "kph": "kmh",
    "byte": "byte", "bytes": "byte", "kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "pb": "pb",
    "kilobytes": "kb", "megabyte": "mb", "megabytes": "mb", "gigabyte": "gb", "gigabytes": "gb",
    "terabyte": "tb", "terabytes": "tb",
    "m": "m", "meter": "m", "meters": "m", "metre": "m", "metres": "m",
    "km": "km", "kilometer": "km",
    "kilometers": "km", "kilometres": "km", "cm": "cm", "centimeters": "cm", "centimetres": "cm",
    "mm": "mm", "millimeters": "mm", "millimetres": "mm", "ft": "ft", "foot": "ft", "feet": "ft",
    "inch": "in", "inches": "in", "mile": "mi", "miles": "mi", "yard": "yd", "yards": "yd",
    "kg": "kg", "kilo": "kg", "kilos": "kg", "kilogram": "kg", "kilograms": "kg", "g": "g",
    "gram": "g", "grams": "g", "mg": "mg", "milligrams": "mg", "ton": "t", "tons": "t",
    "t": "t", "tonne": "t", "tonnes": "t", "tonnage": "t",
    "lb": "lb", "lbs": "lb", "pound": "lb", "pounds": "lb",
    "ounce": "oz", "ounces": "oz",
    "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "ms": "ms",
    "milliseconds": "ms", "min": "min", "mins": "min", "minute": "min", "minutes": "min",
    "h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "day", "days": "day",
    "week": "week", "weeks": "week", "fortnight": "fortnight",
    "fortnights": "fortnight", "month": "month", "months": "month", "year": "year",
    "years": "year", "yr": "year", "yrs": "year",
    "hectare": "ha", "hectares": "ha", "ha": "ha", "acre": "acre", "acres": "acre", "sqm": "m2",
    "m2": "m2", "m²": "m2", "km²": "km2", "ft²": "sqft", "km2": "km2", "sqkm": "km2",
    "sqft": "sqft", "liter": "l", "liters": "l", "litre": "l", "l": "l", "litres": "l", "ml": "ml",
    "gallon": "gal", "gallons": "gal",
    "usd": "usd", "dollar": "usd", "dollars": "usd", "eur": "eur", "euro": "eur", "euros": "eur",
    "gbp": "gbp", "chf": "chf", "franc": "chf", "francs": "chf", "sek": "sek", "nok": "nok",
    "dkk": "dkk", "pln": "pln", "zloty": "pln", "czk": "czk", "huf": "huf", "forint": "huf",
    "jpy": "jpy", "yen": "jpy", "cny": "cny", "yuan": "cny", "inr": "inr", "rupee": "inr",
    "rupees": "inr", "rs": "inr", "quid": "gbp", "bucks": "usd",
    "krw": "krw", "cad": "cad", "aud": "aud", "nzd": "nzd", "sgd": "sgd",
    "hkd": "hkd", "brl": "brl", "mxn": "mxn", "peso": "mxn", "pesos": "mxn", "zar": "zar",
    "myr": "myr", "ringgit": "myr", "thb": "thb", "baht": "thb", "idr": "idr", "rupiah": "idr",
    "watt": "w", "watts": "w", "kw": "kw", "kilowatts": "kw", "mw": "mw",
    "megawatts": "mw", "hp": "hp", "horsepower": "hp",
    "percent": "pct", "pct": "pct", "percentage": "pct",
    "c": "degc", "celsius": "degc", "centigrade": "degc", "f": "degf", "fahrenheit": "degf",
    "kelvin": "kelvin", "degrees": "deg", "degree": "deg",
}  # fmt: skip

# Zero of each unit of temperature, in degrees Celsius.
_ZEROS = {"degc": 0.0, "degf": -160 / 9, "kelvin": -273.15}

SYMBOLS = {"$": "usd", "€": "eur", "£": "gbp", "%": "pct"}

# Suffixes with both a scale and a unit: `musd`, `kgbp`, `teur`.
_SCALED: dict[str, tuple[str, float]] = {
    short + currency: (currency, scale)
    for short, scale in (
        ("k", 1e3), ("t", 1e3), ("m", 1e6), ("mn", 1e6), ("mio", 1e6), ("b", 1e9), ("bn", 1e9)
    )
    for currency in _MEASURES["money"]
}  # fmt: skip


def scaled_currency(word: str) -> tuple[str, float] | None:
    """The currency and the scale of `keur` or `musd`, as in column headers."""
    return _SCALED.get(word.lower())


_STERLING = frozenset({"gbp", "sterling", "£"})


@dataclass(frozen=True)
class Unit:
    """A unit and a scale: `musd` is `usd` by 1e6."""

    name: str
    scale: float = 1.0


_CLEAR = frozenset({"kg", "km", "cm", "mm", "mg", "ml", "kw", "mw", "gb", "mb", "tb"})
"""Short units that are not words; others count in a description only after `in`."""


def unit_word(word: str) -> str | None:
    """The unit that a word names."""
    return _WORDS.get(word.lower())


_NO_NAMES = frozenset({"pct", "deg", "s", "ms", "day", "week", "month", "year"})
"""Units whose words have other uses too: shares, groups by time."""
_NAMING = {
    stem(word): unit
    for word, unit in _WORDS.items()
    if unit not in _NO_NAMES and (len(word) > 3 or unit == word in {"km", "kg", "ha"})
}


def naming_unit(word_stem: str) -> str | None:
    """The unit whose name can stand for the measured property, as in `total tonnes`."""
    return _NAMING.get(word_stem)


_SQUARES = {"m": "m2", "km": "km2", "ft": "sqft"}


def square_unit(words: Sequence[str]) -> str | None:
    """The unit of area that two words name, in lower case: `square metres`, `sq ft`."""
    return square_of(*words) if len(words) == 2 else None


def square_of(first: str, second: str) -> str | None:
    """The unit of area that two words name."""
    if first not in ("square", "sq"):
        return None
    return _SQUARES.get(unit_word(second) or "")


def measure_of(unit: str) -> str | None:
    """The measure of a unit: length, mass, time …"""
    return next((name for name, units in _MEASURES.items() if unit in units), None)


AMOUNT_WORDS = frozenset(
    """
    amount balance budget charge cost deposit fee income money paid payment premium price rent
    revenue salary sum tax value wage
    """.split()  # noqa: SIM905
)
"""Words that name an amount of money."""


def currency_code(written: str) -> str | None:
    """The code of a currency: `eur` for `€`, `EUR` and `euros`."""
    word = written.strip()
    unit = SYMBOLS.get(word) or unit_word(word)
    return unit if unit is not None and measure_of(unit) == "money" else None


_LASTING = frozenset({"seconds", "days", "weeks", "months", "years"})
"""Units of duration when a description ends with `in` and one of them."""
_BASES = frozenset({"volume", "mass", "area", "length"})


def rated_unit(name_parts: Sequence[str]) -> str | None:
    """The numerator of a rate in a name: `mg` in `lead_mg_l`."""
    if len(name_parts) < 3:
        return None
    first, second = (_WORDS.get(part.lower()) for part in name_parts[-2:])
    if first is None or second is None or measure_of(first) == measure_of(second):
        return None
    return first if measure_of(second) in _BASES else None


def is_base(word: str) -> bool:
    """Whether a unit can be the denominator of a rate: `per litre`, `per hectare`."""
    return measure_of(_WORDS.get(word.lower(), "")) in _BASES


_COUNTED = frozenset(
    """
    seconds minutes hours days weeks months years km kilometres kilometers miles metres meters
    tonnes kilograms litres liters
    """.split()  # noqa: SIM905
)
"""Units that can begin a name: `days_to_ruling`, `minutes_late`."""


def property_unit(name_parts: list[str], description: list[str]) -> Unit | None:
    """The unit of a property, from the last part of its name or the words of its description."""
    if "per" in name_parts[1:-1]:  # a rate: its unit comes before `per`
        name_parts = name_parts[: name_parts.index("per")]
        if (counted := _WORDS.get(name_parts[-1].lower())) is not None:
            return Unit(counted)
    last = name_parts[-1].lower() if name_parts else ""
    if last.isdigit() and len(name_parts) > 1:
        last = name_parts[-2].lower() + last
    if last in _SCALED:
        return Unit(*_SCALED[last])
    words = [word.lower() for word in description]
    scale = next((SCALES[w] for w in words if len(w) > 3 and w in SCALES and w != "hundred"), 1.0)
    rated = rated_unit(name_parts)
    if rated is not None:
        return Unit(rated, scale)
    if len(name_parts) > 1 and last in _WORDS and last != "year":
        return Unit(_WORDS[last], scale)
    if len(name_parts) > 1 and name_parts[0].lower() in _COUNTED:
        return Unit(_WORDS[name_parts[0].lower()], scale)
    if "percent" in words or "percentage" in words:
        return Unit("pct")
    squares = [square for pair in pairwise(words) if (square := square_of(*pair)) is not None]
    if squares:
        return Unit(squares[0], scale)
    named = [
        _WORDS[word]
        for before, word in pairwise(["", *words])
        if word in _WORDS and (len(word) > 2 or before == "in" or word in _CLEAR)
    ]
    if words[-2:-1] == ["in"] and words[-1] in _LASTING:
        return Unit(_WORDS[words[-1]], scale)
    named = [unit for unit in named if unit not in ("s", "day", "month", "year")]
    if "lb" in named and _STERLING & set(words):
        named = ["gbp"]
    if named:
        return Unit(next((unit for unit in named if unit != "deg"), "deg"), scale)
    return Unit("", scale) if scale != 1.0 else None


def convert(value: float, unit: str | None, scaled: bool, target: Unit | None) -> float | None:
    """`value` in the unit of a property; None when the units measure different things.

    `scaled`: the value was written with a scale or a currency, so it already counts whole units.
    Without that, and without a unit, it is assumed to be in the unit of the property.
    """
    if unit == "m" and (target is None or measure_of(target.name) != "length"):
        # `m` is metres for a length, millions for anything else.
        return value * 1e6 / (1.0 if target is None else target.scale)
    if target is None:
        return value
    if unit is None or unit == target.name:
        return value / target.scale if scaled else value
    if (unit, target.name) == ("lb", "gbp"):  # "half a million pounds"
        return value / target.scale if scaled else value
    ours, theirs = measure_of(target.name), measure_of(unit)
    if not target.name:
        return value / target.scale if scaled else value
    if ours != theirs:
        return None
    if ours == "temperature":
        return _temperature(value, unit, target.name)
    sizes = _MEASURES[ours or ""]
    return value * sizes[unit] / sizes[target.name] / (target.scale if scaled else 1.0)


def _temperature(value: float, unit: str, target: str) -> float:
    """Plain degrees are in the unit of the property."""
    if "deg" in (unit, target):
        return value
    sizes = _MEASURES["temperature"]
    return (value * sizes[unit] + _ZEROS[unit] - _ZEROS[target]) / sizes[target]
