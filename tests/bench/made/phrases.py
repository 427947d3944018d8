"""Values of made documents that no form gives away: names of things, topics, ailments, works."""

import random

from tests.bench.made.names import BODIES, CITIES, LAST, NOUNS, STATES, STEMS, TRADES
from tests.bench.made.values import Made, Maker, Style, address, code

_HOMES = ["Cottage", "House", "Farm", "Hall", "Lodge", "Court", "Mews", "Barn"]
_LANES = ["Mill Lane", "Chapel Brow", "Church Green", "The Street", "Back Lane", "Market Place"]
_CLUBS = [
    "Friends of {city} {noun}", "{city} {noun} Club", "The {last} Trust", "{noun} & {noun2} Studio",
    "{city} Community College", "{noun} at Home", "{stem}", "{city} {noun} Society",
    "{last} Brothers",
    "{noun} Observatory", "THE {last} FOUNDATION", "{stem} {trade}", "{last} & Daughters",
    "County of {city}", "{city} Public Works", "{noun} of {city}", "{city} {noun} Co-operative",
    "{noun} Street {noun2} Project", "{stem} {noun} Network",
]  # fmt: skip
_SORTS = [
    "lamp", "kettle", "bicycle", "heater", "stove", "chair", "ladder", "drone", "pump", "clock",
    "harness", "mixer", "helmet", "booster", "blanket", "rattle",
]  # fmt: skip
_ABOUT = ["Counting", "Quiet", "Mapping", "Early", "Cheap", "New", "Rethinking", "Safer", "Reading"]
_MATTERS = [
    "ways to store heat", "grasses on salt marshes", "songs of the coast", "bridges over becks",
    "sensors in wet soil", "letters from the mills", "bees in city parks", "paths in old woods",
    "care for the very old", "boats without crews", "glass from sand and ash",
]  # fmt: skip
_HOW = ["acute", "chronic", "mild", "severe", "recurrent", "early", "acquired", "suspected", ""]
_WHERE = ["left knee", "lower back", "inner ear", "right shoulder", "small bowel", "upper jaw", ""]
_WHAT = [
    "inflammation", "fracture", "abscess", "arthritis", "dermatitis", "rupture", "stasis", "strain",
    "infection", "water damage", "corrosion", "burst pipe", "loss of signal", "hairline crack",
    "memory leak", "short circuit", "dry rot",
]  # fmt: skip
_DO = ["erect", "replace", "extend", "clean", "supply", "rewire", "survey", "paint", "rebuild"]
_ON = [
    "a single-storey porch", "the roof of the north wing", "two crowns and one bridge",
    "street lamps in the old town", "a timber garage", "the lift in block C", "school meals",
    "the boiler and its flue", "three windows at the rear", "software for the library",
]  # fmt: skip
_RANKS = ["Senior", "Night", "Head", "Assistant", "Junior", "Deputy", "Travelling", "", "", "Lead"]
_TRADES = [
    "gardener", "joiner", "accountant", "porter", "data engineer", "nurse", "road supervisor",
    "beekeeper", "policy officer", "machinist", "cook", "school secretary", "motion designer",
]  # fmt: skip


def plain(rng: random.Random, style: Style) -> Made:
    """An organisation without a legal form."""
    if rng.random() < 0.25:
        text = rng.choice(BODIES).format(
            city=rng.choice(CITIES), state=rng.choice(STATES), name=rng.choice(LAST)
        )
    else:
        text = rng.choice(_CLUBS).format(
            city=rng.choice(CITIES), noun=rng.choice(NOUNS), noun2=rng.choice(NOUNS),
            last=rng.choice(LAST), stem=rng.choice(STEMS), trade=rng.choice(TRADES),
        )  # fmt: skip
    return _made(text.upper() if style.capitals else text)


def thing(rng: random.Random, style: Style) -> Made:
    """What somebody gave a name: a ship, a product, an animal, a picture, a field."""
    stem, noun = rng.choice(STEMS), rng.choice(NOUNS)
    text = rng.choice(
        [
            stem, noun, rng.choice(LAST), f"{stem} {noun}", f"{noun} {rng.choice(NOUNS)}",
            f"{stem} {rng.choice(_SORTS)}",
            f"{stem} {rng.randrange(2, 99)}{rng.choice(['', '0', 'X'])}",
            f"{noun} {rng.choice(_SORTS).title()}s", f"Old {noun}", f"Lady {stem}",
            f"{noun} of {stem}",
            f"{stem}{rng.choice(['Glow', 'Max', 'Pro', 'Jet'])} {rng.choice(_SORTS)}",
        ]
    )  # fmt: skip
    return _made(text.upper() if style.capitals or rng.random() < 0.1 else text)


def topic(rng: random.Random, style: Style) -> Made:
    text = f"{rng.choice(_ABOUT)} {rng.choice(_MATTERS)}"
    return _made(text.title() if rng.random() < 0.4 else text)


def ailment(rng: random.Random, style: Style) -> Made:
    words = [rng.choice(_HOW), rng.choice(_WHERE), rng.choice(_WHAT)]
    text = " ".join(filter(None, words))
    return _made(_cased(text, style, rng))


def works(rng: random.Random, style: Style) -> Made:
    return _made(_cased(f"{rng.choice(_DO)} {rng.choice(_ON)}", style, rng))


def job(rng: random.Random, style: Style) -> Made:
    text = f"{rng.choice(_RANKS)} {rng.choice(_TRADES)}".strip()
    return _made(text.title() if rng.random() < 0.7 else _cased(text, style, rng))


def place_name(rng: random.Random, style: Style) -> Made:
    return _made(f"{rng.choice(NOUNS)} {rng.choice(['Wood', 'Marsh', 'Head', 'Bay', 'Common'])}")


def months(rng: random.Random, style: Style) -> Made:
    value = rng.choice([3, 6, 9, 12, 15, 18, 24, 30, 36, 48])
    if value % 12 == 0 and rng.random() < 0.3:
        years = value // 12
        return Made(value, f"{years} year{'s' if years > 1 else ''}")
    return Made(value, f"{value}{rng.choice([' months', ' months', ' mo.', ''])}")


def home(rng: random.Random, style: Style) -> Made:
    """An address, often that of a house with a name."""
    if rng.random() < 0.6:
        return address(rng, style)
    lines = (
        f"{rng.choice(NOUNS)} {rng.choice(_HOMES)}",
        rng.choice(_LANES),
        f"{rng.choice(CITIES)} {rng.choice(['OX', 'BL', 'PR', 'LS'])}{rng.randrange(1, 29)} "
        f"{rng.randrange(1, 9)}{rng.choice(['AA', 'YY', 'QZ'])}",
    )
    text = ", ".join(lines)
    return Made(text, text, lines)


def several(*choices: str) -> Maker:
    """Some of the choices, as a list."""

    def make(rng: random.Random, style: Style) -> Made:
        chosen = rng.sample(choices, rng.randrange(1, min(4, len(choices)) + 1))
        written = ", ".join(chosen)
        if len(chosen) > 1 and rng.random() < 0.5:
            written = f"{', '.join(chosen[:-1])} and {chosen[-1]}"
        return Made(chosen, written)

    return make


def with_more(made: Made, rng: random.Random, style: Style) -> Made:
    """The value with something behind it that does not belong to it."""
    if not isinstance(made.true, str) or made.lines:
        return made
    number = code("99-999", "A9999", "9999")(rng, style).written
    more = rng.choice(
        [
            f", {rng.choice(CITIES)}", f" ({rng.choice(NOUNS).lower()})", f" / {number}",
            f" – {rng.choice(_MATTERS)}", f", {rng.choice(_TRADES)}", f", no. {number}",
            f"; see {number}", f" ({number})", f". {rng.choice(_DO).title()} {rng.choice(_ON)}.",
        ]
    )  # fmt: skip
    return Made(made.true, made.written + more)


def _cased(text: str, style: Style, rng: random.Random) -> str:
    if style.capitals:
        return text.upper()
    return text[0].upper() + text[1:] if rng.random() < 0.6 else text


def _made(text: str) -> Made:
    return Made(text, text)


PLAIN: dict[str, Maker] = {
    "plain": plain, "thing": thing, "topic": topic, "ailment": ailment, "works": works, "job": job,
    "months": months, "place_name": place_name, "home": home,
}  # fmt: skip
