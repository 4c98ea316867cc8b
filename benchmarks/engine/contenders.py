"""Who is measured: each answers `call(action, params)` and can be closed."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Protocol

from tablewright.engine import Engine

NODE_DIR = Path(__file__).parents[2] / "tests" / "node"
HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=0000",
    "X-Amz-Date": "20260101T000000Z",
}


class Contender(Protocol):
    name: str

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]: ...

    def close(self) -> None: ...


class Direct:
    """The engine, called in process."""

    def __init__(self, path: str | None = None) -> None:
        self.name = "engine, in memory" if path is None else "engine, in a file"
        self.engine = Engine(path)

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        return self.engine.call(action, params)

    def close(self) -> None:
        self.engine.close()


class Served:
    """A server in a process of its own, through one bare keep-alive connection."""

    def __init__(self, name: str, command: list[str], port: int, *, cwd: Path | None = None) -> None:
        self.name = name
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, cwd=cwd, stdout=quiet, stderr=quiet, env={**os.environ, "NODE_ENV": "production"}
        )
        wait_for(port, self.process)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        status, body = self.exchange(action, json.dumps(params))
        if status != 200:
            raise RuntimeError(f"{self.name}: {action} gave {status}: {body[:300]!r}")
        return json.loads(body)  # type: ignore[no-any-return]

    def exchange(self, action: str, body: str) -> tuple[int, bytes]:
        """One request; a connection that the server closed while others were measured is opened again."""
        headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{action}"}
        for attempt in (1, 2):
            try:
                self.connection.request("POST", "/", body, headers)
                response = self.connection.getresponse()
                return response.status, response.read()
            except (http.client.HTTPException, ConnectionError):
                self.connection.close()
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait(10)


class MotoInProcess:
    """moto's own backend behind a boto3 client, no sockets."""

    def __init__(self) -> None:
        import boto3
        from moto import mock_aws

        self.name = "moto, in process"
        self.mock = mock_aws()
        self.mock.start()
        self.client = boto3.client(
            "dynamodb", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x"
        )

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        words = "".join("_" + letter.lower() if letter.isupper() else letter for letter in action)[1:]
        return getattr(self.client, words)(**params)  # type: ignore[no-any-return]

    def close(self) -> None:
        self.mock.stop()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended at once")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"nothing listens on port {port}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def engine_server() -> Served:
    port = free_port()
    return Served(
        "engine, served", [sys.executable, "-m", "tablewright.cli", "engine", "serve", "--port", str(port)], port
    )


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
