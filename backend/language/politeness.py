"""Preambles of a request: who asks, why, and thanks in advance."""

from backend.language.turns import turns

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
    (rf"{_STORY}(?:asks?|asked|wants?|wanted|wonders?|wondered|wondering)"
     r"(?: me| us| to know)? (?:whether|if) (?:you|we|i) (?:could|can|would)"
     r" (?:tell|show|give|list|say)(?: them| me| us| him| her)? (?=\S)", ""),
)  # fmt: skip
"""Requests wrapped in thanks and wishes."""
