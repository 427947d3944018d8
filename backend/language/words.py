"""Words of English text: tokens, stems, sentences, and the words that carry no content."""

import re
import unicodedata
from functools import lru_cache

import Stemmer

_MARKS = "".join(
    char for char in map(chr, range(0x300, 0x2100)) if unicodedata.category(char).startswith("M")
)
"""Vowels and accents that are characters of their own, as in Hindi; patterns skip them."""
IN_NAMES = rf"\w\-{_MARKS}"
"""The characters of names that need no quotes, for a pattern's brackets."""
LETTERS = rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*"
"""The pattern of letters and digits with their marks."""
_WORD = re.compile(rf"{LETTERS}(?:['’]{LETTERS})?")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])|\n+")

INVISIBLE = "\u061c\u180e\u200e\u200f\ufeff" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2060, 0x2070)))
)
"""Marks of direction, word joiners, invisible operators and byte order marks."""
_UNSEEN = str.maketrans("\u200b", " ", f"\u00ad{INVISIBLE}")
"""A line break in a request is a space, a hyphen that does not show is nothing."""
_BLANKS = re.compile(r"\s{2,}")


def single_spaced(text: str) -> str:
    """The text with each run of whitespace replaced by one space, or one line break if it contains
    any, and without invisible characters, which come along when text is copied.

    Patterns that match whitespace take time quadratic in such a run.
    """
    text = text.translate(_UNSEEN)
    return _BLANKS.sub(lambda blanks: "\n" if "\n" in blanks[0] else " ", text)


FUNCTION_WORDS = frozenset(
    """
    a about again all already also although am among an and any are aren as at be because been
    being between both but by can could couldn d did didn do does doesn doing don done during
    each either even ever every few for from further had hadn has hasn have haven having he her
    here hers him his how i if in into is isn it its itself just ll m may me might mine more
    most must my neither no nor not of on once only onto or other our ours over own re s same
    shall she should shouldn so some still such t than that the their theirs them then there
    these they this those though through to too under upon us ve very was wasn we were weren
    what when where whether which while who whom whose why will with within won would wouldn yes
    yet you your yours
    """.split()  # noqa: SIM905
)
"""Words that say nothing about the subject of a text."""


@lru_cache(maxsize=1)
def _stemmer() -> "Stemmer.Stemmer":
    return Stemmer.Stemmer("english")


_IRREGULAR_FORMS = """
send sent|write wrote written|pay paid|sell sold|buy bought|build built|fall fell fallen
rise rose risen|grow grew grown|withdraw withdrew withdrawn|break broke broken|lose lost|win won
make made|hold held|lead led|leave left|begin began begun|die died dead|fly flew flown
drive drove driven|spend spent|choose chose chosen|speak spoke spoken|teach taught|catch caught
draw drew drawn|steal stole stolen|weigh weight weighed weighs|feed fed|meet met|bring brought
find found|tell told|detain detention|retain retention|decide decision|divide division
collide collision|explode explosion|admit admission|omit omission|submit submission
emit emission|permit permission|transmit transmission
suspend suspension|conclude conclusion|describe description|produce production|reduce reduction
receive reception|solve solution|destroy destruction|arrive arrival|refuse refusal
approve approval|remove removal|vary variation|expand expansion|extend extension
complain complained complains complaint|object objected objects objection
respond response|apply application|appoint appointment|maintain maintenance|succeed success
take took taken taking|give gave given giving|come came coming|undertake undertook undertaken
keep kept|lend lent|strike struck|eat ate eaten|drink drank|go went gone|know knew known|run ran
sit sat|sing sang sung|swim swam|wear wore worn|tear tore torn|hide hid hidden|ride rode ridden
shake shook shaken|forget forgot forgotten|freeze froze frozen|throw threw thrown|blow blew blown
think thought|seek sought|fight fought|hear heard|sleep slept|sweep swept|stand stood|dig dug
sink sank sunk|hang hung|swing swung|stick stuck|become became|lay laid|mean meant
child children|person people persons|man men|woman women
"""
_IRREGULAR = {
    other: forms.split()[0]
    for line in _IRREGULAR_FORMS.strip().splitlines()
    for forms in line.split("|")
    for other in forms.split()[1:]
}


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of an English word, lower case."""
    if len(word) > 2 and word.endswith("s") and word[:-1].isupper():
        word = word[:-1]  # "SMEs"
    plain = word.lower().replace("’", "'").removesuffix("'s")
    regular = _IRREGULAR.get(plain) or _IRREGULAR.get(plain.removesuffix("s"), plain)
    return str(_stemmer().stemWord(regular))


def words(text: str) -> list[str]:
    """The words of a text in order, as written."""
    return _WORD.findall(text)


def content_stems(text: str) -> list[str]:
    """Stems of the words that carry content, in order."""
    return [stem(w) for w in words(text) if w.lower() not in FUNCTION_WORDS]


def sentences(text: str) -> list[str]:
    """The sentences of a text; line ends end a sentence too."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]
