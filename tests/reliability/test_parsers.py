"""Every small language of ours reads any text or refuses it, quickly; nothing else comes out.

Filters, feedback and questions have such tests of their own beside them, and so have documents.
"""

import copy
import json
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from backend.api.bodies import strict_json
from backend.api.tasks import Filters
from backend.docsets.paging import Pager
from backend.docsets.pointers import BadPointer, replace
from backend.extraction.schema_faults import schema_faults
from backend.extraction.validators import ExpressionError, compile_expression
from backend.search.projection import Projection
from tests import small_languages
from tests.long_fuzz import fuzz
from tests.small_languages import texts
from workbench.contract.errors import ServiceError
from workbench.contract.model_selection import ModelSelection
from workbench.contract.partition_options import PartitionOptions
from workbench.contract.schema import Schema

Parser = Callable[[str], object]

_RESULT = {"doc_id": "d", "properties": {"entity": {"a": [1, {"b": "x" * 50}], "c d": None}}}
_VALUES = (None, True, 0, -1, 2**70, 2.5, float("nan"), "", "x" * 30, [], [1, "x"], {"a": 1})


def options(text: str) -> object:
    read = strict_json(text.encode())
    return PartitionOptions.read(read) if isinstance(read, dict) else None


def model_selection(text: str) -> object:
    try:
        rules = ModelSelection.parse(text)
    except ValueError as error:  # its own, which options turn into a refusal
        raise Refused(str(error)) from error
    return [rules.choose(pixels=pixels, chars=40) for pixels in (0, 600, 1e9)]


def schema(text: str) -> object:
    rule = {"type": "regex", "regex": text}
    field = {"name": "a", "field_type": "string", "validators": [rule]}
    if faults := schema_faults(Schema.model_validate({"properties": [field]})):
        raise Refused(faults[0].msg)
    return None


def expression(text: str) -> object:
    check = compile_expression(text)
    return [check(value) for value in _VALUES]


def pointer(text: str) -> object:
    return replace(copy.deepcopy(_RESULT), text, 1)


def page_token(text: str) -> object:
    return Pager(b"key", lambda: 0.0).after("list", text)


class Refused(Exception):
    """The text was refused in a way that its caller turns into an answer."""


PARSERS: dict[str, tuple[Parser, st.SearchStrategy[str]]] = {
    "options": (options, small_languages.options()),
    "model_selection": (model_selection, texts(small_languages.SELECTION)),
    "path": (lambda text: Projection([text]).of(_RESULT), texts(small_languages.PATH)),
    "pattern": (lambda text: Filters(text, None), texts(small_languages.PATTERN)),
    "validator": (schema, texts(small_languages.PATTERN)),
    "expression": (expression, texts(small_languages.EXPRESSION)),
    "pointer": (pointer, texts(small_languages.POINTER)),
}
_REFUSALS = (ServiceError, Refused, BadPointer, ExpressionError, ValidationError,
             json.JSONDecodeError)  # fmt: skip


def read(parser: Parser, text: str) -> bool:
    """Whether the text was read; False when it was refused."""
    began, was_read = time.process_time(), True
    try:
        parser(text)
    except _REFUSALS:
        was_read = False
    assert time.process_time() - began < 1
    return was_read


@pytest.mark.parametrize("name", PARSERS)
def test_any_text_is_read_or_refused(name: str) -> None:
    parser, some = PARSERS[name]
    outcomes = Counter[bool]()

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=some)
    def tried(text: str) -> None:
        outcomes[read(parser, text)] += 1

    tried()
    assert min(outcomes[True], outcomes[False]) > 10, "the texts do not try it"


@pytest.mark.parametrize("name", [*PARSERS, "page_token"])
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=60))
def test_rubbish_is_read_or_refused(name: str, text: str) -> None:
    read(page_token if name == "page_token" else PARSERS[name][0], text)


REGRESSIONS = [("path", "$[?$ == 1e390071992547409938]")]
"""What the long form has found."""


@pytest.mark.parametrize(("name", "text"), REGRESSIONS)
def test_texts_that_once_broke_a_parser(name: str, text: str) -> None:
    read(PARSERS[name][0], text)


@pytest.mark.parametrize("text", ["W10=", "e30_", "====", "a\n b", "é", "-" * 5000])
def test_a_page_token_that_was_not_given_out_is_refused(text: str) -> None:
    assert not read(page_token, text)


@pytest.mark.soak
@pytest.mark.parametrize("name", PARSERS)
def test_very_many_texts_are_read_or_refused(name: str) -> None:
    parser, some = PARSERS[name]
    fuzz(name, some, partial(read, parser))
