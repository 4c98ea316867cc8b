"""Key templates in ElectroDB's spelling: text with `${attribute}` in it."""

from __future__ import annotations

import re
from typing import Final

_REFERENCE: Final = re.compile(r"\$\{([^{}]*)\}")


def template_names(template: str) -> tuple[str, ...]:
    """The attributes a template mentions, in order, as often as it mentions them."""
    return tuple(_REFERENCE.findall(template))


def template_parts(template: str) -> tuple[tuple[str, str], ...]:
    """Pairs of attribute and the text before it; text after the last attribute comes with the empty name."""
    pieces = _REFERENCE.split(template)
    parts = list(zip(pieces[1::2], pieces[0::2], strict=False))
    return (*parts, ("", pieces[-1])) if pieces[-1] else tuple(parts)
