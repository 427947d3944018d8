"""The options of a partition call.

Explicit nulls mean the default, empty lists mean "nothing chosen", former names are converted to
current ones, and unknown keys are kept without effect, for the sake of newer clients, unless they
look like a misspelling of ours. A wrong value is refused: `PartitionOptions.read` raises `Invalid`
with one fault per field. Page numbers and languages are checked by the partition engine, which
knows the document and the installed languages.
"""

import math
from typing import Any, Literal, get_args

from pydantic import ConfigDict, Field, ValidationError, field_validator, model_validator

from workbench.contract.elements import ElementKind
from workbench.contract.errors import FieldFault, Invalid
from workbench.contract.model_selection import ModelSelection
from workbench.contract.schema import Schema
from workbench.contract.wire import Correct, Plain

TextMode = Literal["auto", "inline_fallback_to_ocr", "ocr_standard", "ocr_vision"]
OcrMode = Literal["standard", "vision", "ocr_standard", "ocr_vision"]
TableMode = Literal["standard", "none", "vision", "custom"]
ImageFormat = Literal["PPM", "PNG", "JPEG"]
OutputFormat = Literal["json", "markdown", "html"]
Strategy = Literal["context_rich", "maximize_within_limit", "mixed_multi_column"]
Tokenizer = Literal["openai_tokenizer", "character_tokenizer", "huggingface_tokenizer"]

DEFAULT_SELECTION = "pixels > 500 -> deformable_detr; table_transformer"

_UNUSED_BY_VISION = (
    "threshold", "text_mode", "table_mode", "text_extraction_options", "table_extraction_options",
    "extract_images", "use_ocr", "extract_table_structure",
)  # fmt: skip
"""Options that the vision pipeline ignores, even with a wrong value."""

_SENT_ALONG = ("source", "extract_image_format")
"""The name of the client program, and the former name of an option."""

_TEXT_MODE_SYNONYMS = {
    "inline": "inline_fallback_to_ocr",
    "standard": "auto",
    "fine_grained": "auto",
    "standard_ocr": "ocr_standard",
    "vision_ocr": "ocr_vision",
}


class _Lenient(Correct):
    """Unknown keys are kept unless they are misspelt; null means absent."""

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="before")
    @classmethod
    def _null_is_default(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return {key: value for key, value in data.items() if value is not None}
        return data


class ImageOptions(_Lenient):
    associate_captions: bool = False
    extract_image_format: ImageFormat = "PPM"

    @field_validator("extract_image_format", mode="before")
    @classmethod
    def _either_case(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value


class TableOptions(_Lenient):
    include_additional_text: bool = True
    model_selection: str | None = None
    merge_continued: bool = False
    """Parts of a table that titles or a page divide are one table."""

    @field_validator("model_selection")
    @classmethod
    def _grammatical(cls, value: str | None) -> str | None:
        if value is not None:
            ModelSelection.parse(value)
        return value


class TextOptions(_Lenient):
    remove_line_breaks: bool = True
    word_boxes: bool = False
    """Elements and cells of PDFs, scans and pictures list their words with boxes."""
    ocr_text_mode: OcrMode | None = None


class MarkdownOptions(_Lenient):
    include_pagenum: bool = False
    include_headers: bool = False
    include_footers: bool = False
    group_by_page: bool = False


class LabelOptions(_Lenient):
    promote_title: bool = False
    title_candidate_elements: Plain[str] = Field(default=["Section-header", "Caption"])
    orientation_correction: bool = False

    @field_validator("title_candidate_elements")
    @classmethod
    def _known_kinds(cls, names: list[str]) -> list[str]:
        unknown = [name for name in names if name not in get_args(ElementKind)]
        if unknown:
            known = ", ".join(get_args(ElementKind))
            raise ValueError(f"'{unknown[0]}' is not an element type, use any of {known}")
        return names


class TokenizerOptions(_Lenient):
    model_name: str = "text-embedding-3-small"


class ChunkingOptions(_Lenient):
    strategy: Strategy = "context_rich"
    max_tokens: int = Field(default=512, ge=1)
    tokenizer: Tokenizer = "openai_tokenizer"
    tokenizer_options: TokenizerOptions = TokenizerOptions()
    merge_across_pages: bool = True

    @model_validator(mode="after")
    def _agreeing(self) -> "ChunkingOptions":
        asked = self.model_fields_set
        if self.strategy == "mixed_multi_column":
            if "merge_across_pages" in asked and self.merge_across_pages:
                raise ValueError("mixed_multi_column never merges across pages")
            self.merge_across_pages = False
        if self.tokenizer == "character_tokenizer" and self.tokenizer_options.model_fields_set:
            raise ValueError("character_tokenizer takes no tokenizer_options")
        return self


class PropertyExtractionOptions(_Lenient):
    """Exactly one of a schema (a list of properties, or an object with it) and a request for
    suggestions."""

    extraction_schema: Schema | None = Field(default=None, alias="schema")
    suggest_properties: bool = False
    suggest_properties_instructions: str | None = None
    voting: bool = False

    @field_validator("extraction_schema", mode="before")
    @classmethod
    def _bare_list(cls, value: Any) -> Any:
        return ({"properties": value} if isinstance(value, list) else value) or None

    @model_validator(mode="after")
    def _one_task(self) -> "PropertyExtractionOptions":
        wanted = self.extraction_schema is not None and bool(self.extraction_schema.properties)
        if wanted == self.suggest_properties:
            raise ValueError("give exactly one of schema and suggest_properties")
        return self


class PartitionOptions(_Lenient):
    """Every option of a partition call with its default."""

    text_mode: TextMode = "auto"
    table_mode: TableMode = "standard"
    threshold: Literal["auto"] | float = "auto"
    selected_pages: Plain[int | Plain[int]] = Field(default=[])
    extract_images: bool = False
    image_extraction_options: ImageOptions = ImageOptions()
    summarize_images: bool = False
    table_extraction_options: TableOptions = TableOptions()
    text_extraction_options: TextOptions = TextOptions()
    output_format: OutputFormat = "json"
    markdown_options: MarkdownOptions = MarkdownOptions()
    output_label_options: LabelOptions = LabelOptions()
    chunking_options: ChunkingOptions | None = None
    property_extraction_options: PropertyExtractionOptions | None = None
    ocr_language: str = "english"
    pipeline: Literal["standard", "vision"] = "standard"
    add_to_docset_id: str | None = None
    return_pdf_base64: bool = False
    use_ocr: bool = False
    """Former name of `text_mode` ocr_standard."""
    extract_table_structure: bool = True
    """False is the former name of `table_mode` none."""

    @model_validator(mode="before")
    @classmethod
    def _older_spellings(cls, data: Any) -> Any:
        return _modern(data) if isinstance(data, dict) else data

    @field_validator("threshold", mode="before")
    @classmethod
    def _auto_or_share(cls, value: Any) -> Any:
        if isinstance(value, str) and value.lower() == "auto":
            return "auto"
        try:
            share = float(value)
        except (TypeError, ValueError):
            share = math.nan
        if not 0 <= share <= 1:
            raise ValueError("threshold must be auto or a number from 0 to 1")
        return share

    @field_validator("selected_pages")
    @classmethod
    def _pairs(cls, pages: list[int | list[int]]) -> list[int | list[int]]:
        for page in pages:
            if isinstance(page, list) and len(page) not in (0, 2):
                raise ValueError("a range of pages has the form [first, last]")
        return pages

    @field_validator("ocr_language")
    @classmethod
    def _lower_case(cls, value: str) -> str:
        return value.strip().lower() or "english"

    @model_validator(mode="after")
    def _former_switches(self) -> "PartitionOptions":
        if self.use_ocr and "text_mode" not in self.model_fields_set:
            vision = self.text_extraction_options.ocr_text_mode in ("vision", "ocr_vision")
            self.text_mode = "ocr_vision" if vision else "ocr_standard"
        if not self.extract_table_structure and "table_mode" not in self.model_fields_set:
            self.table_mode = "none"
        return self

    @property
    def ignored(self) -> list[str]:
        """The names of options without effect, as they were sent."""
        names = [name for name in self.model_extra or {} if name not in _SENT_ALONG]
        for name, part in self:
            if isinstance(part, _Lenient):
                names += [f"{name}.{inner}" for inner in part.model_extra or {}]
        return names

    def table_model(self, *, pixels: float, chars: int) -> str | None:
        """The result of `model_selection` for a table, None unless `table_mode` is custom.

        `pixels` is the longer side of the table on a letter page at 200 dots per inch."""
        if self.table_mode != "custom":
            return None
        rules = self.table_extraction_options.model_selection or DEFAULT_SELECTION
        return ModelSelection.parse(rules).choose(pixels=pixels, chars=chars)

    @classmethod
    def read(cls, data: object) -> "PartitionOptions":
        """Options from parsed JSON. Raises `Invalid` naming every wrong field."""
        if data is None:
            return cls()
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            faults = [
                FieldFault(
                    loc=["body", "options", *fault["loc"]],
                    msg=": ".join(filter(None, [".".join(map(str, fault["loc"])), fault["msg"]])),
                    type=fault["type"],
                )
                for fault in error.errors(include_url=False, include_input=False)
            ]
            raise Invalid(faults) from None


def _modern(data: dict[str, Any]) -> dict[str, Any]:
    """Uses former option names if the present ones are absent."""
    out = {key: value for key, value in data.items() if value is not None}
    if out.get("pipeline") == "vision":
        out = {key: value for key, value in out.items() if key not in _UNUSED_BY_VISION}
        out["text_mode"] = "ocr_vision"
    if "text_mode" in out:
        mode = out["text_mode"]
        out["text_mode"] = _TEXT_MODE_SYNONYMS.get(mode, mode) if isinstance(mode, str) else mode
    image_format = out.get("extract_image_format")
    images = out.get("image_extraction_options", {})
    if image_format is not None and isinstance(images, dict):
        out["image_extraction_options"] = {"extract_image_format": image_format, **images}
    return out
