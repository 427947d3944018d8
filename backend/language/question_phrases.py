"""Turns of phrase in questions, in the plain words that constructions are made of."""

from backend.language.turns import plainly, turns

_COUNTED = r"(?:included|inclusive|counted|counting|count(?: too)?)"
_BOUNDS = r"(?:days?|ends?|dates?|limits?|bounds?|values?|figures?|months?|years?|numbers?|sides?)"
_INCLUSIVE = turns(
    (rf"(?:[,;]\s*|(?<!\s)\s+)?\(?(?:with |and )?(?:both|the two)(?: {_BOUNDS})?(?: themselves)?"
     rf"(?: are| is)?"
     rf" {_COUNTED}\)?(?!\w)", ""),
    (rf"(?:[,;]\s*|(?<!\s)\s+)?\(?\b(?:inclusive(?: of both)?|inclusively|{_BOUNDS} (?:included"
     rf"|inclusive)"
     r"|still counting)\)?(?=\s*(?:[,.;?!)]|$))", ""),
    (r"\b(?:until|till|to|up to) and (?:with|including|inclusive)\b", "to"),
)  # fmt: skip
"""A range includes its ends anyhow."""
_TURNS = turns(
    (r"\b(?:in|at|on) (?:the |an )?average\b", "on average"),
    (r"\b(?:by )?(?!(?:one|side|step|little|bit|stand)\b)(\w{3,})[- ]by[- ]\1\b", r"for each \1"),
    (r"\b(?:no|nr|num|nbr)\. ?of\b", "number of"),
    (r",? ?(?:and |with )?the (most \w+|\w+est)(?: \w+)? (?:at|on) (?:the )?(?:very )?top\b",
     r", \1 first"),
    (r"\b(\w+est(?: \w+)?) (?:at|on) (?:the )?(?:very )?top\b", r"\1 first"),
    (r"^(?:(?:when |if )?(?:looking|considering|counting|taking|focus+ing)(?: only| just)?"
     r"(?: at| on)?|only(?= [^:]*:)) ([^:,;]+)[:,] ", r"among \1, "),
    (r"\bper[ -](cents?)\b", r"per\1"),
    (r"\bhow (?:many|mny|much) (?:percents?|%)", "what percentage"),
    (r"(\b(?:total|overall|sum)\b[^,;.?!]*?) (?:across|over) all (?:the |our )?[a-z]+", r"\1"),
    (r"\b(i|we) (?:only|just) (?=need|want|require)", r"\1 "),
    (r"\bnot (?:even )?(?:one|a)(?: single)? (?=[a-z]+s? (?:was|were|is|are|has|have|had)\b)"
     r"|\bnot (?:even )?a single (?!one\b)", "no "),
    (r"(?:,|(?<!\s))\s+(?:so far|in the first place|thus far|up to now)(?=\s*(?:[,.;?!)]|$))", ""),
    (r"(?<=[a-z])\s?\((?:in |or )?both\)", ""),
    (r"\blooking (?:only|just|solely) at\b", "only"),
    (r"\bsoonest\b", "earliest"),
    (r"(?:,\s*|(?<!\s)\s+)?\ball told\b", " in total"),
    (r"\b(?:when|if) (?:you|we|i) (?:only |just )?(?:take|look at|consider|count|use|keep|include)"
     r"(?: only| just)? ", "only "),
    (r"(?:,\s*|(?<!\s)\s+)?(?:but )?(?:please )?(?:leaving|leave)"
     r" ((?:the|those|all|any) [^,;.?!()]{3,60}?) out\b"
     r"(?: of (?:the \w+|it|this|that))?", " except \1"),
)  # fmt: skip


def plain_question(text: str) -> str:
    """The text with turns of phrase of questions in plain words."""
    return plainly(plainly(text, _INCLUSIVE), _TURNS)
