"""Wraps words into lines of a given width, at blanks where possible."""


def wrapped(words: str, width: int) -> list[str]:
    """Lines of at most `width` characters; line breaks in `words` stay, runs of blanks collapse."""
    lines: list[str] = []
    for paragraph in words.splitlines() or [""]:
        rest = " ".join(paragraph.split())
        while len(rest) > width:
            cut = rest.rfind(" ", 0, width + 1)
            cut = cut if cut > 0 else width
            lines.append(rest[:cut])
            rest = rest[cut:].lstrip()
        if rest or not lines:
            lines.append(rest)
    return lines
