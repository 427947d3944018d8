"""The commands in help order; their modules are known without importing them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command: its name, its description, and its module."""

    name: str
    sentence: str
    module: str


COMMANDS = (
    Command("demo", "create a sample DocSet and open it", "demo"),
    Command("docsets", "list, create, show, clone or delete DocSets", "docsets"),
    Command("add", "add files, folders or URLs to a DocSet", "add"),
    Command("properties", "list, suggest or extract properties of a DocSet", "properties"),
    Command("search", "search a DocSet", "search"),
    Command("ask", "plan, correct and run a question about a DocSet", "ask"),
    Command("tasks", "list, follow or cancel tasks of the server", "tasks"),
    Command("rebuild", "rebuild the index of a DocSet", "rebuild"),
    Command("export", "write documents, elements or hits to a file", "export"),
    Command("models", "list, install, remove or switch embedding models", "models"),
    Command("lab", "open JupyterLab on the tours", "lab"),
    Command("serve", "run the backend in the foreground", "serve"),
    Command("worker", "give the cores of this machine to a cluster", "worker"),
    Command("cluster", "show nodes, places and queue of a cluster", "cluster"),
    Command("stop", "stop the backend", "stop"),
    Command("backup", "write DocSets, documents and originals to one file", "backup"),
    Command("restore", "restore a backup into an empty data folder", "restore"),
    Command("tokens", "list, make or revoke access tokens of the server", "tokens"),
    Command("completion", "print a completion script for your shell", "completion"),
    Command("help", "show a page of the guide", "help"),
    Command("doctor", "check the installation on this machine", "doctor"),
)
