"""Names of countries, states and provinces that documents use without further explanation.

General knowledge, so that a text is recognised as a place without a hint.
"""

import re
from collections.abc import Iterator

_COUNTRIES = """
Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahamas|
Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bermuda|Bhutan|Bolivia|
Bosnia and Herzegovina|Botswana|Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|
Canada|Cayman Islands|Chad|Chile|China|Colombia|Congo|Costa Rica|Croatia|Cuba|Cyprus|
Czech Republic|Czechia|Denmark|Djibouti|Dominica|Dominican Republic|Ecuador|Egypt|El Salvador|
England and Wales|England|Eritrea|Estonia|Eswatini|Ethiopia|Fiji|Finland|France|Gabon|Gambia|
Georgia|Germany|Ghana|Gibraltar|Greece|Greenland|Grenada|Guatemala|Guernsey|Guinea|Guyana|Haiti|
Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Isle of Man|Israel|Italy|
Ivory Coast|Jamaica|Japan|Jersey|Jordan|Kazakhstan|Kenya|Kosovo|Kuwait|Kyrgyzstan|Laos|Latvia|
Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Macau|Madagascar|Malawi|Malaysia|
Maldives|Mali|Malta|Mauritania|Mauritius|Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|
Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Niger|Nigeria|North Macedonia|
Northern Ireland|Norway|Oman|Pakistan|Panama|Papua New Guinea|Paraguay|Peru|Philippines|Poland|
Portugal|Puerto Rico|Qatar|Romania|Russia|Russian Federation|Rwanda|Samoa|San Marino|Saudi Arabia|
Scotland|Senegal|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|Slovenia|Somalia|South Africa|
South Korea|Republic of Korea|Korea|Spain|Sri Lanka|Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|
Tajikistan|Tanzania|Thailand|Togo|Tonga|Trinidad and Tobago|Tunisia|Turkey|Turkmenistan|Uganda|
Ukraine|United Arab Emirates|United Kingdom|United States of America|United States|Uruguay|
Uzbekistan|Vatican City|Venezuela|Vietnam|Wales|Yemen|Zambia|Zimbabwe|Deutschland|Österreich|
Schweiz|Belgique|België|Nederland|España|Italia
"""
_STATES = """
Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|District of Columbia|
Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|
Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|
New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|
South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|
Wisconsin|Wyoming|Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland|Nova Scotia|Ontario|
Prince Edward Island|Quebec|Québec|Saskatchewan|New South Wales|Queensland|South Australia|Tasmania|
Victoria|Western Australia|Bavaria|Bayern|Hessen|Saxony|Sachsen
"""


def _names(table: str) -> list[str]:
    return [name.strip() for name in table.replace("\n", "").split("|")]


KNOWN = frozenset(name.lower() for table in (_COUNTRIES, _STATES) for name in _names(table))
"""All names in lower case."""
_BY_FIRST_WORD: dict[str, list[str]] = {}
for _name in sorted(KNOWN, key=len, reverse=True):
    _BY_FIRST_WORD.setdefault(_name.split()[0], []).append(_name)
_CAPITALISED = re.compile(r"(?<![\w-])[^\W\d_a-z][^\W\d_]+")


def places(text: str) -> Iterator[tuple[int, int]]:
    """The positions of place names in normal or all-capitals spelling."""
    lowered, end = text.lower(), 0
    for match in _CAPITALISED.finditer(text):
        start = match.start()
        if start < end:
            continue
        for name in _BY_FIRST_WORD.get(match[0].lower(), ()):
            behind = lowered[start + len(name) : start + len(name) + 1]
            if lowered.startswith(name, start) and not (behind.isalnum() or behind == "-"):
                end = start + len(name)
                yield start, end
                break


_CODES = """
AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|
FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|
LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|
MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|
NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|
RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|
VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming
"""
CODES = dict(entry.strip().split(" ", 1) for entry in _CODES.replace("\n", "").split("|"))
"""The states of the United States by their postal codes."""
