"""Colours: a dark, a light and a high-contrast theme with the same meanings.

`primary` is what has the focus, `secondary` what changed; everything else is text, dim text or a
state.
"""

from textual.theme import Theme

DARK = Theme(
    name="workbench-dark",
    primary="#6cb6ff",
    secondary="#e3b26b",
    accent="#c8a2f0",
    foreground="#d3dae3",
    background="#10141a",
    surface="#151a22",
    panel="#1d242e",
    success="#7cc48d",
    warning="#e3b26b",
    error="#f0787a",
    dark=True,
    variables={
        "dim": "#7d8896",
        "frame": "#2c3644",
        "cursor": "#223549",
        "cursor-blurred": "#1b222c",
        "match": "#f2d68b",
    },
)

LIGHT = Theme(
    name="workbench-light",
    primary="#0b63b5",
    secondary="#9a5700",
    accent="#7b3fb3",
    foreground="#20262e",
    background="#fcfbf8",
    surface="#f6f4ef",
    panel="#ebe8e1",
    success="#226f33",
    warning="#9a5700",
    error="#b3261e",
    dark=False,
    variables={
        "dim": "#68717c",
        "frame": "#d3cec3",
        "cursor": "#d8e7f6",
        "cursor-blurred": "#eceae4",
        "match": "#7a4a00",
    },
)

CONTRAST = Theme(
    name="workbench-contrast",
    primary="#00e5ff",
    secondary="#ffd500",
    accent="#ff9bff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    success="#5dff8f",
    warning="#ffd500",
    error="#ff7b7b",
    dark=True,
    variables={
        "dim": "#cfcfcf",
        "frame": "#8a8a8a",
        "cursor": "#003c8f",
        "cursor-blurred": "#2b2b2b",
        "match": "#ffd500",
    },
)

THEMES = (DARK, LIGHT, CONTRAST)
OWN = frozenset(DARK.variables)


_ANSI = {
    "dim": "ansi_bright_black",
    "frame": "ansi_bright_black",
    "cursor": "ansi_default",
    "cursor-blurred": "ansi_default",
    "match": "ansi_yellow",
}
"""For themes in the terminal's own palette, which cannot be mixed: a bar marks the cursor."""


def own_variables(theme: Theme) -> dict[str, str]:
    """Our own variables for a theme that lacks them, derived from its colours."""
    if theme.variables.keys() >= OWN:
        return {}
    if theme.ansi:
        return _ANSI
    colours = theme.to_color_system().generate()
    return {
        "dim": colours["foreground-muted"],
        "frame": colours["panel-lighten-2"],
        "cursor": colours["primary-muted"],
        "cursor-blurred": colours["panel"],
        "match": colours["warning"],
    }
