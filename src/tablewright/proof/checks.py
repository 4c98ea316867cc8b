"""One run of a pattern and all that must hold of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.design.tables import table_of
from tablewright.proof.agree import difference, disagreement
from tablewright.proof.data import new_value
from tablewright.proof.database import Outcome, add_units, run_reads, run_write
from tablewright.proof.expected import Images, images_of, read_units, write_units
from tablewright.proof.items import Key, key_in, types_of
from tablewright.proof.oracle import answer, number
from tablewright.proof.questions import ask_read, ask_write
from tablewright.proof.reference_model import Change, RefusedError, apply, changes_of
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from tablewright.design.model import PatternDesign
    from tablewright.proof.context import Scene, Tally
    from tablewright.proof.database import Database
    from tablewright.spec.model import PatternSpec

Item = dict[str, Any]
PAGE = 7
BATCH = 25


def fill(scene: Scene) -> None:
    """All items as they must be stored."""
    requests: dict[str, list[Any]] = {}
    for (table, _, _), item in scene.shelf.items():
        requests.setdefault(table, []).append({"PutRequest": {"Item": marshal_item(item)}})
    for table, puts in requests.items():
        for at in range(0, len(puts), BATCH):
            scene.engine.call("BatchWriteItem", {"RequestItems": {table: puts[at : at + BATCH]}})


class SmallPages:
    """An engine whose queries end their pages early, so that answers take many of them."""

    def __init__(self, engine: Database) -> None:
        self.engine = engine

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        return self.engine.call(action, {"Limit": PAGE, **params} if action == "Query" else params)


# ---- reads ----------------------------------------------------------------------------------------------------------


def try_read(scene: Scene, pattern: PatternDesign, meant: PatternSpec, tally: Tally, number: int) -> None:
    inputs = ask_read(scene.values, meant, scene.things)
    paged = number % 4 == 3
    tally.runs += 1
    try:
        found = run_reads(SmallPages(scene.engine) if paged else scene.engine, scene.compiled, pattern.id, inputs)
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is what people must be told
        tally.fail(f"{inputs}: {fault}")
        return
    expected = answer(scene.facts, meant, scene.things, inputs)
    if meant.aggregate is not None:
        wrong = wrong_number(pattern, meant, expected, found.items)
    else:
        wrong = disagreement(meant, expected, [named(scene, item) for item in found.items])
    if wrong:
        tally.fail(f"{inputs}: {wrong}")
    scene.held("answers equal brute force")
    if not paged:
        tally.measured += 1
        tally.exact &= tally.rcu.add(found.rcu, read_units(scene.design, scene.shelf, pattern.reads, inputs))


def wrong_number(
    pattern: PatternDesign, meant: PatternSpec, expected: list[tuple[str, Item]], found: list[Item]
) -> str:
    assert meant.aggregate is not None
    wanted = number({meant.aggregate.kind: meant.aggregate.attr}, [item for _, item in expected])
    shown = number(pattern.aggregate, found)
    return "" if shown == wanted else f"answered {shown}, must be {wanted}"


def named(scene: Scene, item: Item) -> tuple[str, Item]:
    """The entity of a stored item, and what the application knows of it."""
    entity = scene.labels.get(item.get(scene.design.encoding.type_field), "?")
    return entity, {name: value for name, value in item.items() if name not in scene.hidden}


# ---- writes ---------------------------------------------------------------------------------------------------------


def try_write(scene: Scene, pattern: PatternDesign, meant: PatternSpec, tally: Tally, number: int) -> None:
    """A run as it should go; every so often first one that must be refused."""
    inputs = ask_write(scene.values, meant, scene.things, scene.number(), kept_by(scene, meant))
    tally.runs += 1
    try:
        if number % 4 == 1:
            refuse_together(scene, pattern, meant, inputs, tally)
        if number % 4 == 2:
            race(scene, pattern, meant, inputs, tally)
            return
        changes = write(scene, pattern, meant, inputs, tally)
        if number % 3 == 0 and changes:
            refuse_again(scene, pattern, meant, inputs, tally)
    except Exception as fault:  # noqa: BLE001 - see above
        tally.fail(f"{inputs}: {type(fault).__name__} {fault}")


def kept_by(scene: Scene, meant: PatternSpec) -> dict[str, set[str]]:
    """By entity: what a put in the place of another keeps, because it is the table key."""
    found: dict[str, set[str]] = {}
    for entity in meant.entities:
        own = types_of(scene.design, entity)[0]
        keys = next(each for each in own.keys if each.index is None)
        found[entity] = {*own.id, *keys.partition, *keys.lead, *keys.rest}
    return found


def expected_changes(scene: Scene, meant: PatternSpec, inputs: Item) -> list[Change] | None:
    """None where the write must be refused."""
    try:
        return changes_of(scene.facts, meant, inputs, scene.things, scene.rules)
    except RefusedError:
        return None


def write(scene: Scene, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: Tally) -> list[Change] | None:
    changes = expected_changes(scene, meant, inputs)
    predicted_rcu = read_units(scene.design, scene.shelf, pattern.reads, inputs)
    outcome = run_write(scene.engine, scene.compiled, pattern.id, inputs)
    if changes is None:
        check_refused(scene, outcome, tally, inputs, "what the conditions forbid is refused")
        return None
    if changes and outcome.result != "written":
        tally.fail(f"{inputs}: {outcome.result}, but it should have been written")
        return None
    images = [become(scene, each, pattern) for each in rounds_of(meant, changes)]
    for each in images:
        compare(scene, each, tally, inputs)
    if changes:
        tally.measured += 1
        tally.exact &= tally.rcu.add(outcome.rcu, predicted_rcu)
        predicted = add_units(write_units(scene.design, each, transaction=pattern.transaction) for each in images)
        tally.exact &= tally.wcu.add(outcome.wcu, predicted)
    return changes


def rounds_of(meant: PatternSpec, changes: list[Change]) -> list[list[Change]]:
    """What is written at a time: a transaction at once, else every item that was found by itself."""
    return [changes] if meant.op == "transact" or not changes else [[each] for each in changes]


def become(scene: Scene, changes: list[Change], pattern: PatternDesign | None = None) -> Images:
    """The things as they are after some changes, and what is stored of them."""
    apply(changes, scene.things, scene.rules)
    images = images_of(scene.design, scene.shelf, changes, scene.things, pattern.writes if pattern else ())
    for key in images.before:
        del scene.shelf[key]
    scene.shelf.update(images.after)
    return images


def touched_by(scene: Scene, changes: list[Change]) -> Images:
    keys = [
        key
        for each in changes
        for item in types_of(scene.design, each.entity)
        for thing in (each.before, each.after)
        if thing is not None and (key := key_in(scene.design, item, thing)) is not None
    ]
    now = {key: scene.shelf[key] for key in keys if key in scene.shelf}
    return Images(now, now, tuple(keys))


def check_refused(scene: Scene, outcome: Outcome, tally: Tally, inputs: Item, what: str) -> None:
    if outcome.result == "written" and any(outcome.wcu.values()):
        tally.fail(f"{inputs}: it was written, but it had to be refused ({what})")
    scene.held(what)


# ---- what must be refused -------------------------------------------------------------------------------------------


def refuse_again(scene: Scene, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: Tally) -> None:
    """What may happen only once does not happen twice."""
    if expected_changes(scene, meant, inputs) is not None:
        return
    outcome = run_write(scene.engine, scene.compiled, pattern.id, inputs)
    check_refused(scene, outcome, tally, inputs, "what may happen once does not happen twice")


def refuse_together(scene: Scene, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: Tally) -> None:
    """One failing condition among the writes, and none of them may happen."""
    changes = expected_changes(scene, meant, inputs)
    if not changes or not (pattern.transaction or len(pattern.writes) > 1):
        return
    outcome = run_write(scene.engine, scene.compiled, pattern.id, inputs, also=(failing(scene),))
    what = "a transaction happens whole or not at all"
    check_refused(scene, outcome, tally, inputs, what)
    compare(scene, touched_by(scene, changes), tally, inputs)


def failing(scene: Scene) -> Item:
    table = scene.design.tables[0]
    key = {table.pk.name: "nobody", table.sk.name: "nothing"}
    params = {
        "TableName": table.name,
        "Key": key,
        "ConditionExpression": "attribute_exists(#pk)",
        "ExpressionAttributeNames": {"#pk": table.pk.name},
    }
    return {"ConditionCheck": params}


def race(scene: Scene, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: Tally) -> None:
    """Another writer between the read and the write: refused or not, what is stored must be right afterwards."""
    changes = expected_changes(scene, meant, inputs)
    target = next((each for each in changes or () if each.before is not None), None)
    meddled = None if target is None else meddling(scene, meant, target)
    if meddled is None:
        write(scene, pattern, meant, inputs, tally)
        return
    outcome = run_write(scene.engine, scene.compiled, pattern.id, inputs, between=lambda: store(scene, [meddled]))
    then = expected_changes(scene, meant, inputs) if outcome.result == "written" else []
    compare(scene, become(scene, then or []), tally, inputs)
    compare(scene, touched_by(scene, [meddled]), tally, inputs)
    scene.held("two writers at once leave items that fit together")


def meddling(scene: Scene, meant: PatternSpec, target: Change) -> Change | None:
    """A change that someone else makes: of an attribute in a key rather than another."""
    may = sorted(scene.facts.changing[target.entity] - set(meant.by))
    keys = [keys for each in types_of(scene.design, target.entity) for keys in each.keys]
    keyed_ = [name for name in may if any(name in (*k.partition, *k.lead, *k.rest) for k in keys)]
    if not may or target.before is None:
        return None
    name = scene.values.chance.choice(keyed_ or may)
    value = new_value(scene.values, target.entity, name, scene.number(), scene.things)
    return Change(target.entity, target.before, {**target.before, name: value})


def store(scene: Scene, changes: list[Change]) -> None:
    """Changes made by someone who does everything right."""
    images = become(scene, changes)
    for table, pk, sk in images.before:
        names = table_of(scene.design, table)
        key = marshal_item({names.pk.name: pk, names.sk.name: sk})
        scene.engine.call("DeleteItem", {"TableName": table, "Key": key})
    for (table, _, _), item in images.after.items():
        scene.engine.call("PutItem", {"TableName": table, "Item": marshal_item(item)})


# ---- what is stored -------------------------------------------------------------------------------------------------


def compare(scene: Scene, images: Images, tally: Tally, inputs: Item) -> None:
    """These items are stored as they must be, with keys that fit their attributes."""
    for key in dict.fromkeys((*images.before, *images.after, *images.written)):
        table = table_of(scene.design, key[0])
        wanted = {table.pk.name: key[1], table.sk.name: key[2]}
        params = {"TableName": key[0], "Key": marshal_item(wanted), "ConsistentRead": True}
        reply = scene.engine.call("GetItem", params)
        found = unmarshal_item(reply["Item"]) if "Item" in reply else None
        scene.held("stored items and their keys follow from the data")
        if found != scene.shelf.get(key):
            tally.fail(f"{inputs}: {key[1]} / {key[2]} {difference(scene.shelf.get(key), found)}")


def compare_all(scene: Scene, tally: Tally) -> None:
    """The tables hold what they must and nothing else."""
    found: dict[Key, Item] = {}
    for table in scene.design.tables:
        start: dict[str, Any] = {}
        while True:
            reply = scene.engine.call("Scan", {"TableName": table.name, **start})
            for item in map(unmarshal_item, reply["Items"]):
                found[table.name, item[table.pk.name], item[table.sk.name]] = item
            if "LastEvaluatedKey" not in reply:
                break
            start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}
    scene.held("the tables hold what they must and nothing else")
    for key in {**found, **scene.shelf}:
        if found.get(key) != scene.shelf.get(key):
            tally.fail(f"afterwards {key[1]} / {key[2]} {difference(scene.shelf.get(key), found.get(key))}")
            return
