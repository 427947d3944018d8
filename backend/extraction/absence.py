"""Recognises texts that stand in for a missing value: "n/a", "not taken, would not sit".

The rest of such a text is no value either: "not taken (target 4.5 kg)" gives no weight. The word
lists are general vocabulary of forms and letters, not tied to any property.
"""

import re

_KNOWN = (
    "applicable|recorded|stated|available|known|reported|provided|specified|given|determined"
    "|disclosed|measured|tested|found|taken|named|noted|entered|supplied|assigned|allocated"
    "|decided|agreed|fixed|set|scheduled|filled in|announced"
)
_PLAIN = re.compile(
    r"(?:n\.?/?a\.?|not (?:applicable|recorded|stated|available|known|reported|provided|specified|"
    r"given|determined|disclosed|measured|tested|found)|unknown|undetermined|"
    r"none (?:given|recorded|stated|reported)|no data|tbd|tba|pending|[-–—*_.]+)\.?",
    re.IGNORECASE,
)
_OPENING = re.compile(
    rf"(?:(?:still |yet |date |day |amount |figure |details )?to be (?:{_KNOWN}|advised|notified)"
    rf"|(?:was |were |is )?(?:not|never) (?:yet |been |as yet |yet been )?(?:{_KNOWN})"
    r"|no \w+ (?:given|stated|known|recorded|provided|named|assigned|entered|agreed|set|fixed)"
    rf"|none (?:yet|so far|{_KNOWN})"
    r"|unknown|undetermined|undecided|unconfirmed|undisclosed|withheld|redacted|left (?:blank|open)"
    r"|tb[acd]|n\.?/a\.?|noch (?:offen|unbekannt)|wird noch \w+|unbekannt|keine angaben?|entfällt"
    r"|inconnue?|non (?:connue?|communiquée?|renseignée?)|onbekend)"
    r"(?=\W*$|\s*[,;:.()–—-]|\s+(?:at|by|until|till|on|as|because|since|pending|when|once|yet|here"
    r"|under|due|and|but|for|in|to)\b)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    rf"[\[(<](?=[^\])>]*+[\])>]\.?\Z)(?:see [^\])>]+|[^\])>]*\b(?:to be \w+|not (?:yet )?"
    rf"(?:{_KNOWN})|unknown|blank|pending"
    r"|withheld|redacted|embargo|confidential|tb[acd])\b[^\])>]*)[\])>]\.?",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    rf"[,;(–—-]\s*(?:(?:the )?(?:exact |final )?(?:date|day|amount|figure|number|sum|name) )?"
    rf"(?:is |are |still )?to be (?:{_KNOWN}|advised|notified)\b",
    re.IGNORECASE,
)
_NONE = re.compile(r"(?:none|nil|keine?r?s?|aucune?|néant|geen)\.?", re.IGNORECASE)
_NO_DAY = re.compile(r"(?:no|never|open(?:[ -]ended)?|unlimited|indefinite)\.?", re.IGNORECASE)
_BOUND = re.compile(r"not (?:before|after|above|below|over|under|more|less|earlier)\b", re.I)
_MOST = 160


def says_none(text: str) -> bool:
    """Whether a text is just a word for none, which could still answer a number, choice or yes/no
    property.
    """
    return _NONE.fullmatch(text.strip()) is not None


def says_no_day(text: str) -> bool:
    """Whether a text in a date field says that there is no such day."""
    return _NO_DAY.fullmatch(text.strip()) is not None


def is_absent(text: str) -> bool:
    """Whether a text in a value field says nothing but that there is no value."""
    return _PLAIN.fullmatch(text.strip()) is not None


def tells_absent(text: str) -> bool:
    """Whether a text in a value field says that there is no value, possibly among other things."""
    text = text.strip()
    if not text or is_absent(text):
        return True
    if len(text) > _MOST:
        return False
    if _OPENING.match(text) or _BRACKETED.fullmatch(text):
        return True
    return _BOUND.match(text) is not None and _OPEN_END.search(text) is not None
