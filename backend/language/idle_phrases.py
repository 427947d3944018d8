"""Turns of phrase that add nothing to a change: keep the rest, adjust it accordingly."""

from backend.language.turns import turns

_REST = (
    r"(?:the rest|everything else|all else|all the rest|the others?|the other \w+)"
    r"(?: of (?:it|the \w+))?"
)
_SAME = (
    r"(?:(?:exactly |just )?as (?:it|they) (?:is|are|was|were)|as is|unchanged|alone|the same"
    r"|untouched|in place|be|put|like that|like this)"
)
_PLEASE = r"(?:(?:could|can|would|will) you )?(?:please )?"
_DONE = r"(?= *[.?!]*$)"
_FITTING = (
    r"(?:change|adjust|update|amend|modify|alter|redo|rework|fix|correct|adapt|rearrange)"
    r" (?:it|that|this|the \w+|everything)(?: please)? accordingly"
)
_TO_THAT = (
    r"(?:restrict|limit|filter|narrow|change|switch|reduce) (?:it|this|them|the \w+)(?: down)?"
    r" (?:to|for|by) (?:that|those|them|these)"
)
_BEFORE = r"(?:[,;.] *|(?<! ) +)?"
REST = turns(
    (rf"{_BEFORE}(?:(?:so|and|then) ){{0,4}}{_PLEASE}{_FITTING}{_DONE}", ""),
    (rf"{_BEFORE}\b(?:so|and) {_PLEASE}{_TO_THAT}{_DONE}", ""),
    (rf"^(?:please )?(?:leave|keep) {_REST}(?: {_SAME})? ?(?:and|but|,)+ (?=\w+ )", ""),
    (rf"{_BEFORE}(?:(?:and|but|just|please|then) ){{0,4}}(?:leave|keep|let) {_REST}"
     rf"(?: {_SAME})?{_DONE}",
     ""),
    (rf"{_BEFORE}(?:(?:and|but|with) ){{0,4}}{_REST} (?:is|are|was) (?:fine|good|ok|okay"
     rf"|right){_DONE}",
     ""),
    (rf"{_BEFORE}(?:(?:and|but|with) ){{0,4}}{_REST} (?:(?:can|should|may|must|is to|are to) )?"
     rf"(?:stays?|remains?|be kept|kept|unchanged|the same)(?: {_SAME})?{_DONE}", ""),
)  # fmt: skip
"""`leave the rest as it is`, `so could you change the table accordingly`."""
