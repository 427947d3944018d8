"""Turns of phrase for the order and the layout of an answer."""

from backend.language.adjectives import PLAIN
from backend.language.turns import turns

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
    (r"\bfirst,? first\b", "first"),
    *_directions(),
)  # fmt: skip
"""What comes first, or no order at all."""
LAYOUTS = turns(
    (r"\bhow many (?:are|is|were|would be) left(?: over)?\b", "how many"),
    (r"\b(?:the )?(?:whole|entire|full|complete) (?:ranking|lot|league table)\b",
     "the full list"),
    (r"\b(?:each|every) (\w+) (?:on|in) (?:its|their) own (?:line|row)\b", r"per \1"),
    (r"\b(?:with |put |add |show |give )?the (?:count|number) of \w+(?: \w+)?"
     r" (?:next to|beside) each(?: one| of them)?\b", "how many of each"),
)  # fmt: skip
"""One line each, counts beside them, the full list."""
