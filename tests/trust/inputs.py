"""Random inputs of patterns, from pools so small that they often meet, and promises of callers kept."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tablewright.spec.writes import effect_on, effects_of
from tests.trust.oracle import Application, Item, order_of

if TYPE_CHECKING:
    from tablewright.design.model import Parameter, PatternDesign
    from tablewright.spec.model import PatternSpec

TEXTS = ("x", "X", "xy")  # differ in case only, or begin alike
IDS = (*TEXTS, "z")
UNIQUE_TEXTS = (*IDS, *(f"u{number}" for number in range(8)))  # so many that not every write is refused
NUMBERS = (1, 2, 10)
TIMES = ("2026-01-05T10:00:00.000Z", "2026-01-05T10:00:00.001Z", "2026-02-01T00:00:00.000Z")
LATER, PAST = 4_102_444_800, 1_000_000_000  # seconds since 1970
MEETING = 0.6
"""The share of writes whose ids are those of items that are there."""


class InputSource:
    """Inputs for the patterns of an application, in the state that it is in."""

    def __init__(self, application: Application, dice: random.Random) -> None:
        self.application, self.random = application, dice

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
        optional = [each for each in pattern.parameters if not each.required]
        if pattern.op == "update" and optional and not any(each.name in found for each in optional):
            found[optional[0].name] = self._value(optional[0], spec)  # an update that says nothing is none
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
        asked = [spec.through.partition(".")[0], *spec.entities] if spec.through else spec.entities
        near = [*asked, *(parent for one in asked for parent in self._parents(one))]
        for entity in near:
            attribute = entities[entity].attributes.get(name)
            if attribute is None:
                continue
            if name in entities[entity].said_expiry:
                return self.random.choice((LATER, PAST))
            if attribute.type == "string" and not attribute.values:
                return self.random.choice(self._texts(entity, name))
            return self.random.choice(attribute.values) if attribute.values else self._typed(attribute.type, name)
        return self._typed("string", name)

    def _texts(self, entity: str, name: str) -> tuple[str, ...]:
        spec = self.application.spec
        across = [each for group in spec.unique for each in group]
        if any(name in group for group in spec.entities[entity].unique) or (entity, name) in across:
            return UNIQUE_TEXTS
        return IDS if name in (*spec.entities[entity].id, *self.application.facts.references[entity]) else TEXTS

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
