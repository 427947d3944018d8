"""The commands in the order of the help; which module does each is known before any is loaded."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A word of the command line, what it does, and the module that does it."""

    name: str
    sentence: str
    module: str


COMMANDS = (
    Command("demo", "make a sample DocSet and open it", "demo"),
    Command("docsets", "list, create, show, clone or delete DocSets", "docsets"),
    Command("add", "add files, folders or URLs to a DocSet", "add"),
    Command("search", "search a DocSet", "search"),
    Command("ask", "plan, correct and run a question about a DocSet", "ask"),
    Command("tasks", "list, follow or cancel tasks of the server", "tasks"),
    Command("rebuild", "build the index of a DocSet anew", "rebuild"),
    Command("export", "write documents, elements or hits to a file", "export"),
    Command("models", "list, install, remove or change what makes vectors", "models"),
    Command("lab", "open JupyterLab on the tours", "lab"),
    Command("serve", "run the backend in the foreground", "serve"),
    Command("stop", "stop the backend", "stop"),
    Command("backup", "write all data of the server into one file", "backup"),
    Command("restore", "fill an empty data folder from such a file", "restore"),
    Command("tokens", "list, make or revoke access tokens of the server", "tokens"),
    Command("completion", "print what a shell needs to complete commands", "completion"),
    Command("help", "show a page of the guide", "help"),
    Command("doctor", "look at what the workbench finds on this machine", "doctor"),
)
