"""Adjectives and short names of countries: `Polish` for Poland, `UK` for United Kingdom."""

from functools import lru_cache

from backend.language.nouns import singular

_TABLE = """
afghanistan afghan|albania albanian|algeria algerian|argentina argentine argentinian
armenia armenian|australia australian aussie|austria austrian|azerbaijan azerbaijani
bangladesh bangladeshi|belarus belarusian|belgium belgian|bolivia bolivian|bosnia bosnian
brazil brazilian|bulgaria bulgarian|cambodia cambodian|cameroon cameroonian|canada canadian
chile chilean|china chinese|colombia colombian|croatia croatian|cuba cuban|cyprus cypriot
czech_republic czech czechia|czechia czech czech_republic|denmark danish|ecuador ecuadorian
egypt egyptian|england english|estonia estonian|ethiopia ethiopian|finland finnish|france french
georgia georgian|germany german|ghana ghanaian|greece greek|guatemala guatemalan|haiti haitian
hungary hungarian|iceland icelandic|india indian|indonesia indonesian|iran iranian|iraq iraqi
ireland irish|israel israeli|italy italian|jamaica jamaican|japan japanese|jordan jordanian
kazakhstan kazakh|kenya kenyan|kuwait kuwaiti|latvia latvian|lebanon lebanese|liberia liberian
libya libyan|lithuania lithuanian|luxembourg luxembourgish|malaysia malaysian|malta maltese
mexico mexican|moldova moldovan|mongolia mongolian|morocco moroccan|nepal nepalese
netherlands dutch holland the_netherlands|new_zealand kiwi|nigeria nigerian|norway norwegian
pakistan pakistani|palestine palestinian|panama panamanian|paraguay paraguayan|peru peruvian
philippines filipino philippine|poland polish|portugal portuguese|qatar qatari|romania romanian
russia russian|rwanda rwandan|saudi_arabia saudi|scotland scottish|senegal senegalese
serbia serbian|singapore singaporean|slovakia slovak slovakian|slovenia slovenian slovene
somalia somali|south_africa south_african|south_korea korean south_korean|korea korean
spain spanish|sri_lanka sri_lankan|sudan sudanese|sweden swedish|switzerland swiss
syria syrian|taiwan taiwanese|tanzania tanzanian|thailand thai|tunisia tunisian
turkey turkish|türkiye turkish|uganda ugandan|ukraine ukrainian|uruguay uruguayan
united_kingdom british uk britain great_britain|uk british united_kingdom britain
united_states american usa us united_states_of_america|usa american united_states us
us american usa united_states|united_arab_emirates emirati uae|venezuela venezuelan
vietnam vietnamese|wales welsh|yemen yemeni|zambia zambian|zimbabwe zimbabwean
africa african|asia asian|europe european|north_america north_american
south_america south_american
"""


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[tuple[str, ...], ...]]:
    lines = _TABLE.replace("\n", "|").split("|")
    rows = [[word.replace("_", " ") for word in line.split()] for line in lines if line]
    return {
        row[0]: tuple(tuple(map(singular, name.split(" "))) for name in row[1:]) for row in rows
    }


@lru_cache(maxsize=1)
def _countries() -> dict[str, tuple[str, ...]]:
    called: dict[str, tuple[str, ...]] = {}
    for country, names in _table().items():
        for name in map(" ".join, names):
            called[name] = (*called.get(name, ()), country)
    return called


def countries_called(name: str) -> tuple[str, ...]:
    """The countries that have another name: an adjective, or a short form."""
    return _countries().get(name.lower(), ())


def other_names(value: str) -> tuple[tuple[str, ...], ...]:
    """Other names of a country, each as a phrase in the singular."""
    return _table().get(value.lower(), ())
