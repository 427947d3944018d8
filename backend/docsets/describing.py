"""The worker's part of describing pictures: files for the server's vision model."""

import io
from collections.abc import Callable, Sequence

from PIL import Image

from backend.tasks.worker import Report

Shown = Sequence[tuple[Image.Image, str | None]]


def describer(report: Report, *, eyes: bool) -> Callable[[Shown], Sequence[str | None]] | None:
    """Describes pictures with their captions through the server; None without a vision model."""
    if not eyes:
        return None

    def describe(shown: Shown) -> Sequence[str | None]:
        answer = report.ask("pictures", [c for _, c in shown], [_png(i) for i, _ in shown])
        return list(answer)

    return describe


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.convert("RGB").save(file, "PNG")
    return file.getvalue()
