"""A property prepared for matching: its words and their weights, its unit, the shape of its values.

`Target.fit` says how well a label names the property, 0 to 1. Words of the name count most,
near-synonyms a little less, words of the description still less. A word that several properties of
the schema share counts little for any of them, and a word of the description that names another
property does not count at all.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from backend.extraction import templates
from backend.extraction.class_words import CLASSES
from backend.extraction.contrasts import contrary
from backend.extraction.periods import Other, asked_periods
from backend.extraction.senses import Meaning, meaning
from backend.extraction.units import Unit, named_unit
from backend.extraction.words import (
    GENERIC_STEMS,
    GROUP,
    NEAR,
    SAME,
    TYPO,
    content,
    nearest_spelling,
    spelled,
)
from backend.language.units import AMOUNT_WORDS
from workbench.contract.schema import PropertyShape, SchemaProperty

IN_DESCRIPTION = 0.75
COMPOUND = 0.6
DERIVED = 0.75
_ENDINGS = frozenset(["er", "or", "r", "ee", "eer", "ist", "ant", "ment"])
_SHORTEST_VERB = 4
_PART = 0.85
"""The factor for a known word at the end of a compound."""
MAX_DEPTH = 5
_HEAD_DESCRIBED = 0.7
_NOTHING: frozenset[str] = frozenset()
_YEAR = re.compile(
    r"(?<!per )(?<!each )(?<!a )(?<!the )(?<!in )(?<!this )(?<!last )(?<!previous )(?<!prior )"
    r"(?<!next )(?<!current )(?<!first )\byear\b(?! to date)"
)
_RATE = re.compile(r"(?<!\d)\d++(?:[.,]\d++)? ?%")
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_PREPOSITION = re.compile(r"(?<=\w)\s+(?:of|for|by|in|to|at|on|from|per|with)\s+", re.IGNORECASE)
_RULED_OUT = re.compile(
    r"\b(?:not|excluding|except(?: for)?|without|other than|rather than|instead of|never"
    r"|ignor\w+)\b"
    r"(?P<rest>[^.;()]*?)(?=[.;()]|\bbut\b|$)",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\s*(?:not|non|never|without)\b", re.IGNORECASE)
"""A label that begins like this is a negation that the property must ask for explicitly."""
_FIRST_WORDS = """
from since start starts begin begins first opening commencement effective low minimum born birth
admitted admission departure outward outbound
"""
_LAST_WORDS = """
to until till end ends last latest due deadline through expiry closing high maximum died death
discharged discharge arrival return by
"""
_FIRST, _LAST = frozenset(_FIRST_WORDS.split()), frozenset(_LAST_WORDS.split())
_BARE_NAME = re.compile(
    r"\b(?:without|no|not the|omit\w*) (?:(?:a|the|any|his|her|their) )?"
    r"(?:titles?|Mrs?\b|Ms\b|Dr\b)"
    r"|\bnames? only\b|\bbare name",
    re.IGNORECASE,
)
_TITLED = re.compile(r"\b(?:with|including|incl\.?) (?:(?:the|his|her|their|any) )?titles?\b", re.I)
_LONG_TEXT = frozenset(
    content("summary abstract description narrative statement sentence paragraph text explanation "
            "details conclusion recommendation scope purpose finding analysis comment remark note")
)  # fmt: skip

MONEY = frozenset(content(" ".join(AMOUNT_WORDS) + " pay profit fine levy fare award worth"))
"""Words of amounts of money."""
_SHARES = frozenset(
    content(
        "percent percentage pct rate ratio share proportion margin growth increase decrease change"
        " reduction rise discount"
    )
)


@dataclass
class Target:
    """`name_words` maps the stems of the name to their weight in identifying this property."""

    name: str
    shape: PropertyShape
    name_words: dict[str, float]
    described: frozenset[str]
    mentioned: frozenset[str]
    """All words of name and description, including those that name other properties."""
    unit: Unit | None
    pattern: re.Pattern[str] | None
    examples: tuple[str, ...]
    inner: list["Target"]
    against: frozenset[str] = frozenset()
    """Words that count against a value: opposites of what is asked for, or explicitly ruled out."""
    _fits: dict[str | tuple[str, str], float] = field(default_factory=dict)
    _meaning: dict[str, tuple[float, dict[str, float]]] = field(default_factory=dict)
    _foreign: dict[str, float] = field(default_factory=dict)
    _names: dict[str, list[tuple[str, float]]] = field(default_factory=dict)

    @property
    def negated(self) -> bool:
        """Whether the property itself asks for a negation: "not_present", "non_residents"."""
        return _NEGATED.match(spelled(self.name)) is not None

    @property
    def wants_year(self) -> bool:
        """Whether the value is a calendar year, not a number of years or an amount per year."""
        return self.shape.kind == "int" and _YEAR.search(spelled(self.name)) is not None

    @property
    def takes_percent(self) -> bool:
        """Whether a percentage may be its value; a rate beside an amount of money is none."""
        is_money = self.unit is not None and self.unit.dimension == "money"
        return not (is_money or self.mentioned & MONEY) or not self.mentioned.isdisjoint(_SHARES)

    @cached_property
    def periods(self) -> frozenset[Other]:
        """The columns of a table of periods that may contain the value."""
        return asked_periods(f"{spelled(self.name)} {self.shape.description or ''}")

    @cached_property
    def wants_end(self) -> int:
        """The end of a range that is asked for: 1 the last, -1 the first, 0 neither. The name takes
        precedence over the description.
        """
        for text in (self.name, self.shape.description or ""):
            words = set(spelled(text).split())
            last, first = not words.isdisjoint(_LAST), not words.isdisjoint(_FIRST)
            if last or first:
                return int(last) - int(first)
        return 0

    @cached_property
    def wants_title(self) -> int:
        """Whether a name is wanted with its title (1), without it (-1), or either way (0)."""
        description = self.shape.description or ""
        if _BARE_NAME.search(description):
            return -1
        return int(_TITLED.search(description) is not None)

    @cached_property
    def head_words(self) -> frozenset[str]:
        """Nouns of the name and the description that a value may itself contain: "court",
        "hotel".
        """
        words = content(self.name) + content(_parted(self.shape.description or "")[0])
        return frozenset(word for word in words if word in CLASSES and word not in self.against)

    def borne(self, value: str) -> float:
        """How far a value contains a noun for what is asked for, as the name of a hotel contains
        "Hotel".
        """
        if self.head_words.isdisjoint(own := content(value)):
            return 0.0
        heads = [word for word in own if word in self.head_words]
        return max(1.0 if word in self.name_words else _HEAD_DESCRIBED for word in heads)

    @property
    def sense(self) -> Meaning:
        """The meaning of name, description and examples."""
        return meaning(self.name, self.shape.description or "", self.examples)

    @property
    def wants_long_text(self) -> bool:
        """Whether a whole paragraph would be a good value."""
        words = {*self.name_words, *self.described}
        return self.shape.kind in ("string", "custom") and bool(words & _LONG_TEXT)

    def fit(self, label: str, hint: str = "") -> float:
        """How well `label` names this property; `hint` adds words from the value, such as
        its unit.
        """
        key = (label, hint) if hint else label
        known = self._fits.get(key)
        if known is None:
            if len(self._fits) > 20_000:
                self._fits.clear()
            known = self._fits[key] = self._fit(label, hint)
        return known

    def _fit(self, label: str, hint: str) -> float:
        core = _core(label)
        if not core or not self.name_words or (_NEGATED.match(label) and not self.negated):
            return 0.0
        covered = dict.fromkeys(self.name_words, 0.0)
        spoken = total = 0.0
        for word, weight in core:
            quality, names = self.meaning(word)
            spoken += weight * quality
            total += weight
            for name, near in names.items():
                covered[name] = max(covered[name], near)
        for word in content(hint):
            for name, near in self.meaning(word)[1].items():
                covered[name] = max(covered[name], 0.9 * near)
        named = sum(self.name_words[name] * near for name, near in covered.items())
        named /= sum(self.name_words.values())
        label_part = spoken / total
        if named == 0.0:
            return 0.78 * label_part if label_part >= 0.6 else 0.0
        return 0.5 * named + 0.5 * label_part

    def foreign(self, label: str) -> float:
        """The weight of a label's words that are unrelated to this property."""
        known = self._foreign.get(label)
        if known is None:
            if len(self._foreign) > 20_000:
                self._foreign.clear()
            own = [weight for word, weight in _core(label) if self.meaning(word)[0] == 0.0]
            known = self._foreign[label] = min(4.0, sum(own))
        return known

    def names_of(self, word: str) -> list[tuple[str, float]]:
        """The words of the name that a stem stands for, each with its similarity."""
        known = self._names.get(word)
        if known is None:
            if len(self._names) > 20_000:
                self._names.clear()
            named = self.meaning(word)[1].items()
            known = self._names[word] = [
                (name, near) for name, near in named if near >= GROUP and name not in GENERIC_STEMS
            ]
        return known

    def opposed(self, label: str) -> bool:
        """Whether a label contains a word that counts against this property."""
        return not self.against.isdisjoint(content(label))

    def meaning(self, word: str) -> tuple[float, dict[str, float]]:
        """How closely a stem relates to this property, and to which words of its name."""
        known = self._meaning.get(word)
        if known is None:
            if len(self._meaning) > 20_000:
                self._meaning.clear()
            known = self._meaning[word] = self._find_meaning(word)
        return known

    @cached_property
    def _edges(self) -> tuple[frozenset[str], frozenset[str]]:
        """The beginnings and the endings of the words of name and description."""
        words = (*self.name_words, *self.described)
        return frozenset(word[:3] for word in words), frozenset(word[-3:] for word in words)

    def _find_meaning(self, word: str) -> tuple[float, dict[str, float]]:
        if word in self.name_words:
            return SAME, {word: SAME}
        kindred = NEAR.get(word, _NOTHING)
        near = {name: GROUP for name in self.name_words if name in kindred}
        if near:
            return GROUP, near
        if word in self.described:
            return IN_DESCRIPTION, {}
        if not self.described.isdisjoint(kindred):
            return IN_DESCRIPTION * GROUP, {}
        last = _last_part(word)
        if last is not None:
            quality, names = self.meaning(last)
            if quality > 0.0:
                return _PART * quality, {name: _PART * near for name, near in names.items()}
        head, tail = word[:3], word[-3:]
        own, others = [], []
        if head in self._edges[0] or tail in self._edges[1]:
            own = [name for name in self.name_words if name[:3] == head or name[-3:] == tail]
            others = [other for other in self.described if other[:3] == head or other[-3:] == tail]
        compound = {name: COMPOUND for name in own if _compounded(word, name)}
        if compound:
            return COMPOUND, compound
        if any(_compounded(word, other) for other in others):
            return COMPOUND * IN_DESCRIPTION, {}
        agents = {name: DERIVED for name in own if _derived(word, name)}
        if agents:
            return DERIVED, agents
        if any(_derived(word, other) for other in others):
            return DERIVED * IN_DESCRIPTION, {}
        misspelt = nearest_spelling(word, self.name_words) if word not in NEAR else None
        return (TYPO, {misspelt: TYPO}) if misspelt else (0.0, {})


@lru_cache(maxsize=20_000)
def _last_part(word: str) -> str | None:
    """The known word that a compound ends with: "Rechnung" for "Handelsrechnung"."""
    if word in NEAR or len(word) < 8:
        return None
    tails = (word[at:] for at in range(3, len(word) - 4))
    return next((tail for tail in tails if tail in NEAR), None)


def _derived(word: str, other: str) -> bool:
    """Whether two stems differ only by a suffix for the agent, the object or the action: "handl"
    and "handler", "hire" and "hirer", "treat" and "treatment".
    """
    short, long = sorted((word, other), key=len)
    if len(short) < _SHORTEST_VERB or not long.startswith(short.removesuffix("e")):
        return False
    endings = (long.removeprefix(short), long.removeprefix(short.removesuffix("e")))
    return any(ending in _ENDINGS for ending in endings)


def _compounded(word: str, other: str) -> bool:
    """Whether one word is the beginning or end of the other, as in "Rechnungsbetrag"."""
    short, long = sorted((word, other), key=len)
    if len(short) < 5 or len(long) - len(short) < 3:
        return False
    return long.startswith(short) or long.endswith(short)


def targets(
    properties: Sequence[SchemaProperty], context: str = "", depth: int = 0
) -> list[Target]:
    """The targets of a schema, or of an object's properties with the object's name as `context`.

    Objects nested more than `MAX_DEPTH` levels deep have no inner targets and stay null.
    """
    if depth > MAX_DEPTH:
        return []
    names = [_words(prop.name) for prop in properties]
    shared = Counter(word for words in names for word in set(words))
    context_words = frozenset(content(context))
    return [
        _target(prop, words, shared, context_words, depth)
        for prop, words in zip(properties, names, strict=True)
    ]


def item_target(target: Target, shape: PropertyShape) -> Target:
    """The element of an array, under the array's own name."""
    examples = templates.texts(shape.examples) or _inner_examples(target.shape.examples)
    if not shape.description and target.shape.description:
        shape = shape.model_copy(update={"description": target.shape.description})
    return Target(
        target.name, shape, target.name_words, target.described, target.mentioned, target.unit,
        templates.pattern(examples), examples,
        targets(shape.properties or [], target.name) if shape.kind == "object" else [],
        target.against,
    )  # fmt: skip


def _target(
    prop: SchemaProperty,
    words: Sequence[str],
    shared: Counter[str],
    context: frozenset[str],
    depth: int,
) -> Target:
    if prop.choices:
        choices = list({repr(choice): choice for choice in prop.choices}.values())
        kind = "choice" if prop.kind == "string" else prop.kind
        prop = prop.model_copy(update={"kind": kind, "choices": choices})
    wanted, unwanted = _parted(
        " ".join(filter(None, (prop.description, prop.extraction_instructions)))
    )
    weights = {
        word: (0.5 if word in GENERIC_STEMS else 1.0) / (1 + 0.5 * (shared[word] - 1))
        for word in words
    }
    examples = templates.texts(prop.examples)
    described = frozenset(content(wanted))
    against = frozenset(content(unwanted)) | contrary(frozenset(weights))
    return Target(
        name=prop.name,
        shape=prop,
        name_words=weights,
        described=(frozenset(filter(str.isalpha, described)) | context) - shared.keys(),
        mentioned=described | weights.keys(),
        unit=None
        if _YEAR.search(spelled(prop.name))
        else named_unit(prop.name) or named_unit(wanted),
        pattern=templates.pattern(examples) if examples else None,
        examples=examples,
        inner=targets(prop.properties or [], prop.name, depth + 1) if prop.kind == "object" else [],
        against=against - weights.keys() - described - GENERIC_STEMS,
    )


def _parted(description: str) -> tuple[str, str]:
    """What a description asks for, and what it excludes: "when it was made; not when served"."""
    unwanted = [match["rest"] for match in _RULED_OUT.finditer(description)]
    return _RULED_OUT.sub(" ", description), " ".join(unwanted)


@lru_cache(maxsize=50_000)
def _core(label: str) -> list[tuple[str, float]]:
    """The weighted words of a label; those in brackets only if there are no others. Rates are
    ignored ("VAT 20 %").
    """
    label = _RATE.sub(" ", label)
    return _weighed(_BRACKETS.sub(" ", label)) or _weighed(label)


def _weighed(label: str) -> list[tuple[str, float]]:
    """The words of a label with weights, lower after a preposition ("cost of damage")."""
    head, *tail = _PREPOSITION.split(label, maxsplit=1)
    first, rest = content(head), content(" ".join(tail))
    if not first:
        first, rest = content(label), ()
    return [
        (word, (0.5 if word in GENERIC_STEMS else 1.0) * factor)
        for words, factor in ((first, 1.0), (rest, 0.45))
        for word in words
    ]


def _words(name: str) -> list[str]:
    return list(dict.fromkeys(content(_BRACKETS.sub(" ", name)) or content(name)))


def _inner_examples(examples: Iterable[object] | None) -> tuple[str, ...]:
    """Flattens examples of an array, which may be lists of its elements."""
    flat: list[str] = []
    for example in examples or ():
        if isinstance(example, str):
            flat.append(example)
        elif isinstance(example, list):
            flat += [inner for inner in example if isinstance(inner, str)]
    return tuple(flat)
