"""The options of a partition call, and the small language of `model_selection`.

Explicit nulls mean the default, empty lists mean "nothing chosen", older spellings are read into
the present ones, and unknown keys are kept without effect, so that a newer or chattier client is
served.
A wrong value is refused: `PartitionOptions.read` raises `Invalid` with one fault per field.
Page numbers are checked against the document by the partition engine, not here.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from backend.contract.errors import FieldFault, Invalid

TextMode = Literal["auto", "inline_fallback_to_ocr", "ocr_standard", "ocr_vision"]
TableMode = Literal["standard", "none", "vision", "custom"]
ImageFormat = Literal["PPM", "PNG", "JPEG"]
OutputFormat = Literal["json", "markdown", "html"]
Strategy = Literal["context_rich", "maximize_within_limit", "mixed_multi_column"]
Tokenizer = Literal["openai_tokenizer", "character_tokenizer", "huggingface_tokenizer"]

_TEXT_MODE_SYNONYMS = {
    "inline": "inline_fallback_to_ocr",
    "standard": "auto",
    "fine_grained": "auto",
    "standard_ocr": "ocr_standard",
    "vision_ocr": "ocr_vision",
}


class _Lenient(BaseModel):
    """Unknown keys are kept; a key set to null is as good as absent."""

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
        return value.upper().replace("JPG", "JPEG") if isinstance(value, str) else value


class TableOptions(_Lenient):
    include_additional_text: bool = True
    model_selection: str | None = None

    @field_validator("model_selection")
    @classmethod
    def _grammatical(cls, value: str | None) -> str | None:
        if value is not None:
            ModelSelection.parse(value)
        return value


class TextOptions(_Lenient):
    remove_line_breaks: bool = True
    ocr_text_mode: str | None = None


class MarkdownOptions(_Lenient):
    include_pagenum: bool = False
    include_headers: bool = False
    include_footers: bool = False
    group_by_page: bool = False


class LabelOptions(_Lenient):
    promote_title: bool = False
    title_candidate_elements: list[str] = ["Section-header", "Caption"]
    orientation_correction: bool = False


class TokenizerOptions(_Lenient):
    model_name: str = "text-embedding-3-small"


class ChunkingOptions(_Lenient):
    strategy: Strategy = "context_rich"
    max_tokens: int = Field(default=512, ge=1)
    tokenizer: Tokenizer = "openai_tokenizer"
    tokenizer_options: TokenizerOptions = TokenizerOptions()
    merge_across_pages: bool = True


class PropertyExtractionOptions(_Lenient):
    """Exactly one of a schema and the wish for suggestions; the schema is read by extraction."""

    extraction_schema: Any = Field(default=None, alias="schema")
    suggest_properties: bool = False
    suggest_properties_instructions: str | None = None
    voting: bool = False

    @model_validator(mode="after")
    def _one_task(self) -> "PropertyExtractionOptions":
        if bool(self.extraction_schema) == self.suggest_properties:
            raise ValueError("give exactly one of schema and suggest_properties")
        return self


class PartitionOptions(_Lenient):
    """Every option of a partition call with its default."""

    text_mode: TextMode = "auto"
    table_mode: TableMode = "standard"
    threshold: Literal["auto"] | Annotated[float, Field(ge=0, le=1)] = "auto"
    selected_pages: list[int | list[int]] = []
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

    @model_validator(mode="before")
    @classmethod
    def _older_spellings(cls, data: Any) -> Any:
        return _modern(data) if isinstance(data, dict) else data

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
                    msg=".".join(str(part) for part in fault["loc"]) + ": " + fault["msg"],
                    type=fault["type"],
                )
                for fault in error.errors(include_url=False, include_input=False)
            ]
            raise Invalid(faults) from None


def _modern(data: dict[str, Any]) -> dict[str, Any]:
    """Reads former option names where the present ones are absent."""
    out = {key: value for key, value in data.items() if value is not None}
    if "text_mode" in out:
        mode = out["text_mode"]
        out["text_mode"] = _TEXT_MODE_SYNONYMS.get(mode, mode) if isinstance(mode, str) else mode
    elif out.get("use_ocr") is True:
        out["text_mode"] = "ocr_standard"
    if "table_mode" not in out and "extract_table_structure" in out:
        out["table_mode"] = "standard" if out["extract_table_structure"] else "none"
    image_format = out.get("extract_image_format")
    images = out.get("image_extraction_options", {})
    if image_format is not None and isinstance(images, dict):
        out["image_extraction_options"] = {"extract_image_format": image_format, **images}
    threshold = out.get("threshold")
    if isinstance(threshold, str) and threshold.lower() == "auto":
        out["threshold"] = "auto"
    return out


# -- model_selection ------------------------------------------------------------------------------


_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_MODELS = ("table_transformer", "deformable_detr")
_METRICS = ("pixels", "chars")
_COMPARISON = re.compile(r"<=|>=|==|!=|<|>")


@dataclass(frozen=True)
class Rule:
    """`metric comparison number -> model`; without a metric it always applies."""

    model: str
    metric: str | None = None
    comparison: str = "=="
    number: float = 0.0

    def applies(self, pixels: float, chars: float) -> bool:
        if self.metric is None:
            return True
        value = pixels if self.metric == "pixels" else chars
        return _COMPARISONS[self.comparison](value, self.number)


@dataclass(frozen=True)
class ModelSelection:
    """Rules read left to right; where none applies the answer is `table_transformer`."""

    rules: tuple[Rule, ...]

    @classmethod
    def parse(cls, text: str) -> "ModelSelection":
        """Raises ValueError for an unknown model or metric or a malformed statement.

        A bare model ends the reading: what follows it is a comment.
        """
        rules: list[Rule] = []
        for statement in text.split(";"):
            words = statement.strip()
            if not words:
                continue
            rule = _rule(words)
            rules.append(rule)
            if rule.metric is None:
                break
        return cls(tuple(rules))

    def choose(self, *, pixels: float, chars: float) -> str:
        """The model for a table whose longer side has `pixels` and whose text has `chars`."""
        for rule in self.rules:
            if rule.applies(pixels, chars):
                return rule.model
        return "table_transformer"


def _rule(statement: str) -> Rule:
    condition, arrow, model = statement.partition("->")
    if not arrow:
        return Rule(model=_known_model(statement))
    if "->" in model:
        raise ValueError(f"model_selection: two arrows in '{statement}'")
    signs = _COMPARISON.findall(condition)
    if len(signs) != 1:
        fault = "no comparison" if not signs else "a chained comparison"
        raise ValueError(f"model_selection: {fault} in '{statement}'")
    metric, number = (part.strip() for part in _COMPARISON.split(condition))
    if metric not in _METRICS:
        raise ValueError(f"model_selection: unknown metric '{metric}', use pixels or chars")
    try:
        value = float(number)
    except ValueError:
        raise ValueError(f"model_selection: '{number}' is not a number") from None
    return Rule(_known_model(model), metric, signs[0], value)


def _known_model(name: str) -> str:
    model = name.strip()
    if model not in _MODELS:
        raise ValueError(
            f"model_selection: unknown model '{model}', use table_transformer or deformable_detr"
        )
    return model
