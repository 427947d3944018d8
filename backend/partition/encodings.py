"""Bytes of unknown encoding -> text."""

import codecs
import re
from unicodedata import category

import charset_normalizer

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_DECLARED = re.compile(
    rb"<meta[^>]{0,200}?charset\s*+=\s*+(?:[\"']\s*+)?([A-Za-z0-9_.:-]{2,40})"
    rb"|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,40})",
    re.I,
)
NO_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})
"""Encodings of Python that are none of texts."""
_SHIFTED = re.compile(rb"\x1b\$[@B](?:[\x21-\x7e]{2})+\x1b\([BJ]")
"""Kanji between the escapes of ISO-2022-JP."""
_LAYOUT = "\t\n\f\r"
_MEANINGLESS = ("Cc", "Cn", "Co", "Cs")
_SAMPLE = 20_000
_HEAD = 4096


def decode(data: bytes, encoding: str = "") -> str:
    """The text with LF newlines, in its likeliest encoding unless given; U+FFFD for other bytes."""
    text = data.decode(encoding or encoding_of(data), "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_of(data: bytes) -> str:
    """The sure encoding of a text, else the likeliest of eight bits."""
    return sure_encoding(data) or _eight_bit(data[:_SAMPLE])


def sure_encoding(data: bytes) -> str | None:
    """The encoding if it is certain: by byte order mark, by the zero bytes of UTF-16 and UTF-32, by
    a declaration, by the escapes of ISO-2022-JP, or UTF-8 if it is valid. None if it can only be
    guessed.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    wide = wide_encoding(data[:_HEAD])
    if wide is not None:
        return wide
    declared = _declared(data[:_HEAD])
    if declared is not None:
        return declared
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "iso2022_jp_2" if data.isascii() and _SHIFTED.search(data) else "utf-8"


def wide_encoding(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: nearly every other byte of Western text is zero in the one,
    and hardly anything but text is all characters with a meaning in the other."""
    half = len(head) // 2
    if half < 2:
        return None
    for encoding in ("utf-32-le", "utf-32-be"):
        text = head[: len(head) // 4 * 4].decode(encoding, "replace")
        if "\ufffd" not in text and all(
            char in _LAYOUT or category(char) not in _MEANINGLESS for char in text
        ):
            return encoding
    even, odd = head[0 : 2 * half : 2].count(0), head[1 : 2 * half : 2].count(0)
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * half and odd < 0.05 * half else None


def _declared(head: bytes) -> str | None:
    match = _DECLARED.search(head)
    if match is None:
        return None
    name = (match[1] or match[2]).decode("ascii").lower()
    # Latin-1 in a declaration means Windows-1252 on the web.
    name = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252"}.get(name, name)
    try:
        codec = codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError):
        return None
    # Not everything Python can decode is text, and a wide one would have been seen.
    if name.startswith(("utf-16", "utf-32", "utf16", "utf32")) or codec.name in NO_CHARSETS:
        return None
    return None if codec.name == "utf-8" else codec.name


def _eight_bit(sample: bytes) -> str:
    """Windows-1252, unless the many high bytes show that the script is not Latin."""
    high = sum(byte > 127 for byte in sample)
    letters = high + sum(chr(byte).isalpha() for byte in sample if byte < 128)
    if high > 0.4 * letters:
        best = charset_normalizer.from_bytes(sample).best()
        if best is not None:
            return best.encoding
    return "cp1252"
