"""Options for Image elements: pixels in the requested form and a summary in words."""

import base64
import io
import warnings
from collections.abc import Callable

from PIL import Image, ImageOps, UnidentifiedImageError

from backend.partition.document import Request
from backend.partition.finishing import caption_beside
from backend.partition.pictures import MAX_PICTURES, attach
from backend.partition.summaries import MAX_READ, sentence, summary
from backend.tasks.guarding import guarded
from workbench.contract.elements import Element

Pixels = Callable[[Element], Image.Image | None]
"""The pixels of an Image element, None if they are not available."""

MAX_DESCRIBED = 50
"""Pictures of one document that a vision model is shown."""
_SHOWN_SIDE = 1_024
"""Pixels; a larger picture costs a model more and adds little."""
_MAX_PIXELS = 40_000_000
_DAMAGED = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    Image.DecompressionBombError,
)


def illustrate(elements: list[Element], request: Request, pixels: Pixels) -> list[str]:
    """Gives Image elements their pixels and summaries as asked; answers remarks for people."""
    options = request.options
    if not (options.extract_images or options.summarize_images):
        return []
    places = [index for index, element in enumerate(elements) if element.type == "Image"]
    wished = options.image_extraction_options.extract_image_format
    seen = _described(elements, places, request, pixels)
    notes: list[str] = []
    for count, index in enumerate(places[:MAX_PICTURES]):
        element = elements[index]
        with guarded(notes, f"page {element.page_number}: a picture", "its place is kept"):
            image = pixels(element)
            if options.summarize_images:
                caption = caption_beside(elements, index)
                element.text_representation = seen.get(index) or summary(
                    image, caption, element.text_representation, read=count < MAX_READ
                )
            if options.extract_images and image is not None:
                attach(element, image, wished)
    return notes + _remarks(len(places), len(seen), request)


def _described(
    elements: list[Element], places: list[int], request: Request, pixels: Pixels
) -> dict[int, str]:
    """Summaries by the vision model, for the pictures that got one, with their captions."""
    if request.describe is None or not request.options.summarize_images:
        return {}
    shown: list[tuple[int, Image.Image, str | None]] = []
    for index in places[:MAX_DESCRIBED]:
        image = pixels(elements[index])
        if image is not None:
            small = image.copy()
            small.thumbnail((_SHOWN_SIDE, _SHOWN_SIDE))
            shown.append((index, small, caption_beside(elements, index)))
    if not shown:
        return {}
    descriptions = request.describe([(image, caption) for _, image, caption in shown])
    return {
        index: " ".join(part for part in (sentence(caption), text) if part)
        for (index, _, caption), text in zip(shown, descriptions, strict=True)
        if text
    }


def _remarks(count: int, seen: int, request: Request) -> list[str]:
    options = request.options
    notes: list[str] = []
    if request.describe is not None and options.summarize_images and count:
        notes.append(f"a vision model summarised {seen} of {count} pictures")
    if count > MAX_PICTURES:
        notes.append(f"only the first {MAX_PICTURES} of {count} pictures were looked at")
    if options.summarize_images and count - seen > MAX_READ:
        notes.append(f"the words in pictures were read in the first {MAX_READ} of {count}")
    return notes


def illustrate_embedded(elements: list[Element], request: Request) -> list[str]:
    """The same for formats whose readers leave picture files on Image elements.

    The files are removed in any case. Vector formats and damaged pictures have no pixels and keep
    their place.
    """
    files: dict[int, str] = {}
    for element in elements:
        if element.binary_representation is not None:
            files[id(element)] = element.binary_representation
            element.binary_representation = None
    return illustrate(elements, request, lambda element: _opened(files.get(id(element))))


def _opened(data: str | None) -> Image.Image | None:
    if data is None:
        return None
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures; the limit here is our own.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(base64.b64decode(data))) as image:
                if image.width * image.height > _MAX_PIXELS:
                    return None
                return on_white(ImageOps.exif_transpose(image))
    except _DAMAGED:
        return None


def on_white(image: Image.Image) -> Image.Image:
    """RGB; transparent pixels become white, as on paper."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        shown = image.convert("RGBA")
        ground = Image.new("RGBA", shown.size, "white")
        return Image.alpha_composite(ground, shown).convert("RGB")
    return image.convert("RGB")
