"""The names of months: English, other European languages in front of a year, Roman numerals."""

_ENGLISH = (
    "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
    "august aug", "september sept sep", "october oct", "november nov", "december dec",
)  # fmt: skip
_OTHERS = (
    "januar jänner janvier janv enero ene janeiro gennaio januari stycznia ledna tammikuuta",
    "februar feber février févr febrero fevereiro febbraio februari lutego února helmikuuta",
    "märz mrz mars marzo março maart marts marca března maaliskuuta",
    "avril avr abril abr aprile kwietnia dubna huhtikuuta",
    "mai mayo maio maggio mei maj maja května toukokuuta",
    "juni juin junio junho giugno czerwca června kesäkuuta",
    "juli juillet juil julio julho luglio lipca července heinäkuuta",
    "août aout agosto augustus augusti sierpnia srpna elokuuta",
    "septembre septiembre setiembre setembro settembre września září syyskuuta",
    "oktober okt octobre octubre outubro ottobre października října lokakuuta",
    "novembre noviembre novembro listopada listopadu marraskuuta",
    "dezember dez décembre diciembre dic dezembro dicembre desember grudnia prosince joulukuuta",
)


def _numbered(months: tuple[str, ...]) -> dict[str, int]:
    return {name: number for number, names in enumerate(months, 1) for name in names.split()}


def _pattern(names: dict[str, int]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


ENGLISH_MONTHS = _numbered(_ENGLISH)
"""The number of each English month by its name or abbreviation, in lower case."""
MONTHS = ENGLISH_MONTHS | _numbered(_OTHERS)
"""The same in all languages."""
MONTH, ANY_MONTH = _pattern(ENGLISH_MONTHS), _pattern(MONTHS)
"""Patterns of the English names, and of all."""
ROMAN_MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
"""The months as Roman numerals, in order."""
