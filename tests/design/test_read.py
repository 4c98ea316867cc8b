"""Designs and specs as data: what is written is read back equal, fits its schema, and is the same bytes every time."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from tablewright.design.read import design_json, design_schema, read_design, rounded
from tablewright.errors import DesignError
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data, spec_schema
from tests.architect.designs import CASE_FILES, CASES, case_design
from tests.architect.specs import random_spec

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
PUBLISHED = {"spec": spec_schema, "design": design_schema}


@pytest.mark.parametrize("case", CASES)
def test_a_design_comes_back_from_its_text(case: str) -> None:
    made = case_design(case)
    assert read_design(design_json(made).decode()) == made
    assert read_design(msgspec.json.decode(design_json(made))) == made


@pytest.mark.parametrize("case", CASES)
def test_a_design_fits_its_schema_and_holds_its_spec(case: str) -> None:
    made = case_design(case)
    jsonschema.validate(msgspec.json.decode(design_json(made)), design_schema())
    jsonschema.validate(made.spec, spec_schema())
    wanted = read_spec(CASE_FILES[case])
    assert read_spec(made.spec) == wanted


@pytest.mark.parametrize("seed", range(20))
def test_specs_come_back_from_their_data(seed: int) -> None:
    spec = read_spec(random_spec(seed, entities=3, patterns=8))
    assert read_spec(spec_data(spec)) == spec


def test_every_field_of_a_spec_is_written() -> None:
    spec = read_spec(
        {
            "name": "all",
            "title": "Everything",
            "region": "eu-central-1",
            "month_growth": "7%",
            "entities": {
                "User": {
                    "id": "userId",
                    "attributes": {
                        "userId": "uuid",
                        "email": {"max": "2 KB", "presence": "50%", "immutable": True, "doc": "Where mail goes."},
                        "tier": {"values": ["free", 2]},
                    },
                    "growth": "7%",
                    "ttl": "30d",
                    "unique": "email",
                    "rewrites": "none",
                },
                "Post": {"id": ["userId", "at"], "attributes": {"userId": "string", "at": "timestamp", "size": "int"}},
            },
            "relationships": [{"from": "User", "to": "Post", "kind": "1:n", "avg": "1k", "cascade": True}],
            "access_patterns": [
                {"id": "A", "kind": "query", "entities": ["User", "Post"], "by": "userId", "skew": "uniform"},
                {"id": "B", "kind": "query", "entity": "Post", "by": "userId", "sort": "at desc", "rate": "60/min"},
                {"id": "C", "kind": "query", "entity": "Post", "by": "userId", "aggregate": {"sum": "size"}},
                {"id": "D", "kind": "query", "entity": "Post", "by": "userId", "range": {"attr": "at", "op": "gte"}},
                {"id": "E", "kind": "write", "op": "put", "entity": "User", "skew": "hottest 20%", "latency": 5},
            ],
            "constraints": {"key_style": "plain", "max_gsis": 3},
            "billing": {"pitr": False, "profile": [1] * 24},
        }
    )
    assert read_spec(spec_data(spec)) == spec
    jsonschema.validate(spec_data(spec), spec_schema())


@pytest.mark.parametrize("case", CASES)
def test_published_cases_fit_the_schema_of_specs(case: str) -> None:
    yaml = pytest.importorskip("yaml")
    jsonschema.validate(yaml.safe_load(CASE_FILES[case].read_text(encoding="utf-8")), spec_schema())


@pytest.mark.parametrize("kind", PUBLISHED)
def test_the_published_schemas_are_up_to_date(kind: str) -> None:
    published = json.loads((REFERENCE / f"{kind}.schema.json").read_text(encoding="utf-8"))
    assert published == PUBLISHED[kind](), "write them again with: python -m tablewright.design.read"


def test_numbers_are_rounded_once() -> None:
    assert rounded({"a": [1 / 3, 2], "b": 1e-9 / 3}) == {"a": [0.3333333333, 2], "b": 3.333333333e-10}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("no-such-file.json", "no-such-file.json cannot be read"),
        ("{", "is not valid JSON"),
        ({"format": "other"}, "is no design"),
        ({"format": "tablewright-design", "version": 99}, "version 99"),
        ({"format": "tablewright-design", "version": 1}, "cut short: Object missing required field `name`"),
    ],
)
def test_what_is_no_design_is_refused_with_a_reason(given: Any, words: str) -> None:
    with pytest.raises(DesignError, match=words):
        read_design(given)


def test_the_same_spec_gives_the_same_bytes_in_every_process() -> None:
    script = (
        "import sys, hashlib; from tablewright.architect.designer import design;"
        "from tablewright.design.read import design_json;"
        "print(*[hashlib.sha256(design_json(design(path, aim='gsis'))).hexdigest() for path in sys.argv[1:]])"
    )
    chosen = ["online-shop", "social-network"]
    command = [sys.executable, "-c", script, *(str(CASE_FILES[case]) for case in chosen)]
    wanted = [hashlib.sha256(design_json(case_design(case))).hexdigest() for case in chosen]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == wanted
