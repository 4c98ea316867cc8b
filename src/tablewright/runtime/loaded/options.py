"""Execution options as ElectroDB's users write them, turned into those of all operations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tablewright.errors import RequestError
from tablewright.runtime.options import Options, read_options

WITHOUT_EFFECT = frozenset({"raw", "include_keys", "page", "pager", "format_cursor", "parse", "hydrator"})
"""Options that ElectroDB once had or keeps for itself; it takes them and does nothing."""

COUNTED = {"pages": 2005, "concurrent": 2004}
"""Options that are numbers from 1 on (also as text), and the code of a bad one."""


def read_loaded_options(given: Mapping[str, Any]) -> Options:
    """Options from keyword arguments. None is as good as nothing, except for a number that was to be counted to."""
    values = {name: value for name, value in given.items() if name not in WITHOUT_EFFECT}
    for name, code in COUNTED.items():
        if name in values:
            values[name] = counted(name, values[name], code)
    if values.get("listeners") is not None and not isinstance(values["listeners"], list | tuple):
        raise RequestError(f"option listeners is a list of functions, not {values['listeners']!r:.40}", code=1021)
    if values.get("logger") is not None and not callable(values["logger"]):
        raise RequestError(f"option logger is a function, not {values['logger']!r:.40}", code=1022)
    if values.get("table") is not None and not isinstance(values["table"], str):
        raise RequestError(f"option table is a name, not {values['table']!r:.40}", code=1010)
    return read_options({**values, "attributes": values.get("attributes") or None, "cursor": values.get("cursor") or None})


def counted(name: str, value: Any, code: int) -> Any:
    if value == "all" and name == "pages":
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = 0.0
    if number < 1 or isinstance(value, bool):
        wanted = 'a number of at least 1 or "all"' if name == "pages" else "a number of at least 1"
        raise RequestError(f"option {name} is {value!r}, but must be {wanted}", code=code)
    return math.floor(number) if math.isfinite(number) else value
