from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.tui import formats
from workbench.tui.lines import Span, as_content, cut, fit, line, plain, spread, width_of, wrap
from workbench.tui.role_styles import role_style

texts = st.text(st.characters(blacklist_categories=["C", "Z", "M"]), max_size=30)


@given(st.lists(texts, max_size=4), st.integers(0, 40))
def test_a_fitted_line_has_exactly_its_width(pieces, width):
    assert width_of(fit(line(*pieces), width)) == max(0, width)


@given(st.lists(texts, max_size=4), st.integers(1, 40))
def test_a_cut_line_says_that_something_is_missing(pieces, width):
    whole = line(*pieces)
    shown = cut(whole, width)
    assert width_of(shown) <= width
    assert (shown == whole) == (width_of(whole) <= width)


@given(st.lists(st.text("ab", min_size=1, max_size=12), max_size=8), st.integers(8, 30))
def test_wrapping_loses_no_word(words, width):
    lines = wrap(line(" ".join(words)), width)
    assert "".join("".join(map(plain, lines)).split()) == "".join(words)
    assert all(len(plain(item).rstrip()) <= width for item in lines)


def test_two_ends_are_spread_and_the_left_one_gives_way():
    assert plain(spread(line("left"), line("right"), 12)) == "left   right"
    assert plain(spread(line("a long left"), line("right"), 10)) == "a lo…right"


def test_roles_become_colours_of_the_theme():
    content = as_content([line("a ", Span("b", "bad")), line("c")])
    assert content.plain == "a b\nc"
    assert [span.style for span in content.spans] == ["$error"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.64, "640 ms"), (12, "12 s"), (187, "3:07"), (7500, "2 h 05"), (400_000, "4 d")],
)
def test_times_are_short(seconds, words):
    assert formats.duration(seconds) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [(812, "812 B"), (3_400, "3.4 kB"), (12_400_000, "12 MB"), (999_600, "1.0 MB")],
)
def test_sizes_are_short(size, words):
    assert formats.byte_size(size) == words


@given(st.floats(-1, 2), st.integers(1, 30))
def test_a_bar_has_always_its_width(done, width):
    assert len(formats.bar(done, width)) == width


def test_every_role_has_a_colour_in_every_theme():
    from workbench.tui.app import WorkbenchApp
    from workbench.tui.lines import Role

    app = WorkbenchApp()
    for name in app.available_themes:
        app.theme = name
        for role in (*get_args(Role)[1:], "cursor", "cursor-blurred", "bar"):
            style = role_style(role, app.theme_variables)
            assert style.color or style.bgcolor or style.bold, (name, role)
