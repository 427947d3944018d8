"""References to entities in XML: names for texts that the file, or another file, declares.

They are never replaced by those texts, which may grow without bound or come from outside. They stay
as written, `&name;`: the words around them are kept, and a reader sees the gap.
"""

from lxml import etree

_MOST_NAMES = 5
_LONGEST_NAME = 40


def references_as_text(root: etree._Element, notes: list[str]) -> None:
    """Makes references plain text, and adds a remark that names them."""
    if root.getroottree().docinfo.internalDTD is None:
        return  # without declarations a reference is an error
    references = list(root.iter(etree.Entity))
    for parent in dict.fromkeys(reference.getparent() for reference in references):
        if parent is not None:
            _plain(parent)
    if references and (remark := _remark([one.text or "" for one in references])) not in notes:
        notes.append(remark)  # once, though a part may be read twice


def _plain(parent: etree._Element) -> None:
    """Appends each reference and the text after it to the text before it, in one pass."""
    before: etree._Element | None = None
    pieces = [parent.text or ""]
    for child in list(parent):
        if isinstance(child, etree._Entity):
            pieces += [child.text or "", child.tail or ""]
            parent.remove(child)
            continue
        _set(parent, before, pieces)
        before, pieces = child, [child.tail or ""]
    _set(parent, before, pieces)


def _set(parent: etree._Element, before: etree._Element | None, pieces: list[str]) -> None:
    text = "".join(pieces)
    if before is None:
        parent.text = text
    else:
        before.tail = text


def _remark(references: list[str]) -> str:
    names = list(dict.fromkeys(name[:_LONGEST_NAME] for name in references))
    named = ", ".join(names[:_MOST_NAMES]) + ", …" * (len(names) > _MOST_NAMES)
    return f"references to XML entities were not replaced: {len(references)} ({named})"
