"""Finds the words of a passage that occur in the question it was judged by."""

import re

from workbench.contract.plan import Plan

_WORD = re.compile(r"[^\W\d_]{3,}")
_STOP_WORD_LIST = """
about all and any are been contain did does documents for from had has have how into mention
mentions not one report reports say says speak talk that the their there this was were what when
where which who why with
"""
_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
_ENDINGS = re.compile(r"(?:ing|ed|es|s|e)$")


def question_behind(plan: Plan, node_id: int) -> str:
    """The question in words that rows of this step were judged by; empty where none was."""
    waiting, seen = [node_id], set[int]()
    while waiting:
        node = plan.node(waiting.pop())
        if node.node_type.startswith("Llm") and isinstance(node.extras.get("question"), str):
            return str(node.extras["question"])
        seen.add(node.node_id)
        waiting += [before for before in node.inputs if before not in seen]
    return ""


def matching_words(text: str, question: str) -> list[tuple[int, int]]:
    """Where words of the question begin and end in `text`, in any of their forms."""
    words = {word for word in _WORD.findall(question.lower()) if word not in _STOP_WORDS}
    stems = {stem if len(stem := _ENDINGS.sub("", word)) > 2 else word for word in words}
    if not stems:
        return []
    pattern = rf"\b(?:{'|'.join(map(re.escape, stems))})\w{{0,3}}\b"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]
