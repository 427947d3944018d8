"""Stylesheets: one for the frame, one for each screen or family of dialogs, loaded when it is
shown.

Parsing a stylesheet takes time, so the first paint parses only the frame's.
"""

from pathlib import Path

STYLES = Path(__file__).parent
