"""How far a job is: what it has done, and where it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

State: TypeAlias = Mapping[str, Any]  # whatever a kind of work needs to go on; JSON has to hold it


class Stride(msgspec.Struct, frozen=True):
    """What one step of a job did. `state` is where to go on, None when all is done."""

    state: State | None
    counts: Mapping[str, int] = {}
    write_units: float = 0.0
    is_noted: bool = False  # the step wrote the checkpoint itself, in its own transaction


class Progress(msgspec.Struct, frozen=True):
    """A job at some moment: items by kind, write units spent, steps taken, and whether it is finished."""

    job: str
    counts: Mapping[str, int] = {}
    write_units: float = 0.0
    steps: int = 0
    is_done: bool = False
    state: State = {}
    run: str = ""  # what tells this run of the job from an earlier one of the same name

    @property
    def items(self) -> int:
        """All items so far, of every kind."""
        return sum(self.counts.values())

    def after(self, stride: Stride) -> Progress:
        counts = dict(self.counts)
        for name, count in stride.counts.items():
            counts[name] = counts.get(name, 0) + count
        return msgspec.structs.replace(
            self,
            counts=counts,
            write_units=self.write_units + stride.write_units,
            steps=self.steps + 1,
            is_done=stride.state is None,
            state=self.state if stride.state is None else stride.state,
        )
