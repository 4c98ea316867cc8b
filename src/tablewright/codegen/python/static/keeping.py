"""Values that a caller may leave out of a change."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Keep(Enum):
    """Stands for a value that is left as it is."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP
