"""Properties suggested from recurring labels: "Event date: 11 May 2021".

Labels of equal or similar meaning that never occur in one document become one property. A text that
is about as often a value as a label is a list item, not a label.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from backend.extraction.absence import is_absent
from backend.extraction.kinds import MAX_CHOICES, kind_of, typed
from backend.extraction.numbers import numbers
from backend.extraction.pairs import Pair, is_label
from backend.extraction.reading import Reading
from backend.extraction.suggested import Suggested
from backend.extraction.targets import Target, targets
from backend.extraction.units import named_unit
from backend.extraction.values import clean
from backend.extraction.words import STOP, content
from workbench.contract.schema import PropertyKind, PropertyShape, SchemaProperty

MAX_EXAMPLES = 3
SAME_MEANING = 0.8
_AS_VALUE = 0.34
"""A text that is a value this often, relative to its uses as a label, is a list item."""
_BRACKETS = re.compile(r"(?:(?<!\s)\s+)?[(\[][^()\[\]]*[)\]]")
_WEIGHT: dict[PropertyKind, float] = {
    "choice": 1.15, "date": 1.1, "datetime": 1.1, "int": 1.05, "float": 1.05, "bool": 1.05
}  # fmt: skip
_OTHER_KINDS = 0.95
_CONSTANT = 0.3
"""The weight of a value that is the same in all documents and so distinguishes none."""
_FEW = 5
"""With fewer documents nothing counts as constant."""


@dataclass
class _Label:
    """A recurring label: its spellings, and its value in each document that has it."""

    spellings: Counter[str] = field(default_factory=Counter)
    values: dict[int, str] = field(default_factory=dict)
    lists: int = 0
    """The number of documents in which the value is the first item of a list."""

    @property
    def name(self) -> str:
        return self.spellings.most_common(1)[0][0]

    @property
    def texts(self) -> list[str]:
        return list(self.values.values())


def by_labels(readings: Sequence[Reading], known: Sequence[Target]) -> Iterator[Suggested]:
    """A property for each label that none of the `known` properties covers."""
    for label in _merged(_mined(readings)):
        if any(target.fit(label.name) >= SAME_MEANING for target in known):
            continue
        prop = _property(label)
        if prop is None:
            continue
        constant = len(readings) >= _FEW and len(set(label.texts)) == 1
        weight = _WEIGHT.get(prop.kind, _OTHER_KINDS) * (_CONSTANT if constant else 1.0)
        yield Suggested(prop, dict(_typed(prop.kind, label.values)), len(readings), weight)


def _typed(kind: PropertyKind, values: dict[int, str]) -> Iterator[tuple[int, object]]:
    for at, text in values.items():
        yield at, next(iter(typed(kind, [text])), text)


def _mined(readings: Sequence[Reading]) -> list[_Label]:
    """Labels with their values across all documents, in the order of their first appearance."""
    pairs = [(at, pair) for at, reading in enumerate(readings) for pair in reading.pairs]
    pairs = [(at, pair) for at, pair in pairs if _worth(pair)]
    as_label = Counter(_key(pair.label) for _, pair in pairs)
    as_value = Counter(_key(pair.value) for _, pair in pairs)
    items = {key for key, times in as_label.items() if as_value[key] > _AS_VALUE * times}
    by_words: dict[tuple[str, ...], _Label] = {}
    for at, pair in pairs:
        key = _key(pair.label)
        if not key or key in items:
            continue
        label = by_words.setdefault(key, _Label())
        if at not in label.values:
            label.spellings[pair.label] += 1
            label.values[at] = pair.value
            label.lists += _key(pair.value) in items
    return list(by_words.values())


def _key(text: str) -> tuple[str, ...]:
    """The normal form of a label: its words outside brackets, sorted."""
    return tuple(sorted(set(content(_BRACKETS.sub("", text)))))


def _worth(pair: Pair) -> bool:
    """Whether a pair is reliable without a property that asks for it."""
    if pair.row or not is_label(pair.label) or is_absent(pair.value):
        return False
    if pair.label.split()[0].lower() in STOP:  # "The cause was: …" is a sentence
        return False
    if pair.source in ("line", "table"):
        return pair.weight >= 0.9
    return pair.source == "below" and pair.weight >= 0.88


def _merged(labels: list[_Label]) -> list[_Label]:
    """Merges labels of one meaning: they fit each other and never share a document."""
    merged: list[tuple[_Label, Target]] = []
    for label in sorted(labels, key=lambda label: -len(label.values)):
        kind = kind_of(label.texts)
        for other, target in merged:
            if other.values.keys() & label.values.keys() or kind_of(other.texts) != kind:
                continue
            if _same_meaning(label, other, target) or (
                kind == "choice" and _same_values(label, other)
            ):
                other.spellings.update(label.spellings)
                other.values |= label.values
                other.lists += label.lists
                break
        else:
            merged.append((label, _target(label)))
    return [label for label, _ in merged]


def _same_meaning(label: _Label, other: _Label, target: Target) -> bool:
    return min(target.fit(label.name), _target(label).fit(other.name)) >= SAME_MEANING


def _same_values(label: _Label, other: _Label) -> bool:
    """Whether at least three in five values of two labels are shared."""
    mine, theirs = ({clean(value).lower() for value in one.texts} for one in (label, other))
    return len(mine) > 2 and len(mine & theirs) >= 0.6 * len(mine | theirs)


def _target(label: _Label) -> Target:
    return targets([SchemaProperty(name=label.name[:200], kind="string")])[0]


def _property(label: _Label) -> SchemaProperty | None:
    name = "_".join(
        re.findall(r"[a-z0-9]+", _BRACKETS.sub("", label.name).lower().replace("'s", ""))
    )[:100]
    if not name:
        return None
    spelled = [f'"{spelling}"' for spelling, _ in label.spellings.most_common(4)]
    also = f" (also {', '.join(spelled[1:])})" if len(spelled) > 1 else ""
    if 2 * label.lists > len(label.values):
        return SchemaProperty(
            name=name,
            kind="array",
            description=f"List labelled {spelled[0]}{also}",
            examples=[[text] for text in dict.fromkeys(label.texts)][:MAX_EXAMPLES],
            item_type=PropertyShape(kind="string"),
        )
    kind = _kind(label)
    unit = _unit(label) if kind in ("int", "float") else None
    values = typed(kind, label.texts)
    if not values:
        return None
    distinct = [value for value, _ in Counter(values).most_common()]
    return SchemaProperty(
        name=name,
        kind=kind,
        description=f"Value labelled {spelled[0]}{also}" + (f", in {unit}" if unit else ""),
        examples=distinct[:MAX_EXAMPLES],
        choices=distinct[:MAX_CHOICES] if kind == "choice" else None,
    )


def _kind(label: _Label) -> PropertyKind:
    """The type of the values; amounts of money are floats even if all are whole."""
    kind = kind_of(label.texts)
    unit = named_unit(label.name) if kind == "int" else None
    return "float" if unit is not None and unit.dimension == "money" else kind


def _unit(label: _Label) -> str | None:
    """The unit that the label names or that most values have."""
    for spelling in label.spellings:
        if (unit := named_unit(spelling)) is not None:
            return unit.name
    units = Counter(
        number.unit.name
        for value in label.texts
        for number in numbers(value)[:1]
        if number.unit is not None and number.unit.factor + (number.unit.dimension == "money")
    )
    best = units.most_common(1)
    return best[0][0] if best and best[0][1] >= 0.6 * len(label.values) else None
