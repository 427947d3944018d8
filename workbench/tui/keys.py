"""Every key of the app in one table: bindings, the help screen and the palette are made from it.

A key is named by its id, `place.action`; the `[keys]` table of the settings file binds an id to
other keys. Left out on purpose: keys that terminals cannot distinguish (ctrl+i, ctrl+m, ctrl+j,
ctrl+h), or use themselves (ctrl+s, ctrl+z, and ctrl+b inside tmux).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from textual.binding import Binding


@dataclass(frozen=True)
class Key:
    """One binding. `tooltip` is a sentence for the help screen; hints show the first key only."""

    id: str
    keys: str
    action: str
    description: str
    tooltip: str
    hint: bool = True


def _place(name: str, *rows: tuple[str, str, str, str, str] | tuple[str, ...]) -> tuple[Key, ...]:
    """Rows of (name, keys, action, description, tooltip); a trailing "hidden" hides the hint."""
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
        ("tasks", "4", "go('tasks')", "Tasks", "Go to the tasks of the server.", "hidden"),
        ("search", "5", "go('search')", "Search", "Go to the search.", "hidden"),
        ("plans", "6", "go('plans')", "Plans", "Go to questions and their plans.", "hidden"),
        ("settings", "7", "go('settings')", "Settings", "Go to the settings.", "hidden"),
        ("jump", "ctrl+o", "jump", "Jump", "Show a letter on every pane, to go there.", "hidden"),
        ("help", "question_mark", "help", "help", "Show the keys of this screen."),
        ("guide", "f1", "guide", "Guide", "Open the guide at the page on this screen.", "hidden"),
        ("quit", "ctrl+q", "quit", "Quit now", "Quit at once; the backend runs on.", "hidden"),
        ("reload", "f5", "reload", "Reload", "Reload from the server.", "hidden"),
        ("zoom", "z", "zoom", "Fill screen", "Fill the screen with the pane, or undo.", "hidden"),
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
    "table": _place(
        "table",
        ("right", "right", "right", "Right", "Go one column to the right.", "hidden"),
        ("left", "left", "left", "Left", "Go one column to the left.", "hidden"),
    ),
    "docsets": _place(
        "docsets",
        ("new", "n", "new", "new", "Make a DocSet."),
        ("properties", "p", "properties", "properties", "Extract properties from every document."),
        ("rename", "m", "rename", "rename", "Rename the DocSet."),
        ("clone", "c", "clone", "clone", "Make an independent copy."),
        ("readonly", "w", "readonly", "write-protect", "Turn write protection on or off."),
        ("delete", "d", "delete", "delete", "Delete the DocSet; you type its name to confirm."),
        ("filter", "slash", "filter", "filter", "Filter by name."),
        ("widen", "escape", "widen", "Clear filter", "Clear the filter.", "hidden"),
        ("demo", "D", "demo", "demo", "Make a DocSet of sample documents.", "hidden"),
    ),
    "documents": _place(
        "documents",
        ("add", "a", "add", "add", "Add files: a path, folder or pattern; or drop them."),
        ("columns", "v", "columns", "columns", "Choose which properties to show as columns."),
        ("export", "e,ctrl+e", "export", "export", "Export the table to a file."),
        ("sort", "s", "sort", "sort", "Sort by a property; choose it again to reverse."),
        ("values", "f", "values", "values", "Filter by a value of a property."),
        ("correct", "p", "correct", "correct", "Correct a property of the document."),
        ("review", "r", "review", "review", "Review the least certain values, one key each."),
        ("changes", "R", "changes", "changes",
         "Show what re-reading with your values would change.", "hidden"),
        ("mark", "space", "mark", "mark", "Mark the document, to delete or save several."),
        ("delete", "d", "delete", "delete", "Delete the marked documents, or this one."),
        ("save", "o", "save", "save original", "Save the original file.", "hidden"),
        ("filter", "slash", "filter", "filter", "Filter by part of a name, or by a condition."),
        ("widen", "escape", "widen", "Clear filter", "Clear the filter.", "hidden"),
    ),
    "uploads": _place(
        "uploads",
        ("add", "a", "add", "add", "Add files: a path, folder or pattern; or drop them."),
        ("retry", "r", "retry", "retry", "Retry this upload, even if it is a duplicate."),
        ("retry_all", "R", "retry_all", "retry failed", "Retry all failed uploads."),
        ("cancel", "x", "cancel", "cancel", "Cancel this upload; you can retry it later."),
        ("clear", "c", "clear", "clear done", "Remove finished uploads; failed ones stay."),
        ("forget", "d", "forget", "remove", "Remove this upload from the list.", "hidden"),
        ("filter", "slash", "filter", "filter", "Filter by name."),
        ("widen", "escape", "widen", "Clear filter", "Clear the filter.", "hidden"),
    ),
    "tasks": _place(
        "tasks",
        ("cancel", "x", "cancel", "cancel", "Cancel the task."),
        ("result", "enter", "result", "result", "Show the result of the task.", "hidden"),
        ("follow", "f", "follow", "follow", "Keep the newest task selected."),
        ("copy", "y", "copy_id", "copy id", "Copy the id of the task."),
        ("filter", "slash", "filter", "filter", "Filter by part of a name or state."),
        ("widen", "escape", "widen", "Clear filter", "Clear the filter.", "hidden"),
    ),
    "search": _place(
        "search",
        ("query", "slash", "query", "query", "Type what to search for."),
        ("kind", "t", "kind", "kind", "Search by literal text, words, meaning, or both."),
        ("return", "m", "return_type", "docs/elements", "Find documents or elements."),
        ("where", "c", "where", "condition", "Type a condition on the properties."),
        ("facets", "f", "facets", "facets", "Go to the values of the properties."),
        ("toggle", "space", "toggle_value", "choose", "Choose a value, or undo it.", "hidden"),
        ("exclude", "minus", "exclude_value", "exclude", "Leave out this value.", "hidden"),
        ("clear", "C", "clear_filters", "clear filters", "Remove all filters.", "hidden"),
        ("answer", "a", "answer", "answer", "Answer the query in words, with sources."),
        ("why", "w", "why", "why here", "Explain why the hit ranks here.", "hidden"),
        ("next", "right_square_bracket", "next", "next hit", "Go to the next hit.", "hidden"),
        ("previous", "left_square_bracket", "previous", "previous hit", "Go back a hit.", "hidden"),
        ("history", "h", "history", "history", "Open a saved or earlier search."),
        ("save", "s", "save", "save", "Save this search under a name."),
        ("export", "e,ctrl+e", "export", "export", "Export the hits to a file, or as code."),
    ),
    "plans": _place(
        "plans",
        ("ask", "a", "ask", "ask", "Ask a new question."),
        ("feedback", "e", "feedback", "feedback", "Say what to change, in your own words."),
        ("edit", "enter", "edit_node", "edit step", "Edit the step.", "hidden"),
        ("run", "r", "run", "run", "Run the plan."),
        ("run_to", "R", "run_to", "run to here", "Run up to the selected step."),
        ("add", "i", "add_node", "insert", "Insert a step after the selected one."),
        ("remove", "x", "remove_node", "remove", "Remove the step; its input is passed on."),
        ("rewire", "w", "rewire", "rewire", "Choose the inputs of the step."),
        ("values", "v", "values", "values", "Choose which values the filter accepts."),
        ("merge", "M", "merge", "merge", "Choose which spellings count as one.", "hidden"),
        ("summary", "S", "summary", "summary", "Run, and summarize the answer in words.", "hidden"),
        ("stop", "X", "stop", "stop", "Stop the run; finished steps keep their rows.", "hidden"),
        ("accept", "y", "accept", "accept", "Accept the selected change."),
        ("refuse", "n", "refuse", "reject", "Reject the selected change."),
        ("undo", "u", "undo", "undo", "Go back a version; nothing is lost."),
        ("redo", "U", "redo", "redo", "Go forward again."),
        ("diff", "D", "diff", "diff", "Compare steps and rows with another version."),
        ("output", "o", "output", "output", "Show the rows of the step."),
        ("sort", "O", "sort", "sort", "Sort the rows by the column of the cursor.", "hidden"),
        ("trace", "t", "trace", "behind it", "Open the documents behind a number or row."),
        ("left_out", "l", "left_out", "left out", "Open the documents the answer leaves out."),
        ("review", "c", "review", "review", "Review the values that are missing or doubtful."),
        ("history", "h", "history", "versions", "Choose from all versions, shown as a tree."),
        ("sessions", "s", "sessions", "questions", "Open an earlier question about this DocSet."),
        ("name", "N", "name", "name", "Name the question, to find it again.", "hidden"),
        ("export", "ctrl+e", "export", "export", "Export rows or plan: files, Python, JSON."),
    ),
    "evidence": _place(
        "evidence",
        ("back", "escape", "back", "back", "Go back."),
    ),
    "review": _place(
        "review",
        *((f"take_{n}", str(n), f"take({n})", f"take {n}", f"Take alternative {n}.", "hidden")
          for n in range(1, 6)),
        ("none", "n", "none", "none", "The document has no such value."),
        ("type", "t", "type", "type", "Type the value, or choose it from a short list."),
        ("skip", "s,space", "skip", "skip", "Skip this value."),
        ("previous", "b,backspace", "previous", "back", "Go back to decide again."),
        ("property", "p", "property", "property", "Review only this property, or all again."),
        ("certain", "c", "certain", "certain too", "Include the certain values too, or not."),
        ("reread", "r", "reread", "re-read", "Re-read all documents with these values."),
        ("always", "A", "always", "re-read always",
         "Re-read by itself after each correction, or not."),
        ("open", "o", "open", "document", "Open the document at this place."),
        ("back", "escape", "back", "leave", "Leave the review; decisions are kept."),
    ),
    "changes": _place(
        "changes",
        ("accept", "y", "accept", "accept", "Accept the change; the value counts as checked."),
        ("refuse", "x", "refuse", "refuse", "Refuse the change and keep the value."),
        ("accept_all", "A", "accept_all", "accept all", "Accept all changes that are open."),
        ("undo", "u", "undo", "undo all", "Undo all accepted changes as one step."),
        ("reread", "r", "reread", "re-read", "Re-read the documents."),
        ("back", "escape", "back", "back", "Go back."),
    ),
    "viewer": _place(
        "viewer",
        ("next_page", "right_square_bracket,right", "next_page", "next page", "Next page."),
        ("previous_page", "left_square_bracket,left", "previous_page", "page back",
         "Previous page."),
        ("boxes", "b", "boxes", "boxes", "Show boxes of all elements, of one, or none."),
        ("values", "v", "values", "values", "Go to the values, their confidence and source."),
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


TABLES = ("documents", "plans")
"""Places with a table whose cursor marks a cell."""
RESERVED: Mapping[str, str] = {
    **dict.fromkeys(
        ("ctrl+i", "ctrl+m", "ctrl+j", "ctrl+h"), "terminals confuse it with another key"
    ),
    **dict.fromkeys(("ctrl+s", "ctrl+z", "ctrl+b"), "terminals use it themselves"),
    **dict.fromkeys(("tab", "shift+tab"), "it moves to the next pane"),
}
"""Keys that no command can have, with the reason."""


def key_fault(key_id: str, keys: str | None, keymap: Mapping[str, str]) -> str:
    """Why a command cannot have these keys (None: its default keys), as a sentence; empty if it
    can. `keymap` has the keys assigned to other commands.
    """
    named = {key.id: key for place in KEYS.values() for key in place}
    own = _names(named[key_id].keys)
    wanted = own if keys is None else _names(keys)
    near = _near(key_id.partition(".")[0])
    for key in wanted:
        if key in RESERVED:
            return f"{shown(key)} cannot be used: {RESERVED[key]}."
        for other in named.values():
            shares = other.id != key_id and other.id.partition(".")[0] in near
            meant = key in own and key in _names(other.keys)  # as with enter in lists of steps
            if shares and not meant and key in _names(keymap.get(other.id, other.keys)):
                return f"{shown(key)} is in use: {other.tooltip}"
    return ""


def _names(keys: str) -> list[str]:
    return [key.strip() for key in keys.split(",")]


def _near(place: str) -> set[str]:
    """The places whose keys are active together with those of `place`."""
    if place in ("app", "list"):
        return set(KEYS)
    if place == "table":
        return {"table", "list", "app", *TABLES}
    return {place, "list", "app", *(("table",) if place in TABLES else ())}


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
