"""Options are read leniently where callers differ and refused clearly where they are wrong."""

import pytest

from workbench.contract.errors import Invalid
from workbench.contract.model_selection import ModelSelection
from workbench.contract.partition_options import PartitionOptions


def test_explicit_nulls_and_absent_options_mean_the_defaults() -> None:
    sent = {"table_mode": None, "selected_pages": None, "markdown_options": {"group_by_page": None}}
    assert PartitionOptions.read(sent) == PartitionOptions.read(None)


def test_empty_lists_are_accepted() -> None:
    assert PartitionOptions.read({"selected_pages": []}).selected_pages == []


def test_unknown_options_are_kept_and_ignored() -> None:
    options = PartitionOptions.read({"source": "some-client", "markdown_options": {"new": 1}})
    assert options.model_extra == {"source": "some-client"}
    assert options.ignored == ["markdown_options.new"]
    assert PartitionOptions.read({"extract_image_format": "png", "depth": 3}).ignored == ["depth"]
    assert options.output_format == "json"


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"selectd_pages": [1]}, "selected_pages"),
        ({"table_mod": "none"}, "table_mode"),
        ({"markdown_options": {"include_pagenums": True}}, "include_pagenum"),
        ({"chunk_options": {}}, "chunking_options"),
    ],
)
def test_a_misspelt_option_is_refused_with_the_right_one(
    sent: dict[str, object], meant: str
) -> None:
    with pytest.raises(Invalid, match=f"did you mean '{meant}'"):
        PartitionOptions.read(sent)


def test_options_of_longer_names_are_not_slips() -> None:
    sent = {"ocr_text_mode": "x", "extract_image_format": "png", "source": "x", "x" * 70: 1}
    assert PartitionOptions.read(sent).output_format == "json"


@pytest.mark.parametrize(
    ("sent", "mode"),
    [
        ({"text_mode": "inline"}, "inline_fallback_to_ocr"),
        ({"text_mode": "standard_ocr"}, "ocr_standard"),
        ({"text_mode": "vision_ocr"}, "ocr_vision"),
        ({"text_mode": "fine_grained"}, "auto"),
        ({"use_ocr": True}, "ocr_standard"),
        ({"use_ocr": True, "text_mode": "auto"}, "auto"),
    ],
)
def test_older_spellings_of_the_text_mode_are_understood(
    sent: dict[str, object], mode: str
) -> None:
    assert PartitionOptions.read(sent).text_mode == mode


def test_older_options_for_tables_and_pictures_are_understood() -> None:
    options = PartitionOptions.read(
        {"extract_table_structure": False, "extract_image_format": "png"}
    )
    assert options.table_mode == "none"
    assert options.image_extraction_options.extract_image_format == "PNG"


def test_older_switches_may_be_words_and_give_way_to_the_present_options() -> None:
    assert PartitionOptions.read({"extract_table_structure": "false"}).table_mode == "none"
    assert PartitionOptions.read({"use_ocr": "true"}).text_mode == "ocr_standard"
    both = {"extract_table_structure": False, "table_mode": "standard"}
    assert PartitionOptions.read(both).table_mode == "standard"


def test_chunking_is_off_unless_asked_for_and_an_empty_object_asks_for_its_defaults() -> None:
    assert PartitionOptions.read({}).chunking_options is None
    chunking = PartitionOptions.read({"chunking_options": {}}).chunking_options
    assert chunking is not None
    assert (chunking.strategy, chunking.max_tokens) == ("context_rich", 512)


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ({"threshold": 1.5}, "threshold"),
        ({"text_mode": "telepathy"}, "text_mode"),
        ({"selected_pages": [[1, 2, 3]]}, "selected_pages"),
        ({"chunking_options": {"max_tokens": 0}}, "max_tokens"),
        ({"property_extraction_options": {}}, "property_extraction_options"),
        ({"table_extraction_options": {"model_selection": "pixels > big -> x"}}, "not a number"),
    ],
)
def test_a_wrong_value_is_refused_naming_the_field(sent: dict[str, object], place: str) -> None:
    with pytest.raises(Invalid) as refusal:
        PartitionOptions.read(sent)
    assert place in refusal.value.detail
    assert refusal.value.faults[0].loc[:2] == ["body", "options"]


def test_model_selection_takes_the_first_rule_that_applies() -> None:
    rules = ModelSelection.parse(
        "pixels > 500 -> deformable_detr; chars <= 20 -> table_transformer; deformable_detr; rest"
    )
    assert rules.choose(pixels=600, chars=1000) == "deformable_detr"
    assert rules.choose(pixels=100, chars=20) == "table_transformer"
    assert rules.choose(pixels=100, chars=30) == "deformable_detr"


def test_model_selection_without_a_match_means_the_table_transformer() -> None:
    rules = ModelSelection.parse("pixels > 500 -> deformable_detr")
    assert rules.choose(pixels=1, chars=1) == "table_transformer"


@pytest.mark.parametrize(
    "text",
    [
        "pixels > 5 -> unknown_model",
        "words > 5 -> table_transformer",
        "pixels > 5 -> table_transformer -> deformable_detr",
        "pixels -> table_transformer",
        "1 < pixels < 5 -> table_transformer",
    ],
)
def test_a_malformed_model_selection_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="model_selection"):
        ModelSelection.parse(text)
