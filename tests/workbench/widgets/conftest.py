"""The end of every widget with its test."""

from collections.abc import Iterator

import pytest
from ipywidgets import Widget


@pytest.fixture(autouse=True)
def no_widget_outlives_its_test() -> Iterator[None]:
    """An open widget follows what later tests do, and works while they wait."""
    yield
    Widget.close_all()
