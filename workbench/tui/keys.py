"""Every key of the app in one table: bindings, the help screen and the palette are made from it.

A key is named by its id, `place.action`; the `[keys]` table of the settings file binds an id to
other keys. Left out on purpose: keys that terminals cannot tell apart (ctrl+i, ctrl+m, ctrl+j,
ctrl+h), or take for themselves (ctrl+s, ctrl+z, and ctrl+b inside tmux).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from textual.binding import Binding


@dataclass(frozen=True)
class Key:
    """One binding. `tooltip` is a whole sentence for the help screen; hints show the first key
    only.
    """

    id: str
    keys: str
    action: str
    description: str
    tooltip: str
    hint: bool = True


def _place(name: str, *rows: tuple[str, str, str, str, str] | tuple[str, ...]) -> tuple[Key, ...]:
    """Rows of (name, keys, action, description, tooltip); a trailing "hidden" keeps it off the
    hints.
    """
    return tuple(
        Key(f"{name}.{row[0]}", row[1], row[2], row[3], row[4], hint=row[-1] != "hidden")
        for row in rows
    )


KEYS: dict[str, tuple[Key, ...]] = {
    "app": _place(
        "app",
        ("docsets", "1", "go('docsets')", "DocSets", "Go to the DocSets.", "hidden"),
        ("documents", "2", "go('documents')", "Documents", "Go to the documents.", "hidden"),
        ("uploads", "3", "go('uploads')", "Uploads", "Go to the upload queue.", "hidden"),
        ("tasks", "4", "go('tasks')", "Tasks", "Go to what the server is working on.", "hidden"),
        ("search", "5", "go('search')", "Search", "Go to the search.", "hidden"),
        ("plans", "6", "go('plans')", "Plans", "Go to questions and their plans.", "hidden"),
        ("settings", "7", "go('settings')", "Settings", "Go to the settings.", "hidden"),
        ("jump", "ctrl+o", "jump", "Jump", "Put a letter on every pane; press one.", "hidden"),
        ("help", "question_mark,f1", "help", "help", "Show the keys of what has the focus."),
        ("quit", "ctrl+q", "quit", "Quit now", "Quit at once; the backend runs on.", "hidden"),
        ("reload", "f5", "reload", "Reload", "Ask the server again.", "hidden"),
    ),
    "list": _place(
        "list",
        ("down", "down,j", "down", "Down", "Go one row down.", "hidden"),
        ("up", "up,k", "up", "Up", "Go one row up.", "hidden"),
        ("page_down", "pagedown,ctrl+d", "page_down", "Page down", "Go one page down.", "hidden"),
        ("page_up", "pageup,ctrl+u", "page_up", "Page up", "Go one page up.", "hidden"),
        ("first", "g,home", "first", "First", "Go to the first row.", "hidden"),
        ("last", "G,end", "last", "Last", "Go to the last row.", "hidden"),
        ("open", "enter", "open", "Open", "Open the row.", "hidden"),
        ("quit", "q", "app.leave", "Quit", "Quit; asks if something would be lost.", "hidden"),
    ),
    "docsets": _place(
        "docsets",
        ("new", "n", "new", "new", "Make a DocSet."),
        ("properties", "p", "properties", "properties", "Extract properties from every document."),
        ("rename", "m", "rename", "rename", "Give the DocSet another name."),
        ("clone", "c", "clone", "clone", "Make a copy that shares nothing with this one."),
        ("readonly", "w", "readonly", "write-protect", "Switch write protection on or off."),
        ("delete", "d", "delete", "delete", "Delete the DocSet; its name has to be typed."),
        ("filter", "slash", "filter", "filter", "Show only names that contain a text."),
        ("widen", "escape", "widen", "Widen", "Take the filter of the list away.", "hidden"),
        ("demo", "D", "demo", "demo", "Make a DocSet of sample documents.", "hidden"),
    ),
    "documents": _place(
        "documents",
        ("add", "a", "add", "add", "Add files: a path, folder or pattern, or drop them."),
        ("columns", "v", "columns", "columns", "Choose which properties are columns."),
        ("sort", "s", "sort", "sort", "Put in order by a property; once more turns it round."),
        ("values", "f", "values", "values", "Choose a value of a property to narrow to."),
        ("correct", "p", "correct", "correct", "Correct a property of the document by hand."),
        ("mark", "space", "mark", "mark", "Mark the document for delete or save."),
        ("delete", "d", "delete", "delete", "Delete the marked documents, or this one."),
        ("save", "o", "save", "save original", "Save the original file of the document."),
        ("filter", "slash", "filter", "filter", "Show only some: part of a name, or a condition."),
        ("widen", "escape", "widen", "Widen", "Take the filter of the list away.", "hidden"),
        ("export", "e,ctrl+e", "export", "export", "Write the table to a file.", "hidden"),
    ),
    "uploads": _place(
        "uploads",
        ("add", "a", "add", "add", "Queue files: a path, folder or pattern, or drop them."),
        ("retry", "r", "retry", "retry", "Send this upload again; a duplicate too."),
        ("retry_all", "R", "retry_all", "retry failed", "Send all failed uploads again."),
        ("cancel", "x", "cancel", "cancel", "Stop this upload; it stays here to be retried."),
        ("clear", "c", "clear", "clear done", "Forget what is done; failed uploads stay."),
        ("forget", "d", "forget", "forget", "Take this upload off the queue.", "hidden"),
        ("filter", "slash", "filter", "filter", "Show only names that contain a text."),
        ("widen", "escape", "widen", "Widen", "Take the filter of the list away.", "hidden"),
    ),
    "tasks": _place(
        "tasks",
        ("cancel", "x", "cancel", "cancel", "Stop the task; what it has finished stays."),
        ("result", "enter", "result", "result", "Show what the task came to.", "hidden"),
        ("follow", "f", "follow", "follow", "Keep the newest task in sight."),
        ("copy", "y", "copy_id", "copy id", "Copy the id of the task."),
        ("filter", "slash", "filter", "filter", "Show only some tasks: part of a name or state."),
        ("widen", "escape", "widen", "Widen", "Take the filter of the list away.", "hidden"),
    ),
    "search": _place(
        "search",
        ("query", "slash", "query", "query", "Type what to look for."),
        ("kind", "t", "kind", "kind", "Next kind: keyword, lexical, vector, hybrid."),
        ("return", "m", "return_type", "docs/elements", "Find documents or elements."),
        ("where", "c", "where", "condition", "Type a condition on the properties."),
        ("facets", "f", "facets", "facets", "Go to the values of the properties."),
        ("toggle", "space", "toggle_value", "choose", "Choose a value, or undo it.", "hidden"),
        ("exclude", "minus", "exclude_value", "exclude", "Leave out this value.", "hidden"),
        ("clear", "C", "clear_filters", "clear filters", "Remove all filters.", "hidden"),
        ("answer", "a", "answer", "answer", "Answer the query in words, with the pages behind it."),
        ("why", "w", "why", "why here", "Tell why the hit ranks where it does.", "hidden"),
        ("next", "right_square_bracket", "next", "next hit", "Next hit, page in view.", "hidden"),
        ("previous", "left_square_bracket", "previous", "last hit", "The hit before.", "hidden"),
        ("history", "h", "history", "history", "Choose a search that was kept, or an earlier one."),
        ("save", "s", "save", "keep", "Keep this search under a name."),
        ("export", "e,ctrl+e", "export", "export", "Write the hits to a file, or as Python."),
    ),
    "plans": _place(
        "plans",
        ("ask", "a", "ask", "ask", "Ask a new question."),
        ("feedback", "e", "feedback", "feedback", "Say in words what should be different."),
        ("edit", "enter", "edit_node", "edit node", "Change the fields of the node.", "hidden"),
        ("run", "r", "run", "run", "Run the plan."),
        ("run_to", "R", "run_to", "run to here", "Run up to the node under the cursor."),
        ("add", "i", "add_node", "insert", "Insert a step behind the one under the cursor."),
        ("remove", "x", "remove_node", "take out", "Take the step out; its input goes on."),
        ("rewire", "w", "rewire", "rewire", "Choose what feeds the step."),
        ("values", "v", "values", "values", "Choose which of its values a filter takes."),
        ("merge", "M", "merge", "merge", "Choose which spellings count as one.", "hidden"),
        ("summary", "S", "summary", "summary", "Run, and put the answer into words.", "hidden"),
        ("stop", "X", "stop", "stop", "Stop the run; what its steps gave out stays.", "hidden"),
        ("accept", "y", "accept", "accept", "Accept the change under the cursor."),
        ("refuse", "n", "refuse", "refuse", "Refuse the change under the cursor."),
        ("undo", "u", "undo", "undo", "Go back to the version before; nothing is lost."),
        ("redo", "U", "redo", "redo", "Go forward again."),
        ("diff", "D", "diff", "diff", "Compare with any version: its steps and its rows."),
        ("output", "o", "output", "output", "Show the rows that the node gave out."),
        ("trace", "t", "trace", "behind it", "Open the documents behind the number or row."),
        ("left_out", "l", "left_out", "left out", "Open the documents that the answer leaves out."),
        ("history", "h", "history", "versions", "All versions as a tree; choose one."),
        ("sessions", "s", "sessions", "questions", "Earlier questions about this DocSet."),
        ("name", "N", "name", "name", "Give the question a name to find it by.", "hidden"),
        ("export", "ctrl+e", "export", "export", "Take rows or plan along: files, Python, JSON."),
    ),
    "evidence": _place(
        "evidence",
        ("back", "escape", "back", "back", "Go back."),
    ),
    "viewer": _place(
        "viewer",
        ("next_page", "right_square_bracket,right", "next_page", "next page", "Turn the page."),
        ("previous_page", "left_square_bracket,left", "previous_page", "page back", "Turn back."),
        ("boxes", "b", "boxes", "boxes", "Boxes of all elements, of this one, or none."),
        ("values", "v", "values", "values", "Go to the values, how sure and where they are."),
        ("save", "o", "save", "save original", "Save the original file."),
        ("back", "escape", "back", "back", "Go back."),
    ),
}  # fmt: skip


def bindings(*places: str) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """Textual's bindings for those places, with ids and tooltips, in the order of the table."""
    return [
        Binding(
            key.keys, key.action, key.description, show=key.hint, tooltip=key.tooltip, id=key.id
        )
        for place in places
        for key in KEYS[place]
    ]


def known_ids() -> frozenset[str]:
    """All ids that the `[keys]` table may bind."""
    return frozenset(key.id for keys in KEYS.values() for key in keys)


def read_keymap(table: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """The usable part of a `[keys]` table, and a sentence for each entry that is not."""
    keymap: dict[str, str] = {}
    problems: list[str] = []
    for name, value in _flat(table):
        if name not in known_ids():
            problems.append(f"[keys] {name}: there is no such action.")
        elif not isinstance(value, str) or not value.strip():
            problems.append(f"[keys] {name}: give one key or several with commas, as text.")
        else:
            keymap[name] = value.strip()
    return keymap, problems


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """`docsets.new = "i"` reads the same with and without quotes around the id."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


_SHOWN = {
    "question_mark": "?", "slash": "/", "right_square_bracket": "]", "left_square_bracket": "[",
    "pagedown": "PgDn", "pageup": "PgUp", "down": "↓", "up": "↑", "left": "←", "right": "→",
    "escape": "esc", "minus": "-", "full_stop": ".", "comma": ",",
}  # fmt: skip


def shown(keys: str) -> str:
    """Keys as a person reads them: `question_mark,f1` is `? f1`."""
    return " ".join(_SHOWN.get(key.strip(), key.strip()) for key in keys.split(","))
