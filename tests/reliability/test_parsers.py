"""Every small language of ours reads any text or refuses it, quickly; nothing else comes out.

Filters, feedback and questions have such tests of their own beside them, and so have documents.
"""

import copy
import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from backend.api.bodies import strict_json
from backend.api.tasks import Filters
from backend.contract.errors import ServiceError
from backend.contract.model_selection import ModelSelection
from backend.contract.partition_options import PartitionOptions
from backend.contract.schema import Schema
from backend.docsets.pointers import BadPointer, replace
from backend.extraction.validators import check_validators
from backend.search.projection import Projection
from tests.long_fuzz import fuzz

Parser = Callable[[str], object]

_RESULT = {"doc_id": "d", "properties": {"entity": {"a": [1, {"b": "x" * 50}], "c d": None}}}
_PIECES = {
    "model_selection": "pixels chars > < >= == != -> ; table_transformer deformable_detr 5 1e9 nan",
    "path": "$ .. . * [ ] ? @ ' \" a b c properties entity 0 -1 : , ( ) < == && || ! match( search",
    "pattern": "( ) [ ] { } * + ? | ^ $ \\ . a aa (a+)+ (?i) {1,999} \\p{L} [^a] (?P<x>a)",
    "pointer": f"/ ~0 ~1 ~ properties entity a 0 1 - 01 %2f {'9' * 5000}",
}


def options(text: str) -> object:
    read = strict_json(text.encode("utf-8", "surrogatepass"))
    return PartitionOptions.read(read) if isinstance(read, dict) else None


def schema(text: str) -> object:
    rule = {"type": "regex", "regex": text}
    field = {"name": "a", "field_type": "string", "validators": [rule]}
    return check_validators(Schema.model_validate({"properties": [field]}))


def pointer(text: str) -> object:
    return replace(copy.deepcopy(_RESULT), text, 1)


def model_selection(text: str) -> object:
    try:
        return ModelSelection.parse(text)
    except ValueError as error:  # its own, which callers turn into a refusal
        return str(error)


PARSERS: dict[str, tuple[Parser, str]] = {
    "options": (options, "json"),
    "model_selection": (model_selection, "model_selection"),
    "path": (lambda text: Projection([text]).of(_RESULT), "path"),
    "pattern": (lambda text: Filters(text, None), "pattern"),
    "validator": (schema, "pattern"),
    "pointer": (pointer, "pointer"),
}

_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
_named = st.dictionaries(st.sampled_from(sorted(PartitionOptions.model_fields)), _values)


def texts(pieces: str) -> st.SearchStrategy[str]:
    """Texts of the language's own pieces, and of anything."""
    if pieces == "json":
        return st.one_of(
            _named.map(lambda value: json.dumps(value)),
            st.text(alphabet='{}[]",:0eE+-.\\u d8tfn', max_size=40),
            st.text(max_size=40),
        )
    known = st.lists(st.sampled_from(_PIECES[pieces].split()), max_size=30)
    joined = st.builds(lambda parts, glue: glue.join(parts), known, st.sampled_from(["", " "]))
    return st.one_of(joined, st.text(max_size=60))


def read(parser: Parser, text: str) -> None:
    began = time.process_time()
    with suppress(ServiceError, BadPointer, ValidationError, json.JSONDecodeError):
        parser(text)
    assert time.process_time() - began < 1


@pytest.mark.parametrize("name", PARSERS)
def test_any_text_is_read_or_refused(name: str) -> None:
    parser, pieces = PARSERS[name]

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=texts(pieces))
    def tried(text: str) -> None:
        read(parser, text)

    tried()


@pytest.mark.soak
@pytest.mark.parametrize("name", PARSERS)
def test_very_many_texts_are_read_or_refused(name: str) -> None:
    parser, pieces = PARSERS[name]
    fuzz(name, texts(pieces), partial(read, parser))
