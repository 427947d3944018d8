"""The positions of a slide's shapes, in EMU; placeholders inherit theirs from the layout."""

from dataclasses import dataclass

from lxml import etree

from backend.partition.archive import Archive

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"

Corners = tuple[float, float, float, float]
"""x and y of the top left and the bottom right."""
Layout = dict[tuple[str, str], Corners]
"""Places of placeholders by kind and index."""


@dataclass(frozen=True)
class Scale:
    """Group coordinates to slide coordinates: `at * factor + shift`, per axis."""

    factor_x: float = 1.0
    factor_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    def placed(self, corners: Corners) -> Corners:
        x0, y0, x1, y1 = corners
        return (
            x0 * self.factor_x + self.shift_x,
            y0 * self.factor_y + self.shift_y,
            x1 * self.factor_x + self.shift_x,
            y1 * self.factor_y + self.shift_y,
        )

    def inside(self, group: etree._Element) -> "Scale":
        """The scale of the shapes in a group."""
        frame = group.find(f"{P}grpSpPr/{A}xfrm")
        if frame is None:
            return self
        offset, extent = frame.find(f"{A}off"), frame.find(f"{A}ext")
        child, inner = frame.find(f"{A}chOff"), frame.find(f"{A}chExt")
        if offset is None or extent is None or child is None or inner is None:
            return self
        fx = length(extent, "cx") / (length(inner, "cx") or 1.0)
        fy = length(extent, "cy") / (length(inner, "cy") or 1.0)
        dx = length(offset, "x") - length(child, "x") * fx
        dy = length(offset, "y") - length(child, "y") * fy
        return Scale(
            fx * self.factor_x,
            fy * self.factor_y,
            dx * self.factor_x + self.shift_x,
            dy * self.factor_y + self.shift_y,
        )


def layout_of(archive: Archive, slide: str) -> Layout:
    """The places that the layout of a slide, and the master of that, give to placeholders."""
    places: Layout = {}
    for layout in archive.related(slide, "slideLayout"):
        for part in [*archive.related(layout, "slideMaster"), layout]:
            if part in archive:
                places.update(_placeholders(archive.xml(part)))
    return places


def _placeholders(root: etree._Element) -> Layout:
    layout: Layout = {}
    for shape in root.iter(f"{P}sp", f"{P}pic", f"{P}graphicFrame"):
        place = next(shape.iter(f"{P}ph"), None)
        corners = own_corners(shape)
        if place is not None and corners is not None:
            for key in _keys(place):
                layout[key] = corners
    return layout


def _keys(place: etree._Element) -> tuple[tuple[str, str], tuple[str, str]]:
    """By its index and by its kind; the index is more specific if both are known."""
    return ("idx", place.get("idx") or "0"), ("kind", place.get("type") or "body")


def corners_of(shape: etree._Element, layout: Layout) -> Corners | None:
    own = own_corners(shape)
    place = next(shape.iter(f"{P}ph"), None)
    if own is not None or place is None:
        return own
    by_index, by_kind = _keys(place)
    if place.get("idx") is not None and by_index in layout:
        return layout[by_index]
    kind = by_kind if by_kind[1] != "ctrTitle" else ("kind", "title")
    return layout.get(by_kind) or layout.get(kind)


def own_corners(shape: etree._Element) -> Corners | None:
    frame = next(shape.iter(f"{A}xfrm", f"{P}xfrm"), None)
    offset = frame.find(f"{A}off") if frame is not None else None
    extent = frame.find(f"{A}ext") if frame is not None else None
    if offset is None or extent is None:
        return None
    x, y = length(offset, "x"), length(offset, "y")
    return x, y, x + length(extent, "cx"), y + length(extent, "cy")


def length(node: etree._Element, name: str, default: float = 0.0) -> float:
    """A length in EMU; the default if it is missing or not a number."""
    try:
        value = float(node.get(name) or default)
    except ValueError:
        return default
    return value if abs(value) < 1e12 else default
