"""Random calls of a design, each answer compared with the application over dictionaries."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any, NoReturn
from zlib import crc32

from tablewright.spec.writes import effect_on, effects_of
from tests.trust.oracle import Application, Item, order_of
from tests.trust.running import RunningDesign

if TYPE_CHECKING:
    from tablewright.design.model import Design, Parameter, PatternDesign
    from tablewright.spec.model import PatternSpec

TEXTS = ("x", "X", "xy")  # differ in case only, or begin alike
NUMBERS = (1, 2, 10)
TIMES = ("2026-01-05T10:00:00.000Z", "2026-01-05T10:00:00.001Z", "2026-02-01T00:00:00.000Z")
LATER, PAST = 4_102_444_800, 1_000_000_000  # seconds since 1970


MEETING = 0.6
"""The share of writes whose ids are those of items that are there."""
RACES = 0.15
"""The share of writes that are made by two writers at once."""
LOOKS = 5


class Differs(AssertionError):
    """The design does not do what the spec says."""


class Driver:
    """Calls the same patterns of a design and of the application, with inputs that often meet."""

    def __init__(self, design: Design, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.running = RunningDesign(design)
        self.application = Application(design.spec, self.running.patterns)
        self.history: list[str] = []
        self.outcomes: Counter[tuple[str, bool]] = Counter()

    def run(self, writes: int) -> None:
        patterns = list(self.running.patterns.values())
        for _ in range(writes):
            is_race = self.random.random() < RACES
            chosen = [self.random.choice([each for each in patterns if each.kind == "write"]) for _ in range(2)]
            inputs = self.race(chosen) if is_race else self.write(chosen[0])
            self.read_all(inputs)
            self.read_all()

    def read_all(self, near: Item | None = None) -> None:
        """`near`: inputs that were written with, so that what was written is looked at."""
        for each in self.running.patterns.values():
            if each.kind != "write":
                self.read(each, near or {})

    # ---- writes -----------------------------------------------------------------------------------------------------

    def write(self, pattern: PatternDesign) -> Item:
        inputs = self.inputs(pattern)
        if pattern.kind == "write" and self.random.random() < 0.7:
            self._see_versions(pattern, inputs)
        before = self.application.state
        is_written = self.application.write(pattern.id, inputs)
        result = self.running.do(pattern.id, **inputs)
        self.history.append(f"{pattern.id} {inputs} -> {result}")
        self.outcomes[pattern.id, is_written] += 1
        was_nothing = pattern.op == "delete" and self.application.state == before  # then any word is right
        if is_written != (result == "written") and not was_nothing:
            self.fail(pattern, f"{result}, and must be {'written' if is_written else 'refused'}")
        return inputs

    def race(self, patterns: list[PatternDesign]) -> Item:
        """Two writers at once: as if one came after the other, or one is refused and has changed nothing."""
        calls = [(each.id, self.inputs(each)) for each in patterns]
        for pattern, (_, inputs) in zip(patterns, calls, strict=True):
            self._see_versions(pattern, inputs)
        before = self.application.state
        results = self.running.do_at_once(calls, self.random.choice)
        told = [f"{name} {inputs} -> {result}" for (name, inputs), result in zip(calls, results, strict=True)]
        self.history.append(" | ".join(told))
        happened = [call for call, result in zip(calls, results, strict=True) if result == "written"]
        dice, faults = self.random.getstate(), list[Differs]()
        for order in permutations(happened):
            self.application.state = before
            if not all(
                self.application.write(*call) or self.running.patterns[call[0]].op == "delete" for call in order
            ):
                continue
            self.random.setstate(dice)
            try:
                for _, inputs in calls * LOOKS:
                    self.read_all(inputs)
            except Differs as fault:
                faults.append(fault)
            else:
                return calls[-1][1]
        return self.fail(
            patterns[0], f"two writers left what no order of them leaves: {faults[0] if faults else 'refused'}"
        )

    def _see_versions(self, pattern: PatternDesign, inputs: Item) -> None:
        """As a caller does who has read the item first."""
        for entity in pattern.entities:
            spec = self.application.spec.entities[entity]
            if spec.version and spec.version in inputs:
                key = tuple(inputs.get(name) for name in spec.id)
                inputs[spec.version] = self.application.state[entity].get(key, {}).get(spec.version, 0)

    # ---- inputs -----------------------------------------------------------------------------------------------------

    def inputs(self, pattern: PatternDesign) -> Item:
        found: Item = {}
        spec = self.application.patterns[pattern.id]
        for each in pattern.parameters:
            if each.name == "request_token":
                found[each.name] = f"{self.random.random()}"
            elif each.name == "ids" and pattern.kind == "batch":
                ids = self.application.spec.entities[pattern.entities[0]].id
                found[each.name] = self._distinct({name: self._pooled(name, spec) for name in ids} for _ in range(4))
            elif each.each:
                found[each.name] = self._children(each, spec)
            elif each.required or self.random.random() < 0.6:
                found[each.name] = self._value(each, spec)
        if pattern.kind == "write" and self.random.random() < MEETING:
            found |= {name: value for name, value in self._existing(pattern).items() if name in found}
        if "from" in found:
            found["from"], found["to"] = sorted((found["from"], found["to"]), key=order_of)
        return self._keep_promises(pattern, found)

    def _existing(self, pattern: PatternDesign) -> Item:
        """Ids of items that are there: those that are changed, and the parents of those that are made."""
        found: Item = {}
        for effect in effects_of(self.application.facts, self.application.patterns[pattern.id]):
            references = self.application.facts.references[effect.entity]
            parents = dict.fromkeys(references.values()) if effect.op == "put" else [effect.entity]
            for entity in parents:
                items = list(self.application.state[entity].values())
                item = self.random.choice(items) if items else {}
                names = {} if effect.op != "put" else {of: name for name, of in references.items()}
                ids = self._ids(entity)
                ours = {names.get(entity, name) if len(ids) == 1 else name: item.get(name) for name in ids}
                found |= {name: value for name, value in ours.items() if value is not None and name not in found}
        return found

    def _children(self, each: Parameter, spec: PatternSpec) -> list[Item]:
        """Some items of an entity, which differ in their ids."""
        assert each.entity is not None
        entity = self.application.spec.entities[each.entity]
        own = [name for name in entity.id if name not in spec.by]
        items = self._distinct({name: self._pooled(name, spec) for name in own} for _ in range(2))
        rest = [name for name in entity.attributes if name not in (*own, *spec.by)]
        present = self.application.facts.present[each.entity]
        return [
            item | {name: self._pooled(name, spec) for name in rest if name in present or self.random.random() < 0.6}
            for item in items
        ]

    def _distinct(self, items: Any) -> list[Item]:
        return [dict(each) for each in {tuple(item.items()): item for item in items}]

    def _value(self, each: Parameter, spec: PatternSpec) -> Any:
        if each.values:
            return self.random.choice(each.values)
        if each.attribute is not None:
            return self._pooled(each.attribute, spec)
        return self._typed(each.type, each.name)

    def _pooled(self, name: str, spec: PatternSpec) -> Any:
        """A value of an attribute, from a pool that it shares with the ids it refers to."""
        entities = self.application.spec.entities
        near = [*spec.entities, *(parent for one in spec.entities for parent in self._parents(one))]
        for entity in near:
            attribute = entities[entity].attributes.get(name)
            if attribute is None:
                continue
            if name in entities[entity].said_expiry:
                return self.random.choice((LATER, PAST))
            if attribute.type == "string" and not attribute.values and self._is_unique(entity, name):
                return self.random.choice((*TEXTS, "u1", "u2", "u3", "u4", "u5"))
            return self.random.choice(attribute.values) if attribute.values else self._typed(attribute.type, name)
        return self._typed("string", name)

    def _is_unique(self, entity: str, name: str) -> bool:
        """Of these there are more values, so that not every write is refused."""
        spec = self.application.spec
        across = [each for group in spec.unique for each in group]
        return any(name in group for group in spec.entities[entity].unique) or (entity, name) in across

    def _parents(self, entity: str) -> list[str]:
        return list(self.application.facts.references[entity].values())

    def _typed(self, kind: str, name: str) -> Any:
        match kind:
            case "number":
                return self.random.choice((0, *NUMBERS) if name == "version" else NUMBERS)
            case "timestamp":
                return self.random.choice(TIMES)
            case "boolean":
                return self.random.random() < 0.5
            case "map":
                return {"k": self.random.choice(TEXTS)}
            case "list":
                return [self.random.choice(TEXTS)]
            case "set":
                return {self.random.choice(TEXTS)}
            case _:
                return self.random.choice(TEXTS)

    def _keep_promises(self, pattern: PatternDesign, inputs: Item) -> Item:
        """An id always comes with the same value of what is immutable."""
        for each in pattern.parameters:
            if each.attribute is None or each.name not in inputs or pattern.kind != "write":
                continue
            for entity in (each.entity,) if each.entity else pattern.entities:
                attribute = self.application.spec.entities[entity].attributes.get(each.attribute)
                if attribute is None or not attribute.immutable or attribute.name in self._ids(entity):
                    continue
                if not self._must_be_new(pattern.id, entity, inputs):
                    inputs[each.name] = self._promised(entity, inputs, attribute.name, attribute.type)
        for each in pattern.parameters:
            if each.each and each.entity:
                inputs[each.name] = [self._promised_child(each.entity, item, inputs) for item in inputs[each.name]]
        return inputs

    def _must_be_new(self, pattern: str, entity: str, inputs: Item) -> bool:
        """Of an id that exists, and therefore is refused, nothing is promised."""
        effect = effect_on(self.application.facts, self.application.patterns[pattern], entity)
        key = tuple(inputs.get(name) for name in self._ids(entity))
        return effect.existence == "new" and key in self.application.state[entity]

    def _promised_child(self, entity: str, item: Item, inputs: Item) -> Item:
        fixed = [each for each in self.application.spec.entities[entity].attributes.values() if each.immutable]
        known = {**inputs, **item}
        return item | {
            each.name: self._promised(entity, known, each.name, each.type)
            for each in fixed
            if each.name in item and each.name not in self._ids(entity)
        }

    def _promised(self, entity: str, inputs: Item, name: str, kind: str) -> Any:
        key = [inputs.get(each) for each in self._ids(entity)]
        dice, self.random = self.random, random.Random(crc32(repr((entity, key, name)).encode()))
        attribute = self.application.spec.entities[entity].attributes[name]
        value = self.random.choice(attribute.values) if attribute.values else self._typed(kind, name)
        self.random = dice
        return value

    def _ids(self, entity: str) -> tuple[str, ...]:
        return self.application.spec.entities[entity].id

    # ---- reads ------------------------------------------------------------------------------------------------------

    def read(self, pattern: PatternDesign, near: Item) -> None:
        inputs, asked = self.inputs(pattern), self.application.patterns[pattern.id]
        inputs |= {name: near[name] for name in inputs if name in near and name in asked.by}
        if asked.aggregate is not None:
            self._compare_number(pattern, asked, inputs)
        elif asked.kind == "batch":
            self._compare_batch(pattern, inputs)
        else:
            is_paged = asked.kind == "query" and asked.limit is None and not asked.limits and len(asked.entities) == 1
            page = self.random.choice((None, 1, 2)) if is_paged else None
            self._compare_items(pattern, asked, inputs, self.running.ask(pattern.id, page=page, **inputs))

    def _compare_number(self, pattern: PatternDesign, asked: PatternSpec, inputs: Item) -> None:
        assert asked.aggregate is not None
        kind, attribute = asked.aggregate.kind, asked.aggregate.attr
        items = self.application.matching(pattern.id, asked.entity, inputs)
        values = [item[attribute] for item in items if attribute in item]
        least_most = {"min": min, "max": max}
        number = len(items) if kind == "count" else sum(values) if kind == "sum" else None
        wanted = least_most[kind](values, default=None) if kind in least_most else number
        found = self.running.number(pattern.id, **inputs)
        if found != wanted:
            self.fail(pattern, f"{inputs}: {found}, and must be {wanted}")

    def _compare_batch(self, pattern: PatternDesign, inputs: Item) -> None:
        (entity,) = pattern.entities
        keys = [tuple(each[name] for name in self._ids(entity)) for each in inputs["ids"]]
        stored = self.application.state[entity]
        wanted = [stored[key] for key in keys if key in stored]
        found = self.running.items(pattern.id, **inputs)
        if found != wanted:
            self.fail(pattern, f"{inputs}: {found}, and must be {wanted}")

    def _compare_items(
        self, pattern: PatternDesign, asked: PatternSpec, inputs: Item, found: list[tuple[str, Item]]
    ) -> None:
        for group, limit in self._groups(asked):
            wanted = [(each, item) for each in group for item in self.application.matching(pattern.id, each, inputs)]
            got = [(entity, item) for entity, item in found if entity in group]
            most = 1 if asked.kind == "get" else len(wanted) if limit is None else limit
            shown = [(each, self._shown(asked, item)) for each, item in wanted]
            left = list(shown)
            for each in [(entity, self._shown(asked, item)) for entity, item in got]:
                if each not in left:
                    self.fail(pattern, f"{inputs}: {each} is answered, of {shown}")
                left.remove(each)
            if len(got) != min(most, len(wanted)):
                self.fail(pattern, f"{inputs}: {len(got)} answered, {min(most, len(wanted))} of {shown} must be")
            order = [_place(asked, item) for _, item in got]
            if order != sorted(_place(asked, item) for _, item in wanted)[: len(order)] and asked.sort:
                self.fail(pattern, f"{inputs}: not in order, or not the first: {got}, of {shown}")
        if {entity for entity, _ in found} - set(asked.entities):
            self.fail(pattern, f"{inputs}: answered with {found}")

    def _groups(self, asked: PatternSpec) -> list[tuple[list[str], int | None]]:
        """Entities that are counted together, with the limit of all of them."""
        if asked.limits:
            return [([each], asked.limits.get(each)) for each in asked.entities]
        entities = self.application.spec.entities
        counted = [each for each in asked.entities if all(one.attr in entities[each].attributes for one in asked.sort)]
        others: list[tuple[list[str], int | None]] = [([each], None) for each in asked.entities if each not in counted]
        return [(counted, asked.limit), *others]

    def _shown(self, asked: PatternSpec, item: Item) -> Item:
        return {name: item[name] for name in item if not asked.returns or name in asked.returns}

    def fail(self, pattern: PatternDesign, what: str) -> NoReturn:
        last = "\n  ".join(self.history[-12:])
        raise Differs(f"{pattern.id}: {what}\nafter {len(self.history)} writes:\n  {last}")


class _Backwards:
    """Sorts the other way round."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Any) -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Backwards) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


def _place(asked: PatternSpec, item: Item) -> tuple[Any, ...]:
    """Where an item stands in the order that was asked for; those without the attribute first or last."""
    found: list[Any] = []
    for each in asked.sort:
        if each.attr not in item:
            found.append((asked.absent != "first",))
        else:
            value = order_of(item[each.attr])
            found.append((asked.absent == "first", _Backwards(value) if each.order == "desc" else value))
    return tuple(found)
