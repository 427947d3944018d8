"""Pixel operations for scans, compared with slow versions written from their definitions."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from backend.partition.rectangles import clockwise, least_rectangle
from backend.partition.resampling import cut_out, moved, resized, rotation
from backend.partition.runs import Runs


def noise(share: float, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).random((37, 53)) < share


def flooded(mask: np.ndarray, corners: bool) -> set[tuple[int, int, int, int, int]]:
    """Left, top, width, height and black pixels of each region, pixel by pixel."""
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    steps += [(1, 1), (1, -1), (-1, 1), (-1, -1)] if corners else []
    waiting, out = set(zip(*np.nonzero(mask), strict=True)), set()
    while waiting:
        edge, region = [waiting.pop()], []
        while edge:
            y, x = edge.pop()
            region.append((y, x))
            near = {(y + dy, x + dx) for dy, dx in steps} & waiting
            waiting -= near
            edge += near
        ys, xs = zip(*region, strict=True)
        size = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        out.add((int(min(xs)), int(min(ys)), int(size[0]), int(size[1]), len(region)))
    return out


@pytest.mark.parametrize("corners", [True, False])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.45, 0.6, 1.0])
def test_regions_are_connected_components(share: float, corners: bool) -> None:
    mask = noise(share)
    result = Runs.of(mask).regions(corners=corners)
    parts = (result.left, result.top, result.width, result.height, result.filled)
    assert set(result.label.tolist()) == set(range(len(result.left)))
    assert set(zip(*(part.tolist() for part in parts), strict=True)) == flooded(mask, corners)


def test_short_strokes_are_dropped_and_narrow_gaps_filled() -> None:
    rows = "1101100001", "0000111110", "0000000000"
    drawn = np.array([[sign == "1" for sign in row] for row in rows])
    runs = Runs.of(drawn)
    assert np.array_equal(runs.painted(), drawn)
    assert runs.at_least(3).painted().sum() == 5
    bridged = runs.bridged(2).painted()
    assert bridged.sum() == 11 and bridged[0, :5].all()


def test_the_least_rectangle_around_a_slanted_line_has_its_slope_and_size() -> None:
    along, across = np.array([np.cos(0.3), np.sin(0.3)]), np.array([-np.sin(0.3), np.cos(0.3)])
    inside = np.random.default_rng(1).random((400, 2)) * [90, 12]
    points = np.vstack([inside, [[0, 0], [90, 0], [90, 12], [0, 12]]]) @ np.stack([along, across])
    result = least_rectangle(points)
    assert sorted((result.length, result.breadth)) == pytest.approx([12, 90])
    assert np.ptp(result.grown(5) @ along) == pytest.approx(100)
    assert clockwise(result.corners)[0] == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize("points", [[[4, 7]], [[4, 7], [9, 7]], [[1, 1], [2, 2], [3, 3]]])
def test_a_point_and_a_stroke_have_a_rectangle_too(points: list[list[int]]) -> None:
    result = least_rectangle(np.array(points, float))
    assert min(result.length, result.breadth) == pytest.approx(0)


def striped(degrees: float) -> np.ndarray:
    """A page with one broad stripe of red from (60, 100) to (340, 100), turned about (200, 100)."""
    page = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(page).rectangle((60, 90, 340, 110), fill="red")
    return np.asarray(page.rotate(degrees, Image.Resampling.BICUBIC, fillcolor="white"))


@pytest.mark.parametrize("degrees", [0, 7, -11])
def test_a_slanted_line_is_cut_out_level(degrees: float) -> None:
    angle = np.radians(-degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-130, -8], [130, -8], [130, 8], [-130, 8]]) @ turn + [200, 100]
    line = cut_out(striped(degrees), corners)
    assert line.shape[0] in (15, 16) and line.shape[1] in (259, 260)
    assert (np.abs(line[2:-2, 2:-2].astype(int) - [255, 0, 0]).max(axis=2) < 30).all()


def test_outside_a_picture_its_edge_pixels_repeat() -> None:
    page = np.full((20, 30, 3), 9, np.uint8)
    assert (cut_out(page, np.array([[-5, -5], [50, -5], [50, 15], [-5, 15]], float)) == 9).all()
    assert (cut_out(page, np.array([[-5, -5], [50, 2], [50, 15], [-5, 12]], float)) == 9).all()


def test_a_page_is_levelled_and_uncovered_corners_are_white() -> None:
    level = moved(striped(8), rotation((200, 100), -8))
    assert np.abs(level.astype(int) - striped(0)).mean() < 4
    assert level[0, 0].tolist() == [255, 255, 255]


def test_a_smaller_picture_shows_the_same() -> None:
    small = resized(striped(0), 200, 100)
    assert small.shape == (100, 200, 3)
    assert small[50, 100].tolist() == [255, 0, 0] and small[10, 10].tolist() == [255, 255, 255]
