"""A design beside an application over dictionaries: the same writes to both, the same answers from both.

The application knows puts that replace or create, updates of given values, deletes, unique values (also across
entities) and transactions of these. Afterwards the tables must hold what they would if every item had been put once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design
from tablewright.design.steps.compile import Compiled, compile_design
from tablewright.engine import Engine
from tablewright.proof.database import create_tables, run_reads, run_write
from tablewright.spec.read import read_spec
from tablewright.wire.document import from_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.design.model import Design
    from tablewright.spec.model import PatternSpec, Spec

Item = dict[str, Any]
State = dict[str, dict[tuple[Any, ...], Item]]


class Application:
    """What a spec means, as far as these tests go."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.state: State = {name: {} for name in spec.entities}

    def id_of(self, entity: str, item: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(item[name] for name in self.spec.entities[entity].id)

    def write(self, pattern: PatternSpec, inputs: Mapping[str, Any]) -> bool:
        """Whether it happened; if not, nothing did."""
        then: State = {name: dict(found) for name, found in self.state.items()}
        for entity in pattern.entities:
            if not self._write_one(then, pattern, entity, inputs):
                return False
        if not self._is_unique(then):
            return False
        self.state = then
        return True

    def _write_one(self, then: State, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any]) -> bool:
        said = pattern.ops.get(entity)
        op = said.op if said else pattern.op
        for given in inputs[entity] if isinstance(inputs.get(entity), list) else [{}]:
            values = {**self._own(pattern, entity, inputs), **given}
            key = self.id_of(entity, values)
            is_there = key in then[entity]
            if op == "put":
                if is_there and pattern.condition == "not exists":
                    return False
                then[entity][key] = {name: value for name, value in values.items() if value is not None}
            elif op == "update":
                if not is_there:
                    return False
                changed = {**then[entity][key], **values}
                then[entity][key] = {name: value for name, value in changed.items() if value is not None}
            else:
                then[entity].pop(key, None)
        return True

    def _own(self, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any]) -> Item:
        """`Team_handle` where two entities of a transaction have a handle."""
        names = self.spec.entities[entity].attributes
        plain = {name: value for name, value in inputs.items() if name in names}
        return {**plain, **{n: inputs[f"{entity}_{n}"] for n in names if f"{entity}_{n}" in inputs}}

    def _is_unique(self, state: State) -> bool:
        own = [
            tuple((name, attr) for attr in group) for name, each in self.spec.entities.items() for group in each.unique
        ]
        taken = [self._values(state, {name: [a for _, a in group] for name, _ in group}) for group in own]
        taken += [self._values(state, {name: [attr] for name, attr in group}) for group in self.spec.unique]
        return all(len(set(each)) == len(each) for each in taken)

    def _values(self, state: State, attributes: Mapping[str, list[str]]) -> list[tuple[Any, ...]]:
        return [
            tuple(item[name] for name in names)
            for entity, names in attributes.items()
            for item in state[entity].values()
            if all(name in item for name in names)
        ]

    def answer(self, pattern: PatternSpec, inputs: Mapping[str, Any]) -> list[Item]:
        return [
            item
            for entity in pattern.entities
            for item in self.state[entity].values()
            if all(item.get(name) == inputs[name] for name in pattern.by)
        ]


class Pair:
    """A design and the application, driven by the same writes."""

    def __init__(self, spec: dict[str, Any], made: Design | None = None) -> None:
        self.spec = read_spec(spec)
        self.design = design(spec) if made is None else made
        self.compiled: Compiled = compile_design(self.design)
        self.application = Application(self.spec)
        self.engine = self._fresh()

    def _fresh(self) -> Engine:
        engine = Engine()
        create_tables(engine, self.design)
        return engine

    def write(self, id_: str, inputs: Mapping[str, Any], between: Callable[[], None] | None = None) -> str:
        """Both write; they must agree, unless there was another writer between."""
        outcome = run_write(self.engine, self.compiled, id_, inputs, between=between).result
        if between is not None and outcome != "written":
            return outcome
        done = self.application.write(self._pattern(id_), inputs)
        assert (outcome == "written") == done, f"{id_} {inputs}: {outcome}, in the application {done}"
        return outcome

    def _pattern(self, id_: str) -> PatternSpec:
        return next(each for each in self.spec.patterns if each.id == id_)

    def ask(self, id_: str, **inputs: Any) -> Any:
        pattern, stored = self._pattern(id_), self.compiled.stored
        found = run_reads(self.engine, self.compiled, id_, inputs).items
        expected = self.application.answer(pattern, inputs)
        if pattern.aggregate is not None:
            return self._check_number(id_, found, expected)
        shown = [stored.visible(each) for each in found]
        assert sorted(shown, key=str) == sorted(expected, key=str), f"{id_} {inputs}"
        return shown

    def _check_number(self, id_: str, found: list[Item], expected: list[Item]) -> Any:
        pattern, made = self._pattern(id_), next(each for each in self.design.patterns if each.id == id_)
        assert pattern.aggregate is not None
        attribute, total = pattern.aggregate.attr, made.aggregate.get("total")
        wanted = sum(each.get(attribute, 0) for each in expected) if attribute else len(expected)
        if total is not None:
            number = found[0].get(total, 0) if found else 0
        else:
            number = sum(each.get(attribute, 0) for each in found) if attribute else len(found)
        assert number == wanted, f"{id_}: {number}, in the application {wanted}"
        return number

    def check_stored(self, puts: Mapping[str, str]) -> None:
        """Nothing is left over and nothing is missing: as if every item had been put once, by these patterns."""
        engine = self._fresh()
        for entity, id_ in puts.items():
            for item in self.application.state[entity].values():
                assert run_write(engine, self.compiled, id_, item).result == "written"
        assert self._stored(self.engine) == self._stored(engine)

    def _stored(self, engine: Engine) -> list[str]:
        """All items but totals of nothing."""
        totals = {each.fixed[self.compiled.stored.type_field]: each for each in self.design.items if each.totals}
        found = from_wire(engine.call("Scan", {"TableName": self.design.tables[0].name}))["Items"]
        kept = (
            each
            for each in found
            if (kind := totals.get(each[self.compiled.stored.type_field])) is None
            or any(each.get(name) for name in kind.totals)
        )
        return sorted(str(sorted(each.items())) for each in kept)


def random_values(domains: Mapping[str, list[Any]], seed: int, rounds: int) -> Iterator[Item]:
    """Values of small domains, so that ids and unique values meet; None leaves an attribute out."""
    chance = random.Random(seed)
    for _ in range(rounds):
        chosen = {name: chance.choice(values) for name, values in domains.items()}
        yield {name: value for name, value in chosen.items() if value is not None}
