"""`tablewright.engine.simulation` under the name that it had first: imports of it go on to work."""

from tablewright.engine.simulation import (
    Account,
    Call,
    Charge,
    Clock,
    Failure,
    Heat,
    Instruments,
    Partition,
    Partitions,
    Warmth,
    every,
)

__all__ = [
    "Account",
    "Call",
    "Charge",
    "Clock",
    "Failure",
    "Heat",
    "Instruments",
    "Partition",
    "Partitions",
    "Warmth",
    "every",
]
