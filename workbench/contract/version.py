"""The version of the product, the same for the backend and its clients."""

__version__ = "0.1.0"
