"""Pictures of pages, for the screens that show elements on them."""

from pathlib import Path

from PIL import Image

from backend.partition import sniff
from backend.partition.document import PartitionFailure
from backend.partition.formats import image
from backend.partition.pdf.file import loaded, opened, render

MAX_WIDTH = 4000


def render_page(source: Path, page: int, width: int) -> Image.Image:
    """Page `page` (from 1) of a PDF or picture as RGB, `width` pixels wide (1 to 4000).

    Very tall pages come out narrower, since the number of pixels is limited. Raises
    `PartitionFailure`: 400 for a page that does not exist, 415 for formats without pages.
    """
    width = min(max(width, 1), MAX_WIDTH)
    kind = sniff.content_type(source, source.name)
    if kind == sniff.PDF:
        with opened(source) as document:
            _check(page, len(document))
            with loaded(document, page) as loaded_page:
                return render(loaded_page, width / max(loaded_page.get_size()[0], 1.0))
    if kind in sniff.PICTURES:
        with image.opened(source) as picture:
            _check(page, int(getattr(picture, "n_frames", 1)))
            shown = image.frame(picture, page)
            height = max(1, round(shown.height * width / shown.width))
            return shown.resize((width, min(height, 4 * MAX_WIDTH)), Image.Resampling.LANCZOS)
    raise PartitionFailure("Only PDF files and pictures have pages that can be shown.", 415)


def _check(page: int, count: int) -> None:
    if not 1 <= page <= count:
        raise PartitionFailure(f"There is no page {page}; the document has {count}.", 400)
