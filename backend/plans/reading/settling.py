"""Words whose meaning only their neighbours settle, decided before anything is put together.

`must be` behind a property says nothing more; `at most` behind a number belongs to it; `as well as`
between two values joins them; `by state, not city` puts one in the place of the other. Each rule is
a regular expression over the tags of a clause and a builder, as in the cascade.
"""

from dataclasses import replace

from backend.plans.english.adjectives import PLAIN
from backend.plans.english.units import unit_word
from backend.plans.reading.cascade import Reader, Rule, cover, rule
from backend.plans.reading.linking import Piece, Quantity
from backend.plans.reading.moments import moment
from backend.plans.reading.rates import RATE_RULES
from backend.plans.reading.vocabulary import Meaning

NEW = ";"
"""Between what is changed and what it is changed to."""


def _nothing(reader: Reader, pieces: list[Piece]) -> list[Piece]:
    """Takes a word out that says nothing here."""
    return []


def _exchanged(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`not city but state`, as `state instead of city`."""
    _, before, mark, after = pieces
    if before.tag != after.tag or mark.load != "but":
        return None
    return [after, replace(mark, tag="I", load=None), before]


def _not_the_other(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`by state, not city`, as `by state instead of city`."""
    before, _, no, after = pieces
    return [before, replace(no, tag="I", load="not"), after] if before.tag == after.tag else None


def _joined(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`Texas as well as Ohio`, `Texas and also Ohio`."""
    if pieces[0].tag != pieces[-1].tag or reader.words(pieces[-2:-1]).lower() == "include":
        return None
    return [pieces[0], replace(pieces[-2], tag="&", load=None), pieces[-1]]


def _upper(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`up to 5`, `until June` without a number in front is a bound, not the end of a range."""
    said = reader.words(pieces[:1]).lower()
    if "up to" in said:
        return replace(pieces[0], tag="C", load="le")
    timed = reader.words(pieces[:1]).lower() in ("until", "till", "through")
    return replace(pieces[0], tag="C", load="until") if timed else None


def _behind(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`5 at most`."""
    return replace(pieces[0], tag="p") if pieces[0].load in ("ge", "le") else None


def _least_or_most(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`max 5`, `a minimum of 3`."""
    op = {"min": "ge", "max": "le"}.get(pieces[0].load)
    return None if op is None else replace(pieces[0], tag="C", load=op)


def _bounded_name(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`a minimum rent of 300` bounds each document."""
    op = {"min": "ge", "max": "le"}.get(pieces[0].load)
    if op is None or not pieces[-2].load[0].prop.numeric:
        return None
    return [pieces[-2], replace(pieces[0], tag="C", load=op), pieces[-1]]


def _at_most_behind(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`60 max`, `60 should be the maximum`."""
    number, function = pieces[0], pieces[-1]
    op = {"min": "ge", "max": "le"}.get(function.load)
    if op is None or reader.present is None:
        return None
    return [replace(function, tag="C", load=op, start=number.start, end=number.start + 1), number]


def _threshold(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the threshold should be 60`: the one that a filter of the plan has."""
    bounded = reader.present is not None and any(c.range_filter for c in reader.present.filters)
    return [piece for piece in pieces if piece.tag == "c"] if bounded else None


def _verb_denied(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`did not use a helicopter`: no command."""
    before = reader.tokens[pieces[0].start - 2].lower if pieces[0].start > 1 else ""
    return [] if before in ("do", "does", "did") else None


def _filter_added(reader: Reader, pieces: list[Piece]) -> Piece:
    """`add a filter: fragile` narrows."""
    return cover("o", pieces, None)


def _others_than(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`other towns than Leeds`."""
    said = reader.words(pieces[:1]).lower() in ("other", "others", "another", "different")
    return cover("x", pieces, None) if said else None


def _one_about(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`drop the one about visits`: the filter."""
    following = reader.tokens[pieces[0].end : pieces[0].end + 1]
    points = following and following[0].lower in _CONCERNING
    said = reader.words(pieces).lower() in ("one", "ones")
    return replace(pieces[0], tag="f", load=None) if said and points else None


_CONCERNING = frozenset({"about", "on", "for", "with", "regarding", "concerning", "by"})


def _ordinal_one(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the second one`."""
    return [] if reader.words(pieces).lower() in ("one", "ones") else None


def _whatever_it_is(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`no matter how many visits`, `I do not care what the fee is`: only the name counts."""
    said = reader.words(pieces).lower()
    return [] if said.startswith(("how", "what", "which", "who", "where")) else None


def _widened_to(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`expand the town to Leeds`: the name only says of what sort Leeds is."""
    mark, named = pieces[0], pieces[1]
    fields = {m.prop.field for m in named.load}
    held = pieces[-1].load
    return [mark, pieces[-1]] if any(field in fields for field, _ in held) else None


def _with_unit(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`300 or more sqm`."""
    number, words, unit = pieces
    named = unit_word(reader.tokens[unit.start].text)
    if named is None or number.load.unit is not None or unit.start != words.end:
        return None
    load: Quantity = replace(number.load, unit=named)
    return [replace(number, load=load), cover("p", [words, unit], words.load)]


def _named_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the number of participants is above 5`: the property is called so."""
    counted, named = pieces
    said = reader.words([counted]).lower()
    if not named.load[0].prop.numeric or said.startswith("how"):
        return None
    return cover("P", pieces, named.load)


def _sum(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sum up the costs`."""
    adds = reader.words(pieces[:1]).lower() == "sum up" and pieces[-1].load[0].prop.numeric
    return [replace(pieces[0], tag="A", load="sum"), pieces[-1]] if adds else None


def _plain_date(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sorted by date`, where there are several: that of the documents."""
    named = pieces[0]
    word = reader.tokens[named.start].lower
    best = [m for m in named.load if m.score > 0.95 * named.load[0].score]
    dated = len(best) > 1 and all(m.prop.dated for m in best)
    chosen = moment(reader) if dated and word in ("date", "dates", "day", "when") else None
    if chosen is None or named.end - named.start > 1:
        return None
    reader.assume(f"took “{word}” to mean {chosen.label}")
    return [replace(named, load=[m for m in best if m.prop is chosen] or best[:1])]


def _beside_name(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`per auction house`: the noun only goes with the name behind it."""
    end = pieces[0].end
    return [] if end < len(reader.tokens) and reader.tokens[end].kind == "word" else None


def _asked_when(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`when was it last inspected`."""
    asked = any(token.lower == "when" for token in reader.tokens[: pieces[0].start])
    return [] if asked and reader.words(pieces).lower() in ("last", "first") else None


def _distributed(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`grade distribution`, `how are the grades distributed`."""
    named, verb = pieces
    said = reader.words([verb]).lower()
    return [verb, named] if said.startswith(("distribution", "distributed", "breakdown")) else None


def _no_longer(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`tragedies no longer in the repertory`, not a command to remove."""
    said = reader.words(pieces).lower()
    return replace(pieces[0], tag="n") if said == "no longer" else None


def _less(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`average cost in A minus average cost in B`."""
    mark = next(piece for piece in pieces if piece.tag == "x")
    if reader.words([mark]).lower() != "minus":
        return None
    place = pieces.index(mark)
    made = [replace(mark, tag="="), replace(mark, tag="t")]
    return [*pieces[:place], *made, *pieces[place + 1 :]]


def _changed_date(reader: Reader, pieces: list[Piece]) -> list[Piece]:
    """`change 2022 to 2023` is no span of time."""
    mark = next(piece for piece in pieces if piece.tag == "z")
    kept = [piece for piece in pieces if piece.tag != "b"]
    place = kept.index(mark)
    return [*kept[:place], replace(mark, tag=NEW), *kept[place + 1 :]]


def _further(reader: Reader, pieces: list[Piece]) -> list[Piece]:
    """`split further by city` adds a key."""
    return [pieces[1], pieces[0], *pieces[2:]]


def _total_number(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`how many are there in total`: a count is a total by itself."""
    if pieces[-1].load != "sum":
        return None
    return pieces[:-1]


def _last_of_all(reader: Reader, pieces: list[Piece]) -> Piece:
    """`the inspections carried out last`: by the date of the documents."""
    return replace(pieces[0], tag="X", load=(pieces[0].load in ("last", "bottom"), "date"))


def _said_to_be(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`those that are also fragile`: said of the documents, not added to the request."""
    before = reader.tokens[pieces[0].start - 1].lower if pieces[0].start else ""
    also = reader.words(pieces[:1]).lower() in ("also", "too", "as well")
    return [] if also and before in _BEING else None


def _counts_too(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`dance should count too`: to count as one of them."""
    word = reader.words(pieces).lower()
    before = reader.tokens[pieces[0].start - 1].lower if pieces[0].start else ""
    object_behind = reader.tokens[pieces[0].end : pieces[0].end + 1]
    if object_behind and object_behind[0].lower in ("them", "those", "these", "the", "how"):
        return None
    return [] if word in ("count", "counts") and before in _ADMITTING else None


def _dashed(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`40-150` is a range whatever stands in front of it."""
    low, mark, high = pieces
    return [replace(mark, tag="b"), low, mark, high] if mark.load == "-" else None


def _range_alone(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`100 to 200 instead`, `make it 100 to 200`, where nothing else is said."""
    verb = next((piece for piece in pieces if piece.tag == "c"), None)
    if reader.present is None or (verb is not None and not _sets(reader.words([verb]))):
        return None
    place = next(i for i, piece in enumerate(pieces) if piece.tag in "ND")
    return [*pieces[:place], replace(pieces[place + 1], tag="b"), *pieces[place:]]


def _sets(verb: str) -> bool:
    return verb.lower() in ("make", "make it", "make that", "set", "use", "do", "try", "go with")


def apposed(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the cheap stuff, below 20 dollars`: the same property, said more exactly."""
    named, _, condition = pieces
    fields = {meaning.prop.field for meaning in named.load}
    return cover("F", pieces, condition.load) if condition.load.field in fields else None


def _without_step(reader: Reader, pieces: list[Piece]) -> Piece:
    """`without the furniture restriction` takes a filter away; it excludes nothing."""
    return replace(pieces[0], tag="r")


def _without_key(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`without the phase` beside groups by phase, or a filter by it, takes that away."""
    if reader.present is None:
        return None
    named = pieces[1].load[0].prop.field
    definite = reader.tokens[pieces[1].start - 1].lower in ("the", "that", "this")
    held = {c.field for c in reader.present.filters if c.exists is None} if definite else set()
    measured = definite and pieces[1].load[0].prop.numeric and named in reader.in_use
    gone = named in reader.present.keys or named in held or measured
    return [replace(pieces[0], tag="r"), pieces[1]] if gone else None


def _part_of_it(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`forget the organic part`: the noun only stands for what is named in front of it."""
    return [] if reader.words(pieces).lower() in _PARTS else None


_PARTS = frozenset(["part", "bit", "aspect", "thing", "stuff", "business", "side"])


def _described_nouns(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`clear nights, those not clouded out`: an adjective that a condition behind explains."""
    adjective = reader.words(pieces[:1]).lower() == "clear" and pieces[0].end == pieces[1].start
    return pieces[1:] if adjective else None


def _by_way_of_exchange(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`replace the price by the score`."""
    exchanging = reader.words(pieces[:1]).lower() in ("replace", "swap", "substitute", "exchange")
    return [*pieces[:-1], replace(pieces[-1], tag=NEW)] if exchanging else None


def _lowered(reader: Reader, pieces: list[Piece]) -> Piece:
    """`drop that to 20` moves a number; it takes nothing away."""
    return replace(pieces[0], tag="c", load=None)


def _percentage_itself(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the average share of free meals`, where the share is the property."""
    unit = pieces[-1].load[0].prop.unit
    share = unit is not None and unit.name == "pct"
    return [pieces[0], pieces[-1]] if share else None


def _sorted_by_time(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sort by year` orders documents by their date; only groups have years as keys."""
    if reader.present is None:
        return None
    keyed = [reader.vocabulary.get(field) for field in reader.present.keys]
    years = [prop for prop in keyed if prop is not None and prop.is_year]
    if reader.present.keys and (len(years) != 1 or pieces[-1].load != "year"):
        return None
    if years:
        return [*pieces[:-1], replace(pieces[-1], tag="P", load=[Meaning(years[0], 1.0, True)])]
    timed = [p for p in reader.vocabulary.properties if p.is_year or p.dated]
    used = [p for p in timed if p.field in reader.in_use] or timed
    years = [p for p in used if p.is_year] if pieces[-1].load == "year" else []
    if not used:
        return None
    prop = (years or used)[0]
    return [*pieces[:-1], replace(pieces[-1], tag="P", load=[Meaning(prop, 1.0, True)])]


def _time_filter(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the time limit`, `the date filter`: what filters by time."""
    word = reader.words(pieces).lower()
    return replace(pieces[0], tag="Y", load="time") if word in _TIMES else None


def _names_in_order(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sorted by name` beside groups: by what they are called."""
    keys = () if reader.present is None else reader.present.keys
    said = {token.lower for token in reader.tokens[pieces[0].end : pieces[0].end + 4]}
    if not keys or not said & {"name", "names"}:
        return None
    return [pieces[0], replace(pieces[0], tag="d", load="name")]


def _overall(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the overall average` is one average, not a total beside it."""
    return [] if reader.words(pieces).lower() in ("overall", "combined", "collective") else None


def _put_beside(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`put the maximum next to it` adds it."""
    return [] if reader.words(pieces).lower() == "put" else None


def _counts_as_one(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`exactly 10 counts too`; `count them too` is a wish."""
    if pieces[0].start == 0:
        return None
    return [] if reader.words(pieces).lower() in ("count", "counts") else None


def _true_or_not(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`both disputed and undisputed`: it does not matter which."""
    one, other = pieces[0].load[0].prop, pieces[-1].load[0].prop
    both = reader.present is not None and one.field == other.field and one.kind == "bool"
    return [replace(pieces[1], tag="r", load=None), pieces[-1]] if both else None


def _called_so(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`remove the condition` where that is what a property of the plan is called."""
    meanings = reader.vocabulary.meanings([reader.tokens[pieces[0].start].stem])
    named = [m for m in meanings if m.prop.field in reader.in_use]
    single = pieces[0].end - pieces[0].start == 1
    return replace(pieces[0], tag="P", load=named) if named and single else None


def _not_that(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`not her - Anna Berg`: what the plan asks for now is not meant, but what follows."""
    no, mark = pieces
    between = reader.tokens[no.end : mark.start]
    said = reader.words([no]).lower() in ("not", "no") and reader.present is not None
    pointed = between and all(token.lower in _POINTING for token in between)
    return [replace(no, tag="i", load=None)] if said and pointed else None


def _from_most_to_least(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """`from the most to the fewest`: the direction of an order."""
    first, last = (piece for piece in pieces if piece.tag == "X")
    if first.load[0] == last.load[0]:
        return None
    if first.load[1] not in (None, "date", "count"):
        # "from the cheapest to the dearest": of one measure, that one first
        return [first, replace(last, tag="T", load="first")]
    timed = {True: "newest", False: "oldest"}
    load = timed[first.load[0]] if first.load[1] == "date" else first.load[0]
    return cover("d", pieces, load)


def _plain_first(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`expensive ones first`: those that are most so."""
    degree = PLAIN.get(reader.words(pieces).lower())
    if degree is None or reader.present is None:
        return None
    return replace(pieces[0], tag="X", load=(degree.high, degree.dimension))


def _last_first(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`last ones first`."""
    return replace(pieces[0], tag="X", load=(pieces[0].load in ("last", "bottom"), "date"))


def _each_further(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`split each by town`, where there are groups already."""
    keys = () if reader.present is None else reader.present.keys
    return [replace(pieces[1], tag="w", load=None), pieces[0]] if keys else None


def _extreme_number(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`highest average first`, beside numbers of groups: the number is the one they have."""
    keys = () if reader.present is None else reader.present.keys
    return [] if keys else None


def _single_first(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the best one first` asks for an order, not for one of them."""
    return [] if reader.words(pieces).lower() == "one" else None


_BEING = frozenset(["that", "which", "who", "are", "is", "were", "was", "have", "has", "must"])
_TIMES = frozenset(["time", "date", "dates", "period", "timeframe", "time frame"])
_POINTING = frozenset(["him", "her", "it", "them", "this", "that", "these", "those", "one", "the"])
_ADMITTING = frozenset(["should", "also", "may", "can", "does", "do", "will", "not", "to"])


def _opening(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`first filter for Texas`: a word of order between commands."""
    return [] if reader.words(pieces).lower() in ("first", "last") else None


SETTLING_RULES: tuple[Rule, ...] = (
    rule(r"n[PVDANdX]&[PVDANdX]", _exchanged),
    rule(r"[PVDAN],n[PVDAN]", _not_the_other),
    rule(r"f(?=[fs]|[lh]?$|n?[mh])", _called_so),
    rule(r"n(?=[PVDN]+f)", _without_step),
    rule(r"(?<=C)o(?=N)", _nothing),
    rule(r"[?E](?=[fl])", _time_filter),
    rule(r"P(?:,?[&|])nP", _true_or_not),
    rule(r"sy?$", _names_in_order),
    rule(r"A(?=A)|(?<=AP)A|(?<=APE)A", _overall),
    rule(r"^c(?=.*w)", _put_beside),
    rule(r"#(?=w)", _counts_as_one),
    rule(r"nP$", _without_key),
    rule(r"(?<=rP)\|n|(?<=P)\|n(?=r)", _nothing),
    rule(r"(?<=[rx][PVDFN])[?P]$", _part_of_it),
    rule(r"rEo?(?=,i?[nP])", _described_nouns),
    rule(r"^c[^yIz;]*y(?=[PVDNA#])", _by_way_of_exchange),
    rule(r"r(?=[fl]?z[ND])|r(?=o[ND])", _lowered),
    rule(r"^c?fo?(?=C?N)", _threshold),
    rule(r"(?<=n)c(?=P)", _verb_denied),
    rule(r"^wf(?!$)", _filter_added),
    rule(r"\?[PE]t(?=V)", _others_than),
    rule(r"(?<=[rx])[NE?](?=R?[PF])", _one_about),
    rule(r"(?<=O)[N?E]", _ordinal_one),
    rule(r"C(?=J)", _nothing),
    rule(r"P(?=E?T)", _plain_first),
    rule(r"T(?=ET)", _last_first),
    rule(r"^ge(?=y)", _each_further),
    rule(r"(?<=X)A(?=T|$)", _extreme_number),
    rule(r"(?<=r)[W#](?=.*P)", _whatever_it_is),
    rule(r"wPzV", _widened_to),
    rule(r"No?A$", _at_most_behind),
    rule(r"A%P", _percentage_itself),
    rule(r"sE?yY", _sorted_by_time),
    rule(r"b(?=V)", _nothing),
    rule(r"^n[,z](?=[VPDNAXe])", _not_that),
    rule(r"w", _said_to_be),
    rule(r"#", _counts_too),
    rule(r"(?<!b)NzN", _dashed),
    rule(r"^[oiwEc,&]*NzN[iwoE,]*$", _range_alone),
    rule(r"b?XzX", _from_most_to_least),
    rule(r"(?<=X)N(?=T)", _single_first),
    rule(r"[VPD][&,]?w[VPD]", _joined),
    rule(r"(?<=P)o(?=[nCVbNDjahm])", _nothing),
    rule(r"(?<=[Pn])R(?=[CbND])|R(?=[CbN])", _nothing),
    rule(r"(?<![NDc])z(?=[ND])", _upper),
    rule(r"s(?=X)", _nothing),
    rule(r"^T(?=[oxrgs])", _opening),
    rule(r"A(?=N)", _least_or_most),
    rule(r"A#?PN", _bounded_name),
    rule(r"(?<=N)C(?![NDb])", _behind),
    rule(r"Np\?", _with_unit),
    rule(r"#P(?=[fn]*[CbNDz]|A)", _named_number),
    rule(r"#E?[^KAM]*A(?!.*[PAN])", _total_number),
    rule(r"u#?P", _sum),
    rule(r"[A#][^x]*x[A#]", _less),
    rule(r"^c.*?b?D[z]D$", _changed_date),
    rule(r"gwy", _further),
    rule(r"(?<!XE)(?<=E)T(?![NPEDYM,&])", _last_of_all),
    rule(r"(?<=n)z(?=P)", _nothing),
    rule(r"b(?!,?[ND])", _nothing),
    rule(r"P(?!P)", _plain_date),
    rule(r"T(?=P)", _asked_when),
    *RATE_RULES,
    rule(r"(?<=[ey])E(?=P)", _beside_name),
    rule(r"[PY]g(?![PYyezK])", _distributed),
    rule(r"(?<=[EPVF])r(?=[PVF])", _no_longer),
)
