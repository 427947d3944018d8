"""Facts in the descriptions of a schema beyond its properties: names for the documents, and the
meaning of missing values.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from backend.language.common_words import is_past
from backend.language.words import FUNCTION_WORDS, stem, words

_OF_NOUN = re.compile(r"\b(?:the|this|each|every)\s+([a-z]+)\b", re.IGNORECASE)
_OF_KEY = re.compile(r"\bof (?:the|a|an|each|this)\s+(?:[a-z]+\s)?([a-z]+)\W*$", re.IGNORECASE)
_KEY_OF = re.compile(
    r"^\s*(?:the |each )?(?!unique|internal|serial|own)([a-z]+) "
    r"(?:number|no|id|code|reference|identifier)\W*$",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"\b(?:missing|empty|blank|null|none|absent|unset|not set|left out)\s+"
    r"(?:when|if|while|until|unless|for|as long as|where)\s+([^.;,)]+)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^(?:the|this|a|an) [a-z]+ (?:is|was|are|were|has been) ")
_ENOUGH = 2
_OFTEN = 3
KIND_WORDS = frozenset({"type", "kind", "sort", "category", "class"})
_KIND = KIND_WORDS | {"model", "name"}
"""`machine_type` beside descriptions of the machine: one machine per document."""
_NO_NOUNS = frozenset(
    """
    amount average body certain day date end first following given last main maximum mean minimum
    month name number order person place rate same second size start sum total type value whole
    year
    """.split()  # noqa: SIM905
)
"""Nouns after `the` that denote a part of a document."""
_NO_GAPS = frozenset(
    {
        "none",
        "nobody",
        "nothing",
        "yet",
        "still",
        "never",
        "known",
        "unknown",
        "available",
        "applicable",
    }
)


def nouns_of_descriptions(descriptions: Mapping[str, str], keys: Iterable[str]) -> frozenset[str]:
    """Nouns by which descriptions refer to the documents, in lower case: one shared by several
    (`day of the incident`, `crew hurt in the incident`), and that of a key (`code of the grant`,
    `grant number`).

    Words in names of properties are excluded, unless they only say what kind of property it is.
    """
    split = [name.lower().split("_") for name in descriptions]
    of_kinds = {word for parts in split for word in parts if _KIND & set(parts)}
    other = {word for parts in split for word in parts if not _KIND & set(parts)}
    counts: Counter[str] = Counter()
    for text in descriptions.values():
        counts.update({noun.lower() for noun in _OF_NOUN.findall(text)})
    results = {noun for noun, count in counts.items() if count >= _ENOUGH}
    # "contract_months": descriptions that mention the contract this often make documents contracts.
    other -= {
        noun for noun in results if counts[noun] >= 2 * _ENOUGH and _only_in_front(noun, split)
    }
    for key in keys:
        for pattern in (_OF_KEY, _KEY_OF):
            results.update(noun.lower() for noun in pattern.findall(descriptions.get(key, "")))
    return frozenset(
        noun
        for noun in results
        if noun not in other | _KIND | _NO_NOUNS | FUNCTION_WORDS
        and len(noun) > 2
        and (noun not in of_kinds or counts[noun] >= _OFTEN)
    )


def often_described(descriptions: Iterable[str]) -> frozenset[str]:
    """Nouns, in lower case, that occur in so many descriptions that they may mean the documents
    even if a property has that name: `make of the bike`, `day the bike was brought in`.
    """
    counts = Counter(
        noun for text in descriptions for noun in {n.lower() for n in _OF_NOUN.findall(text)}
    )
    return frozenset(
        noun
        for noun, count in counts.items()
        if count >= _OFTEN and noun not in _KIND | _NO_NOUNS | FUNCTION_WORDS
    )


def _only_in_front(noun: str, names: Sequence[Sequence[str]]) -> bool:
    """Whether a word appears in names only before their head noun."""
    for parts in names:
        if noun in parts:
            behind = parts[parts.index(noun) + 1 :]
            if not behind or is_past(behind[0]):
                return False
    return True


_OF_TRUTH = re.compile(
    r"^\s*(?:whether|if|true if|true when|says whether)\s+(?:the|this|a|an|each)\s+([a-z]+)\s+"
    r"(?:is|was|were|are|has|had|have|can|could|did|does|got|came|went|[a-z]+ed|[a-z]+s)\b",
    re.IGNORECASE,
)


def truth_of(description: str) -> frozenset[str]:
    """The subject of a boolean property, in lower case: `load` of `whether the load is hazardous`.
    A request with that word does not ask for the property.
    """
    match = _OF_TRUTH.match(description)
    return frozenset() if match is None else frozenset({match[1].lower()})


_COUNTED = re.compile(r"\b(?:number|count|total) of ([a-z]+)", re.IGNORECASE)


def counted_nouns(descriptions: Iterable[str]) -> frozenset[str]:
    """The stems of things that a number counts inside each document, such as `number of papers` of
    a grant: these never mean the documents.
    """
    counted = {noun.lower() for text in descriptions for noun in _COUNTED.findall(text)}
    return frozenset(map(stem, counted - FUNCTION_WORDS))


def gap_words(description: str) -> frozenset[str]:
    """The words for documents in which this property is missing: `missing when unsold`."""
    gap_text = " ".join(_GAP.findall(description)).lower()
    denied = re.search(r"\b(?:not|never|no|none|nobody|nothing)\b|n['’]t\b", gap_text) is not None
    state = _SUBJECT.sub("", gap_text)  # "empty if the matter is still open"
    content = [w for w in words(state) if w not in FUNCTION_WORDS | _NO_GAPS]
    if len(content) != 1:
        return frozenset()
    # "empty if not yet rated": what lacks it is unrated.
    return frozenset({f"un{content[0]}"} if denied else content)


_CONTRAST = re.compile(
    r"\b(?:rather than|instead of|as opposed to)\b([^,;.()]{0,60})", re.IGNORECASE
)


def without_contrast(description: str) -> str:
    """The description of a boolean without what it denies: `whether the visit was by video rather
    than on site`.
    """
    return _CONTRAST.sub("", description)


def contrasted(description: str) -> frozenset[str]:
    """The word for what a boolean denies, if there is a single one: `site`."""
    denied = [word.lower() for text in _CONTRAST.findall(description) for word in words(text)]
    content = {word for word in denied if word not in FUNCTION_WORDS}
    return frozenset(content if len(content) == 1 else ())


def without_gaps(description: str) -> str:
    """The description without its words about missing values."""
    return _GAP.sub("", description)


_DOWN_IS_GOOD = re.compile(
    r"(?:[,;(]\s*|(?<!\s)\s+)?\b(?:the\s+)?(?:smaller|lower|less|fewer|shorter|small|low|few)"
    r"(?:\s+(?:values?|numbers?|ones?))?(?:\s+(?:is|are|means?)|,)?\s+(?:the\s+)?(?:better|good|best)\b\)?",
    re.IGNORECASE,
)


_ADVERBS = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month",
            "yearly": "year", "annual": "year", "annually": "year"}  # fmt: skip
_STATED_PER = re.compile(
    rf"\b(?:(?P<adverb>{'|'.join(_ADVERBS)})"
    r"|(?:per|each|every) (?P<span>hour|day|week|month|year))\b",
    re.IGNORECASE,
)


def stated_per(description: str) -> str | None:
    """The time that an amount refers to: `rent per month`, `annual salary`."""
    match = _STATED_PER.search(description)
    if match is None:
        return None
    return match["span"].lower() if match["span"] else _ADVERBS[match["adverb"].lower()]


_KIND_STATED = re.compile(
    rf"^\s*(?:the |a )?((?:[a-z-]+ ){{1,2}})(?:{'|'.join(sorted(KIND_WORDS))})\b", re.IGNORECASE
)


_KIND_OF = re.compile(
    rf"^\s*(?:the |a )?(?:{'|'.join(sorted(KIND_WORDS))}) of (?:the |a |an )?([a-z-]+)",
    re.IGNORECASE,
)


def kind_of(description: str) -> frozenset[str]:
    """The stems of the thing that a property classifies: `treatment type: …`, `kind of boat`."""
    match = _KIND_STATED.match(description) or _KIND_OF.match(description)
    kind_words = [] if match is None else words(match[1])
    return frozenset(stem(word) for word in kind_words if word not in FUNCTION_WORDS)


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_BEST_NUMBER = re.compile(
    r"\bbest\s*(?:\w+\s+)?(?:is|being|=|:)\s*(?P<after>\d+(?:\.\d+)?)"
    r"|(?<!\d)(?P<before>\d++(?:\.\d++)?)\s*+(?:(?:is|being|means|=|:|\()\s*+)?(?:the\s+|for\s+)?(?:very\s+)?best\b",
    re.IGNORECASE,
)


def down_is_good(description: str) -> bool:
    """Whether low values of a property are better: `seconds, lower is better`, `1.0 is the best
    mark, 5.0 the worst`.
    """
    match = _BEST_NUMBER.search(description)
    if match is not None:
        numbers = [float(number) for number in _NUMBER.findall(description)]
        return float(match["after"] or match["before"]) < max(numbers)
    return _DOWN_IS_GOOD.search(description) is not None


def without_judgement(description: str) -> str:
    """The description without its words about good and bad values."""
    return _DOWN_IS_GOOD.sub("", description)


def goes_on(description: str) -> bool:
    """Whether documents without this property are still ongoing: `empty while still running`."""
    stated = {word.lower() for word in words(" ".join(_GAP.findall(description)))}
    return bool(stated & _GOING_ON)


_GOING_ON = frozenset(
    """
    still yet ongoing running open current unfinished going goes continuing lasting active underway
    """.split()  # noqa: SIM905
)


_OTHER_NAME_ENDS = frozenset(
    """
    in on at by with for from to who whose that which when where while as if into through than until
    since before after during is are was were be and or has have had can may
    """.split()  # noqa: SIM905
)
_ARTICLES = frozenset("a an the our their its his her".split())  # noqa: SIM905
_STATED_FIRST = frozenset("whether how if who what which when where".split())  # noqa: SIM905
_LONGEST_OTHER_NAME = 5


def other_name(description: str) -> tuple[tuple[str, ...], int]:
    """The stems of the noun phrase at the start of a description, a second name of the property:
    `insurance value` of “Insurance value in thousand euros”, `means of transport`; and how many of
    them suffice, since the part after a second `of` or a participle is optional. Empty if the
    description begins with a sentence.
    """
    names: list[str] = []
    enough = complements = 0
    for place, word in enumerate(_WORDS_AND_SIGNS.findall(description)):
        lower = word.lower()
        if lower in _ARTICLES:
            if names and not complements:
                return (), 0  # "day the object went out"
        elif not place and lower in _STATED_FIRST:
            return (), 0
        elif lower == "of" and names:
            complements += 1
            enough = len(names) if complements > 1 and not enough else enough
        elif lower in _OTHER_NAME_ENDS or not word[0].isalpha():
            break
        else:
            participle = len(names) > 0 and lower.endswith(("ing", "ed")) and not complements
            enough = len(names) if participle and not enough else enough
            names.append(stem(lower))
    fits = len(names) <= _LONGEST_OTHER_NAME
    return (tuple(names), enough or len(names)) if fits else ((), 0)


_WORDS_AND_SIGNS = re.compile(r"[^\W\d_][\w'-]*|\S")
