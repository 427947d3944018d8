"""Turns of phrase of requests, replaced by plain words that the grammar knows."""

import re
from collections.abc import Iterable

from backend.language.adjectives import PLAIN

Turn = tuple[re.Pattern[str], str]
"""A pattern and its replacement."""


def turns(*pairs: tuple[str, str]) -> tuple[Turn, ...]:
    """Turns of phrase from patterns, which ignore case."""
    return tuple((re.compile(pattern, re.IGNORECASE), meant) for pattern, meant in pairs)


def plainly(text: str, replacements: Iterable[Turn]) -> str:
    """Applies the replacements one after the other."""
    for pattern, meant in replacements:
        text = pattern.sub(meant, text)
    return text


_SETTING = r"\b(?:add|set|put|use|apply) (?:an? |the )"
BOUNDS = turns(
    (r"\b(?:do not|don't|don’t|never) (?:show|list|give|display|return|print)(?: me| us)? more than"
     r" (?=\w+(?: (?:results?|rows|of them|documents))?(?: please)?[.! ]*$)", "limit to "),
    (r"\b(more|less|fewer|[a-z]{3,}er) then (?=\S)", r"\1 than "),
    (rf"{_SETTING}(?:ceiling|cap|upper (?:limit|bound)) (?:of|at) (?=[$€£]?\d)", "at most "),
    (r"\bcut-?offs?\b", "cutoff"),
    (r"\bwithin (?=\d[\d.,]* (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b)",
     "at most "),
)  # fmt: skip
"""At least, at most, more than: limits of a number."""
EXTREMES = turns(
    (r"\b(?:largest|highest|biggest|greatest|most) (?:number|amount|count) of (\w+(?: \w+)?)"
     r" (?:in|on|at|for|of|during) (?:any|a) (?:one|single) \w+", r"maximum \1"),
)  # fmt: skip
"""The most or least of something in any single place or time."""
TOTALS = turns(
    (r"^what (?:did|do|does|have) (?:we|they|you|i|people) ((?:spen[dt]|pay|paid|earn)\w*)\b",
     r"total \1"),
)  # fmt: skip
"""Totals of money and sales, summaries of texts."""

_PERSON = r"(?:\b(?:i|we|they|he|she|people|everyone|you)\b|^)"
_DEGREE = r"(?: (?:very )?(?:much|far|really))?"
_IT = (
    r"(?:(?:(?:the|this|that|these|those) (?:numbers?|figures?|results?|table|list|data|values?) |"
    r"(?:it|this|that|them|these|those) )(?=(?:per|by|for (?:each|every)|split|grouped|broken)\b))?"
)
CHANGES = turns(
    (r"^(?:the )?([^,.;]+? (?:filter|condition|restriction|sorting|grouping|limit)) off"
     r"(?= *[.!]*$)", r"remove the \1"),
    (r"\b((?:keep|only|just|retain)\b[^;.]+?)[,;]? (?:and )?(?:drop|remove|exclude|leave out|forget"
     r"|ignore|ditch|discard) (?:the rest|everything else|(?:all )?the others|all others)"
     r"(?= *[.!]*$)", r"\1"),
    (r"\bturned down\b", "rejected"),
    (r"^([^,.;!?]+?) (?:should|must|may|can|need|needs to) not (?:be|appear|show up|come up)"
     r"(?: in (?:there|it|here|the list|the result))?(?= *[.!]*$)", r"exclude \1"),
    (rf"{_PERSON}(?:'d|’d| would| had)?{_DEGREE} rather (?=.++$)(?:(?:have|see|get|look at|use"
     rf"|take|know)"
     rf" )?{_IT}(.+?) than (.+)$", r"\1 instead of \2"),
    (rf"{_PERSON}(?:'d|’d| would)?{_DEGREE} prefer (?=[^,.;]++$)(?:to (?:have|see|get|use"
     rf"|look at|know) )?{_IT}"
     r"((?:(?!\b(?:from|between|change|switch|up)\b)[^,.;])+?)"
     r" (?:to|over|rather than|instead of) (?![$€£]?\d|to\b|the (?:top|end)\b)([^,.;]+)$",
     r"\1 instead of \2"),
    (r"^count (.+?) in(?: (?:with|along with) (?:it|them|those|these|that))?(?= *[.!]*$)",
     r"include \1"),
    (r"\bin place of\b", "instead of"),
)  # fmt: skip
"""Include, exclude, and replace one by another."""
NO_MATTER = turns(
    (r"^(?:whether )?([a-z]+(?: [a-z]+)?) or not"
     r"(?:,? (?:(?:i|we) do(?: not|n['’]t) (?:care|mind)|it does(?: not|n['’]t) matter|no matter"
     r"|whatever))?(?= *[.!]*$)",
     r"do not care whether \1"),
    (r"\b(?:whoever|whatever|whichever|wherever|whenever) (?:the |their |its )?([^,.;]+?)"
     r" (?:is|are|was|were|may be|might be)\b", r"any \1"),
    (r"\b(?:whichever|no matter (?:which|what)|regardless of(?: the)?) ", "any "),
)  # fmt: skip
"""Conditions to drop."""

_REST = (
    r"(?:the rest|everything else|all else|all the rest|the others?|the other \w+)"
    r"(?: of (?:it|the \w+))?"
)
_SAME = (
    r"(?:(?:exactly |just )?as (?:it|they) (?:is|are|was|were)|as is|unchanged|alone|the same"
    r"|untouched|in place|be|put|like that|like this)"
)
_PLEASE = r"(?:(?:could|can|would|will) you )?(?:please )?"
_DONE = r"(?= *[.?!]*$)"
_FITTING = (
    r"(?:change|adjust|update|amend|modify|alter|redo|rework|fix|correct|adapt|rearrange)"
    r" (?:it|that|this|the \w+|everything)(?: please)? accordingly"
)
_BEFORE = r"(?:[,;.] *|(?<! ) +)?"
REST = turns(
    (rf"{_BEFORE}(?:(?:so|and|then) ){{0,4}}{_PLEASE}{_FITTING}{_DONE}", ""),
    (rf"^(?:please )?(?:leave|keep) {_REST}(?: {_SAME})? ?(?:and|but|,)+ (?=\w+ )", ""),
    (rf"{_BEFORE}(?:(?:and|but|just|please|then) ){{0,4}}(?:leave|keep|let) {_REST}"
     rf"(?: {_SAME})?{_DONE}",
     ""),
    (rf"{_BEFORE}(?:(?:and|but|with) ){{0,4}}{_REST} (?:(?:can|should|may|must|is to|are to) )?"
     rf"(?:stays?|remains?|be kept|kept|unchanged|the same)(?: {_SAME})?{_DONE}", ""),
)  # fmt: skip
"""`leave the rest as it is`, `so could you change the table accordingly`."""

_AT = r"\b(?:at|on|to|in)"
_OF_LIST = r"(?: of (?:the |my |this |that )?(?:list|table|results?|ranking|page))?"
_ENDS = r"(?= *(?:[.!?,;]|$|(?:please|and|then|instead)\b))"
_SMALL = "small|low|little|few|tiny|minor|modest"
_LARGE = "large|big|high|great|many|much|huge|major"


def _from_to(one: str, other: str) -> str:
    """A pattern for `from small to large`, in any degree of comparison."""
    sides = [rf"(?:the )?(?:most |least )?(?:{words})(?:e?r|e?st)?" for words in (one, other)]
    return rf",? ?\bfrom {sides[0]}(?: \w+)? (?:up |down )?to {sides[1]}(?: (?:ones?|values?))?\b"


def _directions() -> list[tuple[str, str]]:
    """`from small to large`, `from cheap to expensive`."""
    patterns = [(_from_to(_SMALL, _LARGE), " ascending"), (_from_to(_LARGE, _SMALL), " descending")]
    for dimension in dict.fromkeys(degree.dimension for degree in PLAIN.values()):
        high, low = (
            [w for w, d in PLAIN.items() if d.dimension == dimension and d.high == side]
            for side in (True, False)
        )
        if high and low:
            patterns.append((_from_to("|".join(low), "|".join(high)), f", most {low[0]} first"))
            patterns.append((_from_to("|".join(high), "|".join(low)), f", most {high[0]} first"))
    return patterns


ORDERS = turns(
    (r"\b(?:in )?any order"
     r"(?: (?:is|will be|would be|will|would) (?:fine|ok|okay|good|do|alright))?"
     r"(?= *[.!]*$)", "no sorting"),
    (r"\b(?:leave|keep) (?:them|it|the list|everything) un(?:sorted|ordered)\b",
     "no sorting"),
    (r"^(?:turn|flip|switch|swap) (?:the )?(?:order|sequence|sorting|list|ranking)"
     r" (?:around|round|over|about)(?= *[.!]*$)", "reverse the order"),
    (r"\bwith the (\w+) (first|last|on top|at the top)\b", r", \1 \2"),
    (r",? (?:starting|beginning) with the (\w+est)\b", r", \1 first"),
    (rf"{_AT} (?:the )?(?:very )?(?:top|front|head){_OF_LIST}{_ENDS}", "first"),
    (rf"{_AT} (?:the )?(?:very )?(?:bottom|end|back|tail){_OF_LIST}{_ENDS}", "last"),
    *_directions(),
)  # fmt: skip
"""What comes first, or no order at all."""
LAYOUTS = turns(
    (r"\bhow many (?:are|is|were|would be) left(?: over)?\b", "how many"),
    (r"\b(?:the )?(?:whole|entire|full|complete) (?:ranking|lot|league table)\b",
     "the full list"),
)  # fmt: skip
"""One line each, counts beside them, the full list."""

_STORY = (
    r"^(?:(?:hello|hi|hey|good \w+|dear \w+|i am|i'm|we are|we're|i have|we have|my|our|there is"
    r"|the \w+ (?:has|have|had|caught|asked|wants|is|are|needs))\b.*?)?\b"
)
"""May precede a polite request: who asks, and why."""
POLITENESS = turns(
    (rf"{_STORY}it would (?:be (?:very |so |really )?(?:kind|good|nice|great|helpful|useful)"
     r"(?: of you)?|help (?:me|us)(?: a lot| a great deal| enormously| greatly)?)"
     r"(?: if you (?:could|would|can))?(?: to)?"
     r" (?:tell (?:me|us)|show (?:me|us)|give (?:me|us)|see|know|learn|list|have) (?=\S)", ""),
    (rf"{_STORY}(?:i|we)(?: would| should|'d|’d) be (?:very |most |so )?"
     r"(?:grateful|glad|happy|thankful|obliged|pleased|delighted)"
     r" (?:to|if (?:you|someone|anyone|somebody|anybody) (?:could|can|would|might))(?: please)?"
     r" (?:find out|tell (?:me|us)|learn|know|see|show (?:me|us)|work out|check|look up|hear) ",
     ""),
)  # fmt: skip
"""Requests wrapped in thanks and wishes."""

TURNS = (
    *BOUNDS, *ORDERS, *POLITENESS, *CHANGES, *EXTREMES, *TOTALS, *LAYOUTS, *NO_MATTER, *REST,
)  # fmt: skip
