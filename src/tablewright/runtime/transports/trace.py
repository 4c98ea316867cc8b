"""What happened to one call on its way: filled in by a transport when somebody observes, and by nobody otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Trace:
    """`faults` has the name of what went wrong for each attempt that failed, such as `ThrottlingException`."""

    attempts: int = 0
    faults: list[str] = field(default_factory=list[str])
    waited_seconds: float = 0.0
