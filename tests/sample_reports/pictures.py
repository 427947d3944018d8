"""The drawings in the reports: a sketch of the site and a height profile, as PNG files.

Drawn at twice the size and scaled down, because Pillow does not antialias lines.
"""

import io
import math
import random

from PIL import Image, ImageDraw, ImageFont

Size = tuple[int, int]
Point = tuple[float, float]

WIDTH, HEIGHT = 840, 430
_SCALE = 2
INK, PALE, GRASS, ASPHALT = "#22303c", "#d8dee4", "#eef3ea", "#8d969e"
ACCENT, WATER = "#b3402e", "#cfe0ec"


class _Canvas:
    """A drawing surface in final pixels."""

    def __init__(self, background: str) -> None:
        self.image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), background)
        self.draw = ImageDraw.Draw(self.image)

    def line(self, points: list[Point], color: str, width: float = 2.0) -> None:
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        self.draw.line(scaled, fill=color, width=max(1, round(width * _SCALE)), joint="curve")

    def dashes(self, start: Point, end: Point, color: str, width: float, dash: float) -> None:
        length = math.dist(start, end)
        for at in range(0, int(length), int(2 * dash)):
            ends = [
                (
                    start[0] + (end[0] - start[0]) * step / length,
                    start[1] + (end[1] - start[1]) * step / length,
                )
                for step in (at, min(at + dash, length))
            ]
            self.line(ends, color, width)

    def area(self, points: list[Point], color: str) -> None:
        self.draw.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill=color)

    def disc(self, at: Point, radius: float, color: str) -> None:
        box = [(value + side * radius) * _SCALE for side in (-1, 1) for value in at]
        self.draw.ellipse(box, fill=color)

    def text(
        self, at: Point, words: str, *, size: int = 15, color: str = INK, anchor: str = "lm"
    ) -> None:
        font = ImageFont.load_default(size * _SCALE)
        self.draw.text(
            (at[0] * _SCALE, at[1] * _SCALE), words, fill=color, font=font, anchor=anchor
        )

    def png(self) -> tuple[bytes, Size]:
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.BOX)
        out = io.BytesIO()
        small.quantize(96, Image.Quantize.FASTOCTREE).save(out, "PNG")
        return out.getvalue(), (WIDTH, HEIGHT)


def site_sketch(airport: str, wind_from: int, phase: str, seed: int) -> tuple[bytes, Size]:
    """The runway from above, with the aircraft's track and stopping point, and the wind."""
    rng = random.Random(seed)
    canvas = _Canvas(GRASS)
    bank = rng.uniform(330, 370)
    shore = [(x, bank + 14 * math.sin(x / 90 + seed % 7)) for x in range(0, WIDTH + 20, 20)]
    canvas.area([*shore, (WIDTH, HEIGHT), (0, HEIGHT)], WATER)
    canvas.text((24, HEIGHT - 24), "River", size=14, color="#5d7d95")
    _trees(canvas, rng)
    runway = 205.0
    canvas.area(
        [(90, runway - 24), (750, runway - 24), (750, runway + 24), (90, runway + 24)], ASPHALT
    )
    canvas.area([(560, 95), (720, 95), (720, 150), (560, 150)], "#b7bec4")
    canvas.area([(630, 150), (646, 150), (646, runway), (630, runway)], "#a4acb3")
    canvas.text((640, 122), "Apron", size=14, anchor="mm")
    canvas.dashes((120, runway), (720, runway), "white", 3, 16)
    heading = rng.randrange(1, 19)
    canvas.text((100, runway), f"{heading:02d}", size=17, color="white", anchor="lm")
    canvas.text((740, runway), f"{heading + 18}", size=17, color="white", anchor="rm")
    _track(canvas, rng, runway, phase)
    _north_and_wind(canvas, wind_from)
    canvas.text((24, 28), airport, size=18)
    canvas.line([(24, 60), (124, 60)], INK, 2)
    canvas.text((24, 74), "0", size=12, anchor="mm")
    canvas.text((124, 74), "200 m", size=12, anchor="mm")
    return canvas.png()


def _trees(canvas: _Canvas, rng: random.Random) -> None:
    for _ in range(46):
        x, y = rng.uniform(150, 540), rng.uniform(80, 150)
        if rng.random() < 0.4:
            y = rng.uniform(252, 312)
        radius = rng.uniform(4, 9)
        canvas.disc((x, y), radius, rng.choice(("#cfdcc6", "#c3d3b8", "#d7e2cf")))


def _track(canvas: _Canvas, rng: random.Random, runway: float, phase: str) -> None:
    """The path of the aircraft in red, with numbered points."""
    if phase == "Taxi":
        path = [(640.0, 120.0), (638.0, 165.0), (634.0, 190.0), (rng.uniform(560, 600), runway + 2)]
    else:
        leave, side = rng.uniform(430, 560), rng.choice((-1.0, 1.0))
        start = 40.0 if phase == "Landing" else 130.0
        bend = [(leave + step * 24, runway + side * 1.9 * step**2) for step in range(7)]
        path = [(start, runway), (leave - 60, runway), *bend]
    canvas.line(path, ACCENT, 3)
    for label, at in (("1", path[0]), ("2", path[len(path) // 2]), ("3", path[-1])):
        canvas.disc(at, 11, ACCENT)
        canvas.text(at, label, size=14, color="white", anchor="mm")
    canvas.text((path[-1][0] + 18, path[-1][1]), "Final position", size=14, color=ACCENT)


def _north_and_wind(canvas: _Canvas, wind_from: int) -> None:
    center = (788.0, 62.0)
    canvas.line([(center[0], center[1] + 26), (center[0], center[1] - 22)], INK, 2)
    canvas.area(
        [
            (center[0], center[1] - 32),
            (center[0] - 6, center[1] - 18),
            (center[0] + 6, center[1] - 18),
        ],
        INK,
    )
    canvas.text((center[0], center[1] - 42), "N", size=14, anchor="mm")
    angle = math.radians(wind_from)
    tail = (700 + 26 * math.sin(angle), 62 - 26 * math.cos(angle))
    head = (700 - 26 * math.sin(angle), 62 + 26 * math.cos(angle))
    canvas.line([tail, head], "#3f6f97", 3)
    canvas.disc(tail, 4, "#3f6f97")
    canvas.text((700, 20), f"Wind {wind_from:03d}°", size=13, color="#3f6f97", anchor="mm")


def altitude_profile(phase: str, minute: int, seed: int) -> tuple[bytes, Size]:
    """Height above ground in feet over local time, with the event marked."""
    rng = random.Random(seed)
    canvas = _Canvas("white")
    top = rng.choice((2000, 2500, 3000, 4000))
    left, right, floor, ceiling = 90.0, 800.0, 360.0, 60.0
    canvas.text((24, 28), "Height above ground, feet", size=15)
    for step in range(5):
        y = floor - (floor - ceiling) * step / 4
        canvas.line([(left, y), (right, y)], PALE, 1)
        canvas.text((left - 12, y), f"{top * step // 4:,}", size=13, anchor="rm")
    heights = _heights(rng, phase)
    xs = [left + (right - left) * index / (len(heights) - 1) for index in range(len(heights))]
    curve = [(x, floor - (floor - ceiling) * h) for x, h in zip(xs, heights, strict=True)]
    canvas.area([(left, floor), *curve, (right, floor)], "#e7eef4")
    canvas.line(curve, "#3f6f97", 3)
    for index in range(0, len(xs), 6):
        clock = minute - (len(xs) - 1 - index) // 3
        canvas.line([(xs[index], floor), (xs[index], floor + 6)], INK, 1)
        canvas.text(
            (xs[index], floor + 22), f"{clock // 60:02d}:{clock % 60:02d}", size=13, anchor="mm"
        )
    canvas.line([(left, floor), (right, floor)], INK, 2)
    mark = curve[len(curve) * 2 // 3]
    canvas.disc(mark, 7, ACCENT)
    canvas.text((mark[0] + 14, mark[1] - 14), "Event", size=15, color=ACCENT)
    canvas.text(((left + right) / 2, 408), "Local time", size=14, anchor="mm")
    return canvas.png()


def _heights(rng: random.Random, phase: str) -> list[float]:
    """25 heights from 0 to 1 for the phase: level or climbing, then descending."""
    start = {"Climb": 0.15, "Approach": 0.95, "Cruise": 0.8, "Maneuvering": 0.3}.get(phase, 0.5)
    peak = {"Climb": 0.7, "Approach": 0.5, "Cruise": 0.82, "Maneuvering": 0.25}.get(phase, 0.5)
    out = []
    for index in range(25):
        part = index / 24
        level = start + (peak - start) * part / 0.66 if part < 0.66 else peak * (1 - part) / 0.34
        out.append(min(1.0, max(0.0, level + rng.uniform(-0.02, 0.02) * (part < 0.97))))
    return out
