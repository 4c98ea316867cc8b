"""AppSync resolvers run on Node as AppSync would run them: every call of a proof gives the proof's answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tablewright import tasks
from tablewright.codegen.appsync.hindrances import hindrance
from tablewright.codegen.appsync.project import appsync
from tablewright.codegen.functions import camel_names
from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.errors import DesignError
from tablewright.proof.database import create_tables
from tablewright.wire.values import unmarshal_item
from tests.codegen.more_designs import EVERY, MEANT, made, without_times
from tests.codegen.replay import Call, record, stored_items
from tests.conftest import NODE_FOLDER, Node

RUNNER = Path(__file__).parent / "run.mjs"
STAND_IN = "export const { util, runtime } = globalThis.standIn;\n"
SOME = [
    "club:plain",
    "copies:plain",
    "shop:plain",
    "likes:electrodb",
    "tasks:plain",
    "marks:plain",
    "edge:plain",
    "weather:plain",
    "weather:electrodb",
]
OUTCOMES = {
    "NotFound": "absent",
    "ConditionalCheckFailedException": "refused",
    "TransactionCanceledException": "refused",
}


def written(name: str, folder: Path) -> Path:
    for path, text in appsync(made(name)).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    package = folder / "appsync" / "node_modules" / "@aws-appsync" / "utils"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "@aws-appsync/utils", "type": "module", "main": "index.js"}')
    (package / "index.js").write_text(STAND_IN)
    return folder / "appsync"


def check(name: str, node: Node, folder: Path) -> None:
    design = made(name)
    compiled = compile_design(design)
    kinds = {each.id: each for each in design.patterns if hindrance(compiled, each.id) is None}
    recording = record(design, rounds=2, only=kinds)
    calls = recording.calls
    assert calls
    with Engine() as engine, serve(engine) as server:
        create_tables(engine, design)
        payload = {
            "endpoint": server.url,
            "folder": str(written(name, folder)),
            "modules": str(NODE_FOLDER / "package.json"),
            "items": recording.items,
            "calls": [
                {"pattern": each.pattern, "inputs": each.inputs, "limit": limits(kinds[each.pattern])} for each in calls
            ],
        }
        results = node.run(str(RUNNER), payload)
        left = stored_items(design, engine)
    for call, result in zip(calls, results, strict=True):
        assert given(kinds[call.pattern], call, result) == wanted(kinds[call.pattern], call), (call, result)
    assert without_times(design, left) == without_times(design, recording.final)


def limits(pattern: Any) -> int | None:
    """How many items are asked for where one request may find fewer; beside another item the resolver itself counts."""
    return pattern.reads[0].limit if len(pattern.reads) == 1 and not pattern.reads[0].beside else None


def wanted(pattern: Any, call: Call) -> Any:
    if call.answer is None:
        return call.outcome
    if call.answer.number is not None:
        return plain(unmarshal_item({"n": call.answer.number})["n"])
    return [(each.entity, plain(readable(each.item))) for each in call.answer.items]


def readable(item: dict[str, Any]) -> dict[str, Any]:
    """Without binary values, which JSON has no way to show."""
    return {name: value for name, value in unmarshal_item(item).items() if not isinstance(value, bytes)}


def given(pattern: Any, call: Call, result: dict[str, Any]) -> Any:
    if call.answer is None:
        return OUTCOMES[result["error"]] if "error" in result else "written"
    assert "result" in result, (call, result)
    found = result["result"]
    if call.answer.number is not None:
        return found
    items = found["items"] if isinstance(found, dict) and "items" in found else [found] if found else []
    names = [set(readable(each.item)) for each in call.answer.items]
    pairs = zip(items, names, strict=True)
    return [(each["__typename"], {name: value for name, value in each.items() if name in own}) for each, own in pairs]


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda each: sorted(each) if isinstance(each, set) else float(each)))


@pytest.mark.parametrize("name", SOME)
def test_resolvers_answer_as_the_proof_does(name: str, node: Node, tmp_path: Path) -> None:
    check(name, node, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in (*EVERY, *MEANT) if each not in SOME])
def test_all_resolvers_answer_as_the_proof_does(name: str, node: Node, tmp_path: Path) -> None:
    check(name, node, tmp_path)


def test_a_key_ends_where_its_first_absent_attribute_would_stand(node: Node, tmp_path: Path) -> None:
    """A deal without a time is in its indexes, apart from those that have one."""
    name = "deals"
    design = made(name)
    (put,) = [each for each in design.patterns if each.id == "put Deal"]
    texts = {each.name: {"S": f"a {each.name}"} for each in put.parameters if each.type == "string" and each.required}
    timed = {**texts, "dealId": {"S": "d1"}, "createdAt": {"S": "2026-01-31T12:00:00.000Z"}}
    timeless = {**texts, "dealId": {"S": "d2"}}
    with Engine() as engine, serve(engine) as server:
        create_tables(engine, design)
        payload = {
            "endpoint": server.url,
            "folder": str(written(name, tmp_path)),
            "modules": str(NODE_FOLDER / "package.json"),
            "items": {each.name: [] for each in design.tables},
            "calls": [{"pattern": put.id, "inputs": each} for each in (timed, timeless)],
        }
        assert node.run(str(RUNNER), payload) == [{"result": True}, {"result": True}]
        (items,) = stored_items(design, engine).values()
    with_time, without = sorted(items, key=lambda each: each["dealId"]["S"])
    shared = [field for field in with_time if re.fullmatch(r"gsi\d+sk", field) and field in without]
    assert shared
    for field in shared:
        assert with_time[field.replace("sk", "pk")] == without[field.replace("sk", "pk")]
        assert with_time[field]["S"] == f"{without[field]['S']}{timed['createdAt']['S']}"


FORBIDDEN = re.compile(
    r"\b(while|continue|try|catch|throw|class|async|await|new|this)\b|(?<![<=>!])\+\+|/[^/\n ]+/[gimu]*\."
)


@pytest.mark.parametrize("name", [*EVERY, *MEANT])
def test_code_keeps_to_what_the_runtime_has(name: str) -> None:
    design = made(name)
    files = appsync(design)
    for path, text in files.items():
        if path.endswith(".js"):
            code = re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\])*\"|`[^`]*`", "", text, flags=re.DOTALL)
            assert FORBIDDEN.search(code) is None, (path, FORBIDDEN.search(code))
    _, _, schema = files["appsync/schema.graphql"].partition("type Query")
    names, compiled = camel_names(design), compile_design(design)
    for pattern in design.patterns:
        why = hindrance(compiled, pattern.id)
        assert (f"  {names[pattern.id]}(" in schema or f"  {names[pattern.id]}:" in schema) == (why is None)
        assert why is None or f"- {pattern.id} (" in files["appsync/README.md"]


def test_a_walk_over_buckets_is_refused_by_name() -> None:
    readme = appsync(made("walks:plain"))["appsync/README.md"]
    assert "- newest (Reading): it asks one bucket of time after the other, and AppSync's runtime has no loop" in readme


def test_a_put_that_keeps_the_newest_is_refused_by_name() -> None:
    files = appsync(made("latest:plain"))
    assert "- save (Version): it answers or writes with what another item has" in files["appsync/README.md"]
    assert "ofKind" in files["appsync/schema.graphql"]


def test_names_that_graphql_has_no_room_for_are_refused() -> None:
    from tablewright.architect.designer import design

    spec = {
        "name": "odd",
        "entities": {"Thing": {"id": ["thing-id"], "attributes": {"thing-id": "string"}}},
        "access_patterns": [{"id": "one", "kind": "get", "entity": "Thing", "by": ["thing-id"]}],
    }
    with pytest.raises(DesignError, match='"thing-id" is no name in GraphQL'):
        appsync(design(spec))


def test_a_schema_has_a_query_where_no_read_has_a_resolver() -> None:
    spec = {
        "name": "log",
        "entities": {"Entry": {"id": "entryId", "attributes": {"text": "string"}, "count": 1000}},
        "access_patterns": [{"id": "add", "kind": "write", "op": "put", "entity": "Entry", "rate": 1}],
    }
    schema = appsync(tasks.design(spec, quick=True))["appsync/schema.graphql"]
    _, _, queries = schema.partition("type Query {")
    assert queries.partition("}")[0].splitlines()[-1] == "  nothing: Boolean"
    assert "type Mutation {" in schema
