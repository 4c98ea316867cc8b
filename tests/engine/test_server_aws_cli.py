"""The AWS CLI, as people type it, against the served engine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablewright.engine.server import Server, serve

AWS = shutil.which("aws", path=str(Path(sys.executable).parent)) or shutil.which("aws")
pytestmark = pytest.mark.skipif(AWS is None, reason="there is no `aws` command; it comes with the extra `dev`")


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def aws(server: Server, *words: str) -> subprocess.CompletedProcess[str]:
    """`aws dynamodb ...` with nothing of the user's own settings."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    ours = {
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_DEFAULT_OUTPUT": "json",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_PAGER": "",
        "PYTHONWARNINGS": "ignore",
    }
    command = [str(AWS), "dynamodb", *words, "--endpoint-url", server.url]
    return subprocess.run(command, env={**own, **ours}, capture_output=True, text=True, timeout=60, check=False)


def told(server: Server, *words: str) -> dict[str, Any]:
    done = aws(server, *words)
    assert done.returncode == 0, done.stderr
    reply: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
    return reply


def test_a_table_is_made_filled_and_asked(server: Server) -> None:
    made = told(
        server,
        *"create-table --table-name orders --billing-mode PAY_PER_REQUEST".split(),
        *"--attribute-definitions AttributeName=customer,AttributeType=S AttributeName=id,AttributeType=N".split(),
        *"--key-schema AttributeName=customer,KeyType=HASH AttributeName=id,KeyType=RANGE".split(),
    )
    assert made["TableDescription"]["TableName"] == "orders"
    item = {"customer": {"S": "c1"}, "id": {"N": "7"}, "tags": {"SS": ["a", "b"]}}
    cost = told(
        server,
        *"put-item --table-name orders --return-consumed-capacity TOTAL --item".split(),
        json.dumps(item),
    )
    assert cost == {"ConsumedCapacity": {"TableName": "orders", "CapacityUnits": 1.0}}
    found = told(
        server,
        *"query --table-name orders --key-condition-expression".split(),
        "customer = :c AND id BETWEEN :low AND :high",
        "--expression-attribute-values",
        '{":c": {"S": "c1"}, ":low": {"N": "1"}, ":high": {"N": "9"}}',
    )
    assert (found["Items"], found["Count"]) == ([item], 1)
    selected = told(server, "execute-statement", "--statement", "SELECT id FROM orders WHERE customer = 'c1'")
    assert selected["Items"] == [{"id": {"N": "7"}}]


def test_an_error_is_told_in_dynamodbs_words(server: Server) -> None:
    refused = aws(server, *"get-item --table-name nowhere --key".split(), '{"id": {"S": "x"}}')
    assert refused.returncode not in (0, 1)
    assert "An error occurred (ResourceNotFoundException) when calling the GetItem operation" in refused.stderr
    assert "Requested resource not found" in refused.stderr
