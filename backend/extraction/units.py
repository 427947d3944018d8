"""Units of measurement and currencies: their spellings and conversions.

Only units that documents and schemas commonly use. Other units are compared by spelling.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """`factor` converts a value to the base unit of `dimension`; 0 means that no conversion is
    known.
    """

    name: str
    dimension: str
    factor: float = 0.0


_TABLE = """
knot | speed | 1 | kt kts kn knots knot
mph | speed | 0.868976 | mph
km/h | speed | 0.539957 | km/h kmh kph
m/s | speed | 1.943844 | m/s
mile | length | 1609.344 | mi mile miles sm
kilometer | length | 1000 | km kilometer kilometers kilometre kilometres
meter | length | 1 | m meter meters metre metres
centimeter | length | 0.01 | cm centimeter centimeters centimetre centimetres
millimeter | length | 0.001 | mm millimeter millimeters
foot | length | 0.3048 | ft feet foot
inch | length | 0.0254 | inch inches
kilogram | mass | 1 | kg kilogram kilograms
gram | mass | 0.001 | g gram grams
ton | mass | 1000 | t ton tons tonne tonnes
pound | mass | 0.45359237 | lb lbs pound pounds
second | time | 1 | s sec second seconds
minute | time | 60 | min minute minutes mins
hour | time | 3600 | h hr hrs hour hours
day | time | 86400 | day days
week | time | 604800 | week weeks
month | month | 1 | month months
year | month | 12 | year years yr yrs
celsius | temperature | 0 | °c celsius
fahrenheit | temperature | 0 | °f fahrenheit
degree | angle | 0 | ° deg degree degrees
percent | ratio | 0 | % percent pct
USD | money | 0 | $ us$ usd dollar dollars
EUR | money | 0 | € eur euro euros
GBP | money | 0 | £ gbp
CHF | money | 0 | chf
JPY | money | 0 | ¥ jpy yen
CAD | money | 0 | cad c$
AUD | money | 0 | aud a$
INR | money | 0 | ₹ inr rupee rupees
MYR | money | 0 | myr rm ringgit
CNY | money | 0 | cny rmb yuan renminbi
SEK | money | 0 | sek
NOK | money | 0 | nok
DKK | money | 0 | dkk
PLN | money | 0 | pln zł zloty
CZK | money | 0 | czk kč
HUF | money | 0 | huf
RON | money | 0 | ron
TRY | money | 0 | try ₺
RUB | money | 0 | rub ₽
KRW | money | 0 | krw ₩
ILS | money | 0 | ils ₪
SGD | money | 0 | sgd s$
HKD | money | 0 | hkd hk$
NZD | money | 0 | nzd nz$
BRL | money | 0 | brl r$
MXN | money | 0 | mxn
ZAR | money | 0 | zar
THB | money | 0 | thb ฿
"""


def _units() -> dict[str, Unit]:
    results = {}
    for line in _TABLE.strip().splitlines():
        name, dimension, factor, spellings = (part.strip() for part in line.split("|"))
        unit = Unit(name, dimension, float(factor))
        results.update(dict.fromkeys(spellings.split(), unit))
    return results


UNITS = _units()
CURRENCY = "|".join(
    sorted(
        (re.escape(s) for s, u in UNITS.items() if u.dimension == "money"), key=len, reverse=True
    )
)
"""A pattern of the spellings of currencies."""
_AMBIGUOUS = frozenset(
    {"try", "ron", "m", "s", "t", "g", "h", "min", "second", "seconds", "foot", "degree"}
)
"""Spellings that usually mean something else in running text."""


_TIMES = re.compile(
    r"\b(?:\d+[ -][a-z]+|(?:last|past|next|this|each|per) [a-z]+|year|month|week|day)\b"
)
"""Words of time that specify and do not measure: "3-year-olds", "in the last month", "year of
birth".
"""


def unit_of(written: str) -> Unit | None:
    """The unit that a spelling stands for; unknown letters form a unit of their own."""
    key = written.strip().lower().rstrip(".")
    if not key:
        return None
    return UNITS.get(key) or Unit(key, key)


def is_known(unit: Unit) -> bool:
    """Whether it is a unit of the table or a quotient, not just a word behind a number."""
    return unit.dimension != unit.name or "/" in unit.name


def named_unit(text: str) -> Unit | None:
    """The unit that a name, description or label asks for, as in "wind speed in knots"."""
    bracket = re.search(
        r"[(\[]\s*+(?:in\s++)?([^()\[\]\s](?:[^()\[\]]{0,10}[^()\[\]\s])?)\s*+[)\]]", text
    )
    if bracket and (unit := UNITS.get(bracket[1].lower())):
        return unit
    spaced = text.replace("_", " ").lower()
    after_in = re.search(r"\bin\s+([a-z/%$€£°]+)", spaced)
    if after_in and (after_in[1] in UNITS or "/" in after_in[1]):
        return unit_of(after_in[1])
    for word in re.findall(r"[a-z/]+|[$€£%]", _TIMES.sub(" ", spaced)):
        if word in UNITS and word not in _AMBIGUOUS:
            return UNITS[word]
    return None


def converted(value: float, has: Unit | None, wants: Unit | None) -> tuple[float, float]:
    """`value` in the wanted unit, and how well the units match (0..1)."""
    if wants is None:
        return value, 0.95 if has is None or has.dimension != "angle" else 0.5
    if has is None:
        return value, 0.9
    if has.name == wants.name:
        return value, 1.0
    if has.dimension != wants.dimension:
        is_word = has.dimension == has.name and "/" not in has.name  # "persons" is no unit
        return value, 0.45 if is_word else 0.2
    if has.factor and wants.factor:
        return value * has.factor / wants.factor, 0.75
    return value, 0.4
