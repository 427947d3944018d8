"""Properties suggested from documents: labels that recur, with the type their values have.

Labels of equal or near meaning that never stand in one document become one property. What recurs
most and tells documents apart comes first; instructions of the caller move, keep or drop some.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from backend.contract.elements import Element
from backend.contract.schema import PropertyKind, Schema, SchemaProperty
from backend.extraction.dates import Moment, moments
from backend.extraction.numbers import Number, numbers
from backend.extraction.pairs import Pair, is_label
from backend.extraction.reading import read
from backend.extraction.targets import Target, targets
from backend.extraction.units import named_unit
from backend.extraction.values import clean, is_absent
from backend.extraction.words import STOP, content

MAX_SUGGESTIONS = 40
MAX_CHOICES = 12
MAX_EXAMPLES = 3
SAME_MEANING = 0.8
_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]")
_BOOLS = {"yes": True, "true": True, "no": False, "false": False}
_WEIGHT = {"choice": 1.15, "date": 1.1, "datetime": 1.1, "int": 1.05, "float": 1.05, "bool": 1.05}
_DROP = re.compile(
    r"\b(?:not|no|ignore|exclude|excluding|without|skip|omit)\b([^.;,]*)", re.IGNORECASE
)
_ONLY = re.compile(r"\b(?:only|just|exactly)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:at most|up to|top|first|max(?:imum)?)?\s*(\d{1,2})\s+(?:\w+\s+)?propert", re.IGNORECASE
)


@dataclass
class _Label:
    """A label as it recurs: its spellings, its values and the documents that have it."""

    spellings: Counter[str] = field(default_factory=Counter)
    values: list[str] = field(default_factory=list)
    documents: set[int] = field(default_factory=set)
    first_seen: int = 0

    @property
    def name(self) -> str:
        return self.spellings.most_common(1)[0][0]


def suggest(
    documents: Iterable[Sequence[Element]],
    *,
    existing: Schema | None = None,
    instructions: str | None = None,
) -> Schema:
    """Properties that the documents seem to have and `existing` lacks, the most useful first.

    Each has a type, a description that names its labels, examples, and choices where few values
    recur. `instructions` in plain words ("dates and costs", "only the parties", "no addresses", "at
    most 5 properties") move, keep or drop properties.
    """
    labels, count = _mined(documents)
    known = targets(existing.properties) if existing else []
    ranked: list[tuple[float, int, SchemaProperty]] = []
    names = {target.name for target in known}
    for label in _merged(labels):
        share = len(label.documents) / max(count, 1)
        if (count >= 5 and (share < 0.2 or len(label.documents) < 2)) or _known(label, known):
            continue
        suggested = _property(label, names)
        if suggested is None:
            continue
        names.add(suggested.name)
        constant = count >= 5 and len(set(label.values)) == 1
        score = share * _WEIGHT.get(suggested.kind, 0.95) * (0.3 if constant else 1.0)
        ranked.append((score, label.first_seen, suggested))
    ranked = _instructed(ranked, instructions or "")
    ranked.sort(key=lambda entry: (-round(entry[0], 3), entry[1]))
    return Schema(properties=[suggested for _, _, suggested in ranked[: _limit(instructions)]])


def _mined(documents: Iterable[Sequence[Element]]) -> tuple[list[_Label], int]:
    """Labels with their values over all documents, and the number of documents."""
    by_words: dict[tuple[str, ...], _Label] = {}
    count = 0
    for at, elements in enumerate(documents):
        count += 1
        for pair in read(elements).pairs:
            if not _worth(pair):
                continue
            key = tuple(sorted(set(content(_BRACKETS.sub("", pair.label)))))
            if not key:
                continue
            label = by_words.setdefault(key, _Label(first_seen=len(by_words)))
            if at not in label.documents:
                label.spellings[pair.label] += 1
                label.values.append(pair.value)
                label.documents.add(at)
    return list(by_words.values()), count


def _worth(pair: Pair) -> bool:
    """Whether a pair can be trusted without a property that asks for it."""
    if pair.row or not is_label(pair.label) or is_absent(pair.value):
        return False
    if pair.label.split()[0].lower() in STOP:  # "The cause was: …" is a sentence
        return False
    if pair.source in ("line", "table"):
        return pair.weight >= 0.9
    return pair.source == "below" and pair.weight >= 0.88


def _merged(labels: list[_Label]) -> list[_Label]:
    """Labels of one meaning as one: they fit each other and never share a document."""
    merged: list[tuple[_Label, Target]] = []
    for label in sorted(labels, key=lambda label: -len(label.documents)):
        kind = _kind(label.values)
        for other, target in merged:
            if other.documents & label.documents or _kind(other.values) != kind:
                continue
            if _same_meaning(label, other, target) or (
                kind == "choice" and _same_values(label, other)
            ):
                other.spellings.update(label.spellings)
                other.values += label.values
                other.documents |= label.documents
                break
        else:
            merged.append((label, _target(label)))
    return [label for label, _ in merged]


def _same_meaning(label: _Label, other: _Label, target: Target) -> bool:
    return min(target.fit(label.name), _target(label).fit(other.name)) >= SAME_MEANING


def _same_values(label: _Label, other: _Label) -> bool:
    """Whether two labels draw from one list of values, three in five at least."""
    mine, theirs = ({clean(value).lower() for value in one.values} for one in (label, other))
    return len(mine) > 2 and len(mine & theirs) >= 0.6 * len(mine | theirs)


def _target(label: _Label) -> Target:
    return targets([SchemaProperty(name=label.name[:200], kind="string")])[0]


def _known(label: _Label, known: Sequence[Target]) -> bool:
    return any(target.fit(label.name) >= SAME_MEANING for target in known)


def _property(label: _Label, taken: set[str]) -> SchemaProperty | None:
    name = "_".join(
        re.findall(r"[a-z0-9]+", _BRACKETS.sub("", label.name).lower().replace("'s", ""))
    )[:100]
    if not name or name in taken:
        return None
    kind = _kind(label.values)
    if (
        kind == "int"
        and (money := named_unit(label.name)) is not None
        and money.dimension == "money"
    ):
        kind = "float"
    spelled = [f'"{spelling}"' for spelling, _ in label.spellings.most_common(4)]
    also = f" (also {', '.join(spelled[1:])})" if len(spelled) > 1 else ""
    unit = _unit(label) if kind in ("int", "float") else None
    description = f"Value labelled {spelled[0]}{also}" + (f", in {unit}" if unit else "")
    values = _typed(kind, label.values)
    if not values:
        return None
    distinct = [value for value, _ in Counter(values).most_common()]
    return SchemaProperty(
        name=name,
        kind=kind,
        description=description,
        examples=distinct[:MAX_EXAMPLES],
        choices=distinct[:MAX_CHOICES] if kind == "choice" else None,
    )


def _kind(values: Sequence[str]) -> PropertyKind:
    """The narrowest type that at least nine in ten of the values have."""
    total = len(values)
    if sum(value.strip(" .").lower() in _BOOLS for value in values) >= 0.9 * total:
        return "bool"
    dated = [days[0] for value in values if (days := moments(value)) and _mostly(value, days[0])]
    if len(dated) >= 0.9 * total:
        clocked = sum(moment.clock is not None for moment in dated)
        return "datetime" if clocked >= 0.9 * total else "date"
    numeric = [
        found[0] for value in values if (found := numbers(value)) and _mostly(value, found[0])
    ]
    if len(numeric) >= 0.9 * total:
        money = any(
            number.unit is not None and number.unit.dimension == "money" for number in numeric
        )
        whole = all(number.value.is_integer() for number in numeric)
        return "int" if whole and not money else "float"
    distinct = Counter(clean(value).lower() for value in values)
    few = len(distinct) <= min(MAX_CHOICES, total / 3)
    if total >= 6 and few and all(len(value) <= 40 for value in distinct):
        return "choice"
    return "string"


def _mostly(text: str, span: Moment | Number) -> bool:
    """Whether the recognised part comes first and little but a remark follows it."""
    return span.start <= 6 and len(text) - span.end <= 24


def _typed(kind: PropertyKind, values: Sequence[str]) -> list[Any]:
    """The values in their type; those of another type are left out."""
    out: list[Any] = []
    for value in values:
        if kind == "bool":
            read_bool = _BOOLS.get(value.strip(" .").lower())
            out += [] if read_bool is None else [read_bool]
        elif kind in ("date", "datetime"):
            out += [
                moment.iso if kind == "datetime" else moment.day.isoformat()
                for moment in moments(value)[:1]
            ]
        elif kind in ("int", "float"):
            out += [
                int(number.value) if kind == "int" else number.value
                for number in numbers(value)[:1]
            ]
        else:
            out.append(clean(value)[:200])
    return out


def _unit(label: _Label) -> str | None:
    """The unit that the label names or that most values carry."""
    for spelling in label.spellings:
        if (unit := named_unit(spelling)) is not None:
            return unit.name
    units = Counter(
        number.unit.name
        for value in label.values
        for number in numbers(value)[:1]
        if number.unit is not None and number.unit.factor + (number.unit.dimension == "money")
    )
    best = units.most_common(1)
    return best[0][0] if best and best[0][1] >= 0.6 * len(label.values) else None


def _instructed(
    ranked: list[tuple[float, int, SchemaProperty]], instructions: str
) -> list[tuple[float, int, SchemaProperty]]:
    """Properties after the caller's wishes: named ones first or alone, unwanted ones gone."""
    unwanted = {word for match in _DROP.finditer(instructions) for word in content(match[1])}
    wanted = set(content(_DROP.sub(" ", instructions)))
    out = []
    for score, at, suggested in ranked:
        told = _target_of(suggested)
        if unwanted and _mentions(told, unwanted):
            continue
        named = _mentions(told, wanted) or (wanted and suggested.kind in wanted)
        if named or not (_ONLY.search(instructions) and wanted):
            out.append((score + (2.0 if named else 0.0), at, suggested))
    return out


def _target_of(suggested: SchemaProperty) -> Target:
    return targets([suggested])[0]


def _mentions(target: Target, words: set[str]) -> bool:
    return any(target.meaning(word)[1] for word in words)


def _limit(instructions: str | None) -> int:
    match = _LIMIT.search(instructions or "")
    return min(int(match[1]), MAX_SUGGESTIONS) if match else MAX_SUGGESTIONS
