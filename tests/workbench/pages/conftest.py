import io

import pytest
from PIL import Image

from tests.tui import fake_client


@pytest.fixture(scope="session")
def pdf() -> bytes:
    return fake_client.pdf()


@pytest.fixture
def png() -> bytes:
    """Left half black, right half white, 40 x 20."""
    image = Image.new("RGB", (40, 20), "white")
    image.paste((0, 0, 0), (0, 0, 20, 20))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
