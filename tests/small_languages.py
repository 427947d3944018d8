"""Sentences of the small languages that callers write: whole ones, and ones with a few faults.

Random text is refused at its first character, so it never reaches what lies behind the first
branch. Sentences of a grammar do, and those with a few faults reach what looks for them.
"""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel

from workbench.contract.partition_options import PartitionOptions

Grammar = Mapping[str, Sequence[str]]
"""Alternatives by the name of what they spell; `«name»` stands for one of that name. The first
alternative is one that ends.
"""

_DEEPEST = 10
_REFERENCE = re.compile("«([a-z_]+)»")
_STRANGE = ("\0", "\n", "\\", "'", '"', "`", "é", "ẞ", "字", "😀", "\u202e", "İ", "-", "9" * 400)
_WORDS = {
    "text": ["", "x", "é b", "a'b", "%_*?", "\\\\", "0", "2020-02-30"],
    "number": ["0", "-1", "2.50", "1e308", "9007199254740993", "9223372036854775808", ".5", "07"],
}

FILTER: Grammar = {
    "start": [
        "«condition»", "«start» and «start»", "«start» or «start»", "not «start»", "(«start»)",
    ],
    "condition": [
        "«path» «sign» «value»", "«path» is null", "«path» IS NOT NULL", "«path» like '«pattern»'",
        "«path» not like \"«pattern»\"", "«path» in («value», «value»)", "«path» not in («value»)",
        "«path»«sign»«value»", "«path» like «text»",
    ],
    "path": [
        "a", "«path».b", "properties.«path»", "`«text»`", "«path».'«text»'", "entity.tags",
        "Größe",
    ],
    "sign": ["=", "==", "!=", "<>", "<", "<=", ">", ">="],
    "value": ["'«text»'", '"«text»"', "«number»", "true", "False"],
    "pattern": ["«text»", "%«pattern»", "_«pattern»", "*«text»", "\\«pattern»"],
    **_WORDS,
}  # fmt: skip
EXPRESSION: Grammar = {
    "start": [
        "«test»", "«start» and «start»", "«start» || «start»", "not «start»", "! «start»",
        "(«start»)",
    ],
    "test": ["«term» «sign» «term»", "«sign» «term»", "«term» «sign» «term» «sign» «term»", "true",
             "«term» in «list»", "in «list»", "x not in «list»"],
    "term": ["x", "len(x)", "«number»", "'«text»'", '"«text»"', "null", "False", "X"],
    "sign": ["=", "==", "!=", "<>", "<", "<=", ">", ">="],
    "list": ["[]", "[«term»]", "[«number», '«text»', true]"],
    **_WORDS,
}  # fmt: skip
PATH: Grammar = {
    "start": ["«name»", "$«steps»", "«name».«start»", "@«steps»"],
    "steps": [
        "", ".«name»«steps»", "..«name»«steps»", "[«selectors»]«steps»", "..[«selectors»]",
        ".*«steps»",
    ],
    "selectors": ["«selector»", "«selector», «selectors»"],
    "selector": [
        "*", "'«text»'", "«index»", "«index»:«index»:«index»", ":«index»", "?«test»", "?(«test»)",
    ],
    "test": [
        "@«steps»", "«side» «sign» «side»", "«test» && «test»", "«test» || «test»", "!(«test»)",
        "match(@.«name», '«regex»')", "search(@, '«regex»')",
    ],
    "side": [
        "@.«name»", "$«steps»", "length(@)", "count(@.*)", "value(@..«name»)", "'«text»'",
        "«number»", "null",
    ],
    "sign": ["==", "!=", "<", "<=", ">", ">="],
    "index": ["0", "-1", "1", "99", "", "-9007199254740992"],
    "name": ["a", "properties", "entity", "b", "c d", "'c d'", "doc_id"],
    "regex": ["a+", "(a|b)*c", "\\\\p{L}", "x{1,1000}", "[", "(?i)x"],
    **_WORDS,
}  # fmt: skip
PATTERN: Grammar = {
    "start": ["«atom»", "«start»«start»", "«start»|«start»", "^«start»$", "(?i)«start»"],
    "atom": [
        "a", "«set»", "(«start»)", "(?P<n>«start»)", "(?:«start»)", "«atom»«times»", "\\«escape»",
    ],
    "set": [".", "[a-z]", "[^«set»]", "[[:alpha:]]", "\\p{Greek}", "[\\d\\W]"],
    "times": ["*", "+", "?", "{2}", "{1,999}", "{0,}", "*?", "{1001}"],
    "escape": ["d", "b", "1", "Q«start»\\E", "x{10FFFF}", "pN", "z", "C", "n"],
}  # fmt: skip
SELECTION: Grammar = {
    "start": ["«model»", "«rule»; «start»", "«model»; «text»", "«rule»"],
    "rule": ["«metric» «sign» «number» -> «model»"],
    "metric": ["pixels", "chars"],
    "model": ["table_transformer", "deformable_detr"],
    "sign": ["<", "<=", ">", ">=", "==", "!="],
    **_WORDS,
}
POINTER: Grammar = {
    "start": ["/properties/entity/«step»", "/doc_id", "«start»/«step»"],
    "step": ["a", "c d", "a/0", "a/1/b", "a/-", "a/01", "a/«digits»", "~0", "~1", "~", ""],
    "digits": ["9", "«digits»«digits»", "²", "१"],
}


def sentence(chance: random.Random, grammar: Grammar, name: str = "start", depth: int = 0) -> str:
    """A sentence of the grammar, which grows to a certain depth at most."""
    choices = grammar[name]
    chosen = choices[0] if depth > _DEEPEST else chance.choice(choices)
    return _REFERENCE.sub(lambda match: sentence(chance, grammar, match[1], depth + 1), chosen)


def damaged(chance: random.Random, text: str, grammar: Grammar) -> str:
    """With up to three places left out, doubled, or filled with something from elsewhere."""
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        at, size = chance.randint(0, len(text)), chance.choice((0, 0, 1, 1, 2, 8))
        name = chance.choice(sorted(grammar))
        put = chance.choice((
            "", text[at : at + size] * 2, chance.choice(_STRANGE), sentence(chance, grammar, name),
        ))  # fmt: skip
        text = text[:at] + put + text[at + size :]
    return text


def texts(grammar: Grammar) -> st.SearchStrategy[str]:
    """Sentences, most of them with faults; a seed says which."""
    return _seeded(lambda chance: damaged(chance, sentence(chance, grammar), grammar))


def options() -> st.SearchStrategy[str]:
    """JSON of the options of a partition call: of right names, mostly with values they may have."""
    return _seeded(lambda chance: _broken(chance, json.dumps(_of_model(chance, PartitionOptions))))


def _seeded(made: Callable[[random.Random], str]) -> st.SearchStrategy[str]:
    return st.integers(0, 2**63).map(lambda seed: made(random.Random(seed)))


def _broken(chance: random.Random, text: str) -> str:
    if chance.random() < 0.7:
        return text
    at = chance.randint(0, len(text))
    put = chance.choice(("", *'{}[]",:', "\\ud800", "\\u0000", "NaN", "1e999", "[" * 100_000))
    return text[:at] + put + text[at + chance.choice((0, 1, 3)) :]


def _of_model(chance: random.Random, model: type[BaseModel], depth: int = 0) -> dict[str, Any]:
    fields = model.model_fields
    chosen = chance.sample(sorted(fields), chance.randint(0, min(len(fields), 6)))
    return {
        fields[name].alias or name: _of_kind(chance, fields[name].annotation, depth)
        for name in chosen
    }


def _of_kind(chance: random.Random, kind: Any, depth: int) -> Any:
    """A value that fits the annotation of a field, or does not, one time in ten."""
    if depth > 4 or chance.random() < 0.1:
        return chance.choice((None, True, 0, -1, 2**70, 0.5, 1e300, "", "x", [], {}, [[1, 2, 3]]))
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _of_model(chance, kind, depth + 1)
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    arguments = [one for one in get_args(kind) if one is not type(None)]
    if get_origin(kind) is list:
        return [_of_kind(chance, arguments[0], depth + 1) for _ in range(chance.randint(0, 3))]
    if arguments:
        return _of_kind(chance, chance.choice(arguments), depth + 1)
    simple: dict[Any, Sequence[Any]] = {
        bool: (True, False), int: (1, 2, 512, 0), float: (0.0, 0.32, 1.0),
        str: ("english", "a", sentence(chance, SELECTION), sentence(chance, PATTERN)[:99]),
    }  # fmt: skip
    return chance.choice(simple[kind]) if kind in simple else kind
