"""Requests recognised as a whole (approval, a fresh start), and courtesies around others."""

import re

from backend.language.tokens import expand
from backend.plans.reading.frames import unframed

_SUBJECTS = ("that", "this", "it", "everything", "the plan", "all of that")
_PRAISE = ("good", "great", "fine", "right", "correct", "perfect", "ok", "okay", "excellent")
_APPROVALS = (
    *_PRAISE, "yes", "yep", "yeah", "thanks", "thank you", "nice", "cool", "awesome", "wonderful",
    "brilliant", "lgtm", "well done", "good job", "exactly", "i like it", "no change", "no changes",
    "no change needed", "no changes needed", "all good", "sounds good", "approved", "approve",
    "nothing to change", "do not change anything", "as is", "as it is", "go ahead", "run it",
    "that is it", "that is exactly it", "exactly that", "that is all", "keep it", "keep this",
    "keep the plan",
    "keep it as is", "keep it as it is", "leave it",
    "leave it as is", "leave it as it is", "leave it like this",
    "leave it like that", "keep it like this", "keep it like that", "leave it at that",
    "to me", "this is what i want", "that is what i want",
    "works for me",
)  # fmt: skip
_GREETINGS = (
    "hi", "hello", "hey", "hmm", "um", "uh", "so", "ok", "okay", "please", "kindly", "thanks",
    "thank you", "sorry", "actually", "oh", "right", "now that i see it", "now that i look at it",
    "on second thought", "on second thoughts", "come to think of it", "to be honest", "if possible",
    "if you can", "for now", "for the moment", "one more thing", "there", "wait", "no wait",
    "oops", "ah", "alright", "all right", "my bad", "my mistake", "no sorry", "nope", "nah", "yes",
    "yeah", "yep", "i forgot", "i forgot to say", "i forgot to add", "also please", "but",
    "mm", "mmm", "mhm", "er", "needless to say",
    "good morning", "good afternoon", "good evening", "good day", "greetings", "dear all",
    "in that case", "hang on", "hold on", "by the way",
    "one thing", "one last thing", "i see", "got it", "wow", "goodness", "goodness me", "gosh",
    "gracious", "blimey", "lovely", "hooray", "marvellous", "splendid", "haha", "phew", "yikes",
    "oh dear", "dear me", "oh my", "whoops", "ooh", "super", "ta",
)  # fmt: skip
_CLOSINGS = (
    "please", "thanks", "thank you", "if possible", "if you can", "if that is possible", "for me",
    "to me",
    "ok", "okay", "if you do not mind", "thanks a lot", "cheers", "thank you very much", "sorry",
    "my mistake", "my bad", "i think", "i guess", "i suppose", "that is what i need", "right",
    "that is what i want", "that is all", "that is it", "in fact", "really", "if you would",
    "i forgot about them", "i forgot about it", "i forgot about those", "i forgot about that",
    "i forgot them", "i forgot it", "i forgot those", "i forgot that",
    "to be precise", "to be exact", "would be great", "would be nice", "would be good", "will do",
    "use that", "take that", "do that", "go with that", "would do", "would be more useful",
    "would be better", "would be nicer", "would help",
    "would be more helpful", "would make more sense", "makes more sense", "is better",
    "at the same time", "behind that number", "behind this number", "behind it", "behind that",
    "any more", "anymore", "is enough", "are enough", "at the moment", "for a start", "so far",
    "for now", "after all", "at all", "anyway", "anyhow", "though", "as such", "for sure",
    "once and for all", "for good", "why not", "roughly speaking", "strictly speaking",
)  # fmt: skip
_WISHES = (
    "can you", "can we", "could you", "could we", "would you", "will you", "can i", "could i",
    "i want", "i would like", "i like", "i need", "i would love", "i prefer", "i would prefer",
    "we want", "we need", "we should", "let us", "you should", "i think", "i guess", "i believe",
    "i suppose", "i want you", "i would like you", "i need you", "it would be nice", "it should",
    "it would be good", "it would be great", "it would be better", "i am looking", "is it possible",
)  # fmt: skip
_INTERESTS = ("i am interested in", "i am only interested in", "i am just interested in")
_TO = ("to see", "to have", "to know", "to get", "to look at", "to", "please", "that", "we should")
_OPINION = (
    "would be", "think", "believe", "prefer", "helpful", "useful", "better", "nice", "great",
    "sense", "wonder", "wondering", "possible", "mind", "appreciate", "appreciate it", "good",
)  # fmt: skip
_IF = re.compile(
    r"\b(?:if|that|when) (?:we|you|i|it|they|one)(?: (?:could|can|would|will|might|should))?\b",
    re.I,
)


def _any(phrases: tuple[str, ...]) -> str:
    """A pattern for one of the phrases, the longest first."""
    ordered = sorted(phrases, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in ordered) + ")"


_SEEMS = (
    rf"(?:{_any(_SUBJECTS)}\s+)?(?:looks?|is|seems)\s+(?:all\s+|very\s+|really\s+)?{_any(_PRAISE)}"
)
_MET = (
    r"(?:(?:that|this|it) (?:is|was) )?(?:(?:exactly|precisely|just|all) )?what (?:i|we)"
    r"(?: (?:really|actually|always))? (?:want(?:ed)?|need(?:ed)?|meant|mean|had in mind"
    r"|asked for|hoped for|(?:was|were|am|are) (?:looking for|after|hoping for))"
)
_IS_APPROVAL = re.compile(rf"(?:(?:{_SEEMS}|{_MET}|{_any(_APPROVALS)})(?:[\s,.!]+|$))+", re.I)
_GREETING = re.compile(
    rf"(?:(?:{_any(_GREETINGS)}\b|(?:well|morning|evening|afternoon)(?=\s*[,.!…–—]))[\s,.!:…–—]*)+",
    re.I,
)  # "well samples" are no greeting
_OBJECTION = re.compile(
    r"(?:no\s*[,.!–—-]+\s+|(?:that|this|it)\s+(?:is|was)\s+(?:not\s+)?(?:wrong|right|correct|it|so|"
    r"what i (?:meant|wanted|asked for|had in mind|need|want))\s*[,.!;:–—-]+\s*)",
    re.I,
)
_PRAISED = re.compile(
    rf"(?:(?:that|this|it) is )?(?:much |way |already )?(?:{_any(_PRAISE)}|better|nice|cool|wow)"
    r"\s*[,.!;:–—-]+\s*",
    re.I,
)
_TOO = re.compile(
    r"[^,;.:!?]{0,50}?\btoo (?:much|many|few|little|high|low|big|small|long|short|strict|broad"
    r"|narrow|wide|detailed|coarse|fine|old|new|expensive|cheap|late|early|loose)"
    r"(?: (?:for me|now|though))?"
    r"\s*+[,;.:!–—-]++\s*+"
    r"(?!(?:so |then |please |just |and )*[a-z]+(?: rid of)? (?:it|that|this|them)\b)",
    re.I,
)
_TOO_LITTLE = re.compile(
    r"(?:that|this|it|they|those|these) (?:is|are|was|were) not (?:nearly |quite |yet )?enough"
    r"\s*[,;.:!–—-]+\s*",
    re.I,
)
_WRONG = re.compile(
    r"(?:(?:that|it) (?:is|was) )?(?:the )?wrong \w+\s*[,.!;:–—-]+\s*(?:it should be\s+)?", re.I
)
_CLOSING = re.compile(rf"(?<![\s,])[\s,]++{_any(_CLOSINGS)}[.!?\s]*$", re.I)
_ASKED_BACK = re.compile(
    r"(?<![\s,.!?;])[\s,.!?;]++(?:and )?(?:would|could|can|will) you(?: (?:please|be|able|to|so"
    r"|kind|as|possibly"
    r"|kindly|quickly|change|adjust|update|switch|accordingly|look|work|find|figure|check|pull|dig|sort|do|help|tell|let|know|give|answer"
    r"|that|this|it|me|us|up|out|for|with|now|today)){1,12}[\s,?.!]*+(?:(?:please|thanks)[\s?.!]*+)?$",
    re.I,
)
"""`… would you be able to look that up for me, please?` behind the question itself."""
_WISH = re.compile(rf"(?:{_any(_WISHES)})(?:\s+{_any(_TO)})*\b\s*", re.I)
_INTEREST = re.compile(rf"{_any(_INTERESTS)}\s+", re.I)
_SAYS_OPINION = re.compile(rf"\b{_any(_OPINION)}\b", re.I)
_MISSAID = re.compile(
    r"i (?:said|asked for|wrote|typed|put) (?P<old>[^;.!?]+?),? but (?:"
    r"(?:i )?(?:really |actually )?(?:meant|mean|want|wanted|need|needed)(?: to (?:say|write))?"
    r"|(?:it |that )?(?:should have been|should be|was meant to be|ought to be)) (?P<new>[^;.!?]+)",
    re.I,
)
"""`I said cats but meant dogs`."""
_MISTAKEN = re.compile(
    r"(?P<old>[^;:,.!?]+?) (?:is|are|was|were) (?:wrong|incorrect|a mistake|an error)"
    r"\s*+[,;.:!–—-]++\s*+(?:(?:i (?:meant|mean|wanted|want)|it should (?:have been|be)"
    r"|should (?:have been|be)|make it|use|try|take) )?(?P<new>[^;.!?]+?)"
    r"(?: (?:is|was|would be) (?:right|correct|better|what i (?:meant|wanted|want|need)))?[.!]*",
    re.I,
)
"""`the price is wrong, I meant the fee`, `cats is a mistake, dogs`."""
_WANTED = re.compile(
    r"(?P<new>[^;,.!?]+) (?:is|are) what (?:i|we) (?:(?:really|actually) )?(?:am )?"
    r"(?:interested in|after|want|wanted|need|needed|mean|meant|asked for|care about)[\s.!]*",
    re.I,
)
"""`prices are what I am interested in`."""
_SHOULD_HAVE_WRITTEN = re.compile(
    r"(?P<new>[^;.!?]+?),? (?:(?:is|are|was) what )?i should(?: have|'ve|’ve| of)?"
    r" (?:said|written|asked(?: for)?|typed|meant)[\s.!]*",
    re.I,
)
"""`cats I should have said`."""
_OUT = re.compile(
    r"(?P<old>[^;:,.!?]+?) (?:is|are) (?:out|gone|off|off the table|off the list|to go)[\s.!]*",
    re.I,
)
"""`cats are out`."""
_LET_IN = re.compile(
    r"(?P<new>[^;:,.!?]+?) (?:(?:can|may|could|should) (?:also )?(?:(?:go|come|get) (?:back )?in"
    r"|come back|be (?:in|included|added|in there|there|part of it))|(?:is|are) welcome)"
    r"(?: too| as well| also| again)?[\s.!]*",
    re.I,
)
"""`cats can go in`, `2025 should be in there too`."""
_ARROW = re.compile(r"(?P<old>[^;.!?]*?[^;.!?\s])\s*+(?:->|=>|→|>>)\s*+(?P<new>[^;.!?]+)")
"""`cats -> dogs`."""
_FACTS = re.compile(r"[\d\"“]")
_LONGEST_OPINION = 300


_BEFORE_REST = r"(?: (?:so far|before|from before|up to now|i said|please|again))*"
_MARK = r"(?:\s*[,.:;!–—-]+\s*(?:and |with |now |show me |show )?|\s*$)"
_FRESH = re.compile(
    r"(?:(?:let us|please|ok(?:ay)?|now)[\s,]+)*(?:"
    r"(?:start(?:ing)? (?:over|again|afresh|anew|fresh|from scratch|from the beginning)"
    r"|from scratch|begin again|clean slate|reset|something (?:else|different)"
    r"|(?:a )?(?:new|different|another|fresh) (?:question|request|search))"
    rf"{_BEFORE_REST}(?:\s+(?:and|with|from|for)\s+|{_MARK})"
    r"|(?:forget(?: about)?|scrap|drop|discard|scratch|disregard|ignore|never ?mind)"
    r" (?:everything|all that|all of that|all of this|all this|it all|that all"
    r"|all (?:of )?the above|the above)"
    rf"{_BEFORE_REST}(?:\s+and\s+|{_MARK}))(?P<rest>.*)",
    re.I | re.S,
)
_ANEW = re.compile(
    r"(?:^|[.,;:!?…–—-]\s*|\b(?:ok(?:ay)?|right|so|well|now|and|but|thanks?)\s+)"
    r"(?:something (?:else|different)|(?:a )?(?:new|different|another|next) (?:question|topic"
    r"|subject|request))(?: now| entirely| altogether| please)*\s*[,.:;!–—-]+\s*(?P<rest>\S.*)",
    re.I | re.S,
)
"""`thanks! right, something else now: …`."""
_LONGEST_TALK = 60
_EITHER = re.compile(
    r"(?:either|one|any|at least one)(?: (?:one|of))*(?: of (?:them|these|those|the two|both))?"
    r"(?: of the two| condition| conditions| is| are| will| would| should| do| be)*"
    r" (?:enough|fine|sufficient|ok|okay|do|suffices?|good enough)\b.*"
    r"|(?:make it |use )?(?:an )?or instead of (?:an )?and\b.*"
    r"|(?:they |it )?(?:do|does|need|have)(?: not)?(?: have to| need to)?(?: be)? (?:not )?both\b.*"
    r"|not necessarily both\b.*",
    re.I | re.S,
)


def fresh_start(request: str) -> str | None:
    """The text after `start over:`, possibly empty; None if the request is not one."""
    match = _FRESH.fullmatch(request.strip())
    later = _ANEW.search(request[: _LONGEST_TALK * 2].strip())
    if match is None and later is not None and later.start() <= _LONGEST_TALK:
        return request.strip()[later.start("rest") :].strip()
    return None if match is None else str(match["rest"]).strip()


def is_either(request: str) -> bool:
    """`either of the two is enough`: one of two conditions suffices."""
    return _EITHER.fullmatch(request.strip(" .!")) is not None


_BOTH = re.compile(
    r"(?:and )?(?:for |of )?(?:both|the two|all of them|them all)(?: of (?:them|these|those))?"
    r"(?: (?:together|combined|at once|in one|added up|joined|taken together|please))+",
    re.I,
)


def is_both(request: str) -> bool:
    """`the two together`: the last request combined with the one before."""
    return _BOTH.fullmatch(request.strip(" .!?")) is not None


def is_approval(request: str) -> bool:
    """`perfect, that's what I wanted`: changes nothing."""
    return _IS_APPROVAL.fullmatch(expand(request.strip())) is not None


def without_courtesies(text: str) -> tuple[str, list[str]]:
    """The wish itself, without greetings, thanks and empty opinions; and its frames that are more
    than courtesies.
    """
    before, frames = "", list[str]()
    while text and text != before:
        before = text
        rest = _ASKED_BACK.sub("", text)
        rest = _CLOSING.sub("", _without_remarks(rest))
        rest = _after_opinion(rest)
        interest = _INTEREST.match(rest)
        if interest is not None:
            rest = "only " + rest[interest.end() :]
        missaid = _MISSAID.fullmatch(rest) or _MISTAKEN.fullmatch(rest) or _ARROW.fullmatch(rest)
        wanted = _WANTED.fullmatch(rest) or _SHOULD_HAVE_WRITTEN.fullmatch(rest)
        out = _OUT.fullmatch(rest)
        if missaid is not None:
            rest = f"{missaid['new']} instead of {missaid['old']}"
        elif (let_in := _LET_IN.fullmatch(rest)) is not None:
            rest = f"include {let_in['new']}"
        elif out is not None:
            rest = f"exclude {out['old']}"
        elif wanted is not None:
            rest = f"i meant {wanted['new']}"
        wrong = _WRONG.match(rest)
        if wrong is not None:
            rest = "i meant " + rest[wrong.end() :]
        text, frame = unframed(_after(_WISH, rest).strip() or text)
        frames += [] if frame is None else [frame]
    return text, frames


def _without_remarks(text: str) -> str:
    """The text without remarks on the previous result, and without greetings."""
    for pattern in (_TOO, _TOO_LITTLE, _PRAISED, _OBJECTION, _GREETING):
        text = _after(pattern, text)
    return text


def _after(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return text if match is None or match.end() == len(text) else text[match.end() :]


def _after_opinion(text: str) -> str:
    """The text after `I think it would be better if we`."""
    match = _IF.search(text)
    if match is None or match.start() > _LONGEST_OPINION:
        return text
    opening = text[: match.start()]
    if _FACTS.search(opening) or not _SAYS_OPINION.search(opening):
        return text
    return text[match.end() :].strip() or text
