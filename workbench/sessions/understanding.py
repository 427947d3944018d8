"""What a plan does, in one sentence, for a person who asked in other words."""

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Node
from workbench.contract.plan_validation import walk
from workbench.sessions.step_sentences import what_it_does


def understood(plan: Plan) -> str:
    """`keep where invoice date is from 2018-01-01 to 2018-12-31; count the documents`.

    A step that reads all documents is left out, unless it is the only one.
    """
    steps = [plan.node(node_id) for node_id in walk(plan)]
    meaningful = [node for node in steps if not _reads_all(node)] or steps
    return "; ".join(dict.fromkeys(filter(None, map(_words, meaningful))))


def _reads_all(node: Node) -> bool:
    asked = ("query", "query_text", "properties_filter", "doc_filter", "result_filter")
    return node.node_type == "QueryDatabase" and not any(node.extras.get(name) for name in asked)


def _words(node: Node) -> str:
    words = " ".join((node.description or "").split()).rstrip(".")
    if not words:
        words = what_it_does(node)
    return words[0].lower() + words[1:] if words[1:2].islower() else words
