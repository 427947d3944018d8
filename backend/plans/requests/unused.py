"""Finds the words of a question that the plan does not reflect.

This check is independent of how the question was read: it compares the words of the question with
the contents of the plan, so it also detects what the reader lost. A content word is reflected if
the plan names a property that it describes, a value, number or date that it belongs to, or does
what it asks for.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from rapidfuzz.fuzz import ratio

from backend.language.abbreviations import other_spellings
from backend.language.adjectives import COMPARATIVES, PLAIN, SUPERLATIVES
from backend.language.common_words import FREE
from backend.language.country_codes import called
from backend.language.demonyms import other_names
from backend.language.month_names import ENGLISH_MONTHS
from backend.language.nouns import document_nouns
from backend.language.number_words import ORDINALS
from backend.language.numerals import numeral_at
from backend.language.phrasal_verbs import plain_verbs
from backend.language.shorthand import full_words
from backend.language.synonyms import root, synonyms
from backend.language.tokens import Token, tokenise
from backend.language.units import SCALES, measure_of, property_unit, unit_word
from backend.language.words import FUNCTION_WORDS, stem, words
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.tables.collection import Collection
from workbench.contract.derived_fields import derived_field, sources_of
from workbench.contract.plan import EditReport, Plan
from workbench.contract.plan_nodes import Node, bare_field, canonical_field
from workbench.contract.schema import SchemaProperty


def with_unused(plan: Plan, vocabulary: Vocabulary) -> Plan:
    """A new plan, with the words of its question that it does not reflect. Words by which the
    schema calls the documents are no more unused than those of their name.
    """
    words_left = unused_in(plan, vocabulary.collection)
    unused = [word for word in words_left if stem(word) not in vocabulary.nouns]
    if not unused:
        return plan
    report = (plan.edit or EditReport()).model_copy(update={"unused": unused})
    return plan.model_copy(update={"edit": report})


def unused_in(plan: Plan, collection: Collection) -> list[str]:
    """The content words of `plan.query` that the plan does not reflect, each once, in order."""
    if any(node.node_type in _READ_TEXT for node in plan.nodes.values()):
        return []  # the question itself is compared with the texts
    known = words_of_plan(plan, collection) | _assumed(plan)
    asked = _asked_by(plan, collection)
    results: dict[str, None] = {}
    tokens = tokenise(plain_verbs(full_words(plan.query), lambda verb, _: stem(verb) in known))
    for place, token in enumerate(tokens):
        if _is_content(token, place, tokens) and not _is_reflected(token.lower, known, asked):
            results.setdefault(token.text)
    if len(results) > 1:
        results.pop("per", None)  # the word behind it says enough
    return list(results)


def _assumed(plan: Plan) -> set[str]:
    """Stems of the words whose meaning a remark of the plan explains: `read “kit” as item`."""
    remarks = plan.edit.warnings if plan.edit is not None else []
    phrases = (remark.split("”")[0] for remark in remarks if remark.startswith("read “"))
    return {stem(word) for phrase in phrases for word in words(phrase.removeprefix("read “"))}


def reflected_words(plan: Plan, collection: Collection, skipped: Iterable[str]) -> set[str]:
    """The skipped words that a plan reflects, in lower case. Words that are only synonyms of
    others, and words that compare without a comparison, are not reflected.
    """
    known = words_of_plan(plan, collection)
    asked = _asked_by(plan, collection)
    if not any(_compares(node) for node in plan.nodes.values()):
        asked = asked - _STEMS["bounds"]
    roots = set(map(root, known))
    stems = {word.lower(): stem(word) for word in skipped}
    return {
        word
        for word, s in stems.items()
        if s in known | asked or root(s) in roots or not known.isdisjoint(_affirmed(word))
    }


def _affirmed(word: str) -> set[str]:
    """The stems that a word negates: `active` in `inactive`."""
    return {stem(word.removeprefix(no)) for no in _DENYING if word.startswith(no)}


_DENYING = ("in", "un", "non", "dis", "im")


def _compares(node: Node) -> bool:
    extras = node.extras
    return node.node_type in ("Sort", "TopK", "Limit", "Aggregate") or bool(
        extras.get("range_filter")
    )


_READ_TEXT = frozenset(
    {"QueryVectorDatabase", "LlmFilter", "LlmExtractEntity", "SummarizeData", "LLMClustering",
     "KMeanClustering"}
)  # fmt: skip


def _is_content(token: Token, place: int, tokens: list[Token]) -> bool:
    """Whether a word must be reflected in the plan. Digits are compared by their parsed value."""
    word = token.lower
    code = len(word) == 2 and token.text.isupper() and any(not t.text.isupper() for t in tokens)
    if token.kind != "word" or (len(word) < 3 and not code):
        return False
    if stem(word) in _ASKING:
        return True
    if word in FUNCTION_WORDS or word in FREE:
        return False
    return numeral_at(tokens, place) is None and not any(c.isdigit() for c in word)


def _is_reflected(word: str, known: set[str], asked: set[str]) -> bool:
    parts = [part for part in word.split("_") if part and part not in FUNCTION_WORDS]
    if "_" in word and parts:  # the name of a property as the schema writes it
        return all(_is_reflected(part, known, asked) for part in parts)
    stemmed = stem(word)
    if word in _DIFFERENCES and stemmed not in known:
        return _MINUS in asked  # its stem is also that of "different"
    if stemmed in known or stemmed in asked or root(stemmed) in map(root, known):
        return True
    if word.endswith("est") and not asked.isdisjoint(_DEGREES):
        return True  # an unknown superlative
    if not known.isdisjoint(synonyms(stemmed)) or not known.isdisjoint(_affirmed(word)):
        return True
    # A plan contains the corrected word, not the typed one.
    return len(word) >= _TYPED and any(
        ratio(stemmed, other, score_cutoff=_ALIKE) for other in known if len(other) >= _TYPED - 1
    )


_DIFFERENCES = frozenset({"difference", "differences"})
_MINUS = stem("minus")
_TYPED = 5
_ALIKE = 80
"""Letters and percentage from which two words count as one with a typing error."""


def words_of_plan(plan: Plan, collection: Collection) -> set[str]:
    """Stems of the words for what a plan names: documents, properties and values."""
    steps = (words_of_step(node, collection) for node in plan.nodes.values())
    return set(document_nouns(collection.name, ())).union(*steps)


def words_of_step(node: Node, collection: Collection) -> set[str]:
    """Stems of the words for the properties and values that a step names."""
    described = {p.name: p for p in collection.schema.properties}
    known: set[str] = set()
    for name in _named(node, collection):
        prop = described.get(bare_field(name).removesuffix(".count"))
        known.update(map(stem, _words_about(name, prop)))
    return known.union(_of_values(node), _of_derived(node))


def _of_derived(node: Node) -> Iterator[str]:
    """Stems of the words for computed fields."""
    for text in _texts(node.extras):
        derived = derived_field(text) if "." in text else None
        if derived is not None:
            phrase = f"{derived.words} {_ALSO_CALLED.get(derived.operation, '')}"
            yield from map(stem, words(phrase))


_ALSO_CALLED = {
    **dict.fromkeys(
        ("days_since", "hours_since", "minutes_since"),
        "duration time period interval delay lag gap difference between take took last lasted",
    ),
    "hour": "am pm",
    "time_of_day": "am pm o'clock noon midday midnight morning afternoon evening night hour",
    "weekday": "day week weekend weekends working business",
    "month_of_year": "year",
    "minus": "difference gap",
    "share_of": "ratio percentage percent proportion half twice",
    "times": "product",
    "plus": "sum",
}


def _asked_by(plan: Plan, collection: Collection) -> set[str]:
    """Stems of the words that ask for what a plan does, whatever the fields."""
    asked = set(_COMPANY)
    described = {p.name: p for p in collection.schema.properties}
    for node in plan.nodes.values():
        for sort in _ASKED_BY.get(node.node_type, ()):
            asked |= _STEMS[sort]
        if node.extras.get("with_ties"):
            asked |= _STEMS["ties"]
        if node.extras.get("per"):
            asked |= _STEMS["group"]
        if node.extras.get("skip"):
            asked |= _STEMS["places"]
        for name in _named(node, collection):
            asked.update(_for_kind(name, described.get(bare_field(name)), collection))
        asked.update(_of_functions(node))
    return asked


def _named(node: Node, collection: Collection) -> Iterator[str]:
    """The properties that a step names anywhere."""
    for text in _texts(node.extras):
        name = canonical_field(text).removesuffix(".count").removesuffix(".confidence")
        if name not in collection.fields and "." in text:
            yield from (source for source in sources_of(text) if source in collection.fields)
        if name in collection.fields:
            yield name
            if text.endswith(".count"):
                yield text


def _words_about(name: str, prop: SchemaProperty | None) -> list[str]:
    """The words in the name and the description of a property."""
    bare = bare_field(name).replace("_", " ").replace(".", " ")
    return words(bare if prop is None else f"{bare} {prop.description or ''}")


def _for_kind(name: str, prop: SchemaProperty | None, collection: Collection) -> Iterator[str]:
    """Stems of words that ask for values of its kind and unit."""
    kind = collection.fields.get(name)
    unit = property_unit(bare_field(name).split("_"), _words_about(name, prop))
    measure = None if unit is None else measure_of(unit.name)
    if kind in ("date", "datetime"):
        yield from _STEMS["dates"]
    elif kind in ("int", "float"):
        yield from _STEMS["amounts"]
        yield from _SCALE_STEMS
        yield from _UNIT_STEMS.get(measure or "money", ())
        if unit is not None and unit.name == "pct":
            yield from _STEMS["share"]
    elif kind == "bool":
        yield from _STEMS["truth"]


def _of_values(node: Node) -> Iterator[str]:
    """Stems of the words of values, including their other names."""
    for text in _texts({key: v for key, v in node.extras.items() if key not in _FIELDS}):
        for word in words(text):
            yield stem(word)
        for phrase in (*other_names(text), *other_spellings(tuple(text.lower().split()))):
            yield from map(stem, phrase)
    if node.extras.get("match") == "prefix":  # "German" of ids that begin with DE
        for name in called(str(node.extras.get("query"))):
            yield from map(stem, words(name))
    if isinstance(kin := node.extras.get("kin"), dict):
        yield from map(stem, words(str(kin.get("asked", ""))))


_FIELDS = frozenset({"field", "fields", "distinct_field", "field_one", "field_two", "index", "kin"})


def _is_day(text: str) -> bool:
    return len(text) >= 7 and text[:4].isdigit() and text[4] == "-"


def _of_functions(node: Node) -> Iterator[str]:
    """Stems of the words for a step's tests or measures."""
    extras = node.extras
    if extras.get("negate"):
        yield from _STEMS["negation"]
    if extras.get("exists") is not None:
        yield from _STEMS["presence"]
    if extras.get("match") == "prefix":
        yield from _STEMS["beginning"]
    if extras.get("is_date") or extras.get("bucket") or any(map(_is_day, _texts(extras))):
        yield from _STEMS["dates"]
    for item in node.extras.get("aggregations") or []:
        func = item.get("func") if isinstance(item, dict) else None
        yield from _STEMS.get(str(func), ())
        for test in (item.get("where") or []) if isinstance(item, dict) else []:
            if isinstance(test, dict):
                made = Node(node_type="BasicFilter", node_id=0, **_plain(test))
                yield from _of_functions(made)
    if node.extras.get("start") is not None or node.extras.get("end") is not None:
        yield from _STEMS["bounds"]


def _plain(test: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in test.items() if k not in ("node_type", "node_id")}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_DEGREES = frozenset(map(stem, [*PLAIN, *COMPARATIVES, *SUPERLATIVES]))
_ORDER = _DEGREES | _stems(
    """
    top bottom first last latest earliest newest oldest most least fewest highest lowest maximum
    minimum max min best worst sort sorted order ordered rank ranked ascending descending
    alphabetical alphabetically increasing decreasing reverse recent common frequent popular often
    leading biggest smallest greatest
    """
)
_COUNTING = _stems(
    "count counts counted number numbers amount total totals altogether many frequency tally often"
    " headcount"
)
_PLACES = frozenset(map(stem, ORDINALS[1:]))
_STEMS: dict[str, frozenset[str]] = {
    "order": _ORDER,
    "places": _PLACES,
    "ties": _stems("tie ties tied"),
    "count": _COUNTING | _stems("occurrence occurrences"),
    "distinct": _COUNTING | _stems("distinct different unique separate various"),
    "avg": _stems("average averages mean typical typically averaged"),
    "median": _stems("median middle typical"),
    "sum": _stems("sum total totals altogether combined overall together add cumulative amount"),
    "min": _ORDER | _stems("range extremes"),
    "max": _ORDER | _stems("range extremes"),
    "share": _stems(
        "share percentage percent proportion fraction ratio rate part portion quota majority"
    ),
    "group": _stems(
        """
        group grouped groups break breakdown split distribution distributed compare compared
        comparison versus category categories respective spread per each every
        """
    ),
    "bounds": _DEGREES | _stems(
        """
        above below over under before after higher lower least most exceed exceeds
        exceeding minimum maximum between greater fewer beyond range reach
        reached later earlier newer older early late since until
        """
    ),
    "dates": _stems(
        """
        date dates dated year years month months monthly yearly annual annually quarter quarterly
        week weeks weekly day days daily time recently ago today yesterday period spring summer
        autumn winter decade century season calendar half before after first last latest pm
        """
    ) | frozenset(map(stem, ENGLISH_MONTHS)) | _PLACES,
    "amounts": _stems("value amount figure size number worth cost quantity"),
    "truth": _stems("true false yes without"),
    "negation": _stems("except excluding other without neither exclude apart besides non"),
    "beginning": _stems("start starts starting begin begins beginning prefix"),
    "presence": _stems(
        "still missing unknown known blank empty without mention mentions lack lacking"
    ),
    "calculation": _stems(
        """
        difference ratio minus plus sum divided share fraction rate part portion percentage percent
        proportion gap compared change growth increase rise decrease decline drop fall grow grew
        rose fell
        """
    ),
    "list": _stems("list all different distinct various unique"),
}  # fmt: skip
"""Words that ask for something, by what it is."""


def _unit_stems() -> dict[str, frozenset[str]]:
    """Stems of the words for units, by what they measure."""
    results: dict[str, frozenset[str]] = {}
    for word in _UNIT_WORDS.split():
        measure = measure_of(unit_word(word) or "") or "money"
        results[measure] = results.get(measure, frozenset()) | {stem(word)}
    return results


_UNIT_WORDS = """
euro euros eur dollar dollars usd pound pounds gbp franc francs currency hour hours minute minutes
day days week weeks month months year years second seconds kilometre kilometres kilometer kilometers
km metre metres meter meters mile miles foot feet kilogram kilograms kg ton tons tonne tonnes gram
grams kilos litre litres liter liters mph kmh degree degrees celsius knot knots
yen yuan rupee rupees zloty forint peso pesos ringgit baht rupiah chf sek nok dkk pln czk huf jpy
cny inr krw cad aud nzd sgd hkd brl mxn zar myr thb idr
"""
_UNIT_STEMS = _unit_stems()
_SCALE_STEMS = frozenset(map(stem, SCALES)) | _stems("positive negative zero half quarter")

_COMPANY = _stems(
    "both across among exist exists name names whichever during within word words contain"
)
"""Words that accompany a request without asking for anything."""
_ASKING = (
    frozenset(map(stem, SUPERLATIVES))
    | _STEMS["avg"]
    | _STEMS["median"]
    | _stems("per last latest still")
) - _stems("most least best")
"""Words that ask for something and never merely accompany, however common they are."""

_ASKED_BY: dict[str, tuple[str, ...]] = {
    "BasicFilter": ("bounds",),
    "Count": ("count", "distinct"),
    "GroupBy": ("group", "list"),
    "AggregateCount": ("count",),
    "AggregateCollect": ("count", "list"),
    "TopK": ("order", "count", "group"),
    "Sort": ("order",),
    "Limit": ("order",),
    "Distinct": ("list", "distinct"),
    "Project": ("list",),
    "Math": ("calculation",),
}
"""The words that ask for each step of a plan."""
