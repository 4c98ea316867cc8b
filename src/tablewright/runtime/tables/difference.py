"""What `db.check` answers with."""

from __future__ import annotations

import msgspec


class Difference(msgspec.Struct, frozen=True):
    """Something that is not as declared: where, what, and what to do about it. As text, all three."""

    place: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.remedy}"
