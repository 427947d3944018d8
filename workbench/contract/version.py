"""The version of the product, the same for the backend and whoever talks to it."""

__version__ = "0.1.0"
