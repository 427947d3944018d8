"""Detects questions that refer to an earlier one: `and in Ashby?`, `of those, which …`.

Without an earlier question such words have no meaning, and the rest would be answered as if it were
the whole question.
"""

import re

_THEM = r"(?:them|those|these|that|it|this)"
_NARROWED = (
    r"(?! (?:who|whom|whose|which|that|with|without|where|in|from|at|on|over|under|above|below|not"
    r"|lent|sent|sold|made|left|given|taken|built|paid|held|kept|found|lost|brought"
    r"|[a-z]{2,}[^e\W]ed|[a-z]{4,}ing)\b)"
)
"""After these the words themselves define the reference: `of those who pleaded guilty`."""
_UNNAMED = (
    r"ones?|of|is|are|was|were|do|does|did|has|have|had|can|about|else|in|for|on|at|by|there|then"
    r"|now|if|when"
)
_WHOLE = (
    r"(?!(?: (?:for|of|out of|among|from) [^,]+,)? "
    rf"(?:(?:which|what|how many|how much|what percent(?:age)?) (?!(?:{_UNNAMED})\b)\w"
    r"|what(?:'s| is| are| was| were) the \w|(?:who|where|when) \w+ (?:we|you|our|the) "
    r"|how do the |the [^,;]+, (?:what|who|which|where|when|how)))"
)
"""After `and` and `but` a question that names what it asks about refers to nothing before: `and
which race has the fewest mites?`
"""
_THE_LIST = rf"(?:{_THEM}|the (?:list|above|result|results|figure|total))"
_END = r"(?=\s*(?:$|[,.;:?!]|(?:then|please|instead|again|too|by|sorted|with|for)\b))"
_BACK = re.compile(
    rf"(?:and|but|or|nor|plus)\b(?! all\b){_WHOLE}"
    r"|(?:what about|how about|what of|(?:the )?same|likewise)\b(?! all\b)"
    rf"|(?:of|from|among|out of) {_THEM}\b{_NARROWED}"
    rf"|(?:how many|how much|which|who|any|none|all|most|some) (?:ones? )?of (?:them|those|these)\b"
    rf"{_NARROWED}"
    r"|(?:[a-z']+ ){0,2}[a-z']+[,!.] (?:and|but) (?:in|for|on|at|by|within|what about)\b"
    r"|(?:without|except|except for|excluding|minus|not) (?:the|those|these)\b"
    r"(?!.*\b(?:how|which|what|who|list|show|count|give)\b)"
    r"|(?:(?:state|say|tell me|give) )?how many (?:are there|there are|were there)[\s.?!]*$"
    r"|(?:only|just) (?:those|these|them|the ones)\b"
    r"(?!.*\b(?:how|which|what|who|list|show|count|give)\b)"
    rf"|how (?:many|much) (?:is|are|was|were|would) (?:that|those|these|they)\b(?: be)?{_END}"
    rf"|(?:show|list|give|print|display|count|sort|rank|order|arrange|group|split|break|let)"
    rf"(?: me)?(?: see| have)? {_THEM}\b{_END}"
    rf"|(?:restrict|limit|narrow|confine|reduce|break|split|arrange|sort) {_THE_LIST}\b(?! of)"
    rf"|{_THE_LIST} (?:should|must|may|can) be (?:limited|restricted|confined|narrowed)\b"
    r"|(?:exclude|remove|drop|leave out|leave off|disregard|ignore|discard)\b"
    r"(?!.*\b(?:how|which|what|who|list|show|count|give)\b)"
    r"|(?:no|sorry|oops)\b[,.]? (?:not|i mean|make (?:it|that))\b|i mean(?:t)?\b",
    re.IGNORECASE,
)
_ANYWHERE = re.compile(
    r"\b(?:corresponding|equivalent|same) (?:figure|number|value|question|thing)\b(?! of)"
    r"|\b(?:the )?same (?:for|by|with|but)\b|\binstead[.?!]*$"
    r"|^[^.;?!]*\b(?:for|of|from|among) (?:them|those|these)"
    r"(?=\s*(?:$|[.,;:?!]|(?:all|altogether|together|combined|each|in total|on average)\b))",
    re.IGNORECASE,
)


def refers_back(request: str) -> str | None:
    """The words of a request, without courtesies around it, that refer to an earlier one."""
    match = _BACK.match(request) or _ANYWHERE.search(request)
    return None if match is None else match[0].strip()
