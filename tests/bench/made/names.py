"""Words that made documents are filled with, from `names.txt`."""

from pathlib import Path


def _read() -> dict[str, list[str]]:
    lines = Path(__file__).with_name("names.txt").read_text("utf-8").splitlines()
    parted = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {name: words.split("|") for name, _, words in parted}


_WORDS = _read()
FIRST, LAST = _WORDS["first"], _WORDS["last"]
STEMS, TRADES, NOUNS = _WORDS["stems"], _WORDS["trades"], _WORDS["nouns"]
LEGAL, BODIES = _WORDS["legal"], _WORDS["bodies"]
CITIES, STATES, COUNTRIES = _WORDS["cities"], _WORDS["states"], _WORDS["countries"]
STREETS, GOODS = _WORDS["streets"], _WORDS["goods"]
