"""Which rows a limit keeps, in words."""

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip


def rows_kept(count: int | str, skip: int | None = None) -> str:
    """The rows that a limit of `count` behind `skip` others keeps.

    >>> rows_kept(5), rows_kept(1, 1), rows_kept(5, 10)
    ('the first 5', 'the second', '5 after the first 10')
    """
    if not skip:
        return f"the first {count:,}" if isinstance(count, int) else f"the first {count}"
    return f"the {_ordinal(skip + 1)}" if count == 1 else f"{count:,} after the first {skip:,}"


def _ordinal(number: int) -> str:
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
