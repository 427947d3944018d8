"""What could be a value by its form alone."""

import pytest

from backend.extraction.spans import spans


def texts(text: str, kind: str) -> list[str]:
    return [span.text for span in spans(text) if span.kind == kind]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dear Anna B. Abbott, your parcel is here.", "Anna B. Abbott"),
        ("On 21 November 2023 Anna Abbott came in.", "Anna Abbott"),
        ("With thanks, yours sincerely Anna Abbott", "Anna Abbott"),
    ],
)
def test_a_name_begins_behind_greetings_and_dates(text: str, name: str) -> None:
    assert texts(text, "person") == [name]


@pytest.mark.parametrize("name", ["Capt. Sarantis", "Insp. Wendy Garrick", "Rev. Carlton Smikle"])
def test_a_title_with_a_full_stop_begins_a_name(name: str) -> None:
    bare = name.partition(" ")[2]
    found = texts(f"It was taken by {name} on 4 February.", "person")
    assert found[0] == name
    assert bare in found


def test_a_name_with_an_article_is_read_with_and_without_it() -> None:
    assert texts("It is lent by The Whitby Collection.", "name") == [
        "The Whitby Collection", "Whitby Collection",
    ]  # fmt: skip


@pytest.mark.parametrize("code", ["AB12 CDE", "M-KX 2204", "985 112 004 331", "G4A 0099 1182"])
def test_a_code_may_have_blanks(code: str) -> None:
    assert code in texts(f"The number is {code} as before.", "code")


def test_durations_and_times_keep_their_spelling() -> None:
    assert texts("Out after 4 min 20 s, at 10:05.", "duration") == ["4 min 20 s"]
    assert texts("Out after 4 min 20 s, at 10:05.", "time") == ["10:05"]


def test_a_sentence_with_figures_is_not_an_address() -> None:
    assert (
        texts("your value was 119 g/l, and we need 135 for men, so we could not", "address") == []
    )
    assert "14 Mill Lane, 43000 Larkham" in texts("14 Mill Lane, 43000 Larkham", "address")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Landowner Mr Ferrier wants more", "Mr Ferrier"),
        ("I called at Mr Rui Bettencourt's farm", "Rui Bettencourt"),
        ("Maître Hélène Kerbrat, notaire", "Hélène Kerbrat"),
        ("Dr.ssa M. Piras", "M. Piras"),
        ("measured by Faridah binti Osman today", "Faridah binti Osman"),
        ('LEANDRO "LEE" ARCHULETA, a driller', 'LEANDRO "LEE" ARCHULETA'),
        ("VISIT TO VINDOMORA ROMAN FORT", "VINDOMORA ROMAN FORT"),
    ],
)
def test_a_name_is_read_without_what_stands_around_it(text: str, name: str) -> None:
    assert name in texts(text, "person")


@pytest.mark.parametrize(
    "name",
    ["Dagmar Hofstätter e.U.", "Oficina Lopes & Filha, Lda.", "Déménagements Fortin & Fille inc."],
)
def test_legal_forms_of_other_countries_belong_to_the_name(name: str) -> None:
    assert texts(f"Bought from {name}", "legal") == [name]


def test_a_time_may_have_a_full_stop() -> None:
    assert texts("We leave at 8.50 am sharp.", "time") == ["8.50 am"]
