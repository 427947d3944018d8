"""Write all documents, open them again, and confirm that every truth is visible in the text.

``python -m tests.golden.self_check [FOLDER]`` prints counts and problems; a problem exits with 1.

Forms in which a value counts as visible: the strings in ``Document.written`` if given; otherwise
for texts and choices the value or a listed spelling of it; for dates the ISO, American, British,
German and long forms; for numbers the digits with or without thousands separators and decimals,
in English or German style, or a number word up to ten. A bool must have a written form. For
an absent text or choice, no value known for that property may stand in the document. Absent
numbers, dates, truth values and lists are not checked.
"""

from __future__ import annotations

import email
import re
import sys
import tempfile
from collections import Counter
from datetime import date
from email import policy
from email.utils import parsedate_to_datetime
from pathlib import Path

import docx
import pypdfium2  # type: ignore[import-untyped]
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import html

from tests.golden.common import Document, Kind
from tests.golden.documents import kinds, write_all
from tests.golden.questions import QUESTIONS, for_kind

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# Words that stand for a value elsewhere but for something else in this document.
HARMLESS: dict[tuple[str, str], set[str]] = {
    ("minutes_10.md", "chair"): {"Hanna Brook"},  # came, but is not said to have chaired
}


def text_of(path: Path) -> str:
    """The visible text of a document, white space made single."""
    if path.suffix == ".pdf":
        pages = pypdfium2.PdfDocument(path)
        parts = [page.get_textpage().get_text_range() for page in pages]
    elif path.suffix == ".html":
        tree = html.fromstring(path.read_bytes())
        parts = [str(piece) for piece in tree.find("body").itertext()]  # type: ignore[union-attr]
    elif path.suffix == ".docx":
        parts = []
        for block in docx.Document(str(path)).iter_inner_content():
            if isinstance(block, Paragraph):
                parts.append(block.text)
            elif isinstance(block, Table):
                parts += [cell.text for row in block.rows for cell in row.cells]
    elif path.suffix == ".eml":
        mail = email.message_from_bytes(path.read_bytes(), policy=policy.default)
        sent = parsedate_to_datetime(str(mail["Date"])).date()
        parts = [str(mail["From"]), str(mail["Subject"]), sent.isoformat()]
        for kind in ("plain", "html"):
            body = mail.get_body((kind,))
            if body is not None:
                raw = str(body.get_content())
                parts.append(raw if kind == "plain" else html.fromstring(raw).text_content())
    else:
        parts = [path.read_text(encoding="utf-8")]
    text = " ".join(parts).replace("\ufffe", "-").replace("\u2019", "'")
    return " ".join(text.split())


def number_forms(value: float, whole: bool) -> set[str]:
    """Digits of a number as they may be written."""
    forms: set[str] = set()
    for decimals in (0, 1, 2):
        if round(value, decimals) != value:
            continue
        english = f"{abs(value):,.{decimals}f}"
        german = english.translate(str.maketrans(",.", ".,"))
        for form in (english, german, english.replace(",", "")):
            forms.add(f"({form})" if value < 0 else form)
    if whole and 0 <= value < len(WORDS):
        forms.add(WORDS[int(value)])
    return forms


def date_forms(day: date) -> set[str]:
    """A date as it may be written."""
    long, short = day.strftime("%B"), day.strftime("%b")
    d, m, y = day.day, day.month, day.year
    return {
        day.isoformat(),
        f"{m:02d}/{d:02d}/{y}",
        f"{d:02d}/{m:02d}/{y}",
        f"{d:02d}.{m:02d}.{y}",
        f"{d} {long} {y}",
        f"{long} {d}, {y}",
        f"{d} {short} {y}",
        f"{d:02d} {short} {y}",
        f"{short} {d}, {y}",
        f"{d:02d}-{short}-{y}",
    }


def seen(text: str, form: str) -> bool:
    """Whether a form stands in the text as a word or number of its own."""
    inside = re.escape(" ".join(form.split()))
    return re.search(rf"(?<![\w]){inside}(?!\w|[.,]\d)", text, re.IGNORECASE) is not None


def spellings(kind: Kind, prop: str, value: str) -> set[str]:
    return {value, *kind.same.get(prop, {}).get(value, ())}


def visible(kind: Kind, document: Document, prop: str, text: str) -> bool:
    value = document.values[prop]
    written = document.written.get(prop)
    if written is not None:
        return any(
            form in text or form.lower() in text.lower()
            for form in (" ".join(part.split()) for part in written)
        )
    if isinstance(value, bool):
        return False
    if isinstance(value, date):
        return any(seen(text, form) for form in date_forms(value))
    if isinstance(value, int | float):
        forms = number_forms(value, isinstance(value, int))
        return any(seen(text, form) for form in forms)
    if isinstance(value, list):
        return all(seen(text, str(member)) for member in value)
    # A currency sign touches the amount, so texts are looked for without word limits if short.
    return any(
        seen(text, form) or (form in "$€£" and form in text)
        for form in spellings(kind, prop, str(value))
    )


def intruders(kind: Kind, document: Document, prop: str, text: str) -> list[str]:
    """Values known for a text property that stand in a document said to lack it."""
    entry = next(item for item in kind.schema if item["name"] == prop)
    if entry["type"] not in ("string", "choice"):
        return []
    known: set[str] = set()
    for other in kind.documents:
        value = other.values[prop]
        if value is not None:
            known |= spellings(kind, prop, str(value))
    known -= HARMLESS.get((document.name, prop), set())
    return sorted(form for form in known if seen(text, form) or (form in "$€£" and form in text))


def check(folder: Path) -> int:
    """Write, read again, compare and print; returns the number of problems."""
    problems = 0
    print(f"{write_all(folder)} documents written to {folder}")
    for key, kind in kinds().items():
        names = [str(entry["name"]) for entry in kind.schema]
        values = absent = 0
        lacking: Counter[str] = Counter()
        notes: list[str] = []
        for document in kind.documents:
            path = folder / key / document.name
            text = text_of(path)
            if list(document.values) != names:
                problems += 1
                notes.append(f"PROBLEM {document.name}: properties differ from the schema")
            for prop in names:
                value = document.values[prop]
                if value is None:
                    absent += 1
                    lacking[prop] += 1
                    result = intruders(kind, document, prop, text)
                    if result:
                        notes.append(
                            f"look at {document.name}: {prop} absent, but text has {result}"
                        )
                    continue
                values += 1
                if not visible(kind, document, prop, text):
                    problems += 1
                    notes.append(f"PROBLEM {document.name}: {prop} = {value!r} not visible")
        total = values + absent
        print(
            f"{kind.noun} ({key}): {len(kind.documents)} documents, {len(names)} properties, "
            f"{values} values, {absent} absent ({absent / total:.0%}), "
            f"{len(for_kind(key))} questions"
        )
        print("   absent by property: " + ", ".join(f"{n} {lacking[n]}" for n in names))
        for note in notes:
            print("   " + note)
    voices = Counter(question.voice for question in QUESTIONS)
    answers = Counter(question.answer for question in QUESTIONS)
    print(f"{len(QUESTIONS)} questions; voices {dict(voices)}; answers {dict(answers)}")
    texts = Counter((question.kind, question.text) for question in QUESTIONS)
    for item, count in texts.items():
        if count > 1:
            problems += 1
            print(f"PROBLEM: question twice: {item}")
    return problems


def main() -> int:
    if len(sys.argv) > 1:
        return min(1, check(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as folder:
        return min(1, check(Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
