"""Requests about the history of a plan: undo, back to the beginning, redo.

A grammar in which every word of the request has a role: a verb of going back, or one of discarding
with the last change as its object; the distance; and an optional remark on the reason. Any other
content, as in `undo the sort`, makes it a different request.
"""

import re
from functools import cache

TO_THE_BEGINNING = 10_000
"""More steps than any history has."""

_NUMBERS = {"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "both": 2, "twice": 2,
            "thrice": 3, "once": 1, "six": 6, "couple of": 2}  # fmt: skip
_COUNT = rf"(\d{{1,2}}|{'|'.join(_NUMBERS)})"
_DEED = (
    r"(?:changes?|edits?|steps?|corrections?|modifications?|requests?|commands?|instructions?"
    r"|messages?|comments?|remarks?|inputs?|actions?|feedback|things?|ones?|parts?|bits?"
    r"|adjustments?)"
)
_STATE = r"(?:version|plan|state|results?|query|list|one|view|step|answer|question|table|thing)"
_LATEST = r"(?:very )?(?:last|latest|previous|most recent|preceding|newest)"
_FORMER = r"(?:previous|earlier|last|old|former|prior|preceding)"
_FIRST = r"(?:(?:very )?(?:first|original|initial)|starting)"
_SAID = (
    r"(?:(?:i|we|you) (?:have |had |just |last )*"
    r"(?:said|did|asked(?: for)?|wrote|changed|added|told(?: you)?|typed|done))"
)
_THAT = r"(?:that|it|this|them|these|those)"
_WORDS_SO = r"(?:that|it|this|what|things|everything|we|i|they|you)"
_WAS = r"(?:(?:was|were|had|looked|been|did|before|have|used to be|got|saw) ?)+"
_AS_BEFORE = (
    rf"(?:(?:to )?(?:how|the way|as|like|what|where) (?:{_WORDS_SO} )?(?:{_WAS})?"
    r"(?:(?:just )?(?:before|originally|earlier|previously|a moment ago|first))?)"
)
_OBJECT = (
    rf"(?:(?:all )?(?:that|it|this)"
    rf"|(?:the|my|your|that|this|our) {_LATEST}(?: {_COUNT})?(?: {_DEED})?(?: (?:that )?{_SAID})?"
    rf"|{_LATEST}(?: {_DEED})?"
    rf"|(?:the |that |this |my )?(?:change|edit|step|correction|modification)"
    rf"|(?:what|whatever|anything|the thing) {_SAID})"
)
_FAR = (
    rf"(?:(?:by )?{_COUNT}(?: {_DEED})?(?: (?:back|more|again))?"
    rf"|(?:to )?(?:the |my |that |our )?{_FORMER}(?: {_STATE})?"
    rf"|(?:to )?(?:the )?{_STATE} (?:before|of before|from before)(?: (?:that|this|it|last))?"
    rf"|{_AS_BEFORE}|(?:to )?before(?: (?:that|this|it))?)"
)
_ALL = (
    r"(?:(?:it |that |them )?all(?: of (?:it|that|them|this))?(?: (?:the |my |our )?"
    rf"{_DEED})?(?: (?:again|so far))?|everything(?: again)?"
    r"|(?:right )?(?:back )?to (?:the )?(?:(?:very )?(?:start|beginning|outset)|square one)"
    rf"|(?:to )?(?:the |my |our )?{_FIRST} {_STATE}|to (?:the )?{_FIRST})"
)
_GO = (
    r"(?:un ?do|revert|roll ?back|rewind|go back|step back|move back|switch back|come back|back"
    r"|return(?= to)|restore|reinstate|take back|roll {that} back|take {that} back"
    r"|put {that} back|bring {that} back|get {that} back|give {that} back|add {that} back"
    r"|take (?:that|this|the|my) (?:last |latest )?(?:step|change|edit|one) back"
    r"|take {that} (?:away|off|out) again|turn {that} back|change {that} back|set {that} back"
    r"|ctrl[ -]?z|control z)"
).replace("{that}", _THAT)
_FORGET = r"(?:cancel|scratch|scrap|forget(?: about)?|disregard|ignore|discard|never ?mind)"
_DROP = r"(?:drop|remove|reverse|delete|take out|skip|strike|throw away)"
"""Verbs that also apply to conditions: they count only if a change is named behind them."""
_CHANGE = rf"(?:the |my |that |this )?(?:{_LATEST} )?(?:change|edit|correction|modification)s?"
_POLITE = r"(?:please|pls|thanks|thank you|again|once more|now|just|then|so|sorry|completely)"
_LEAD = r"(?:(?:please|now|just|so|ok(?:ay)?|let us|we|i|you|could|can|to|want|no|then) )*"
_TAIL = rf"(?: {_POLITE})*"

_ALL_BACK = (
    rf"{_LEAD}(?:{_GO}(?: {_THAT})? {_ALL}"
    rf"|(?:{_FORGET}|{_DROP}) all (?:the |my |our )?(?:changes|edits)"
    rf"|(?:as|like|how it was) (?:in|at) the (?:very )?(?:beginning|start)"
    rf"|(?:the |my |our )?{_FIRST} {_STATE} (?:again|back)"
    rf"|(?:the |my |our )?(?:original|initial) {_STATE}"
    r"|(?:the |my |our )?(?:very )?first (?:version|plan|state|query)"
    r"|reset(?: (?:it|that|all|everything|the plan|the query))?"
    rf"|(?:right )?back to (?:the )?{_FIRST}){_TAIL}"
)
_SOME_BACK = (
    rf"{_LEAD}(?:{_GO}(?: {_OBJECT})?(?: {_FAR})?(?: {_TAIL.strip()})?"
    rf"|{_FORGET} {_OBJECT}(?: back)?(?: again)?|{_DROP} {_CHANGE}|cancel|never ?mind"
    rf"|{_COUNT} steps? (?:back|backwards?)"
    rf"|(?:the |my |that |our )?(?:previous|former|prior|preceding|old|earlier) {_STATE}"
    r"(?: again| back)?"
    rf"|(?:leave |put |have |make |keep |get )?(?:it |that |them |things )?(?:back )?{_AS_BEFORE}"
    rf"){_TAIL}"
)
_PREFERRED = (
    r"(?:i (?:liked|preferred) (?:it|that|this|the (?:previous|former|old|first|earlier)"
    rf" {_STATE})(?: (?:better|more))?(?: (?:before|as it was|the way it was))?"
    r"|(?:it|that|this) was (?:much |way |already )?(?:better|fine|good|ok(?:ay)?|right) before"
    rf"|the {_STATE} before was (?:much |way )?better"
    r"|(?:that|this|it) was (?:a|my) (?:mistake|error|slip)"
    r"|(?:i (?:have )?)?changed my mind"
    rf"){_TAIL}"
)
"""Phrases that prefer the previous state without asking for it."""
_REMARK = re.compile(
    r"(?:(?:that|this|it|i|we|no|not|changed|oops|wait|sorry|hmm|actually|well|you|he|she|my"
    r"|the) ?.*|oops|no|wait|wrong|damn|oh|ah)",
    re.IGNORECASE,
)
_LONGEST_REMARK = 9
_FORWARD = (
    rf"{_LEAD}(?:re ?do|re ?apply|(?:do|make|apply) (?:{_THAT}|the change|the edit|the last change)"
    rf" again)(?: {_OBJECT})?(?: (?:again|once more|after all))*{_TAIL}"
)
_MARKS = re.compile(r"(?:(?<!\s)\s+)?[,;:.!?–—]+\s*|(?<!\s)\s+(?:-+|and|but)\s+")


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Compiled on first use: compiling all patterns at import would take a tenth of a second."""
    return re.compile(text, re.IGNORECASE)


def steps_back(request: str) -> int:
    """The number of history steps that a request asks to undo; 0 if it is about something else."""
    parts = [part for part in _MARKS.split(" ".join(request.split())) if part]
    results = [_steps(part) for part in parts]
    if not any(results) and any(_pattern(_PREFERRED).fullmatch(part) for part in parts):
        results = [1 if _pattern(_PREFERRED).fullmatch(part) else 0 for part in parts]
    if not any(results):
        return 0
    rest = [part for part, steps in zip(parts, results, strict=True) if not steps]
    if all(_is_remark(part) for part in rest):
        return max(results)
    return 0


def steps_back_first(request: str) -> tuple[int, str]:
    """Like `steps_back` for the beginning of a request, with the wish that follows: `never mind
    that, just Leeds`. No steps if nothing follows or nothing was undone.
    """
    text = " ".join(request.split())
    for mark in _STRONG_MARKS.finditer(text):
        steps, rest = steps_back(text[: mark.start()]), text[mark.end() :]
        if steps and rest:
            return steps, rest
    return 0, request


_STRONG_MARKS = re.compile(
    r"(?:(?<!\s)\s+)?[,;:.!–—]+\s*(?:and |but |then )?|(?<!\s)\s+(?:-+|and(?: then)?)\s+"
)


def _steps(part: str) -> int:
    if _pattern(_ALL_BACK).fullmatch(part):
        return TO_THE_BEGINNING
    match = _pattern(_SOME_BACK).fullmatch(part)
    if match is None:
        return 0
    count = next((text for text in match.groups() if text is not None), "1").lower()
    return int(count) if count.isdecimal() else _NUMBERS[count]


def _is_remark(part: str) -> bool:
    """Whether a part only gives a reason: `that did not help`. It has no number."""
    few = len(part.split()) <= _LONGEST_REMARK
    plain = not any(sign.isdigit() or sign in "\"“'" for sign in part)
    return few and plain and _REMARK.fullmatch(part) is not None


def is_redo(request: str) -> bool:
    """Whether a request asks for a redo."""
    return _pattern(_FORWARD).fullmatch(" ".join(request.split()).strip(" .!?")) is not None
