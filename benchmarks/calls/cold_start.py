"""What a fresh process pays until it has its first item: import, credentials of the environment, one GetItem.

CPU time is that of the whole process; memory is the most it held. Both are counted over an empty interpreter.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.calls.contenders import FAST, TABLE_RESOURCE
from benchmarks.calls.workload import ACCESS_KEY, REGION, SECRET_KEY, TABLE, partition, sort
from benchmarks.imports import spent_by_children
from benchmarks.report import table
from benchmarks.rounds import interleaved

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 11
EMPTY = "empty interpreter"

TABLEWRIGHT = """
import tablewright as tw
from tablewright import Attr

shop = tw.Service("shop", table="orders")

class Order(tw.Entity, service=shop, name="order", version="1"):
    customer: Attr[str]
    orderId: Attr[str]
    status: Attr[str]
    total: Attr[float]

    @tw.primary
    def key(self, customer: str, *, orderId: str) -> None: ...

order = tw.Database.aws(endpoint_url=ENDPOINT).run(Order.key("c00000", orderId="o00000").get())
assert order.total == 1000.5
"""
BOTO3 = f"""
import boto3

orders = boto3.resource("dynamodb", endpoint_url=ENDPOINT).Table({TABLE!r})
order = orders.get_item(Key={{"pk": {partition(0)!r}, "sk": {sort(0)!r}}})["Item"]
assert order["total"] == 1000.5
"""
PROGRAMS = {EMPTY: "", FAST: TABLEWRIGHT, TABLE_RESOURCE: BOTO3}
TELL_MEMORY = """
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def measure(endpoint: str) -> dict[str, tuple[float, float]]:
    """Milliseconds and MiB of each program; the first, unmeasured round writes the byte code."""
    memory: dict[str, list[float]] = defaultdict(list)
    measures = {name: measure_of(name, endpoint, memory[name]) for name in PROGRAMS}
    interleaved(measures, 1)
    times = interleaved(measures, ROUNDS)
    return {name: (times[name], median(memory[name])) for name in PROGRAMS}


def measure_of(name: str, endpoint: str, memory: list[float]) -> Callable[[], float]:
    code = f"ENDPOINT = {endpoint!r}\n{PROGRAMS[name]}{TELL_MEMORY}"
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "",
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        "AWS_DEFAULT_REGION": REGION,
    }

    def run() -> float:
        before = spent_by_children()
        ended = subprocess.run(
            [sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.PIPE, text=True
        )
        memory.append(int(ended.stdout) / 1024)
        return (spent_by_children() - before) * 1000

    return run


def over_empty(found: dict[str, tuple[float, float]], name: str) -> tuple[float, float]:
    empty_ms, empty_mib = found[EMPTY]
    return found[name][0] - empty_ms, found[name][1] - empty_mib


def times_table(found: dict[str, tuple[float, float]]) -> str:
    rows = [(name, *(f"{figure:.1f}" for figure in (*found[name], *over_empty(found, name)))) for name in found]
    title = f"Import and first GetItem: median over {ROUNDS} interleaved rounds of fresh processes"
    return table(title, ("process", "CPU ms", "MiB", "ms over empty", "MiB over empty"), rows)
