"""What can go wrong besides what DynamoDB says."""

from __future__ import annotations


class NotFound(LookupError):
    """There was no item to change or to delete."""


class WrongValue(ValueError):
    """A value that keys of this style cannot hold: nothing was sent."""


class WrongCursor(ValueError):
    """A cursor that was not made for this question."""
