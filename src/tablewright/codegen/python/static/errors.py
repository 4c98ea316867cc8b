"""What can go wrong besides what DynamoDB says."""

from __future__ import annotations

from .steps.errors import NotFound, WrongCursor

__all__ = ["NotFound", "WrongCursor"]
