"""Examples are run: PartiQL, calls, commands and code find and leave the same items."""

from __future__ import annotations

import io
import json
import re
import shlex
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from tablewright.codegen.examples.commands import command, python, wire
from tablewright.codegen.examples.page import (
    examples,
    requests_of,
    statements_in,
    statements_to_read,
    statements_to_write,
)
from tablewright.codegen.examples.partiql import MUST_EXIST, statements
from tablewright.codegen.examples.recording import read_calls, write_groups
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.errors import ConditionFailed, TransactionCancelled
from tablewright.proof.database import create_tables
from tablewright.wire.values import marshal_item
from tests.codegen.more_designs import DEMANDING, EVERY, made
from tests.codegen.replay import sorted_sets, stored_items
from tests.codegen.semantics import NAMES as SEMANTIC

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemType, PatternDesign
    from tests.conftest import Node


def samples(design: Design, without: PatternDesign | None = None) -> list[tuple[str, dict[str, Any]]]:
    """By table; a put finds nothing of what it puts, and a holder has a map for what may lie in it."""
    gone = set[str]() if without is None else put_anew(design, without)
    maps = {each.holder: each for each in design.items if each.kind == "embedded"}
    found: list[tuple[str, dict[str, Any]]] = []
    anew = [each for each in design.items if each.entity in gone and each.kind not in ("total", "embedded")]
    taken = [key_of(each) for each in anew]  # values that are unique across entities are the same item
    for item in design.items:
        if item.kind == "embedded" or key_of(item) in taken:
            continue
        inside = maps.get(item.name)
        entry = {} if inside is None or inside.entity in gone else {str(inside.sample[inside.entry]): inside.sample}
        found.append((item.table, {**item.sample, **({} if inside is None else {inside.inside: entry})}))
    return found


def key_of(item: ItemType) -> list[Any]:
    keys = item.keys[0]
    return [item.table, *(item.sample[each.field] for each in (*keys.pk, *keys.sk))]


def put_anew(design: Design, pattern: PatternDesign) -> set[str]:
    kinds = {each.name: each for each in design.items}
    read = set[str]() if pattern.op == "put" else {entity for step in pattern.reads for entity in step.entities}
    puts = [kinds[step.item] for step in pattern.writes if step.operation == "PutItem" or step.all_attributes]
    embedded = {each.entity for each in design.items if each.kind == "embedded"}
    also = {*pattern.entities} & embedded if pattern.op == "put" else set[str]()
    return ({each.entity for each in puts if each.kind == "entity"} - read) | also


def filled_engine(design: Design, without: PatternDesign | None = None) -> Engine:
    engine = Engine()
    create_tables(engine, design)
    for table, item in samples(design, without):
        engine.call("PutItem", {"TableName": table, "Item": marshal_item(item)})
    return engine


def found_by(engine: Engine, operation: str, params: dict[str, Any]) -> list[Any]:
    reply = engine.call(operation, wire(params))
    if operation == "GetItem":
        return [reply["Item"]] if "Item" in reply else []
    return reply["Items"] if operation == "Query" else [item for each in reply["Responses"].values() for item in each]


def asked(statement: Any) -> dict[str, Any]:
    return {"Statement": statement.text} | ({"Parameters": statement.parameters} if statement.parameters else {})


MEANING = [f"{name}:{style}" for name in SEMANTIC for style in ("plain", "electrodb")]


@pytest.mark.parametrize("name", [*EVERY, *MEANING])
def test_partiql_finds_what_the_calls_find(name: str) -> None:
    design = made(name)
    met = 0
    with filled_engine(design) as engine:
        for pattern in design.patterns:
            for call in read_calls(design, pattern):
                replies = [engine.call("ExecuteStatement", asked(each)) for each in statements(call)]
                items = [item for reply in replies for item in reply["Items"]]
                assert items == found_by(engine, call.operation, call.params), pattern.id
                met += bool(items)
    assert met, "no example finds anything"


@pytest.mark.parametrize("name", [*EVERY, *MEANING])
def test_partiql_leaves_what_the_calls_leave(name: str) -> None:
    design = made(name)
    for pattern in design.patterns:
        if pattern.kind != "write":
            continue
        with filled_engine(design, pattern) as called, filled_engine(design, pattern) as stated:
            before = stored_items(design, called)
            accepted = by_calls(called, design, pattern)
            if by_statements(stated, design, pattern) != accepted:
                assert accepted, pattern.id
                assert MUST_EXIST in remarks(design, pattern), pattern.id
                continue
            after = stored_items(design, called)
            assert after == stored_items(design, stated), pattern.id
            assert (after != before) == accepted, pattern.id
            assert accepted or any("only if" in note for _, _, note in requests_of(design, pattern)), pattern.id


def remarks(design: Design, pattern: PatternDesign) -> list[str]:
    return [said for each in statements_to_write(design, pattern) for said in each.remarks]


def by_calls(engine: Engine, design: Design, pattern: PatternDesign) -> bool:
    """Whether they are accepted; a condition of the application need not hold for a sample item."""
    try:
        for operation, params, _ in requests_of(design, pattern):
            engine.call(operation, wire(params))
    except (ConditionFailed, TransactionCancelled):
        return False
    return True


def by_statements(engine: Engine, design: Design, pattern: PatternDesign) -> bool:
    try:
        for group in write_groups(design, pattern):
            written = [asked(each) for each in statements_in(group)]
            if group.transaction:
                engine.call("ExecuteTransaction", {"TransactStatements": written})
                continue
            for each in written:
                engine.call("ExecuteStatement", each)
    except (ConditionFailed, TransactionCancelled):
        return False
    return True


@pytest.mark.parametrize("name", ["club:plain", "sentinels:plain"])
def test_conditions_of_partiql_refuse_what_the_calls_refuse(name: str) -> None:
    """On empty tables every condition on what must be there fails."""
    design = made(name)
    refused = 0
    for pattern in design.patterns:
        with Engine() as engine:
            create_tables(engine, design)
            if pattern.op != "update" or not any(step.condition for step in pattern.writes):
                continue
            transaction = {"TransactStatements": [asked(each) for each in statements_to_write(design, pattern)]}
            with pytest.raises((ConditionFailed, TransactionCancelled)):
                engine.call("ExecuteTransaction", transaction)
            refused += 1
    assert refused


# ---- the command line and the SDKs ----------------------------------------------------------------------------------


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Any:
    driver = pytest.importorskip("awscli.clidriver")
    for name, value in {
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_PAGER": "",
    }.items():
        monkeypatch.setenv(name, value)

    def run(words: list[str]) -> dict[str, Any]:
        said, faults = io.StringIO(), io.StringIO()
        with redirect_stdout(said), redirect_stderr(faults):
            code = driver.create_clidriver().main(words)
        assert code == 0, (words, faults.getvalue())
        return json.loads(said.getvalue()) if said.getvalue().strip() else {}

    return run


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("name", ["club:plain", pytest.param("task-manager", marks=pytest.mark.slow)])
def test_commands_do_what_the_calls_do(name: str, aws: Any) -> None:
    design = made(name)
    for pattern in design.patterns:
        with (
            filled_engine(design, pattern) as called,
            filled_engine(design, pattern) as commanded,
            serve(commanded) as server,
        ):
            for operation, params, _ in requests_of(design, pattern):
                program, *words = shlex.split(command(operation, params).replace("\\\n", ""))
                assert program == "aws"
                reply = aws([*words, "--endpoint-url", server.url])
                expected = called.call(operation, wire(params))
                if pattern.kind != "write":
                    shown = {each: expected.get(each) for each in ("Item", "Items", "Responses")}
                    assert {each: reply.get(each) for each in shown} == shown, pattern.id
            assert stored_items(design, commanded) == stored_items(design, called)


@pytest.mark.parametrize("name", DEMANDING)
def test_the_script_is_the_commands_in_order(name: str) -> None:
    design = made(name)
    script = examples(design)["examples/aws-cli.sh"]
    words = shlex.split(script, comments=True)
    wanted = [each for pattern in design.patterns for each in requests_of(design, pattern)]
    assert words.count("dynamodb") == len(wanted)
    assert words[:2] == ["set", "-eu"]


@pytest.mark.parametrize("name", ["club:plain", "sentinels:plain"])
def test_boto3_calls_do_what_the_calls_do(name: str) -> None:
    design = made(name)
    for pattern in design.patterns:
        with (
            filled_engine(design, pattern) as called,
            filled_engine(design, pattern) as coded,
            serve(coded) as server,
        ):
            keys = {"aws_access_key_id": "local", "aws_secret_access_key": "local", "region_name": "us-east-1"}
            client = boto3.client("dynamodb", endpoint_url=server.url, **keys)
            for operation, params, _ in requests_of(design, pattern):
                reply = eval(python(operation, params), {"client": client})
                expected = called.call(operation, wire(params))
                assert sorted_sets(reply.get("Items")) == sorted_sets(expected.get("Items"))
                assert reply.get("Item") == expected.get("Item")
            assert stored_items(design, coded) == stored_items(design, called)


def test_calls_of_the_document_client_run_on_node(node: Node, tmp_path: Path) -> None:
    """All examples of one page, each with its own tables."""
    design = made("club:plain")
    page = examples(design)["examples/README.md"]
    sections = re.split(r"\n## ", page)[1:]
    assert len(sections) == len(design.patterns)
    blocks = [re.search(r"```js\n(.*?)\n```", each, re.DOTALL) for each in sections]
    with ExitStack() as stack:
        servers = [stack.enter_context(serve(filled_engine(design, each))) for each in design.patterns]
        lines = ['const lib = require("@aws-sdk/lib-dynamodb");']
        lines.append('const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");')
        lines.append("(async () => { const found = [];")
        for server, block in zip(servers, blocks, strict=True):
            assert block is not None
            code = block.group(1).replace("await documents", "found.push(await documents").replace("}));", "})));")
            settings = '{ region: "us-east-1", credentials: { accessKeyId: "local", secretAccessKey: "local" },'
            client = f"new DynamoDBClient({settings} endpoint: {json.dumps(server.url)} }})"
            lines.append(f"{{ const documents = lib.DynamoDBDocumentClient.from({client});\n{code}\n}}")
        lines.append("console.log(JSON.stringify(found)); })();")
        script = tmp_path / "examples.cjs"
        script.write_text("\n".join(lines) + "\n")
        found = node.run(str(linked(script)))
    requests = [each for pattern in design.patterns for each in requests_of(design, pattern)]
    assert len(found) == len(requests)
    assert any(each.get("Items") for each in found)


def linked(script: Path) -> Path:
    """Beside the packages that it requires."""
    from tests.conftest import NODE_FOLDER

    (script.parent / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
    return script


# ---- the page -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*EVERY, *MEANING])
def test_pages_are_readable(name: str) -> None:
    design = made(name)
    for path, text in examples(design).items():
        assert text == examples(design)[path]
        assert all(each.isprintable() or each == "\n" for each in text), path
        assert all(len(line) <= 240 for line in text.splitlines()), (path, max(text.splitlines(), key=len))
    page = examples(design)["examples/README.md"]
    assert all(f"## {pattern.id}: " in page for pattern in design.patterns)


def test_values_without_a_literal_are_parameters() -> None:
    design = made("tasks:electrodb")
    found = [each for pattern in design.patterns for each in statements_to_read(design, pattern)]
    given = [each for each in found if each.parameters]
    assert given
    assert all(each.text.count("?") == len(each.parameters) for each in given)
