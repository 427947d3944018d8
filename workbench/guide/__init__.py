"""The manual: one Markdown page per topic, shipped with the program.

`workbench help TOPIC` shows a page, the README links them. Tables inside pages are generated from
the code, and a test compares them.
"""

from importlib.resources import files

TOPICS: dict[str, str] = {
    "terminal": "the app, its screens and keys",
    "notebooks": "library, frames and widgets",
    "reference": "every call of the library",
    "questions": "plans, feedback, coverage and evidence",
    "properties": "schemas, confidence and corrections",
    "search": "kinds of search, filters, and why a hit ranks where it does",
    "formats": "supported formats, and what is read from each",
    "command-line": "every command",
    "settings": "every setting",
    "models": "vectors, and the optional language model",
    "aryn-sdk": "using the public client against this backend",
    "past-one-machine": "PostgreSQL and several servers",
    "security": "what is promised, and what is not",
    "operation": "backup, restore, repair and monitoring",
    "measured": "figures, each with the command that repeats it",
    "development": "tests, benches and how the code is built",
}
"""The pages in the order of the README, each with the question it answers."""


class NoSuchPage(LookupError):
    """There is no page of that name; the message lists all."""


def page(topic: str) -> str:
    """The text of a page as Markdown.

    Raises NoSuchPage for an unknown topic. Example: `page("questions")`.
    """
    if topic not in TOPICS:
        raise NoSuchPage(f"There is no page {topic!r}. Pages: {', '.join(TOPICS)}.")
    return files(__name__).joinpath(f"{topic}.md").read_text(encoding="utf-8")
