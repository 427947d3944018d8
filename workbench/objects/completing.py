"""The tab key inside `where="…"` in IPython: completes properties, operators and values."""

import re
import sys
from typing import Any

from workbench.client.errors import WorkbenchError
from workbench.objects.docset import DocSet

_WHERE = re.compile(
    r"""(?<!\w)(?P<name>\w+)\.(?:search|hit_pages|facets)\((?=[^\n]*+$)[^\n]*\bwhere\s*=\s*"""
    r"""(?P<quote>["'])(?P<text>[^\n]*)$"""
)
_MARK = "_workbench_completes"


def complete_in_ipython() -> None:
    """Registers filter completion with the running IPython, if any; safe to call repeatedly."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or getattr(shell, _MARK, False):
        return
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()  # type: ignore[untyped-decorator, unused-ignore]
    def filters(context: Any) -> dict[str, Any]:
        fragment, texts = completions(context.text_until_cursor, shell.user_ns)
        return {
            "completions": [SimpleCompletion(text, type="filter") for text in texts],
            "matched_fragment": fragment,
            "ordered": True,
            "suppress": bool(texts),
        }

    shell.Completer.custom_matchers.append(filters)
    setattr(shell, _MARK, True)


def completions(line: str, names: dict[str, Any]) -> tuple[str, list[str]]:
    """The fragment at the end of the line and its completions; nothing outside of a filter.

    `names` is the namespace of the notebook.
    """
    match = _WHERE.search(line)
    docset = names.get(match["name"]) if match is not None else None
    if match is None or not isinstance(docset, DocSet) or _closed(match):
        return "", []
    try:
        proposed = docset.complete(match["text"])
    except WorkbenchError:
        return "", []
    texts = [item.text for item in proposed.items]
    return match["text"][proposed.start :], [text for text in texts if match["quote"] not in text]


def _closed(match: re.Match[str]) -> bool:
    return match["quote"] in match["text"]
