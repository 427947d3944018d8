"""Legal forms of many countries belong to the name in front of them."""

import pytest

from backend.extraction.spans import spans, without_legal_form


@pytest.mark.parametrize(
    "name",
    [
        "Casa Moreno Textil S.L.",
        "Conservas Ria Formosa, Lda.",
        "Grupo Alameda S.A. de C.V.",
        "Arena Druk Sp. z o.o.",
        "Nordtov Rigg AS",
        "Kingdom Farmers Insurance DAC",
        "Dlamini Rentals CC",
        "Zimmerei Huber GmbH & Co. KG",
        "Swartberg Metrology (Pty) Ltd",
    ],
)
def test_a_legal_form_is_part_of_the_name(name: str) -> None:
    assert name in [span.text for span in spans(name) if span.kind == "legal"]
    assert without_legal_form(name) != name


def test_small_words_are_no_legal_forms() -> None:
    written = "Sogn Flytting og Lager AS"
    assert [span.text for span in spans(written) if span.kind == "legal"] == [written]


def test_the_name_of_an_office_begins_behind_the_words_for_whom_it_signs() -> None:
    texts = [span.text for span in spans("Pela Companhia de Seguros Lusitana, S.A.")]
    assert "Companhia de Seguros Lusitana, S.A." in texts
    assert not any(text.startswith("Pela") for text in texts)
