"""The format of a text file: by its syntax, or by the name of the file if that is inconclusive."""

import re

from lxml import etree

from backend.partition.encodings import encoding_of

PLAIN, MARKDOWN, CSV, SYLK = "text/plain", "text/markdown", "text/csv", "application/x-sylk"
HTML, XML, SVG = "text/html", "application/xml", "image/svg+xml"
MATHML, EML = "application/mathml+xml", "message/rfc822"
FLAT = "flat OpenDocument"
"""XML with a whole OpenDocument file in it; an attribute of its root gives the type."""

_MAIL = re.compile(r"^(?:From |(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2,})")
_MAIL_FIELDS = re.compile(
    r"^(?:from|to|subject|date|mime-version|received|message-id):", re.I | re.MULTILINE
)
_TAGS = re.compile(
    r"<(?:!doctype html|html|head|body|div|p|table|h[1-6]|ul|ol|span|title|article)\b", re.I
)
_BY_SUFFIX = {
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".csv": CSV, ".tsv": CSV, ".txt": PLAIN,
    ".text": PLAIN, ".log": PLAIN, ".html": HTML, ".htm": HTML, ".xhtml": HTML,
}  # fmt: skip
_BY_ROOT = {"svg": SVG, "math": MATHML, "html": HTML}
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MARKED = re.compile(r"#{1,6} \S|```|\|.*\|\s*$|[-*] \S")


def kind_of(head: bytes, suffix: str) -> str:
    """The kind of the text that begins with `head`; `suffix` is the file name's, in lower case."""
    text = head.decode(encoding_of(head), "ignore").lstrip("\ufeff \t\r\n").replace("\r\n", "\n")
    if text.startswith("ID;P"):
        return SYLK
    if text.startswith("<!--"):
        text = _COMMENT.sub("", text).lstrip()
    if re.match(r"<!doctype html|<html[\s>]", text, re.I):
        return HTML
    if re.match(r"<(?:\?xml|!doctype|!--)", text, re.I):
        return _of_root(text)
    if _MAIL.match(text) and len(_MAIL_FIELDS.findall(text)) >= 2:
        return EML
    if re.match(r"<(?:\w+:)?(?:svg|math)[\s>]", text):
        return _of_root(text)
    by_name = _BY_SUFFIX.get(suffix)
    if by_name is not None:
        return by_name
    if len(_TAGS.findall(text)) >= 2 or (re.match(r"<[a-z!]", text) and _TAGS.search(text)):
        return HTML
    if re.match(r"<[A-Za-z_][\w:.-]*[\s/>]", text):
        return XML
    return _guessed(text)


def _of_root(text: str) -> str:
    """By the first tag of an XML text."""
    text = _COMMENT.sub("", text)
    tag = re.search(r"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]", text)
    name = tag[1] if tag else ""
    if name == "document" and "urn:oasis:names:tc:opendocument" in text:
        return FLAT
    if name.lower() == "html" or (not tag and _TAGS.search(text)):
        return HTML
    return _BY_ROOT.get(name, XML)


def flat_kind(root: etree._Element) -> str:
    """The type that a flat OpenDocument file declares."""
    return root.get("{urn:oasis:names:tc:opendocument:xmlns:office:1.0}mimetype") or ""


def _guessed(text: str) -> str:
    """Markdown and CSV without a telling name are known by their marks."""
    lines = [line for line in text.split("\n")[:-1] or [text] if line.strip()][:50]
    for delimiter in (",", ";", "\t"):
        counts = {line.count(delimiter) for line in lines}
        if len(lines) > 1 and len(counts) == 1 and counts.pop() > 0:
            return CSV
    marks = sum(bool(_MARKED.match(line)) for line in lines)
    return MARKDOWN if lines and marks >= max(1, 0.1 * len(lines)) else PLAIN
