"""What is asked of items after they were read."""

from __future__ import annotations

import msgspec


class Filter(msgspec.Struct, frozen=True):
    """A condition on what was read: an attribute, how it is compared, and with which parameters."""

    attribute: str
    operator: str
    values: tuple[str | bool | int | float, ...]  # `{name}` is a parameter
