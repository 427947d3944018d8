"""Formulas in MathML and in Office's own markup (OMML) -> LaTeX, as far as plain text goes.

Letters and symbols are kept; only superscripts, subscripts and roots get markup.
"""

from collections.abc import Callable, Iterable

from lxml import etree

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_TEX = ("application/x-tex", "application/x-latex", "LaTeX", "TeX")
_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
_HIDDEN = frozenset({"mphantom", "annotation", "annotation-xml", "mprescripts", "none"})
_LARGE = {"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∮": r"\oint", "⋃": r"\bigcup"}
_ACCENTS = {
    "\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0305": r"\overline",
    "\u20d7": r"\vec", "\u0307": r"\dot", "\u0308": r"\ddot", "^": r"\hat", "~": r"\tilde",
    "¯": r"\bar", "→": r"\vec", "˙": r"\dot", "¨": r"\ddot",
}  # fmt: skip


def of_mathml(node: etree._Element) -> str:
    """A `math` element in any namespace, or one of its parts."""
    for note in node.iter("{*}annotation"):
        if note.get("encoding") in _TEX and (note.text or "").strip():
            return _spaced(note.text or "")
    return _spaced(_mathml(node))


def of_omml(node: etree._Element) -> str:
    """An `oMath` element of a DOCX or PPTX part, or one of its parts."""
    return _spaced(_omml(node))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _group(text: str) -> str:
    """In braces unless it is a single sign."""
    text = text.strip()
    return text if len(text) == 1 else f"{{{text}}}"


def _script(base: str, below: str = "", above: str = "") -> str:
    out = _group(base) if len(base.strip()) > 1 and not base.startswith("\\") else base.strip()
    out += f"_{_group(below)}" if below.strip() else ""
    return out + (f"^{_group(above)}" if above.strip() else "")


def _rows(rows: Iterable[Iterable[str]]) -> str:
    return r"\begin{matrix}" + r" \\ ".join(" & ".join(row) for row in rows) + r"\end{matrix}"


# -- MathML ---------------------------------------------------------------------------------------


def _mathml(node: etree._Element) -> str:
    name = _name(node)
    if not name or name in _HIDDEN:
        return ""
    if name in _TOKENS:
        text = "".join(node.itertext()).strip()
        return _LARGE.get(text, text) if name == "mo" else text
    if name == "mtable":  # before its children, which its rows read: nested ones would double
        return _rows([_mathml(cell) for cell in row] for row in node if _name(row) == "mtr")
    parts = [_mathml(child) for child in node if _name(child)]
    build = _MATHML.get(name)
    if build is not None and len(parts) >= build[0]:
        return build[1](parts)
    if name == "mfenced":
        body = (node.get("separators") or ",")[:1].join(parts)
        return f"{node.get('open', '(')}{body}{node.get('close', ')')}"
    if name == "msqrt":
        return rf"\sqrt{{{' '.join(parts)}}}"
    if name == "semantics":
        return parts[0] if parts else ""
    return " ".join(part for part in parts if part)


def _over(parts: list[str]) -> str:
    accent = _ACCENTS.get(parts[1])
    return f"{accent}{{{parts[0]}}}" if accent else _script(parts[0], above=parts[1])


_MATHML: dict[str, tuple[int, Callable[[list[str]], str]]] = {
    "mfrac": (2, lambda p: rf"\frac{{{p[0]}}}{{{p[1]}}}"),
    "mroot": (2, lambda p: rf"\sqrt[{p[1]}]{{{p[0]}}}"),
    "msup": (2, lambda p: _script(p[0], above=p[1])),
    "msub": (2, lambda p: _script(p[0], below=p[1])),
    "msubsup": (3, lambda p: _script(p[0], p[1], p[2])),
    "munderover": (3, lambda p: _script(p[0], p[1], p[2])),
    "munder": (2, lambda p: _script(p[0], below=p[1])),
    "mover": (2, _over),
}
"""The number of parts of an element, and the LaTeX made of them."""


# -- OMML -----------------------------------------------------------------------------------------


def _omml(node: etree._Element) -> str:
    name = _name(node)
    if not name or name.endswith("Pr"):
        return ""
    if name == "t":
        return node.text or ""
    build = _OMML.get(name)
    if build is not None:
        return build(node)
    return "".join(_omml(child) for child in node)


def _part(node: etree._Element, name: str) -> str:
    element = node.find(f"{_M}{name}")
    return "" if element is None else "".join(_omml(child) for child in element)


def _value(node: etree._Element, path: str, default: str) -> str:
    child = node.find("/".join(f"{_M}{step}" for step in path.split("/")))
    value = None if child is None else child.get(f"{_M}val")
    return default if value is None else value


def _fraction(node: etree._Element) -> str:
    above, below = _part(node, "num"), _part(node, "den")
    if _value(node, "fPr/type", "") == "lin":
        return f"{above}/{below}"
    return rf"\frac{{{above}}}{{{below}}}"


def _root(node: etree._Element) -> str:
    degree = _part(node, "deg").strip()
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(node, 'e')}}}"


def _large(node: etree._Element) -> str:
    sign = _value(node, "naryPr/chr", "∫")
    head = _script(_LARGE.get(sign, sign), _part(node, "sub"), _part(node, "sup"))
    return f"{head} {_part(node, 'e')}"


def _fenced(node: etree._Element) -> str:
    first, last = _value(node, "dPr/begChr", "("), _value(node, "dPr/endChr", ")")
    inside = ["".join(map(_omml, part)) for part in node.iterfind(f"{_M}e")]
    return first + _value(node, "dPr/sepChr", "|").join(inside) + last


def _accented(node: etree._Element) -> str:
    sign = _value(node, "accPr/chr", "\u0302")
    return f"{_ACCENTS.get(sign, sign)}{{{_part(node, 'e')}}}"


def _matrix(node: etree._Element) -> str:
    rows = node.iterfind(f"{_M}mr")
    return _rows(["".join(map(_omml, cell)) for cell in row.iterfind(f"{_M}e")] for row in rows)


_OMML: dict[str, Callable[[etree._Element], str]] = {
    "f": _fraction,
    "rad": _root,
    "nary": _large,
    "d": _fenced,
    "acc": _accented,
    "m": _matrix,
    "eqArr": lambda n: _rows(["".join(map(_omml, line))] for line in n.iterfind(f"{_M}e")),
    "sSup": lambda n: _script(_part(n, "e"), above=_part(n, "sup")),
    "sSub": lambda n: _script(_part(n, "e"), below=_part(n, "sub")),
    "sSubSup": lambda n: _script(_part(n, "e"), _part(n, "sub"), _part(n, "sup")),
    "limLow": lambda n: _script(_part(n, "e"), below=_part(n, "lim")),
    "limUpp": lambda n: _script(_part(n, "e"), above=_part(n, "lim")),
    "bar": lambda n: rf"\overline{{{_part(n, 'e')}}}",
    "func": lambda n: f"{_part(n, 'fName')} {_part(n, 'e')}",
}


def _name(node: etree._Element) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""
