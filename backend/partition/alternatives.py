"""Alternative content in office files: what newer programs show, and a fallback for all others.

One is chosen where a part is parsed, so that the readers of formats see nothing twice: the first
alternative that needs only what these readers know, else the fallback, and without a fallback the
first alternative, since its words are better than none.
"""

from lxml import etree

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MICROSOFT = "http://schemas.microsoft.com/office"
_KNOWN = frozenset({
    f"{_MICROSOFT}/word/2010/wordprocessingShape",
    f"{_MICROSOFT}/word/2010/wordprocessingGroup",
    f"{_MICROSOFT}/word/2010/wordprocessingCanvas",
    f"{_MICROSOFT}/word/2010/wordprocessingDrawing",
    f"{_MICROSOFT}/drawing/2010/main",
})  # fmt: skip
"""Text boxes, groups and canvases of Word, formulas on slides and controls on sheets."""


def settle_alternatives(root: etree._Element) -> None:
    """Replaces each set of alternatives by the content of the chosen one."""
    for node in list(root.iter(f"{_MC}AlternateContent")):
        parent = node.getparent()
        if parent is None:
            continue
        for child in _chosen(node):
            node.addprevious(child)
        parent.remove(node)


def _chosen(node: etree._Element) -> list[etree._Element]:
    choices = node.findall(f"{_MC}Choice")
    fallback = node.find(f"{_MC}Fallback")
    for choice in choices:
        if _is_known(choice):
            return list(choice)
    if fallback is not None and len(fallback):
        return list(fallback)
    return list(choices[0]) if choices else []


def _is_known(choice: etree._Element) -> bool:
    """Whether all required namespaces, given as prefixes, are supported."""
    spaces = choice.nsmap
    return all(spaces.get(prefix) in _KNOWN for prefix in (choice.get("Requires") or "").split())
