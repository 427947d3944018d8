"""Candidates by form: everything in a document that could be a value of a property's type.

A date property gets every date, a text property every span of a matching class. The fitted score
decides among them, not this module.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import chain

from backend.extraction.cues import Cues
from backend.extraction.day_times import plain
from backend.extraction.document import Document
from backend.extraction.enumerations import enumerations
from backend.extraction.numbers import Number
from backend.extraction.options import option_spots
from backend.extraction.references import refers
from backend.extraction.runs import Run
from backend.extraction.segments import Place, Segment
from backend.extraction.spots import InRun, Spot
from backend.extraction.tables import heads_references
from backend.extraction.targets import Target
from backend.extraction.ticks import answer_at, crosses_box
from backend.extraction.units import converted, is_known
from backend.extraction.values import clean
from backend.extraction.wanted import Wanted, options
from backend.extraction.words import GENERIC_STEMS, STOP, stem

MAX_PLACES, MAX_TEXTS, MAX_OF_LIST = 60, 60, 100
"""The number of places per property that are examined closely. With 36 texts a letter in prose
loses one in twenty correct values and is hardly faster.
"""
MAX_IN_RUNS, MAX_PROMINENT = 160, 2
MIN_MATCH = 0.2
_UNCLASSED = frozenset({"line", "value", "part", "tail"})
"""Texts that are visually separate, whatever their form."""
_NAMING = frozenset({"legal", "body", "name", "line", "heading"})
"""Classes of the names of organisations."""
_CUE = 0.4
"""The minimum weight of a matching word for the text behind it to be a candidate."""
_MAX_TAILED = 160
_MAX_TAIL_WORDS = 4
_TOKEN = re.compile(r"\S+")
_LEAD = re.compile(r"[\s.:#)/-]*")
_DENIED = re.compile(
    r"\b(?:no|not|none|never|without|neither|nor|nobody|lacks?|lacking|missing|absent|free of|"
    r"waived|refus(?:es?|ed)|declin(?:es?|ed)|exclud(?:es?|ed)|except|unable|omit(?:s|ted)?|"
    r"prohibit(?:s|ed)?|forbids?|forbidden|banned|opt(?:s|ed)? out|turn(?:s|ed)? down)\b|n[o’']t\b|"
    r"\bnon[-‐ ]?$|\b(?:left|leaves?|leaving)\b.{0,40}\bout\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(?:it|them|this|so)\b", re.IGNORECASE)
_NEXT_REACH = 160
"""Characters up to the end of the next clause, which may negate: `…; they chose not to take it`."""
_TICKED = re.compile(r"[☒☑✓✔✗]|\[[xX]\]|\([xX]\)")
_BOXED = re.compile(r"(?:[☐☒☑✓✔✗]|\[[ xX]?\]|\([ xX]\))\s*(?P<word>yes|no)\b", re.IGNORECASE)
_ANSWER = re.compile(r"(?:(?<!\W)\W+)?(?P<word>yes|no)\b", re.IGNORECASE)
_CLAUSE_REACH = 70
_DECIMALS = re.compile(r"[.,]\d\d?(?!\d)")
_DASH = re.compile(r"[^\W\d_]\s+[-–—−]\s+$")
"""A dash between a word and a number is no minus sign."""
_BETWEEN = re.compile(
    r"(?:(?<!\s)\s+)?[;,/|•·+]\s+(?:and\s+)?|(?<!\s)\s+(?:/\s*|(?:and|und|et|&|\+)\s+)"
)
_BARE = re.compile(r"[^\d(]{2,}(?=\s[\d(])")
_RUNNING = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,} [a-z]{2,} ")
"""A text that contains function words."""
_VERBS = (
    "is are was were be been being has have had do does did will would shall should may might can"
    " could must please took take takes taken gave give gives given made make makes came come comes"
    " went go goes found find finds says said asked asks wants want needs need get gets got"
)
_SPLITTING = "|".join(sorted(STOP | set(_VERBS.split()), key=len, reverse=True))
_CHUNK = re.compile(
    rf"(?<![\w’'-])(?!(?<=[/&.])[/&.])(?!(?:{_SPLITTING})\b)[\w’'/&.-]*\w"
    rf"(?: (?!(?:{_SPLITTING})\b)[\w’'/&%-][\w’'/&%.-]*(?<!\.)){{0,6}}",
    re.IGNORECASE,
)
_JOINT = re.compile(r" (?:of|with|for|in|and|to|on|at|per) (?:the |a |an )?")
_BECAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|on account of|caused by|put down to|for (?:lack|want) of"
    r"|on the grounds? (?:of|that)|(?:intended|meant) for|for the purpose of|in order to"
    r"|(?:reason|cause|purpose) (?:is|was))\s+(?P<why>[^.;:()]{3,90}?)(?=[.;:()]|$)",
    re.IGNORECASE,
)
_WHY_ENDS = re.compile(r",|\s(?:and|but|which|who|so|before|when|while)\s")
_MOST_SPEAKING, _MOST_NEAR = 5, 2
_SOME = (
    r"(?:an?|the|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|some|\d{1,3}x?|"
    r"der|die|das|den|dem|einen?|eine[mr]?|zwei|drei|vier|les?|la|une?|deux|trois)"
)
_ARTICLE = re.compile(rf"\s*{_SOME}\s+(?=\w)", re.IGNORECASE)
_MEASURED = re.compile(rf"\s*(?:{_SOME}\s+)?\w+\s+of\s+(?=\w)", re.IGNORECASE)
"""How much of a thing, in front of its name: "two bottles of"."""
_MAX_ENUMERATED, _MAX_PIECE_WORDS = 400, 9
_MOST_BESIDE = 2
_SAYS_NONE = re.compile(
    r"(?:none|nil|nothing|nobody|no known|not known|not any|denies)\b", re.IGNORECASE
)
"""In an array property this means that there are no items."""
_ONE_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})?")
_FIRST_WORD = re.compile(rf"(?P<word>{_ONE_WORD.pattern})(?: \S{{1,20}}){{1,4}}")
_IN_BRACKETS = re.compile(r"\((?P<inner>[^()]{3,60})\)")
_MAIL = re.compile(r"[^\s@]++@\S++")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def spots(
    target: Target, asks: Wanted, document: Document, cues: Cues, *, listed: bool = False
) -> list[Spot]:
    """The spots of a property, limited to those with the strongest surroundings. For arrays
    (`listed`) the limit is higher, and parts of enumerations count as well.
    """
    textual = target.shape.kind in ("string", "custom")
    most = MAX_OF_LIST if listed else MAX_TEXTS if textual else MAX_PLACES
    match target.shape.kind:
        case "date" | "datetime":
            places = _dates(target, document)
        case "int" | "float":
            places = _numbers(target, document)
        case "bool":
            places = _answers(document, cues)
        case "string" | "custom":
            closed = options(target.shape.description or "")
            places = option_spots(closed, document, cues) if closed else []
            loose = asks.loose
            texts = _texts(target, asks, document)
            places += texts + _behind_cues(document, cues, loose)
            places += [] if listed else _first_words(texts, target.examples)
            places += _phrases(document, cues, loose)
            places += _pieces(document, loose) if listed else []
            places = [one for one in places if not crosses_box(*_within(one.place))]
        case "choice":
            choices = [choice for choice in target.shape.choices or [] if choice is not None]
            return option_spots(choices, document, cues)
        case _:
            return []
    length = len(document.segments)

    def worth(spot: Spot) -> float:
        amount = spot.traits.get("decimals", 0.0) + spot.traits.get("money", 0.0)
        late = spot.place.segment.order / length
        sensed = cues.sensed[spot.place.segment.order]
        return cues.quick(spot.place) + sensed + spot.match + 0.3 * min(1.0, amount) - 0.3 * late

    ranked = sorted(places, key=worth, reverse=True) if len(places) > most else places
    kept = ranked[:most] + (_prominent(ranked[most:], document) if textual else [])
    return kept + _in_runs(cues, document, asks.loose, worth) if listed else kept


def _prominent(places: Sequence[Spot], document: Document) -> list[Spot]:
    """The names among some spots that stand where those who write a document name themselves, the
    longest of each text.
    """
    own: dict[int, list[Spot]] = {}
    for spot in places:
        if spot.kind in _NAMING and spot.place.segment.order in document.margins:
            own.setdefault(spot.place.segment.order, []).append(spot)
    longest = [
        sorted(spots, key=lambda spot: spot.place.start - spot.place.end)[:MAX_PROMINENT]
        for spots in own.values()
    ]
    return list(chain.from_iterable(longest))


def _in_runs(
    cues: Cues, document: Document, loose: float, worth: Callable[[Spot], float]
) -> list[Spot]:
    """The names in lines, rows, cells and sentences of one structure, those with the best
    surroundings first.
    """
    by_run = []
    for number, run in enumerate([*document.runs, *_enumerations(document, cues)]):
        named = [(clean(one.segment.text[one.start : one.end]), one) for one in run.parts]
        if any(crosses_box(*_within(one)) for one in run.parts):
            continue
        about = max(map(cues.target.fit, run.about), default=0.0)
        by_run.append([
            Spot(value, place, "piece", loose, run=InRun(run.way, number, about))
            for value, place in named
            if value
        ])  # fmt: skip
    out: list[Spot] = []
    for own in sorted(filter(None, by_run), key=lambda own: -sum(map(worth, own)) / len(own)):
        if len(out) + len(own) <= MAX_IN_RUNS:
            out += own
    return out


def _enumerations(document: Document, cues: Cues) -> Iterator[Run]:
    """What sentences enumerate."""
    for segment in document.segments:
        if not segment.joined:
            yield from enumerations(segment, {end for _, end, _ in cues.hits(segment)})


def _within(place: Place) -> tuple[str, int, int]:
    return place.segment.text, place.start, place.end


def _answers(document: Document, cues: Cues) -> list[Spot]:
    """Yes or no wherever words of the property occur, and in the texts closest to it in meaning: no
    if they are negated. A text that only labels a neighbouring value is no answer.
    """
    out, silent = [], list[Segment]()
    for segment in document.segments:
        if segment.joined or document.names_a_value(segment.text):
            continue
        hits = [(start, end) for start, end, weight in cues.hits(segment) if weight >= _CUE]
        for start, end in hits:
            out.append(_answered(Place(segment, start, end), *_answer(segment.text, start, end)))
        if not hits and _RUNNING.search(segment.text):
            silent.append(segment)
    nearest = sorted(silent, key=lambda one: -cues.sensed[one.order])[:_MOST_NEAR]
    for segment in nearest:
        place = Place(segment, 0, len(segment.text))
        out.append(_answered(place, _DENIED.search(segment.text) is None, 0.0))
    return out


def _answered(place: Place, answer: bool, how: float) -> Spot:
    """A yes or no; `how` is 1 if the text says it in a word."""
    return Spot(answer, place, "answer", 1.0, None, {"denied": float(not answer), "answered": how})


def _answer(text: str, start: int, end: int) -> tuple[bool, float]:
    """The answer in a text about the words from `start` to `end`, and 1 if it is an explicit yes or
    no.
    """
    behind, before = text[end : end + _CLAUSE_REACH], text[max(0, start - _CLAUSE_REACH) : start]
    ticked = answer_at(text, start, end)
    if ticked is not None:
        return ticked, 1.0
    for box in _BOXED.finditer(text, end):
        if _TICKED.match(box[0]):
            return box["word"].lower() == "yes", 1.0
    answer = _ANSWER.match(behind) or _ANSWER.search(behind.rpartition(":")[2])
    if answer is not None:
        return answer["word"].lower() == "yes", 1.0
    lead = re.split(r"[.;]\s", before)[-1]
    clause = lead + " " + re.split(r"[.;,]\s", behind)[0]
    if _DENIED.search(lead) or _DENIED.search(clause):
        return False, 0.0
    _, _, following = text[end : end + _NEXT_REACH].partition("; ")
    following = re.split(r"[.;]\s", following)[0]
    return not (_POINTING.search(following) and _DENIED.search(following)), 0.0


def _behind_cues(document: Document, cues: Cues, loose: float) -> list[Spot]:
    """The words right behind a matching word, in lines without a colon."""
    out = []
    for segment in document.segments:
        text = segment.text
        if segment.joined or len(text) > _MAX_TAILED:
            continue
        for _, end, weight in cues.hits(segment):
            lead = _LEAD.match(text, end)
            start = lead.end() if lead is not None else end
            if weight < _CUE or start == end or start >= len(text) or text[start].islower():
                continue
            ends = [match.end() for match in _TOKEN.finditer(text, start)]
            for stop in {*ends[:_MAX_TAIL_WORDS], ends[-1]}:
                value = clean(text[start:stop])
                if len(value) > 1:
                    place = Place(segment, start, stop)
                    out.append(Spot(value, place, "tail", loose))
    return out


def _dates(target: Target, document: Document) -> list[Spot]:
    days = sorted({moment.day for _, moment in document.moments})
    opening = next((moment.day for _, moment in document.moments), date.min)
    timed = target.shape.kind == "datetime"
    out = []
    for moment, place, clocked in document.timed if timed else plain(document.moments):
        if place.segment.period not in target.periods:
            continue
        rank = days.index(moment.day)
        traits = {
            "certain": float(moment.certain),
            "clocked": clocked,
            "first_of": float(rank == 0),
            "last_of": float(rank == len(days) - 1),
            "after_opening": float((moment.day > opening) - (moment.day < opening)),
            "headed": float(moment.day == opening),
        }
        value = moment.iso if timed else moment.day.isoformat()
        out.append(Spot(value, place, "date", 1.0, None, traits))
    return out


def _numbers(target: Target, document: Document) -> list[Spot]:
    whole_only = target.shape.kind == "int"
    amounts = [
        number.value
        for _, number in document.numbers
        if number.unit is not None and number.unit.dimension == "money"
    ] or [n.value for _, n in document.numbers if not n.value.is_integer()]
    most = max(amounts, default=None)
    out = []
    only_years = target.wants_year
    worded = [] if only_years else document.worded
    if not whole_only:
        worded = [one for one in worded if _measures(one[1], target)]
    numbers = document.numbers + worded
    if whole_only and not only_years:
        mentioned = target.mentioned
        numbers += [one for one in document.counts if stem(one[1].word) in mentioned]
    for segment, number in numbers:
        if segment.period not in target.periods:
            continue
        if heads_references(segment.column, target.mentioned):
            continue
        if whole_only and refers(segment, number.start, target.mentioned):
            continue
        written = segment.text[number.start : number.end]
        before = segment.text[: number.start]
        amount = abs(number.value) if _DASH.search(before) else number.value
        value, fits = converted(amount, number.unit, target.unit)
        if whole_only:
            if abs(value - round(value)) > 1e-6:
                continue
            value = round(value)
        digits = written.split()[0]
        if only_years and _YEAR.fullmatch(digits) is None:
            continue
        traits = {
            "unit_fit": fits,
            "money": float(number.unit is not None and number.unit.dimension == "money"),
            "decimals": float(_DECIMALS.search(written) is not None),
            "year_like": float(_YEAR.fullmatch(digits) is not None),
            "numbering": float(not before.strip() and segment.text[number.end :][:1] in (".", ")")),
            "worded": float(digits.isalpha()),
            "bracketed": float(before.endswith("(")),
            "largest": float(most is not None and number.value == most),
            "size": min(8.0, len(str(int(abs(number.value))))),
        }
        has = number.unit if number.unit is not None and is_known(number.unit) else None
        unit = has.name if has is not None else None
        if has is not None and target.unit is not None and has.dimension == target.unit.dimension:
            unit = target.unit.name if has.factor else has.name
        place = Place(segment, number.start, number.end)
        out.append(Spot(value, place, "number", 1.0, unit, traits, number.value))
    return out


def _measures(number: Number, target: Target) -> bool:
    """Whether the units of a number and of a property measure the same, like hours and days."""
    own, wanted = number.unit, target.unit
    return own is not None and wanted is not None and own.dimension == wanted.dimension


def _texts(target: Target, asks: Wanted, document: Document) -> list[Spot]:
    out = []
    mails = asks.match("mail") >= MIN_MATCH and not GENERIC_STEMS.issuperset(target.name_words)
    matches: dict[str, float] = {}
    for place, kind, value in document.texts:
        match = matches.get(kind)
        if match is None:
            match = asks.match(kind)
            match = max(match, asks.loose) if kind in _UNCLASSED else match
            matches[kind] = match
        if match < MIN_MATCH or len(value) < 2:
            continue
        if not mails and "@" in value and kind in _UNCLASSED and _MAIL.fullmatch(value):
            continue
        out.append(Spot(value, place, kind, match))
    return out


def _first_words(texts: Sequence[Spot], examples: Sequence[str]) -> Iterator[Spot]:
    """The first word of each short text, if all examples of the property are single words: the make
    of a “Volvo V60 D4”.
    """
    if not examples or not all(map(_ONE_WORD.fullmatch, examples)):
        return
    for spot in texts:
        first = _FIRST_WORD.fullmatch(spot.value)
        segment, start, _ = spot.place
        if first is not None and segment.text.startswith(first["word"], start):
            end = start + len(first["word"])
            yield Spot(first["word"], Place(segment, start, end), "part", spot.match)


def _phrases(document: Document, cues: Cues, loose: float) -> list[Spot]:
    """Runs of words between function words, in the texts that match the property best."""
    running = [s for s in document.segments if not s.joined and _RUNNING.search(s.text)]

    def speaks(segment: Segment) -> float:
        hits = cues.hits(segment)
        return max((weight for _, _, weight in hits), default=0.0) + cues.sensed[segment.order]

    out = []
    for segment in sorted(running, key=lambda one: -speaks(one))[:_MOST_SPEAKING]:
        chunks = [m for m in _CHUNK.finditer(segment.text[:_MAX_ENUMERATED])]
        for at, chunk in enumerate(chunks):
            ends = [chunk.end()]
            if at + 1 < len(chunks) and _JOINT.fullmatch(
                segment.text, chunk.end(), chunks[at + 1].start()
            ):
                ends.append(chunks[at + 1].end())
            for end in ends:
                value = clean(segment.text[chunk.start() : end])
                if len(value) > 2 and len(value.split()) <= _MAX_PIECE_WORDS:
                    place = Place(segment, chunk.start(), end)
                    out.append(Spot(value, place, "phrase", loose))
    return [*out, *_reasons(running, loose)]


def _reasons(running: Sequence[Segment], loose: float) -> Iterator[Spot]:
    """Text after words for a reason or a purpose: to the end of the sentence, and up to where
    another clause may begin.
    """
    for segment in running:
        for match in _BECAUSE.finditer(segment.text):
            start, last = match.span("why")
            cuts = [cut.start() for cut in _WHY_ENDS.finditer(segment.text, start, last)]
            for end in (*cuts[:2], last):
                value = clean(segment.text[start:end])
                if len(value) > 2:
                    yield Spot(value, Place(segment, start, end), "phrase", loose)


def says_none(value: object) -> bool:
    """Whether a text, or each text of a list, says that there are no items."""
    if isinstance(value, list):
        return bool(value) and all(map(says_none, value))
    return isinstance(value, str) and _SAYS_NONE.match(value) is not None


def _pieces(document: Document, loose: float) -> list[Spot]:
    """The parts of enumerations behind their labels, and texts in brackets."""
    out = []
    for segment in document.segments:
        text = segment.text
        if segment.joined or len(text) > _MAX_ENUMERATED:
            continue
        stretches = dict.fromkeys(_enumerated(text))
        stretches |= dict.fromkeys(match.span("inner") for match in _IN_BRACKETS.finditer(text))
        for start, end in stretches:
            value = clean(text[start:end])
            if len(value.split()) <= _MAX_PIECE_WORDS and (len(value) > 1 or value.isdigit()):
                out.append(Spot(value, Place(segment, start, end), "piece", loose))
    return out


def _quantities(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """What may be the quantity at the beginning of a piece."""
    for pattern in (_ARTICLE, _MEASURED):
        match = pattern.match(text, start, end)
        if match is not None:
            yield match


def _enumerated(text: str) -> Iterator[tuple[int, int]]:
    """The parts of an enumeration: each whole and up to its first digit. Of the first also the last
    words and of the last the first words, since the sentence continues around them.
    """
    start = text.rfind(": ") + 2 if ": " in text else 0
    cuts = [match.span() for match in _BETWEEN.finditer(text, start)]
    if not cuts:
        return
    ends = [start, *(at for cut in cuts for at in cut), len(text)]
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        yield first, last
        bare = _BARE.match(text[first:last])
        if bare is not None:
            yield first, first + bare.end()
        yield from ((match.end(), last) for match in _quantities(text, first, last))
    words = [match.span() for match in _TOKEN.finditer(text, start, ends[1])]
    yield from ((begin, ends[1]) for begin, _ in words[-_MOST_BESIDE:])
    words = [match.span() for match in _TOKEN.finditer(text, ends[-2])]
    yield from ((ends[-2], end) for _, end in words[:_MOST_BESIDE])
