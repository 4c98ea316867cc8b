"""What a client in the race has to offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

    from benchmarks.calls.workload import Facts


@dataclass(frozen=True, slots=True)
class Client:
    """Each operation does one call for a number; with a loop, it has to be awaited.

    `get` answers with an order and `query` with a list of them, in whatever form the library gives; `facts` reads one.
    """

    get: Callable[[int], Any]
    update: Callable[[int], Any]
    query: Callable[[int], Any]
    bulk: Callable[[int], Any]
    facts: Callable[[Any], Facts]
    loop: asyncio.AbstractEventLoop | None = None
    close: Callable[[], Any] | None = None


Open = Callable[[str], Client]
"""Makes a client of an endpoint's address."""
