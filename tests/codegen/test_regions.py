"""What targets make of a design with replicas, besides infrastructure."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks
from tablewright.codegen.targets import generate
from tablewright.design.model import Design
from tablewright.errors import DesignError

BOTH = ["us-east-1", "eu-west-1"]
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Session", "rate": 1}
GET = {"id": "get", "kind": "get", "entity": "Session", "by": "sessionId", "rate": 1}
DROP = {"id": "drop", "kind": "write", "op": "delete", "entity": "User", "by": "userId", "rate": 1}
USERS = {"id": "of-user", "kind": "query", "entity": "Session", "by": "userId", "rate": 1}
OWNS = {"from": "User", "to": "Session", "kind": "1:n", "by": "userId", "cascade": True, "avg": 2}


def sessions(*patterns: dict[str, Any], **session: Any) -> Design:
    attributes = {"userId": {"required": True, "immutable": True}, "token": {"required": True}}
    user = {"id": "userId", "count": 100}
    entities = {"User": user, "Session": {"id": "sessionId", "attributes": attributes, "count": 200, **session}}
    given = {"name": "sessions", "entities": entities, "access_patterns": [PUT, GET, USERS, *patterns]}
    return tasks.design({**given, "regions": BOTH, "relationships": [OWNS]}, quick=True)


def test_amplify_has_no_replicas() -> None:
    with pytest.raises(DesignError, match=r"amplify: Amplify makes tables in one region, .* in eu-west-1; use --to"):
        generate(sessions(), ["amplify"])


def test_what_follows_the_stream_is_deployed_once() -> None:
    made = generate(sessions(DROP), ["lambda"])
    assert "- Deploy it in us-east-1 alone" in next(text for name, text in made.items() if name.endswith("README.md"))


def test_what_follows_expiry_is_deployed_everywhere() -> None:
    made = generate(sessions(DROP, ttl="7d", unique=["token"]), ["lambda"])
    readme = next(text for name, text in made.items() if name.endswith("README.md"))
    assert "- Deploy it in every region of the table" in readme


def test_everything_else_is_made() -> None:
    made = generate(sessions(DROP), ["all"])
    assert {name.split("/")[0] for name in made} >= {"cloudformation", "terraform", "typescript", "python", "document"}
    assert "By region" in made["document/design.md"]
    assert "eu-west-1" in made["document/design.html"]
