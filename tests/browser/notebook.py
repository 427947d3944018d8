"""A notebook in JupyterLab, as a person opens and runs it."""

from tests.browser.lab import Lab
from tests.browser.page import Page


def open_notebook(page: Page, lab: Lab, name: str) -> None:
    """Opens it, and waits until its kernel is there."""
    page.open(lab.address(name))
    page.until(
        "document.querySelector('.jp-CodeCell') && !document.querySelector('#jupyterlab-splash')"
    )
    page.click(".jp-CodeCell .cm-content")  # the status bar describes the focused cell
    page.until("document.body.innerText.includes('(ipykernel) | Idle')")


def run_all(page: Page) -> None:
    """Runs all cells by the menu."""
    page.click(".lm-MenuBar-item", "Run")
    page.click(".lm-Menu-item", "Run All Cells")


def restart(page: Page) -> None:
    """Restarts the kernel by the menu."""
    page.click(".lm-MenuBar-item", "Kernel")
    page.click(".lm-Menu-item", "Restart Kernel…")
    page.click(".jp-Dialog button.jp-mod-accept")
