"""Numbers, sizes and times as people read them in a narrow column."""

from datetime import datetime


def count(number: int) -> str:
    return f"{number:,}"


def byte_size(size: int) -> str:
    """`812 B`, `3.4 kB`, `12 MB`."""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB", "TB"):
        value /= 1000
        if value < 999.5 or unit == "TB":
            return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"
    raise AssertionError("unreachable")


def duration(seconds: float) -> str:
    """`640 ms`, `12 s`, `3:07`, `2 h 05`, `4 d`."""
    if seconds < 1:
        return f"{max(0, seconds) * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
    if seconds < 86400:
        return f"{int(seconds) // 3600} h {int(seconds) % 3600 // 60:02d}"
    return f"{int(seconds) // 86400} d"


def day(moment: datetime | str) -> str:
    """The date alone; text that is not a date is unchanged."""
    if isinstance(moment, datetime):
        return f"{moment:%Y-%m-%d}"
    try:
        return f"{datetime.fromisoformat(moment):%Y-%m-%d}"
    except ValueError:
        return moment


def bar(done: float, width: int, *, rest: str = "░") -> str:
    """A bar of `width` cells, filled to `done` (0 to 1) in eighths; `rest` fills the rest."""
    eighths = round(max(0.0, min(1.0, done)) * width * 8)
    full, part = divmod(eighths, 8)
    return ("█" * full + (" ▏▎▍▌▋▊▉"[part] if part else "")).ljust(width, rest)[:width]


def sparkline(counts: list[int]) -> str:
    """One block per count, as high as its share of the largest."""
    top = max(counts, default=0)
    return "".join("▁▂▃▄▅▆▇█"[round(7 * number / top)] for number in counts) if top else ""
