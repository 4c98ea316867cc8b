"""Execution options as ElectroDB's users write them, turned into those of all operations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError
from tablewright.runtime.options import Options, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping

WITHOUT_EFFECT = frozenset({"raw", "include_keys", "page", "pager", "format_cursor", "parse", "hydrator"})
"""Options that ElectroDB once had or keeps for itself; it takes them and does nothing."""

COUNTED = ("pages", "concurrent")
"""Options that are numbers from 1 on, also as text. They are checked by the operations that count."""


def read_loaded_options(given: Mapping[str, Any]) -> Options:
    """Options from keyword arguments. None is as good as nothing, except where something is to be counted."""
    values = {name: value for name, value in given.items() if name not in WITHOUT_EFFECT}
    values.update({name: _counted(values[name]) for name in COUNTED if name in values})
    if values.get("listeners") is not None and not isinstance(values["listeners"], list | tuple):
        raise RequestError(f"option listeners is a list of functions, not {values['listeners']!r:.40}", code=1021)
    if values.get("logger") is not None and not callable(values["logger"]):
        raise RequestError(f"option logger is a function, not {values['logger']!r:.40}", code=1022)
    if values.get("table") is not None and not isinstance(values["table"], str):
        raise RequestError(f"option table is a name, not {values['table']!r:.40}", code=1010)
    return read_options(
        {**values, "attributes": values.get("attributes") or None, "cursor": values.get("cursor") or None}
    )


def _counted(value: Any) -> Any:
    """The whole number a value stands for; what stands for none is left for the operation to refuse."""
    try:
        return math.floor(float(value))
    except (TypeError, ValueError, OverflowError):
        return 0 if value is None else value
