"""A question before it is asked: what was assumed, what else it could be, and what to write into the spec then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

Changes: TypeAlias = Mapping[str, Any]
FIRST = "condition"
"""What keeps a pattern from being proven is asked before everything else."""
ALL_RATES = "rates"
"""Where nobody said any rate; nothing moves a bill more."""
MOST_QUESTIONS = 8


class Reply(msgspec.Struct, frozen=True):
    """Another answer, and what it would write into the spec."""

    answer: str
    changes: Changes


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question with what was assumed and what else it could be; `always` is for what no search can tell."""

    id: str
    source: str
    place: str
    question: str
    assumed: str
    others: tuple[Reply, ...] = ()
    kind: Literal["design", "aim"] = "design"
    always: bool = False
    value: float = 0.0  # of a number: the dollars a month that it moves the bill by
