"""Pages of PDF and picture files as pictures; `page_count` is 0 for others."""

import io
import threading
import warnings

import pypdfium2 as pdfium
from PIL import Image, ImageSequence, UnidentifiedImageError

# pdfium is not thread-safe.
_PDFIUM = threading.Lock()
_MAX_PIXELS = 60_000_000
_MAX_SIDE = 8_000


class NoPage(Exception):
    """The page does not exist or cannot be rendered; the message says why."""


def page_count(data: bytes) -> int:
    """The number of pages; 0 for files that are neither PDF nor picture, or are broken."""
    if _is_pdf(data):
        with _PDFIUM:
            try:
                document = pdfium.PdfDocument(data)
            except pdfium.PdfiumError:
                return 0
            try:
                return len(document)
            finally:
                document.close()
    try:
        with _opened(data) as image:
            return int(getattr(image, "n_frames", 1))
    except NoPage:
        return 0


def page_picture(data: bytes, page: int, width: int) -> Image.Image:
    """Page `page` (from 1) as an RGB picture `width` pixels wide. Raises NoPage."""
    if not 1 <= width <= _MAX_SIDE:
        raise ValueError(f"a width of {width} pixels is out of range")
    return _pdf_page(data, page, width) if _is_pdf(data) else _image_page(data, page, width)


def page_png(data: bytes, page: int, width: int) -> bytes:
    """The same as a PNG file."""
    out = io.BytesIO()
    page_picture(data, page, width).save(out, "PNG")
    return out.getvalue()


def _is_pdf(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


def _pdf_page(data: bytes, page: int, width: int) -> Image.Image:
    with _PDFIUM:
        try:
            document = pdfium.PdfDocument(data)
        except pdfium.PdfiumError as error:
            raise NoPage("The file cannot be opened as PDF.") from error
        try:
            if not 1 <= page <= len(document):
                raise NoPage(f"The file has {len(document)} pages; there is no page {page}.")
            leaf = document[page - 1]
            across, down = leaf.get_size()
            scale = min(width / max(across, 1), _MAX_SIDE / max(down, 1))
            picture: Image.Image = leaf.render(scale=scale).to_pil()
            return picture.convert("RGB")
        except pdfium.PdfiumError as error:
            raise NoPage(f"Page {page} cannot be drawn.") from error
        finally:
            document.close()


def _opened(data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data))
    except (UnidentifiedImageError, OSError, ValueError) as error:
        raise NoPage("Files of this kind have no pages to show.") from error
    if image.width * image.height > _MAX_PIXELS:
        raise NoPage(f"The picture is too large to show ({image.width} x {image.height}).")
    return image


def _image_page(data: bytes, page: int, width: int) -> Image.Image:
    with _opened(data) as image:
        frames = int(getattr(image, "n_frames", 1))
        if not 1 <= page <= frames:
            raise NoPage(f"The file has {frames} pages; there is no page {page}.")
        try:
            frame = next(f for i, f in enumerate(ImageSequence.Iterator(image), 1) if i == page)
            height = max(1, min(_MAX_SIDE, round(frame.height * width / frame.width)))
            return frame.convert("RGB").resize((width, height), Image.Resampling.BOX)
        except (OSError, ValueError, SyntaxError) as error:
            raise NoPage("The picture is damaged.") from error
