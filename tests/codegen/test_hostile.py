"""No text of a spec or a design becomes code: shown by each language's own parser, and by running what can be run."""

from __future__ import annotations

import ast
import io
import json
import re
import shutil
import subprocess
import tomllib
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import graphql
import hcl2  # type: ignore[import-untyped]
import msgspec
import pytest
import yaml
from markdown_it import MarkdownIt

from tablewright.codegen.examples.commands import wire
from tablewright.codegen.examples.page import requests_of, statements_in, statements_to_read
from tablewright.codegen.examples.recording import write_groups
from tablewright.codegen.targets import TARGETS, generate
from tablewright.design.advice import Alarm
from tablewright.design.read import design_data
from tablewright.spec.written import decode_written
from tests.codegen.designs import with_everything
from tests.codegen.hostile import MARK, TEXTS, names, words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tablewright.design.model import Design
    from tests.conftest import Node

QUICK, MANY = range(1), range(1, 8)
SEEDS = [*QUICK, *(pytest.param(each, marks=pytest.mark.slow) for each in MANY)]
STYLES = ["plain", "electrodb"]
GRAPHQL_NAMES = ("appsync", "amplify")


def everything(made: Design, left: tuple[str, ...] = ()) -> dict[str, str]:
    wanted = [name for name, each in TARGETS.items() if name not in left and each.refuses(made) is None]
    return generate(made, wanted)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", SEEDS)
def test_texts_of_a_spec_are_never_code(seed: int, style: str, node: Node, tmp_path: Path) -> None:
    made = words(seed, style)
    files = everything(made)
    assert {each.split("/")[0] for each in files} >= {"appsync", "amplify", "lambda", "stepfunctions", "cloudformation"}
    check(files, node)
    check_script(made, files["examples/aws-cli.sh"], tmp_path)
    check_partiql(made, files["examples/partiql.sql"])


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", SEEDS)
def test_names_in_a_spec_are_never_code(seed: int, style: str, node: Node, tmp_path: Path) -> None:
    made = names(seed, style)
    files = everything(made, GRAPHQL_NAMES)
    check(files, node)
    check_script(made, files["examples/aws-cli.sh"], tmp_path)
    check_partiql(made, files["examples/partiql.sql"])


@pytest.mark.parametrize("seed", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(1, 10))])
def test_texts_of_a_design_are_never_code(seed: int, node: Node, tmp_path: Path) -> None:
    """Prose that only a design has, and which may have been written by somebody else."""
    made = with_hostile_prose(with_everything(), seed)
    files = everything(made)
    check(files, node)
    check_script(made, files["examples/aws-cli.sh"], tmp_path)
    check_partiql(made, files["examples/partiql.sql"])


def with_hostile_prose(made: Design, seed: int) -> Design:
    turn = iter(TEXTS[seed:] + TEXTS * 200)
    data = design_data(made)

    def spoilt(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: spoilt(each, key if isinstance(key, str) else "") for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [spoilt(each, name) for each in value]
        return f"{value} {next(turn)}" if name in PROSE and isinstance(value, str) else value

    kept = {name: data[name] for name in ("spec", "service")}
    alarm = Alarm(name=f"slow {next(turn)}", metric="SuccessfulRequestLatency", threshold=1, why=next(turn))
    read = msgspec.convert({**spoilt(data), **kept}, type(made), dec_hook=decode_written)
    monitoring = msgspec.structs.replace(read.advice.monitoring, alarms=(alarm, *read.advice.monitoring.alarms))
    return msgspec.structs.replace(read, advice=msgspec.structs.replace(read.advice, monitoring=monitoring))


PROSE = (
    *("title", "aim", "description", "why", "paging", "retries", "notes", "failure", "chosen", "alternative", "gains"),
    *("costs", "how", "answer", "outcome", "question", "held", "copied", "in_step", "on_delete", "uniqueness"),
    *("conditions", "idempotency", "concurrency", "cascade", "needs", "text", "numbers", "booleans", "absent"),
    *("contributor_insights_why", "metrics", "steps"),
)


# ---- every file -----------------------------------------------------------------------------------------------------


def check(files: dict[str, str], node: Node) -> None:
    scripts: dict[str, str] = {}
    expressions: list[str] = []
    for path, text in files.items():
        ending = path.rpartition(".")[2]
        if ending in ("ts", "js"):
            scripts[path] = text
        elif ending == "json":
            expressions += jsonata_in(json.loads(text)) if path.endswith(".asl.json") else []
            assert json.loads(text) is not None
        elif ending in CHECKS:
            CHECKS[ending](path, text)
        else:
            assert ending in ("sh", "sql", "typed"), path
    payload = {"files": scripts, "expressions": expressions, "mark": MARK}
    assert node.run("hostile_code.cjs", payload) == []


def check_python(path: str, text: str) -> None:
    tree = ast.parse(text)
    compile(tree, path, "exec")
    for each in ast.walk(tree):
        for field in ("id", "attr", "name", "arg", "asname", "module"):
            value = getattr(each, field, None)
            assert not isinstance(value, str) or MARK not in value, f"{path}: {ast.unparse(each)}"


def check_yaml(path: str, text: str) -> None:
    for each in inner(yaml.safe_load(text)):
        if isinstance(each, dict) and "Fn::Sub" in each:
            assert MARK not in each["Fn::Sub"], path


def check_terraform(path: str, text: str) -> None:
    hcl2.load(io.StringIO(text))
    assert MARK not in "".join(re.findall(r"(?<![$%])[$%]\{[^}]*\}", text)), path
    bare = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    assert MARK not in bare, path
    if shutil.which("terraform"):
        done = subprocess.run(["terraform", "fmt", "-"], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def check_graphql(path: str, text: str) -> None:
    builtin = "scalar AWSJSON\n"
    tree = graphql.parse(builtin + text)
    graphql.build_ast_schema(tree)

    class Names(graphql.Visitor):
        def enter_name(self, each: graphql.NameNode, *_: Any) -> None:
            assert MARK not in each.value, path

    graphql.visit(tree, Names())


def check_html(path: str, text: str) -> None:
    page = Page()
    page.feed(text)
    page.close()
    assert not [each for each in page.tags if MARK.lower() in each], path
    assert not [each for each in page.names if MARK.lower() in each or each.startswith("on")], path
    assert not [each for each in page.links if "javascript:" in each.lower()], path
    assert page.tags.count("script") == text.count("<script>"), path
    assert not [each for each in page.comments if MARK in each], path


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: list[str] = []
        self.links: list[str] = []
        self.comments: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names += [name for name, _ in attrs]
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def check_markdown(path: str, text: str) -> None:
    """As GitHub shows it: no HTML but line breaks, no links of the text's own, no headings and code that it began."""
    for token in flat(MarkdownIt("commonmark").enable("table").parse(text)):
        if token.type in ("html_block", "html_inline"):
            assert token.content == "<br>", f"{path}: {token.content}"
        if token.type in ("link_open", "image"):
            assert not any(MARK in str(each) for each in token.attrs.values()), f"{path}: {token.attrs}"
        if token.type == "inline":
            assert not token.content.startswith(MARK), f"{path}: {token.content}"
        if token.type == "code_block" or (token.type == "fence" and not token.info):
            raise AssertionError(f"{path}: {token.content}")


def flat(tokens: list[Any]) -> Iterator[Any]:
    for each in tokens:
        yield each
        yield from flat(each.children or [])


CHECKS = {
    "py": check_python,
    "yaml": check_yaml,
    "tf": check_terraform,
    "graphql": check_graphql,
    "html": check_html,
    "md": check_markdown,
    "toml": lambda path, text: tomllib.loads(text),
    "txt": lambda path, text: None,
}


def inner(value: Any) -> Iterator[Any]:
    yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inner(each)


def jsonata_in(machine: Any) -> list[str]:
    """What Step Functions would evaluate: texts in these brackets."""
    found = [each for each in inner(machine) if isinstance(each, str)]
    return [each[2:-2] for each in found if each.startswith("{%") and each.endswith("%}")]


# ---- what is run ----------------------------------------------------------------------------------------------------

STUBS = f"""
aws() {{ printf '%s\\0' "$#" "$@" >> "$RECORD"; }}
{MARK}() {{ : > "$HACKED"; }}
. "$SCRIPT"
"""


def check_script(made: Design, text: str, folder: Path) -> None:
    """Run with an `aws` that writes down its arguments: these and no others, and nothing else is run."""
    script, record, hacked, empty = (folder / name for name in ("script.sh", "record", "hacked", "empty"))
    script.write_text(text, "utf-8")
    empty.mkdir()
    environment = {"PATH": str(empty), "SCRIPT": script, "RECORD": record, "HACKED": hacked, "LC_ALL": "C.UTF-8"}
    for shell in ("/bin/bash", "/bin/sh"):
        checked = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        record.unlink(missing_ok=True)
        done = subprocess.run(
            [shell, "-c", STUBS],
            cwd=empty,
            env={name: str(value) for name, value in environment.items()},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert not hacked.exists()
        assert list(empty.iterdir()) == []
        assert recorded(record.read_bytes()) == wanted_calls(made)


def recorded(content: bytes) -> list[tuple[str, dict[str, Any]]]:
    parts = iter(content.decode().split("\0")[:-1])
    calls: list[tuple[str, dict[str, Any]]] = []
    for count in parts:
        service, operation, *options = [next(parts) for _ in range(int(count))]
        assert service == "dynamodb"
        calls.append((operation, dict(options_of(options))))
    return calls


def options_of(options: list[str]) -> Iterator[tuple[str, Any]]:
    given = iter(options)
    for name in given:
        assert name.startswith("--"), name
        if name in FLAGS:
            yield FLAGS[name]
        else:
            value = next(given)
            yield name.removeprefix("--"), json.loads(value) if value[:1] in "[{" else value


FLAGS = {
    "--no-scan-index-forward": ("scan-index-forward", False),
    "--scan-index-forward": ("scan-index-forward", True),
    "--consistent-read": ("consistent-read", True),
}


def wanted_calls(made: Design) -> list[tuple[str, dict[str, Any]]]:
    return [
        (kebab(operation), {kebab(name): plain(value) for name, value in wire(params).items()})
        for pattern in made.patterns
        for operation, params, _ in requests_of(made, pattern)
    ]


def plain(value: Any) -> Any:
    if isinstance(value, bool | str):
        return value
    return str(value) if isinstance(value, int) else json.loads(json.dumps(value))


def kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def check_partiql(made: Design, text: str) -> None:
    """Comments, and the statements themselves one behind the other; nothing between them."""
    rest = text
    for pattern in made.patterns:
        groups = write_groups(made, pattern) if pattern.writes else []
        written = [each for group in groups for each in statements_in(group)]
        for each in (*statements_to_read(made, pattern), *written):
            before, found, rest = rest.partition(f"{each.text};\n")
            assert found, each.text
            assert all(line.startswith("-- ") or not line for line in before.split("\n")), before
    assert not rest.strip()
