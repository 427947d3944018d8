import re
from importlib import import_module

import pytest
from textual.binding import Binding

from workbench.tui.dialogs.help import help_lines
from workbench.tui.keys import KEYS, bindings, known_ids, read_keymap, shown
from workbench.tui.lines import plain, width_of

RESERVED = {"ctrl+i", "ctrl+m", "ctrl+j", "ctrl+h", "ctrl+s", "ctrl+z", "ctrl+b"}


def test_every_key_has_a_unique_id_a_word_and_a_sentence():
    keys = [key for place in KEYS.values() for key in place]
    assert len(known_ids()) == len(keys)
    for key in keys:
        assert key.description, key.id
        assert key.tooltip.endswith("."), key.id


@pytest.mark.parametrize("width", [68, 92])
def test_the_help_shows_every_sentence_whole(width):
    for place, keys in KEYS.items():
        lines = help_lines(place, {}, width)
        assert max(map(width_of, lines)) <= width
        text = " ".join("\n".join(map(plain, lines)).split())
        assert all(key.tooltip in text and key.id in text for key in keys)


def test_no_key_is_one_that_terminals_mix_up_or_take():
    used = {key for place in KEYS.values() for k in place for key in k.keys.split(",")}
    assert not used & RESERVED


def test_no_two_actions_of_a_screen_share_a_key_with_each_other_or_the_app():
    everywhere = [key for k in KEYS["app"] for key in k.keys.split(",")]
    for place, keys in KEYS.items():
        if place == "app":
            continue
        used = [key for k in keys for key in k.keys.split(",")]
        assert len(used) == len(set(used)), place
        # In a review the numbers choose among the alternatives; its first line shows no others.
        own = set("12345") if place == "review" else set()
        assert set(used) & set(everywhere) == own, place


def test_bindings_carry_id_and_tooltip():
    made = bindings("uploads")
    assert all(isinstance(binding, Binding) and binding.id and binding.tooltip for binding in made)


def test_a_key_table_may_be_nested_or_quoted_and_faults_are_reported():
    keymap, problems = read_keymap(
        {"docsets.new": "i", "uploads": {"retry": "t"}, "uploads.dance": "d", "app": {"help": 3}}
    )
    assert keymap == {"docsets.new": "i", "uploads.retry": "t"}
    assert len(problems) == 2
    assert re.search("no such action", problems[0])


def test_keys_are_shown_as_people_write_them():
    assert shown("question_mark,f1") == "? f1"
    assert shown("right_square_bracket") == "]"


async def test_a_rebound_key_acts_and_the_old_one_does_not(make_app):
    from workbench.tui.dialogs.ask import Ask
    from workbench.tui.preferences import Preferences

    app = make_app(preferences=Preferences(keymap={"docsets.new": "i"}))
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("n")
        assert not isinstance(app.screen, Ask)
        await pilot.press("i")
        await pilot.pause()
        assert isinstance(app.screen, Ask)


@pytest.mark.parametrize(
    "place", [place for place in KEYS if place not in ("app", "list", "table")]
)
def test_every_key_of_a_screen_leads_to_an_action_that_it_has(place):
    module = import_module(f"workbench.tui.screens.{place}")
    screen = getattr(module, "SCREEN", None) or module.ViewerScreen
    for key in KEYS[place]:
        name = key.action.partition("(")[0]
        assert hasattr(screen, f"action_{name}"), key.id
