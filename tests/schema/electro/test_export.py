"""The export script, run on real ElectroDB entities and services, and what Python makes of its output."""

from __future__ import annotations

import itertools
import json
import random
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
    assert attributes["code"]["validate"] == {"$regex": r"(?ia)^[a-z]+[0-9]{2}\Z"}
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


KEPT = [
    # What schemas hold: addresses, numbers, names, dates.
    (r"^[a-z]+$", ""),
    (r"^\w+$", ""),
    (r"^\d{2}\s\S+$", ""),
    (r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$", "i"),
    (r"^[^\s@]+@[^\s@]+\.[^\s@]+$", ""),
    (r"^\S+@\S+\.\S+$", "i"),
    (r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$", ""),
    (r"^(([^<>()[\]\\.,;:\s@\"]+(\.[^<>()[\]\\.,;:\s@\"]+)*)|(\".+\"))@(([a-z\-0-9]+\.)+[a-z]{2,})$", "i"),
    (r"^\+?[1-9]\d{1,14}$", ""),
    (r"^(\+\d{1,2}\s)?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}$", ""),
    (r"^[a-z0-9]+(?:-[a-z0-9]+)*$", ""),
    (r"^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", "i"),
    (r"^[0-9A-HJKMNP-TV-Z]{26}$", ""),
    (r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$", ""),
    (r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$", ""),
    (r"^([01]?\d|2[0-3]):[0-5]\d$", ""),
    (r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)))?$", ""),
    (r"^https?:\/\/[^\s/$.?#]+\.\S*$", "i"),
    (r"^#?([a-f0-9]{6}|[a-f0-9]{3})$", "i"),
    (r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$", ""),
    (r"^(?=.*[A-Z])(?=.*\d)\S+$", ""),
    (r"^(?!.*\.\.)[a-z.]+$", ""),
    (r"^[A-Z]{2}\d{2}[A-Z0-9]{4}\d{7}([A-Z0-9]?){0,1}$", ""),
    (r"^-?\d+(\.\d+)?([eE][+-]?\d+)?$", ""),
    (r"^\$\d{1,3}(,\d{3})*(\.\d\d)?$", ""),
    (r"^[\u00C0-\u024Fa-zA-Z' -]+$", ""),
    (r"^[äöüß]+$", ""),
    # One construct each.
    (r"^.$", "u"),
    (r"^.{1,3}$", "u"),
    (r"^.+$", "s"),
    (r"^.*$", "m"),
    (r"^a$", "m"),
    (r"^$", "m"),
    (r"a$|b", ""),
    (r"\S", ""),
    (r".x", ""),
    (r"[^a-z]", ""),
    (r"[^]", ""),
    (r"[]", ""),
    (r"a[]?b", ""),
    (r"[\s\S]", ""),
    (r"^[\w\W]*$", ""),
    (r"^[\D]+$", ""),
    (r"^[\Sx]+$", "i"),
    (r"^\D+\d\W+\w\S*$", ""),
    (r"[[&&~|]x", ""),
    (r"[--A||b~~]", ""),
    (r"[\]^\\-]", ""),
    (r"[\b]", ""),
    (r"[-a]|[a-c-]", ""),
    (r"[a-c-\d]", ""),
    (r"^(?:a|b)*?\/$", ""),
    (r"a{2}?b{0,2}c{1,}?", ""),
    (r"a{|}]", ""),
    (r"\bword\b", ""),
    (r"^k+$", "i"),
    (r"^[Z-a]$", "i"),
    (r"^\w+$", "i"),
    (r"^\u{1F600}$", "u"),
    (r"😀{2}", "u"),
    (r"^[😀-😂]+$", "u"),
    (r"\x41\u0042\cA", ""),
    (r"\0|\f|\v|\t", ""),
    (r"(?<=a)b(?!c)", ""),
    (r"(?<!a|c)b", ""),
    (r"(?<=.)x", "u"),
    (r"^(['x])b\1$", ""),
    (r"(a)(?:b|\1)0", ""),
    (r"(?<year>\d{4})-\k<year>", ""),
    (r"^(?<major>\d+)\.(?<minor>\d+)", ""),
    (r"(?:)", ""),
    (r"#x y", ""),
]
SUPPLIED = [
    (r"\p{Lu}+", "u"),
    (r"[\p{L}]", "u"),
    (r"\P{L}", "u"),
    (r"^\p$", ""),
    (r"\u{61}", ""),
    (r"\q", ""),
    (r"[\w-a]", ""),
    (r"[\w-\.]", ""),
    (r"^[\w-\.]+@([\w-]+\.)+[\w-]{2,4}$", ""),
    (r"[a-\d]", ""),
    (r"a{,3}b", ""),
    (r"a{}", ""),
    (r"a{99999}", ""),
    (r"[^\W\d]", ""),
    (r"[^\s\S]", ""),
    (r"a", "y"),
    (r"a", "g"),
    (r"[[a-z]&&[aeiou]]", "v"),
    (r"k", "iu"),
    (r"ſ", "i"),
    (r"[à-ü]", "i"),
    (r"(?<=a+)b", ""),
    (r"(?<=a|bc)d", ""),
    (r"(?<=^a)b", ""),
    (r"(?<=(a))b", ""),
    (r"(?<$x>a)", ""),
    (r"(a)|\1b", ""),
    (r"(a)?\1b", ""),
    (r"\1(a)", ""),
    (r"(?:(a)|b)\1", ""),
    (r"\k<n>", ""),
    (r"\1", ""),
    (r"\01", ""),
    (r"(?=a)*b", ""),
    (r"(?:a*)*b", ""),
    (r"\B", ""),
    (r"^.$", ""),
    (r"^.{1,3}$", ""),
    (r"^.+.+$", ""),
    (r"^(.+)\1$", ""),
    (r"^a.*(?<!a)(?!b).*b$", ""),
    (r"^(?:.+){2}$", ""),
    (r"(?<!x)", ""),
    (r"(?!\b.?)", "u"),
    (r"😀", ""),
    (r"\ud83d", ""),
    (r"[\u0080-\uffff]", ""),
    (r"\c1", ""),
    (r"[\c]", ""),
    (r"\x4", ""),
]
TEXTS = [
    *(
        "",
        " ",
        "abc",
        "abc\n",
        "é",
        "12 x",
        "12\u00a0x",
        "١٢ x",
        "\r",
        "\u2028",
        "a\nb",
        "a\rb",
        "a\u2029",
        "2026-2026",
    ),
    *(
        "[x",
        "&x",
        "ab/",
        "word",
        "éword",
        "sword",
        "a word.",
        "😀",
        "😀😀",
        "😀x",
        "a😀b",
        "a😀",
        "😁",
        "AB\x01",
        "p",
        "]",
        "{",
    ),
    *(
        "a{,3}b",
        "aa",
        "aab",
        "aaab",
        "abcc",
        "aabbc",
        "bc",
        "cb",
        "xb",
        "x\n",
        "xbx",
        "'b'",
        "'bx",
        "aa0",
        "ab0",
        "a{",
        "}]",
        "-",
    ),
    *(
        "A.b+c@d-e.COM",
        "ann@example.org",
        "ann@example.org\n",
        "a..b",
        "a.b",
        '"x y"@ab.cd',
        "@",
        "a@b",
        "é@ü.de",
        "😀@😀.😀",
    ),
    *("+4915112345678", "(555) 123-4567", "555.123.4567", "slug-of-2", "slug--2", "-slug", "Slug", "١٢٣٤٥"),
    *("123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-42661417400", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    *("2026-11-15", "2026-13-15", "2026-11-15T18:00:00Z", "2026-11-15T18:00:00.5+01:00", "23:59", "24:00", "7:05"),
    *(
        "1.2.3",
        "1.2.3-rc",
        "01.2.3",
        "1.2",
        "https://a.bc/d?e",
        "HTTP://x",
        "#fff",
        "FFFFFF",
        "#ffff",
        "10.0.0.255",
        "10.0.0.256",
    ),
    *(
        "Passw0rd",
        "password",
        "P0 x",
        "P0😀",
        "DE89370400440532013000",
        "-1.5e+3",
        "1.",
        "$1,000.00",
        "Łukasz O'Neil",
        "größe",
    ),
    *(
        "äöüß",
        "K",
        "k",
        "\u212a",
        "KK",
        "s",
        "S",
        "ſ",
        "İ",
        "i",
        "ı",
        "Z[",
        "_",
        "`",
        "p{Lu}",
        "u" * 61,
        "k<n>",
        "#x y",
        "cJ",
    ),
    *map(chr, range(256)),
    *("\u180e", "\ufeff", "\x1cx", "\u3000", "\u0660", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"),
]


def exported_validators(node: Node, folder: Path, regexes: list[tuple[str, str]]) -> Any:
    """What the script writes for every pattern, as the validator of one attribute each."""
    path = folder / "patterns.mjs"
    lines = [
        f"a{at}: {{type: 'string', validate: new RegExp({json.dumps(source)}, {json.dumps(flags)})}}"
        for at, (source, flags) in enumerate(regexes)
    ]
    index = "{m: {pk: {field: 'pk', composite: ['a0']}}}"
    model = "{service: 's', entity: 'e', version: '1'}"
    path.write_text(f"export const e = {{model: {model}, attributes: {{{', '.join(lines)}}}, indexes: {index}}};\n")
    script = folder / "export.mjs"
    script.write_text(tasks.export_script(), encoding="utf-8")
    done = subprocess.run([node.executable, script, path], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def validators_of(written: Any) -> list[dict[str, str]]:
    return [attribute["validate"] for attribute in written["e"]["attributes"].values()]


def compare(node: Node, regexes: list[tuple[str, str]], validators: list[dict[str, str]], texts: list[str]) -> int:
    """Every regular expression that is kept finds in Python what it finds in JavaScript; how many there are."""
    kept = [(regex, each["$regex"]) for regex, each in zip(regexes, validators, strict=True) if "$regex" in each]
    theirs = node.run("regexes.cjs", {"regexes": [regex for regex, _ in kept], "texts": texts})
    for (regex, written), expected in zip(kept, theirs, strict=True):
        pattern = re.compile(written)
        differing = [
            text for text, each in zip(texts, expected, strict=True) if (pattern.search(text) is not None) != each
        ]
        assert not differing, (regex, written, differing)
    return len(kept)


@pytest.mark.filterwarnings("error")
def test_regular_expressions_mean_the_same_in_python(node: Node, tmp_path: Path) -> None:
    """The script's own translation, asked for every pattern, against what JavaScript says of every text."""
    validators = validators_of(exported_validators(node, tmp_path, KEPT))
    assert [regex for regex, each in zip(KEPT, validators, strict=True) if "$regex" not in each] == []
    assert compare(node, KEPT, validators, TEXTS) == len(KEPT)


def test_what_python_reads_otherwise_must_be_supplied(node: Node, tmp_path: Path) -> None:
    if json.loads(subprocess.check_output([node.executable, "-p", "parseInt(process.versions.node)"])) < 20:
        pytest.skip("the flag v came with Node 20")
    written = exported_validators(node, tmp_path, SUPPLIED)
    expected = [
        {"$fn": f"e_a{at}_validate", "source": f"/{source}/{flags}"} for at, (source, flags) in enumerate(SUPPLIED)
    ]
    assert validators_of(written) == expected
    with pytest.raises(tw.SchemaError, match=f"names {len(SUPPLIED)} functions") as missing:
        tw.Service.load(written, table="t")
    assert all(each["$fn"] in missing.value.message for each in expected)
    functions = {each["$fn"]: lambda value: value is None or value.isupper() for each in expected}
    entity = tw.Service.load(written, table="t", functions=functions).e
    assert entity.put(a0="Ä").params()["Item"]["a0"] == "Ä"
    with pytest.raises(tw.ValidationError, match="a0"):
        entity.put(a0="ä").params()


ATOMS = ["a", "b", ".", "[^a]", r"\W", r"\w", r"\s", "[ab]", r"[^\s]", "é", r"\b", "^", "$", r"[\S]", r"\-"]
QUANTIFIERS = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "+?"]
LOOKS = ["(?=", "(?!", "(?<=", "(?<!"]


def made_up(chance: random.Random, depth: int = 2) -> str:
    """A pattern that JavaScript reads: some parts one after the other, or alternatives of such."""
    parts: list[str] = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.random() if depth else 0
        part = chance.choice(ATOMS)
        if kind > 0.85:
            part = chance.choice(LOOKS) + made_up(chance, depth - 1) + ")"
        elif kind > 0.6:
            part = chance.choice(["(", "(?:"]) + made_up(chance, depth - 1) + ")" + chance.choice(QUANTIFIERS)
        elif part not in (r"\b", "^", "$"):
            part += chance.choice(QUANTIFIERS)
        parts.append(part)
    return "".join(parts) + ("|" + made_up(chance, depth - 1) if depth and chance.random() < 0.2 else "")


def test_patterns_made_up_mean_the_same_in_python(node: Node, tmp_path: Path) -> None:
    """What is kept of a thousand patterns, on all short texts of characters that the two count differently."""
    chance = random.Random(10)
    regexes = [(made_up(chance), chance.choice(["", "", "", "i", "m", "s", "u"])) for _ in range(1000)]
    regexes = [(source.replace(r"\-", "-") if "u" in flags else source, flags) for source, flags in regexes]
    regexes = [(source, "" if "i" in flags and "é" in source else flags) for source, flags in regexes]
    texts = ["".join(each) for size in range(5) for each in itertools.product("ab😀-\n", repeat=size)]
    texts += ["é", "A", "Aé", "aB😀", " a", "\u00a0", "a\rb", "\u2028😀"]
    validators = validators_of(exported_validators(node, tmp_path, regexes))
    assert compare(node, regexes, validators, texts) > 300


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
