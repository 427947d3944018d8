"""A reliability diagram as SVG: the part of values that are right beside their confidence."""

from collections.abc import Iterable

LEVELS = 10
_SIDE, _EDGE = 320, 40
_LARGEST = 9.0


def diagram(values: Iterable[tuple[float, float]]) -> str:
    """The picture of values, each with its confidence and how much of it is right (0 to 1).

    There is a dot for each tenth of confidence, the larger the more values it has; on the dashed
    line confidence and correctness agree.
    """
    levels: list[list[tuple[float, float]]] = [[] for _ in range(LEVELS)]
    for confidence, right in values:
        levels[min(LEVELS - 1, int(LEVELS * confidence))].append((confidence, right))
    most = max((len(level) for level in levels), default=0)
    dots = [_dot(level, most) for level in levels if level]
    size = _SIDE + 2 * _EDGE
    start, end = _at(0.0, 0.0), _at(1.0, 1.0)
    ticks = [_tick(level / LEVELS) for level in range(0, LEVELS + 1, 2)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{_SIDE}" height="{_SIDE}" fill="none" '
        'stroke="#888"/>',
        f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}" stroke="#888" '
        'stroke-dasharray="4"/>',
        *ticks, *dots,
        f'<text x="{size / 2}" y="{size - 4}" text-anchor="middle">confidence</text>',
        f'<text x="12" y="{size / 2}" text-anchor="middle" '
        f'transform="rotate(-90 12 {size / 2})">right</text>',
        "</svg>", "",
    ])  # fmt: skip


def _dot(level: list[tuple[float, float]], most: int) -> str:
    confidence, right = (sum(column) / len(level) for column in zip(*level, strict=True))
    x, y = _at(confidence, right)
    radius = max(2.0, _LARGEST * (len(level) / most) ** 0.5)
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius:.1f}" fill="#2a6fb0">'
        f"<title>{len(level)} values</title></circle>"
    )


def _tick(share: float) -> str:
    x, y = _at(share, share)
    bottom = _EDGE + _SIDE
    return (
        f'<text x="{x}" y="{bottom + 14}" text-anchor="middle">{share:.1f}</text>'
        f'<text x="{_EDGE - 4}" y="{y + 4}" text-anchor="end">{share:.1f}</text>'
    )


def _at(confidence: float, right: float) -> tuple[float, float]:
    """Where a point of the diagram stands in the picture."""
    return round(_EDGE + _SIDE * confidence, 1), round(_EDGE + _SIDE * (1.0 - right), 1)
