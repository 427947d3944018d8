"""Frames around a wish: who has it, its purpose, the speaker's opinion of it.

A frame is recognised by grammar alone and names nothing in a document: `my boss wants`, `it makes
more sense to look at`, `… is more useful to us`. Removed frames are reported.
"""

import re

_PERSON = (
    r"(?:(?:my|our|his|her|their)(?: \w+)? [a-z]+|management|they|he|she|someone"
    r"|the (?:boss|manager|team|client|board|director|editor|management|auditors?|committee|chief"
    r"|lawyers?|press|others))"
)
_ASKS = (
    r"(?:(?:has|have|had) )?(?:just |now |only |really |also )?"
    r"(?:asks?|asked|wants?|wanted|says?|said|told (?:me|us)|needs?|needed|insists?|prefers?"
    r"|preferred|would like|would prefer|would rather(?: see| have| look at| get)?"
    r"|cares? about|suggests?|suggested|requests?|requested"
    r"|(?:is|are) asking|(?:will|would|might|may) be (?:more |most |very |only |much )*"
    r"(?:interested in|keen on|happy with|happier with)(?: seeing| having)?)(?: (?:me|us))?"
    r"(?: (?:for|to see|to have|to know|to show|to|that(?: we)?|on))?"
)
_WHO = re.compile(rf"{_PERSON} {_ASKS}[,:]? ", re.IGNORECASE)
_DEGREE = (
    r"(?:(?:a|an|so|much|more|most|really|very|far|even|quite|rather|also|probably|perhaps) )*"
)
_SEEING = (
    r"(?:(?:for (?:me|us) )?to (?:only |just )?(?:see|have|get|know|show|look(?: only)?(?: at)?"
    r"|focus on|use|(?:restrict|limit) (?:it|this|that) to|concentrate on|take)"
    r"|if (?:we|you|i)(?: (?:could|can|would|only|just))*"
    r"(?: (?:see|have|get|show|looked at|saw|had|showed|used))?)"
)
_OPINION = re.compile(
    r"(?:i (?:think|guess|believe|suppose) )?(?:it|that)"
    r" (?:would be|will be|is|might be|makes|would make|could be)"
    rf" {_DEGREE}(?:[a-z]+ )?{_SEEING} ",
    re.IGNORECASE,
)
_EVALUATIVE = (
    r"(?:interesting|useful|helpful|relevant|important|sensible|appropriate|handy|valuable"
    r"|(?:more|less) [a-z]+ing|[a-z]+ enough|informative|meaningful|fairer|nicer|fitting|telling"
    r"|clearer|simpler"
    r"|(?:a |the )?(?:better|right|good|sensible|fairer|more \w+) (?:cut-?offs?|cut off|limits?"
    r"|thresholds?|bounds?|values?|numbers?|figures?|choices?"
    r"|measures?|idea|fit)|of interest|of (?:any )?use|of relevance|worth (?:seeing|having)"
    r"|what matters|the (?:one|ones|thing) (?:i|we) (?:want|need|wanted|needed|meant))"
)
_JUDGED = re.compile(
    r"(?!(?:either|any|one|both|half)\b)(?P<new>[^;,.!?]+?)"
    r" (?:is|are|was|were|would be|seems?|might be)"
    rf" {_DEGREE}{_EVALUATIVE}(?: (?:to|for) (?:me|us|my \w+|our \w+))?[.!\s]*",
    re.IGNORECASE,
)
_INTERESTS = re.compile(
    r"(?P<new>[^;,.!?]+?) (?:interests?|concerns?|matters? to|helps?|suits?) (?:me|us)[.!\s]*",
    re.IGNORECASE,
)
_HELPS = re.compile(
    r"(?!(?:what|which|who|whose|how|where|when|why)\b)(?=[^;,.!?]++[.!\s]*+\Z)(?P<new>[^;,.!?]+?)"
    r" (?:would|will|might|could|may) (?:help|suit|serve|work|say|tell|do|fit)\b"
    r"(?: (?!(?:than|if|when|for|by|per|and|or|not|with)\b)[a-z]+)*?"
    r"(?: than (?P<old>[^;,.!?]+))?[.!\s]*",
    re.IGNORECASE,
)
"""`the mean would say more than the total`, `average weight would help me more`."""
_REPORTED = re.compile(
    r"(?:(?:after|having|on|upon|now that|looking|thinking|following|since|because|as) [^.;:]*?, )?"
    r"(?:[a-z']+,? ){0,6}?"
    r"(?:remarked|said|pointed out|noted|mentioned|noticed|observed|argued|commented|told (?:me|us)"
    r"|come to the (?:view|conclusion|opinion)|decided|concluded|agreed|believe|believes"
    r"|reminded (?:me|us)|realised|realized|think|thinks|feel|feels|find|finds) that ",
    re.IGNORECASE,
)
"""`on reflection a colleague remarked that …`."""
_MORE_FROM_IT = re.compile(
    r"(?:[a-z']+,? ){1,14}?if (?:it|this|that|the (?:table|plan|result|answer|list))"
    r" (?:also |only |just |rather )?"
    r"(?:gave|showed|had|listed|counted|told|said|contained|were|was)"
    r"(?: (?:us|me))? ",
    re.IGNORECASE,
)
"""`my colleagues would get more out of this if it gave …`."""
_BETTER = re.compile(
    r"(?!(?:what|which|who|whose|how|where|when|why)\b)(?=[^;,.!?]++[.!\s]*+\Z)(?P<new>[^;,.!?]+?)"
    r" (?:is|are|would be|seems?|might be|makes?|would make)"
    rf" {_DEGREE}(?:{_EVALUATIVE}|sense|better|nicer|easier)"
    r"(?: (?:to|for) (?:me|us|my \w+|our \w+))? than (?P<old>[^;,.!?]+)[.!\s]*",
    re.IGNORECASE,
)
"""`by city would be more useful than by region`."""
_IF_SHOWN = re.compile(
    r"(?=[^;.!?]++[.!\s]*+\Z)(?P<new>[^;,.!?]+?) (?:would|will|might|could|may) [^;,.!?]*?"
    r"\bif (?:they|it|we|you|i|these|those)"
    r" (?:were|was|are|is|had|saw|could see|see|have|get|got|went|goes|ran)(?: them| it)?"
    r"(?: (?:listed|shown|grouped|split|given|counted|broken down|displayed|worked out))?"
    r" (?P<how>[^;.!?]+)[.!\s]*",
    re.IGNORECASE,
)
"""`the sums would say more if they were listed for every region`."""
_HAVE_WRITTEN = re.compile(
    r"(?:i should have (?:said|asked for|written|mentioned)"
    r"|what i (?:forgot|meant|wanted|really meant) (?:to say )?(?:is|was)"
    r"|what i forgot to (?:say|add|mention)|i (?:meant|forgot|wanted) to (?:say|add|mention)"
    r"|all (?:i|we) (?:want|need) (?:is|are)"
    r"|what (?:i|we) (?:really |actually )?(?:want|need)(?: to (?:see|know))? (?:is|are)"
    r"|as (?:i )?(?:mentioned|said|discussed)(?: (?:before|earlier|already|above))?"
    r"|at least(?: for (?:now|today)|(?=[,:;]))"
    r"|(?:sorry )?to (?:bother|trouble|annoy) you(?: again)?"
    r"|you misunderstood(?: me)?|(?:that|this) is not what i (?:meant|said|wanted))[:,;]? ",
    re.IGNORECASE,
)


_OPENER = re.compile(
    r"(?:,? ?\b(?:and|but|so|therefore|hence|thus|which is why|that is why)\b,? |, |^|(?<=\w) )"
    r"(?:(?:and|so|therefore) )?"
    r"(?:(?:i|we|they|he|she|all) (?:now |also |really |all )?"
    r"(?:think|believe|feel|guess|suppose|reckon|thought) (?:that )?)?"
    rf"(?:(?:it|that|this) (?:would be|will be|is|might be|makes|would make|could be)"
    rf" {_DEGREE}(?:[a-z]+ )?{_SEEING} "
    r"|(?:could|can|would|will) (?:you|we) (?:please |maybe |perhaps |just )*"
    r"|(?:they|he|she|who) (?:told (?:me|us)|said|asked for|wants?|wanted|suggests?|suggested"
    r"|asked (?:me|us) (?:for|to \w+))(?: that)? )",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"(?:to (?:be|bother|trouble|annoy)|but|and|after|since|because|as|given|having|today|earlier"
    r"|yesterday|this (?:morning|afternoon)|my|our|his|her|their|i|we|they|he|she|somebody|someone"
    r"|everyone|everybody|people|it turns out|the (?:boss|manager|team|client|board|director))\b",
    re.IGNORECASE,
)
_COMMANDS = re.compile(
    r"[\d\"“;:]|\b(?:only|instead|exclude|without|except|remove|drop|add|include|sort|group|limit"
    r"|show|list|count|keep|filter|need|want|wants|more than|less than|rather|prefers?|interested"
    r"|cares?|what|which|how|not)\b"
)
_NAMES = re.compile(r"(?<=\w )(?!(?:I|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?\b)[A-Z]")
_LONGEST_STORY = 200


def _behind_story(text: str) -> int:
    """The start of a wish after a story about the people who ask: `my director never looks at
    departments, so I think it would be nicer to have …`; 0 if there is none.
    """
    for match in _OPENER.finditer(text[: 2 * _LONGEST_STORY]):
        story = text[: match.start()]
        if len(story) > _LONGEST_STORY or _COMMANDS.search(story) or _NAMES.search(story):
            return 0
        if _REPORTS.match(story) and len(story.split()) > 1:
            return match.end()
    return 0


def unframed(text: str) -> tuple[str, str | None]:
    """The wish inside a frame, and the removed frame, if there is one."""
    story_end = _behind_story(text)
    if 0 < story_end < len(text):
        return text[story_end:], text[:story_end].strip(" ,:;")
    for pattern in (_HAVE_WRITTEN, _WHO, _OPINION, _REPORTED, _MORE_FROM_IT):
        match = pattern.match(text)
        if match is not None and match.end() < len(text):
            wish = text[match.end() :]
            only = "only " if re.search(r"\b(?:only|just)\b", match[0]) else ""
            if _CORRECTS.match(match[0]) and not _STEERED.match(wish):
                only = "i meant "
            if re.search(r"\brather\b", match[0]):
                wish = re.sub(r"\bthan\b", "instead of", wish, count=1)
            return only + wish, text[: match.end()].strip(" ,:;")
    shown = _IF_SHOWN.fullmatch(text)
    if shown is not None and not _EMPTY.fullmatch(shown["new"]):
        return f"{shown['new']} {shown['how']}", None
    for pattern in (_BETTER, _JUDGED, _INTERESTS, _HELPS):
        match = pattern.fullmatch(text)
        if match is not None and not _EMPTY.fullmatch(match["new"]):
            wish = match["new"]
            if match.groupdict().get("old"):
                return f"{wish} instead of {match['old']}", None
            wanted = wish if _STEERED.match(wish) else f"i meant {wish}"
            return wanted, text[match.end("new") :].strip()
    return text, None


_EMPTY = re.compile(r"(?:it|that|this|they|these|those|there|what|which|who|none|nothing)", re.I)
_CORRECTS = re.compile(r"(?:i should have|what i (?:really )?meant|i meant|you mis)", re.IGNORECASE)
_STEERED = re.compile(r"(?:only|just|also|not|no)\b", re.IGNORECASE)
