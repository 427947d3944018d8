"""Writes a report: the facts of an event as titled sections, tables and figures.

Three wordings state the same facts with different labels and sentences, so that extraction has to
match them by meaning, not by position.
"""

import random
from datetime import date

from tests.sample_reports.events import Event
from tests.sample_reports.labels import FACTS, DateStyle
from tests.sample_reports.pictures import altitude_profile, site_sketch
from tests.sample_reports.report import Block, Bullets, DataTable, Figure, Report
from tests.sample_reports.world import AGENCY

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
NUMBERS = ("No one", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def write_report(event: Event, *, wording: int, long: bool, rng: random.Random) -> Report:
    """The report on `event`; `wording` (0..2) sets labels and date style, `long` adds sections."""
    say = _Writer(event, rng, _DATE_STYLES[wording])
    history = [
        rng.choice(_OPENINGS).format(**say.fields),
        say.one(event.cause.course),
        say.outcome(),
    ]
    sections: list[tuple[str, tuple[Block, ...]]] = [
        (("History of the flight", "What happened", "Sequence of events")[wording], tuple(history)),
        (("Injuries and damage", "Consequences", "Damage and injuries")[wording], say.harm()),
        (("Meteorological information", "Weather", "Weather")[wording], say.weather()),
    ]
    if long:
        sections += [("Personnel information", say.people()), ("Aircraft information", say.craft())]
    sections.append(
        (
            ("Examination", "Investigation", "Tests and examination")[wording],
            (
                *(event.cause.examination if long else (say.one(event.cause.examination),)),
                say.figure(),
            ),
        )
    )
    if long:
        sections.append(("Analysis", say.analysis()))
        sections.append(("Findings", (say.findings(),)))
    sections += [
        (("Probable cause", "Probable cause", "Cause")[wording], (say.cause(),)),
        (("Safety recommendation", "Recommendation", "Lessons")[wording], (event.cause.advice,)),
    ]
    return Report(
        number=event.number,
        title=_TITLES[wording],
        subtitle="{make} {model}, {registration}, {city}".format(**say.fields),
        published=say.date(event.published),
        facts=tuple(FACTS[wording](event, say.date)),
        summary=say.summary(),
        sections=tuple(sections),
    )


_TITLES = ("Aviation Incident Final Report", "Report on an Occurrence", "Incident Summary")


def _long_date(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def _day_first(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


_DATE_STYLES: tuple[DateStyle, ...] = (_long_date, _day_first, date.isoformat)

_OPENINGS = (
    "On {date}, about {clock} local time, a {make} {model}, {registration}, was involved in an "
    "incident near {city}, {state}. The aircraft was on {operation_phrase} with {aboard_words} "
    "on board. {weather_sentence}",
    "The {make} {model}, registered {registration}, was on {operation_phrase} on {date}. "
    "{aboard_start} aboard. The event took place at {clock} local time near {airport} in the "
    "state of {state}. {weather_sentence}",
    "At {clock} local time on {date} a {make} {model} with the registration {registration} came "
    "to grief near {city}. It carried {aboard_words} and was on {operation_phrase}. "
    "{weather_sentence}",
)
_OPERATION_PHRASES = {
    "Private": "a private flight",
    "Instruction": "an instructional flight",
    "Charter": "a charter flight",
    "Cargo": "a cargo flight",
    "Aerial work": "an aerial work flight",
}


class _Writer:
    """Sentences about one event; every method may draw from the report's random stream."""

    def __init__(self, event: Event, rng: random.Random, date_style: DateStyle) -> None:
        self.event = event
        self.rng = rng
        self.date = date_style
        self.fields = self._fields()

    def one(self, sentences: tuple[str, ...]) -> str:
        return self.rng.choice(sentences).format(**self.fields)

    def _fields(self) -> dict[str, str]:
        event = self.event
        aboard = "one person" if event.aboard == 1 else f"{_number_word(event.aboard)} people"
        return {
            "date": self.date(event.day),
            "clock": event.clock,
            "make": event.aircraft.make,
            "model": event.aircraft.model,
            "registration": event.registration,
            "city": event.city,
            "state": event.state,
            "airport": event.airport,
            "operation_phrase": _OPERATION_PHRASES[event.operation],
            "aboard_words": aboard,
            "aboard_start": f"There {'was' if event.aboard == 1 else 'were'} {aboard}",
            "weather_sentence": f"{event.weather} meteorological conditions prevailed.",
            "minutes": str(self.rng.randrange(12, 58)),
            "height": str(self.rng.randrange(2, 9) * 100),
        }

    def outcome(self) -> str:
        event = self.event
        ending = {
            "Destroyed": "The aircraft was destroyed by the impact.",
            "Substantial": "The aircraft was substantially damaged.",
            "Minor": "The aircraft received minor damage.",
            "None": "The aircraft was not damaged.",
        }[event.damage]
        return f"{ending} {self.fate()}"

    def fate(self) -> str:
        """The injuries, in words."""
        event = self.event
        if not event.injuries:
            return "No one was hurt."
        parts = [
            f"{_count(number)} {'was' if number == 1 else 'were'} {harm}"
            for number, harm in (
                (event.fatal, "killed"),
                (event.serious, "seriously injured"),
                (event.minor, "slightly injured"),
            )
            if number
        ]
        return "; ".join([parts[0], *(part[0].lower() + part[1:] for part in parts[1:])]) + "."

    def summary(self) -> str:
        event = self.event
        verb = self.rng.choice(("was involved in an incident", "had an accident"))
        return (
            f"A {event.aircraft.make} {event.aircraft.model} {verb} during {event.phase.lower()} "
            f"near {event.city}, {event.state}, on {self.date(event.day)}. {self.fate()} The "
            f"{AGENCY} attributes the event to {event.cause.name.lower()}."
        )

    def harm(self) -> tuple[Block, ...]:
        event = self.event
        crew = min(event.aboard, 2 if event.aircraft.seats > 6 else 1)
        total = (event.fatal, event.serious, event.minor, event.aboard - event.injuries)
        crew_row = _share(total, crew)
        others = tuple(all_ - part for all_, part in zip(total, crew_row, strict=True))
        cost = (
            "The owner did not state the cost of the damage."
            if event.cost is None
            else f"The damage was estimated at ${event.cost:,.0f}."
        )
        if event.damage == "None":
            cost = "No part of the aircraft had to be replaced."
        table = DataTable(
            "Injuries to persons",
            ("", "Fatal", "Serious", "Minor", "None"),
            (
                ("Crew", *map(str, crew_row)),
                ("Passengers", *map(str, others)),
                ("Total", *map(str, total)),
            ),
        )
        return (f"{self.fate()} {cost}", table)

    def weather(self) -> tuple[Block, ...]:
        event = self.event
        rows = []
        for step in (-60, 0, 60):
            minute = max(0, event.minute + step) // 30 * 30
            change = 0 if step == 0 else self.rng.randrange(-2, 3)
            wind = "not recorded"
            if event.wind_speed is not None:
                wind = f"{event.wind_from:03d}° {max(1, event.wind_speed + change)} kt"
            rows.append(
                (
                    f"{minute // 60 % 24:02d}:{minute % 60:02d}",
                    wind,
                    f"{event.visibility:g} mi",
                    f"{event.temperature + change} °C",
                    f"{event.dew_point} °C",
                )
            )
        text = (
            f"The nearest station reported a visibility of {event.visibility:g} miles and a "
            f"temperature of {event.temperature} °C. {event.weather} meteorological conditions "
            "prevailed at the time."
        )
        header = ("Local time", "Wind", "Visibility", "Temperature", "Dew point")
        return (text, DataTable(f"Observations at {event.airport}", header, tuple(rows)))

    def people(self) -> tuple[Block, ...]:
        event = self.event
        age = self.rng.randrange(22, 68)
        return (
            f"The pilot, aged {age}, held a license of the proper class and a valid medical "
            f"certificate. The total flight experience was {event.pilot_hours:,} hours, of which "
            f"{event.type_hours:,} hours on the type and {self.rng.randrange(3, 60)} hours in the "
            "last ninety days.",
        )

    def craft(self) -> tuple[Block, ...]:
        event = self.event
        year = event.day.year - self.rng.randrange(3, 34)
        hours = self.rng.randrange(700, 12_000)
        return (
            f"The {event.aircraft.make} {event.aircraft.model} has {event.aircraft.seats} seats "
            f"and is driven by {event.aircraft.engine}. The aircraft was built in {year} and had "
            f"flown {hours:,} hours. The last periodic inspection was made "
            f"{self.rng.randrange(4, 96)} flight hours before the event. Mass and balance were "
            "within the limits given in the flight manual.",
        )

    def analysis(self) -> tuple[Block, ...]:
        event = self.event
        return (
            "The evidence agrees with the account of the witnesses and points to "
            f"{event.cause.name.lower()}. Other explanations were examined and ruled out: the "
            f"records of the {event.aircraft.make} show no open defects, and the flight control "
            "system was complete and free to move.",
            "The office looked at similar events of the last ten years. In most of them, as "
            "here, there was enough time to notice the problem, and what was missing was a habit "
            "and not a device.",
        )

    def findings(self) -> Bullets:
        event = self.event
        return Bullets(
            (
                "The pilot was licensed and fit for the flight.",
                "The aircraft was certified and had been maintained under an approved program.",
                f"The weather at the time was within the limits for {event.operation.lower()} "
                "flights.",
                f"The event occurred during {event.phase.lower()}.",
            )
        )

    def cause(self) -> str:
        opening = self.rng.choice(
            (f"The {AGENCY} determines the probable cause to be: ", "The probable cause was: ")
        )
        finding = self.event.cause.finding
        return opening + finding[0].lower() + finding[1:]

    def figure(self) -> Figure:
        event = self.event
        seed = self.rng.randrange(1 << 30)
        if event.phase in ("Landing", "Taxi", "Takeoff"):
            png, size = site_sketch(event.airport, event.wind_from, event.phase, seed)
            return Figure("Figure 1. Sketch of the site, not to scale", png, *size)
        png, size = altitude_profile(event.phase, event.minute, seed)
        return Figure("Figure 1. Height above the ground in the last minutes", png, *size)


def _number_word(number: int) -> str:
    return NUMBERS[number].lower() if number < len(NUMBERS) else str(number)


def _count(number: int) -> str:
    words = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{words} {'person' if number == 1 else 'people'}"


def _share(total: tuple[int, ...], crew: int) -> tuple[int, ...]:
    """The crew's share of each class of injury, the worst class first."""
    row = []
    for number in total:
        part = min(number, crew)
        row.append(part)
        crew -= part
    return tuple(row)
