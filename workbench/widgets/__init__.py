"""Notebook widgets: thin views over the sessions, one Python file and one plain .js file each.

Owns what is drawn in a browser and the state shared with it. It knows nothing of the terminal app,
HTTP and computations; it loads nothing from outside the machine.
"""

from workbench.widgets.docset_picker import DocSetPicker
from workbench.widgets.element_viewer import ElementViewer
from workbench.widgets.plan_editor import PlanEditor
from workbench.widgets.reviewer import Reviewer
from workbench.widgets.search_box import SearchBox
from workbench.widgets.task_monitor import TaskMonitor
from workbench.widgets.uploader import Uploader

__all__ = [
    "DocSetPicker",
    "ElementViewer",
    "PlanEditor",
    "Reviewer",
    "SearchBox",
    "TaskMonitor",
    "Uploader",
]
