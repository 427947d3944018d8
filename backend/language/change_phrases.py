"""Turns of phrase for changes: include, exclude, replace."""

from backend.language.turns import turns

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
    (r"\b(?:throw|put|bring|mix) (.+?) (?:into|in|to) the mix\b", r"include \1"),
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
    (r",? so (?:please )?do that\b(?: and)?(?=,? *(?:not|$|[.!]))", ","),
    (r"\bin place of\b", "instead of"),
)  # fmt: skip
"""Include, exclude, and replace one by another."""
NO_MATTER = turns(
    (r"^(?:whether )?([a-z]+(?: [a-z]+)?) or not"
     r"(?:,? (?:(?:i|we) do(?: not|n['’]t) (?:care|mind)|it does(?: not|n['’]t) matter|no matter"
     r"|whatever))?(?= *[.!]*$)",
     r"do not care whether \1"),
    (r"\b(?:for |over |in )?(?:the )?(?:full|whole|entire|complete)"
     r" (?:period|time ?span|time ?range|time ?frame|history)\b", "any date"),
    (r"\b(?:whoever|whatever|whichever|wherever|whenever) (?:the |their |its )?([^,.;]+?)"
     r" (?:is|are|was|were|may be|might be)\b", r"any \1"),
    (r"\b(?:whichever|no matter (?:which|what)|regardless of(?: the)?) ", "any "),
)  # fmt: skip
"""Conditions to drop."""
