"""Generated packages, imported and called as a recording says."""

from __future__ import annotations

import importlib
import shutil
import sys
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tablewright.codegen.entities import entity_attributes, put_entity, taken_attributes
from tablewright.codegen.functions import is_paged
from tablewright.codegen.python.names import parameter_names
from tablewright.codegen.python.parts import answer_class, attribute_name, entity_class, field_names
from tablewright.codegen.python.signatures import thing_name
from tablewright.engine import Engine
from tablewright.proof.database import create_tables
from tablewright.wire.values import marshal, marshal_item, unmarshal_item
from tests.codegen.replay import Answer, Found, sorted_sets, stored_items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import ModuleType

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import Design, PatternDesign
    from tests.codegen.replay import Call, Recording

BATCH = 25


def write_to(files: dict[str, str], folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


@contextmanager
def imported(folder: Path, package: str) -> Iterator[Callable[[str], ModuleType]]:
    """The modules of a package that is nowhere else."""
    sys.path.insert(0, str(folder))
    try:
        yield lambda name: importlib.import_module(f"{package}.{name}")
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if each == package or each.startswith(f"{package}.")]:
            del sys.modules[name]
        importlib.invalidate_caches()


def hold_time(module: Callable[[str], ModuleType], seconds: float) -> None:
    """What runs steps is told the time of the recording, and need not wait for indexes, which are not late here."""
    for name in ("steps.reads", "steps.writes"):
        vars(module(name))["time"] = lambda: seconds
    vars(module("steps.cascade"))["SETTLING"] = 0


def filled(design: Design, recording: Recording) -> Engine:
    """An engine with the items that a recording starts from."""
    engine = Engine()
    create_tables(engine, design)
    for table, items in recording.items.items():
        for at in range(0, len(items), BATCH):
            puts = [{"PutRequest": {"Item": item}} for item in items[at : at + BATCH]]
            engine.call("BatchWriteItem", {"RequestItems": {table: puts}})
    return engine


# ---- calls ----------------------------------------------------------------------------------------------------------


def arguments(named: NamedDesign, pattern: PatternDesign, call: Call, entities: ModuleType) -> dict[str, Any]:
    """What a function is called with."""
    inputs = unmarshal_item(call.inputs)
    whole = put_entity(named.design, pattern)
    if whole is not None:
        return {thing_name(whole): thing(named, whole, inputs, entities)}
    names = parameter_names(pattern)
    found: dict[str, Any] = {}
    for each in pattern.parameters:
        if each.name in inputs:
            value = inputs[each.name]
            entity = each.entity or each.name
            kind = named.ids[entity] if pattern.kind == "batch" else None
            many = [thing(named, entity, one, entities, kind) for one in value] if each.each else None
            found[names[each.name]] = value if many is None else many
    return found


def thing(
    named: NamedDesign, entity: str, values: dict[str, Any], entities: ModuleType, kind: str | None = None
) -> Any:
    made = getattr(entities, kind or entity_class(named, entity, whole=True))
    return made(**{attribute_name(named, entity, name): value for name, value in values.items()})


def shown(named: NamedDesign, pattern: PatternDesign, given: Any) -> Answer:
    """What a function gave, as a recording has it."""
    if pattern.aggregate:
        return Answer(number=marshal(given))
    items = given.items if is_paged(pattern) else [] if given is None else [given]
    return Answer([found(named, pattern, each) for each in items])


def found(named: NamedDesign, pattern: PatternDesign, item: Any) -> Found:
    entity = next(
        each
        for each in pattern.entities
        if type(item).__name__ in (entity_class(named, each), answer_class(named, pattern, each))
    )
    taken = taken_attributes(named.design, pattern)
    names = field_names(named, entity, {**entity_attributes(named.design, entity), **taken})
    values = {name: getattr(item, own, None) for name, own in names.items()}
    kept = {name: value for name, value in values.items() if value is not None}
    if pattern.returns:
        kept = {name: value for name, value in kept.items() if name in pattern.returns}
    return Found(entity, sorted_sets(marshal_item(kept)))


def ordered(answer: Answer) -> Answer:
    """Attributes of an item stand in no order."""
    return Answer([Found(each.entity, dict(sorted(each.item.items()))) for each in answer.items], answer.number)


def replay(named: NamedDesign, recording: Recording, outcome_of: Callable[[PatternDesign, Call], Any]) -> Iterator[str]:
    """What differs; `outcome_of` makes a call and gives its answer, or the word for what came of a write."""
    patterns = {each.id: each for each in named.design.patterns}
    for number, call in enumerate(recording.calls):
        pattern = patterns[call.pattern]
        got = outcome_of(pattern, call)
        if call.answer is not None:
            got = ordered(shown(named, pattern, got))
        wanted = call.outcome if call.answer is None else ordered(call.answer)
        if got != wanted:
            yield f"call {number}, {pattern.id} with {call.inputs}: {got} instead of {wanted}"


def left_differently(design: Design, recording: Recording, engine: Engine) -> Iterator[str]:
    """Items that are not as the recording leaves them."""
    for table, items in stored_items(design, engine).items():
        for one, other in zip_longest(items, recording.final[table]):
            if one != other:
                yield f"{table}: {one} instead of {other}"
