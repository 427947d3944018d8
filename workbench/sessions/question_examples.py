"""Questions that a DocSet can answer, made from its schema."""

from workbench.contract.schema import Schema, SchemaProperty

_GROUPED = ("string", "choice", "bool")
_NUMBERS = ("int", "float")
_DATES = ("date", "datetime")
_MOST = 3


def question_examples(schema: Schema | None) -> list[str]:
    """Up to three questions about the properties of the DocSet; without any, how many documents
    there are.
    """
    known = schema.properties if schema else []
    group = _first(known, _GROUPED)
    number = _first(known, _NUMBERS)
    date = _first(known, _DATES)
    examples = [f"How many documents are there by {group}?"] if group else []
    if number and group:
        examples.append(f"What is the average {number} by {group}?")
    elif number:
        examples.append(f"What is the average {number}?")
    if date:
        examples.append(f"How many documents are there by year of {date}?")
    return examples[:_MOST] or ["How many documents are there?"]


def _first(properties: list[SchemaProperty], kinds: tuple[str, ...]) -> str:
    """The name of the first property of one of these kinds, as people write it."""
    names = (item.name for item in properties if item.kind in kinds)
    return next(names, "").replace("_", " ")
