"""The tab key inside `where="…"`: properties, operators and values of the DocSet, in IPython."""

import re
import sys
from typing import Any

from workbench.client.errors import WorkbenchError
from workbench.objects.docset import DocSet

_WHERE = re.compile(
    r"""(?P<name>\w+)\.(?:search|hit_pages|facets)\([^\n]*\bwhere\s*=\s*"""
    r"""(?P<quote>["'])(?P<text>[^\n]*)$"""
)
_MARK = "_workbench_completes"


def complete_in_ipython() -> None:
    """Teaches the running IPython, if there is one, to complete filters; a second call is idle."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or getattr(shell, _MARK, False):
        return
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()  # type: ignore[untyped-decorator, unused-ignore]
    def filters(context: Any) -> dict[str, Any]:
        fragment, found = completions(context.text_until_cursor, shell.user_ns)
        return {
            "completions": [SimpleCompletion(text, type="filter") for text in found],
            "matched_fragment": fragment,
            "ordered": True,
            "suppress": bool(found),
        }

    shell.Completer.custom_matchers.append(filters)
    setattr(shell, _MARK, True)


def completions(line: str, names: dict[str, Any]) -> tuple[str, list[str]]:
    """What the end of the line is completed from, and to what; nothing outside of a filter.

    `names` are those of the notebook.
    """
    found = _WHERE.search(line)
    docset = names.get(found["name"]) if found is not None else None
    if found is None or not isinstance(docset, DocSet) or _closed(found):
        return "", []
    try:
        told = docset.complete(found["text"])
    except WorkbenchError:
        return "", []
    texts = [item.text for item in told.items]
    return found["text"][told.start :], [text for text in texts if found["quote"] not in text]


def _closed(found: re.Match[str]) -> bool:
    return found["quote"] in found["text"]
