"""Resolves words by their neighbours before phrases are built.

`must be` behind a property adds nothing; `at most` behind a number belongs to it; `as well as`
between two values joins them; `by state, not city` replaces one by the other. Each rule is a
regular expression over the tags of a clause and a builder, as in the cascade.
"""

from dataclasses import replace

from backend.language.common_words import is_past
from backend.language.words import stem
from backend.plans.reading.cascade import Reader, Rule, cover, rule
from backend.plans.reading.counted_documents import ONLY_RULES
from backend.plans.reading.good_and_bad import is_bad
from backend.plans.reading.infinitives import INFINITIVE_RULES
from backend.plans.reading.moments import moment
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.rates import RATE_RULES
from backend.plans.reading.settling_commands import (
    bound_itself,
    bounded_limit,
    by_way_of_exchange,
    called_so,
    counts_as_one,
    counts_too,
    described_nouns,
    joined,
    not_the_other,
    number_of_no_year,
    numbered_values,
    one_about,
    ordinal_one,
    others_than,
    stated_to_be,
    those_in_which,
    threshold,
    whatever_it_is,
    widened_to,
    without_key,
)
from backend.plans.reading.settling_names import NAME_RULES
from backend.plans.reading.settling_orders import (
    extreme_number,
    from_most_to_least,
    overall,
    single_first,
)
from backend.plans.reading.vocabulary import Meaning
from backend.plans.reading.whole_groups import WHOLE_GROUP_RULES, is_shared


def _nothing(reader: Reader, pieces: list[Piece]) -> list[Piece]:
    """Removes a word that adds nothing here."""
    return []


def _upper(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`up to 5`, `until June` without a preceding number is a bound, not the end of a range."""
    phrase = reader.words(pieces[:1]).lower()
    if "up to" in phrase:
        return replace(pieces[0], tag="C", load="le")
    timed = reader.words(pieces[:1]).lower() in ("until", "till", "through")
    return replace(pieces[0], tag="C", load="until") if timed else None


def _behind(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`5 at most`."""
    return replace(pieces[0], tag="p") if pieces[0].load in ("ge", "le") else None


def _bounded_name(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`a minimum rent of 300` is a bound on each document."""
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


def _named_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`the number of participants is above 5`: that is the name of a property."""
    counted, named = pieces
    phrase = reader.words([counted]).lower()
    if not named.load[0].prop.numeric or phrase.startswith("how"):
        return None
    return cover("P", pieces, named.load)


def _sum(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sum up the costs`."""
    adds = reader.words(pieces[:1]).lower() == "sum up" and pieces[-1].load[0].prop.numeric
    return [replace(pieces[0], tag="A", load="sum"), pieces[-1]] if adds else None


def _plain_date(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sorted by date`, if there are several: the date of the documents."""
    named = pieces[0]
    word = reader.tokens[named.start].lower
    best = [m for m in named.load if m.score > 0.95 * named.load[0].score]
    dated = len(best) > 1 and all(m.prop.dated for m in best)
    chosen = moment(reader) if dated and word in ("date", "dates", "day", "when") else None
    if chosen is None or named.end - named.start > 1:
        return None
    reader.assume(f"took “{word}” to mean {chosen.label}")
    return [replace(named, load=[m for m in best if m.prop is chosen] or best[:1])]


def _distributed(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`grade distribution`, `how are the grades distributed`."""
    named, verb = pieces
    phrase = reader.words([verb]).lower()
    return (
        [verb, named] if phrase.startswith(("distribution", "distributed", "breakdown")) else None
    )


def _total_number(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`how many are there in total`: a count is already a total."""
    if pieces[-1].load != "sum":
        return None
    return pieces[:-1]


def _range_alone(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`100 to 200 instead`, `make it 100 to 200`, as the whole request."""
    verb = next((piece for piece in pieces if piece.tag == "c"), None)
    measured = any(isinstance(p.load, Quantity) and p.load.unit for p in pieces)
    if not (reader.present or measured) or (verb and not _sets(reader.words([verb]))):
        return None
    place = next(i for i, piece in enumerate(pieces) if piece.tag in "ND")
    return [*pieces[:place], replace(pieces[place + 1], tag="b"), *pieces[place:]]


def _sets(verb: str) -> bool:
    return verb.lower() in ("make", "make it", "make that", "set", "use", "do", "try", "go with")


def _what_happened(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`what broke down in Leeds`: the documents, not a property that the verb describes."""
    asked, named = pieces
    word = reader.tokens[named.start].lower
    past = word in _BROKE or is_past(word)
    whole = any(meaning.whole and not meaning.prop.dated for meaning in named.load)
    phrase = reader.words([asked]).lower()
    return replace(named, tag="E", load=[]) if phrase == "what" and past and not whole else None


_BROKE = frozenset({"broke", "went", "fell", "came", "began", "ended"})


def _from_on(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`starting from March through May` is one span."""
    return [] if pieces[0].load in ("since", "ge") else None


def _part_of_all(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`less than half of the candidates passed`, if a percentage records how many did."""
    sign, part = pieces
    named = reader.vocabulary.properties
    shares = [prop for prop in named if prop.unit is not None and prop.unit.name == "pct"]
    if len(shares) != 1 or not isinstance(part.load, float) or part.load >= 1:
        return None
    return [sign, replace(part, tag="N", load=Quantity(100 * part.load, "pct"))]


def _number_behind(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`per supplier, the repair costs added up`."""
    named, function = pieces
    asked = named.load[0].prop.numeric and function.load in ("sum", "avg", "median")
    return [function, named] if asked else None


def _as_groups(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the supplier as the grouping`, `the supplier should be the grouping`."""
    return [replace(pieces[2], tag="e"), pieces[0]] if reader.present is not None else None


def _grouped_by(reader: Reader, pieces: list[Piece]) -> list[Piece]:
    """`the grouping should be town`."""
    return [pieces[0], replace(pieces[1], tag="y")]


def _cut_away(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`cut the language model filter`, `cut the summary`."""
    return replace(pieces[0], tag="r") if reader.words(pieces).lower() == "cut" else None


def _because(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`not caused by storms`, if storms are a recorded cause."""
    return [] if reader.words(pieces).lower().split()[0] in _CAUSING else None


_CAUSING = frozenset({"caused", "cause", "due", "because", "resulting", "attributed", "blamed"})


def _who_has(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`loans of the bank that lent the most`, like `with the most`."""
    return [] if reader.words(pieces).lower() in ("who", "which", "that") else None


_MARKS = frozenset(
    stem(word)
    for word in """
    grade mark score rating rated rank ranking stars points quality
    """.split()  # noqa: SIM905
)


def _best_of_all(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the best thesis in biology`, if one number rates documents."""
    mark = next(piece for piece in pieces if piece.tag == "X")
    phrase = reader.words([mark]).lower()
    if reader.present is not None or phrase not in ("best", "worst", "top rated", "best rated"):
        return None
    if any(piece.load[0].prop.numeric for piece in pieces if piece.tag == "P"):
        return None
    judging = [
        prop
        for prop in reader.vocabulary.properties
        if prop.numeric and _MARKS & {*prop.parts, *prop.described}
    ]
    named = [prop for prop in judging if _MARKS & set(prop.parts)] or judging
    if not named:  # "the worst delays" are the longest
        named = [prop for prop in reader.vocabulary.properties if prop.numeric and is_bad(prop)]
    place = pieces.index(mark)
    behind = pieces[place + 1 : place + 2]
    listed = behind and behind[0].tag == "P" and not behind[0].load[0].prop.own
    if len(named) != 1 or listed:
        return None
    rest = [p for p in pieces[place + 1 :] if p.tag != "E" and p not in behind]
    rest = [*(p for p in behind if p.tag not in "PE"), *rest]
    number = [p for p in rest[:1] if p.tag == "N"]
    rest = rest[len(number) :]
    return [
        *pieces[:place],
        *number,
        mark,
        replace(mark, tag="P", load=[Meaning(named[0], 1.0, True)]),
        *rest,
    ]


def _biggest_by(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the biggest tenant by floor area`: the one with the highest total."""
    mark, *between, number = pieces
    named = next(piece for piece in between if piece.tag == "P")
    prop = number.load[0].prop
    if reader.present is not None or not prop.numeric or prop.is_year:
        return None
    if not is_shared(reader, named) or mark.load[1] in ("date", "age"):
        return None
    reader.assume(f"took “{reader.words([number])}” to mean its total")
    count = [piece for piece in between if piece.tag == "N"]
    total = replace(mark, tag="A", load="sum")
    return [*count, named, replace(mark, load=(mark.load[0], None)), total, number]


def _group_by_its_number(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the worst handler by average wait`, like `the handler with the worst average wait`."""
    mark, *between, function, number = pieces
    named = next(piece for piece in between if piece.tag == "P")
    count = [piece for piece in between if piece.tag == "N"]
    kind = named.load[0].prop.kind
    if reader.present is not None or mark.load[1] is not None or kind != "string":
        return None
    return [*count, named, mark, function, number]


SETTLING_RULES: tuple[Rule, ...] = (
    rule(r"[PVDAN],n[PVDAN]", not_the_other),
    rule(r"f(?=[fs]|[lh]?$|n?[mh])", called_so),
    *INFINITIVE_RULES,
    rule(r"^[coPfAlC]+[zo]?[coC]*D(?=P?$)", number_of_no_year),
    rule(r"(?<!A)P[lAf](?=[oczC]*N)", bounded_limit),
    rule(r"(?<![AP#])A(?=[oc]*[zoc]N)", bound_itself),
    rule(r"(?<=C)o(?=N)", _nothing),
    rule(r"A(?=A)|(?<=AP)A|(?<=APE)A", overall),
    rule(r"#(?=w)", counts_as_one),
    rule(r"nP$", without_key),
    rule(r"V(?:,N(?=,?[&|,]))*,?[&|]N|P[oz]*N$", numbered_values),
    rule(r"(?<=n)R(?=V)", _because),
    rule(r"#(?=PP?[^P#]*A(?![PA]))", _nothing),
    rule(r"(?<=n)W(?=[VPD])", those_in_which),
    rule(r"^WP(?=[VFD]|$)", _what_happened),
    rule(r"C(?=DzD)", _from_on),
    rule(r"CS(?=P)", _part_of_all),
    rule(r"PA$", _number_behind),
    rule(r"P[to]g$", _as_groups),
    rule(r"(?<=f)#(?=[NO])", _nothing),
    rule(r"^c(?=[kfu])", _cut_away),
    rule(r"rEo?(?=,i?[nP])", described_nouns),
    rule(r"^c[^yIz;]*y(?=[PVDNA#])", by_way_of_exchange),
    rule(r"^c?fo?(?=C?N)", threshold),
    rule(r"\?[PE]t(?=V)", others_than),
    rule(r"(?<=[rx])[NE?](?=R?[PF])", one_about),
    rule(r"(?<=O)[N?E]", ordinal_one),
    rule(r"(?<=XPE)T(?=,|$)", _nothing),
    rule(r"XAT?$", extreme_number),
    rule(r"(?<=r)[W#](?=.*P)", whatever_it_is),
    rule(r"wPzV", widened_to),
    rule(r"No?A$", _at_most_behind),
    rule(r"b(?=V)", _nothing),
    rule(r"w", stated_to_be),
    rule(r"#", counts_too),
    rule(r"^[oiwEcW,&]*NzN[iwoE,]*$", _range_alone),
    rule(r"b?XzX", from_most_to_least),
    rule(r"(?<=X)N(?=T)", single_first),
    rule(r"[VPD][&,]?w[VPD]", joined),
    *ONLY_RULES,
    rule(r"(?<=P)o(?=[nCVbNDjahm])", _nothing),
    rule(r"(?<=[Pn])R(?=[CbND])|R(?=[CbN])", _nothing),
    rule(r"(?<![NDc])z(?=[ND])", _upper),
    rule(r"s(?=X)|(?<=XP)h|(?<=XP)o(?=T)", _nothing),
    rule(r"^go(?=P)", _grouped_by),
    rule(r"(?<=EP)W(?=X)", _who_has),
    rule(r"A#?PN", _bounded_name),
    rule(r"(?<=N)C(?![NDb])", _behind),
    rule(r"#P(?=[fn]*[CbNDz]|A)", _named_number),
    rule(r"#E?[^KAM]*A(?!.*[PAN])", _total_number),
    rule(r"u#?P", _sum),
    rule(r"(?<=n)z(?=[PV])", _nothing),
    rule(r"P(?!P)", _plain_date),
    *RATE_RULES,
    *NAME_RULES,
    rule(r"[PY]g(?![PYyezK])", _distributed),
    rule(r"^[^AMyesg#%=]*X[^AMyesg#%=X]*$", _best_of_all),
    rule(r"XN?PyA#?P", _group_by_its_number),
    rule(r"XN?PyP$", _biggest_by),
    *WHOLE_GROUP_RULES,
)
