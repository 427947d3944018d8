"""Constructions with phrases that only the texts can answer."""

from dataclasses import replace
from typing import Any

from backend.plans.reading.grammar_types import makes
from backend.plans.reading.linking_types import Theme


@makes("Theme", "Not Theme", "Not Noun Theme", example="except those that mention leaks",
       weight="theme: denied")  # fmt: skip
def _denied(*parts: Any) -> Theme | None:
    theme: Theme = parts[-1]
    words = f"not {theme.text}" if theme.spoken else f"it is not said that {theme.text}"
    return None if theme.denied else replace(theme, text=words, denied=True)
