"""The version of the installed product."""

from __future__ import annotations


def version() -> str:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("companion-table")
    except PackageNotFoundError:
        return "0"
