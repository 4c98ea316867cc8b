"""An update expression in the making: changes, what watchers make of them, and the index keys that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.runtime.items.derive import settle, sources_of
from tablewright.runtime.items.index_keys import keys_for_update
from tablewright.runtime.items.intake import is_triggered, is_watcher, store
from tablewright.runtime.requests.changes import (
    Change,
    Target,
    check_change,
    check_value,
    check_verb,
    emptied,
    fault,
    find_target,
    is_empty_set,
    is_nothing,
    is_reference,
    overlapping,
    path_text,
    prepared_change,
    to_action,
)
from tablewright.runtime.types.values import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.runtime.items.layout import Layout, Values

# Verbs whose result depends on what is stored.
UNFORESEEABLE = frozenset({"add", "subtract", "append", "delete", "if_not_exists"})


def _is_set_watcher(target: Target) -> bool:
    """Whether a change gives a value to a whole attribute that watches others."""
    return len(target.path) == 1 and is_watcher(target.root)


class Draft:
    """An update expression in the making. It sees every change, so that watchers and index keys can follow."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.pending: list[tuple[Change, Target]] = []
        self.actions: list[nodes.Action] = []
        self.changed: dict[str, Any] = {}  # root attributes with their new values, as index keys will see them
        self.made: dict[str, Any] = {}  # the same, as their setters answered, which is what watchers see
        self.removed: list[str] = []
        self.touched: dict[str, None] = {}  # root attributes changed in any way, nested ones too
        self.used: dict[str, None] = {}  # what index keys were made of that only the item at hand knew
        self.key_fields: list[str] = []  # index keys that are set
        self.removed_keys: list[str] = []  # index keys that are removed
        self.is_derived = False  # something was written that follows from other attributes

    def take(self, change: Change) -> None:
        """Check one change; an attribute nobody knows is ignored in the loaded style, except by remove."""
        layout, target = self.layout, find_target(self.layout.attributes, change.path)
        if target is None:
            self.refuse_unknown(change)
            return
        if layout.strict:
            change = emptied(change, target)
        has_effect = not (is_nothing(change) or is_empty_set(target, change.value))
        if has_effect or not layout.strict:  # ElectroDB also checks what it then leaves out
            check_change(layout, change, target)
            self.refuse_version(target)
        if not layout.strict and change.verb not in ("remove", "mention"):
            check_value(layout, change, target)
        if has_effect:
            self.pending.append((change, target))

    def refuse_version(self, target: Target) -> None:
        """Every write counts the version, so that nobody else may."""
        plan = self.layout.plan
        if plan is not None and plan.lock == target.root.name:
            raise fault(self.layout, self.layout.called(target.root.name), "is the version, which every write counts")

    def refuse_unknown(self, change: Change) -> None:
        """A place nobody knows. ElectroDB overlooks it when it is a whole attribute, except in remove."""
        is_overlooked = len(change.path) == 1 and change.verb != "remove" and not self.layout.strict
        if not is_overlooked:
            raise fault(self.layout, path_text(change.path), f"is no attribute of {self.layout.name}")

    def finish(self) -> None:
        """Values through checks and setters: first those of plain attributes, then those of watchers.

        The setters of plain attributes see what was given, those of watchers what the others made of it.
        """
        together = {
            str(change.path[0]): change.value
            for change, _ in self.pending
            if len(change.path) == 1 and change.verb != "remove" and not is_reference(change.value)
        }
        watchers = [(change, target) for change, target in self.pending if _is_set_watcher(target)]
        for change, target in self.pending:
            if not _is_set_watcher(target):
                self.add(change, target, together)
        seen = {name: value for name, value in together.items() if name not in self.changed} | self.made
        for change, target in watchers:
            self.add(change, target, seen)

    def add(self, change: Change, target: Target, together: Mapping[str, Any]) -> None:
        name = target.root.name
        self.touched[name] = None
        is_root = len(change.path) == 1
        if not is_root:
            self.refuse_unforeseeable(name)
        if change.verb == "remove":
            if is_root:
                self.removed.append(name)
            check_verb(change, target)
            self.actions.append(to_action(change, target, None))
            return
        prepared = prepared_change(self.layout, change, target, together)
        if prepared is None:
            return
        if is_root and (isinstance(prepared.change.value, nodes.Name) or change.verb in UNFORESEEABLE):
            self.refuse_unforeseeable(name)
        if is_root and prepared.seen is not ABSENT:
            self.changed[name] = prepared.seen
            if prepared.made is not ABSENT:
                self.made[name] = prepared.made
        self.actions.append(to_action(prepared.change, target, self.as_stored(target, prepared.change.value)))

    def as_stored(self, target: Target, value: Any) -> Any:
        if len(target.path) > 1 or isinstance(value, nodes.Name):
            return value
        if isinstance(value, nodes.Value):
            return nodes.Value(self.layout.as_stored(target.root.name, value.value), value.hint)
        return self.layout.as_stored(target.root.name, value)

    def refuse_unforeseeable(self, name: str) -> None:
        """A value that only DynamoDB will know cannot become part of an index key."""
        if self.layout.strict and name in self.layout.composed:
            remedy = "read the item and set the whole value"
            reason = "is part of an index key or decides about one, and its new value must be known"
            raise RequestError(f"{self.layout.name}.{self.layout.called(name)} {reason}; {remedy}", code=2002)

    def watch(self) -> None:
        """Run the setters of watchers whose watched attributes changed."""
        layout = self.layout
        seen = dict(self.made)
        changed: Iterable[str] = self.touched if layout.strict else self.changed
        for attribute in layout.attributes.values():
            if not is_watcher(attribute) or attribute.name in self.changed or not is_triggered(attribute, changed):
                continue
            value = store(attribute, ABSENT, seen)
            path = nodes.Name((attribute.field,))
            if value is not ABSENT:
                self.changed[attribute.name] = value
                self.actions.append(nodes.Set(path, nodes.Value(layout.as_stored(attribute.name, value))))
            elif layout.strict and attribute.name not in self.touched:
                self.removed.append(attribute.name)  # what it was made of is gone, so it is gone too
                self.actions.append(nodes.Remove(path))

    def upkeep(self, known: Values, remembered: Values, *, may_create: bool) -> None:
        """Let the index keys follow. An update that may create the item also writes those that its key decides."""
        if self.layout.derived:
            known, remembered = self.derive(known, remembered)
        keys = keys_for_update(self.layout, self.changed, self.removed, known, remembered, may_create=may_create)
        self.used = keys.used
        self.write_keys(keys.set, keys.remove)
        if self.layout.derived:
            self.used = sources_of(self.layout.derived, keys.used)
            self.assign_derived({**remembered, **known}, may_create=may_create)

    def derive(self, known: Values, remembered: Values) -> tuple[Values, Values]:
        """What the update knows, with what follows from it; attributes that follow from a change are changed too."""
        fresh = {**dict.fromkeys(self.removed, ABSENT), **self.changed}
        settled = settle(self.layout.derived, fresh, known, remembered)
        for name, value in settled.changed.items():
            self.is_derived = True
            path = nodes.Name((self.layout.attributes[name].field,))
            if value is ABSENT:
                self.removed.append(name)
                self.actions.append(nodes.Remove(path))
            else:
                self.changed[name] = value
                self.actions.append(nodes.Set(path, nodes.Value(value)))
        return {**known, **settled.told}, {**remembered, **settled.remembered}

    def assign_derived(self, known: Values, *, may_create: bool) -> None:
        """A partition key is never written without the attribute that stands in it."""
        for each in self.layout.derived:
            is_written = any(field in self.key_fields for field in each.fields)
            is_new = may_create and each.is_constant and "" in each.fields  # its own key field
            value = known.get(each.name, ABSENT)
            if (is_written or is_new) and each.name not in self.changed and value is not ABSENT:
                self.is_derived = True
                self.assign({self.layout.attributes[each.name].field: value})

    def write_keys(self, fields: Mapping[str, Any], removed: Iterable[str]) -> None:
        written = {action.path.parts for action in self.actions}
        self.key_fields = [field for field in fields if (field,) not in written]
        self.removed_keys = [field for field in removed if (field,) not in written]
        self.assign({field: fields[field] for field in self.key_fields})
        self.actions += [nodes.Remove(nodes.Name((field,))) for field in self.removed_keys]

    def assign(self, fields: Mapping[str, Any]) -> None:
        self.actions += [nodes.Set(nodes.Name((field,)), nodes.Value(value)) for field, value in fields.items()]

    def update(self) -> nodes.Update:
        return assemble(self.layout, self.actions)


def assemble(layout: Layout, actions: list[nodes.Action]) -> nodes.Update:
    """The actions by section; two that meddle with the same place are refused before DynamoDB does it.

    Removing twice is removing.
    """
    removals = dict.fromkeys(action for action in actions if type(action) is nodes.Remove)
    both = overlapping([*(action for action in actions if type(action) is not nodes.Remove), *removals])
    if both is not None:
        raise RequestError(
            f"{layout.name}: {both[0]} and {both[1]} are changed in one update; keep one of them", code=2002
        )
    return nodes.Update(
        set=tuple(action for action in actions if type(action) is nodes.Set),
        remove=tuple(removals),
        add=tuple(action for action in actions if type(action) is nodes.Add),
        delete=tuple(action for action in actions if type(action) is nodes.Delete),
    )
