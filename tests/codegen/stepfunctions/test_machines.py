"""State machines: their JSONata is evaluated, and the requests do what the proof's client does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablewright.architect.designer import design as architect_design
from tablewright.codegen.functions import camel_names
from tablewright.codegen.stepfunctions.hindrances import hindrance
from tablewright.codegen.stepfunctions.machines import machine, stepfunctions
from tablewright.design.model import Design, ItemType, PatternDesign
from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.errors import ConditionFailed, ServiceError, TransactionCancelled
from tablewright.proof.database import create_tables, run_write
from tablewright.spec.conditions import Predicate
from tablewright.wire.values import unmarshal_item
from tests.codegen.more_designs import CLUB, EVERY, MEANT, made, styled, without_times
from tests.codegen.replay import Call, Recording, record, sorted_sets, stored_items
from tests.conftest import NODE_FOLDER, Node

EVALUATOR = Path(__file__).parent / "evaluate.cjs"
SOME = [
    "club:plain",
    "club:electrodb",
    "shop:plain",
    "likes:electrodb",
    "tasks:plain",
    "edge:plain",
    "weather:plain",
    "weather:electrodb",
]
STATES = {"Pass": {"Assign", "Next"}, "Task": {"Resource", "Arguments", "Output", "Retry", "End"}}


def as_json(values: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(values, default=lambda each: sorted(each) if isinstance(each, set) else number(each)))


def number(value: Any) -> Any:
    return int(value) if value == int(value) else float(value)


def filled(design: Design, recording: Recording) -> Engine:
    engine = Engine()
    create_tables(engine, design)
    for table, items in recording.items.items():
        for item in items:
            engine.call("PutItem", {"TableName": table, "Item": item})
    return engine


NULL = {"NULL": True}


def requests(node: Node, design: Design, patterns: dict[str, PatternDesign], calls: list[Call]) -> list[dict[str, Any]]:
    compiled = compile_design(design)
    runs = [
        {"machine": machine(compiled, patterns[each.pattern]), "input": as_json(unmarshal_item(each.inputs))}
        for each in calls
    ]
    return evaluated(node, runs)


def evaluated(node: Node, runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return node.run(str(EVALUATOR), {"modules": str(NODE_FOLDER / "package.json"), "runs": runs})


def named(items: list[Any], call: Call) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """Each item with the names of what the application knows of it."""
    assert call.answer is not None
    return zip(items, (set(each.item) for each in call.answer.items), strict=True)


def action_of(resource: str) -> str:
    name = resource.rsplit(":", 1)[-1]
    return name[0].upper() + name[1:]


def check(name: str, node: Node) -> None:
    design = made(name)
    compiled = compile_design(design)
    recording = record(design, rounds=2)
    patterns = {each.id: each for each in design.patterns if hindrance(compiled, each) is None}
    calls = [each for each in recording.calls if each.pattern in patterns]
    check_null(node, design, patterns, recording, [each for each in calls if NULL in each.inputs.values()])
    calls = [each for each in calls if NULL not in each.inputs.values()]
    seen = {each.pattern: each for each in reversed(calls)}  # the first of each, on the items it began with
    for call, found in zip(seen.values(), requests(node, design, patterns, list(seen.values())), strict=True):
        pattern = patterns[call.pattern]
        assert "error" not in found, (call, found)
        action = action_of(found["resource"])
        if pattern.kind != "write":
            with filled(design, recording) as engine:
                reply = engine.call(action, found["arguments"])
            (given,) = evaluated(node, [{"machine": machine(compiled, pattern), "result": reply}])
            found_items = given.get("output") or []
            items = found_items if isinstance(found_items, list) else [found_items]
            assert call.answer is not None
            if call.answer.number is None:
                shown = [
                    {name: value for name, value in item.items() if name in own} for item, own in named(items, call)
                ]
                assert [*map(sorted_sets, shown)] == [each.item for each in call.answer.items], call
            continue
        with filled(design, recording) as ours, filled(design, recording) as theirs:
            outcome = run_write(theirs, compiled, pattern.id, unmarshal_item(call.inputs)).result
            try:
                ours.call(action, found["arguments"])
            except (ConditionFailed, TransactionCancelled):
                assert outcome == "refused"
            left, wanted = (without_times(design, stored_items(design, each)) for each in (ours, theirs))
            assert left == wanted, call


def check_null(
    node: Node, design: Design, patterns: dict[str, PatternDesign], recording: Recording, calls: list[Call]
) -> None:
    """A machine has no words for taking an attribute away: DynamoDB refuses it, and nothing is written."""
    for found in requests(node, design, patterns, calls) if calls else []:
        with filled(design, recording) as engine:
            before = stored_items(design, engine)
            with pytest.raises(ServiceError):
                engine.call(action_of(found["resource"]), found["arguments"])
            assert stored_items(design, engine) == before


@pytest.mark.parametrize("name", SOME)
def test_machines_do_what_the_proof_does(name: str, node: Node) -> None:
    check(name, node)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in (*EVERY, *MEANT) if each not in SOME])
def test_all_machines_do_what_the_proof_does(name: str, node: Node) -> None:
    check(name, node)


def test_numbers_that_cannot_stand_in_a_key_are_refused(node: Node) -> None:
    design = made("club:plain")
    pattern = next(each for each in design.patterns if each.id == "join")
    inputs = {"memberId": {"S": "a #$ b"}, "email": {"S": "e"}, "status": {"S": "active"}}
    levels = ("2.5", "-1", "0.1234567")
    right, below, wrong = (Call(pattern="join", inputs={**inputs, "level": {"N": each}}) for each in levels)
    found, under, refused = requests(node, design, {"join": pattern}, [right, below, wrong])
    (put, *_) = found["arguments"]["TransactItems"]
    assert put["Put"]["Item"]["pk"] == {"S": "MEMBER#a$`$c$d$`b"}
    assert put["Put"]["Item"]["gsi1sk"] == {"S": "MEMBER#100000000000000000002500000"}
    (negative, *_) = under["arguments"]["TransactItems"]
    assert negative["Put"]["Item"]["gsi1sk"] == {"S": "MEMBER#099999999999999999999000000"}
    assert "6 behind the point" in refused["error"]


def test_no_machine_decides_whether_an_index_holds_an_item() -> None:
    """What a caller must give is there; what has to have a value may have another."""
    design = joined_once()
    (pattern,) = [each for each in design.patterns if each.id == "join"]
    for when, why in (
        ("attribute_exists(status)", None),
        ("status = 'active'", "whether Member is in gsi1 depends on"),
    ):
        demanding = [in_index_when(each, Predicate.parse(when)) for each in design.items]
        compiled = compile_design(msgspec.structs.replace(design, items=tuple(demanding)))
        assert (hindrance(compiled, pattern) or "").startswith(why or "")
        assert (hindrance(compiled, pattern) is None) == (why is None)


def test_a_walk_over_buckets_has_no_machine() -> None:
    design = made("walks:plain")
    (newest,) = (each for each in design.patterns if each.id == "newest")
    assert (hindrance(compile_design(design), newest) or "").startswith("it asks one bucket of time after the other")


def test_a_put_that_keeps_the_newest_has_no_machine() -> None:
    design = made("latest:plain")
    compiled = compile_design(design)
    why = {each.id: hindrance(compiled, each) for each in design.patterns}
    assert why["save"] == "it has to know the stored item first"
    assert why["of-kind"] is None


def joined_once() -> Design:
    """The club whose members join but once, so that nothing has to be read before."""
    patterns = [
        {**each, "condition": "not exists"} if each["id"] == "join" else each for each in CLUB["access_patterns"]
    ]
    return architect_design(styled({**CLUB, "access_patterns": patterns}, "plain"))


def in_index_when(item: ItemType, when: Predicate) -> ItemType:
    keys = (msgspec.structs.replace(each, when=when) if each.index == "gsi1" else each for each in item.keys)
    return msgspec.structs.replace(item, keys=tuple(keys)) if item.name == "Member" else item


@pytest.mark.parametrize("name", [*EVERY, *MEANT])
def test_machines_have_the_structure_of_the_language(name: str) -> None:
    design = made(name)
    files = stepfunctions(design)
    names = camel_names(design)
    compiled = compile_design(design)
    for pattern in design.patterns:
        path = f"stepfunctions/{names[pattern.id]}.asl.json"
        why = hindrance(compiled, pattern)
        assert (path in files) == (why is None)
        if why is not None:
            assert f"- {pattern.id} (" in files["stepfunctions/README.md"]
            continue
        found = json.loads(files[path])
        states = found["States"]
        assert found["StartAt"] in states
        for state in states.values():
            assert set(state) - {"Type"} <= STATES[state["Type"]]
            assert state.get("Next") in states or state.get("End") is True
        assert states["Send"]["Resource"].startswith("arn:aws:states:::")
