"""How people write in a hurry: abbreviations written out, and sounds that say nothing left out."""

import re

_WRITTEN_OUT = {
    "w/o": "without", "w/out": "without", "w/": "with ", "b/c": "because", "b/w": "between",
    "btw": "", "pls": "please", "plz": "please", "pleas": "please", "thx": "thanks", "tx": "thanks",
    "ty": "thank you", "hw": "how", "wat": "what", "wich": "which", "u": "you", "ur": "your",
    "r": "are", "imo": "", "fyi": "", "tbh": "", "asap": "", "lol": "", "abt": "about",
    "nr": "number", "nbr": "number", "avrg": "average", "desc.": "descending",
    "asc.": "ascending", "incl": "including", "incl.": "including", "excl": "excluding",
    "excl.": "excluding", "i.e.": ",", "e.g.": ",", "approx": "approximately",
    "approx.": "approximately", "max.": "max", "min.": "min", "vs.": "vs",
    "gimme": "give me", "lemme": "let me", "wanna": "want to", "gonna": "going to",
    "cuz": "because", "thru": "through", "til": "until", "dont": "do not", "doesnt": "does not",
    "isnt": "is not", "arent": "are not", "wasnt": "was not", "didnt": "did not",
    "werent": "were not", "havent": "have not", "hasnt": "has not", "hadnt": "had not",
    "couldnt": "could not", "wouldnt": "would not", "teh": "the",
    "cant": "can not", "wont": "will not", "shouldnt": "should not", "whats": "what is",
    "thats": "that is", "lets": "let us", "hmm": "", "hm": "", "hmmm": "", "umm": "", "uhm": "",
    "erm": "", "err": "", "ehm": "", "argh": "", "ugh": "", "haha": "", "kinda": "", "sorta": "",
    "ppl": "people", "howmany": "how many", 
    "ony": "only", "onli": "only", "olny": "only", "onyl": "only", "jsut": "just",
    "shwo": "show", "lsit": "list", "adn": "and", "nad": "and", "wiht": "with", "whith": "with",
    "nr of": "number of", "no. of": "number of",
    "# of": "number of", "num of": "number of", "qty": "quantity",
}  # fmt: skip
_SETTING = r"\b(?:add|set|put|use|apply) (?:an? |the )"
_STORY = (
    r"^(?:(?:hello|hi|hey|good \w+|dear \w+|i am|i'm|we are|we're|i have|we have|my|our|there is"
    r"|the \w+ (?:has|have|had|caught|asked|wants|is|are|needs))\b.*?)?\b"
)
"""What may stand in front of a polite request: who asks, and why."""
_SLIPS = tuple(
    (re.compile(said, re.IGNORECASE), meant)
    for said, meant in (
        (r"\b(more|less|fewer|[a-z]{3,}er) then (?=\S)", r"\1 than "),
        (r"\b(more|less|fewer|[a-z]{3,}er) as (?=[$€£]?\d)", r"\1 than "),
        (rf"{_SETTING}(?:ceiling|cap|upper (?:limit|bound)) (?:of|at) (?=[$€£]?\d)", "at most "),
        (rf"{_SETTING}(?:floor|lower (?:limit|bound)) (?:of|at) (?=[$€£]?\d)", "at least "),
        (r"\bby how much (?:does|do|did) (.+?) differ from (?:that of |those of )?",
         r"difference between \1 and "),
        (r"\b(?:in )?any order"
         r"(?: (?:is|will be|would be|will|would) (?:fine|ok|okay|good|do|alright))?"
         r"(?= *[.!]*$)", "no sorting"),
        (r"\b(?:best|top)[- ]selling\b", "most sold"),
        (r"\bcut-?offs?\b", "cutoff"),
        (r"\b(?:leave|keep) (?:them|it|the list|everything) un(?:sorted|ordered)\b",
         "no sorting"),
        (r"\bhow many (?:are|is|were|would be) left(?: over)?\b", "how many"),
        (rf"{_STORY}it would (?:be (?:very |so |really )?(?:kind|good|nice|great|helpful|useful)"
         r"(?: of you)?|help (?:me|us)(?: a lot| a great deal| enormously| greatly)?)"
         r"(?: if you (?:could|would|can))?(?: to)?"
         r" (?:tell (?:me|us)|show (?:me|us)|give (?:me|us)|see|know|learn|list|have) (?=\S)", ""),
        (r"\bturned down\b", "rejected"),
        (rf"{_STORY}(?:i|we)(?: would| should|'d|’d) be (?:very |most |so )?"
         r"(?:grateful|glad|happy|thankful|obliged|pleased|delighted)"
         r" (?:to|if (?:you|someone|anyone|somebody|anybody) (?:could|can|would|might))(?: please)?"
         r" (?:find out|tell (?:me|us)|learn|know|see|show (?:me|us)|work out|check|look up|hear) ",
         ""),
        (r"^([^,.;!?]+?) (?:should|must|may|can|need|needs to) not (?:be|appear|show up|come up)"
         r"(?: in (?:there|it|here|the list|the result))?(?= *[.!]*$)", r"exclude \1"),
        (r"\bsum (?:it|this|that|everything)(?: all)? up\b", "summarize"),
        (r"\b(?:throw|put|bring|mix) (.+?) (?:into|in|to) the mix\b", r"include \1"),
        (r"\b(?:i|we)(?:'d|’d| would| had)? rather (?:have|see|get|look at|use|take) (.+?)"
         r" than (.+)$", r"\1 instead of \2"),
        (rf"{_STORY}(?:asks?|asked|wants?|wanted|wonders?|wondered|wondering)"
         r"(?: me| us| to know)? (?:whether|if) (?:you|we|i) (?:could|can|would)"
         r" (?:tell|show|give|list|say)(?: them| me| us| him| her)? (?=\S)", ""),
        (r"^count (.+?) in(?: (?:with|along with) (?:it|them|those|these|that))?(?= *[.!]*$)",
         r"include \1"),
        (r"^(?:turn|flip|switch|swap) (?:the )?(?:order|sequence|sorting|list|ranking)"
         r" (?:around|round|over|about)(?= *[.!]*$)", "reverse the order"),
        (r",? so (?:please )?do that\b(?: and)?(?=,? *(?:not|$|[.!]))", ","),
        (r"\bby how (?:much|many) (?:does|do|did) (.+?) (?:exceed|surpass|outnumber|outweigh)"
         r" (?:that of |those of |the one of )?", r"difference between \1 and "),
        (r"\b(?:largest|highest|biggest|greatest|most) (?:number|amount|count) of (\w+(?: \w+)?)"
         r" (?:in|on|at|for|of|during) (?:any|a) (?:one|single) \w+", r"maximum \1"),
        (r"\b(?:smallest|lowest|fewest|least) (?:number|amount|count) of (\w+(?: \w+)?)"
         r" (?:in|on|at|for|of|during) (?:any|a) (?:one|single) \w+", r"minimum \1"),
        (r"\b(?:the )?(?:whole|entire|full|complete) (?:ranking|lot|league table)\b",
         "the full list"),
        (r"\b(?:for |over |in )?(?:the )?(?:full|whole|entire|complete)"
         r" (?:period|time ?span|time ?range|time ?frame|history)\b", "any date"),
        (r"\bwithin (?=\d[\d.,]* (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b)",
         "at most "),
        (r"^what (?:did|do|does|have) (?:we|they|you|i|people) ((?:spen[dt]|pay|paid|earn)\w*)\b",
         r"total \1"),
        (r"\b(\d+) as (?:an?|the|their) (rating|score|grade|mark)\b", r"\2 of \1"),
        (r"\bor higher up\b", "or higher"),
        (r"\b(?:do not|don't|don’t|never) (?:go|be|get) (?:beyond|over|above|past) (?=[$€£]?\d)",
         "at most "),
        (r"\b(?:do not|don't|don’t|never) (?:go|be|get) (?:below|under) (?=[$€£]?\d)", "at least "),
        (r"\bin place of\b", "instead of"),
        (r"\bwith the (\w+) (first|last|on top|at the top)\b", r", \1 \2"),
        (r"\b(?:each|every) (\w+) (?:on|in) (?:its|their) own (?:line|row)\b", r"per \1"),
        (r"\b(?:with |put |add |show |give )?the (?:count|number) of \w+(?: \w+)?"
         r" (?:next to|beside) each(?: one| of them)?\b", "how many of each"),
        (r"\b(?:whichever|no matter (?:which|what)|regardless of(?: the)?) ", "any "),
        (r",? (?:starting|beginning) with the (\w+est)\b", r", \1 first"),
        (r"\bbtw (?=[$€£]?\d)", "between "),
    )
)  # fmt: skip
"""What people say in another way, or misspell, and the plain words for it."""
_PIECES = "|".join(re.escape(short) for short in sorted(_WRITTEN_OUT, key=len, reverse=True))
_SHORT = re.compile(rf"(?<![\w/&'’.-])(?:{_PIECES})(?![\w/&'’-])|(?<!\w)w/(?=\w)", re.IGNORECASE)
_QUOTED = re.compile(r"(\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']+'(?!\w))")


def written_out(text: str) -> str:
    """The text with abbreviations written out; what stands in quotation marks stays as it is.

    A single capital letter is left alone: it may well be a value.
    """
    parts = _QUOTED.split(text)
    for i in range(0, len(parts), 2):
        for slip, meant in _SLIPS:
            parts[i] = slip.sub(meant, parts[i])
        parts[i] = _SHORT.sub(_long, parts[i])
    return " ".join("".join(parts).split())


def _long(found: re.Match[str]) -> str:
    short = found[0]
    if len(short) == 1 and short.isupper():
        return short
    return _WRITTEN_OUT[short.lower()]
