"""Office files that say some things twice, for newer and for older programs: read once."""

import pytest

from tests.backend.partition.conftest import Read
from tests.backend.partition.samples import slides, word

MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
MICROSOFT = "http://schemas.microsoft.com/office/word"
SHAPE = f'xmlns:wps="{MICROSOFT}/2010/wordprocessingShape"'
SYMBOL = f'xmlns:w16se="{MICROSOFT}/2015/wordml/symex"'


def alternatives(choice: str, fallback: str | None, needs: str = "wps") -> str:
    second = "" if fallback is None else f"<mc:Fallback>{fallback}</mc:Fallback>"
    return (
        f'<mc:AlternateContent {MC} {SHAPE} {SYMBOL}><mc:Choice Requires="{needs}">{choice}'
        f"</mc:Choice>{second}</mc:AlternateContent>"
    )


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def box(text: str, around: str) -> str:
    inside = f"<w:txbxContent><w:p>{run(text)}</w:p></w:txbxContent>"
    return f"<w:{around}>{inside}</w:{around}>"


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (f"<w:p>{run('a ')}{alternatives(run('new'), run('old'))}{run(' z')}</w:p>", ["a new z"]),
        (f"<w:p>{alternatives(run('new'), run('old'), 'w16se')}</w:p>", ["old"]),
        (f"<w:p>{alternatives(run('new'), run('old'), 'wps w16se')}</w:p>", ["old"]),
        (f"<w:p>{alternatives(run('new'), run('old'), 'undeclared')}</w:p>", ["old"]),
        (f"<w:p>{alternatives(run('new'), None, 'w16se')}</w:p>", ["new"]),
        (alternatives(f"<w:p>{run('new')}</w:p>", f"<w:p>{run('old')}</w:p>"), ["new"]),
        (
            f"<w:p><w:r>{alternatives(box('new', 'drawing'), box('old', 'pict'))}</w:r></w:p>",
            ["new"],
        ),
        (
            f"<w:p><w:r>{alternatives(box('new', 'drawing'), box('old', 'pict'), 'w16se')}"
            "</w:r></w:p>",
            ["old"],
        ),
        (
            f"<w:p>{alternatives(alternatives(run('x'), run('y'), 'w16se'), run('old'))}</w:p>",
            ["y"],
        ),
    ],
)
def test_one_of_two_alternatives_is_read_in_its_place(
    read: Read, body: str, texts: list[str]
) -> None:
    assert [e.text_representation for e in read(word(body)).elements] == texts


def test_an_emoji_of_word_is_part_of_its_sentence(read: Read) -> None:
    emoji = alternatives('<w16se:symEx w16se:char="1F60A"/>', "<w:t>😊</w:t>", "w16se")
    body = f"<w:p>{run('Welcome ')}<w:r>{emoji}</w:r>{run(' aboard')}</w:p>"
    assert [e.text_representation for e in read(word(body)).elements] == ["Welcome 😊 aboard"]


def test_shapes_that_only_newer_programs_draw_have_their_fallback_on_a_slide(read: Read) -> None:
    def shape(text: str) -> str:
        return f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"

    both = alternatives(shape("new"), shape("old")), alternatives(shape("x"), shape("y"), "w16se")
    result = read(slides("".join(both)))
    assert [e.text_representation for e in result.elements] == ["new", "y"]
