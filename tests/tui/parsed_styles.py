"""Parses each stylesheet once in a run of the tests, not once for each app."""

from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation

_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[Any, ...], list[RuleSet]] = {}


def parse_rules(
    sheet: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    """Textual's own, whose cache is of one app. Rules depend on the variables of the theme, too."""
    source = (css, read_from, is_default_rules, tie_breaker, scope)
    key = (frozenset(sheet._variables.items()), *source)
    if key not in _parsed:
        _parsed[key] = _parse_rules(sheet, *source)
    return _parsed[key]
