"""Short names of places, months and companies, with the full names.

A code alone is ambiguous: `CA` is California among states and Canada among countries. The table
that names most of the neighbouring values decides.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from backend.language.nouns import singular

_STATES = """
alabama AL Ala|alaska AK|arizona AZ Ariz|arkansas AR Ark|california CA Calif Cal|colorado CO Colo
connecticut CT Conn|delaware DE Del|florida FL Fla|georgia GA|hawaii HI|idaho ID|illinois IL Ill
indiana IN Ind|iowa IA|kansas KS Kan|kentucky KY|louisiana LA|maine ME|maryland MD
massachusetts MA Mass|michigan MI Mich|minnesota MN Minn|mississippi MS Miss|missouri MO
montana MT Mont|nebraska NE Neb|nevada NV Nev|new_hampshire NH|new_jersey NJ|new_mexico NM
new_york NY|north_carolina NC|north_dakota ND|ohio OH|oklahoma OK Okla|oregon OR Ore
pennsylvania PA Penn|rhode_island RI|south_carolina SC|south_dakota SD|tennessee TN Tenn
texas TX Tex|utah UT|vermont VT|virginia VA|washington WA Wash|west_virginia WV|wisconsin WI Wis
wyoming WY Wyo|district_of_columbia DC|puerto_rico PR
"""
_COUNTRIES = """
australia AU AUS|austria AT AUT|belgium BE BEL|brazil BR BRA|canada CA CAN|chile CL CHL
china CN CHN|czech_republic CZ CZE czechia|denmark DK DNK|finland FI FIN|france FR FRA
germany DE DEU GER|greece GR GRC|hungary HU HUN|india IN IND|ireland IE IRL|israel IL ISR
italy IT ITA|japan JP JPN|luxembourg LU LUX|mexico MX MEX|netherlands NL NLD holland
new_zealand NZ NZL|norway NO NOR|poland PL POL|portugal PT PRT|romania RO ROU|singapore SG SGP
slovakia SK SVK|slovenia SI SVN|south_africa ZA ZAF|south_korea KR KOR korea|spain ES ESP
sweden SE SWE|switzerland CH CHE|turkey TR TUR|ukraine UA UKR|united_arab_emirates AE ARE UAE
united_kingdom UK GB GBR great_britain|united_states US USA united_states_of_america america
"""
_MONTHS = """
january Jan|february Feb|march Mar|april Apr|may|june Jun|july Jul|august Aug|september Sep Sept
october Oct|november Nov|december Dec
"""
_FORMS = """
incorporated inc|limited ltd|corporation corp|company co|gesellschaft ges|aktiengesellschaft ag
public_limited_company plc|limited_liability_company llc|limited_partnership lp
"""
_CURRENCIES = """
usd dollar us_dollar|eur euro|gbp pound pound_sterling sterling|chf franc swiss_franc|jpy yen
cad canadian_dollar|aud australian_dollar|inr rupee|cny yuan renminbi|sek swedish_krona
nok norwegian_krone|dkk danish_krone|pln zloty|czk koruna|huf forint|brl real|mxn peso|zar rand
myr ringgit malaysian_ringgit|sgd singapore_dollar|krw won|thb baht|idr rupiah|try lira
"""
_CURRENCY_SIGNS = "$ dollar|€ euro|£ pound"
_OFFICIAL = (
    ("the",), ("state", "of"), ("commonwealth", "of"), ("republic", "of"), ("kingdom", "of"),
    ("the", "state", "of"), ("the", "commonwealth", "of"), ("the", "republic", "of"),
    ("the", "kingdom", "of"), ("federal", "republic", "of"), ("the", "federal", "republic", "of"),
)  # fmt: skip
"""Prefixes of official place names."""

Names = Mapping[tuple[str, ...], tuple[str, ...]]
"""Maps short and full names to the full name, all as lower-case words."""


def _read(table: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    names: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in table.replace("\n", "|").strip("|").split("|"):
        full, *short = [tuple(word.lower().split("_")) for word in line.split()]
        names.update(dict.fromkeys([full, *short], full))
    return names


_PLACES_AND_TIMES: tuple[Names, ...] = tuple(
    map(_read, (_STATES, _COUNTRIES, _MONTHS, _CURRENCIES))
)
COMPANY_FORMS: Names = _read(_FORMS)


def country_names() -> dict[str, str]:
    """Maps short names of countries to their full names, both in lower case."""
    return {" ".join(short): " ".join(full) for short, full in _PLACES_AND_TIMES[1].items()}


def without_official(phrase: tuple[str, ...]) -> tuple[str, ...]:
    """The phrase without the prefix of an official name: `state of`, `the`."""
    prefixes = [prefix for prefix in _OFFICIAL if phrase[: len(prefix)] == prefix]
    longest = max(prefixes, key=len, default=())
    return phrase[len(longest) :] or phrase


def names_for(phrases: Iterable[tuple[str, ...]]) -> Names:
    """The table that names more than half of the phrases, or an empty one."""
    listed = list(phrases)
    counts = [sum(without_official(p) in table for p in listed) for table in _PLACES_AND_TIMES]
    best = max(range(len(counts)), key=counts.__getitem__)
    return _PLACES_AND_TIMES[best] if counts[best] * 2 > len(listed) else {}


def other_spellings(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Other names of a place, given the words of a value in lower case, which may lack the ending
    of a plural.

    For a code, its full name. For a full name, only the codes that are not English words.
    """
    plain = without_official(words)
    called = [plain] if plain != words else []
    called += _currency_names().get(words, ())
    states = _PLACES_AND_TIMES[0]
    plain = _states_like_plurals().get(plain, plain)
    if plain in states:
        full = states[plain]
        short = _short_names().get(full, [])
        called += [full, *(name for name in short if name[0] in _NO_WORDS or len(name[0]) > 2)]
    return [name for name in called if name != words]


@lru_cache(maxsize=1)
def _currency_names() -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Names of each currency by its code, in the singular, as values are indexed."""
    named: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for line in f"{_CURRENCIES.strip()}|{_CURRENCY_SIGNS}".replace("\n", "|").split("|"):
        code, *names = [tuple(word.lower().split("_")) for word in line.split()]
        named[code] = tuple(names)
    return named


@lru_cache(maxsize=1)
def _short_names() -> Mapping[tuple[str, ...], list[tuple[str, ...]]]:
    """The codes of each state."""
    short: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for name, full in _PLACES_AND_TIMES[0].items():
        if name != full:
            short.setdefault(full, []).append(name)
    return short


@lru_cache(maxsize=1)
def _states_like_plurals() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """The states whose names end like plurals, by what is left of them in values: `texa`."""
    full = set(_PLACES_AND_TIMES[0].values())
    return {cut: name for name in full if (cut := tuple(map(singular, name))) != name}


_NO_WORDS = frozenset(
    "az ca ct fl ga il ks ky mn nc nd nh nj nm nv ny ri sc sd tn tx vt wi wv wy dc pr".split()  # noqa: SIM905
)
"""Codes that are not English words: `in`, `or` and `me` in a question are not states."""
