"""The part of describing pictures that runs in a worker: files for the server's vision model."""

import io
from collections.abc import Callable, Sequence

from PIL import Image

from backend.tasks.worker import Report

Shown = Sequence[tuple[Image.Image, str | None]]


def describer(report: Report, *, eyes: bool) -> Callable[[Shown], Sequence[str | None]] | None:
    """Has pictures with their captions described by the server; None where no model sees."""
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
