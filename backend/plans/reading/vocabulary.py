"""The words of one collection: its properties, their values, and the names of its documents.

Built once for each state of a collection. It knows words and fields, but no grammar.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from backend.language.common_words import DOCUMENT_NOUNS, PARTICIPLES, bases_of_past, is_past
from backend.language.frequent_words import is_english
from backend.language.lexicon import steering_stems
from backend.language.nouns import document_nouns, own_nouns, singular
from backend.language.synonyms import root, synonyms
from backend.language.tokens import Token
from backend.language.units import measure_of, naming_unit
from backend.language.words import FUNCTION_WORDS, stem, words
from backend.plans.reading.collection_names import Names, length_of_name, name_stems, names_in
from backend.plans.reading.describing import ONES, is_predicate, words_described
from backend.plans.reading.descriptions import (
    KIND_WORDS,
    counted_nouns,
    nouns_of_descriptions,
    often_described,
)
from backend.plans.reading.properties import KEY_WORDS, Property, read_property, size_of
from backend.plans.reading.value_phrases import match_length, singulars
from backend.plans.tables.collection import Collection
from backend.plans.tables.value_index import FieldValue, ValueIndex, glosses_of, phrase_of
from workbench.contract.inner_properties import inner_properties
from workbench.contract.plan_nodes import ENTITY, BasicFilter

KINDS = frozenset(map(stem, KIND_WORDS))
"""Words that mark a property as one of a few kinds."""
_NOT_RARE = 2
_ALIKE = 1.2
"""The worth of a synonym; the word itself beside another is worth more."""
_SIZE_MEANT = 0.8
_HEAD = 1.08
"""The worth of the head noun of a name compared with its modifiers: `rent` is more likely the
`monthly_rent` than the `rent_increase`.
"""
_KEY_STEMS = frozenset(stem(word) for word in KEY_WORDS) | {"ids"}
_DATE = stem("date")
_LASTING = frozenset(map(stem, ("time", "duration")))
_REVENUE = stem("revenue")
_NUMBER = stem("number")
_AMOUNT = stem("amount")
_SHARES = frozenset(map(stem, ("share", "percentage", "percent", "rate", "ratio", "proportion")))
_DUE = stem("due")
_OVER = ("finished", "completed", "closed", "resolved", "settled")
_NOT_YET = ("unfinished", "uncompleted", "unresolved", "unsettled", "outstanding", "pending",
            "incomplete", "ongoing")  # fmt: skip
_BEGINNING = frozenset(
    stem(word)
    for word in """
    start begin commence open launch premiere admit admission loan lent borrow
    """.split()  # noqa: SIM905
)
_ENDING = frozenset(
    stem(word)
    for word in """
    end finish close conclude expire expiry until due return discharge
    """.split()  # noqa: SIM905
)
_GOING = frozenset(map(stem, ("enter", "out", "arrive")))
_LEAVING = frozenset(map(stem, ("leave", "left", "back", "exit")))
_OF_NUMBERS = frozenset(map(stem, ("amount", "value", "figure", "sum", "number", "level")))
_OF_DATES = frozenset(map(stem, ("date", "day", "time")))
_GENERIC: dict[str, frozenset[str]] = {
    "int": _OF_NUMBERS, "float": _OF_NUMBERS, "date": _OF_DATES, "datetime": _OF_DATES
}  # fmt: skip
"""Words that may follow a name without adding meaning: `damages amount`."""
_EQUALS = frozenset({"is", "are", "was", "were", "=", ":", "equals"})
_NAMES = frozenset(map(stem, ("name", "title", "label", "heading", "subject", "caption")))


@dataclass(frozen=True)
class Meaning:
    """A property that some words may mean; `whole` if they cover its name."""

    prop: Property
    score: float
    whole: bool


def _undone(prop: Property) -> set[str]:
    """Words for documents where what a date is named after has not happened: `unsold` where
    `sold_on` is missing.
    """
    done = {word for word in prop.label.split() if word in PARTICIPLES or is_past(word)}
    return {f"un{word}" for word in done} if prop.dated and prop.gaps else set()


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Everything that words of a request can be linked to.

    `nouns` are stems that name the documents, `noun_words` whole words that do; `common` are stems
    in most texts, which mean little unless they name a property. `mentioned_stems` are stems of
    nouns that many descriptions use for the documents, `frequent` those in most texts, including
    words of values. `meant` is the field that was chosen for an ambiguous word, followed by the
    rejected ones.
    """

    collection: Collection
    properties: tuple[Property, ...]
    nouns: frozenset[str]
    noun_words: frozenset[str]
    common: frozenset[str]
    text_words: frozenset[str]
    values: ValueIndex = field(repr=False)
    mentioned_stems: frozenset[str] = frozenset()
    frequent: frozenset[str] = frozenset()
    meant: tuple[str, ...] = ()

    def get(self, name: str) -> Property | None:
        """The property with that canonical field name."""
        return self._by_field.get(name)

    @cached_property
    def _by_field(self) -> dict[str, Property]:
        return {prop.field: prop for prop in (*self.properties, *self._sizes.values())}

    @cached_property
    def main_date(self) -> str | None:
        """The field of the only date that is named or described as that of the documents: `day of
        the visit`.
        """
        nouns = own_nouns(self.collection.name)
        dated = [prop for prop in self.properties if prop.dated]
        named = [prop for prop in dated if not nouns.isdisjoint(prop.parts)]
        named = named or [
            prop for prop in dated if not (prop.gaps or nouns.isdisjoint(prop.description_stems))
        ]
        return named[0].field if len(named) == 1 else None

    @cached_property
    def dates(self) -> list[Property]:
        """The dates, first that of the documents or those named like them: `visited_on`."""
        dated = [prop for prop in self.properties if prop.dated]
        return sorted(
            dated,
            key=lambda prop: prop.field != self.main_date and self.nouns.isdisjoint(prop.parts),
        )

    @cached_property
    def has_lengths(self) -> bool:
        """Whether a number may be in metres."""
        units = (prop.unit for prop in self.properties)
        return any(unit is not None and measure_of(unit.name) == "length" for unit in units)

    @cached_property
    def _sizes(self) -> dict[str, Property]:
        """The lengths of arrays, each under the field of the array."""
        return {prop.field: size_of(prop) for prop in self.properties if prop.kind == "array"}

    def size_of(self, name: str) -> Property | None:
        """The property that counts the values of an array."""
        return self._sizes.get(name)

    @cached_property
    def period(self) -> tuple[Property, Property] | None:
        """The dates on which documents begin and end, if there is one of each."""
        return self._from_to(_BEGINNING, _ENDING)

    @cached_property
    def stay(self) -> tuple[Property, Property] | None:
        """The same, or the dates on which something went in and came out."""
        return self.period or self._from_to(_BEGINNING | _GOING, _ENDING | _LEAVING)

    def _from_to(
        self, first: frozenset[str], last: frozenset[str]
    ) -> tuple[Property, Property] | None:
        dated = [prop for prop in self.properties if prop.dated]
        begins = [prop for prop in dated if first & set(prop.parts)]
        ends = [prop for prop in dated if last & set(prop.parts) and prop not in begins]
        real = [prop for prop in ends if _DUE not in prop.parts]
        ends = real if len(ends) > 1 else ends
        return (begins[0], ends[0]) if len(begins) == len(ends) == 1 else None

    @cached_property
    def states(self) -> dict[str, BasicFilter]:
        """Words that negate a boolean or state that something is missing, if only one property can
        be meant.
        """
        results: dict[str, list[BasicFilter]] = {}
        for prop in self.properties:
            for word in prop.denied_by:
                denied = BasicFilter(field=prop.field, query=False, match="exact")
                results.setdefault(word, []).append(denied)
            for word in prop.gap_words | _undone(prop):
                results.setdefault(word, []).append(BasicFilter(field=prop.field, exists=False))
        for word, condition in self._ends().items():
            results.setdefault(word, [condition])
        gaps = {word: meant[0] for word, meant in results.items() if self._same_gaps(meant)}
        for word, condition in list(gaps.items()):
            done = word.removeprefix("un")
            if condition.exists is False and done != word and not self.names_part(stem(done)):
                gaps.setdefault(done, BasicFilter(field=condition.field, exists=True))
        return gaps

    @cached_property
    def state_stems(self) -> dict[str, BasicFilter]:
        """The same by the stems of participles: `hiring` for documents where nobody was hired."""
        known = {stem(w): c for w, c in self.states.items() if is_past(w) and c.exists}
        return {s: c for s, c in known.items() if not self.names_part(s)}

    @cached_property
    def described_stems(self) -> frozenset[str]:
        """The stems of nouns in descriptions of dates: `buyer` in `day the buyer came`."""
        dated = [prop for prop in self.properties if prop.dated]
        return frozenset().union(*(prop.description_stems for prop in dated))

    @cached_property
    def end(self) -> Property | None:
        """The only date that ongoing documents lack."""
        ended = [prop for prop in self.properties if prop.dated and prop.gaps and prop.unended]
        return ended[0] if len(ended) == 1 else None

    def _ends(self) -> dict[str, BasicFilter]:
        """Words for finished or unfinished documents, if exactly one date marks the end and is
        missing until then.
        """
        end = self.end
        if end is None:
            return {}
        name = end.field
        others = [prop for prop in self.properties if prop is not end]
        described = {word for prop in others for word in prop.described}
        described |= {stem(word.removeprefix("un")) for prop in others for word in prop.gap_words}
        meant = [(word, True) for word in _OVER] + [(word, False) for word in _NOT_YET]
        return {
            word: BasicFilter(field=name, exists=over)
            for word, over in meant
            if stem(word) not in described
        }

    def _same_gaps(self, meant: Sequence[BasicFilter]) -> bool:
        """Whether the candidates are equivalent: all are missing in the same documents."""
        if len(meant) == 1:
            return True
        if any(condition.exists is None for condition in meant):
            return False
        known = [self.collection.table.get_column(c.field).is_not_null() for c in meant]
        return all((known[0] == other).all() for other in known[1:])

    def meanings(self, stems: Sequence[str]) -> list[Meaning]:
        """The properties that all of `stems` together can name, best first."""
        meanings = [m for prop in self.properties if (m := self._meaning(prop, stems)) is not None]
        # The length of an array is a candidate only if a number is asked for.
        meanings += [
            replace(m, prop=size, score=m.score * _SIZE_MEANT)
            for m in meanings
            if (size := self.size_of(m.prop.field)) is not None
        ]
        return sorted(meanings, key=lambda m: -m.score)

    @cached_property
    def text_stems(self) -> frozenset[str]:
        """The stems of the words of the texts."""
        return frozenset(map(stem, self.text_words))

    def is_alike_noun(self, word: str, rivals: Sequence[Meaning]) -> bool:
        """Whether a word is only a synonym of a noun for the documents that several property names
        begin with: `planes` beside `aircraft_make` and `aircraft_model`.
        """
        fronts = {m.prop.parts[0] for m in rivals if len(m.prop.parts) > 1}
        described = any(word in m.prop.parts or word in m.prop.described for m in rivals)
        return not described and len(fronts) == 1 and fronts <= synonyms(word)

    def only_described_by(self, prop: Property, word: str) -> bool:
        """Whether a word says what a property belongs to or when it happened, not what it is:
        `ruling` in `days_to_ruling`, `purchase` for `acquired_on`.
        """
        if prop.dated:
            return singular(word) not in map(singular, prop.label.lower().split())
        parts = tuple(part for part in prop.parts if part not in prop.aside)
        bare = replace(prop, parts=parts, described=prop.described - prop.aside)
        return self._meaning(bare, [stem(word)]) is None

    def _meaning(self, prop: Property, stems: Sequence[str]) -> Meaning | None:
        score, covered = 0.0, set[str]()
        if prop.key:
            return _key_meaning(prop, stems)
        # "the amount awarded": the thing measured comes first
        generic = _GENERIC.get(prop.kind, frozenset())
        for word in sorted(stems, key=lambda w: (w in generic, w not in prop.parts)):
            weight = self._weight(prop, word, covered)
            if weight == 0:
                return None
            score += weight
        if not covered and score < 0.5:
            return None
        whole = bool(prop.parts) and covered.issuperset(prop.parts)
        exact = whole and not prop.weak and not prop.suffix
        return Meaning(prop, score + (0.7 if exact else 0.5 if whole else 0.0), whole)

    def _weight(self, prop: Property, word: str, covered: set[str]) -> float:
        if word in prop.parts:
            covered.add(word)
            head = _HEAD if word == prop.head and len(prop.parts) > 1 else 1.0
            return float(head * 2 / len(prop.parts) ** 0.5)
        unit = naming_unit(word)
        if unit in self._units and not (synonyms(word) & set(prop.parts)):
            # "tonnes" means a measure in tonnes, not a price per tonne
            return 1.0 if prop.unit is not None and prop.unit.name == unit else 0.0
        if word in prop.weak or word in prop.suffix or word in prop.stated_kind:
            return 0.2
        if word in _LASTING and prop.unit is not None and measure_of(prop.unit.name) == "time":
            return 0.6
        if covered and word in _GENERIC.get(prop.kind, ()):
            return 0.1
        if covered and word in _SHARES and prop.unit is not None and prop.unit.name == "pct":
            return 0.1
        others = synonyms(word) if word != _DATE or prop.dated else frozenset({word})
        if _REVENUE in others and (prop.dated or prop.kind == "bool"):
            # "total sales" is not a date of sale
            return 0.0
        alike = others & (set(prop.parts) - prop.aside) or root(word) in map(root, prop.parts)
        named = float(_ALIKE / len(prop.parts) ** 0.5) if alike else 0.0
        if word in prop.described and self.rarity[word] <= _NOT_RARE:
            return max(0.9, named)
        if named:
            return named
        if covered and word in prop.described:
            return 0.3  # "customers lost power", although more than customers can be lost
        if any(_is_head(word, part) for part in prop.parts):
            return 1.0
        if word == _AMOUNT:
            money = prop.unit is not None and measure_of(prop.unit.name) == "money"
            return 0.6 if money else 0.0
        if any(other in prop.described and self.rarity[other] <= _NOT_RARE for other in others):
            return 0.6
        return 0.0

    @cached_property
    def _units(self) -> frozenset[str]:
        """The units that properties are measured in."""
        return frozenset(prop.unit.name for prop in self.properties if prop.unit is not None)

    def values_of(self, name: str) -> list[str]:
        """The distinct values of a text field."""
        return self.values.of_field(name)

    def is_value(self, word: str) -> bool:
        """Whether a stem is that of a value of one word."""
        return any(word in values for values in self.values.singles.values())

    def by_weak_name(self, word: str) -> Meaning | None:
        """The only property with a word such as `value` in its name."""
        properties = [prop for prop in self.properties if word in prop.weak]
        return Meaning(properties[0], 0.6, False) if len(properties) == 1 else None

    def by_kind(self, word: str, of: str) -> Meaning | None:
        """The only property with a word such as `type` in its name that is named or described by
        the noun `of`, or any such property if all documents are about that noun.
        """
        kinds = [
            prop
            for prop in self.properties
            if prop.worded and (prop.kind_of or KINDS.intersection((*prop.parts, *prop.weak)))
        ]
        properties = [prop for prop in kinds if of in prop.kind_of]
        narrowed = properties or [
            prop for prop in kinds if of in prop.parts or of in prop.described
        ]
        if len(narrowed) == 1:
            return Meaning(narrowed[0], 2.0, of in narrowed[0].parts)
        named = [prop for prop in kinds if word in prop.parts or word in prop.weak]
        general = of in self.nouns or of in self.common
        return Meaning(named[0], 1.2, False) if general and len(named) == 1 else None

    def abbreviated(self, word: str) -> Meaning | None:
        """The only property whose name has a word with this beginning: `temp` for `temperature`."""
        if is_english(word) or not word.isalpha():
            return None
        properties = [
            prop
            for prop in self.properties
            if any(part.startswith(word) for part in prop.label.lower().split() if part != word)
        ]
        return Meaning(properties[0], 1.0, False) if len(properties) == 1 else None

    def names_part(self, word: str) -> bool:
        """Whether a word is part of the name of a property."""
        return any(word in prop.parts for prop in self.properties)

    @cached_property
    def rarity(self) -> Counter[str]:
        """The number of descriptions that contain a stem."""
        return Counter(word for prop in self.properties for word in prop.described)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The stems of the words in the name of the collection."""
        return name_stems(self.collection.name)

    @cached_property
    def _names(self) -> Names:
        return names_in(self.called, [p.label for p in self.properties])

    def name_at(self, tokens: Sequence[Token], i: int) -> int:
        """The number of tokens from `i` on that call the documents by several words."""
        return length_of_name(self._names, tokens, i)

    def values_at(self, tokens: Sequence[Token], i: int) -> tuple[int, list[FieldValue]]:
        """The longest value that begins at token `i`: its length, and all fields that
        contain it. A word that is no value by itself is one behind its property.
        """
        best, values = 0, list[FieldValue]()
        stated = {form for token in tokens[i:] for form in singulars(token.lower)}
        for phrase, item in self._beginning(tokens[i].lower):
            # Thousands of values may share a beginning; most end with a word that is not in the
            # request.
            if phrase[-1] not in stated:
                continue
            length = match_length(phrase, tokens, i, commas="," in item[1])
            if length > best:
                best, values = length, [item]
            elif length == best and length:
                values.append(item)
        if not best and (named := self._not_by_itself(tokens, i)):
            return 1, named
        return best, values

    def _beginning(self, word: str) -> Iterator[tuple[tuple[str, ...], FieldValue]]:
        """The phrases of values that a word may begin; the past of a verb only those of several
        words: `passed with remarks` where a result is Pass with remarks.
        """
        yield from self.values.phrases.get(singular(word), ())
        for base in bases_of_past(word):
            phrases = self.values.phrases.get(base, ())
            yield from ((phrase, item) for phrase, item in phrases if len(phrase) > 1)

    def _not_by_itself(self, tokens: Sequence[Token], i: int) -> list[FieldValue]:
        """The values that a word means only beside others: its property, or, if it is merely common
        in the documents, the noun that it describes.
        """
        return self._behind_their_property(tokens, i) or self._describing(tokens, i)

    def _behind_their_property(self, tokens: Sequence[Token], i: int) -> list[FieldValue]:
        """The values that a word means only behind the name of their property: `distributor is
        agreement`, and `distributor AGREEMENT` if it is written like the value.
        """
        token, before = tokens[i], tokens[max(0, i - 2) : i]
        forms = [token.text]
        if before and before[-1].lower in _EQUALS:
            forms += [token.lower, token.text.upper(), token.text.capitalize()]
        return [
            (prop.field, form)
            for prop in self.properties
            if any(one.stem in prop.parts for one in before)
            for form in dict.fromkeys(forms)
            if form in self.values.counts.get(prop.field, ())
            and self.values.is_never(prop.field, phrase_of(form))
        ]

    def _describing(self, tokens: Sequence[Token], i: int) -> list[FieldValue]:
        """The values of a word that most documents contain, if it describes them or stands before
        its property: `fatal accidents`, `those that were fatal`, `passenger lifts` (a lift type).
        """
        values = self.values.common.get(tokens[i].stem, ())
        if not values or is_predicate(tokens, i):
            return list(values)
        behind = {token.stem for token in words_described(tokens, i)}
        if not behind.isdisjoint(self.nouns | ONES):
            return list(values)
        beside = {prop.field for prop in self.properties if not behind.isdisjoint(prop.parts)}
        return [(name, value) for name, value in values if name in beside]

    def holding(self, word: str) -> list[FieldValue]:
        """The values that contain a word, or else those with a word that begins with it."""
        parts = self.values.parts
        for form in (word, *_nouns_of(word)):
            if exact := parts.get(form):
                return list(dict.fromkeys(exact))
        # A whole word is no abbreviation, but `recruit` means Recruiting.
        begun = [] if is_english(word) else self.values.beginning(word)
        if not begun:
            begun = [key for key in self.values.beginning(word[:4]) if stem(key) == stem(word)]
        return list(dict.fromkeys(item for key in begun for item in parts[key]))

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Words of the collection in lower case, for correcting typing errors."""
        results = [word for prop in self.properties for word in words(prop.label)]
        results += [
            w for p in self.collection.schema.properties for w in words(p.description or "")
        ]
        spoken = {word.lower(): word for word in results if len(word) >= 4 and word.isalpha()}
        return spoken | self.values.spellings


def _nouns_of(word: str) -> tuple[str, ...]:
    """The nouns that an adjective may derive from: `noise` for `noisy`, `rock` for `rocky`."""
    if len(word) < 4 or not word.endswith("y"):
        return ()
    cut = word[:-1]
    return (cut, cut + "e", cut[:-1]) if cut[-1] == cut[-2] else (cut, cut + "e")


def _is_head(word: str, part: str) -> bool:
    """Whether a word is the last part of a compound: `keeper` in `beekeeper`."""
    tail, whole = root(word), root(part)
    return len(tail) >= 4 and len(whole) > len(tail) + 1 and whole.endswith(tail)


def _key_meaning(prop: Property, stems: Sequence[str]) -> Meaning | None:
    """Keys are named by words such as `id`, alone or beside the noun: `loan number`, `ids`."""
    named = [word for word in stems if word in prop.parts]
    called = [word for word in stems if word in _KEY_STEMS]
    if called == [_NUMBER] and not named:
        # "the number" alone is a count
        return None
    if not called or len(named) + len(called) < len(stems):
        return None
    whole = bool(named) and set(prop.parts) <= set(named)
    return Meaning(prop, 2.5 if whole else 0.6, whole)


@dataclass(frozen=True)
class TextWords:
    """Words of some documents' texts: stems in most of them, and all words."""

    frequent: frozenset[str]
    seen: frozenset[str]


def read_vocabulary(collection: Collection, values: ValueIndex, texts: TextWords) -> Vocabulary:
    """The vocabulary of a collection with the index of its values."""
    most = _FEW * collection.table.height
    values = values.without_common(texts.frequent, most, glosses_of(collection.schema))
    described = {
        **{prop.name: prop for prop in collection.schema.properties},
        **inner_properties(collection.schema),
    }
    descriptions = {name: prop.description or "" for name, prop in described.items()}
    texts_of = {name: descriptions.get(name.removeprefix(ENTITY), "") for name in collection.fields}
    properties = [
        read_property(name, kind, texts_of[name], collection.table.get_column(name), values)
        for name, kind in collection.fields.items()
    ]
    keys = [prop for prop in properties if prop.key][:1]
    reported = nouns_of_descriptions(
        descriptions, [prop.field.removeprefix(ENTITY) for prop in keys]
    )
    # A `recording` is no record, although the stems are equal.
    alike = {
        prop.parts[0] for prop in properties if len(prop.parts) == 1 and _is_called_alike(prop)
    }
    entitled = [part for prop in _titles(properties) for part in prop.parts]
    of_keys = {part for prop in keys for part in prop.parts} | (set(entitled) - _NAMES - alike)
    nouns = document_nouns(collection.name, of_keys, reported)
    counting = [texts_of[p.field] for p in properties if p.kind == "int" and not p.key]
    own = own_nouns(collection.name)
    shared = {p.parts[0] for p in properties if len(p.parts) == 1 and not (p.own or p.key)}
    nouns -= shared - own - of_keys - set(map(stem, reported))
    nouns -= (counted_nouns(counting) | alike) - {stem(w) for w in words(collection.name)}
    return Vocabulary(
        collection,
        tuple(
            _described_otherwise(
                prop, _words_of_values(prop.field, values, texts_of[prop.field]), nouns
            )
            for prop in properties
        ),
        nouns,
        frozenset(
            singular(word)
            for name in [collection.name, *(prop.label for prop in keys)]
            for word in words(name.replace("_", " ").replace("-", " "))
            if stem(word) in nouns
        ),
        frozenset(word for word in texts.frequent if word not in values.phrases),
        texts.seen,
        values,
        frozenset(map(stem, often_described(descriptions.values()))) - nouns,
        texts.frequent,
    )


def _titles(properties: Sequence[Property]) -> list[Property]:
    """The properties that are titles of documents, which share their name: `song_title`. Of those
    that are merely unique, as phone numbers also are, only the first qualifies.
    """
    own = [prop for prop in properties if prop.own]
    called = [prop for prop in own if _NAMES.intersection((*prop.parts, *prop.weak))]
    return called or own[:1]


def _is_called_alike(prop: Property) -> bool:
    """Whether a name is not a general noun for documents but shares the stem of one."""
    name = prop.label.lower()
    return name not in DOCUMENT_NOUNS and stem(name) in map(stem, DOCUMENT_NOUNS)


_FEW_VALUES = 12
_FEW = 0.5
"""The share of documents up to which a value is rare beside a word that most documents contain."""


def _words_of_values(name: str, values: ValueIndex, description: str) -> Set[str]:
    """Stems that name values of a field: single words, and all words if there are few values."""
    counts, single = values.counts.get(name, {}), values.singles.get(name, {}).keys()
    if len(counts) > _FEW_VALUES:
        return single
    # "company (builder)" does not describe a value called Banksia Builders
    plain = {stem(word) for i, word in enumerate(words(description)) if word.islower() or not i}
    named = {word for value in counts for word in words(str(value))}
    return single | {stem(word) for word in named if word.islower() or stem(word) not in plain}


def _described_otherwise(prop: Property, own: Set[str], nouns: frozenset[str]) -> Property:
    """The property without words of its description that mean something else: its values, which
    name themselves, the documents, and words that steer a request.
    """
    return replace(prop, described=prop.described - own - nouns - steering_stems())


def words_of_texts(sample: Iterable[str]) -> TextWords:
    """The words of some documents' texts."""
    counts: Counter[str] = Counter()
    total, seen = 0, set[str]()
    for text in sample:
        total += 1
        results = {word.lower() for word in words(text)}
        seen |= results
        counts.update({stem(word) for word in results})
    most = (
        word
        for word, count in counts.items()
        if total >= 3 and count > 0.6 * total and len(word) > 3 and word not in FUNCTION_WORDS
    )
    return TextWords(frozenset(most), frozenset(seen))
