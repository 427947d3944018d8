"""Sentences and values that made pages are filled with."""

import random
from pathlib import Path

from tests.bench.made.names import (
    CITIES,
    FIRST,
    GOODS,
    LAST,
    LEGAL,
    NOUNS,
    STATES,
    STEMS,
    STREETS,
    TRADES,
)


def _read() -> dict[str, list[str]]:
    lines = Path(__file__).with_name("pools.txt").read_text("utf-8").splitlines()
    parted = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {name: words.split("|") for name, _, words in parted}


POOLS = _read()
_SUBJECTS = POOLS["subjects"]
_VERBS = POOLS["verbs"]
_OBJECTS = POOLS["objects"]
_TAILS = POOLS["tails"]
_TOPICS = POOLS["topics"]


def person(rng: random.Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def firm(rng: random.Random) -> str:
    return f"{rng.choice(STEMS)} {rng.choice(TRADES)} {rng.choice(LEGAL)}"


def address(rng: random.Random) -> list[str]:
    city = f"{rng.choice(CITIES)}, {rng.choice(STATES)} {rng.randrange(10000, 99999)}"
    return [f"{rng.randrange(1, 900)} {rng.choice(STREETS)}", city]


def day(rng: random.Random) -> str:
    months = "January|February|March|April|May|June|July|August|September|October|November|December"
    form = rng.randrange(3)
    year, month = rng.randrange(1998, 2025), rng.randrange(12)
    date = rng.randrange(1, 29)
    name = months.split("|")[month]
    return [f"{name} {date}, {year}", f"{date:02}/{month + 1:02}/{year}", f"{date} {name} {year}"][
        form
    ]


def code(rng: random.Random) -> str:
    letters = "".join(rng.choices("ABCDEFGHKLMNPRSTW", k=rng.randrange(1, 4)))
    return rng.choice([f"{letters}-{rng.randrange(1000, 99999)}", f"{rng.randrange(10**5, 10**8)}"])


def amount(rng: random.Random, most: int = 90_000) -> str:
    return f"{rng.randrange(20, most):,}"


def cents(rng: random.Random) -> str:
    return f"{rng.randrange(100, 90000) / 100:,.2f}"


def thing(rng: random.Random) -> str:
    return rng.choice(GOODS)


def topic(rng: random.Random) -> str:
    return rng.choice(_TOPICS)


def topics(rng: random.Random, count: int) -> list[str]:
    return rng.sample(_TOPICS, count)


def sentence(rng: random.Random) -> str:
    tail = rng.choice(_TAILS).format(
        year=rng.randrange(1960, 2020),
        amount=amount(rng),
        person=person(rng),
        city=rng.choice(CITIES),
    )
    middle = f" {rng.choice(_TAILS).split('{')[0].strip()}," if rng.random() < 0.2 else ""
    return f"{rng.choice(_SUBJECTS)}{middle} {rng.choice(_VERBS)} {rng.choice(_OBJECTS)} {tail}."


def text(rng: random.Random, least: int = 2, most: int = 6) -> str:
    return " ".join(sentence(rng) for _ in range(rng.randrange(least, most)))


def phrase(rng: random.Random) -> str:
    return f"{rng.choice(_VERBS).capitalize()} {rng.choice(_OBJECTS)}"


def noun(rng: random.Random) -> str:
    return rng.choice(NOUNS)


def city(rng: random.Random) -> str:
    return rng.choice(CITIES)
