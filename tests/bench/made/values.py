"""Values of made documents: what is true, and the ways it may be written."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from tests.bench.made.names import (
    BODIES,
    CITIES,
    COUNTRIES,
    FIRST,
    LAST,
    LEGAL,
    NOUNS,
    STATES,
    STEMS,
    STREETS,
    TRADES,
)

NUMBERS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
]  # fmt: skip

_US = ["AZ", "CA", "TX", "NY", "WA", "OH", "FL"]
_AREAS, _ENDS = ["SW", "N", "LS", "EH"], ["AB", "QT", "XD"]
_PARTS = ["Block", "Floor", "Building"]
_WORKS = ["a study", "new results", "a survey", "lessons"]
_EVENTS = ["Summit", "Forum", "Week", "Days", "Programme"]


@dataclass
class Style:
    """How one document writes its values."""

    dates: str
    comma: bool
    sign: str
    code: str
    capitals: bool
    clock: bool

    @classmethod
    def drawn(cls, rng: random.Random) -> "Style":
        sign, code = rng.choice(
            [("$", "USD"), ("€", "EUR"), ("£", "GBP"), ("CHF ", "CHF"), ("RM", "MYR"), ("", "USD"),
             ("SEK ", "SEK"), ("", "EUR")]
        )  # fmt: skip
        dates = rng.choice(
            ["long", "long", "short", "iso", "us", "dotted", "slashed", "ordinal", "two_digits",
             "dashed"]
        )  # fmt: skip
        return cls(
            dates, code in ("EUR", "SEK") and rng.random() < 0.6, sign, code,
            rng.random() < 0.15, rng.random() < 0.25,
        )  # fmt: skip

    def date(self, day: date, rng: random.Random) -> str:
        """A day as this document writes days."""
        match self.dates:
            case "long":
                return f"{day:%B} {day.day}, {day.year}"
            case "short":
                return f"{day.day} {day:%b} {day.year}"
            case "iso":
                return day.isoformat()
            case "us":
                return f"{day:%m/%d/%Y}"
            case "dotted":
                return f"{day:%d.%m.%Y}"
            case "slashed":
                return f"{day:%d/%m/%Y}"
            case "two_digits":
                return f"{day:%d/%m/%y}" if self.sign != "$" else f"{day:%m/%d/%y}"
            case "dashed":
                return f"{day:%d-%m-%Y}"
            case _:
                last = day.day % 10
                suffix = {1: "st", 2: "nd", 3: "rd"}.get(last if day.day // 10 != 1 else 0, "th")
                return rng.choice(
                    [
                        f"{day.day}{suffix} day of {day:%B}, {day.year}",
                        f"{day.day}{suffix} {day:%B} {day.year}",
                    ]
                )

    def amount(self, value: float) -> str:
        text = f"{value:,.2f}"
        return text.translate(str.maketrans(",.", ".,")) if self.comma else text

    def money(self, value: float, rng: random.Random) -> str:
        """An amount with its currency, most often."""
        text = self.amount(value)
        if self.comma:
            return f"{text} {rng.choice(['€', self.code, ''])}".strip()
        sign = self.sign if rng.random() < 0.8 else ""
        return (
            f"{sign}{text}"
            if sign
            else rng.choice([text, f"{self.code} {text}", f"{text} {self.code}"])
        )


@dataclass
class Made:
    """A true value and how it is written; `lines` where it goes over several."""

    true: Any
    written: str
    lines: tuple[str, ...] = ()


Maker = Callable[[random.Random, Style], Made]


def _day(rng: random.Random) -> date:
    return date(1999, 1, 1) + timedelta(days=rng.randrange(9800))


def day(rng: random.Random, style: Style) -> Made:
    value = _day(rng)
    return Made(value.isoformat(), style.date(value, rng))


def moment(rng: random.Random, style: Style) -> Made:
    value = datetime.combine(_day(rng), datetime.min.time()) + timedelta(
        minutes=rng.randrange(1440)
    )
    clock = rng.choice([f"{value:%H:%M}", f"{value:%I:%M %p}", f"{value:%H:%M:%S}"])
    return Made(
        value.date().isoformat(),
        f"{style.date(value.date(), rng)}{rng.choice([' ', ' ', ', ', ' at '])}{clock}",
    )


def money(rng: random.Random, style: Style) -> Made:
    value = round(10 ** rng.uniform(0.7, 5.2), 2)
    if rng.random() < 0.3:
        value = float(round(value, -1) or 10)
    return Made(value, style.money(value, rng))


def percent(rng: random.Random, style: Style) -> Made:
    value = round(rng.uniform(0.5, 30), rng.choice([0, 1, 2]))
    text = f"{value:g}".replace(".", "," if style.comma else ".")
    return Made(value, f"{text}{rng.choice(['%', ' %', ' percent'])}")


def count(rng: random.Random, style: Style) -> Made:
    value = rng.choice([rng.randrange(0, 13), rng.randrange(1, 60), rng.randrange(20, 900)])
    if value <= 12 and rng.random() < 0.2:
        return Made(value, NUMBERS[value])
    return Made(value, str(value))


def measure(unit: str) -> Maker:
    def make(rng: random.Random, style: Style) -> Made:
        value = round(10 ** rng.uniform(0.5, 4), rng.choice([0, 1]))
        text = f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
        if style.comma:
            text = text.translate(str.maketrans(",.", ".,"))
        return Made(float(value), f"{text}{rng.choice([' ', ' ', ''])}{unit}")

    return make


def year(rng: random.Random, style: Style) -> Made:
    value = rng.randrange(1950, 2026)
    return Made(value, str(value))


def firm(rng: random.Random, style: Style) -> Made:
    name = rng.choice(
        [
            f"{rng.choice(STEMS)} {rng.choice(TRADES)}",
            f"{rng.choice(STEMS)}",
            f"{rng.choice(LAST)} & {rng.choice(LAST)}",
            f"{rng.choice(STEMS)} {rng.choice(NOUNS)} {rng.choice(TRADES)}",
            f"{rng.choice(LAST)} {rng.choice(TRADES)}",
        ]
    )
    if rng.random() < 0.72:
        link = rng.choice([" ", " ", ", "])
        name += f"{link}{rng.choice(LEGAL)}"
    elif " " not in name:
        name += f" {rng.choice(TRADES)}"
    if style.capitals or rng.random() < 0.15:
        name = name.upper()
    return Made(name, name)


def shop(rng: random.Random, style: Style) -> Made:
    name = rng.choice(
        [
            f"{rng.choice(STEMS)} {rng.choice(TRADES)}",
            f"{rng.choice(LAST)}'s {rng.choice(TRADES)}",
            f"The {rng.choice(NOUNS)} {rng.choice(NOUNS)}",
            f"{rng.choice(NOUNS)} {rng.choice(TRADES)} {rng.choice(LEGAL)}",
            f"{rng.choice(STEMS)} {rng.choice(NOUNS)} {rng.choice(LEGAL)}",
        ]
    )
    if rng.random() < 0.5:
        name = name.upper()
    return Made(name, name)


def body(rng: random.Random, style: Style) -> Made:
    name = rng.choice(BODIES).format(
        city=rng.choice(CITIES), state=rng.choice(STATES), name=rng.choice(LAST)
    )
    if style.capitals:
        name = name.upper()
    return Made(name, name)


def person(rng: random.Random, style: Style) -> Made:
    first, last = rng.choice(FIRST), rng.choice(LAST)
    name = rng.choice(
        [f"{first} {last}", f"{first} {last}", f"{first} {rng.choice('ABCDEHJKLMPRST')}. {last}"]
    )
    title = rng.choice(["", "", "", "", "Mr. ", "Ms. ", "Dr. "])
    if style.capitals and rng.random() < 0.5:
        name = name.upper()
    return Made(name, title + name)


def state(rng: random.Random, style: Style) -> Made:
    name = rng.choice(STATES + COUNTRIES)
    return Made(name, name)


def country(rng: random.Random, style: Style) -> Made:
    name = rng.choice(COUNTRIES)
    return Made(name, name)


def city(rng: random.Random, style: Style) -> Made:
    name = rng.choice(CITIES)
    return Made(name, name)


def address(rng: random.Random, style: Style) -> Made:
    town, number = rng.choice(CITIES), rng.randrange(1, 9990)
    street = rng.choice(STREETS)
    kind = rng.randrange(6)
    if kind == 0:
        lines = [
            f"{number} {street}",
            f"{town}, {rng.choice(_US)} {rng.randrange(10000, 99999)}",
        ]
    elif kind == 1:
        lines = [
            f"{street.split()[0]}straße {number % 200}",
            f"{rng.randrange(10000, 99999)} {town}",
        ]
    elif kind == 2:
        lines = [
            f"{number % 300} {street}",
            town,
            f"{rng.choice(_AREAS)}{rng.randrange(1, 19)} {rng.randrange(1, 9)}{rng.choice(_ENDS)}",
        ]
    elif kind == 3:
        lines = [
            f"{rng.choice(['No.', 'Lot', 'Unit', 'Level', 'Suite'])} {number % 99}, {street}",
            f"{rng.choice(NOUNS)} Park",
            f"{rng.randrange(10000, 99999)} {town}",
        ]
    elif kind == 4:
        lines = [
            f"{number % 400}, {street}",
            f"{rng.choice(_PARTS)} {rng.choice('ABCD')}{rng.randrange(1, 9)}",
            f"{town} {rng.randrange(1000, 9999)}",
            rng.choice(COUNTRIES),
        ]
    else:
        lines = [f"{number % 250} rue {rng.choice(LAST)}", f"{rng.randrange(10000, 99999)} {town}"]
    if style.capitals:
        lines = [line.upper() for line in lines]
    text = ", ".join(lines)
    return Made(text, text, tuple(lines))


def code(*forms: str) -> Maker:
    def make(rng: random.Random, style: Style) -> Made:
        form = rng.choice(forms)
        text = "".join(
            rng.choice("0123456789")
            if c == "9"
            else rng.choice("ABCDEFGHKLMNPRSTUVWX")
            if c == "A"
            else c
            for c in form
        )
        if text[0] == "0":
            text = "4" + text[1:]
        return Made(text, text)

    return make


def duration(rng: random.Random, style: Style) -> Made:
    number = rng.choice([1, 2, 3, 4, 5, 6, 7, 10, 12, 14, 18, 24, 30, 36, 60, 90])
    unit = rng.choice(["year", "month"] if number < 10 else ["month", "day"])
    plural = unit if number == 1 else f"{unit}s"
    true = f"{number} {plural}"
    word = NUMBERS[number] if number <= 12 else None
    written = rng.choice(
        [
            true,
            f"{word} ({number}) {plural}" if word else true,
            f"{word} {plural}" if word else true,
        ]
    )
    return Made(true, written)


def phrase(*choices: str) -> Maker:
    def make(rng: random.Random, style: Style) -> Made:
        text = rng.choice(choices)
        return Made(text, text)

    return make


def yes_no(rng: random.Random, style: Style) -> Made:
    value = rng.random() < 0.5
    return Made(value, rng.choice(["Yes", "yes", "YES"] if value else ["No", "no", "NO"]))


def mail(rng: random.Random, style: Style) -> Made:
    names = [rng.choice(words).lower() for words in (FIRST, LAST, STEMS)]
    text = "{}.{}@{}.example".format(*names)
    return Made(text, text)


def phone(rng: random.Random, style: Style) -> Made:
    text = rng.choice(["+44 20 7946 0{}{}{}", "({}{}3) 555-01{}4", "0{}-55{}01{}7"]).format(
        *(rng.randrange(2, 9) for _ in range(3))
    )
    return Made(text, text)


def title(rng: random.Random, style: Style) -> Made:
    town = rng.choice(CITIES)
    text = rng.choice(
        [
            f"{rng.choice(NOUNS)} and {rng.choice(NOUNS)}: {rng.choice(_WORKS)} from {town}",
            f"The {rng.choice(NOUNS)} of {rng.choice(CITIES)}",
            f"{rng.choice(NOUNS)} {rng.choice(_EVENTS)} {rng.randrange(2005, 2026)}",
            f"{rng.choice(STEMS)} opens {rng.choice(NOUNS).lower()} plant in {rng.choice(CITIES)}",
        ]
    )
    return Made(text, text)


def people(rng: random.Random, style: Style) -> Made:
    names = [person(rng, style).true for _ in range(rng.randrange(2, 5))]
    return Made(
        names,
        ", ".join(names[:-1]) + f" and {names[-1]}" if rng.random() < 0.5 else ", ".join(names),
    )


_STEPS = [
    "Inspect all valves", "Train the night shift", "Order new labels", "Mend the roof",
    "Inform the drivers", "Check the numbers", "Update the plan", "Book the hall",
]  # fmt: skip


def steps(rng: random.Random, style: Style) -> Made:
    chosen = rng.sample(_STEPS, rng.randrange(2, 5))
    return Made(chosen, "; ".join(chosen), tuple(chosen))


def currency(rng: random.Random, style: Style) -> Made:
    return Made(style.code, style.code)


_PLAIN: dict[str, Maker] = {
    "day": day, "moment": moment, "money": money, "percent": percent, "count": count, "year": year,
    "firm": firm, "shop": shop, "body": body, "person": person, "state": state, "city": city,
    "country": country, "address": address, "duration": duration, "yes_no": yes_no, "mail": mail,
    "phone": phone, "title": title, "people": people, "steps": steps, "currency": currency,
}  # fmt: skip


def maker(how: str, options: str) -> Maker:
    """The maker of that name; `options` are parted by "|"."""
    match how:
        case "code":
            return code(*options.split("|"))
        case "phrase":
            return phrase(*options.split("|"))
        case "measure":
            return measure(options)
        case _:
            return _PLAIN[how]
