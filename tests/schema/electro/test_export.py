"""The export script, run on real ElectroDB entities and services, and what Python makes of its output."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from tablewright import tasks
from tests.conftest import NODE_FOLDER, Node

FUNCTIONS: dict[str, Any] = {
    "makeId": lambda: "made",
    "upper": lambda value: value.upper() if value else None,
    "tasks_created_default": lambda: "2026",
    "tasks_seconds_default": lambda: 5,
    "tasks_title_get": lambda value, item: f"{value} ({item['project']})",
    "tasks_short_validate": lambda value: value is None or len(value) < 5,
    "tasks_left_set": lambda value: None if value is None else f"l-{value}",
    "tasks_right_set": lambda value: None if value is None else f"r-{value}",
    "tasks_inner_odd_name_default": lambda: "odd",
    "tasks_stamp_set": lambda _, item: item.get("title"),
    "tasks_open_condition": lambda item: item.get("status") == "open",
}


@pytest.fixture
def export(node: Node, tmp_path: Path) -> Any:
    """Runs the script that the package ships, as a user would."""
    script = tmp_path / "tablewright-export.mjs"
    script.write_text(tasks.export_script(), encoding="utf-8")

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [node.executable, str(script), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=NODE_FOLDER, timeout=60)

    return run


def schemas(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_functions_are_written_by_name_with_their_source(export: Any) -> None:
    done = export("exported.cjs", "service")
    attributes = schemas(done)["tasks"]["attributes"]
    assert attributes["taskId"]["default"] == {"$fn": "makeId", "source": '() => "made"'}
    assert attributes["title"]["set"]["$fn"] == schemas(done)["notes"]["attributes"]["text"]["set"]["$fn"] == "upper"
    assert attributes["left"]["set"]["$fn"] != attributes["right"]["set"]["$fn"]
    assert attributes["code"]["validate"] == {"$regex": r"(?i)^[a-z]+[0-9]{2}\Z"}
    assert "default" not in attributes["nothing"]
    assert "Python must supply: " in done.stderr
    assert set(done.stderr.strip().partition(": ")[2].split(", ")) == set(re.findall(r'"\$fn": "(\w+)"', done.stdout))


def test_a_service_comes_with_its_table_and_identifiers(export: Any) -> None:
    written = schemas(export("exported.cjs", "service"))
    assert list(written) == ["tasks", "notes"]
    assert written["tasks"]["table"] == "exported"
    assert written["tasks"]["identifiers"] == {"entity": "_type", "version": "_version"}
    assert "identifiers" not in written["notes"]


def test_loading_says_which_functions_are_missing(export: Any) -> None:
    written = schemas(export("exported.cjs", "service"))
    with pytest.raises(tw.SchemaError) as missing:
        tw.Service.load(written)
    for name in ("makeId", "upper", "tasks_title_get", "tasks_short_validate", "tasks_open_condition"):
        assert name in missing.value.message
    assert "tasks.attributes.taskId.default" in missing.value.message
    with pytest.raises(tw.SchemaError, match="names 2 functions"):
        tw.Service.load(written, functions=partly(written))


def named_of(written: Any) -> Any:
    return re.findall(r'"\$fn": "(\w+)"', json.dumps(written))


def partly(written: Any) -> dict[str, Any]:
    """All functions but two."""
    names = list(dict.fromkeys(named_of(written)))
    return dict.fromkeys(names[2:], lambda *_: None)


def test_with_the_functions_requests_are_electrodbs_own(export: Any, node: Node) -> None:
    written = schemas(export("exported.cjs", "service"))
    service = tw.Service.load(written, functions={name: FUNCTIONS[name] for name in named_of(written)})
    given = {
        "project": "p",
        "title": "t",
        "code": "Ab12",
        "left": "x",
        "right": "y",
        "seconds": 5,
        "inner": {"name": "n"},
    }
    theirs = node.run("exported_put.cjs", given)
    item = service.tasks.put(given).params()["Item"]
    assert item == theirs["put"]["Item"]
    assert service.tasks.parse({"Item": item}) == theirs["parsed"]
    assert service.tasks.put({**given, "status": "done"}).params()["Item"] == theirs["done"]["Item"]
    with pytest.raises(tw.ValidationError, match="code"):
        service.tasks.put({**given, "code": "ab12\n"}).params()


def test_without_a_name_the_only_service_is_taken(export: Any) -> None:
    assert list(schemas(export("exported.cjs"))) == ["tasks", "notes"]


def test_entities_schemas_and_groups_of_them(export: Any) -> None:
    assert list(schemas(export("exported.cjs", "note"))) == ["note"]
    assert list(schemas(export("services/taskapp.cjs", "schemas"))) == ["employees", "tasks"]
    assert list(schemas(export("services/taskapp.cjs"))) == ["employees", "tasks"]


def test_a_file_is_written(export: Any, tmp_path: Path) -> None:
    done = export("exported.cjs", "note", "--output", tmp_path / "note.json")
    assert (done.returncode, done.stdout) == (0, "")
    assert tw.Service.load(tmp_path / "note.json", functions={"upper": str.upper}).note.schema.name == "note"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "usage"),
        (("exported.cjs", "none"), "no service, entity or schema is exported as none; there are: service, note"),
        (("exported.cjs", "huge"), "huge.table: JSON cannot hold 10"),
        (("empty.cjs",), "exports no service"),
    ],
)
def test_what_cannot_be_written_is_told(export: Any, arguments: tuple[str, ...], said: str) -> None:
    done = export(*arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert "    at " not in done.stderr


REGEXES = [
    (r"^[a-z]+$", ""),
    (r"^\w+$", ""),
    (r"^\d{2}\s\S+$", ""),
    (r"^.$", "u"),
    (r"^.+$", "s"),
    (r"(?<year>\d{4})-\k<year>", ""),
    (r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$", "i"),
    (r"[[&&~|]x", ""),
    (r"^(?:a|b)*?\/$", ""),
    (r"^a$", "m"),
    (r"\bword\b", ""),
    (r"^\u{1F600}$", "u"),
    (r"[^]", ""),
    (r"\x41\u0042\cA", ""),
    (r"(?<=a)b(?!c)", ""),
    (r"^\p$", ""),
]
TEXTS = [
    "abc",
    "abc\n",
    "é",
    "12 x",
    "12\u00a0x",
    "١٢ x",
    "x",
    "\r",
    "\u2028",
    "a\nb",
    "2026-2026",
    "A.b+c@d-e.COM",
    "[x",
]
TEXTS += ["&x", "ab/", "b", "word", "éword", "😀", "AB\x01", "ab", "abc", "p", "", " "]


def test_regular_expressions_mean_the_same_in_python(node: Node, tmp_path: Path) -> None:
    """The script's own translation, asked for every pattern, against what JavaScript says of every text."""
    path = tmp_path / "patterns.mjs"
    attributes = {f"a{at}": None for at in range(len(REGEXES))}
    lines = [
        f"a{at}: {{type: 'string', validate: new RegExp({json.dumps(source)}, {json.dumps(flags)})}}"
        for at, (source, flags) in enumerate(REGEXES)
    ]
    index = "{m: {pk: {field: 'pk', composite: ['a0']}}}"
    model = "{service: 's', entity: 'e', version: '1'}"
    path.write_text(f"export const e = {{model: {model}, attributes: {{{', '.join(lines)}}}, indexes: {index}}};\n")
    script = tmp_path / "export.mjs"
    script.write_text(tasks.export_script(), encoding="utf-8")
    done = subprocess.run([node.executable, script, path], capture_output=True, text=True, check=True)
    written = json.loads(done.stdout)["e"]["attributes"]
    theirs = node.run("regexes.cjs", {"regexes": REGEXES, "texts": TEXTS})
    for (name, _), (source, flags), expected in zip(attributes.items(), REGEXES, theirs, strict=True):
        pattern = re.compile(written[name]["validate"]["$regex"])
        found = [pattern.search(text) is not None for text in TEXTS]
        assert found == expected, (
            source,
            flags,
            pattern.pattern,
            [t for t, a, b in zip(TEXTS, found, expected, strict=True) if a != b],
        )


TYPESCRIPT = """
import { Entity, Service } from "electrodb";

type Id = string;
export const makeId = (): Id => "x";
const tag = new Entity({
  model: { service: "s", entity: "tag", version: "1" },
  attributes: {
    id: { type: "string", default: makeId },
    kind: { type: ["a", "b"] as const, set: (value?: "a" | "b") => value },
  },
  indexes: { main: { pk: { field: "pk", composite: ["id"] }, sk: { field: "sk", composite: [] } } },
}, { table: "t" });
export const app = new Service({ tags: tag });
"""


def test_a_typescript_service_is_exported_once_it_is_compiled(node: Node, tmp_path: Path) -> None:
    (tmp_path / "service.ts").write_text(TYPESCRIPT)
    (tmp_path / "export.mjs").write_text(tasks.export_script(), encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
    compiler = [node.executable, NODE_FOLDER / "node_modules" / "typescript" / "bin" / "tsc"]
    options = ["--strict", "--skipLibCheck", "--types", "node", "--module", "commonjs", "--target", "es2022"]
    for command in (
        [*compiler, *options, "--esModuleInterop", "service.ts"],
        [node.executable, "export.mjs", "service.js"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    attributes = json.loads(done.stdout)["tags"]["attributes"]
    assert (attributes["id"]["default"]["$fn"], attributes["kind"]["set"]["$fn"]) == ("makeId", "tags_kind_set")
    service = tw.Service.load(done.stdout, functions={"makeId": lambda: "x", "tags_kind_set": lambda value: value})
    assert service.tags.put(kind="a").params()["Item"]["pk"] == "$s#id_x"
