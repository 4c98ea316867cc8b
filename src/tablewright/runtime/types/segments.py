"""Several texts in one, and back: `task/w1/t1`. A slash inside a part is written `~1`, a tilde `~0` (as RFC 6901 does).

Escaping keeps parts apart whatever they contain, so that the text of one can never begin like that of another by
accident.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SLASH = "/"


def joined(parts: Iterable[str]) -> str:
    return SLASH.join(part.replace("~", "~0").replace(SLASH, "~1") for part in parts)


def parted(text: str) -> list[str]:
    return [part.replace("~1", SLASH).replace("~0", "~") for part in text.split(SLASH)]
