"""The functions that recorded schemas name, in Python. None stands for an absent value."""

from __future__ import annotations

from typing import Any


def _text(operation: str) -> Any:
    return lambda: lambda value=None, item=None: getattr(value, operation)() if isinstance(value, str) else value


def _prefix(text: str) -> Any:
    return lambda value=None, item=None: None if value is None else f"{text}{value}"


def _times(factor: float) -> Any:
    def run(value: Any = None, item: Any = None) -> Any:
        return value * factor if isinstance(value, int | float) and not isinstance(value, bool) else value

    return run


def _join(separator: str, *names: str) -> Any:
    def run(value: Any = None, item: Any = None) -> Any:
        parts = [item.get(name) for name in names]
        return None if any(part is None for part in parts) else separator.join(str(part) for part in parts)

    return run


def _raise(message: str) -> Any:
    def run(value: Any = None) -> Any:
        raise ValueError(message)

    return run


FUNCTIONS: dict[str, Any] = {
    "upper": _text("upper")(),
    "lower": _text("lower")(),
    "trim": _text("strip")(),
    "prefix": _prefix,
    "times": _times,
    "const": lambda value: lambda *_: value,
    "copy": lambda name: lambda value=None, item=None: item.get(name),
    "join": _join,
    "ifMissing": lambda other: lambda value=None, item=None: other if value is None else value,
    "drop": lambda *_: None,
    "minLength": lambda least: lambda value=None: value is None or len(value) >= least,
    "max": lambda most: lambda value=None: value is None or value <= most,
    "never": lambda *_: False,
    "raise": _raise,
    "equals": lambda name, wanted: lambda item: item.get(name) == wanted,
    "present": lambda name: lambda item: item.get(name) not in (None, ""),
    "always": lambda verdict: lambda item: verdict,
}
