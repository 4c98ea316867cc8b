"""Processes that write until they are killed: python writer.py FILE DURABILITY.

For every number it reads, a child is forked that makes changes from that number on. The nth change is the same in every
run, so that whoever reads the numbers of the finished changes knows what must be in the file. Each number is told when
its change is done, and not before.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from tablewright.engine import Engine

KEYS = 40
OWNERS = 5


def item(number: int, key: int) -> dict[str, Any]:
    owner = {"owner": {"S": f"owner{number % OWNERS}"}} if number % 3 else {}
    return {"pk": {"S": f"key{key}"}, "n": {"N": str(number)}, "data": {"S": "x" * (number % 700)}, **owner}


def changes(number: int) -> dict[int, dict[str, Any] | None]:
    """The items a change leaves behind, by key; None for one it deletes."""
    key = number * 7 % KEYS
    if number % 5 == 0:
        return {key: None}
    if number % 5 == 1:
        return {each % KEYS: item(number, each % KEYS) for each in range(key, key + 4)}
    return {key: item(number, key)}


def request(number: int) -> tuple[str, dict[str, Any]]:
    """The same change as a call."""
    wanted = changes(number)
    if len(wanted) > 1:
        members = [{"Put": {"TableName": "things", "Item": each}} for each in wanted.values()]
        return "TransactWriteItems", {"TransactItems": members}
    ((key, new),) = wanted.items()
    if new is None:
        return "DeleteItem", {"TableName": "things", "Key": {"pk": {"S": f"key{key}"}}}
    return "PutItem", {"TableName": "things", "Item": new}


def write(path: str, durability: Any, first: int) -> None:
    with Engine(path, durability=durability) as engine:
        for number in range(first, sys.maxsize):
            engine.call(*request(number))
            os.write(1, f"{number}\n".encode())


def main(path: str, durability: str) -> None:
    """Tell the child's process, then what it does, then its end."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            write(path, durability, int(line))
        os.write(1, f"process {child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"dead\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
