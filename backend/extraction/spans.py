"""Spans of a text that could be a value by their form alone, with their classes.

A class describes a span's form (an organisation, a person, a place, an address, a code, a duration,
…), never its purpose. A span may have several classes: "Georgia" is a place and could be a person.
Nothing here depends on properties or kinds of documents.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from backend.extraction.dates import clock_spans, moments
from backend.extraction.legal_forms import LEGAL_FORM
from backend.extraction.naming import (
    BODIES,
    POSTS,
    TITLES,
    bare_ends,
    names_body,
    names_post,
    titled,
)
from backend.extraction.numbers import worded_numbers
from backend.extraction.place_names import KNOWN, places
from backend.extraction.remembered import remembered
from backend.extraction.units import CURRENCY, UNITS
from backend.extraction.words import FORM_WORDS, STOP, stem

MAX_TEXT = 2_000
MAX_LINE = 160
_MOST_OF_PLACE = 2
_OF = frozenset({"of", "at", "for"})
"""Between a post and the body that it belongs to."""

_LEGAL_END = re.compile(rf"(?:^|[\s,]){LEGAL_FORM}\.?(?=$|[\s,;.)\]])", re.IGNORECASE)
_SMALL_LEGAL = re.compile(
    r"(?:s\.\s?r\.\s?[ol]|d\.o\.o|a\.s|e\.\s?[VKGU]|z\s?o\.\s?o|o\.\s?o|hf|s\.n\.c|inc|ltd|plc|gmbh|lda"
    r"|ltda|mbb|spol)\.?[,;)]?"
)
_LEGAL_LAST = re.compile(rf"(?<![\s,])(?:[\s,]++{LEGAL_FORM}\.?){{1,6}}$", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_LINKS = frozenset(
    """
    of the de von van der den la le du di da del for et y und & - and 'n' zu am im zur zum
    vom dos das do e i las los ten ter op af av bin binti binte bint ibn ben al el z og och
    """.split()  # noqa: SIM905
)
_JOINTS = frozenset(["and", "&", "-", "at", "in"])
"""Words that may appear within a name or between two of them."""
_TOKEN = re.compile(r"[^\s]+")
_CAPITAL_NEXT = re.compile(r"\s[^\W\d_a-z]{2}")
_PROPER = re.compile(r"[\"“‘'(]?(?:[^\W\d_a-zà-öø-ÿ][\w'’.&/@+-]*+|\d[\w.&-]*+)[,.;:)\"”’'!?]*+$")
_EDGE = " \t,.;:()[]\"“”‘’'*|#-–—_/!?"
_LAST_LINE = 40
_LETTERS = re.compile(r"[^\W\d_]{3}")
_MONTHS = frozenset(
    """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """.split()  # noqa: SIM905
)
_OPENERS = """
dear hello hi please thank thanks you he she we they i also where when while since after before
until once so both here now today attn re via under upon only just but yet however sincerely
regards yours for from behalf pela pelo por para pour für voor namens messrs
"""
_OPENING = frozenset(_OPENERS.split()) | STOP - {"the"}
"""Capitalised words that open a sentence or a letter and belong to no name."""
_LEADERS = re.compile(r"\.{3,}\s?:?|_{3,}|-{4,}|={4,}")
_HONORIFIC = re.compile(
    r"^(?:(?:Dr\.?ssa|Mrs?|Ms|Miss|Mx|Drs?|Prof|Sir|Dame|Herr|Frau|Mme|Mlle|Rev|Revd|Hon|Dott|Sig|Sra?|Cllr"
    r"|Capt|Insp|Sgt|Maj|Col|Lt|Dipl[.-]{1,2}Ing|Ing|Ma[iî]tre|Messrs|Dra|Do[nñ]a?|RN"
    r"|Smt|Shri|Sri|Kum|Senhora?|Señora?|Signora?|Dhr|Mevr(?:ouw)?|Meneer|Pani?"
    r"|Captain|Professor|Constable|Sergeant|Inspector|Sister|Pastor|Canon|Nurse)(?:\.\s*|\s+))+(?=\w)",
    re.IGNORECASE,
)

_BEFORE_NAME = frozenset({"to", "by", "from", "on", "with", "at", "in"})
"""Words between two names in a line of capitals."""
_CALLED = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "messrs", "herr", "frau", "mme"})
"""Titles with which a name begins even in the middle of capitalised words."""
_NICKNAME = re.compile(r"[\"“][^\W\d_][\w-]*[\"”]")
_POSSESSIVE = re.compile(r"['’]s$")

_DURATION = re.compile(
    r"(?<![\w.,-])"
    r"(?:(?P<word>[a-z]+(?:[- ][a-z]+)?)\s*\(\s*(?P<repeated>\d{1,3})\s*\)|(?P<digits>\d{1,3}))"
    r"[\s-]*(?:(?:calendar|business|working|full|consecutive)\s+)?"
    r"(?P<unit>year|month|week|day|hour|minute)s?\b",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"(?<![\w.,-])(?:(?:about|under|over|nearly|at least|up to)\s)?\d{1,3}\s?(?:h|hrs?|hours?|min"
    r"|mins|minutes?)\b\.?(?:\s\d{1,2}\s?(?:min|mins|minutes?|s|sec|seconds?)\b)?"
    r"|(?:about|under|over|nearly|almost) \w+ (?:years?|months?|weeks?|days?|hours?|minutes?)\b"
)
"""Durations in writing."""
_WORDED_DURATION = re.compile(
    r"\b(?P<number>[a-z]+(?:-[a-z]+)?)[\s-]+(?:(?:calendar|business|working|full)\s+)?"
    r"(?P<unit>year|month|week|day|hour|minute)s?\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?<![\w@./-])(?=[\w./#-]{0,39}\d)[A-Za-z0-9][\w./#-]{1,38}[\w](?![\w@])")
_SPACED_CODE = re.compile(r"(?<![\w.-])[A-Z]{1,5} (?=[\w./-]*\d[/.-]?\d)\d[\w./-]*\w(?![\w-])")
_PARTED_CODE = re.compile(
    r"(?<![\w.,/-])(?=(?:[A-Z0-9/-]+ ){1,7}[A-Z0-9/-]+(?![\w-]))(?=[A-Z0-9/ -]{0,99}\d)"
    r"(?:(?:[a-z]?[A-Z]{1,4}\d{0,6}[A-Z]?|\d{1,6}[A-Z]{0,3}(?:[./-]\d{1,3})?|[A-Z]{1,3}-[A-Z]{1,3})"
    r"(?: |(?=$|[^\w ]))){2,8}"
)
_PLAIN_NUMBER = re.compile(r"\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,2})?|\d{1,2}(?::\d\d)+|\d{1,3}")
MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
URL = re.compile(r"(?<![\w@.])(?:https?://[^\s<>\"]++|www\.[\w-]++(?:\.[\w-]++)++[^\s<>\",;]*+)")
_HOST = re.compile(r"(?:@|://(?:www\.)?|^www\.)(?P<host>[\w-]+(?:\.[\w-]+)+)")
_PHONE = re.compile(
    r"(?<![\w.-])\+?\(?\d{1,4}\)?[\s./-]?\(?\d{1,4}\)?(?:[\s./-]?\d{2,4}){1,4}(?![\w.-])"
)
_CURRENCY = re.compile(rf"(?<![\w])(?:{CURRENCY})(?![^\W\d_])", re.IGNORECASE)
_LABELLED = re.compile(
    r"(?:^|(?<=\s))(?P<label>[^\W\d_][^\s:]*(?: [^\s:]+){0,4}?)\s?:\s+(?P<value>[^\s:|;][^|;]*)"
)
_FIRST_PART = re.compile(r"(?:,|;|\.| [-–—]| ?[(/|])(?=\s|[^\W_])")
_PARTED = re.compile(r"\s[-–—/|]\s|:\s")
_QUOTED = re.compile(r"[\"“](?P<inner>[^\"“”]{2,120})[\"”]")

_STREET = re.compile(
    r"\b(?:No\.?|Nos\.?|Lot|Unit|Suite|Ste\.?|Level|Floor|Block|Blk|Plot|Room|Apt\.?|House"
    r"|P\.?\s?O\.?\s?Box|PT)\s*+(?:[#.:]\s*+)?(?:[A-Z]{1,2}[.\s-]{0,2}){0,2}\d"
    r"|(?<![\w.,:/-])(?!(?:19|20)\d\d\b)\d{1,5}[A-Z]?(?:[-/&]\d{1,5}[A-Z]?)?,?\s+(?=[^\W\d_])"
    r"|(?<![\w.,:/-])#?[A-Z]{0,2}[.-]?[A-Z]?\d{1,3}(?:[./-]\d{1,3})?,\s"
    r"|\b[^\W\d_][\w'’.-]{0,40}(?:stra(?:ß|ss)e|str\.?|weg|platz|allee|gasse|laan|straat|ring)\s+\d"
    r"|(?<=\))\s*(?=[\w.#])"
    r"|\b(?:rue|avenue|via|calle|jalan|jln|rua)\b",
    re.IGNORECASE,
)
_POSTCODE = re.compile(
    r"(?<![\w-])(?:[A-Z]{1,2}[- ]?)?\d{4,6}(?:-\d{4})?(?![\w-])"
    r"|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b"
)
_PLACED = re.compile(
    rf"(?:(?:[^\W\da-z]|\d)[\w'’.-]{{0,40}}(?: (?:of|the|[^\W\da-z][\w'’.-]{{0,40}}"
    rf"|\d{{1,9}}\w?)){{0,4}},\s+){{1,4}}"
    rf"(?:[^\W\da-z][\w'’.-]{{0,40}},?\s+){{0,3}}(?:{_POSTCODE.pattern})"
    rf"(?: [^\W\da-z][\w'’.-]+){{0,3}}"
)
"""Names and numbers separated by commas, up to a postcode and its town: a house may have no
number.
"""
_ADDRESS_END = re.compile(
    r"(?:(?<!\s)\s+)?(?:\(?\b(?:te[l1i]\b|telephone|phone|fax|e-?mail|gst|vat|reg|hotline|mobile"
    r"|www|http\S{0,200}"
    r"|attn|attention|contact|website|ust|iban|bank|date|invoice|receipt|company|outlet|ph)\b"
    r"|(?<![\w.+-])[\w.+-]++@[\w-]+\.|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\(?(?:hereinafter"
    r"|the [\"“])|\([\"“])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text as a value, with its class and position."""

    text: str
    kind: str
    start: int
    end: int


@remembered
def spans(text: str) -> list[Span]:
    """All classified spans in the first `MAX_TEXT` characters of a text."""
    results = list(_spans(text[:MAX_TEXT]))
    return results + list(_located(text, results))


def _located(text: str, result: Sequence[Span]) -> Iterator[Span]:
    """Bodies followed by a place: "University Hospital, Kilrane"; towns with their state."""
    named = {span.start: span for span in result if span.kind in ("name", "person", "place")}
    known = {span.start: span for span in result if span.kind == "place"}
    for span in result:
        if span.kind in ("name", "person", "place") and text[span.end : span.end + 2] == ", ":
            region = known.get(span.end + 2)
            if region is not None:
                yield Span(text[span.start : region.end], "place", span.start, region.end)
        if span.kind == "body" and text[span.end : span.end + 2] == ", ":
            place = named.get(span.end + 2)
            if place is not None and len(place.text.split()) <= _MOST_OF_PLACE:
                yield Span(
                    text[span.start : place.end].rstrip(" .,;"), "body", span.start, place.end
                )


def parts(text: str) -> Iterator[Span]:
    """The values behind the colons of a line, the line and such values up to their first
    punctuation, and the parts of a line divided by dashes, slashes or colons.
    """
    starts = [match.start("value") for match in _LABELLED.finditer(text)]
    for start in starts:
        yield from _cut(text, start, "value")
    yield from _cut(text, 0, "part", whole=False)
    ends = [(0, 0), *(match.span() for match in _PARTED.finditer(text)), (len(text), len(text))]
    if 2 < len(ends) <= 5:
        for (_, start), (end, _) in pairwise(ends):
            if start not in starts and end - start > 1:
                yield Span(text[start:end].strip(), "part", start, end)


def _cut(text: str, start: int, kind: str, *, whole: bool = True) -> Iterator[Span]:
    """A text from an offset on, and up to its first punctuation."""
    written = text[start:].rstrip(" .;,")
    first = _FIRST_PART.search(written, 2)
    if whole and len(written) <= MAX_LINE:
        yield Span(written, kind, start, start + len(written))
    if first is not None and first.start() > 1 and not _legal_next(text, first.end()):
        yield Span(written[: first.start()].rstrip(), kind, start, start + first.start())


@lru_cache(maxsize=4_000)
def classes(text: str) -> frozenset[str]:
    """The classes of a whole text, for example of a property's example."""
    whole = text.strip()
    results = {
        span.kind
        for span in _spans(whole)
        if span.end - span.start >= 0.8 * len(whole) or span.text == whole
    }
    if whole.lower() in KNOWN:
        results.add("place")
    if moments(whole):
        results.add("date")
    if not results and len(whole.split()) > 8:
        results.add("prose")
    return frozenset(results)


def _spans(text: str) -> Iterator[Span]:
    yield from _names(text)
    yield from _durations(text)
    yield from _timed(text)
    for start, end in places(text):
        yield Span(text[start:end], "place", start, end)
    yield from _addresses(text)
    for pattern, kind in ((MAIL, "mail"), (URL, "url")):
        for match in pattern.finditer(text):
            written = match[0].rstrip(".,;)")
            yield Span(written, kind, match.start(), match.start() + len(written))
            host = _HOST.search(written)
            if host:
                yield Span(host["host"].lower(), "host", *match.span())
    if _DIGIT.search(text) is not None:
        for match in _CODE.finditer(text):
            if not _PLAIN_NUMBER.fullmatch(match[0]) and not moments(match[0]):
                yield Span(match[0].rstrip("./"), "code", *match.span())
        for match in _SPACED_CODE.finditer(text):
            if not moments(match[0]):
                yield Span(match[0], "code", *match.span())
        for match in _PARTED_CODE.finditer(text):
            written = match[0].strip()
            if any(map(str.isdigit, written)) and " " in written and not moments(written):
                yield Span(written, "code", match.start(), match.start() + len(written))
                label, _, rest = written.partition(" ")
                if label.isalpha() and " " in rest:
                    start = match.start() + len(label) + 1
                    yield Span(rest, "code", start, start + len(rest))
        for start, end in clock_spans(text):
            yield Span(text[start:end].strip(), "time", start, end)
        for match in _PHONE.finditer(text):
            if sum(map(str.isdigit, match[0])) >= 7 and not moments(match[0]):
                yield Span(match[0].strip(), "phone", *match.span())
    for match in _CURRENCY.finditer(text):
        written = match[0]
        if written.isalpha() and len(written) <= 3 and not written.isupper():
            continue
        yield Span(UNITS[written.lower()].name, "currency", *match.span())
    for match in _QUOTED.finditer(text):
        yield Span(match["inner"].strip(" ,."), "quoted", *match.span("inner"))


def _durations(text: str) -> Iterator[Span]:
    for match in _DURATION.finditer(text):
        count = int(match["repeated"] or match["digits"])
        yield Span(_counted(count, match["unit"]), "duration", *match.span())
    for match in _WORDED_DURATION.finditer(text):
        number = worded_numbers(match["number"])
        if number and number[0].value:
            yield Span(_counted(int(number[0].value), match["unit"]), "duration", *match.span())


def without_legal_form(name: str) -> str:
    """The name of an organisation without "Ltd" or the like at its end."""
    if len(name) > MAX_LINE:
        return name
    end = _LEGAL_LAST.search(name)
    bare = name[: end.start()].rstrip(" ,&") if end is not None else name
    return bare if len(bare) > 2 and bare.lower() not in STOP else name


def without_title(name: str) -> str:
    """The name of a person without "Dr." or the like in front; "Dr. Martens plc" is unchanged."""
    is_body = _LEGAL_LAST.search(name) is not None or names_body(name, besides=TITLES)
    return name if is_body else _HONORIFIC.sub("", name)


def _timed(text: str) -> Iterator[Span]:
    for match in _TIMED.finditer(text):
        yield Span(match[0], "duration", *match.span())


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit.lower()}{'' if count == 1 else 's'}"


def _names(text: str) -> Iterator[Span]:
    """Runs of capitalised words, and those of their parts that could be names by themselves."""
    for whole in _runs(text):
        run = list(whole)
        while run and run[0][2].strip(_EDGE).lower() in _OPENING:
            run.pop(0)
        if not run:
            continue
        start, end = run[0][0], run[-1][1]
        yield from _named(text, start, end)
        if len(run) > 1 and (run[0][2].lower() == "the" or _digits(run[0][2])):
            yield from _named(text, run[1][0], end)
        parts = _parts(text, run)
        if len(parts) > 1:
            for first, last in parts:
                yield from _named(text, first, last)
        for first, last in dict.fromkeys(_inner(run)):
            if (first, last) not in parts:
                yield from _named(text, first, last)


def _inner(run: list[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    """Names inside a run of capitalised words: up to its last noun for a body, from or up to a
    change of capitals, before a number, and its rare words.
    """
    words = [token.strip(_EDGE) for _, _, token in run]
    ends = [at for at, word in enumerate(words) if word.lower() in BODIES]
    if ends and 0 < ends[-1] < len(run) - 1:
        yield run[0][0], run[ends[-1]][1]
    for at in range(1, len(run)):
        if _digits(words[at]) and at > 1:
            yield run[0][0], run[at - 1][1]
            break
    called = next((at for at, word in enumerate(words) if at and word.lower() in _CALLED), None)
    if called is not None and called < len(run) - 1:
        yield run[called][0], run[-1][1]
    shouted = [word.isupper() and len(word) > 2 for word in words]
    change = next((at for at in range(1, len(run)) if shouted[at] != shouted[at - 1]), None)
    if change is not None:
        if change > 1:
            yield run[0][0], run[change - 1][1]
        if change < len(run) - 1:
            yield run[change][0], run[-1][1]
    post = next((at for at in range(1, len(run) - 1) if words[at].lower() in _OF), None)
    if post is not None and words[post - 1].lower() in POSTS:
        yield run[0][0], run[post - 1][1]
        yield run[post + 1][0], run[-1][1]
    for at in range(1, len(run) - 1):
        if words[at].lower() in _BEFORE_NAME:
            yield run[0][0], run[at - 1][1]
            yield run[at + 1][0], run[-1][1]
    first, last = bare_ends([token for _, _, token in run])
    if last > first and not _LEGAL_END.search(f" {run[-1][2]}"):
        yield run[first][0], run[last - 1][1]


def _named(text: str, start: int, end: int) -> Iterator[Span]:
    written = text[start:end]
    lead = len(written) - len(written.lstrip(_EDGE.replace("(", "")))
    start += lead
    name = _trimmed(text[start:end])
    if len(name) < 2 or not any(char.isalpha() for char in name):
        return
    forms = [legal.span() for legal in _LEGAL_END.finditer(name) if legal.start() > 0]
    ends = [
        end
        for at, (_, end) in enumerate(forms)
        if at + 1 == len(forms) or name[end : forms[at + 1][0]].strip(" .,")
    ]
    for end in ends[:1] + ends[1:][-1:]:
        cut = name[:end].strip()
        yield Span(cut, "legal", start, start + len(cut))
        if len(cut) == len(name):
            return
    owner = _POSSESSIVE.sub("", name)
    if owner != name:
        yield from _named(text, start, start + len(owner))
    kind = "name"
    if names_post(name):
        kind = "post"
    elif titled(name) and not names_body(name, besides=TITLES):
        kind = "person"
    elif names_body(name):
        kind = "body"
    elif _personal(name):
        kind = "person"
    yield Span(name, kind, start, start + len(name))
    bare = _HONORIFIC.sub("", name)
    if bare != name and kind != "body":
        yield Span(bare, "person", start + len(name) - len(bare), start + len(name))


def _trimmed(name: str) -> str:
    name = name.strip(_EDGE.replace("(", "").replace(")", "").replace(".", "")).strip(' “”"!?')
    if name.endswith(".") and not re.search(
        rf"(?:{LEGAL_FORM}|\b[A-Z]|Jr|Sr|St)\.$", name, re.IGNORECASE
    ):
        name = name[:-1]
    if name.count("(") != name.count(")"):
        name = name.strip("()")
    return name.rstrip(",;: ")


def _personal(name: str) -> bool:
    words = _HONORIFIC.sub("", name).replace(",", "").split()
    if not 2 <= len(words) <= 4 or any(char.isdigit() for char in name):
        return False
    for word in words:
        bare = word.strip(_EDGE).lower()
        if not bare or bare in _MONTHS or bare in STOP or stem(bare) in FORM_WORDS:
            return False
    return not any(char in name for char in "/&:@")


def _runs(text: str) -> list[list[tuple[int, int, str]]]:
    """Runs of capitalised tokens with linking words between them; closing punctuation ends
    a run.
    """
    runs: list[list[tuple[int, int, str]]] = []
    run: list[tuple[int, int, str]] = []
    pending: list[tuple[int, int, str]] = []

    def close() -> None:
        if run:
            runs.append(list(run))
        run.clear()
        pending.clear()

    dated = [(moment.start, moment.end) for moment in moments(text)] if _digits(text) else []
    dated += [match.span() for match in _LEADERS.finditer(text)]
    for match in _TOKEN.finditer(text):
        token = match[0]
        if any(match.start() < end and start < match.end() for start, end in dated):
            close()
            continue
        entry = (match.start(), match.end(), token)
        proper = _PROPER.match(token) is not None or (
            bool(run) and _SMALL_LEGAL.fullmatch(token) is not None
        )
        if proper and (run or not token[0].isdigit() or _CAPITAL_NEXT.match(text[match.end() :])):
            nick = bool(run) and _is_nickname(text, match)
            if token[0] in '("“' and run and not nick and not _legal_next(text, match.end()):
                close()
            run.extend(pending)
            pending.clear()
            run.append(entry)
            if not nick and (
                token[-1] in ';:!?"”'
                or "”" in token
                or '"' in token[1:]
                or (token[-1] == "," and not _legal_next(text, match.end()))
                or (
                    token[-1] == "."
                    and len(token) > 4
                    and "." not in token[1:-1]
                    and token[:-1].lower() not in TITLES
                    and not _LEGAL_END.search(f" {token}")
                )
            ):
                close()
        elif run and (token.lower() in _LINKS or token in _JOINTS) and len(pending) < 2:
            pending.append(entry)
        else:
            close()
    close()
    return runs


def _is_nickname(text: str, token: re.Match[str]) -> bool:
    """Whether a word in quotes is in the middle of a name."""
    inside = _NICKNAME.fullmatch(token[0]) is not None
    return inside and _CAPITAL_NEXT.match(text[token.end() :]) is not None


def _digits(text: str) -> bool:
    return _DIGIT.search(text) is not None


def _legal_next(text: str, end: int) -> bool:
    return re.match(rf"\s*{LEGAL_FORM}\b", text[end:], re.IGNORECASE) is not None


def _parts(text: str, run: list[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """The run split at "and" and before a number that follows letters."""
    parts: list[tuple[int, int]] = []
    first = 0
    whole = text[run[0][0] : run[-1][1]]
    one = _LEGAL_END.search(whole) is not None or names_body(run[-1][2])
    joints = _JOINTS - {"&"} if one else _JOINTS
    for at, (_, _, token) in enumerate(run):
        if token.lower() in joints or (at > first and token[0].isdigit()):
            if at > first:
                parts.append((run[first][0], run[at - 1][1]))
            first = at + (0 if token[0].isdigit() else 1)
    if first < len(run):
        parts.append((run[first][0], run[-1][1]))
    return parts


def is_address(lines: Sequence[str]) -> bool:
    """Whether consecutive lines could together be an address."""
    first, last = lines[0], lines[-1]
    ends = len(last) <= _LAST_LINE and _POSTCODE.search(last) is not None and not moments(last)
    others = _LEGAL_END.search(first) or any(_ADDRESS_END.match(line) for line in lines)
    return ends and not others


def _addressed(words: Sequence[str]) -> bool:
    """Whether words could be an address: hardly any are function words."""
    letters = [word for word in words if _LETTERS.search(word)]
    small = [w for w in letters if w[0].islower() and w.lower().strip(_EDGE) not in _LINKS]
    return bool(letters) and 3 * len(small) <= len(letters)


def _addresses(text: str) -> Iterator[Span]:
    """From a house number or a street to a postcode and its town, or to something that ends an
    address.
    """
    if _DIGIT.search(text) is None:
        return
    if "," in text:
        for match in _PLACED.finditer(text):
            start, end = match.span()
            firm = _LEGAL_END.search(text, start, match[0].index(",") + start)
            start = firm.end() + 1 if firm is not None else start
            cut = _ADDRESS_END.search(text, start + 8, end)
            end = cut.start() if cut is not None else end
            if end - start > 8:
                yield Span(text[start:end].strip(" ,"), "address", start, end)
    starts = [match.end() - len(match[0].lstrip()) for match in _STREET.finditer(text)][:6]
    if not starts:
        return
    ends: list[int] = []
    stop = next(
        (m.start() for m in _ADDRESS_END.finditer(text) if m.start() > starts[0] + 8), len(text)
    )
    for postcode in _POSTCODE.finditer(text, starts[0] + 4, stop):
        behind = re.match(
            r"(?:[\s,]+(?:[^\W\d_a-z][\w'’.-]*|de|of|am|an|der))*\.?", text[postcode.end() : stop]
        )
        ends.append(postcode.end() + (behind.end() if behind else 0))
    ends.append(stop)
    for start in starts[:3]:
        for end in dict.fromkeys(ends[-2:]):
            written = text[start:end].strip(" ,;:-–(")
            words = written.split()
            if 3 <= len(words) <= 28 and len(written) <= 200 and _addressed(words):
                yield Span(written.rstrip("."), "address", start, start + len(written))
