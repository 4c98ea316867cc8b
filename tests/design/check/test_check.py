"""Designs that were tampered with: refused with the place, whatever part was touched; those that were made, never."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.design.read import design_json, read_design
from tablewright.errors import DesignError
from tests.architect.designs import CASES, case_design
from tests.codegen.designs import with_everything
from tests.codegen.nasty import nasty
from tests.codegen.specials import SPECIALS, special
from tests.proof.scores import scores_design
from tests.proof.specs import writing_spec
from tests.proof.votes import votes_design

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design

HOSTILE = 'x`; import("child_process").then((c) => c.execSync("touch hacked")); `'
NO_NAMES = (HOSTILE, "ab", "", "a b c", "a\nb c", "gsi1'", 'gsi1"', "${gsi1}", "gsi1/", "größe", "x" * 256, "gsi1\n")
Path = tuple[str | int, ...]


def data(made: Design) -> dict[str, Any]:
    return msgspec.json.decode(design_json(made), type=dict[str, Any])


def tampered(content: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    copy = deepcopy(content)
    *way, last = path
    part: Any = copy
    for step in way:
        part = part[step]
    if isinstance(value, dict) and value.get("add"):
        part[last][value["add"]] = 1
    else:
        part[last] = value
    return copy


def shown(path: Path) -> str:
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path).lstrip(".")


@pytest.mark.parametrize("case", CASES)
def test_no_design_that_was_made_is_refused(case: str) -> None:
    made = case_design(case)
    assert read_design(data(made)) == made


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_no_special_design_is_refused(style: str) -> None:
    for made in (*(special(name, style) for name in SPECIALS), nasty(style)):
        read_design(data(made))
    for seed in range(6):
        read_design(data(design(writing_spec(seed, style=style))))


@pytest.mark.parametrize("name", NO_NAMES)
@pytest.mark.parametrize(
    "path",
    [("name",), ("tables", 0, "name"), ("tables", 0, "gsis", 0, "name"), ("tables", 0, "lsis", 0, "name")],
    ids=shown,
)
def test_names_of_tables_and_indexes_are_those_that_dynamodb_takes(path: Path, name: str) -> None:
    with pytest.raises(DesignError) as refused:
        read_design(tampered(data(with_everything()), path, name))
    assert f"the design: {shown(path)}: " in str(refused.value)


REFERENCES: list[Path] = [
    ("items", 0, "table"),
    ("items", 0, "id", 0),
    ("items", 0, "keys", 1, "index"),
    ("items", 0, "keys", 0, "partition", 0),
    ("items", 0, "keys", 0, "pk", 0, "field"),
    ("patterns", 0, "entities", 0),
    ("patterns", 0, "reads", 0, "table"),
    ("patterns", 0, "reads", 0, "pk", 0, "field"),
    ("patterns", 0, "reads", 0, "sk", 0, "field"),
    ("patterns", 0, "reads", 0, "entities", 0),
    ("patterns", 0, "reads", 0, "items", 0),
]


@pytest.mark.parametrize("path", REFERENCES, ids=shown)
def test_references_lead_somewhere(path: Path) -> None:
    content = data(case_design("online-shop"))
    content["patterns"].sort(key=lambda each: not each["reads"])
    content["items"].sort(key=lambda each: -len(each["keys"]))
    read_design(content)
    with pytest.raises(DesignError, match="there is no"):
        read_design(tampered(content, path, HOSTILE))


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("patterns", 0, "reads", 0, "pk", 0, "template"), "X#{nobody}", "nobody"),
        (("items", 0, "keys", 0, "pk", 0, "template"), "X#{constructor}", "constructor"),
        (("patterns", 0, "reads", 0, "operation"), "Scan", "Invalid enum value 'Scan'"),
        (("patterns", 0, "kind"), "delete", "Invalid enum value 'delete'"),
        (("tables", 0, "pk", "type"), "X", r"Invalid enum value 'X' - at `\$.tables\[0\].pk.type`"),
        (("tables", 0, "gsis", 0, "pk"), [], "an index has 1 to 4 attributes as pk"),
        (("tables", 0, "pk", "name"), "x" * 256, "no name of an attribute: 1 to 255 bytes"),
        (("items", 0, "attributes", 0, "name"), "\ud800", "no text that can be stored"),
        (("items", 0, "keys", 0, "bucket"), "createdAt:99", "no bucket"),
        (("patterns", 0, "reads", 0, "limit"), 0, "a limit of at least 1"),
        (("patterns", 0, "reads", 0, "keys_from"), 3, "names no earlier step"),
        (("patterns", 0, "reads", 0, "each"), "ids", "is for a BatchGetItem"),
        (("patterns", 0, "reads", 0, "operation"), "BatchGetItem", "takes its keys from an earlier step"),
        (("patterns", 0, "reads", 0, "counts_gone"), True, "is for a BatchGetItem of what"),
        (("patterns", 0, "reads", 0, "beside"), "Nobody", "is for a Query of several entities with a limit"),
        (("patterns", 0, "reads", 0, "continues"), True, "goes on with nothing"),
        (("patterns", 0, "reads", 0, "unexpired"), "", "no name of an attribute"),
        (("patterns", 0, "reads"), [], "has no steps"),
        (("tables",), [], "at least one table"),
        (("tables", 0), {"add": "gsi"}, r'tables\[0\]\.gsi: is no field of a design\. Did you mean "gsis"\?'),
        (("advice",), {"add": "hints"}, r"advice\.hints: is no field of a design"),
        (("spec", "entities"), 5, "spec: "),
        (("service", "entities"), 5, "service: "),
        (("stored",), {"nowhere": {"spec": {}}}, "stored: there is no table"),
    ],
    ids=str,
)
def test_faults_are_named_by_their_place(path: Path, value: Any, fault: str) -> None:
    content = data(case_design("online-shop"))
    content["patterns"].sort(key=lambda each: not each["reads"])
    with pytest.raises(DesignError, match=fault):
        read_design(tampered(content, path, value))


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("condition", "attribute_exists(pk)\nrm -rf /", "is no DynamoDB condition"),
        ("condition", "a = $(reboot)", "is no DynamoDB condition"),
        ("condition", "stranger = 1", "there is no attribute 'stranger'"),
        ("condition", "attribute_exists(pk) AND pk = {nobody}", "there is no parameter 'nobody'"),
        ("item", HOSTILE, "there is no item type"),
        ("table", HOSTILE, "there is no table"),
        ("each", HOSTILE, "there is no parameter"),
        ("add", {"count": "1; DROP"}, "is no amount"),
        ("set", {"a": "{nobody}"}, "nobody"),
        ("initial", {"a": "{nobody}"}, "nobody"),
        ("add", {"a.{nobody}": "1"}, "nobody"),
        ("add", {"a": "{nobody}"}, "nobody"),
        ("constants", {"a": {"b": 1}}, "is no text, number or truth value"),
        ("names_of", HOSTILE, "there is no entity"),
        ("operation", "Drop", "Invalid enum value"),
    ],
)
def test_writes_say_what_can_be_sent(field: str, value: Any, fault: str) -> None:
    content = data(case_design("online-shop"))
    at = next(at for at, each in enumerate(content["patterns"]) if each["writes"])
    content["patterns"][at]["writes"][0][field] = value
    with pytest.raises(DesignError, match=fault):
        read_design(content)


def test_checks_and_tokens_go_in_transactions() -> None:
    content = data(case_design("online-shop"))
    pattern = next(each for each in content["patterns"] if each["writes"] and not each.get("transaction"))
    check = {**pattern["writes"][0], "operation": "ConditionCheck"}
    with pytest.raises(DesignError, match="a ConditionCheck is part of a transaction"):
        read_design(swapped(content, {**pattern, "writes": [check]}))
    with pytest.raises(DesignError, match="lack request_token"):
        read_design(swapped(content, {**pattern, "idempotent": True}))


def swapped(content: dict[str, Any], pattern: dict[str, Any]) -> dict[str, Any]:
    """The same with another pattern of that id."""
    patterns = [pattern if each["id"] == pattern["id"] else each for each in content["patterns"]]
    return {**content, "patterns": patterns}


def texts(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from texts(each, (*path, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from texts(each, (*path, at))


def test_wherever_a_design_is_spoilt_it_is_read_or_refused_in_our_words() -> None:
    """Every kind of text in turn: no other error, whatever stands there."""
    content = data(special("embedded", "plain"))
    seen: set[Path] = set()
    for path in texts({name: content[name] for name in ("name", "tables", "items", "patterns", "encoding")}):
        kind = tuple("*" if isinstance(step, int) else step for step in path)
        if kind in seen:
            continue
        seen.add(kind)
        for value in (HOSTILE, 5, None, ["x"]):
            with suppress(DesignError):
                read_design(tampered(content, path, value))
    assert len(seen) > 40


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("since", "2024-01-01", "is no time in UTC such as 2024-01-01T00:00:00Z"),
        ("since", "2024-13-01T00:00:00Z", "is no time in UTC"),
        ("since", "constructor", "is no time in UTC"),
        ("limit", None, "is for a Query with a bucket and a limit"),
        ("bucket", None, "is for a Query with a bucket and a limit"),
        ("for_each", {"_bucket": []}, "is for a Query with a bucket and a limit"),
    ],
)
def test_a_walk_has_a_beginning_a_bucket_and_a_limit(field: str, value: Any, fault: str) -> None:
    content = data(special("walks", "plain"))
    content["patterns"].sort(key=lambda each: each["id"] != "newest")
    read_design(content)
    with pytest.raises(DesignError, match=fault):
        read_design(tampered(content, ("patterns", 0, "reads", 0, field), value))


@pytest.mark.parametrize(
    ("stream", "entity", "fault"),
    [(None, "Vote", "has to be NEW_AND_OLD_IMAGES"), ("NEW_AND_OLD_IMAGES", "Nobody", "and Nobody has none")],
)
def test_what_the_stream_keeps_needs_one(stream: Any, entity: str, fault: str) -> None:
    made = votes_design()
    tables = (msgspec.structs.replace(made.tables[0], stream=stream),)
    items = tuple(msgspec.structs.replace(each, entity=entity) if each.totals else each for each in made.items)
    with pytest.raises(DesignError, match=fault):
        read_design(design_json(msgspec.structs.replace(made, tables=tables, items=items)).decode())


@pytest.mark.parametrize(
    ("top", "fault"),
    [
        ({"shows": ("gameId", "userId", "points", "prize")}, "prize"),
        ({"shows": ("userId", "points")}, "lacks 'gameId'"),
        ({"most": 0}, "`most` is 1 at least"),
        ({"sort": ()}, "`sort` has an attribute"),
        ({"inside": "places"}, "in which the list lies"),
    ],
)
def test_a_list_has_what_its_entity_has(top: dict[str, Any], fault: str) -> None:
    made = scores_design()
    items = tuple(
        each if each.top is None else msgspec.structs.replace(each, top=msgspec.structs.replace(each.top, **top))
        for each in made.items
    )
    with pytest.raises(DesignError, match=fault):
        read_design(design_json(msgspec.structs.replace(made, items=items)).decode())
