"""Draws the HTML of objects as a notebook does, and checks how it looks, light and dark."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.browser.contrast import faint
from tests.browser.page import Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PICTURES = os.environ.get("WORKBENCH_TEST_PICTURES")
"""A folder: a picture of each object in each theme goes there, to be looked at."""
HIGHEST = 400  # pixels
THEMES = {"light": ("#fff", "#111"), "dark": ("#111", "#eee")}
"""The colours of the page behind the text, and of the text."""
# What JupyterLab and classic notebooks do to tables.
STYLE = """body { font: 13px/1.5 sans-serif; width: 900px }
section { padding: 4px 0 }
table { table-layout: fixed; margin: 0 auto; font-size: 12px }
td, th { padding: .5em; white-space: normal; max-width: none; text-align: right }
"""
MEASURE = r"""[...document.querySelectorAll("section")].map((section) => {
  const broken = [...section.querySelectorAll("td, th")].flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode()) {
      for (const word of walker.currentNode.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, word.index);
        range.setEnd(walker.currentNode, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((r) => r.top)).size > 1) words.push(word[0]);
      }
    }
    return words;
  });
  const colours = [...section.querySelectorAll("td")].map((cell) => getComputedStyle(cell).color);
  const ink = getComputedStyle(document.body).color;
  return { name: section.id, height: section.clientHeight - 8, broken,
           wide: section.scrollWidth > section.clientWidth, ink: colours.every((c) => c === ink) };
})"""


def check_drawn(reprs: Mapping[str, str], folder: Path) -> None:
    """Every repr is low, scrolls sideways inside itself, breaks no word, has the ink of the page
    in its cells and enough contrast, and loads nothing.
    """
    with Page(str(CHROMIUM), folder / "profile") as page:
        for theme, (ground, ink) in THEMES.items():
            file = folder / f"{theme}.html"
            file.write_text(_document(reprs, ground, ink), "utf-8")
            page.open(file.as_uri())
            page.until(f"document.querySelectorAll('section').length === {len(reprs)}")
            page.until(f"getComputedStyle(document.body).backgroundColor === '{_rgb(ground)}'")
            if PICTURES:
                for name in reprs:
                    path = Path(PICTURES) / f"repr-{name.replace(' ', '-')}-{theme}.png"
                    page.picture(path, f"section[id='{name}']")
            for measured in page.value(MEASURE):
                name = f"{measured['name']}, {theme}"
                assert measured["height"] <= HIGHEST, name
                assert not measured["wide"], name
                assert measured["broken"] == [], name
                assert measured["ink"], name
            assert faint(page, "section") == [], theme
        assert {request.split(":")[0] for request in page.requests} <= {"file", "data"}


def _document(reprs: Mapping[str, str], ground: str, ink: str) -> str:
    colours = f"body {{ background: {ground}; color: {ink} }}"
    sections = "".join(f'<section id="{name}">{html}</section>' for name, html in reprs.items())
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}{colours}</style>{sections}"


def _rgb(colour: str) -> str:
    red, green, blue = (int(part * 2, 16) for part in re.findall("[0-9a-f]", colour))
    return f"rgb({red}, {green}, {blue})"
