"""Adjectives and what they measure: `colder than`, `the heaviest`, `most valuable`."""

from dataclasses import dataclass

_TABLE = """
temperature | hot warm | cold cool chilly
duration | long lengthy | short brief
weight | heavy | light
price | expensive costly valuable dear pricey | cheap
speed | fast quick rapid swift | slow
date | new recent late | old early
height | tall |
depth | deep | shallow
width | wide broad | narrow
thickness | thick | thin
distance | far distant | near close
age | aged |
profit | profitable | unprofitable
noise | loud noisy | quiet
brightness | bright | dark dim
wind | windy | calm
rain | rainy wet | dry
steepness | steep | gentle
population | populous crowded |
"""


ALSO_CALLED = {
    "rain": ("rainfall", "precipitation", "moisture", "humidity", "wetness"),
    "steepness": ("climb", "ascent", "gradient", "slope", "incline"),
    "noise": ("loudness", "volume"),
    "brightness": ("luminosity", "light"),
    "age": ("years",),
    "speed": ("velocity", "pace"),
}
"""Other names for what an adjective measures."""


@dataclass(frozen=True)
class Degree:
    """What an adjective measures; `high` if it means the upper end."""

    dimension: str
    high: bool


def _forms(word: str, ending: str) -> set[str]:
    if word.endswith("e"):
        return {word + ending[1:]}
    if word.endswith("y"):
        return {word[:-1] + "i" + ending}
    return {word + ending, word + word[-1] + ending}


def _read() -> dict[str, Degree]:
    degrees: dict[str, Degree] = {}
    for line in _TABLE.strip().splitlines():
        dimension, more, less = (part.strip() for part in line.split("|"))
        for words, high in ((more, True), (less, False)):
            degrees.update({word: Degree(dimension, high) for word in words.split()})
    return degrees


PLAIN = _read()
"""Base forms; they compare with `most` or `least` in front."""
COMPARATIVES = {f: d for word, d in PLAIN.items() for f in _forms(word, "er")}
SUPERLATIVES = {f: d for word, d in PLAIN.items() for f in _forms(word, "est")}


def is_compared(before: str, word: str) -> bool:
    """Whether the word before it compares a lower-case adjective of measure: `most expensive`."""
    return word in PLAIN and before in ("most", "least", "more", "less")
