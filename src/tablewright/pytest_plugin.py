"""Fixtures for tests of code that uses DynamoDB: a database of its own for every test.

    tablewright_engine     an engine in memory, called in process
    tablewright_server     the same engine on a port, with the environment set so that plain boto3 code finds it
    tablewright_db         a Database on that engine
    async_tablewright_db   an AsyncDatabase on that engine, for tests of pytest-asyncio, anyio or asyncio.run

All begin empty and vanish with the test, so tests can run in any order and, with pytest-xdist, side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.engine import Engine
    from tablewright.engine.server import Server
    from tablewright.runtime.database import AsyncDatabase, Database

REGION = "us-east-1"


@pytest.fixture
def tablewright_engine() -> Iterator[Engine]:
    """An empty DynamoDB in memory: `tablewright_engine.call("PutItem", {...})`."""
    from tablewright.engine import Engine  # only who uses the fixture pays for the import

    with Engine(region=REGION) as engine:
        yield engine


@pytest.fixture
def tablewright_server(tablewright_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The test's engine on a free port (`.url`); boto3 and the AWS CLI go there because the environment says so."""
    from tablewright.engine.server import serve

    with serve(tablewright_engine) as server:
        settings = {
            "AWS_ENDPOINT_URL_DYNAMODB": server.url,
            "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": server.url,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
        }
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"):
            monkeypatch.delenv(name, raising=False)
        yield server


@pytest.fixture
def tablewright_db(tablewright_engine: Engine) -> Database:
    """A database in memory: `tablewright_db.create(service)`, then run operations on it."""
    from tablewright.runtime.database import Database

    return Database.embedded(engine=tablewright_engine)


@pytest.fixture
def async_tablewright_db(tablewright_engine: Engine) -> AsyncDatabase:
    """The same to be awaited. It belongs to no event loop, so any plugin for asynchronous tests can use it."""
    from tablewright.runtime.database import AsyncDatabase

    return AsyncDatabase.embedded(engine=tablewright_engine)
