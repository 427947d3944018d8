"""Properties suggested from documents: what recurs in them, with the type its values have.

Labels of equal or near meaning that never stand in one document become one property. What recurs
most and tells documents apart comes first; instructions of the caller move, keep or drop some.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from backend.extraction.kinds import MAX_CHOICES, kind_of, typed
from backend.extraction.numbers import numbers
from backend.extraction.pairs import Pair, is_label
from backend.extraction.reading import Reading, read
from backend.extraction.recurring import recurring_codes, recurring_tables
from backend.extraction.targets import Target, targets
from backend.extraction.units import named_unit
from backend.extraction.values import clean, is_absent
from backend.extraction.words import STOP, content
from workbench.contract.elements import Element
from workbench.contract.schema import Schema, SchemaProperty

MAX_SUGGESTIONS = 40
MAX_EXAMPLES = 3
SAME_MEANING = 0.8
_SAMPLE = 5
"""In fewer documents nothing can be said of what recurs."""
_UNLABELLED = 0.8
"""Weight of what has no label: people ask for it less often."""
_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]")
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

    Each has a type, a description that names its labels and how many documents have it, examples,
    and choices where few values recur. `instructions` in plain words ("dates and costs", "only the
    parties", "no addresses", "at most 5 properties") move, keep or drop properties.
    """
    readings = [read(elements) for elements in documents]
    known = targets(existing.properties) if existing else []
    names = {target.name for target in known}
    ranked: list[Ranked] = []
    for label in _merged(_mined(readings)):
        if not _recurs(label.documents, len(readings)) or _known(label, known):
            continue
        suggested = _property(label, names)
        if suggested is None:
            continue
        names.add(suggested.name)
        constant = len(readings) >= _SAMPLE and len(set(label.values)) == 1
        weight = _WEIGHT.get(suggested.kind, 0.95) * (0.3 if constant else 1.0)
        ranked.append(_ranked(suggested, label.documents, len(readings), weight, label.first_seen))
    for found in (*recurring_tables(readings), *recurring_codes(readings)):
        if _recurs(found.documents, len(readings)) and found.prop.name not in names:
            names.add(found.prop.name)
            place = len(names) + len(ranked)
            ranked.append(_ranked(found.prop, found.documents, len(readings), _UNLABELLED, place))
    ranked = _instructed(ranked, instructions or "")
    ranked.sort(key=lambda entry: (-round(entry[0], 3), entry[1]))
    return Schema(properties=[suggested for _, _, suggested in ranked[: _limit(instructions)]])


Ranked = tuple[float, int, SchemaProperty]
"""The score of a suggestion, its place among those of equal score, and itself."""


def _recurs(seen: set[int], count: int) -> bool:
    """Whether so many documents have it that others will; of a few documents any may do."""
    return count < _SAMPLE or (len(seen) >= max(2, 0.2 * count))


def _ranked(
    suggested: SchemaProperty, seen: set[int], count: int, weight: float, place: int
) -> Ranked:
    """With its coverage, for people who choose."""
    told = f"{suggested.description}; {len(seen)} of {count} have it"
    return len(seen) / count * weight, place, suggested.model_copy(update={"description": told})


def _mined(readings: Sequence[Reading]) -> list[_Label]:
    """Labels with their values over all documents."""
    by_words: dict[tuple[str, ...], _Label] = {}
    for at, reading in enumerate(readings):
        for pair in reading.pairs:
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
    return list(by_words.values())


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
        kind = kind_of(label.values)
        for other, target in merged:
            if other.documents & label.documents or kind_of(other.values) != kind:
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
    kind = kind_of(label.values)
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
    values = typed(kind, label.values)
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


def _instructed(ranked: list[Ranked], instructions: str) -> list[Ranked]:
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
