"""Roles of text as terminal styles of the current theme.

Read from the theme's variables, not from component classes of a stylesheet: those cost a pass
through all rules for each role of each list, before the first paint.
"""

from collections.abc import Mapping

from rich.style import Style
from textual.color import Color

_VARIABLES: Mapping[str, str] = {
    "dim": "dim",
    "accent": "primary",
    "changed": "secondary",
    "good": "success",
    "warn": "warning",
    "caution": "warning",
    "bad": "error",
    "match": "match",
    "added": "success",
    "removed": "error",
    "bar": "primary",
    "cell": "primary",
}
_BOLD = frozenset({"strong", "match", "caution"})
_GROUNDS = frozenset({"cursor", "cursor-blurred", "panel"})


def role_style(role: str, variables: Mapping[str, str]) -> Style:
    """The style of a role; `variables` are those of the theme, by name without `$`."""
    if role in _GROUNDS:
        return Style(bgcolor=theme_colour(role, variables).rich_color)
    name = _VARIABLES.get(role)
    colour = theme_colour(name, variables).rich_color if name else None
    return Style(
        color=colour, bold=True if role in _BOLD else None, reverse=True if role == "cell" else None
    )


def theme_colour(name: str, variables: Mapping[str, str]) -> Color:
    """A colour of the theme, made opaque on its background; of a variable it lacks, its text's."""
    colour = Color.parse(variables.get(name, variables["foreground"]))
    ground = Color.parse(variables["background"])
    if colour.ansi is not None or ground.ansi is not None:
        return colour  # the terminal's own palette cannot be mixed
    return ground.blend(colour, colour.a)
