"""Words and turns of phrase with which people address each other around a request."""

import re

COURTESY = frozenset(
    """
    afternoon ah ahem aha anyhow anyway apologies argh aww beg bless bloody boy brilliant bye
    cheerio cheers coffee colleague colleagues cordially curious curiosity daft dang darling
    dear dearest everybody evening excuse faithfully favour favor fellas folks fyi gentlemen gee
    god goodness gosh grateful greetings guys ha hallo haha heavens hello hey hi hiya hm hmm
    howdy hullo kindly ladies lol lord love luck madam mate mates message morning mornin oh oi
    ok okay ooh oops ouch pal pals pardon phew please pls plz quick quickie regards regret
    respected respectfully rightio right righto rush sigh silly sincerely sir sirs sorry
    sweetheart ta tea team thank thanks thanx thx tia tricky ugh uh um umm urgent urgently
    weather welcome well whoa whoops wondering wow yay yeah yikes yo yours
    """.split()  # noqa: SIM905
)
"""Words of greeting, thanks, apology, exclamation and haste."""
ASKERS = frozenset("i we me us my our you your myself mine yours ourselves im".split())  # noqa: SIM905
"""People who ask and are asked. `they` and `it` may be the documents."""
FINITE = frozenset(
    """
    is are was were am do does did has have had will would can could goes went needs wants says said
    asks asked insists keeps kept makes made waits calls called came comes started starts
    """.split()  # noqa: SIM905
)
_OPENING = re.compile(
    r"^\s*(?:dear\b[^,:;!?\n]{0,60}[,:;!\n]|to whom it may concern\s*[,:.;!]?)\s*", re.IGNORECASE
)
_CLOSING = re.compile(
    r"(?<=[.?!,;\s])(?:(?<!\s)\s+)?(?:yours (?:faithfully|sincerely|truly|respectfully|ever)"
    r"|(?:(?:with )?(?:kind|best|warm|warmest|kindest|friendly|many thanks and kind) )?regards"
    r"|best wishes|with (?:many thanks|best wishes|compliments)|sincerely(?: yours)?"
    r"|respectfully(?: yours)?|faithfully(?: yours)?|cordially)"
    r"(?:[^\S\n]*+(?:[,.!]|\n\s*+)[^?]{0,50})?\s*$",
    re.IGNORECASE,
)
"""The end of a letter with the name below it."""


def letter(text: str) -> tuple[str, tuple[str, ...]]:
    """The body of a letter, and its salutation and closing."""
    around: list[str] = []
    for pattern in (_OPENING, _CLOSING):
        match = pattern.search(text)
        if match is not None and match.end() - match.start() < len(text.rstrip()):
            around.append(match[0].strip(" ,.\n"))
            text = f"{text[: match.start()]} {text[match.end() :]}".strip()
    return text, tuple(around)


_BY = r"(?:(?:hereby|kindly|respectfully|now|also|just|really|please|urgently|simply) )*"
_TELL = (
    r"(?:(?:let (?:me|us|them|him|her) (?:have|know|see|get)|be (?:given|sent|told|shown|provided)"
    r"|furnish|provide|supply|submit|forward|prepare|compile|draw up|produce|send|issue|report"
    r"|state|indicate|specify|set out|enumerate|extract|fetch|retrieve|dig (?:up|out)|look up|pull"
    r"(?: (?:up|out))?|work out|tell|advise|inform|receive|obtain|find(?: out)?|get|have|see|give"
    r"|know|learn|hear|show|check|make|put together|run off|print(?: out)?|write(?: down)?|note"
    r"|name|list)"
    r"(?: (?:me|us|them|him|her|our \w+|my \w+|the (?:undersigned|committee|board|office)))?"
    r"(?: (?:of|with|about|on|over|to))? )"
)
_TELL_FIRMLY = (
    r"(?:(?:furnish|provide|supply|submit|forward|prepare|compile|draw up|produce|send|issue|state"
    r"|report|indicate|specify|enumerate|extract|retrieve|dig (?:up|out)|look up|work out|advise"
    r"|put together|run off|let (?:me|us) (?:have|know|see))"
    r"(?: (?:me|us|them|him|her|our \w+|my \w+))?(?: (?:of|with|about|on))? )"
)
_LIST = (
    r"(?:(?:a|an|the|your|some)? ?(?:(?:full|complete|brief|short|detailed|updated|current|quick"
    r"|comprehensive|little|nice|simple|formal|written|up-to-date) )*"
    r"(?:list|listing|schedule|overview|register|breakdown|rundown|summary|account|inventory|roster"
    r"|statement|tally|table|compilation|enumeration|extract|details|particulars|information)"
    r" (?:of|on|about|showing|setting out|with|for|regarding) )"
)
_BEGINS = (
    r"(?=(?:all|the|those|these|any|every|each|how|what|which|who|whose|whether|when|where|its|"
    r"their|our|just|only|a|an|\d)\b)"
)
_REQUESTS = (
    rf"{_BY}(?:requests?|requested|requires?|demands?|asks? for|asked for|seeks?|needs?|wants?"
    r"|desires?|wishes(?: for)?|wish|would like|is asking for|has asked for"
    r"|(?:is|am|are) looking for|(?:am|are) after"
    r"|has requested|(?:has )?asks?(?:ed)?(?: me| us)?(?: that| to)?|has asked (?:me|us|that)"
    r"|wonders?|wondered)"
)
_PARTS = (
    # who asks
    r"(?:(?:the|an?|our|my|this|his|her|some|one of (?:the|our|my)) (?:[\w'’.-]+ ){1,5}?"
    rf"|some(?:body|one) ){_REQUESTS} "
    rf"(?:(?:we|i|you|me|us) )?(?:to )?{_TELL}?{_LIST}?{_BEGINS}",
    rf"(?:i|we|(?:the )?undersigned|management) {_BY}(?:would |should |d )?"
    rf"(?:{_REQUESTS}|be (?:(?:much|very|most|so|deeply) )?"
    r"(?:obliged|grateful|pleased|glad|happy|thankful|interested)"
    r"(?: (?:if (?:you|someone|somebody) (?:could|would|can|might)|to|in|for))?)"
    rf"(?: (?:you|me|us))?(?: to)? {_BY}{_TELL}?{_LIST}?{_BEGINS}",
    # who is asked
    rf"you are {_BY}(?:requested|asked|invited|instructed|required|urged) to {_BY}{_TELL}?{_LIST}?",
    rf"it is {_BY}(?:requested|asked|required|desired) that (?:you|we|i) {_BY}{_TELL}?{_LIST}?",
    rf"(?:may|might|could|can) (?:i|we) {_BY}(?:trouble|ask|bother|beg|request|implore)(?: you)?"
    rf"(?: (?:to|for))? {_BY}{_TELL}?{_LIST}?",
    rf"(?:would|will|is) it (?:be )?(?:at all )?possible (?:for you )?to {_BY}{_TELL}?{_LIST}?",
    rf"(?:is there )?any chance (?:that )?(?:you|we|i) (?:could|can|might) {_BY}{_TELL}?{_LIST}?",
    rf"(?:please )?(?:be|would you be) so (?:kind|good) as to {_BY}{_TELL}?{_LIST}?",
    rf"(?:please )?do (?:me|us) a favou?r and {_BY}{_TELL}?{_LIST}?",
    # what should be done
    rf"{_BY}{_TELL_FIRMLY}{_LIST}?{_BEGINS}",
    rf"{_BY}{_TELL}?{_LIST}{_BEGINS}",
)  # fmt: skip
_FRAME = re.compile("|".join(f"(?:{part})" for part in _PARTS), re.IGNORECASE)
_INSIDE = re.compile(rf"(?<=[,:;] )(?:(?:please|kindly) )*{_TELL_FIRMLY}{_BEGINS}", re.IGNORECASE)
"""`for each region, kindly state the number of boats`."""


def request_frame(text: str) -> str:
    """The words at the beginning that only say who asks whom for a list."""
    match = _FRAME.match(text)
    return "" if match is None or match.end() == len(text) else match[0]


def without_orders_inside(text: str) -> str:
    """The text without verbs behind a comma that merely ask for a report."""
    return _INSIDE.sub("", text)


PURPOSES = (
    ("for", "the", "purpose"), ("for", "the", "purposes"), ("for", "purposes"),
    ("in", "connection", "with"), ("in", "preparation"), ("further", "to"), ("pursuant", "to"),
    ("on", "behalf", "of"), ("as", "part", "of"), ("in", "view", "of"), ("in", "light", "of"),
    ("in", "the", "light", "of"), ("ahead", "of"), ("with", "a", "view", "to"),
    ("with", "reference", "to", "your"), ("following", "your"), ("following", "our"),
    ("in", "reply", "to"), ("in", "response", "to"), ("in", "order", "to"), ("out", "of"),
)  # fmt: skip
"""How a clause begins that states the purpose of an answer."""
