"""Typed classes from schemas: the same requests as the schema's own, whatever names it has, and nothing made up."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tablewright as tw
from tablewright import tasks
from tablewright.codegen.python.classes.module import classes
from tablewright.codegen.python.classes.patterns import names_read
from tablewright.schema.dump import dump
from tests.codegen.python.both import COUNT, Refused, differences, generated, outcome, pairs, unexplained
from tests.codegen.python.schemas import CONDITIONED, ODD, REFUSED, SPELLED, loads, recorded
from tests.codegen.python.test_code import BIN, run
from tests.conformance.electrodb.functions import FUNCTIONS
from tests.conftest import NODE_FOLDER, Node
from tests.runtime.harbor import BERTH, CAPTAIN

RECORDED = dict(recorded())
SOURCES = Path(tw.__file__).parents[1]
ANY_FUNCTION = {'"; evil()\n': lambda: 5}


NOTE: dict[str, Any] = {
    "model": {"service": "notes", "entity": "note", "version": "1"},
    "table": "notes",
    "attributes": {
        "id": {"type": "string", "default": {"$fn": "makeId", "source": "() => nanoid()"}},
        "text": {"type": "string", "set": {"$fn": "tidy"}, "get": {"$fn": "tidy"}, "validate": {"$fn": "short"}},
        "state": {"type": "string"},
        "other": {"type": "string"},
    },
    "indexes": {
        "main": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}},
        "open": {
            "index": "gsi1",
            "condition": {"$fn": "isOpen", "source": "(item) => item.state === 'open'"},
            "pk": {"field": "gsi1pk", "composite": ["text"]},
            "sk": {"field": "gsi1sk", "composite": ["id"]},
        },
    },
}
KEY = {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}}


def text_of(data: Any) -> str:
    return next(iter(classes(data).values()))


# ---- the same requests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDED)
def test_classes_make_the_requests_that_the_schema_makes(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(tw.SchemaError, match=REFUSED[name]):
            classes(RECORDED[name])
        return
    found = differences(RECORDED[name], FUNCTIONS, table="t")
    if name in SPELLED:
        assert found, "nothing is refused any more"
        found = unexplained(RECORDED[name], SPELLED[name], FUNCTIONS, table="t")
    if name in CONDITIONED:
        assert found, "nothing is compared any more"
        found = {call: both for call, both in found.items() if both[1] != with_spelling(both[0], CONDITIONED[name])}
    assert found == {}


def with_spelling(request: Any, name: str) -> Any:
    """The update with the condition by which the typed style keeps index keys from contradicting the item."""
    values = request["ExpressionAttributeValues"]
    condition = f"attribute_not_exists(#{name}) OR #{name} = :{name}1"
    compared = {**values, f":{name}1": values[f":{name}0"]}
    return {**request, "ConditionExpression": condition, "ExpressionAttributeValues": compared}


def test_what_is_expected_is_there() -> None:
    assert {*REFUSED, *SPELLED, *CONDITIONED} <= {*RECORDED}


@pytest.mark.slow
def test_most_of_what_is_compared_are_requests() -> None:
    """Two refusals are the same as well; this counts what is not refused."""
    requests = refusals = 0
    for name, data in RECORDED.items():
        if name not in REFUSED:
            for pair in pairs(data, FUNCTIONS, "t")[0]:
                for _, by_schema, _ in pair.calls():
                    refused = isinstance(outcome(by_schema), Refused)
                    requests, refusals = requests + (not refused), refusals + refused
    assert requests > 2000
    assert refusals < requests / 20


def test_odd_names_come_out_right() -> None:
    assert differences(ODD, ANY_FUNCTION) == {}
    found = pairs(ODD, ANY_FUNCTION)[0]
    assert outcome(lambda: found[0].loaded.put(found[0].values))["Item"]["日本"] == "Value 11"


@pytest.mark.parametrize("service", ["boxoffice", "club", "museum", "taskapp"])
def test_services_of_the_other_side(service: str, node: Node, tmp_path: Path) -> None:
    """Exported from JavaScript by our script."""
    script = tmp_path / "export.mjs"
    script.write_text(tasks.export_script(), encoding="utf-8")
    command = [node.executable, str(script), str(NODE_FOLDER / "services" / f"{service}.cjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=NODE_FOLDER)
    data = json.loads(done.stdout)
    given = dict.fromkeys(done.stderr.strip().partition(": ")[2].split(", "), lambda *_: "x")
    assert differences(data, given, table="t") == {}


def test_our_own_form_as_well() -> None:
    functions = {"shout": lambda value, item: value, "taken": lambda item: item.get("state") == "taken"}
    berth = json.loads(
        json.dumps(BERTH, default=lambda each: {"$fn": "shout" if each.__code__.co_argcount == 2 else "taken"})
    )
    service = tw.Service.load({"berths": berth, "captains": CAPTAIN}, functions=functions, table="port")
    own = dump(service.schema, functions=functions)
    assert differences(own, functions) == {}


def test_types_beyond_electrodb() -> None:
    own = {
        "service": "s",
        "table": "t",
        "entities": {
            "thing": {
                "doc": 'It says "so"',
                "version": "1",
                "attributes": {
                    "id": {"type": "string", "required": True, "doc": 'Its "id"'},
                    "raw": {"type": "binary"},
                    "scores": {"type": {"record": "number"}},
                    "ways": {"type": {"record": {"type": {"map": {"x": "number"}}}}},
                },
                "access_patterns": {"main": {"doc": 'Ends with "', "pk": {"field": "pk", "composite": ["id"]}}},
            }
        },
    }
    assert differences(own) == {}
    paid = {"type": {"one_of": {"tag": "kind", "members": {
        "card": {"kind": {"type": {"enum": ["card"]}, "required": True}, "last4": "string"},
        "cash": {"kind": {"type": {"enum": ["cash"]}, "required": True}},
    }}}}  # fmt: skip
    own["entities"]["thing"]["attributes"]["paid"] = paid  # type: ignore[index]
    module = generated(own)
    item = module.Thing(id="1", paid=module.ThingPaidCard(kind="card", last4="1234"))
    assert item.put().params()["Item"]["paid"] == {"kind": "card", "last4": "1234"}


SORTED = {
    "service": "s",
    "table": "t",
    "entities": {
        "thing": {
            "version": "1",
            "attributes": {
                "id": {"type": "string", "required": True},
                "price": {"type": "number", "required": True, "digits": {"whole": 6, "decimals": 2}},
                "rank": {"type": "number", "required": True, "padding": {"length": 4, "char": "0"}},
                "code": {"type": "string", "required": True, "padding": {"length": 9, "char": "0"}},
                "count": {"type": "number", "required": True},
            },
            "access_patterns": {
                "main": {
                    "pk": {"field": "pk", "composite": ["id"]},
                    "sk": {"field": "sk", "composite": ["price", "rank", "code", "count"]},
                },
                "counted": {
                    "index": "gsi1",
                    "pk": {"field": "gsi1pk", "composite": ["id"]},
                    "sk": {"field": "gsi1sk", "composite": ["count"], "template": "${count}"},
                },
            },
        }
    },
}


def test_only_what_keys_put_in_order_can_be_compared() -> None:
    code = text_of(SORTED)
    assert "price: Attr[Number] = attr(digits=(6, 2))" in code
    for each in ("price: Range[Number]", "rank: Range[Number]", "code: str = ANY", "count: Number = ANY"):
        assert f"        {each}" in code
    assert "def counted(self, id: str, *, count: Range[Number] = ANY)" in code
    assert differences(SORTED) == {}


def with_key(pk: list[str], sk: dict[str, Any], **index: Any) -> dict[str, Any]:
    """A note whose access pattern has these keys; of an index, if one is given."""
    pattern = {"pk": {"field": "a", "composite": pk}, "sk": {"field": "b", **sk}, **index}
    attributes = {"id": {"type": "string"}, "no": {"type": "string"}, "count": {"type": "number"}}
    patterns = {"own": KEY, "main": pattern} if index else {"main": pattern}
    return {**NOTE, "attributes": attributes, "indexes": patterns}


REPEATED: dict[str, dict[str, Any]] = {
    "one of two": with_key(["id", "no"], {"composite": ["no"]}),
    "a template": with_key(["id", "no"], {"composite": ["no"], "template": "NO#${no}"}),
    "two letter cases": with_key(["id"], {"composite": ["id"], "casing": "upper"}),
    "a collection": with_key(["no"], {"composite": ["no"]}, index="i", collection="together"),
    "clustered": with_key(["no"], {"composite": ["no"]}, index="i", type="clustered"),
}


@pytest.mark.parametrize("name", REPEATED)
def test_an_attribute_in_both_keys(name: str) -> None:
    assert differences(REPEATED[name]) == {}


def test_an_attribute_in_both_keys_of_a_clustered_collection() -> None:
    """The value is given once; the typed style asks for it to its end, where ElectroDB takes what begins with it."""
    found = differences(with_key(["no"], {"composite": ["no"]}, index="i", type="clustered", collection="all"))
    (both,) = found.values()
    asked = [each["ExpressionAttributeValues"][":sk1"] for each in both]
    assert (list(found), asked) == (["collection all"], ["$all#no_value 2", "$all#no_value 2#"])


def test_an_attribute_in_both_keys_that_no_class_can_say() -> None:
    stored = with_key(["no"], {"composite": ["no"]}, index="i", type="composite")
    for side in ("pk", "sk"):
        del stored["indexes"]["main"][side]["field"]
    for schema in (stored, with_key(["count"], {"composite": ["count"], "cast": "number"})):
        assert loads(schema)
        with pytest.raises(tw.SchemaError, match=r"note\.indexes\.main: (no|count) stands in both keys"):
            classes(schema)


def test_identifiers_and_collections() -> None:
    data = {"berths": {**CAPTAIN, "identifiers": {"entity": "_e"}}}
    assert 'identifiers=tw.Identifiers(entity="_e")' in text_of(data)
    assert differences(data, table="t") == {}


# ---- functions ------------------------------------------------------------------------------------------------------


def loaded_alone(data: Any) -> Any:
    """The module as its user finds it: nothing supplied."""
    module = types.ModuleType(f"alone_{next(COUNT)}")
    sys.modules[module.__name__] = module
    exec(compile(text_of(data), "alone.py", "exec"), module.__dict__)  # what is to be tested
    return module


def test_functions_must_be_supplied_before_they_are_needed() -> None:
    module = loaded_alone(NOTE)
    assert "note" in module.notes.describe()
    with pytest.raises(tw.SchemaError, match=r"make_id, short, tidy, is_open"):
        module.Note(text="x")

    class Some:
        def make_id(self) -> str:
            return "made"

    with pytest.raises(tw.SchemaError, match=r"lacks short, tidy, is_open"):
        module.supply(Some())


def test_supplied_functions_are_used() -> None:
    module = loaded_alone(NOTE)

    class Mine:
        def make_id(self) -> str:
            return "made"

        def tidy(self, value: str | None, item: Any) -> str | None:
            return value.strip() if value else value

        def short(self, value: str) -> object:
            return len(value) < 9

        def is_open(self, item: Any) -> object:
            return item.state == "open"

    module.supply(Mine())
    item = module.Note(text=" x ", state="open").put().params()["Item"]
    assert (item["id"], item["text"], item["gsi1pk"]) == ("made", "x", "$notes#text_x")
    assert "gsi1pk" not in module.Note(text="x", state="done").put().params()["Item"]
    with pytest.raises(tw.ValidationError):
        module.Note(text="much too long").put().params()


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("(item) => item.state === 'open' && item?.text", {"state", "text"}),
        ("item => item.state", {"state"}),
        ("({ state, other: name }) => state && name", {"state", "other"}),
        ("function (row) { return row.state }", {"state"}),
        ("condition(row) { return row.state }", {"state"}),
        ("(item) => check(item)", None),
        ("(item) => item[name]", None),
        ("({ ...rest }) => rest.a", None),
        ("(a, b) => a.x", None),
        ("", None),
    ],
)
def test_what_a_condition_reads(source: str, read: set[str] | None) -> None:
    assert names_read(source) == read


def test_a_condition_depends_on_what_it_reads_and_on_everything_where_that_is_unknown() -> None:
    assert 'depends_on=("text", "id", "state")' in text_of(NOTE)
    unknown = json.loads(json.dumps(NOTE).replace("(item) => item.state === 'open'", ""))
    assert 'depends_on=("text", "id", "state", "other")' in text_of(unknown)


# ---- what cannot be said --------------------------------------------------------------------------------------------


def test_all_that_a_class_cannot_say_is_told_at_once() -> None:
    both = {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": ["id"], "cast": "number"}}
    schema = {
        **NOTE,
        "attributes": {
            "id": {"type": "string"},
            "rate": {"type": [1.5, 2.5]},
            "count": {"type": "number", "default": "many"},
            "parts": {"type": "list", "items": {"type": "string", "validate": {"$regex": "x"}}},
        },
        "indexes": {"main": both},
    }
    with pytest.raises(tw.SchemaError) as refused:
        classes(schema)
    for place in ("attributes.rate", "attributes.count.default", "attributes.parts.items", "indexes.main: id stands"):
        assert f"note.{place}" in refused.value.message
    assert "tw.Service.load" in refused.value.message


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model": {**NOTE["model"], "entity": "a#b"}}, "its name \"a#b\" contains '#'"),
        ({"model": {**NOTE["model"], "service": "a$b"}}, "its service \"a$b\" contains '$'"),
        ({"attributes": {"id": {"type": ["x", "X"]}}}, "can be 'x' and 'X', which have the same key"),
        (
            {
                "attributes": {"id": {"type": "string"}, "no": {"type": "string"}},
                "indexes": {"main": {"pk": {"field": "pk", "composite": ["id", "no"], "template": "${id}${no}"}}},
            },
            'nothing stands between "id" and the composite behind it',
        ),
    ],
)
def test_keys_that_leave_doubts_are_refused_before_anything_is_written(change: Any, reason: str) -> None:
    """The schema loads, as ElectroDB takes it; a module would fail when it is first used."""
    schema = {**NOTE, "attributes": {"id": {"type": "string"}}, "indexes": {"main": KEY}, **change}
    assert loads(schema)
    with pytest.raises(tw.SchemaError, match=re.escape(reason)) as refused:
        classes(schema)
    assert refused.value.message.startswith(f"Classes cannot say this. {schema['model']['entity']}: ")


def test_entities_that_make_the_same_keys_are_refused() -> None:
    key = {"pk": {"field": "pk", "composite": ["id"], "template": "ID#${id}"}}
    one = {**NOTE, "attributes": {"id": {"type": "string"}}, "indexes": {"main": key}}
    schema = {"one": one, "two": {**one, "model": {**NOTE["model"], "entity": "other"}}}
    assert loads(schema)
    with pytest.raises(tw.SchemaError, match=r"one: note and other have the same templates.*two: other and note have"):
        classes(schema)
    named = {"one": {**one, "indexes": {"main": KEY}}, "two": {**one, "indexes": {"main": KEY}}}
    named["one"]["model"] = {**NOTE["model"], "entity": "note", "version": "1_1"}
    named["two"]["model"] = {**NOTE["model"], "entity": "note_1", "version": "1"}
    assert loads(named)
    with pytest.raises(tw.SchemaError, match="its keys begin like those of"):
        classes(named)


def test_a_schema_that_is_none_is_refused_as_when_it_is_loaded() -> None:
    with pytest.raises(tw.SchemaError, match="This is no schema"):
        classes({"entity": 5})


# ---- the code itself ------------------------------------------------------------------------------------------------


def write_modules(folder: Path, schemas: dict[str, Any]) -> None:
    for at, data in enumerate(schemas.values()):
        (folder / f"module_{at}.py").write_text(text_of(data), encoding="utf-8")


def check_tools(folder: Path) -> None:
    run(BIN / "ruff", "format", "--isolated", "--check", ".", cwd=folder)
    run(BIN / "ruff", "check", "--isolated", "--quiet", ".", cwd=folder)
    settings = {
        "typeCheckingMode": "strict",
        "venvPath": str(BIN.parents[1]),
        "venv": BIN.parent.name,
        "extraPaths": [str(SOURCES)],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    run(BIN / "pyright", "-p", "pyrightconfig.json", cwd=folder)
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = True\nmypy_path = {SOURCES}\nexplicit_package_bases = True\n")
    run(BIN / "mypy", "--cache-dir", folder / "cache", *sorted(folder.glob("*.py")), cwd=folder)


@pytest.mark.slow
def test_a_module_is_formatted_and_strictly_typed(tmp_path: Path) -> None:
    write_modules(tmp_path, {"odd": ODD, "note": NOTE})
    check_tools(tmp_path)


@pytest.mark.slow
def test_every_module_is_formatted_and_strictly_typed(tmp_path: Path) -> None:
    write_modules(tmp_path, {name: data for name, data in RECORDED.items() if name not in REFUSED})
    check_tools(tmp_path)


def test_the_same_schema_gives_the_same_bytes() -> None:
    assert all(ast.parse(text_of(data)) and text_of(data) == text_of(data) for data in (ODD, NOTE))


HOSTILE = st.one_of(
    st.text(min_size=1, max_size=8),
    st.text(alphabet="\"'\\\n\r{}$#_;()ab1 \u2028\x00", min_size=1, max_size=8),
    st.sampled_from(
        ["class", "self", "tw", "Attr", "attr", "str", "supply", "Functions", "None", "__init__", '"""', "key"]
    ),
)


@given(names=st.lists(HOSTILE, min_size=9, max_size=9, unique=True))
def test_no_name_becomes_code(names: list[str]) -> None:
    """Whatever the parts of a schema are called, the module is made of its declarations and makes its requests."""
    service, entity, one, two, three, label, field, index, pattern = names
    schema = {
        "model": {"service": service, "entity": entity, "version": label},
        "table": field,
        "attributes": {
            one: {"type": "string", "label": label},
            two: {"type": [label, field], "default": label},
            three: {
                "type": "map",
                "properties": {one: {"type": "string", "default": field}, label: {"type": "string"}},
            },
        },
        "indexes": {
            pattern: {"pk": {"field": "pk", "composite": [one]}, "sk": {"field": "sk", "composite": [two]}},
            f"{pattern}-": {
                "index": index,
                "pk": {"field": "x pk", "composite": [two]},
                "sk": {"field": "y", "composite": []},
            },
        },
    }
    assume(loads(schema) and index != "table" and not pattern.startswith("__"))
    if any(sign in name for sign in "#$" for name in (service, entity, label)) or label.lower() == field.lower():
        with pytest.raises(tw.SchemaError, match="Classes cannot say this"):
            classes(schema)
        return
    tree = ast.parse(text_of(schema))
    allowed = (ast.Expr, ast.ImportFrom, ast.Import, ast.AnnAssign, ast.Assign, ast.ClassDef)
    assert all(isinstance(each, allowed) for each in tree.body)
    assert differences(schema) == {}
