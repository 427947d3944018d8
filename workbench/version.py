"""The version of the product that is installed."""

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("docset-workbench")
    except PackageNotFoundError:  # run from a checkout
        from backend import __version__ as checked_out

        return checked_out


__version__ = _installed()
