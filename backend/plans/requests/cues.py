"""Features for what the words of a question promise, beside what a plan does.

Words such as `most` or `each` ask for certain steps. How often a plan with or without them is the
intended one is fitted; nothing is decided here.
"""

from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from typing import Any

from backend.language.nouns import singular
from backend.language.numerals import numeral_at
from backend.language.synonyms import synonyms
from backend.language.tokens import Token
from backend.language.words import stem
from backend.plans.reading.linking_ages import compares_ages
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.derived_fields import derived_field, sources_of
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Node, canonical_field
from workbench.contract.plan_validation import names_in

_CUES = {
    "superlative": """most least highest lowest largest smallest biggest oldest youngest latest
        earliest longest shortest maximum minimum top fewest greatest best worst newest""",
    "sort": """sorted ordered order sort ascending descending alphabetical alphabetically ranked
        increasing decreasing lexicographical""",
    "each": "each per every",
    "distinct": "different distinct unique",
    "many": "many",
    "number": "number count",
    "average": "average mean",
    "total": "total sum",
    "not": "not no without except excluding never neither nor other",
    "or": "or either",
    "and": "and",
    "then": "then afterwards",
    "median": "median",
    "share": "percentage percent proportion share fraction",
    "contain": "contain contains containing starts starting begin begins letter word",
    "than": "than above below over under least between before after since until",
}
UNORDERED = "top: in no order"
"""The feature of a plan that keeps the best documents without an order."""
_CUE_OF = {word: cue for cue, words in _CUES.items() for word in words.split()}
_ABOUT = ("about", "around", "roughly", "approximately")
_OR_SO = ("or so", "or thereabouts", "give or take", "plus or minus")
_FIRST = frozenset(
    """
    what which who how list show find give return count when where for sort order please are is
    """.split()  # noqa: SIM905
)


_WANTED = {
    "superlative": ("Limit one", "Limit several", "computes max", "computes min", "TopK"),
    "sort": ("Sort up", "Sort down"),
    "each": ("GroupBy", "TopK", "Limit per"),
    "distinct": ("Distinct", "Count distinct", "computes distinct", "GroupBy"),
    "many": ("Count", "Count distinct", "computes count", "computes sum", "computes distinct"),
    "average": ("computes avg", "beside the middle"),
    "total": ("computes sum", "Count", "computes count"),
    "not": ("negate", "gap"),
    "or": ("any_of", "values"),
    "contain": ("text",),
    "than": ("range",),
    "then": ("Sort then",),
    "median": ("computes median", "beside the middle"),
    "share": ("Math", "computes share"),
    "period": ("bucket",),
}
"""What a cue usually asks for; a plan with none of it lacks something."""


def cues(
    tokens: Sequence[Token], plan: Plan, labels: Sequence[str] = (), called: Sequence[str] = ()
) -> dict[str, float]:
    """Features of a plan beside the words of a question. `labels` are names of properties: a word
    inside one, such as `number` in `phone number`, promises nothing; nor does what the documents
    are `called`, by stems: a `letter` may be one of them.
    """
    signs = _signs(plan)
    phrases = {
        _CUE_OF[token.lower]
        for i, token in enumerate(tokens)
        if token.lower in _CUE_OF
        and not _in_name(tokens, i, labels)
        and (token.stem not in called or _asks_order(tokens, i))
    }
    if any(_asks_period(tokens, i) for i in range(len(tokens))):
        phrases.add("period")
    pairs = pairwise(tokens)
    if any(a.lower == "any" and singular(b.lower) in _PERIODS for a, b in pairs):
        phrases.add("any period")
    first = next((token.lower for token in tokens if token.lower in _FIRST), "other")
    results = {f"plan {sign}": 1.0 for sign in signs}
    results |= {f"{cue} ~ {sign}": 1.0 for cue in phrases for sign in signs}
    results |= {f"first {first} ~ {sign}": 1.0 for sign in signs if sign.startswith("gives")}
    if any(_asks_sum(tokens, i) for i in range(len(tokens))) and "computes sum" not in signs:
        results["sum of: no sum is computed"] = 1.0
    if _asks_how_much(tokens) and not any(sign.startswith(_COMPUTED) for sign in signs):
        results["how much: nothing is computed"] = 1.0
    ordered = {"Sort up", "Sort down", "TopK", "GroupBy"}
    if _asks_best(tokens) and "Limit several" in signs and signs.isdisjoint(ordered):
        results[UNORDERED] = 1.0
    if _ends_open(tokens) and signs.isdisjoint(_WANTED["each"]):
        results["each of what: nothing is grouped"] = 1.0
    if _asks_unknown(tokens) and "gap" not in signs:
        results["whether it is known: no gap is tested"] = 1.0
    if _approximates(tokens) and "range" not in signs:
        results["about a number: no range is read"] = 1.0
    if _asks_beginning(tokens) and "prefix" not in signs:
        results["begins with: no beginning is tested"] = 1.0
    for cue in phrases:
        if cue in _WANTED and signs.isdisjoint(_WANTED[cue]):
            results[f"{cue} lacks what it asks for"] = 1.0
    values = stored_values(plan)
    numbers = [token.text for token in tokens if token.kind == "number"]
    missing = sum(text.lstrip("$€£").replace(",", "") not in values for text in numbers)
    if missing:
        results["plan lacks a number"] = float(missing)
    quoted = [token.lower for token in tokens if token.kind == "quoted"]
    if absent := sum(text not in values for text in quoted):
        results["plan lacks a quotation"] = float(absent)
    return results


def _ends_open(tokens: Sequence[Token]) -> bool:
    """`the total weight from each`, without what each of them is."""
    words = [token.lower for token in tokens if token.kind == "word"]
    return words[-1:] == ["each"] and words[-2:-1] in (["from"], ["of"], ["for"], ["in"], ["by"])


def _asks_unknown(tokens: Sequence[Token]) -> bool:
    """`we do not know whether`, `not recorded if`, `unknown whether`."""
    words = [token.lower for token in tokens]
    behind = [words[max(0, i - 3) : i] for i, word in enumerate(words) if word in ("whether", "if")]
    return any(
        {"unknown", "unclear"} & {*before} or ("not" in before and _KNOWING & {*before[-1:]})
        for before in behind
    )


_KNOWING = frozenset({"know", "known", "recorded", "noted", "sure", "say", "said", "clear"})


def _asks_best(tokens: Sequence[Token]) -> bool:
    """Whether a number of best documents is wanted: `top 5`, `the ten best`."""
    return any(
        (_CUE_OF.get(a.lower) == "superlative" and numeral_at(tokens, i + 1) is not None)
        or (_CUE_OF.get(b.lower) == "superlative" and numeral_at(tokens, i) is not None)
        for i, (a, b) in enumerate(pairwise(tokens))
    )


def dates_named(tokens: Sequence[Token], plan: Plan, vocabulary: Vocabulary) -> dict[str, float]:
    """Whether a question names or describes the dates of a plan, with several to choose from."""
    dated = [prop for prop in vocabulary.properties if prop.dated]
    if _adds_up({prop.field for prop in dated}, plan):
        return {"answer: dates added up": 1.0}
    if _adds_up({prop.field for prop in vocabulary.properties if prop.is_rate}, plan):
        return {"answer: rates added up": 1.0}
    if len(dated) < 2:
        return {}
    words = {token.stem for token in tokens}
    named = _dates_called(dated, words)
    if compares_ages(tokens, vocabulary):
        named |= {prop.field for prop in dated if prop.is_birth}
    described = {
        prop.field for prop in dated
        if words & {word for word in prop.described if vocabulary.rarity[word] == 1}
    }  # fmt: skip
    used = set()
    for name in map(canonical_field, names_in(plan)):
        used |= set(map(canonical_field, sources_of(name))) if derived_field(name) else {name}
    alike = {prop.field for prop in dated if _described_alike(prop, words, vocabulary)}
    spoken_of = named | described or alike
    results: dict[str, float] = {}
    for name in {prop.field for prop in dated} & used:
        if name in named:
            how = "named"
        elif name in described:
            how = "described"
        elif name in alike:
            how = "described in other words"
        else:
            how = "another is" if spoken_of - used else "no name"
        results[f"date: {how}"] = 1.0
        if how == "named" and spoken_of == {name} and _is_of_documents(name, vocabulary):
            results["date: of the documents"] = 1.0
    return results


def _dates_called(dated: Sequence[Property], words: Set[str]) -> set[str]:
    """The dates whose names share words with a question. A part of a name does not count if it is
    the whole name of another: `inspected last` is not about the next inspection.
    """
    telling = {prop.field: set(prop.parts) - _OF_DATES for prop in dated}
    whole = [own for own in telling.values() if own and own <= words]
    return {
        prop.field
        for prop in dated
        if words & set(prop.parts)
        and not any(telling[prop.field] & words <= own < telling[prop.field] for own in whole)
    }


_OF_DATES = frozenset({stem("date"), stem("day")})


def _is_of_documents(name: str, vocabulary: Vocabulary) -> bool:
    """Whether a date is named after the documents alone: `trip_date` of trips."""
    prop = vocabulary.get(name)
    return prop is not None and vocabulary.nouns >= set(prop.parts) - _OF_DATES


def _described_alike(prop: Property, words: Set[str], vocabulary: Vocabulary) -> bool:
    """Whether a word is a synonym of one in the name or description of a property: `arrived` for
    the day on which something was received.
    """
    own = {word for word in prop.described if vocabulary.rarity[word] == 1} | set(prop.parts)
    return any(not own.isdisjoint(synonyms(word) - {word}) for word in words)


def _adds_up(fields: set[str], plan: Plan) -> bool:
    """Whether a plan sums values of one of these fields."""
    return any(
        item.get("func") == "sum" and canonical_field(str(item.get("field"))) in fields
        for node in plan.nodes.values()
        for item in node.extras.get("aggregations") or []
    )


def finer_signs(plan: Plan) -> set[str]:
    """Features of a plan that are rarely misread: several orders, two compared properties,
    weekdays. A plan without them skips something if another reading of the same words has them.
    """
    signs: set[str] = set()
    for node in plan.nodes.values():
        if node.extras.get("then"):
            signs.add("several orders")
        if node.extras.get("start_field") or node.extras.get("end_field"):
            signs.add("two properties")
    for name in names_in(plan):
        derived = derived_field(name) if "." in name else None
        if derived is not None:
            signs.add("a part of a date" if derived.other is None else "two properties")
    return signs


def _in_name(tokens: Sequence[Token], i: int, labels: Sequence[str]) -> bool:
    """Whether a word and the one before it are adjacent in the name of a property, or a word such
    as `ordered` alone, if no order is asked for.
    """
    if _CUE_OF.get(tokens[i].lower) == "sort" and not _asks_order(tokens, i):
        alone = tokens[i].stem
        if any(alone in map(stem, label.split()) for label in labels):
            return True
    if not i:
        return False
    pair = f"{tokens[i - 1].lower} {singular(tokens[i].lower)}"
    return any(pair in label for label in labels)


_PERIODS = frozenset("week month quarter year decade weekday".split())  # noqa: SIM905
_BY_PERIOD = frozenset("monthly quarterly yearly weekly annually".split())  # noqa: SIM905


def _asks_period(tokens: Sequence[Token], i: int) -> bool:
    """Whether groups by time are asked for: `by month`, `each quarter`, `monthly`."""
    before = tokens[i - 1].lower if i else ""
    word = singular(tokens[i].lower)
    return word in _BY_PERIOD or (word in _PERIODS and before in ("by", "per", "each", "every"))


def _asks_sum(tokens: Sequence[Token], i: int) -> bool:
    """Whether `total of` or `sum of` begins here."""
    following = tokens[i + 1].lower if i + 1 < len(tokens) else ""
    return tokens[i].lower in ("total", "sum") and following == "of"


_COMPUTED = ("Count", "computes", "Math", "TopK", "Summarize")


def _asks_how_much(tokens: Sequence[Token]) -> bool:
    """Whether a question asks `how much` or `how many`."""
    return any(a.lower == "how" and b.lower in ("much", "many") for a, b in pairwise(tokens))


def _approximates(tokens: Sequence[Token]) -> bool:
    """Whether a number is approximate: `about 500`, `500 or so`, `500 give or take`."""
    text = " ".join("#" if token.kind == "number" else token.lower for token in tokens)
    return any(f"{word} #" in text for word in _ABOUT) or any(f"# {end}" in text for end in _OR_SO)


def _asks_beginning(tokens: Sequence[Token]) -> bool:
    """Whether letters are given with which something begins: `starts with “AB”`."""
    return any(
        one.lower in _BEGINS
        and two.lower == "with"
        and (text.kind == "quoted" or text.text[:1].isupper())
        for one, two, text in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


_BEGINS = frozenset({"start", "starts", "starting", "begin", "begins", "beginning"})


def _asks_order(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word such as `order` is used as in `in order of`, `ordered by`."""
    near = [*tokens[max(0, i - 2) : i], *tokens[i + 1 : i + 2]]
    return any(token.lower in ("by", "in", "ascending", "descending") for token in near)


def _signs(plan: Plan) -> set[str]:
    signs: set[str] = set()
    filters = 0
    for node in plan.nodes.values():
        signs.update(_sign(node))
        filters += node.node_type == "BasicFilter"
    signs.add(f"filters {min(filters, 3)}")
    signs.add(f"gives {plan.nodes[str(plan.result_node)].node_type}")
    return signs


def _sign(node: Node) -> set[str]:
    extras = node.extras
    match node.node_type:
        case "Aggregate":
            return {f"computes {item.get('func')}" for item in extras.get("aggregations", [])}
        case "Count":
            return {"Count distinct" if extras.get("distinct_field") else "Count"}
        case "Sort":
            way = "Sort down" if extras.get("descending") else "Sort up"
            return {way, "Sort then"} if extras.get("then") else {way}
        case "BasicFilter":
            keys = {name for name in ("negate", "any_of", "values", "exists") if extras.get(name)}
            if extras.get("exists") is False:
                keys.add("gap")
            if extras.get("range_filter"):
                keys.add("range")
            if extras.get("start_at") or extras.get("end_at"):
                keys.add("beside the middle")
            if extras.get("match") in ("contains", "prefix"):
                keys.add("text")
            if extras.get("match") == "prefix":
                keys.add("prefix")
            return keys | {"filter"}
        case "GroupBy" if _by_period(extras):
            return {"GroupBy", "bucket"}
        case "Limit":
            size = "Limit one" if extras.get("num_records") == 1 else "Limit several"
            return {size, "Limit per"} if extras.get("per") else {size}
        case "QueryDatabase" if not extras.get("query_text"):
            return set()
        case "Project":
            return {"Project"}
    return {node.node_type}


def _by_period(extras: Mapping[str, Any]) -> bool:
    """Whether groups are by a period or a part of one."""
    fields = [extras.get("field"), *(extras.get("fields") or [])]
    derived = (derived_field(f) for f in fields if isinstance(f, str) and "." in f)
    return bool(extras.get("bucket")) or any(d is not None and d.other is None for d in derived)


def stored_values(plan: Plan) -> set[str]:
    """All values in a plan as text."""
    values: set[str] = set()

    def visit(value: object) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                visit(inner)
        elif isinstance(value, list):
            for inner in value:
                visit(inner)
        elif isinstance(value, float) and value == int(value):
            values.add(str(int(value)))
        elif value is not None:
            text = str(value).lower()
            values.update((text, text[:4]))

    for node in plan.nodes.values():
        visit(node.extras)
    return values
