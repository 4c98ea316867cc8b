"""Who is measured: each makes a request ready beforehand and sends it as often as asked."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.engine.client import Client, encoded
from tablewright.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Callable

NODE_DIR = Path(__file__).parents[2] / "tests" / "node"


class Contender(Protocol):
    name: str
    start_seconds: float

    def ready(self, action: str, params: dict[str, Any]) -> Callable[[], object]:
        """A request of which nothing is left to do but to send it and to take the answer."""
        ...

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]: ...

    def memory_mib(self) -> float:
        """What the process holds now."""
        ...

    def close(self) -> None: ...


class Direct:
    """The engine, called in process."""

    def __init__(self, path: str | None = None) -> None:
        self.name = "engine, in memory" if path is None else "engine, in a file"
        started = time.perf_counter()
        self.engine = Engine(path)
        self.start_seconds = time.perf_counter() - started

    def ready(self, action: str, params: dict[str, Any]) -> Callable[[], object]:
        return partial(self.engine.call, action, params)

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        return self.engine.call(action, params)

    def memory_mib(self) -> float:
        return held_mib("self")

    def close(self) -> None:
        self.engine.close()


class Served:
    """A server in a process of its own, through one bare keep-alive connection."""

    def __init__(self, name: str, command: list[str], port: int, *, cwd: Path | None = None) -> None:
        self.name = name
        quiet = subprocess.DEVNULL
        started = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=cwd, stdout=quiet, stderr=quiet, env={**os.environ, "NODE_ENV": "production"}
        )
        wait_for(port, self.process)
        self.start_seconds = time.perf_counter() - started
        self.client = Client(port)

    def ready(self, action: str, params: dict[str, Any]) -> Callable[[], object]:
        return partial(self.client.exchange, encoded(action, params))

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        return json.loads(self.client.exchange(encoded(action, params)))  # type: ignore[no-any-return]

    def memory_mib(self) -> float:
        return held_mib(str(self.process.pid))

    def close(self) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait(10)


class MotoInProcess:
    """moto's own backend behind a boto3 client, no sockets."""

    def __init__(self) -> None:
        import boto3
        from moto import mock_aws

        self.name = "moto, in process"
        started = time.perf_counter()
        self.mock = mock_aws()
        self.mock.start()
        self.client = boto3.client(
            "dynamodb", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x"
        )
        self.start_seconds = time.perf_counter() - started

    def ready(self, action: str, params: dict[str, Any]) -> Callable[[], object]:
        return partial(self.call, action, params)

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        words = "".join("_" + letter.lower() if letter.isupper() else letter for letter in action)[1:]
        return getattr(self.client, words)(**params)  # type: ignore[no-any-return]

    def memory_mib(self) -> float:
        return held_mib("self")

    def close(self) -> None:
        self.mock.stop()


def held_mib(process: str) -> float:
    """The memory of a process that is really there; not known everywhere."""
    status = Path(f"/proc/{process}/status")
    return int(status.read_text().split("VmRSS:")[1].split()[0]) / 1024 if status.exists() else float("nan")


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(2000):
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended at once")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise RuntimeError(f"nothing listens on port {port}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def engine_server(file: Path | None = None) -> Served:
    port = free_port()
    command = [sys.executable, "-m", "tablewright.cli", "engine", "serve", "--port", str(port)]
    return Served("engine, served", command if file is None else [*command, "--file", str(file)], port)


def dynalite_server() -> Served | None:
    script = NODE_DIR / "node_modules" / "dynalite" / "cli.js"
    node = shutil.which("node")
    if node is None or not script.exists():
        return None
    port = free_port()
    command = [
        node,
        str(script),
        "--port",
        str(port),
        "--createTableMs",
        "0",
        "--updateTableMs",
        "0",
        "--deleteTableMs",
        "0",
    ]
    return Served("dynalite, served", command, port, cwd=NODE_DIR)


def moto_server() -> Served:
    port = free_port()
    return Served("moto, served", [str(Path(sys.executable).with_name("moto_server")), "-p", str(port)], port)
