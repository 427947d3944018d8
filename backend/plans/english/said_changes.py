"""What is let in, left out or exchanged, as people say it."""

from backend.plans.english.turns import turns

CHANGES = turns(
    (r"\bturned down\b", "rejected"),
    (r"^([^,.;!?]+?) (?:should|must|may|can|need|needs to) not (?:be|appear|show up|come up)"
     r"(?: in (?:there|it|here|the list|the result))?(?= *[.!]*$)", r"exclude \1"),
    (r"\b(?:throw|put|bring|mix) (.+?) (?:into|in|to) the mix\b", r"include \1"),
    (r"\b(?:i|we)(?:'d|’d| would| had)? rather (?:have|see|get|look at|use|take) (.+?)"
     r" than (.+)$", r"\1 instead of \2"),
    (r"^count (.+?) in(?: (?:with|along with) (?:it|them|those|these|that))?(?= *[.!]*$)",
     r"include \1"),
    (r",? so (?:please )?do that\b(?: and)?(?=,? *(?:not|$|[.!]))", ","),
    (r"\bin place of\b", "instead of"),
)  # fmt: skip
"""In, out, and one in place of the other."""
NO_MATTER = turns(
    (r"\b(?:for |over |in )?(?:the )?(?:full|whole|entire|complete)"
     r" (?:period|time ?span|time ?range|time ?frame|history)\b", "any date"),
    (r"\b(?:whichever|no matter (?:which|what)|regardless of(?: the)?) ", "any "),
)  # fmt: skip
"""Conditions that are given up."""
