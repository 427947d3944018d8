"""Numbers in attributes of documents, which may hold anything."""


def whole(value: str | None, default: int) -> int:
    """A whole number of at most nine digits, else the default."""
    if value and value.isascii() and value.isdecimal() and len(value) <= 9:
        return int(value)
    text = (value or "").strip()
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 9:
        return default
    return int(text)


def repeated(value: str | None) -> int:
    """How often a row or cell occurs: at least once; a number too long to be read is a billion."""
    is_long = value is not None and value.isascii() and value.isdecimal() and len(value) > 9
    return 10**9 if is_long else max(1, whole(value, 1))


def span(value: str | None) -> int:
    """How many rows or columns a cell covers: 1 to 256."""
    return min(256, max(1, whole(value, 1)))


def shown(number: float) -> str:
    """A number of a sheet as people write it: sums of decimals are stored with noise in the last
    of 17 digits."""
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.15g}"
