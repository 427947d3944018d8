"""The small language of `model_selection`: the table model for each table.

    pixels > 500 -> deformable_detr; chars < 30 -> table_transformer; deformable_detr; a comment

The first statement from the left that applies decides. A bare model always applies; whatever
follows it is a comment. If nothing applies, the model is `table_transformer`.
"""

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

DEFAULT = "table_transformer"

_MODELS = ("table_transformer", "deformable_detr")
_METRICS = ("pixels", "chars")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_COMPARISON = re.compile(r"<=|>=|==|!=|<|>")


@dataclass(frozen=True)
class Rule:
    """`metric comparison number -> model`; without a metric it always applies."""

    model: str
    metric: str | None = None
    comparison: str = "=="
    number: float = 0.0

    def applies(self, pixels: float, chars: float) -> bool:
        if self.metric is None:
            return True
        value = pixels if self.metric == "pixels" else chars
        return _COMPARISONS[self.comparison](value, self.number)


@dataclass(frozen=True)
class ModelSelection:
    """The rules of one expression, in order."""

    rules: tuple[Rule, ...]

    @classmethod
    def parse(cls, text: str) -> "ModelSelection":
        """Raises ValueError for an empty expression, an unknown model or metric, two arrows, no
        comparison or a chained one, and a threshold that is not a number."""
        rules: list[Rule] = []
        for statement in text.split(";"):
            words = statement.strip()
            if not words:
                continue
            rule = _rule(words)
            rules.append(rule)
            if rule.metric is None:
                break
        if not rules:
            raise ValueError("model_selection: the expression is empty")
        return cls(tuple(rules))

    def choose(self, *, pixels: float, chars: float) -> str:
        """The model for a table with a longer side of `pixels` and a text of `chars`."""
        for rule in self.rules:
            if rule.applies(pixels, chars):
                return rule.model
        return DEFAULT


def _rule(statement: str) -> Rule:
    condition, arrow, model = statement.partition("->")
    if not arrow:
        return Rule(model=_known_model(statement))
    if "->" in model:
        raise ValueError(f"model_selection: two arrows in '{statement}'")
    signs = _COMPARISON.findall(condition)
    if len(signs) != 1:
        fault = "no comparison" if not signs else "a chained comparison"
        raise ValueError(f"model_selection: {fault} in '{statement}'")
    metric, number = (part.strip() for part in _COMPARISON.split(condition))
    if metric not in _METRICS:
        raise ValueError(f"model_selection: unknown metric '{metric}', use pixels or chars")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"model_selection: '{number}' is not a number")
    return Rule(_known_model(model), metric, signs[0], value)


def _known_model(name: str) -> str:
    model = name.strip()
    if model not in _MODELS:
        raise ValueError(
            f"model_selection: unknown model '{model}', use table_transformer or deformable_detr"
        )
    return model
