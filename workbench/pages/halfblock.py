"""A picture in characters: each cell shows two pixels, as foreground and background of `▀`."""

from PIL import Image

from workbench.pages.grid import Cell, Colour, Grid


def half_blocks(picture: Image.Image, columns: int, rows: int) -> Grid:
    """The picture scaled to `columns` x `rows` cells; the caller chooses the aspect ratio."""
    small = picture.convert("RGB").resize((columns, rows * 2), Image.Resampling.BOX)
    data = small.tobytes()
    stride = columns * 3

    def pixel(x: int, y: int) -> Colour:
        start = y * stride + x * 3
        return (data[start], data[start + 1], data[start + 2])

    return [
        [
            Cell("▀", upper, lower) if (upper := pixel(x, 2 * y)) != (lower := pixel(x, 2 * y + 1))
            else Cell(" ", None, upper)
            for x in range(columns)
        ]
        for y in range(rows)
    ]  # fmt: skip
