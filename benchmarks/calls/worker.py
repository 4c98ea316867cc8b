"""One client in a process of its own, so that its CPU time is nobody else's: `python -m benchmarks.calls.worker`.

Reads commands, one in a line, and answers each with one line of JSON: CPU microseconds per call, or, at `check`, what
it read of the canned answers.
"""

from __future__ import annotations

import gc
import importlib
import json
import sys
from time import process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.calls.client import Client


def opened(where: str, endpoint: str) -> Client:
    module, _, function = where.partition(":")
    return getattr(importlib.import_module(f"benchmarks.calls.clients.{module}"), function)(endpoint)  # type: ignore[no-any-return]


def cpu_us(client: Client, operation: str, calls: int) -> float:
    call = getattr(client, operation)
    gc.collect()
    started = process_time()
    if client.loop is None:
        for number in range(calls):
            call(number)
    else:
        client.loop.run_until_complete(each_awaited(call, calls))
    return (process_time() - started) * 1e6 / calls


async def each_awaited(call: Any, calls: int) -> None:
    for number in range(calls):
        await call(number)


def result(client: Client, answer: Any) -> Any:
    return answer if client.loop is None else client.loop.run_until_complete(awaited(answer))


async def awaited(answer: Any) -> Any:
    return await answer


def check(client: Client) -> dict[str, Any]:
    """Facts about the order that a get gives and about the first of a query, and how many a query gives."""
    got, found = result(client, client.get(0)), result(client, client.query(0))
    return {"get": client.facts(got), "query": client.facts(found[0]), "count": len(found)}


def main(where: str, endpoint: str) -> None:
    client = opened(where, endpoint)
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        answer = check(client) if command.get("check") else cpu_us(client, command["operation"], command["calls"])
        print(json.dumps(answer), flush=True)
    close(client)


def close(client: Client) -> None:
    if client.close is not None:
        result(client, client.close())
    if client.loop is not None:
        client.loop.run_until_complete(client.loop.shutdown_asyncgens())
        client.loop.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
