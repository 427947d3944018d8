"""How documents write currencies, and what tells apart those that share a sign.

Signs, codes and names are general knowledge of the world (ISO 4217, telephone prefixes, domains and
forms of postal codes); nothing here depends on properties or kinds of documents.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

_TABLE = """
USD | US$ | us dollars;u.s. dollars;american dollars
EUR | € | euro;euros
GBP | £ | sterling;pounds sterling;pound sterling;british pounds
CHF | Fr.;SFr. | francs;swiss francs;franken
JPY | JP¥;円 | yen
CNY | CN¥;RMB;元 | yuan;renminbi
CAD | C$;CA$;CDN$;Can$ | canadian dollars
AUD | A$;AU$ | australian dollars
NZD | NZ$ | new zealand dollars
SGD | S$;SG$ | singapore dollars
HKD | HK$ | hong kong dollars
TWD | NT$ | new taiwan dollars
MXN | MX$;Mex$ | mexican pesos
BRL | R$ | reais
INR | ₹ | indian rupees
PKR | | pakistani rupees
LKR | | sri lankan rupees
NPR | | nepalese rupees
MYR | RM | ringgit
IDR | Rp | rupiah
THB | ฿ | baht
PHP | ₱ | philippine pesos
KRW | ₩ | south korean won
VND | ₫ | vietnamese dong
ILS | ₪;NIS | shekels
AED | Dhs;Dhs.;Dh | dirhams
SAR | SR | saudi riyals
TRY | ₺;TL | turkish lira
RUB | ₽ | roubles;rubles
UAH | ₴ | hryvnia
PLN | zł | zloty;zlotych
CZK | Kč | czech crowns;czech koruna
HUF | Ft | forint
RON | lei | romanian lei
BGN | лв | leva
SEK | SKr | swedish kronor;swedish krona;svenska kronor
NOK | NKr | norwegian kroner;norske kroner
DKK | DKr | danish kroner;danske kroner
ISK | | icelandic krónur
ZAR | | south african rand
KES | KSh;Ksh;KSh. | kenyan shillings
UGX | USh | ugandan shillings
TZS | TSh | tanzanian shillings
NGN | ₦ | naira
GHS | GH₵;₵ | cedi;cedis
EGP | E£;LE | egyptian pounds
"""
_OTHERS = """
AED AFN ALL AMD ANG AOA ARS AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BSD BTN BWP BYN BZD CDF CLF
CLP COP CRC CUP CVE DEM DJF DOP DZD ERN ESP ETB FJD FKP FRF GEL GIP GMD GNF GTQ GYD HNL HTG IQD
IRR ITL JMD JOD KHR KMF KPW KWD KYD KZT LAK LBP LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
MVR MWK MZN NAD NIO NLG OMR PAB PEN PGK PYG QAR RSD RWF SBD SCR SDG SHP SLE SOS SRD SSP STN SVC SYP
SZL TJS TMT TND TOP TTD UYU UZS VES VUV WST XAF XCD XOF XPF YER ZMW ZWG
"""
"""The other codes of ISO 4217, and some that the euro replaced."""
_SHARED = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "rs": ("INR", "PKR", "LKR", "NPR"),
    "¥": ("JPY", "CNY"),
    "r": ("ZAR",),
}
"""Signs that several currencies share, and a letter that is one only before an amount."""
USUAL = {"$": "USD", "rs": "INR", "¥": "JPY", "r": "ZAR"}
"""What such a sign means where nothing tells it apart."""
_SHARED_WORDS = {"dollar": "$", "dollars": "$", "rupees": "rs", "kronor": "kr", "kroner": "kr"}
_CLUES = r"""
USD | USA;U\.S\.A\.;United States;[A-Z]{2},? \d{5}(?:-\d{4})?;\.gov\b;Sales tax;\bZIP\b;\bEIN\b
CAD | Canada;\.ca\b;\bHST\b;\bPST\b;\b[QT]V[QP]\b;[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d;\b(?:ON|QC|BC|AB|MB|NS|NB),;Ontario;Quebec;Québec;British Columbia;Alberta
AUD | Australia;\.au\b;\bABN\b;\bACN\b;\+61\b;\b(?:NSW|VIC|QLD|TAS|ACT|WA|SA|NT|Vic|Qld|Tas),? \d{4}\b;New South Wales;Queensland
NZD | New Zealand;Aotearoa;\.nz\b;\+64\b;\bNZBN\b;\bIRD\b
SGD | Singapore;\.sg\b;\+65\b;\bUEN\b
HKD | Hong Kong;\.hk\b;\+852\b;Kowloon
MXN | México;Mexico;\.mx\b;\+52\b;\bRFC\b
SEK | Sweden;Sverige;\.se\b;\+46\b;org\.?nr;Bankgiro
NOK | Norway;Norge;\.no\b;\+47\b;\bMVA\b
DKK | Denmark;Danmark;\.dk\b;\+45\b;\bCVR\b
ISK | Iceland;Ísland;\.is\b;\+354\b
INR | India;\.in\b;\+91\b;\bGSTIN\b;\bPAN\b;\b[CSI]GST\b;\bUPI\b;\bLakhs?\b
PKR | Pakistan;\.pk\b;\+92\b;\bNTN\b
LKR | Sri Lanka;\.lk\b;\+94\b
NPR | Nepal;\.np\b;\+977\b
JPY | Japan;\.jp\b;\+81\b;日本
CNY | China;\.cn\b;\+86\b;中国
"""  # noqa: E501


class Mark(NamedTuple):
    """The code of a currency or a shared sign, its offset, and whether it is beside an amount."""

    meant: str
    start: int
    beside: bool


def _rows(table: str, cells: int) -> list[list[str]]:
    lines = (line.split("|", cells - 1) for line in table.strip().splitlines())
    return [[cell.strip() for cell in line] for line in lines]


def _parts(cell: str) -> list[str]:
    return [part for part in (one.strip() for one in cell.split(";")) if part]


_SIGNS: dict[str, str] = {}
_WORDS: dict[str, str] = {}
for _code, _signs, _names in _rows(_TABLE, 3):
    _SIGNS |= dict.fromkeys([_code, *_parts(_signs)], _code)
    _WORDS |= dict.fromkeys(_parts(_names), _code)
_SIGNS |= {code: code for code in _OTHERS.split()}
CODES = frozenset(_SIGNS.values())
_CLUE = {code: re.compile(r"(?<![^\W_])(?:" + "|".join(_parts(clues)) + ")")
         for code, clues in _rows(_CLUES, 2)}  # fmt: skip


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


_WEAK = (
    "ALL", "AMD", "BAM", "COP", "CUP", "DEM", "Dh", "Fr.", "Ft", "GEL", "GIP", "LAK", "LE", "MAD",
    "MOP", "NAD", "NIS", "PEN", "R", "RM", "Rp", "SHP", "SOS", "SR", "TL", "TOP", "USh", "lei",
)  # fmt: skip
"""Letters that mean other things too: they are signs only beside a number written like money."""
_SIGN = _any_of({*_SIGNS, "$", "¥", "kr", "kr.", "Kr", "Rs", "Rs."} - {*_WEAK})
_MONEY = r"(?:\d{1,3}(?:[ ,.'’]\d{3})+(?:[.,]\d\d)?|\d{1,9}[.,]\d\d)(?![\d.,]*\d)"
_BESIDE_AMOUNT = re.compile(
    rf"(?<![^\W\d_])(?:(?P<before>{_SIGN})\s?(?=[(+−-]{{0,2}}\s?[\d.])"
    rf"|(?P<letters>{_any_of(_WEAK)})\s?(?={_MONEY}))"
    rf"|(?<=[\d.,–-])\s?(?P<behind>{_SIGN})(?![^\W\d_$])"
    rf"|(?<=[.,]\d\d)\s?(?P<last>{_any_of(_WEAK)})(?![^\W\d_$])"
)
_ALONE = re.compile(
    rf"(?<![\w-])(?:{_any_of(CODES - {*_WEAK})}|(?i:{_any_of({*_WORDS, *_SHARED_WORDS})}))(?![\w-])"
)


def mark_of(written: str) -> str | None:
    """The code that a sign, code or name stands for, or the sign that several currencies share.

    >>> mark_of("€"), mark_of("Swiss francs"), mark_of("Rs."), mark_of("m2")
    ('EUR', 'CHF', 'rs', None)
    """
    text = " ".join(written.split())
    code = _SIGNS.get(text) or _SIGNS.get(text.upper() if len(text) == 3 else text)
    code = code or _WORDS.get(text.lower()) or _WORDS.get(text.lower() + "s")
    if code is not None:
        return code
    low = text.lower().rstrip(".")
    return _SHARED_WORDS.get(low, low if low in _SHARED else None)


def marks(text: str) -> list[Mark]:
    """Each mark of a currency in a text: signs and codes beside amounts, codes and names alone."""
    written = {match.start(): (match[0], False) for match in _ALONE.finditer(text)}
    for match in _BESIDE_AMOUNT.finditer(text):
        group = str(match.lastgroup)
        written[match.start(group)] = (match[group], True)
    return [
        Mark(meant, start, beside)
        for start, (sign, beside) in sorted(written.items())
        if (meant := mark_of(sign)) is not None
    ]


def sharing(mark: str) -> tuple[str, ...]:
    """The currencies that share a sign; none for a code."""
    return _SHARED.get(mark, ())


def clues(texts: Iterable[str], codes: Iterable[str]) -> Counter[str]:
    """In how many texts something points to the country of each currency."""
    counted: Counter[str] = Counter()
    for text in texts:
        counted.update(code for code in codes if code in _CLUE and _CLUE[code].search(text))
    return counted
