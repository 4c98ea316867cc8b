"""What can go wrong besides what DynamoDB says."""

from __future__ import annotations


class NotFound(LookupError):
    """There was no item to change or to delete."""


class WrongCursor(ValueError):
    """A cursor that was not made for this question."""
